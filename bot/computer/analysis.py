"""A finished game looked over: each turn held against the best one that the search finds.

``look`` is the work of a worker: one position of the game. What it saw is judged here, without any search: how many
expected points each turn gave away, the accuracy of each player, and the turns on which the game turned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.computer.kernels.outcome_blocks import SURE
from bot.computer.kernels.search_room import WIN, WON
from bot.computer.search.limits import Limit
from bot.computer.search.think import think
from bot.computer.workers.jobs import Job, replay
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue

SECONDS = 0.75
"""What a position of a game may take, so that sixty turns take less than a minute, better lines included,"""
SECONDS_ALONE = 1.0
"""and one that is no game's."""
DEPTH = 16
MARGIN = 400
"""Turns worse than the best by no more get their exact score, in hundredths of a man; the others are just bad."""
LINE = 5
"""How many turns of a better line are told."""
LINES = 3
"""How many turns are told of a position that is no game's."""
_REPLY_NODES = 20_000
_REPLY_SHARE, _REPLY_SHARE_ALONE = 0.05, 0.2
"""What each turn of it may take at most, of the time of a position of a game, and of one that is no game's."""

PER_POINT = {"draughts": 100.0, "star": 500.0}
"""How far ahead a side is, in the search's hundredths, with which it expects 73 of 100 points."""


class PlayedPosition(NamedTuple):
    """A position of a game, as the record reaches it, and the turn that was played there."""

    variant: str | Ruleset
    options: Mapping[str, OptionValue]
    start: str | None
    turns: tuple[str, ...]
    played: str
    seconds: float = SECONDS


class SearchedTurn(NamedTuple):
    """What a search saw in a position, for the seat that was to move: the best turn and its score, the score of the
    turn that was played, among how many turns it was chosen, how deep the search went, how the best turn would have
    gone on where another one was played (``line`` begins with it), and what was at stake: how many expected points (0
    to 1) a turn taken at random would have given away."""

    seat: int
    best: str
    score: int
    played: str
    played_score: int
    choices: int
    depth: int
    line: tuple[str, ...]
    stake: float


class SetPosition(NamedTuple):
    """A position that is no game's."""

    variant: Ruleset
    options: Mapping[str, OptionValue]
    position: str
    seconds: float = SECONDS_ALONE


class BestLine(NamedTuple):
    """A turn and how the game would go on with it, what it is worth to who is to move, and how deep the search went."""

    turns: tuple[str, ...]
    score: int
    depth: int


class TurnVerdict(StrEnum):
    """What a turn was worth. ``forced``: there was no other."""

    FORCED = "forced"
    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


_WORST = ((0.25, TurnVerdict.BLUNDER), (0.12, TurnVerdict.MISTAKE), (0.05, TurnVerdict.INACCURACY))
"""From how many expected points given away a turn is called so; below the last it is good."""
RANDOM_LOSES = 1.2
"""The exponent of a player who gives away as much as one who plays at random: 30 of 100."""
MILDER = 1.3
"""Who gives away half as much has less than half the exponent: so a level that plays as people do is told some 75."""
TURNING = 3
"""How many turning points are told at most."""


class JudgedTurn(NamedTuple):
    """A turn of the game, counted from 1, and what it was worth. ``chance``: what the seat expects of the game after
    it, from 0 to 1; ``loss``: how much less than with the best turn."""

    number: int
    searched: SearchedTurn
    verdict: TurnVerdict
    chance: float
    loss: float


def look(moment: PlayedPosition) -> SearchedTurn:
    """Search one position. Raises EngineError for a record that does not hold, or a game that is over there."""
    rules, states = replay(Job(moment.variant, moment.options, moment.start, moment.turns, 1, 0))
    state = states[-1]
    played = rules.read(state, moment.played)
    result = think(rules, state, Limit(moment.seconds, depth=DEPTH, margin=MARGIN))
    scores = {turn.text: score for turn, score in result.ranked}
    score = scores.get(played.text)
    if score is None:
        # A capture that was neglected: the search does not think of it, as the best capture is never worse.
        score = min(result.score, _after(rules, rules.play(state, played), state.seat, moment.seconds / 2))
    choices = len(rules.turns(state)) + len(rules.remedies(state))
    other = played.text != result.turn.text
    share = moment.seconds * _REPLY_SHARE
    line = _line(rules, state, result.turn.text, share) if other and result.score - score > 1 else (result.turn.text,)
    best = result.turn.text if other else played.text
    family, seats = rules.variant.family, len(rules.seats)
    losses = [_loss(result.score, each, family, seats) for each in scores.values()]
    stake = round(sum(losses) / len(losses), 4)
    return SearchedTurn(state.seat, best, result.score, played.text, score, choices, result.depth, line, stake)


