"""What players do with `/tournament`: join, leave, sit a round out. Buttons under the announcement do the first two."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.chat.components import MOST_CHOICES, Press
from bot.chat.responses import reply_privately
from bot.chat.services import services_of
from bot.chat.tournaments.buttons import leave as press_leave
from bot.chat.tournaments.group import (
    GROUP,
    WHICH,
    Round,
    TournamentOption,
    asked,
    channel_of_posts,
    chosen_tournament,
    listed,
    number_of,
    quiet_hours_lines,
    roles_of,
)
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.model.events import ByeAsked
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament


@GROUP.command(name="join", description="Enter a tournament, or come back to it")
@app_commands.describe(tournament=WHICH)
async def join(interaction: Press, tournament: TournamentOption | None = None) -> None:
    tournaments, meant, (number, me, source) = await asked(interaction, tournament)
    meant = await tournaments.registration.join(number, me, source, *roles_of(interaction.user))
    text = _("You are in **{event}**.")
    if me in meant.state.waiting:
        text = _("You are on the waiting list of **{event}**.")
    quiet = await quiet_hours_lines(meant, me, services_of(interaction))
    await reply_privately(interaction, " ".join([text.format(event=meant.name), *quiet]))


@GROUP.command(name="leave", description="Leave a tournament")
@app_commands.describe(tournament=WHICH)
async def leave(interaction: Press, tournament: TournamentOption | None = None) -> None:
    number = await _entered(interaction) if tournament is None else tournament
    await press_leave(interaction, await chosen_tournament(interaction, number))


async def _entered(interaction: Press) -> int | None:
    """Which tournament whoever names none wants to leave: the channel's newest if they are in it, else the only one of
    the server. None: they are in none. Raises Refused where they are in several others."""
    tournaments, me = services_of(interaction).tournaments, interaction.user.id
    rows = [row for row in await listed(interaction, MOST_CHOICES) if not row.is_over]
    meant = [each for row in rows if _is_in(each := await tournaments.load(row.id), me)]
    here = [each for each in meant if each.channel_id == channel_of_posts(interaction)]
    if len(here or meant) > 1:
        names = ", ".join(f"**{each.name}**" for each in here or meant)
        raise Refused(_("You are in several tournaments: {names}. Choose one with `tournament:`.").format(names=names))
    return (here or meant)[0].id if meant else None


def _is_in(tournament: StoredTournament, person: int) -> bool:
    known = tournament.state.by_person.get(person)
    is_in = person in tournament.state.waiting or (known is not None and not known.is_gone)
    # Whoever another plays on for may still lose games of their own.
    return is_in or tournament.loses_by_leaving(person)


@GROUP.command(name="bye", description="Sit out a round that is not paired yet")
@app_commands.describe(round="The round", worth="What it counts as", tournament=WHICH)
async def bye(
    interaction: Press,
    round: Round,
    worth: Literal["half a point", "nothing"] = "half a point",
    tournament: TournamentOption | None = None,
) -> None:
    tournaments, meant, asker = await asked(interaction, tournament)
    half = worth == "half a point" and Mark.HALF_BYE in meant.format.byes
    me = interaction.user.id
    if me not in meant.state.by_person or (meant.state.phase is not Phase.ENTRIES and me in meant.state.waiting):
        raise Refused(_("You are not playing in this tournament."), event=meant.name)
    if meant.format.byes and meant.state.phase is Phase.ENTRIES:
        raise Refused(_("It has not begun. Once round 1 is paired, you can ask for a bye."), event=meant.name)
    number, first, last = number_of(meant, me), meant.state.rounds_paired + 1, meant.state.rounds_planned
    if not meant.format.byes:
        raise Refused(_("You can sit out a round only in a Swiss or at tables."), event=meant.name)
    if meant.state.phase is Phase.OVER:
        over = _("The tournament is over.") if meant.state.cancelled is None else _("The tournament is cancelled.")
        raise Refused(over, event=meant.name)
    if not first <= round <= last:
        text = _("Round {round} is paired already; the next one is round {first}.")
        if round > last:
            text = _("There is no round {round}; the last one is round {last}.")
        elif first > last:
            text = _("All its rounds are paired.")
        raise Refused(text.format(round=round, first=first, last=last), event=meant.name)
    mark = Mark.HALF_BYE if half else Mark.ZERO_BYE
    meant = await tournaments.direction.decide(*asker, ByeAsked(number, round, mark))
    text = _("You will sit out round {round} of **{event}**; it counts as half a point.")
    if not half:
        text = _("You will sit out round {round} of **{event}**; it counts as nothing.")
    await reply_privately(interaction, text.format(round=round, event=meant.name))
