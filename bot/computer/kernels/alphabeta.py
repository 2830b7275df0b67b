"""Alpha-beta over the kernel's integers, in a form that runs as it is and that numba compiles as well.

A position is seen from its mover: own men and kings, foreign men and kings, ``score`` the sum of worth, own less
foreign. ``reversible``: plies since a capture or a man's move. ``past``: a digest of the positions that may return, 0
where no draw can depend on them.
"""

from __future__ import annotations

from bot.computer.kernels.endgame_index import probe
from bot.computer.kernels.learned_worth import evaluated
from bot.computer.kernels.lookup_tables import FIRST_KING, LOSE_ALL, MEN_TOO, ONE_LEFT, LookupTables
from bot.computer.kernels.move_counts import DRAWN, GOES_ON, OWN_WON, counted_out, counts_of, marked, standing, stood_on
from bot.computer.kernels.movegen import (
    KING_AFTER,
    KING_BEFORE,
    MOVES,
    PLIES,
    SPAN,
    can_step,
    capturers,
    captures,
    quiets,
)
from bot.computer.kernels.outcome_blocks import BY_MOVES, SURE, outcome, sure
from bot.computer.kernels.outcome_solver import DRAW, LOSS
from bot.computer.kernels.pruning import NEAR, UNSETTLED, settled_by_worth
from bot.computer.kernels.search_room import (
    EXTRA,
    FAR,
    HISTORY,
    KILLERS,
    LENGTHS,
    LIMIT,
    LINE,
    LINE_TAKEN,
    LISTS,
    NODES,
    PLIES_MADE,
    PLIES_STOOD,
    REDUCE,
    RUNS,
    STOP,
    WIN,
    WON,
    Work,
    fetch,
)

_LOWER, _EXACT, _UPPER = 1, 2, 3
_MOVE = (1 << 18) - 1
_PAST = (1 << 60) - 1


