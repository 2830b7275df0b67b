"""A bracket in words: who plays whom in each match, who has won it, who goes on without a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.chat.tournaments.thread_links import LINKS, ThreadLink, links_text, no_link
from bot.chat.wording.amounts import amount
from bot.i18n import N_, _, said
from bot.tournaments.formats.format import HAS_LEFT, NEITHER_CAME, NOT_COME, OpenGame
from bot.tournaments.model.events import MatchGame
from bot.tournaments.model.fold import taken_back
from bot.tournaments.pairing.elimination import (
    Bracket,
    MatchState,
    Source,
    Takes,
    colours,
    falls_from,
    goes_on_from,
    match_name,
)
from bot.tournaments.persistence.game_links import counting
from bot.tournaments.persistence.stored_tournament import StoredTournament

PlayerNames = Mapping[int, str]
"""What players are called, by starting number."""

_ENDED: Final = {
    "": N_("{match}: {winner} beat {loser}"),
    HAS_LEFT: N_("{match}: {winner} wins because {loser} has left"),
    NOT_COME: N_("{match}: {winner} wins because {loser} did not come"),
    NEITHER_CAME: N_("{match}: {winner} wins as the better seed; neither {winner} nor {loser} came"),
}
"""How a match has ended, by the reason of its last result."""

ROOM: Final = 3000
"""So many characters of a card are the bracket's at most."""
_SIDES: Final = "WLFT"
"""The matches in the order of the pictures: of the winners' side, of the losers', the finals, the third place."""


def match_title(bracket: Bracket, key: str) -> str:
    """What a match is called where that begins a line: "Semifinal 1"."""
    name = said(match_name(bracket, key))
    return name[:1].upper() + name[1:]


def awaited(bracket: Bracket, source: Source) -> str:
    """Who is to come to a match: "winner of semifinal 1"."""
    template = _("winner of {match}") if source.takes is Takes.WINNER else _("loser of {match}")
    return template.format(match=match_name(bracket, source.match))


def score_of(match: MatchState, player: int) -> str:
    """The points of a player in the games of a match that are over."""
    won = (Fraction(1, 2) if game.winner is None else Fraction(game.winner == player) for game in match.games)
    return amount(sum(won, Fraction())) or "0"


def match_line(tournament: StoredTournament, match: MatchState, names: PlayerNames, link: ThreadLink = no_link) -> str:
    """A match in words, White of the game that is played now first, with ``link`` to the threads of its games."""
    state, key = tournament.state.bracket, match.match.key
    first, second = colours(state, match) if match.is_open else match.players
    one, other = (
        awaited(state.bracket, match.match.sources[i]) if player is None else names.get(player, "")
        for i, player in enumerate((first, second))
    )
    fields = {"match": match_title(state.bracket, key)}
    if 0 in match.players:
        return _("{match}: {player} has a bye").format(**fields, player=one or other)
    if match.winner and match.loser:
        first, second = match.winner, match.loser
        reason = _reason_of(tournament, match)
        text = _ENDED[reason if reason in _ENDED else ""]
        text = _(text).format(**fields, winner=names[first], loser=names[second])
    elif match.is_open:
        text = _("{match}: {one} plays {other}").format(**fields, one=one, other=other)
    else:
        text = _("{match}: {one} - {other}").format(**fields, one=one, other=other)
    is_played = not match.winner or _reason_of(tournament, match) not in (HAS_LEFT, NEITHER_CAME)
    if first and second and is_played and (len(match.games) > 1 or (match.is_open and match.games)):
        text += f" ({score_of(match, first)} - {score_of(match, second)})"
    games = [game for game in counting(tournament.games) if game.match == key]
    threads = [
        (game.round, game.channel_id)
        for game in games
        if game.channel_id and {game.white, game.black} == set(match.players)
    ]
    return text + links_text(tournament.guild_id, threads, link)


def _reason_of(tournament: StoredTournament, match: MatchState) -> str:
    """Why a match ended as it did, where that was not by playing; "" where it was."""
    undone, last = taken_back(tournament.events), match.games[-1].number if match.games else 0
    for event in reversed(tournament.events):
        action = event.action
        if isinstance(action, MatchGame) and (action.match, action.game) == (match.match.key, last):
            if event.number in undone:
                continue
            return event.reason
    return ""


def called_in(tournament: StoredTournament, match: MatchState) -> PlayerNames:
    """The players of a match as mentions, by starting number: whoever has played its last game."""
    games = match.games
    last = games[-1] if games else None
    return {
        number: tournament.call(number)
        if last is None
        else tournament.call_in(OpenGame(last.number, (last.white, last.black), last.match), number)
        for number in match.players
        if number
    }


