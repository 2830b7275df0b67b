"""Pictures of tournaments as files for messages: drawn off the event loop, each with its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from bot.chat.board_pictures import BoardPictures
from bot.chat.posting.picture_files import Picture
from bot.chat.tournaments import scenes
from bot.chat.tournaments.bracket_texts import PlayerNames
from bot.chat.wording.names import Names
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament, nameless
from render import charts

MOST = 4
"""Pictures in one message of a channel. Discord takes ten; more than four are not looked at."""
FILES = 10

Draw = Callable[[StoredTournament, PlayerNames], list[Picture]]


async def drawn(known: Names, pictures: BoardPictures, tournament: StoredTournament, draw: Draw) -> list[Picture]:
    """What ``draw`` makes of a tournament as it stands, with what its players are called where it is held."""
    names = {
        number: await known.of(tournament.guild_id, each.person) if each.person > 0 else nameless(number)
        for number, each in tournament.state.by_number.items()
    }
    return await pictures.drawn(lambda: draw(tournament, names))


async def posted(known: Names, pictures: BoardPictures, tournament: StoredTournament) -> list[Picture]:
    """What the message of the standings shows: of an elimination the parts of the bracket that are being played, else
    the standings; nothing where they are not pictured."""
    if not is_pictured(tournament):
        return []
    draw: Draw = partial(bracket, playing=True) if tournament.format.has_bracket else partial(standings, most=MOST)
    return await drawn(known, pictures, tournament, draw)


def is_pictured(tournament: StoredTournament) -> bool:
    """Whether the message of the standings shows a picture: not before the start, and not in a running arena, which
    changes with every game."""
    changes = tournament.format.pairs_who_waits and tournament.state.phase is not Phase.OVER
    return bool(tournament.state.by_number) and not changes


def standings(tournament: StoredTournament, names: PlayerNames, most: int = FILES) -> list[Picture]:
    """The standings, page by page, the first ``most`` of them."""
    table = scenes.standings(tournament, names)
    pages = charts.pages(table, most) if table.lines else ()
    return _numbered("standings", tournament, pages, scenes.standings_words(tournament, names))


def podium(tournament: StoredTournament, names: PlayerNames) -> list[Picture]:
    """The first three on their steps; nothing before the end."""
    if tournament.state.phase is not Phase.OVER or tournament.state.cancelled is not None:
        return []
    scene = scenes.podium(tournament, names)
    return [Picture(f"podium-{tournament.id}.png", charts.draw(scene), scenes.podium_words(scene))]


def crosstable(tournament: StoredTournament, names: PlayerNames) -> list[Picture]:
    """Who played whom; nothing for kinds without a cross-table, and before the first round."""
    table = scenes.cross_table(tournament, names)
    if table is None or not table.headings:
        return []
    return _numbered("crosstable", tournament, charts.pages(table, FILES), scenes.cross_words(tournament, names))


def bracket(tournament: StoredTournament, names: PlayerNames, *, playing: bool = False) -> list[Picture]:
    """The bracket, part by part; nothing for kinds without one. ``playing``: only what is being played, up to MOST
    parts, and when all is over the whole, or the last part of one that is larger."""
    parts = list(enumerate(scenes.brackets(tournament, names), start=1))
    if playing:
        live = [(i, part) for i, part in parts if any(match.is_open for match in part.matches)]
        parts = live[:MOST] or (parts if len(parts) <= MOST else parts[-1:])
    while len(parts) > FILES:
        # What was decided first makes room for what is played, and for the finals, which come last.
        decided = (i for i, (_number, part) in enumerate(parts) if not any(match.is_open for match in part.matches))
        del parts[next(decided, 0)]
    return [
        Picture(
            f"bracket-{tournament.id}-{i}.png",
            charts.draw(part.scene),
            scenes.bracket_words(tournament, part, names),
        )
        for i, part in parts
    ]


def _numbered(name: str, tournament: StoredTournament, pages: Sequence[bytes], words: Sequence[str]) -> list[Picture]:
    """Pages as pictures, each with its own words."""
    told = zip(pages, words, strict=False)
    return [Picture(f"{name}-{tournament.id}-{i}.png", png, text) for i, (png, text) in enumerate(told, start=1)]
