"""Charts of tournaments, ratings and games: ``draw`` and ``pages`` turn what they show (``contents``) into PNG files.
What draws, and Pillow with it, is imported with the first of them, by the thread that draws."""

from __future__ import annotations

from render.charts.contents import Bracket, CrossTable, Evaluation, Podium, Race, RatingCurve, Table


def draw(chart: Bracket | Podium | Evaluation | Race | RatingCurve) -> bytes:
    """A chart as a PNG file; may be called from any thread. Raises ValueError for one that cannot be drawn."""
    from render.charts import brackets, graphs, podiums

    match chart:
        case Bracket():
            return brackets.bracket_picture(chart)
        case Podium():
            return podiums.podium_picture(chart)
        case Evaluation():
            return graphs.evaluation_graph(chart)
        case Race():
            return graphs.race_graph(chart)
        case RatingCurve():
            return graphs.rating_graph(chart)


def pages(table: Table | CrossTable, most: int | None = None) -> tuple[bytes, ...]:
    """A table as PNG files, no more than ``most`` of them; may be called from any thread."""
    from render.charts import standings_tables

    if isinstance(table, CrossTable):
        return standings_tables.cross_pages(table, most)
    return standings_tables.table_pages(table, most)