def negamax(
    t: LookupTables,
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
    data, room = t.data, w.room
    count = room[NODES] + 1
    room[NODES] = count
    room[LENGTHS + ply] = ply
    if count > room[LIMIT]:
        room[STOP] = 1
        return 0
    if t.wins == FIRST_KING and foe_kings:
        return ply - WIN
    if t.wins == ONE_LEFT:
        if (men | kings).bit_count() < 2:
            return ply - WIN
        if (foe_men | foe_kings).bit_count() < 2:
            return WIN - ply
    mark = key
    movable = kings
    run = 0
    other = 0
    if t.run:
        run = room[RUNS + ply]
        if not men or not kings >> (run >> 8) & 1:
            run = 0
        other = room[RUNS + ply + 1]
        if not foe_men or not foe_kings >> (other >> 8) & 1:
            other = 0
        mark = key ^ marked(run, other)
        if run & 255 >= t.run:
            movable = kings & ~(1 << (run >> 8))
    occupied = men | kings | foe_men | foe_kings
    made = reversible
    stood = 0
    stands = 0
    slot_mark = mark
    if t.tracked and occupied.bit_count() <= t.counted:
        made = room[PLIES_MADE + ply]
        stood = room[PLIES_STOOD + ply]
        stands = standing(t, men, kings, foe_men, foe_kings)
        slot_mark = mark ^ marked(made, stood)
    slot = 2 * (slot_mark & (w.slots - 1)) if depth > 0 and w.slots > 0 else -1
    if t.compiled and slot >= 0:
        fetch(w.table, slot)
    able = capturers(t, side, men, kings, foe_men, foe_kings)
    if reversible or t.repetition == MEN_TOO or occupied.bit_count() <= t.counted:
        over = settled(t, w, side, men, kings, foe_men, foe_kings, mark, able, ply, reversible, made, stood)
        if over < FAR and (able or can_step(t, side, men, movable, occupied)):
            return over
    if t.most and occupied.bit_count() <= t.most:
        byte = probe(t, w.ends, side, men, kings, foe_men, foe_kings, counts_of(made, stood, run, other))
        if byte == 0:
            return 0
        plies = byte - 1
        if t.wins == LOSE_ALL:
            plies = byte - 2
        # A win that quiet moves would make a draw before it is there is for the search to find out.
        if byte > 0 and (t.quiet_limit == 0 or reversible + plies <= t.quiet_limit):
            return plies + ply - WIN if byte & 1 else WIN - ply - plies
    won = 0
    told = 0
    if t.outcomes and not able and t.most < occupied.bit_count() <= t.outcomes:
        told = outcome(t, w.packed, side, men, kings, foe_men, foe_kings)
        if told == DRAW:
            return 0
        # Quiet moves may make a draw of what is won without them. What is won as it stands is looked at further where
        # it matters how.
        if told > DRAW and t.quiet_limit == 0:
            won = -1 if told == LOSS else 1
            if (won > 0 and beta <= SURE) or (won < 0 and alpha >= -SURE):
                return won * SURE
    # What the tables leave out they say one ply on.
    if (depth <= 0 and not able and told != BY_MOVES) or ply >= PLIES - 2:
        if able or can_step(t, side, men, movable, occupied):
            score = evaluated(t, w, side, men, kings, foe_men, foe_kings, key, score)
            return sure(won, score) if won else score
        return WIN - ply if t.wins == LOSE_ALL else ply - WIN
    room[w.trail + ply] = mark
    # A position can come back no sooner than four plies on. A selective search sees more without its past.
    digest = past if (reversible + depth >= 4 or t.repetition == MEN_TOO) and not room[REDUCE] else 0
    hint = 0
    if slot >= 0 and w.table[slot] == slot_mark ^ digest:
        entry = w.table[slot + 1]
        hint = entry & _MOVE
        deep = entry >> 20 & 255
        # What is known from a greater depth is better still, but no minimax of this one.
        if deep == depth or (deep > depth and room[REDUCE]):
            value = (entry >> 28) - 4 * FAR
            if value > WON:
                value -= ply
            elif value < -WON:
                value += ply
            bound = entry >> 18 & 3
            if bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha):
                return value
    if 0 < depth <= NEAR and beta == alpha + 1 and room[REDUCE] and not able and not won and told != BY_MOVES:
        value = settled_by_worth(t, w, side, men, kings, foe_men, foe_kings, key, movable, score, depth, alpha)
        if value < UNSETTLED:
            return value
    early = t.compiled and depth > 1 and slot >= 0
    if early and hint and not able:
        fetch_after(t, w, side, key, hint)
    at = LISTS + ply * MOVES
    if able:
        top = captures(t, side, men, kings, foe_men, foe_kings, able, room, at)
    else:
        top = quiets(t, side, men, movable, occupied, room, at)
    if top == at:
        room[STOP] |= room[-1]
        return WIN - ply if t.wins == LOSE_ALL else ply - WIN
    if top > at + 1 and depth > 0:
        arrange(t, w, side, at, top, ply, depth, hint, able != 0)
    if early and not able and room[at] != hint:
        fetch_after(t, w, side, key, room[at])
    size = t.size
    # Where the worth of an own man begins and that of a foreign one, and likewise the keys.
    worth, other_worth = t.worth + 2 * side * size, t.worth + 2 * (1 - side) * size
    keys, other_keys = t.keys + 2 * side * size, t.keys + 2 * (1 - side) * size
    following = 0
    if t.repetition or t.quiet_limit or t.endings_end > t.endings:
        following = (past * 3 + mark) & _PAST
    reduces = room[REDUCE] and depth >= 3 and not able
    best = -FAR
    best_move = 0
    floor = alpha
    for i in range(at, top):
        move = room[i]
        start = move & 255
        end = move >> 8 & 255
        if move < KING_AFTER:
            next_men = men & ~(1 << start) | 1 << end
            next_kings = kings
            next_key = key ^ data[keys + start] ^ data[keys + end] ^ t.side_key
            next_score = score - data[worth + start] + data[worth + end]
        elif move < KING_BEFORE:
            next_men = men & ~(1 << start)
            next_kings = kings | 1 << end
            next_key = key ^ data[keys + start] ^ data[keys + size + end] ^ t.side_key
            next_score = score - data[worth + start] + data[worth + size + end]
        else:
            next_men = men
            next_kings = kings & ~(1 << start) | 1 << end
            next_key = key ^ data[keys + size + start] ^ data[keys + size + end] ^ t.side_key
            next_score = score - data[worth + size + start] + data[worth + size + end]
        if early and not able and i + 1 < top:
            fetch_after(t, w, side, key, room[i + 1])
        deeper = depth if top == at + 1 and depth > 0 and room[REDUCE] else depth - 1
        next_foe_men = foe_men
        next_foe_kings = foe_kings
        next_reversible = 0
        next_past = 0
        if able:
            prey = room[i + SPAN]
            next_foe_men = foe_men & ~prey
            next_foe_kings = foe_kings & ~prey
            gone = prey & foe_men
            while gone:
                bit = gone & -gone
                gone ^= bit
                taken = bit.bit_length() - 1
                next_key ^= data[other_keys + taken]
                next_score += data[other_worth + taken]
            gone = prey & foe_kings
            while gone:
                bit = gone & -gone
                gone ^= bit
                taken = bit.bit_length() - 1
                next_key ^= data[other_keys + size + taken]
                next_score += data[other_worth + size + taken]
        elif move >= KING_BEFORE or t.repetition == MEN_TOO:
            next_reversible = reversible + 1 if move >= KING_BEFORE else 0
            next_past = following
        if t.run:
            room[RUNS + ply + 2] = 0
            if men and not able and move >= KING_BEFORE:
                room[RUNS + ply + 2] = end << 8 | ((run & 255) + 1 if run and run >> 8 == start else 1)
        if t.tracked:
            next_made = 0
            if not able and move & (KING_AFTER | KING_BEFORE) != KING_AFTER:
                next_made = room[PLIES_MADE + ply] + 1
            room[PLIES_MADE + ply + 1] = next_made
            now = 0
            if stands:
                now = standing(t, next_foe_men, next_foe_kings, next_men, next_kings)
            room[PLIES_STOOD + ply + 1] = stood_on(t, stands, stood, now, next_made)
        if early and able:
            fetch(w.table, 2 * (next_key & (w.slots - 1)))
        if i == at:
            value = -negamax(
                t, w, 1 - side, next_foe_men, next_foe_kings, next_men, next_kings, next_key, -next_score, deeper,
                -beta, -alpha, ply + 1, next_reversible, next_past,
            )  # fmt: skip
        else:
            less = 0
            if reduces and i >= at + 2 and not move & KING_AFTER:
                less = 1 if i < at + 5 else 2
            value = -negamax(
                t, w, 1 - side, next_foe_men, next_foe_kings, next_men, next_kings, next_key, -next_score,
                deeper - less, -alpha - 1, -alpha, ply + 1, next_reversible, next_past,
            )  # fmt: skip
            if value > alpha and (less or value < beta):
                value = -negamax(
                    t, w, 1 - side, next_foe_men, next_foe_kings, next_men, next_kings, next_key, -next_score, deeper,
                    -beta, -alpha, ply + 1, next_reversible, next_past,
                )  # fmt: skip
        if room[STOP]:
            return 0
        if value > best:
            best = value
            best_move = move
            if value > alpha:
                alpha = value
                if value < beta:
                    keep_line(w, ply, move, room[i + SPAN] if able else 0)
                else:
                    if not able:
                        if room[KILLERS + 2 * ply] != move:
                            room[KILLERS + 2 * ply + 1] = room[KILLERS + 2 * ply]
                            room[KILLERS + 2 * ply] = move
                        room[HISTORY + (side * size + start) * size + end] += depth * depth
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
        w.table[slot] = slot_mark ^ digest
        w.table[slot + 1] = best_move | bound << 18 | depth << 20 | (value + 4 * FAR) << 28
    return best


