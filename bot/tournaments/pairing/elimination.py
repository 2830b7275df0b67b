"""Single and double elimination. A bracket is a plan; who stands where is folded from the list of results.

A result names the two who played. It counts only while those two stand in its match: when an earlier result is
corrected, what was played by others than the two who now meet there no longer counts, and the match is open again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum

from bot.i18n import Phrase, _, phrase
from bot.support.frozen import frozen
from bot.tournaments.errors import TournamentError


class Takes(Enum):
    """What a place in a match is filled from."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"


@frozen
class Source:
    """A seed (from 1), or the winner or loser of a match."""

    takes: Takes
    seed: int = 0
    match: str = ""


@frozen
class Match:
    """``key``: W1-1, L2-1, F1, F2, T (third place). ``stage`` orders the rounds as they are played, from 1."""

    key: str
    stage: int
    sources: tuple[Source, Source]


@frozen
class BracketGame:
    """A game of a match: its number in the match (from 1), who played, and the winner (None: drawn, play another).
    ``forfeit``: the other did not come."""

    match: str
    number: int
    white: int
    black: int
    winner: int | None
    forfeit: bool = False


@frozen
class MatchState:
    """``players``: None where it is not yet known; 0 where nobody comes (a bye)."""

    match: Match
    players: tuple[int | None, int | None]
    games: tuple[BracketGame, ...] = ()
    winner: int | None = None
    loser: int | None = None
    needed: bool = True

    @property
    def is_open(self) -> bool:
        """Whether two players stand there and nobody has won yet."""
        return self.needed and self.winner is None and all(self.players)


@frozen(slots=False)
class Bracket:
    """``seeds``: the players by seed. Matches in the order in which they can be folded. ``in_twos``: matches are played
    in twos of games, one with either colour, and won by whoever leads after one of these."""

    seeds: tuple[int, ...]
    matches: tuple[Match, ...]
    double: bool
    in_twos: bool = False


@frozen(slots=False)
class BracketState:
    """What the results have made of a bracket. ``places``: those that are decided, by player."""

    bracket: Bracket
    matches: Mapping[str, MatchState]
    champion: int | None = None
    places: Mapping[int, int] = field(default_factory=dict)

    @property
    def open(self) -> tuple[MatchState, ...]:
        """The matches that can be played now, in the order of their stages."""
        return tuple(sorted((m for m in self.matches.values() if m.is_open), key=lambda m: m.match.stage))

    @property
    def to_play(self) -> frozenset[int]:
        """The players who stand in a match that is not decided."""
        undecided = (match for match in self.matches.values() if match.needed and match.winner is None)
        return frozenset(player for match in undecided for player in match.players if player)


def single(players: Sequence[int], *, third_place: bool = False) -> Bracket:
    """A single elimination; ``players`` by seed, the best first. Raises TournamentError for fewer than two."""
    rounds = _rounds(players)
    matches = list(_winners(rounds))
    if third_place and len(players) > 3:
        semifinals = (f"W{rounds - 1}-1", f"W{rounds - 1}-2")
        matches.append(Match("T", rounds, (_loser(semifinals[0]), _loser(semifinals[1]))))
    return Bracket(tuple(players), tuple(matches), double=False)


