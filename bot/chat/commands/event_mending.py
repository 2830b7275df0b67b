"""`/tournament undo` and `/tournament by-hand`: what a director mends, seen before it is done."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.chat import event_changes as texts
from bot.chat.answers import answering, tell
from bot.chat.commands.event_group import GROUP, WHICH, Number, Part, Press, Round
from bot.chat.presses import source_of
from bot.games.refused import Refused
from bot.language import N_, _
from bot.tournaments.desk import Held
from bot.tournaments.events import RoundPaired, TablesSeated, Undone
from bot.tournaments.mending import as_text, by_hand, last_to_undo

Confirm = Literal["keep later rounds", "pair later rounds again"]
CONFIRM = "What you have seen is to be done; left out, it is only shown what would change"
_CHOICES = (N_("keep later rounds"), N_("pair later rounds again"))


class Mending(Part):
    """Corrections of more than results."""

    @GROUP.command(
        name="undo", description="Take an earlier event back: a pairing, an entry, a result, the end (director)"
    )
    @app_commands.describe(
        event="Its number in /tournament history; left out, the newest", confirm=CONFIRM, number=WHICH
    )
    async def undo(
        self,
        interaction: Press,
        event: app_commands.Range[int, 1, 1_000_000] | None = None,
        confirm: Confirm | None = None,
        number: Number | None = None,
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            if event is None and confirm is not None:
                # Something else may have happened since it was shown.
                raise Refused(_("Say with `event` which one is to be taken back: its number was shown to you."))
            action = Undone(event or last_to_undo(held))
            if await self._mended(interaction, held, action, confirm):
                says = _("Event {number} of **{event}** is taken back. What follows it now waits for you.")
                await tell(interaction, says.format(number=action.event, event=held.row.name))

    @GROUP.command(name="by-hand", description="Pair a round by hand, or pair it otherwise (director)")
    @app_commands.describe(
        pairings="By starting numbers, White first: 1-5, 3-2, 4 (4 has the bye); left out, the round is shown so",
        round="The round; left out, the one that is played, else the next",
        confirm=CONFIRM,
        number=WHICH,
    )
    async def by_hand(
        self,
        interaction: Press,
        pairings: app_commands.Range[str, 1, 2000] | None = None,
        round: Round | None = None,
        confirm: Confirm | None = None,
        number: Number | None = None,
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            if pairings is None:
                await tell(interaction, texts.by_numbers(held, as_text(held, round or held.state.rounds_paired)))
                return
            action = by_hand(held, pairings, round)
            if await self._mended(interaction, held, action, confirm):
                says = _("Round {round} is paired as you say; its games are open.")
                await tell(interaction, says.format(round=action.round))

    async def _mended(
        self, interaction: Press, held: Held, action: RoundPaired | TablesSeated | Undone, confirm: Confirm | None
    ) -> bool:
        """Mend, or show what that would change; whether it is done."""
        me = interaction.user.id
        if confirm is None:
            seen = await self.desk.in_time(interaction, self.desk.tournaments.mending(held.row.id, me, action))
            await tell(interaction, texts.mending(held, seen))
            return False
        again = confirm == _CHOICES[1]
        work = self.desk.tournaments.mend(held.row.id, me, source_of(interaction), action, again=again)
        await self.desk.in_time(interaction, work)
        return True
