"""`/tournament places`: the result of a table by the director's hand."""

from __future__ import annotations

import re

from discord import app_commands

from bot.chat.components import Press
from bot.chat.responses import defer_if_slow, reply_privately
from bot.chat.tournaments.buttons import confirm_view, places_of
from bot.chat.tournaments.commands.group import GROUP, WHICH, Number, Round, asked
from bot.chat.tournaments.preview_texts import preview
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.model.events import TableScored

_MENTION = re.compile(r"\s*<@!?([0-9]{1,20})>\s*([=,>]?)")


@GROUP.command(name="places", description="Write down or correct the places of a table, with a preview (director)")
@app_commands.describe(
    order="As @ana @ben=@cid @dan: from the first place on, = between who shares; left out: did not come",
    round="The round; left out, the last one",
    number=WHICH,
)
async def places(
    interaction: Press, order: app_commands.Range[str, 1, 300], round: Round | None = None, number: Number | None = None
) -> None:
    tournaments, tournament, _asker = await asked(interaction, number)
    work = tournaments.results.preview_places(tournament.id, interaction.user.id, groups_of(order), round)
    shown = await defer_if_slow(interaction, work)
    assert isinstance(shown.action, TableScored)
    view = confirm_view(tournament, shown, places_of(tournament, shown.action))
    await reply_privately(interaction, preview(tournament, shown), view=view)


def groups_of(text: str) -> list[list[int]]:
    """The persons that a text names with mentions, in groups that share a place. Raises Refused."""
    groups: list[list[int]] = []
    at, shares = 0, False
    while at < len(text):
        found = _MENTION.match(text, at)
        if found is None:
            raise Refused(_("Name the players with @, from the first place on: `@ana @ben=@cid @dan`."))
        if shares:
            groups[-1].append(int(found[1]))
        else:
            groups.append([int(found[1])])
        at, shares = found.end(), found[2] == "="
    return groups