def best_lines(asked: SetPosition) -> tuple[BestLine, ...]:
    """The best turns of a position, LINES at most, the best first. Raises EngineError where there is none."""
    rules = rules_for(asked.variant, asked.options)
    state = rules.start(asked.position)
    result = think(rules, state, Limit(asked.seconds, depth=DEPTH, margin=MARGIN))
    near = [(turn, score) for turn, score in result.ranked if score >= result.score - MARGIN][:LINES]
    share = asked.seconds * _REPLY_SHARE_ALONE
    return tuple(
        BestLine(_line(rules, state, turn.text, share), score, result.depth)
        for turn, score in near or [(result.turn, result.score)]
    )


def _after(rules: Rules, state: State, seat: int, seconds: float) -> int:
    """What a state is worth to ``seat``, in a game of two."""
    if state.outcome is not None:
        return 0 if state.outcome.winner is None else WIN if state.outcome.winner == seat else -WIN
    score = think(rules, state, Limit(seconds, depth=DEPTH)).score
    return score if state.seat == seat else -score


def _line(rules: Rules, state: State, text: str, seconds: float) -> tuple[str, ...]:
    """How the game would have gone on with another turn."""
    line = [text]
    state = rules.play(state, rules.read(state, text))
    while len(line) < LINE and state.outcome is None:
        turn = think(rules, state, Limit(seconds, _REPLY_NODES, DEPTH)).turn
        line.append(turn.text)
        state = rules.play(state, turn)
    return tuple(line)


def chance(score: int, family: str) -> float:
    """What a side expects of a game, from 0 (lost) to 1 (won), with a score of the search."""
    if abs(score) >= SURE:
        return 1.0 if score > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-score / PER_POINT[family]))


def _expected(best: int, score: int, family: str, seats: int) -> float:
    """What a seat expects with a score, where another turn has the best one. At a table of several a score is held
    against all others at once, and says nothing of the place that it brings: there the best turn stands for an even
    game."""
    return chance(score - best if seats > 2 and abs(best) <= WON else score, family)


def _loss(best: int, score: int, family: str, seats: int) -> float:
    return max(0.0, _expected(best, best, family, seats) - _expected(best, score, family, seats))


def judge(searched: Sequence[SearchedTurn], family: str, seats: int = 2) -> list[JudgedTurn]:
    """All turns of a game in order."""
    return [_judged(number, one, family, seats) for number, one in enumerate(searched, start=1)]


def _judged(number: int, searched: SearchedTurn, family: str, seats: int) -> JudgedTurn:
    expected = _expected(searched.score, searched.played_score, family, seats)
    loss = _loss(searched.score, searched.played_score, family, seats)
    if searched.choices <= 1:
        return JudgedTurn(number, searched, TurnVerdict.FORCED, expected, 0.0)
    if searched.played == searched.best:
        return JudgedTurn(number, searched, TurnVerdict.BEST, expected, 0.0)
    bad = (verdict for least, verdict in _WORST if loss >= least)
    verdict = next(bad, TurnVerdict.BEST if loss < 0.005 else TurnVerdict.GOOD)
    return JudgedTurn(number, searched, verdict, expected, loss)


def accuracy(judged: Sequence[JudgedTurn], seat: int) -> float | None:
    """How well a seat chose, of 100: what its turns gave away, held against what turns taken at random would have given
    away in the same positions. So a turn counts for as much as was at stake. None where nothing ever was."""
    own = [j for j in judged if j.searched.seat == seat and j.verdict != TurnVerdict.FORCED]
    stake = sum(j.searched.stake for j in own)
    if stake <= 0:
        return None
    return 100.0 * math.exp(-RANDOM_LOSES * (sum(j.loss for j in own) / stake) ** MILDER)


def turning_points(judged: Sequence[JudgedTurn]) -> list[JudgedTurn]:
    """The turns that gave away most, in the order in which they were played."""
    grave = [j for j in judged if j.verdict in (TurnVerdict.MISTAKE, TurnVerdict.BLUNDER)]
    worst = sorted(grave, key=lambda j: (-j.loss, j.number))[:TURNING]
    return sorted(worst, key=lambda j: j.number)


def curve(judged: Sequence[JudgedTurn]) -> list[float]:
    """What the first of two seats expects of the game after each turn, from -1 (lost) to 1 (won)."""
    return [(2.0 * j.chance - 1.0) * (1 if j.searched.seat == 0 else -1) for j in judged]