def double(players: Sequence[int]) -> Bracket:
    """A double elimination with a second final (F2) if the first is won by who had lost before."""
    rounds = _rounds(players)
    matches = [Match(m.key, 1 if m.stage == 1 else 2 * m.stage - 2, m.sources) for m in _winners(rounds)]
    left = [_loser(f"W1-{number}") for number in range(1, 2 ** (rounds - 1) + 1)]
    for round_number in range(1, rounds):
        stage = 2 * round_number
        minor = [Match(f"L{stage - 1}-{i}", stage, pair) for i, pair in enumerate(_in_twos(left), start=1)]
        falling = [_loser(f"W{round_number + 1}-{i}") for i in range(1, len(minor) + 1)]
        # Those who fall are turned about, so that nobody soon meets again whom they met above.
        falling = falling[::-1] if round_number % 2 else [*falling[len(falling) // 2 :], *falling[: len(falling) // 2]]
        winners = [Source(Takes.WINNER, match=match.key) for match in minor]
        major = [
            Match(f"L{stage}-{i}", stage + 1, pair)
            for i, pair in enumerate(zip(winners, falling, strict=True), start=1)
        ]
        matches += [*minor, *major]
        left = [Source(Takes.WINNER, match=match.key) for match in major]
    matches.sort(key=lambda match: match.stage)
    last = 2 * rounds
    matches.append(Match("F1", last, (Source(Takes.WINNER, match=f"W{rounds}-1"), left[0])))
    matches.append(Match("F2", last + 1, (Source(Takes.WINNER, match="F1"), _loser("F1"))))
    return Bracket(tuple(players), tuple(matches), double=True)


def fold(bracket: Bracket, games: Iterable[BracketGame]) -> BracketState:
    """The bracket after these results. Of two results for one game of a match by the same players the later counts."""
    by_match: dict[str, list[BracketGame]] = {}
    for game in games:
        by_match.setdefault(game.match, []).append(game)
    states: dict[str, MatchState] = {}
    for match in bracket.matches:
        first, second = (_stands(bracket, states, source) for source in match.sources)
        state = _state(match, (first, second), by_match.get(match.key, []), 2 if bracket.in_twos else 1)
        if match.key == "F2" and states["F1"].winner is not None:
            # Who came from the winners' side has lost nothing yet: only if beaten is there a second final.
            unbeaten = states["F1"].players[0]
            if states["F1"].winner == unbeaten:
                state = MatchState(match, state.players, needed=False)
        states[match.key] = state
    champion = _champion(bracket, states)
    return BracketState(bracket, states, champion, _places(bracket, states, champion))


def changed_matches(
    before: BracketState, after: BracketState, decided: str = ""
) -> tuple[tuple[MatchState, MatchState], ...]:
    """The matches, as they were and as they are now, in which others meet than before, which are to be played again, or
    which are over while a game of them was to be played. ``decided``: the match that has just got a result."""
    changed = []
    for key, was in before.matches.items():
        now = after.matches[key]
        if not all(was.players) or not (was.games or was.is_open) or (key == decided and was.is_open):
            continue
        if set(was.players) != set(now.players) or was.is_open != now.is_open:
            changed.append((was, now))
    return tuple(changed)


def colours(state: BracketState, match: MatchState) -> tuple[int, int]:
    """White and black of a match's next game: by turns in the match; the first to who has had white less often,
    then to the better seed in matches of odd stage."""
    one, other = match.players
    if not one or not other:
        raise TournamentError(_("Match {match} does not have two players yet.").format(match=match.match.key))
    if match.games:
        return match.games[-1].black, match.games[-1].white
    whites = {one: 0, other: 0}
    for played in state.matches.values():
        for game in played.games:
            for player, step in ((game.white, 1), (game.black, -1)):
                if player in whites:
                    whites[player] += step
    if whites[one] != whites[other]:
        return (one, other) if whites[one] < whites[other] else (other, one)
    better, worse = sorted((one, other), key=bracket_seed(state.bracket).__getitem__)
    return (better, worse) if match.match.stage % 2 else (worse, better)


def bracket_seed(bracket: Bracket) -> dict[int, int]:
    """Each player's seed, from 1."""
    return {player: seed for seed, player in enumerate(bracket.seeds, start=1)}


def match_name(bracket: Bracket, key: str) -> Phrase:
    """What a match is called: of a single elimination after its round, as "semifinal 1", of a double one by its key."""
    named = {"T": phrase("third-place match"), "F1": phrase("final"), "F2": phrase("second final")}
    if key in named:
        return named[key]
    if bracket.double:
        return phrase("match {match}", match=key)
    number, _, which = key[1:].partition("-")
    match (len(bracket.seeds) - 1).bit_length() - int(number):
        case 0:
            return named["F1"]
        case 1:
            return phrase("semifinal {number}", number=which)
        case 2:
            return phrase("quarterfinal {number}", number=which)
    return phrase("round {round}, match {number}", round=number, number=which)


def falls_from(bracket: Bracket, key: str) -> bool:
    """Whether who loses a match plays another one."""
    return any(source.takes is Takes.LOSER and source.match == key for m in bracket.matches for source in m.sources)


def goes_on_from(bracket: Bracket, key: str) -> bool:
    """Whether who wins a match plays another one."""
    return any(source.takes is Takes.WINNER and source.match == key for m in bracket.matches for source in m.sources)


def _rounds(players: Sequence[int]) -> int:
    if len(players) < 2 or len(set(players)) != len(players) or not all(players):
        raise TournamentError(_("An elimination needs at least two different players."))
    return (len(players) - 1).bit_length()


def _winners(rounds: int) -> Iterable[Match]:
    """The matches of the winners' side: seeds placed so that the best meet last."""
    order = [1]
    while len(order) < 2**rounds:
        order = [seed for upper in order for seed in (upper, 2 * len(order) + 1 - upper)]
    places = [Source(Takes.SEED, seed=seed) for seed in order]
    for number in range(1, rounds + 1):
        matches = [Match(f"W{number}-{i}", number, pair) for i, pair in enumerate(_in_twos(places), start=1)]
        yield from matches
        places = [Source(Takes.WINNER, match=match.key) for match in matches]


def _in_twos(sources: Sequence[Source]) -> list[tuple[Source, Source]]:
    return list(zip(sources[::2], sources[1::2], strict=True))


def _loser(key: str) -> Source:
    return Source(Takes.LOSER, match=key)


def _stands(bracket: Bracket, states: Mapping[str, MatchState], source: Source) -> int | None:
    if source.takes is Takes.SEED:
        return bracket.seeds[source.seed - 1] if source.seed <= len(bracket.seeds) else 0
    state = states[source.match]
    return state.winner if source.takes is Takes.WINNER else state.loser


def _state(
    match: Match, players: tuple[int | None, int | None], results: Sequence[BracketGame], at_once: int
) -> MatchState:
    """``at_once``: after how many games, and as many more each time, whoever leads has won."""
    first, second = players
    if first == 0 or second == 0:
        # A bye: the other, or nobody, goes on.
        other = second if first == 0 else first
        return MatchState(match, players, winner=other, loser=0 if other is not None else None, needed=False)
    counting = {
        game.number: game
        for game in results
        if {game.white, game.black} == {first, second} and game.winner in (first, second, None)
    }
    games: list[BracketGame] = []
    winner = None
    for number in sorted(counting):
        games.append(counting[number])
        won = [game.winner for game in games]
        if len(games) % at_once == 0 and won.count(first) != won.count(second):
            winner = first if won.count(first) > won.count(second) else second
            break
    loser = None if winner is None else second if winner == first else first
    return MatchState(match, players, tuple(games), winner, loser)


def _champion(bracket: Bracket, states: Mapping[str, MatchState]) -> int | None:
    if not bracket.double:
        return states[f"W{(len(bracket.seeds) - 1).bit_length()}-1"].winner
    last = states["F2"] if states["F2"].needed else states["F1"]
    return last.winner


def _places(bracket: Bracket, states: Mapping[str, MatchState], champion: int | None) -> dict[int, int]:
    """The places that are decided: the later out, the better; who goes out in one round shares the place, also with
    those who are still to go out in it."""
    decisive = ("L", "F") if bracket.double else ("W",)
    last = [
        state
        for state in states.values()
        if state.needed and state.match.key[0] in decisive and not (state.match.key == "F1" and states["F2"].needed)
    ]
    stages = [state.match.stage for state in last]
    places = {
        state.loser: 1 + len(bracket.seeds) - sum(stage <= state.match.stage for stage in stages)
        for state in last
        if state.loser
    }
    if champion is not None:
        places[champion] = 1
    if "T" in states and (third := states["T"]).winner and third.loser:
        places[third.winner], places[third.loser] = 3, 4
    return places
