"""Why this opponent, why this colour, why the bye: what the pairing rules say, in sentences for players."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.i18n import _, listed_and, ngettext, pgettext
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.rounds_of_two import record_before
from bot.tournaments.model.state import Tournament
from bot.tournaments.pairing.record import Colour
from bot.tournaments.pairing.swiss.colour_allocation import allocated
from bot.tournaments.pairing.swiss.contenders import Contender, Float, Swiss, swiss_round
from bot.tournaments.pairing.swiss.matching import relaxation_of


def why_this_opponent(
    state: Tournament, round_number: int, number: int, sides: Sequence[str], call: Callable[[int], str] = str
) -> tuple[str, ...]:
    """Sentences on a player's pairing of a round; ``sides``: what the game calls whoever begins, and the other;
    ``call`` names players by their starting numbers.

    Raises TournamentError when the player is not paired in that round."""
    pairing = state.paired.get(round_number)
    if pairing is None:
        raise TournamentError(_("Round {round} is not paired yet.").format(round=round_number))
    game = next((game for game in pairing.games if number in game), None)
    if game is None and pairing.bye != number:
        refusal = _("{player} is not paired in round {round}.")
        raise TournamentError(refusal.format(player=call(number), round=round_number))
    if state.format.is_fixed:
        return (_("Everyone plays everyone: the Berger tables set the pairings and colours of each round."),)
    sentences = [_("The director paired this round by hand.")] if pairing.by_hand else []
    sentences += _what_was_open(state, round_number, set(game or (number,)), call)
    swiss = swiss_round(record_before(state, round_number))
    me = swiss.by_number()[number]
    if game is None:
        return (*sentences, *_why_the_bye(swiss, me, call), *(f"{relaxation_of(note)}" for note in pairing.notes))
    other = swiss.by_number()[game[0] if game[1] == number else game[1]]
    sentences += _why_the_score(swiss, me, other, call)
    sentences += _who_else(swiss, me, other, call)
    colour, rule = allocated(me.side, other.side, swiss.initial_colour)
    given = Colour.WHITE if game[0] == number else Colour.BLACK
    names = dict(zip(Colour, sides, strict=True))
    had = ", ".join(names[each] for each in me.side.colours) or pgettext("colours", "none")
    template = _("{player} has {colour} (colours so far: {past}): {rule}.")
    if given is not colour:
        template = _("{player} has {colour} (colours so far: {past}) by the director's hand.")
    sentences.append(template.format(player=call(number), colour=names[given], past=had, rule=_(rule)))
    return (*sentences, *(f"{relaxation_of(note)}" for note in pairing.notes if str(number) in note.split()))


def _what_was_open(state: Tournament, round_number: int, players: set[int], call: Callable[[int], str]) -> list[str]:
    """That games of these players, of rounds before, counted as draws: they have no result yet."""
    games = [(r, white, black) for r, white, black in state.unfinished if r < round_number and players & {white, black}]
    if not games:
        return []
    template = _("{player} against {other} (round {round})")
    shown = [template.format(player=call(white), other=call(black), round=r) for r, white, black in games]
    return [
        _("A game that is still being played counts as a draw for the pairing: {games}.").format(
            games=listed_and(shown)
        )
    ]


def _why_the_bye(swiss: Swiss, me: Contender, call: Callable[[int], str]) -> list[str]:
    sentences = [
        _(
            "The number of players is odd, so one has the bye. It goes to the lowest score group that "
            "leaves everyone else a pairing."
        )
    ]
    below = [each for each in swiss.contenders if each.score < me.score]
    had = [each for each in below if not each.may_have_bye]
    if had:
        template = _("{players} have fewer points, but have already had a bye or a free point.")
        sentences.append(template.format(players=_listed(had, call)))
    if len(had) < len(below):
        sentences.append(_("The others with fewer points are needed so that everyone can be paired."))
    return sentences


def _why_the_score(swiss: Swiss, me: Contender, other: Contender, call: Callable[[int], str]) -> list[str]:
    group = [each for each in swiss.contenders if each.score == me.score]
    mine, theirs = (_points(each) for each in (me, other))
    if me.score == other.score:
        template = _("Both have {points}: their score group has {count} players.")
        return [template.format(points=mine, count=len(group))]
    down = me.score > other.score
    higher = me if down else other
    odd = sum(each.score == higher.score for each in swiss.contenders) % 2 == 1
    template = _("{one} has {points}, {other} has {others}.")
    sentences = [template.format(one=call(me.number), points=mine, other=call(other.number), others=theirs)]
    template = _("{player} was moved down from the group of {points}: that group has an odd number of players.")
    if not odd:
        template = _(
            "{player} was moved down from the group of {points}: not everybody of that group could be paired within it."
        )
    sentences.append(template.format(player=call(higher.number), points=_points(higher)))
    if (Float.DOWN if down else Float.UP) in me.floats[-2:]:
        template = _(
            "{player} had already floated the same way in one of the last two rounds; nothing better was possible."
        )
        sentences.append(template.format(player=call(me.number)))
    return sentences


def _who_else(swiss: Swiss, me: Contender, other: Contender, call: Callable[[int], str]) -> list[str]:
    """Those of the same score whom the player could not meet."""
    group = [
        each for each in swiss.contenders if each.score == me.score and each.number not in (me.number, other.number)
    ]
    met = [each for each in group if each.number in me.met]
    clash = [each for each in group if each not in met and swiss.colours_clash(me, each)]
    banned = [each for each in group if frozenset((me.number, each.number)) in swiss.forbidden]
    sentences = []
    if met:
        template = ngettext(
            "{player} has already met {others}, who has the same score.",
            "{player} has already met {others}, who have the same score.",
            len(met),
        )
        sentences.append(template.format(player=call(me.number), others=_listed(met, call)))
    if clash:
        sentences.append(_("{players} must have the same colour.").format(players=_listed(clash, call)))
    if banned:
        template = _("The director does not let {player} meet {others}.")
        sentences.append(template.format(player=call(me.number), others=_listed(banned, call)))
    return sentences


def _listed(people: list[Contender], call: Callable[[int], str]) -> str:
    return listed_and([call(each.number) for each in people])


def _points(contender: Contender) -> str:
    score = contender.score
    whole, half = divmod(score, 1)
    text = f"{whole}½" if half * 2 == 1 and whole else "½" if half else str(whole)
    return ngettext("{points} point", "{points} points", 1 if 0 < score <= 1 else 2).format(points=text)
