"""An analysis in words and pictures: the summary, the turns one by one, the graph."""

from __future__ import annotations

from bot.chat.posting.cards import LONGEST
from bot.chat.wording.players import mention
from bot.computer.analysis import LINE, JudgedTurn, TurnVerdict, curve
from bot.games.model.game import Game
from bot.i18n import N_, _, labelled, ngettext, percent, said
from bot.study.analyses import Analysis
from render.charts.contents import Evaluation, Race, Turning

PAGE = 12

VERDICTS = {
    TurnVerdict.FORCED: N_("forced"),
    TurnVerdict.BEST: N_("best"),
    TurnVerdict.GOOD: N_("good"),
    TurnVerdict.INACCURACY: N_("inaccuracy"),
    TurnVerdict.MISTAKE: N_("mistake"),
    TurnVerdict.BLUNDER: N_("blunder"),
}
_SIGNS = {TurnVerdict.INACCURACY: "?!", TurnVerdict.MISTAKE: "?", TurnVerdict.BLUNDER: "??"}


def progress_text(game_id: int, done: int, of: int) -> str:
    """While the search is at it."""
    template = _("Analysing game {number}: {done} of {count} turns done, about a second each.")
    return template.format(number=game_id, done=done, count=of)


def summary(analysis: Analysis) -> str:
    """How well each player chose."""
    game = analysis.game
    lines = [_("**{game}, game {number}**, turn by turn:").format(game=said(game.rules.variant.name), number=game.id)]
    for seat, player in enumerate(game.players):
        value = analysis.accuracy(seat)
        side = f"{mention(player)} ({game.seat_name(seat)})"
        if analysis.is_too_short(seat):
            template = _("- {player}: too few turns to tell the accuracy ({counts})")
            lines.append(template.format(player=side, counts=_counts(analysis, seat)))
        elif value is None:
            lines.append(_("- {player} never had a choice that mattered.").format(player=side))
        else:
            template = _("- {player}: accuracy **{accuracy}** ({counts})")
            lines.append(template.format(player=side, accuracy=percent(value / 100), counts=_counts(analysis, seat)))
    return "\n".join(lines)


def turning_heading(analysis: Analysis) -> str:
    """What stands above the turning points, each of which is ``turning_text``."""
    count = len(analysis.turning)
    if not count:
        return _("Nobody made a serious mistake.")
    return ngettext("The turning point:", "The turning points:", count)


def turning_text(analysis: Analysis, judged: JudgedTurn) -> str:
    """A turning point, with what had been better."""
    # The turn's number is not the first of a list in the list.
    return "- " + turn_text(analysis, judged).replace(". ", "\\. ", 1)


def _counts(analysis: Analysis, seat: int) -> str:
    verdicts = [judged.verdict for judged in analysis.judged if judged.searched.seat == seat]
    inaccuracies, mistakes, blunders = (verdicts.count(verdict) for verdict in _SIGNS)
    counts = [
        ngettext("{count} inaccuracy", "{count} inaccuracies", inaccuracies).format(count=inaccuracies),
        ngettext("{count} mistake", "{count} mistakes", mistakes).format(count=mistakes),
        ngettext("{count} blunder", "{count} blunders", blunders).format(count=blunders),
    ]
    return ", ".join(counts)


def turn_text(analysis: Analysis, judged: JudgedTurn, most: int = LINE) -> str:
    """One turn: what was played, what it was worth, and what had been better, in ``most`` turns of that line."""
    searched, side = judged.searched, analysis.game.seat_name(judged.searched.seat)
    sign, verdict = _SIGNS.get(judged.verdict, ""), _(VERDICTS[judged.verdict])
    fields = {"number": judged.number, "side": side, "move": searched.played, "verdict": verdict}
    if not sign:
        return _("{number}. {side}: **{move}** {verdict}").format(**fields)
    template = _("{number}. {side}: **{move}**{sign} {verdict}, {loss} of 100 points lost. Better: {line}")
    line, loss = " ".join(f"`{turn}`" for turn in searched.line[:most]), round(100 * judged.loss)
    return template.format(**fields, sign=sign, loss=loss, line=line)