def changed_match_lines(tournament: StoredTournament, changed: Sequence[tuple[MatchState, MatchState]]) -> list[str]:
    """Of matches that something changes, as they were and as they will be: what no longer counts, who plays instead."""
    return [_changed_match(tournament, was, now) for was, now in changed]


def _changed_match(tournament: StoredTournament, was: MatchState, now: MatchState) -> str:
    call, key = tournament.call, was.match.key
    fields = {"match": match_title(tournament.state.bracket.bracket, key)}
    if was.is_open:
        one, other = colours(tournament.state.bracket, was)
        text = _("{match}: {one} - {other}, in progress, is called off.").format(
            **fields, one=call(one), other=call(other)
        )
    else:
        text = _("{match}: {winner}'s win against {loser} no longer counts.").format(
            **fields, winner=call(was.winner or 0), loser=call(was.loser or 0)
        )
    if now.winner:
        return f"{text} {_('{player} goes through.').format(player=call(now.winner))}"
    if not all(now.players):
        return f"{text} {_('It is not yet certain who plays it.')}"
    if not now.is_open:
        return f"{text} {_('It will not be played.')}"
    template = _("{one} plays {other} instead, in a new game.")
    if set(now.players) == set(was.players):
        template = _("{one} plays {other} again, in a new game.")
    one, other = (number or 0 for number in now.players)
    return f"{text} {template.format(one=call(one), other=call(other))}"


def decided_line(tournament: StoredTournament, match: MatchState) -> str:
    """What a match that somebody wins means for both."""
    bracket, key = tournament.state.bracket.bracket, match.match.key
    second_final = key == "F1" and match.winner != match.players[0]
    if second_final:
        text = _("{match}: {winner} beats {loser}, and a second final decides.")
    elif key == "T":
        text = _("{match}: {winner} is third and {loser} fourth.")
    elif key == "F1" or not goes_on_from(bracket, key):
        text = _("{match}: {winner} wins the tournament, and {loser} is second.")
    elif not falls_from(bracket, key):
        text = _("{match}: {winner} goes through, and {loser} is out.")
    elif bracket.double:
        text = _("{match}: {winner} goes through, and {loser} goes on in the losers' side.")
    else:
        text = _("{match}: {winner} goes through, and {loser} plays for third place.")
    fields = {"winner": tournament.call(match.winner or 0), "loser": tournament.call(match.loser or 0)}
    return text.format(match=match_title(bracket, key), **fields)


def bracket_lines(tournament: StoredTournament) -> list[str]:
    """All matches, side by side as pictures have them, with links to their games; of too many those that were decided
    first are left out."""
    matches = tournament.state.bracket.matches.values()
    shown = sorted(filter(is_shown, matches), key=lambda match: _SIDES.index(match.match.key[0]))
    sections: list[tuple[str, list[MatchState]]] = [("", shown)]
    if tournament.state.bracket.bracket.double:
        heads = {"W": _("Winners' side"), "L": _("Losers' side"), "F": _("Finals")}
        sections = [(head, [match for match in shown if match.match.key[0] == side]) for side, head in heads.items()]
    for link in LINKS:
        lines = [line for head, inside in sections for line in _section(tournament, head, inside, link)]
        if sum(map(len, lines)) + len(lines) <= ROOM:
            return lines
    decided = [match for match in shown if match.winner or match.loser == 0]
    while decided and sum(map(len, lines)) + len(lines) > ROOM:
        match = decided.pop(0)
        lines.remove(match_line(tournament, match, called_in(tournament, match)))
    return [*lines, _("Earlier matches: `/tournament history`.")]


def is_shown(match: MatchState) -> bool:
    """Whether anybody may come to a match; to a second final only once there is to be one."""
    return any(player != 0 for player in match.players) and (
        match.match.key != "F2" or match.is_open or bool(match.games)
    )


def _section(tournament: StoredTournament, head: str, matches: list[MatchState], link: ThreadLink) -> list[str]:
    lines = [match_line(tournament, match, called_in(tournament, match), link) for match in matches]
    return [f"**{head}**", *lines] if head and lines else lines


def legend(tournament: StoredTournament) -> str:
    """What the keys of matches mean; "" where they have names of their own."""
    if not tournament.format.has_bracket or not tournament.state.bracket.bracket.double:
        return ""
    return _("W1-2: winners' side, round 1, match 2. L1-2: losers' side, round 1, match 2.")
