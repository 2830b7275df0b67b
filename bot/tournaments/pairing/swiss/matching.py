"""Pairing a round as a matching: whether a legal pairing is left, and the best one when none is.

Weights are exact integers: each wish has its own digits, so that no number of lesser wishes outweighs a greater one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.i18n import N_, _, phrase, recognised
from bot.tournaments.errors import NoPairing
from bot.tournaments.pairing.swiss.contenders import Contender, Float, RoundPairing, Swiss

SYSTEM = "closest scores (matching)"
# A matching computes in 128 bits and doubles what it is given.
_BITS = 124

# What is given up where no legal pairing is left: kept in English, said to each in its own language.
_NO_PAIRING: Final = N_("No legal pairing is left.")
_FORBIDDEN: Final = N_("{one} and {other} meet, although they should not.")
_AGAIN: Final = N_("{one} and {other} meet again.")
_COLOURS: Final = N_("{one} and {other} are both due the same colour.")
_BYE: Final = N_("{one} has a bye again.")


def best_matching(count: int, cost: Callable[[int, int], int | None]) -> dict[int, int] | None:
    """The partner of each of ``count`` places at the least sum of costs; None when not all can be matched.

    ``cost(i, j)`` with i < j: an integer from 0, below 2 to the 124 less the bits of ``count``; None: never."""
    # A bot in which nobody pairs has no need of it.
    import rustworkx

    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(list(range(count)))
    edges = [(i, j, price) for i in range(count) for j in range(i + 1, count) if (price := cost(i, j)) is not None]
    if not edges:
        return {} if count == 0 else None
    most = max(price for _, _, price in edges)
    if most.bit_length() + count.bit_length() > _BITS:
        raise ValueError(f"costs of {most.bit_length()} bits are too long for {count} places")
    graph.add_edges_from([(i, j, most + 1 - price) for i, j, price in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int, default_weight=0)
    partners = {i: j for pair in matched for i, j in (pair, pair[::-1])}
    return partners if len(partners) == count else None


def legal_pairing_exists(swiss: Swiss) -> bool:
    """Whether all can be paired (one with the bye if they are odd) without breaking an absolute criterion."""
    contenders = swiss.contenders

    def cost(i: int, j: int) -> int | None:
        if j == len(contenders):
            return 0 if contenders[i].may_have_bye else None
        return 0 if swiss.may_meet(contenders[i], contenders[j]) else None

    return best_matching(_places(swiss), cost) is not None


def pair_by_matching(swiss: Swiss, meetings: Callable[[int, int], int]) -> RoundPairing:
    """Pair although something must be given up; ``meetings``: how often two have played each other.

    Given up last to first: forbidden pairs, rematches, a second bye, colour limits; then near scores, the bye to the
    lowest, floats and colours. Raises NoPairing when nobody is there to be paired."""
    contenders = swiss.contenders
    if not contenders:
        raise NoPairing(_("There is nobody to pair."))
    count = len(contenders)
    half_win = swiss.points_of_win / 2 or 1
    steps = [int(contender.score / half_win) for contender in contenders]
    lowest = min(steps)
    groups = _groups(contenders)

    def cost(i: int, j: int) -> int:
        one = contenders[i]
        if j == count:
            below = steps[i] - lowest
            # The last of a score group, and of the lowest group, has the bye.
            return _digits((0, 0, one.byes, 0, below * below, 0, 0, count - 1 - i))
        other = contenders[j]
        gap = steps[i] - steps[j]
        same_colour = one.due.colour is not None and one.due.colour is other.due.colour
        return _digits(
            (
                frozenset((one.number, other.number)) in swiss.forbidden,
                meetings(one.number, other.number),
                0,
                swiss.colours_clash(one, other),
                gap * gap,
                _repeated_floats(one, other),
                same_colour,
                0 if gap else abs(j - i - groups[i] // 2),
            )
        )

    partners = best_matching(_places(swiss), cost)
    if partners is None:
        raise NoPairing(_("The round cannot be paired."))
    bye = next((contenders[i].number for i, j in partners.items() if j == count), None)
    pairs = [(i, j) for i, j in partners.items() if i < j < count]
    given_up = _given_up(swiss, pairs, bye, meetings)
    if given_up:
        given_up.insert(0, phrase(_NO_PAIRING))
    numbers = [(contenders[i].number, contenders[j].number) for i, j in pairs]
    return swiss.on_boards(numbers, bye, SYSTEM, tuple(given_up))


def _places(swiss: Swiss) -> int:
    return len(swiss.contenders) + len(swiss.contenders) % 2


# Digits of a cost, the greatest wish first: how many bits each has for the worst single pair. 512 players fit.
_WIDTHS = (10, 14, 14, 10, 22, 12, 10, 18)


def _digits(values: Sequence[int]) -> int:
    total = 0
    for value, width in zip(values, _WIDTHS, strict=True):
        total = (total << width) | min(value, (1 << (width - 9)) - 1)
    return total


def _groups(contenders: Sequence[Contender]) -> list[int]:
    """The size of each contender's score group."""
    sizes: dict[object, int] = {}
    for contender in contenders:
        sizes[contender.score] = sizes.get(contender.score, 0) + 1
    return [sizes[contender.score] for contender in contenders]


def _repeated_floats(higher: Contender, lower: Contender) -> int:
    if higher.score == lower.score:
        return 0
    recent = slice(-2, None)
    return (Float.DOWN in higher.floats[recent]) + (Float.UP in lower.floats[recent])


def _given_up(
    swiss: Swiss, pairs: Sequence[tuple[int, int]], bye: int | None, meetings: Callable[[int, int], int]
) -> list[str]:
    known = swiss.by_number()
    given_up: list[str] = []
    for i, j in sorted(pairs):
        one, other = swiss.contenders[i], swiss.contenders[j]
        if frozenset((one.number, other.number)) in swiss.forbidden:
            given_up.append(phrase(_FORBIDDEN, one=one.number, other=other.number))
        if meetings(one.number, other.number):
            given_up.append(phrase(_AGAIN, one=one.number, other=other.number))
        if swiss.colours_clash(one, other):
            given_up.append(phrase(_COLOURS, one=one.number, other=other.number))
    if bye is not None and known[bye].byes:
        given_up.append(phrase(_BYE, one=bye))
    return given_up


def relaxation_of(text: str) -> str:
    """The relaxation that an English text stands for, so that it can be said in other languages."""
    return recognised(text, _FORBIDDEN, _AGAIN, _COLOURS, _BYE)
