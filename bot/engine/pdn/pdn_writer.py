"""Games of draughts as PDN 3.0 text: what bot.engine.pdn.pdn_reader reads again."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from bot.engine.boards import Board
from bot.engine.pdn.pdn_grammar import BOTH_LOST, OWN_TAGS, RULED
from bot.engine.pdn.pdn_squares import PdnSquares, own_capture, own_game_type, own_results, squares_of, turned
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.transcript import Replay, Step, Transcript
from bot.engine.turns import Turn
from bot.engine.variants import show
from bot.support.time_units import HOUR, MINUTE, SECOND

_SEVEN = ("Event", "Site", "Date", "Round", "White", "Black")
_WIDTH = 80


def write(transcripts: Iterable[Transcript]) -> str:
    """A PDN file of draughts games. Raises ValueError for a game of another family."""
    return "\n".join(map(dumps, transcripts))


def dumps(transcript: Transcript) -> str:
    """One game, with a line break at its end."""
    rules = rules_for(transcript.variant, transcript.options)
    if rules.variant.family != "draughts":
        raise ValueError(f"PDN is for draughts; {rules.variant.name} has a JSON form only")
    squares = squares_of(rules, None)
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(transcript, rules, squares)]
    moves = " ".join(_movetext(transcript, rules, squares))
    wrapped = textwrap.wrap(moves, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *wrapped, ""])


def _tags(transcript: Transcript, rules: Rules, squares: PdnSquares) -> Iterator[tuple[str, str]]:
    tags = turned(transcript.tags, rules)
    for name in _SEVEN:
        yield name, tags.get(name, "????.??.??" if name == "Date" else "?")
    played = _result(transcript, rules)
    ruled = _ruled(transcript, rules) or played
    yield "Result", ruled
    if ruled != played:
        yield "PlayedResult", played
    if game_type := own_game_type(rules.variant):
        yield "GameType", game_type
    yield "Variant", transcript.variant_id
    if transcript.rules is not None:
        yield "Rules", rules.variant.ruleset.hash
    if chosen := rules.variant.chosen:
        yield "Options", " ".join(f"{name}={show(value)}" for name, value in chosen.items())
    if transcript.start is not None:
        yield "SetUp", "1"
        yield "FEN", squares.position(rules.position(rules.start(transcript.start)))
    if transcript.clock != "none":
        yield "Clock", transcript.clock
    if transcript.began is not None:
        yield "Began", str(transcript.began)
    for seat, player in zip(rules.seats, transcript.players, strict=False):
        name = "WhiteId" if seat.key == "W" else "BlackId"
        if player is not None or name in tags:
            yield name, tags[name] if player is None else str(player)
    if transcript.over:
        yield "Termination", RULED if ruled != played else transcript.reason or "called off"
    written = {*_SEVEN, *OWN_TAGS}
    yield from ((name, value) for name, value in tags.items() if name not in written)


def _result(transcript: Transcript, rules: Rules) -> str:
    if transcript.over and transcript.tags.get("Forfeit") == BOTH_LOST:
        return "0-0"
    if not transcript.over or transcript.reason is None:
        return "*"
    won, drawn, lost = own_results(rules.variant)
    if transcript.winner is None:
        return drawn
    return lost if transcript.winner else won


def _ruled(transcript: Transcript, rules: Rules) -> str:
    """The result that counts where it is another than the moves bear out; "" where it is not, or is unknown."""
    won, drawn, lost = own_results(rules.variant)
    return {"1-0": won, "1/2-1/2": drawn, "0-1": lost, "0-0": "0-0"}.get(transcript.tags.get("Ruling", ""), "")


def _movetext(transcript: Transcript, rules: Rules, squares: PdnSquares) -> Iterator[str]:
    """The words of the movetext; a comment is several of them. The result stands in its tag, at the end an asterisk."""
    replay = Replay(rules, transcript.start)
    before: list[State] = []
    for step in transcript.steps:
        before.append(replay.state)
        replay.add(step)
    standing = _shown(replay)
    number, fresh = 1, True
    aside: list[str] = []
    for at, step in enumerate(replay.steps, start=1):
        if at not in standing:
            aside.append(_aside(step, rules))
            continue
        if aside:
            yield from _asides(aside)
            aside, fresh = [], True
        if step.seat == 0 or fresh:
            yield f"{number}{'.' if step.seat == 0 else '...'}"
        yield _move(rules, squares, before[at - 1], step.text)
        notes = [f"[%clk {_clock(step.left)}]"] if step.left is not None else []
        notes += [f"[%at {step.at}]"] if step.at is not None else []
        if notes:
            yield from f"{{{' '.join(notes)}}}".split(" ")
        fresh = bool(notes)
        number += step.seat
    yield from _asides(aside)
    yield "*"


def _move(rules: Rules, squares: PdnSquares, state: State, text: str) -> str:
    """A move; of a capture first and last square where nothing else joins them, else all (PDN 3.0, "Restrictions")."""
    turn = rules.read(state, text)
    if not turn.captured:
        return "-".join(map(squares.written, turn.path))
    ends = turn.path[0], turn.path[-1]
    alike = [other for other in rules.moves(state) if other.captured and (other.path[0], other.path[-1]) == ends]
    path = _route(rules.board, turn) if len(alike) > 1 or ends[0] == ends[1] else ends
    return own_capture(rules.variant).join(map(squares.written, path))


def _route(board: Board, turn: Turn) -> tuple[int, ...]:
    """The squares of a capture: where it turns, and else those right behind the pieces that it takes."""
    route = list(turn.path)
    for at in range(1, len(route) - 1):
        (x, y), (left, low), (right, high) = (board.places[turn.path[i]] for i in (at, at - 1, at + 1))
        came, goes = (_sign(x - left), _sign(y - low)), (_sign(right - x), _sign(high - y))
        if came == goes:
            taken = board.places[turn.captured[at - 1]]
            route[at] = board.places.index((taken[0] + came[0], taken[1] + came[1]))
    return tuple(route)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _asides(words: list[str]) -> list[str]:
    return f"{{[%aside {' '.join(words)}]}}".split(" ") if words else []


def _shown(replay: Replay) -> set[int]:
    """The numbers of the moves that stand: no huffs, and no moves that were obliged back."""
    shown: list[int] = []
    for number in replay.line:
        text = replay.steps[number - 1].text
        if text == "oblige":
            shown.pop()
        elif not text.startswith("soplar "):
            shown.append(number)
    return set(shown)


def _aside(step: Step, rules: Rules) -> str:
    key = rules.seats[step.seat].key
    if step.kind == "turn":
        word = step.text.replace(" ", ":")
    else:
        word = f"back:{step.text}:{key}" if step.kind == "takeback" else f"{step.kind}:{key}"
    when = "" if step.at is None else f"@{step.at}"
    return word + when + ("" if step.left is None else f"~{step.left}")


def _clock(left: int) -> str:
    left = max(0, left)
    return f"{left // HOUR}:{left // MINUTE % 60:02}:{left // SECOND % 60:02}"


def _quoted(value: str) -> str:
    plain = re.sub(r"[\x00-\x1f]", " ", value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')
