"""Games of a tournament in lines, with links to their threads, as long as a message has room for these."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from bot.i18n import _, labelled, ngettext
from bot.tournaments.formats.format import OpenGame, marks_text
from bot.tournaments.persistence.game_links import counting, open_game_of
from bot.tournaments.persistence.stored_tournament import StoredTournament

ThreadLink: TypeAlias = Callable[[int | None, int, str], str]
"""Makes a link of the ids of a server and of a thread, and of what it is called."""

ROOM: Final = 2500
"""So many characters of a card are for games that are all played at once."""


def named_link(guild_id: int | None, channel_id: int, label: str = "") -> str:
    """A link that says what it opens."""
    return f"[{label or _('game')}](https://discord.com/channels/{guild_id or '@me'}/{channel_id})"


def short_link(guild_id: int | None, channel_id: int, label: str = "") -> str:
    """A link for where many must fit."""
    return f"<#{channel_id}>"


def no_link(guild_id: int | None, channel_id: int, label: str = "") -> str:
    """For where no link fits."""
    return ""


def some_links(room: int) -> ThreadLink:
    """Short links to the threads that come first, as many as so many characters hold."""
    left = room

    def link(guild_id: int | None, channel_id: int, label: str = "") -> str:
        nonlocal left
        text = short_link(guild_id, channel_id, label)
        left -= len(_BEFORE) + len(text)
        return text if left >= 0 else ""

    return link


LINKS: tuple[ThreadLink, ...] = (named_link, short_link, no_link)
"""From the clearest to the shortest."""

_MOST: Final = 3
_BEFORE: Final = " · "


def links_text(guild_id: int | None, threads: Collection[tuple[int, int]], link: ThreadLink) -> str:
    """Links to the threads of games of two who meet, each the number of the game and the id of the thread; of many the
    last ones."""
    several = len(threads) > 1
    newest = sorted(threads)[-_MOST:]
    labels = [(_("game {number}").format(number=number) if several else "", thread) for number, thread in newest]
    shown = [link(guild_id, thread, label) for label, thread in labels]
    return "".join(f"{_BEFORE}{text}" for text in shown if text)


def thread_links(tournament: StoredTournament, number: int, seats: tuple[int, ...], link: ThreadLink) -> str:
    """The threads of the games of these in a round, those that there are."""
    state = tournament.state
    threads = [
        (1 if open_game_of(played).by_places else state.which_game(number, played.white, played.black), thread)
        for played in counting(tournament.games)
        if played.round == number and (thread := played.channel_id) and set(open_game_of(played).seats) == set(seats)
    ]
    return links_text(tournament.guild_id, threads, link)


def game_line(tournament: StoredTournament, number: int, pair: tuple[int, int], link: ThreadLink) -> str:
    """Two who meet in a round, with their result and links to their games."""
    state = tournament.state
    one, other = (tournament.call_in(OpenGame(number, pair), player) for player in pair)
    results = []
    for game in state.games_of(*pair):
        marks = state.marks(number, *game)
        results.append(marks_text(*(marks if game == pair else marks[::-1])))
    line = f"{one} {', '.join(results) if any(results) else '-'} {other}"
    if any(results) and not all(results):
        # Of two games one is over: what is said of the other is no result.
        going_on = _("game {number} is in progress").format(number=results.index("") + 1)
        line = labelled(f"{one} - {other}", f"{''.join(results)}; {going_on}")
    elif {*pair} in tournament.going_on(number):
        line += f" · {_('still being played')}"
    return line + thread_links(tournament, number, pair, link)


def linked(lines_with: Callable[[ThreadLink], list[str]], room: int) -> list[str]:
    """Lines with the clearest links with which they take no more than ``room`` characters; where there are too many
    games for that, the first ones are linked. Lines that are too many without any link stay so."""
    lines: list[str] = []
    for link in LINKS:
        lines = lines_with(link)
        left = room - sum(map(len, lines)) - len(lines)
        if left >= 0:
            return lines if link is not no_link else lines_with(some_links(left))
    return lines


def all_games(tournament: StoredTournament) -> list[str]:
    """The games of all rounds together, those in progress first; of too many those that were decided are only
    counted."""
    state = tournament.state
    pairs = [(number, pair) for number, paired in sorted(state.paired.items()) for pair in paired.games]
    playing = {(game.round, frozenset(game.seats)) for game in tournament.open_games}
    pairs.sort(key=lambda each: (each[0], frozenset(each[1])) not in playing)
    lines = linked(lambda link: [game_line(tournament, number, pair, link) for number, pair in pairs], ROOM)
    left = 0
    while lines and sum(map(len, lines)) + len(lines) > ROOM:
        lines.pop()
        left += 1
    return [*lines, *([ngettext("and {count} more", "and {count} more", left).format(count=left)] if left else [])]
