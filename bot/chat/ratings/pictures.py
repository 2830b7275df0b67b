"""Pictures of ratings: the list of the strongest, and how one person's rating has changed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.posting.picture_files import Picture
from bot.chat.services import Services
from bot.engine import variants
from bot.i18n import _, day, ngettext
from bot.ratings.leaderboards import RatingAfterGame, RatingEntry
from bot.ratings.pools import RatingPool
from render.charts.graphs import RatingCurve, RatingPoint, rating_graph
from render.charts.standings_tables import Line, Table, table_pages


async def leaderboard(
    services: Services, guild_id: int | None, ranked: Sequence[RatingEntry], title: str, where: str
) -> Picture:
    """The ranked of a pool, the strongest first. ``where``: of which servers."""
    lines = []
    for place, each in enumerate(ranked, start=1):
        name = await services.names.of(guild_id, each.person)
        medal = place if place <= 3 else 0
        lines.append(Line(place, name, (each.shown, f"±{each.spread}", str(each.games)), medal=medal))
    table = Table(title, where, _("Player"), (_("Rating"), "", _("Games")), tuple(lines))
    pages = await services.pictures.drawn(lambda: table_pages(table))
    best = "; ".join(f"{line.rank}. {line.name} {line.values[0]}" for line in lines)
    return Picture("leaderboard.png", pages[0], f"{title}, {where}: {best}"[:1000])


async def graph(
    services: Services, guild_id: int | None, each: RatingEntry, points: Sequence[RatingAfterGame], where: str
) -> Picture:
    """How a rating has changed, game by game; ``points`` are not empty."""
    name = await services.names.of(guild_id, each.person)
    pool = pool_text(each.pool)
    curve = RatingCurve(
        tuple(RatingPoint(float(point.at), point.value, point.deviation or 0.0) for point in points),
        name,
        f"{pool}, {where}: {games_text(each.games)}",
        day(points[0].at),
        day(points[-1].at) if len(points) > 1 else "",
        each.shown,
    )
    png = await services.pictures.drawn(lambda: rating_graph(curve))
    values = [round(point.value) for point in points]
    words = _("{player}, {pool}: rating {now} after {games}, between {least} and {most}, from {first} to {last}.")
    fields = {"player": name, "pool": pool, "now": each.shown, "games": games_text(each.games)}
    extremes = {"least": min(values), "most": max(values), "first": day(points[0].at), "last": day(points[-1].at)}
    return Picture("rating.png", png, words.format(**fields, **extremes))


def games_text(count: int) -> str:
    """How many games."""
    return ngettext("{count} game", "{count} games", count).format(count=count)


def pool_text(pool: RatingPool) -> str:
    """A pool in words."""
    slow = pool.correspondence
    if pool.table:
        text = _("{game}, three and more, by days") if slow else _("{game}, three and more, live")
    else:
        text = _("{game} by days") if slow else _("{game} live")
    return text.format(game=variants.load(pool.variant).name)