def pages(analysis: Analysis) -> int:
    """How many pages the turns take."""
    return -(-len(analysis.judged) // PAGE)


def page_text(analysis: Analysis, page: int) -> str:
    """One page of the turns, counted from 0; where a card does not hold it, better lines are told less far."""
    head = _("Game {number}, page {page} of {pages}:")
    head = head.format(number=analysis.game.id, page=page + 1, pages=pages(analysis))
    turns = analysis.judged[page * PAGE : (page + 1) * PAGE]
    for most in range(LINE, 0, -1):
        text = "\n".join([head, *(turn_text(analysis, judged, most) for judged in turns)])
        if len(text) <= LONGEST:
            break
    return text


def graph_of(analysis: Analysis, names: tuple[str, ...]) -> Evaluation | None:
    """What is drawn of a game of two; a game of more has no two sides to weigh (see ``race_of``)."""
    game = analysis.game
    if len(game.players) != 2:
        return None
    first, second = (analysis.accuracy(seat) for seat in (0, 1))
    turnings = tuple(
        Turning(judged.number, f"{judged.searched.played}{_SIGNS.get(judged.verdict, '')}")
        for judged in analysis.turning
    )
    return Evaluation(
        values=(0.0, *curve(analysis.judged)),
        names=(names[0] or game.seat_name(0), names[1] or game.seat_name(1)),
        sides=(game.seat_name(0), game.seat_name(1)),
        notes=("" if first is None else percent(first / 100), "" if second is None else percent(second / 100)),
        turnings=turnings,
        title=_("{game}, game {number}").format(game=said(game.rules.variant.name), number=game.id),
        axis=_("Turns 1 to {count}").format(count=len(analysis.judged)),
        better=(_better("↑", game, 0), _better("↓", game, 1)),
    )


def _better(arrow: str, game: Game, seat: int) -> str:
    return _("{arrow} {side} is better").format(arrow=arrow, side=game.seat_name(seat))


def graph_alt(analysis: Analysis) -> str:
    """The graph in words."""
    game, values = analysis.game, curve(analysis.judged)
    at = [(number, value) for number, value in enumerate(values, start=1) if number % max(1, len(values) // 8) == 0]
    template = _("{side}'s chances after each turn, out of 100: {values}.")
    listed = ", ".join(labelled(f"{number}", f"{round(50 + 50 * value)}") for number, value in at)
    return template.format(side=game.seat_name(0), values=listed)


def race_of(analysis: Analysis, names: tuple[str, ...], values: tuple[tuple[float, ...], ...]) -> Race:
    """What is drawn of a game of several; ``values``: how far each had come (see study.analyses.race)."""
    game = analysis.game
    sides = [game.seat_name(seat) for seat in range(len(game.players))]
    accuracies = [analysis.accuracy(seat) for seat in range(len(sides))]
    # Several computers may have one name.
    notes = [s if value is None else f"{s}, {percent(value / 100)}" for s, value in zip(sides, accuracies, strict=True)]
    return Race(
        values=values,
        names=tuple(name or side for name, side in zip(names, sides, strict=True)),
        sides=tuple(sides),
        notes=tuple(notes),
        turnings=tuple((Turning(judged.number), judged.searched.seat) for judged in analysis.turning),
        title=_("{game}, game {number}").format(game=said(game.rules.variant.name), number=game.id),
        axis=_("Turns"),
    )


def race_alt(analysis: Analysis, values: tuple[tuple[float, ...], ...]) -> str:
    """That graph in words."""
    template = _("How far each was home after {count} turns, out of 100: {values}.")
    sides = [analysis.game.seat_name(seat) for seat in range(len(analysis.game.players))]
    listed = ", ".join(labelled(side, f"{round(100 * value)}") for side, value in zip(sides, values[-1], strict=True))
    return template.format(count=len(values) - 1, values=listed)
