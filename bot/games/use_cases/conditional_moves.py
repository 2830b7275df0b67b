"""Use cases: conditional moves. "If f6-e5, then d4xf6": lines of moves that are played at once when they come true.

A plan is private to its owner. It is read by the rules when it is written, and again when it is used; where the
opponent leaves all its lines, it is gone.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from bot.engine.errors import MoveError, echoed
from bot.engine.move_text import HUFF
from bot.engine.rules import State
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.model.seats import playing
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.off_loop import read_turn
from bot.games.persistence.unit_of_work import GameUnit
from bot.i18n import N_, _, closed
from data.queries import conditional_moves as queries

LINES: Final = 10
"""How many lines a plan may have."""

DEEP: Final = 10
"""How many moves of one's own a line may have."""

NO_PLAN = N_("You have no plan in this game.")

_FILLING = frozenset({"if", "then", "else", "and", "nothing"})

# A huff and its square are one word of a line; a move that follows a huff without a square is another.
_HUFF = rf"(?i)\b({HUFF})[\s:]+([a-z][0-9]+|[0-9]+)(?=[\s,]|$)"

_PLACE = re.compile("[a-z]?[0-9]+", re.IGNORECASE)
_ROUTE: Final = 12
"""So many places that blanks part are tried as one move, at most."""

Line = tuple[str, ...]


