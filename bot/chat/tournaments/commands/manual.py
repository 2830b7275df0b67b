"""`/tournament undo` and `/tournament by-hand`: what a director changes by hand, seen before it is done."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.chat.components import Press
from bot.chat.responses import defer_if_slow, reply_privately, source_of
from bot.chat.services import services_of
from bot.chat.tournaments import preview_texts as texts
from bot.chat.tournaments.commands.group import GROUP, WHICH, Number, Round, chosen_tournament
from bot.chat.tournaments.confirm_buttons import done, manual_view
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.model.events import Undone
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.manual import ManualAction, as_text, by_hand, last_to_undo

Confirm = Literal["keep later rounds", "pair later rounds again"]
CONFIRM = "Do it at once; left out, you are shown first what would change"


@GROUP.command(name="undo", description="Take an earlier event back: a pairing, an entry, a result, the end (director)")
@app_commands.describe(event="Its number in /tournament history; left out, the newest", confirm=CONFIRM, number=WHICH)
async def undo(
    interaction: Press,
    event: app_commands.Range[int, 1, 1_000_000] | None = None,
    confirm: Confirm | None = None,
    number: Number | None = None,
) -> None:
    tournament = await chosen_tournament(interaction, number)
    if event is None and confirm is not None:
        # Something else may have happened since it was shown.
        raise Refused(_("Say with `event` which one is to be taken back: its number was shown to you."))
    await _do(interaction, tournament, Undone(event or last_to_undo(tournament)), confirm)


@GROUP.command(name="by-hand", description="Pair a round by hand, or pair it otherwise (director)")
@app_commands.describe(
    pairings="By starting numbers, White first: 1-5, 3-2, 4 (4 has the bye); left out, the round is shown so",
    round="The round; left out, the one that is played, else the next",
    confirm=CONFIRM,
    number=WHICH,
)
async def pair_by_hand(
    interaction: Press,
    pairings: app_commands.Range[str, 1, 2000] | None = None,
    round: Round | None = None,
    confirm: Confirm | None = None,
    number: Number | None = None,
) -> None:
    tournament = await chosen_tournament(interaction, number)
    if pairings is None:
        pairings = as_text(tournament, round or tournament.state.rounds_paired)
        await reply_privately(interaction, texts.by_numbers(tournament, pairings))
        return
    await _do(interaction, tournament, by_hand(tournament, pairings, round), confirm)


async def _do(interaction: Press, tournament: StoredTournament, action: ManualAction, confirm: Confirm | None) -> None:
    """Do it; without ``confirm``, show what that would change, with buttons that do it."""
    manual, me, number = services_of(interaction).tournaments.manual, interaction.user.id, tournament.id
    if confirm is None:
        shown = await defer_if_slow(interaction, manual.preview(number, me, action))
        await reply_privately(interaction, texts.manual_preview(tournament, shown), view=manual_view(tournament, shown))
        return
    work = manual.apply(number, me, source_of(interaction), action, again=confirm == "pair later rounds again")
    tournament = await defer_if_slow(interaction, work)
    await reply_privately(interaction, done(tournament, action))
