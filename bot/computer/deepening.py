"""Alpha-beta over the kernel's integers, in a form that runs as it is and that numba compiles as well.

A position is seen from its mover: own men and kings, foreign men and kings, ``score`` the sum of worth, own less
foreign. ``reversible``: plies since a capture or a man's move. ``past``: a digest of the positions since then, 0 where
no draw can depend on them.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.computer.kernel import KING_AFTER, can_step, captures, hunters, quiets
from bot.computer.tables import Ints, Tables

WIN = 100_000
"""The worth of a won game, less one for each ply until it is won."""
FAR = 2 * WIN
WON = WIN - 1000
"""Scores from here on are wins."""

PLIES = 160
MOVES = 512
"""Room for the moves of one position."""

NODES, LIMIT, STOP, REDUCE, EXTRA = 0, 1, 2, 3, 4
"""Entries of ``info``. REDUCE: whether late moves are searched less deep (then a search is no plain minimax); EXTRA:
how many keys of the game's own past stand before those of the search."""

_LOWER, _EXACT, _UPPER = 1, 2, 3
_MOVE = (1 << 18) - 1
_PAST = (1 << 60) - 1


class Work(NamedTuple):
    """Room that one search writes in. ``table_key``, ``table_past``, ``table_info``: the transposition table,
    its length a power of two; empty (length 0) to search without one."""

    info: Ints
    moves: Ints
    taken: Ints
    ranks: Ints
    killers: Ints
    history: Ints
    line: Ints
    line_taken: Ints
    line_length: Ints
    trail: Ints
    table_key: Ints
    table_past: Ints
    table_info: Ints


def negamax(
    t: Tables,
    w: Work,
    side: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    key: int,
    score: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    reversible: int,
    past: int,
) -> int:
    """The worth of a position to its mover after ``depth`` more plies and all captures that follow; 0 once stopped."""
    info = w.info
    info[NODES] += 1
    w.line_length[ply] = ply
    if info[NODES] > info[LIMIT] or info[STOP]:
        info[STOP] = 1
        return 0
    able = hunters(t, side, men, kings, foe_men, foe_kings)
    here = info[EXTRA] + ply
    if (reversible or not men | foe_men) and drawn(
        t, w, side, men, kings, foe_men, foe_kings, key, able, here, reversible
    ):
        return 0
    if (depth <= 0 and not able) or ply >= PLIES - 2:
        return score if able or can_step(t, side, men, kings, men | kings | foe_men | foe_kings) else ply - WIN
    w.trail[here] = key
    # A position can come back no sooner than four plies on: with fewer behind and before, the past is no matter.
    digest = past if reversible + depth >= 4 else 0
    slot = -1
    hint = 0
    if depth > 0 and len(w.table_key) > 0:
        slot = key & (len(w.table_key) - 1)
        if w.table_key[slot] == key:
            entry = w.table_info[slot]
            hint = entry & _MOVE
            if entry >> 20 & 255 == depth and w.table_past[slot] == digest:
                value = (entry >> 28) - 4 * FAR
                if value > WON:
                    value -= ply
                elif value < -WON:
                    value += ply
                bound = entry >> 18 & 3
                if bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha):
                    return value
    at = ply * MOVES
    moves, taken = w.moves, w.taken
    if able:
        top = captures(t, side, men, kings, foe_men, foe_kings, able, moves, taken, w.ranks, at)
    else:
        top = quiets(t, side, men, kings, men | kings | foe_men | foe_kings, moves, at)
    if top == at:
        return ply - WIN
    if top > at + 1 and depth > 0:
        arrange(t, w, side, at, top, ply, depth, hint, able != 0)
    size = t.size
    own = 2 * side * size
    other = 2 * size - own
    following = 0
    if t.repetition or t.quiet_limit or len(t.endings) > 0:
        following = (past * 3 + key) & _PAST
    best = -FAR
    best_move = 0
    floor = alpha
    for i in range(at, top):
        move = moves[i]
        start = move & 255
        end = move >> 8 & 255
        kind = own + (move >> 17) * size
        becomes = own + (move >> 16 & 1) * size
        next_key = key ^ t.keys[kind + start] ^ t.keys[becomes + end] ^ t.side_key
        next_score = score - t.worth[kind + start] + t.worth[becomes + end]
        next_men = men
        next_kings = kings
        if kind == own:
            next_men = men & ~(1 << start)
        else:
            next_kings = kings & ~(1 << start)
        if move & KING_AFTER:
            next_kings = next_kings | 1 << end
        else:
            next_men = next_men | 1 << end
        deeper = depth - 1
        next_foe_men = foe_men
        next_foe_kings = foe_kings
        next_reversible = 0
        next_past = 0
        if able:
            prey = taken[i]
            next_foe_men = foe_men & ~prey
            next_foe_kings = foe_kings & ~prey
            gone = prey & foe_men
            while gone:
                bit = gone & -gone
                gone ^= bit
                square = other + bit.bit_length() - 1
                next_key ^= t.keys[square]
                next_score += t.worth[square]
            gone = prey & foe_kings
            while gone:
                bit = gone & -gone
                gone ^= bit
                square = other + size + bit.bit_length() - 1
                next_key ^= t.keys[square]
                next_score += t.worth[square]
        elif kind != own:
            next_reversible = reversible + 1
            next_past = following
        if i == at:
            value = -negamax(
                t, w, 1 - side, next_foe_men, next_foe_kings, next_men, next_kings, next_key, -next_score, deeper,
                -beta, -alpha, ply + 1, next_reversible, next_past,
            )  # fmt: skip
        else:
            less = 0
            if info[REDUCE] and depth >= 3 and not able and i >= at + 3 and not move & KING_AFTER:
                less = 1 if i < at + 8 else 2
            value = -negamax(
                t, w, 1 - side, next_foe_men, next_foe_kings, next_men, next_kings, next_key, -next_score,
                deeper - less, -alpha - 1, -alpha, ply + 1, next_reversible, next_past,
            )  # fmt: skip
            if value > alpha and (less or value < beta):
                value = -negamax(
                    t, w, 1 - side, next_foe_men, next_foe_kings, next_men, next_kings, next_key, -next_score, deeper,
                    -beta, -alpha, ply + 1, next_reversible, next_past,
                )  # fmt: skip
        if info[STOP]:
            return 0
        if value > best:
            best = value
            best_move = move
            if value > alpha:
                alpha = value
                keep_line(w, ply, move, taken[i] if able else 0)
                if value >= beta:
                    if not able:
                        if w.killers[2 * ply] != move:
                            w.killers[2 * ply + 1] = w.killers[2 * ply]
                            w.killers[2 * ply] = move
                        w.history[(side * size + start) * size + end] += depth * depth
                    break
    if slot >= 0:
        bound = _EXACT
        if best >= beta:
            bound = _LOWER
        elif best <= floor:
            bound = _UPPER
        value = best
        if value > WON:
            value += ply
        elif value < -WON:
            value -= ply
        w.table_key[slot] = key
        w.table_past[slot] = digest
        w.table_info[slot] = best_move | bound << 18 | depth << 20 | (value + 4 * FAR) << 28
    return best


