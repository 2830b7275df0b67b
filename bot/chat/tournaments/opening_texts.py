"""What is said of the positions that games of a tournament begin from: its theme, its ballots."""

from __future__ import annotations

from bot.i18n import _
from bot.tournaments.formats.format import OpenGame
from bot.tournaments.model.openings import Opening, fingerprint
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament


def openings_text(tournament: StoredTournament) -> list[str]:
    """What games begin from, as it is announced; nothing where they begin as ever."""
    plan = tournament.settings
    if not plan.openings:
        return []
    if len(plan.openings) == 1:
        template = _("All games begin from `{opening}`.")
        lines = [template.format(opening=Opening.of(plan.openings[0]))]
    else:
        template = _("One of {count} openings is drawn by ballot, for each round or for every two games of a match.")
        lines = [template.format(count=len(plan.openings))]
    if tournament.format.has_bracket:
        lines.append(_("Matches are played in pairs of games, one with each colour; whoever leads after a pair wins."))
    elif plan.both == "in turn":
        lines.append(_("Opponents play two games, one with each colour, one after the other; they count as one."))
    elif plan.both:
        lines.append(_("Opponents play two games at once, one with each colour; they count as one."))
    return lines


def secret_text(tournament: StoredTournament) -> list[str]:
    """What the ballots follow from, as it can be checked; nothing where none are drawn."""
    return [_secret_text(tournament)] if len(tournament.settings.openings) > 1 else []


def _secret_text(tournament: StoredTournament) -> str:
    plan = tournament.settings
    if tournament.state.phase is not Phase.OVER:
        template = _("The draw follows from a secret that is revealed at the end. Its SHA-256 is `{fingerprint}`.")
        return template.format(fingerprint=fingerprint(plan))
    template = _(
        "The ballots' secret was `{secret}`: the first 16 digits of the SHA-256 of `{secret}:3`, modulo {count}, plus "
        "1, are the opening of round 3; of `{secret}:W1-1.2` that of the second two games of match W1-1."
    )
    return template.format(secret=plan.secret, count=len(plan.openings))


def ballot_text(tournament: StoredTournament, number: int) -> list[str]:
    """The opening that was drawn for a round, with its seed; nothing where none is drawn."""
    opening = tournament.format.opening_of(tournament.state, OpenGame(number, (0, 0)))
    if opening is None or not opening.number:
        return []
    template = _("Ballot {number} of {count}, by the seed `{seed}`: **{opening}**")
    count = len(tournament.settings.openings)
    return [template.format(number=opening.number, count=count, seed=opening.seed, opening=opening)]