def fetch_after(t: LookupTables, w: Work, side: int, key: int, move: int) -> None:
    """Ask early for what is known of the position after a move without a capture."""
    data = t.data
    keys = t.keys + 2 * side * t.size
    before = t.size if move >= KING_BEFORE else 0
    after = t.size if move & KING_AFTER else 0
    key ^= data[keys + before + (move & 255)] ^ data[keys + after + (move >> 8 & 255)] ^ t.side_key
    fetch(w.table, 2 * (key & (w.slots - 1)))


def settled(
    t: LookupTables,
    w: Work,
    side: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    mark: int,
    able: int,
    ply: int,
    reversible: int,
    made: int,
    stood: int,
) -> int:
    """The worth of a position where a side that can move is no longer asked to: it came before, or a count has run out;
    FAR where the game goes on. ``made`` and ``stood``: see move_counts."""
    room = w.room
    if t.repetition:
        for back in range(4, min(reversible if t.repetition < MEN_TOO else FAR, room[EXTRA] + ply) + 1, 2):
            if room[w.trail + ply - back] == mark:
                return 0
    if (men | kings | foe_men | foe_kings).bit_count() <= t.counted:
        over = counted_out(t, side, men, kings, foe_men, foe_kings, able, made, stood)
        if over == DRAWN:
            return 0
        if over != GOES_ON:
            return WIN - ply if over == OWN_WON else ply - WIN
    if t.quiet_limit > 0 and reversible >= t.quiet_limit:
        return 0
    return FAR


def arrange(
    t: LookupTables, w: Work, side: int, at: int, top: int, ply: int, depth: int, hint: int, capturing: bool
) -> None:
    """Put the moves that promise most first: the table's, the killers, then those that cut most often."""
    room = w.room
    first, second = room[KILLERS + 2 * ply], room[KILLERS + 2 * ply + 1]
    if depth < 2 or capturing:
        wanted = hint
        if not hint and not capturing:
            wanted = first
        if not wanted:
            return
        for i in range(at, top):
            if room[i] == wanted:
                room[at], room[i] = room[i], room[at]
                if capturing:
                    room[at + SPAN], room[i + SPAN] = room[i + SPAN], room[at + SPAN]
                break
        return
    size = t.size
    for i in range(at, top):
        move = room[i]
        if move == hint:
            rank = 1 << 50
        elif move == first:
            rank = 1 << 49
        elif move == second:
            rank = 1 << 48
        else:
            rank = room[HISTORY + (side * size + (move & 255)) * size + (move >> 8 & 255)]
        j = i
        while j > at and room[j - 1 + SPAN] < rank:
            room[j], room[j + SPAN] = room[j - 1], room[j - 1 + SPAN]
            j -= 1
        room[j], room[j + SPAN] = move, rank


def keep_line(w: Work, ply: int, move: int, prey: int) -> None:
    """The best line from here: this move and the line found below it."""
    room = w.room
    row, below = ply * PLIES, (ply + 1) * PLIES
    room[LINE + row + ply], room[LINE_TAKEN + row + ply] = move, prey
    for i in range(ply + 1, room[LENGTHS + ply + 1]):
        room[LINE + row + i], room[LINE_TAKEN + row + i] = room[LINE + below + i], room[LINE_TAKEN + below + i]
    room[LENGTHS + ply] = room[LENGTHS + ply + 1]