def drawn(
    t: Tables,
    w: Work,
    side: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    key: int,
    able: int,
    here: int,
    reversible: int,
) -> bool:
    """Whether a position that can be played on is a draw: it came before, or a count has run out."""
    if reversible >= 4 and t.repetition:
        for back in range(4, reversible + 1, 2):
            if back > here:
                break
            if w.trail[here - back] == key:
                return True
    over = t.quiet_limit > 0 and reversible >= t.quiet_limit
    if not over and not men | foe_men and len(t.endings) > 0:
        own, foreign = kings.bit_count(), foe_kings.bit_count()
        strong, weak = max(own, foreign), min(own, foreign)
        for g in range(0, len(t.endings), 5):
            if t.endings[g] == strong and t.endings[g + 1] == weak:
                # The mover has made every other of these plies, the last one was the other side's.
                moved = reversible // 2
                if t.endings[g + 3]:
                    lone_moves_next = own < foreign or (own == foreign and side == 0)
                    moved = reversible // 2 if lone_moves_next else (reversible + 1) // 2
                over = moved >= t.endings[g + 2] and not (t.endings[g + 4] and able)
                break
    return over and (able != 0 or can_step(t, side, men, kings, men | kings | foe_men | foe_kings))


def arrange(t: Tables, w: Work, side: int, at: int, top: int, ply: int, depth: int, hint: int, capturing: bool) -> None:
    """Put the moves that promise most first: the table's, the killers, then those that cut most often."""
    moves, taken, ranks = w.moves, w.taken, w.ranks
    first, second = w.killers[2 * ply], w.killers[2 * ply + 1]
    if depth < 2 or capturing:
        for i in range(at, top):
            if moves[i] == hint or (not hint and not capturing and moves[i] == first):
                moves[at], moves[i] = moves[i], moves[at]
                if capturing:
                    taken[at], taken[i] = taken[i], taken[at]
                break
        return
    size = t.size
    for i in range(at, top):
        move = moves[i]
        if move == hint:
            rank = 1 << 50
        elif move == first:
            rank = 1 << 49
        elif move == second:
            rank = 1 << 48
        else:
            rank = w.history[(side * size + (move & 255)) * size + (move >> 8 & 255)]
        j = i
        while j > at and ranks[j - 1] < rank:
            moves[j], ranks[j] = moves[j - 1], ranks[j - 1]
            j -= 1
        moves[j], ranks[j] = move, rank


def keep_line(w: Work, ply: int, move: int, prey: int) -> None:
    """The best line from here: this move and the line found below it."""
    row, below = ply * PLIES, (ply + 1) * PLIES
    w.line[row + ply], w.line_taken[row + ply] = move, prey
    for i in range(ply + 1, w.line_length[ply + 1]):
        w.line[row + i], w.line_taken[row + i] = w.line[below + i], w.line_taken[below + i]
    w.line_length[ply] = w.line_length[ply + 1]
