"""What a director does with `/tournament`."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.chat.components import Press
from bot.chat.responses import defer_if_slow, reply_privately
from bot.chat.tournaments.buttons import confirm_view, result_of
from bot.chat.tournaments.commands.group import GROUP, NO_BOTS, WHICH, Number, Person, Round, asked, number_of
from bot.chat.tournaments.preview_texts import preview
from bot.chat.tournaments.schedule_texts import many_rounds
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.formats.format import RESULTS
from bot.tournaments.model.events import ByeAsked, Forbade, Substituted
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark

_RESULTS = [app_commands.Choice(name=name, value=name) for name in RESULTS]


@GROUP.command(name="start", description="Close the entries and begin (director)")
@app_commands.describe(number=WHICH)
async def start(interaction: Press, number: Number | None = None) -> None:
    tournaments, tournament, asker = await asked(interaction, number)
    tournament = await defer_if_slow(interaction, tournaments.direction.start(*asker, before=tournament))
    begun = _("It has begun with {count} players.").format(count=len(tournament.state.by_number))
    await reply_privately(interaction, f"{begun} {many_rounds(tournament)}".rstrip())


@GROUP.command(name="pair", description="Pair and begin the next round (director)")
@app_commands.describe(number=WHICH)
async def pair(interaction: Press, number: Number | None = None) -> None:
    tournaments, tournament, asker = await asked(interaction, number)
    tournament = await defer_if_slow(interaction, tournaments.direction.pair(*asker, before=tournament))
    template = _("Round {round} is paired; its games are open.")
    await reply_privately(interaction, template.format(round=tournament.state.rounds_paired))


@GROUP.command(name="finish", description="End the tournament and post the podium (director)")
@app_commands.describe(number=WHICH)
async def finish(interaction: Press, number: Number | None = None) -> None:
    tournaments, _tournament, asker = await asked(interaction, number)
    tournament = await tournaments.direction.finish(*asker)
    if tournament.state.phase is Phase.RUNNING:
        await reply_privately(interaction, _("No game begins any more. When those that go on are over, the arena is."))
    else:
        await reply_privately(interaction, _("The tournament is over; the standings are final."))


@GROUP.command(name="withdraw", description="Leave a tournament, or take a player out of it (director)")
@app_commands.describe(player="Whom to take out; left out, yourself", number=WHICH)
async def withdraw(interaction: Press, player: Person | None = None, number: Number | None = None) -> None:
    tournaments, tournament, (_number, me, source) = await asked(interaction, number)
    person = me if player is None else player.id
    await tournaments.registration.leave(tournament.id, person, me, source)
    sentences = [_("{player} is out of **{event}**.").format(player=f"<@{person}>", event=tournament.name)]
    if tournament.state.phase is Phase.RUNNING:
        sentences.append(_("A game that is going on is still to be played."))
    await reply_privately(interaction, " ".join(sentences))


@GROUP.command(name="result", description="Write down or correct a result, with a preview (director)")
@app_commands.describe(
    player="Whose result it is",
    result="What the player did",
    round="The round, or the number of an arena's game; left out, the last one",
    match="Of an elimination the match, as W1-1; of two games in a round 1 or 2; left out, what is played",
    number=WHICH,
)
@app_commands.choices(result=_RESULTS)
async def result(
    interaction: Press,
    player: Person,
    result: str,
    round: app_commands.Range[int, 1, 10_000] | None = None,
    match: app_commands.Range[str, 1, 10] | None = None,
    number: Number | None = None,
) -> None:
    tournaments, tournament, _asker = await asked(interaction, number)
    key = match.upper() if match else None
    work = tournaments.results.preview(tournament.id, interaction.user.id, player.id, result, round, key)
    shown = await defer_if_slow(interaction, work)
    view = confirm_view(tournament, shown, result_of(tournament, player.id, result, shown.action))
    await reply_privately(interaction, preview(tournament, shown), view=view)


@GROUP.command(name="director", description="Let somebody else direct the tournament too (director)")
@app_commands.describe(person="Who is to direct it too", number=WHICH)
async def director(interaction: Press, person: Person, number: Number | None = None) -> None:
    tournaments, tournament, (_number, me, source) = await asked(interaction, number)
    if person.bot:
        raise Refused(_("A bot cannot direct a tournament."))
    manages = interaction.permissions.manage_guild
    await tournaments.direction.add_director(tournament.id, person.id, me, source, manages=manages)
    template = _("{player} directs **{event}** too.")
    await reply_privately(interaction, template.format(player=f"<@{person.id}>", event=tournament.name))


@GROUP.command(name="substitute", description="Let somebody play on in a player's place (director)")
@app_commands.describe(player="Who stops", substitute="Who plays on, with all that was scored", number=WHICH)
async def substitute(interaction: Press, player: Person, substitute: Person, number: Number | None = None) -> None:
    if substitute.bot:
        raise Refused(_(NO_BOTS))
    tournaments, _tournament, asker = await asked(interaction, number)
    await tournaments.direction.decide(*asker, Substituted(player.id, substitute.id))
    template = _("{substitute} plays on for {player}; a game that is going on is still {player}'s.")
    await reply_privately(interaction, template.format(substitute=f"<@{substitute.id}>", player=f"<@{player.id}>"))


@GROUP.command(name="bye", description="Sit out a round, or let a player sit it out (director)")
@app_commands.describe(
    player="Who sits out; left out, yourself",
    round="A round that is not paired yet",
    worth="What it counts as",
    number=WHICH,
)
async def bye(
    interaction: Press,
    round: Round,
    player: Person | None = None,
    worth: Literal["half a point", "nothing"] = "half a point",
    number: Number | None = None,
) -> None:
    tournaments, tournament, asker = await asked(interaction, number)
    byes = tournament.format.byes
    if Mark.HALF_BYE not in byes:
        worth = "nothing"
    mark = Mark.ZERO_BYE if worth == "nothing" else Mark.HALF_BYE
    if not byes or not tournament.state.rounds_paired < round <= tournament.settings.rounds:
        raise Refused(_("A bye is for a round of a Swiss or of tables that is not paired yet."))
    person = interaction.user.id if player is None else player.id
    await tournaments.direction.decide(*asker, ByeAsked(number_of(tournament, person), round, mark))
    template = _("{player} sits out round {round}; it counts as {worth}.")
    await reply_privately(interaction, template.format(player=f"<@{person}>", round=round, worth=_(worth)))


@GROUP.command(name="forbid", description="Two players of a Swiss shall not meet from now on (director)")
@app_commands.describe(player="One of the two", other="The other", number=WHICH)
async def forbid(interaction: Press, player: Person, other: Person, number: Number | None = None) -> None:
    tournaments, tournament, asker = await asked(interaction, number)
    if not tournament.format.can_forbid:
        raise Refused(_("Only in a Swiss can a pairing be forbidden."))
    pair = Forbade(number_of(tournament, player.id), number_of(tournament, other.id))
    await tournaments.direction.decide(*asker, pair)
    template = _("{player} and {other} are not paired from now on.")
    await reply_privately(interaction, template.format(player=f"<@{player.id}>", other=f"<@{other.id}>"))