class ConditionalMoves:
    """Keeps moves that players have decided in advance, and plays them when the opponent's come true."""

    def __init__(self, work: GameWork) -> None:
        self._work = work
        self._planned: set[int] | None = None

    def heard(self, game_id: int | None) -> None:
        """Another process has changed a game, or nobody knows which (None): somebody may have a plan in it."""
        if game_id is None:
            self._planned = None
        elif self._planned is not None:
            self._planned.add(game_id)

    async def put(self, game_id: int, player: int, text: str, source: str) -> tuple[Game, tuple[Line, ...]]:
        """Keep ``text`` as the plan of ``player``, in place of an older one: lines separated by ``;`` or a line's end,
        each the opponent's move, then one's own, and so on. Raises Refused with the line and what is wrong."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            seat = playing(game, player)
            if len(game.players) != 2:
                raise Refused(_("Plans are only for games between two players."), game)
            if game.state.seat == seat:
                raise Refused(_("It is your turn. Move first, then plan your answers to what may follow."), game)
            lines = await asyncio.to_thread(read_lines, game, seat, text)
            await queries.put(unit.tx, game.id, player, game.ply, lines)
        if self._planned is not None:
            self._planned.add(game_id)
        return unit.game, lines

    async def of(self, game_id: int, player: int) -> tuple[Line, ...]:
        """What ``player`` has planned in a game and still holds."""
        async with self._work.reading() as tx:
            game = await self._work.repository.load(tx, game_id)
            plan = await queries.get(tx, game_id, player)
        return () if plan is None or plan.ply != game.ply else tuple(map(tuple, plan.lines))

    async def drop(self, game_id: int, player: int, source: str) -> Game:
        """Give a plan up. Refused: there is none."""
        async with self._work.unit(game_id, source) as unit:
            playing(unit.game, player)
            plan = await queries.get(unit.tx, game_id, player)
            if plan is None or plan.ply != unit.game.ply:
                raise Refused(_(NO_PLAN), unit.game)
            await queries.put(unit.tx, game_id, player, 0, ())
        return unit.game

    async def follow(self, unit: GameUnit) -> list[int]:
        """After a turn: play what those who are now to move have planned for it, as far as plans reach. Returns the
        numbers of the entries that were made so."""
        if self._planned is None:
            self._planned = await queries.with_plans(unit.tx)
        game_id = unit.game.id
        played: list[int] = []
        # What another process does in a game of two servers is not told of here.
        if game_id not in self._planned and unit.game.mirror is None:
            return played
        while unit.game.status == "running" and await self._follow_one(unit, played):
            pass
        if unit.game.status != "running":
            await queries.drop(unit.tx, game_id)
        return played

    async def _follow_one(self, unit: GameUnit, played: list[int]) -> bool:
        """Follow the plan of whoever did not make the last turn. Whether it has played anything."""
        game = unit.game
        last = game.entries[-1]
        seat = 1 - last.seat
        person = game.players[seat]
        plan = None if person is None else await queries.get(unit.tx, game.id, person)
        if person is None or plan is None:
            return False
        holds = plan.ply == game.ply - 1
        lines = [tuple(line[1:]) for line in plan.lines if holds and len(line) > 1 and line[0] == last.text]
        before = len(played)
        # A huff is a turn of its own: two of one side may follow each other.
        while lines and unit.game.status == "running" and unit.game.state.seat == seat:
            answer = lines[0][0]
            try:
                turn = await read_turn(unit.game.rules, unit.game.state, answer)
            except MoveError:
                lines = []
                break
            await unit.append("turn", seat, turn.text, turn, source=f"{unit.source}:{len(played) + 1}")
            played.append(unit.game.ply)
            lines = [line[1:] for line in lines if line[0] == answer and len(line) > 1]
        await queries.put(unit.tx, game.id, person, unit.game.ply, lines)
        return len(played) > before


def read_lines(game: Game, seat: int, text: str) -> tuple[Line, ...]:
    """The lines of a text, in canonical notation, read by the rules from the position that stands. ``seat`` is whose
    plan it is. Raises Refused."""
    written = [part for part in re.split(r"[;\n]", text) if part.strip()]
    if not written:
        raise Refused(_("Write lines of moves: your opponent's move, then your answer. Separate lines with `;`."), game)
    if len(written) > LINES:
        raise Refused(_("A plan has at most {most} lines.").format(most=LINES), game)
    lines = tuple(_read_line(game, seat, part, number) for number, part in enumerate(written, start=1))
    answers: dict[Line, str] = {}
    for number, line in enumerate(lines, start=1):
        state = game.state
        for at, move in enumerate(line):
            if state.seat == seat and answers.setdefault(line[:at], move) != move:
                template = _("Line {number}: after {moves}, another line answers {answer}.")
                after = " ".join(line[:at])
                raise Refused(template.format(number=number, moves=after, answer=answers[line[:at]]), game)
            state = game.rules.play(state, game.rules.read(state, move))
    return lines


def _read_line(game: Game, seat: int, part: str, number: int) -> Line:
    joined = re.sub(_HUFF, r"\1:\2", part.strip())
    # A comma, or a word such as "then", stands between two moves.
    split = [word for word in re.split(r"\s+|(,)", joined) if word]
    words = ["," if word.casefold() in _FILLING else word for word in split]
    state, line, own = game.state, [], 0
    while words:
        if words[0] == ",":
            del words[0]
            continue
        word = _first_move(game, state, words)
        del words[: word.count(" ") + 1]
        word = word.replace(":", " ") if re.fullmatch(_HUFF, word) else word
        if state.outcome is not None:
            raise Refused(
                _("Line {number}: the game is over before {move}.").format(number=number, move=echoed(word)), game
            )
        if not game.rules.quick(state):
            template = _("Line {number}: before {move} there are too many captures to plan for. End the line there.")
            raise Refused(template.format(number=number, move=echoed(word)), game)
        try:
            turn = game.rules.read(state, word)
        except MoveError as error:
            template = _("Line {number}, {move}: {reason}")
            if state.seat != seat and _is_own(game, state, seat, word):
                template = _(
                    "Line {number}, {move}: it is your opponent's turn there. A line begins with your opponent's move, "
                    "and your answer comes next."
                )
            raise Refused(
                template.format(number=number, move=echoed(word), reason=closed(error.message)), game
            ) from error
        own += state.seat == seat
        mover, state = state.seat, game.rules.play(state, turn)
        line.append(turn.text)
    if not line or mover != seat:
        template = _("Line {number} ends with your opponent's move: write your answer to it.")
        raise Refused(template.format(number=number), game)
    if own > DEEP:
        raise Refused(_("Line {number} has more than {most} moves of yours.").format(number=number, most=DEEP), game)
    return tuple(line)


def _first_move(game: Game, state: State, words: Sequence[str]) -> str:
    """The first of some words, with those behind it that belong to the same move: "c3 d4" is one, as far as it can be
    played."""
    places = list(itertools.takewhile(_PLACE.fullmatch, words[:_ROUTE]))
    if len(places) < 2 or state.outcome is not None or not game.rules.quick(state):
        return words[0]
    for many in range(len(places), 0, -1):
        with suppress(MoveError):
            game.rules.read(state, move := " ".join(places[:many]))
            return move
    return " ".join(places[:2])


def _is_own(game: Game, state: State, seat: int, word: str) -> bool:
    """Whether what is typed begins with a place on which ``seat`` has a piece."""
    board, pieces = game.rules.board, game.rules.pieces(state)
    places = [board.names[place] for place, piece in pieces.items() if piece.owner == seat]
    begins = re.split("[-x: ]", word.casefold())[0]
    return begins in {*places, *map(board.numbered, places)}


def shown(lines: Sequence[Line]) -> str:
    """Lines as people read them."""
    template = _("- if {move}, then {answers}")
    return "\n".join(template.format(move=line[0], answers=" ".join(line[1:])) for line in lines)
