"""A challenge is opened: by `/play`, or from a position that somebody has set up."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.components import Press
from bot.chat.games.room_checks import check_allowed, check_channel, check_room
from bot.chat.responses import act, source_of
from bot.chat.services import services_of
from bot.engine.registry import rules_for
from bot.engine.variants import Variant
from bot.games.model.errors import Refused
from bot.games.model.game import Place, Side
from bot.i18n import _


def check_person(*, is_member: bool, is_bot: bool) -> None:
    """Raises Refused for somebody who cannot be challenged here."""
    if not is_member:
        raise Refused(_("That person is not on this server. Invite them first, or challenge somebody else."))
    if is_bot:
        raise Refused(_("Bots do not play. Challenge a person, or leave the opponent out for anyone to accept."))


async def open_challenge(
    interaction: Press,
    variant: Variant,
    *,
    opponent: int | None,
    side: Side | None,
    computers: Sequence[int] = (),
    clock: str | None = None,
    rated: bool = False,
    start: str | None = None,
) -> str:
    """Open a challenge in the channel of ``interaction``, for whoever made it; what is to be said of that.
    ``opponent``: whom it is for, None for anyone; ``clock``: None for the server's own; the rest as in
    ``Challenges.open``. Raises Refused."""
    services = services_of(interaction)
    check_allowed(interaction)
    server = await services.games.servers.load(interaction.guild_id)
    check_channel(interaction, server)
    if opponent is None and len(computers) == len(rules_for(variant.ruleset, variant.chosen).seats) - 1:
        # It begins at once.
        await check_room(interaction, services)
    opening = services.games.challenges.open(
        source=source_of(interaction),
        opener=interaction.user.id,
        opponent=opponent,
        variant=variant.ruleset,
        options=variant.chosen,
        side=side,
        place=Place(interaction.guild_id, interaction.channel_id or 0),
        clock=clock or server.clock,
        rated=rated,
        computers=computers,
        start=start,
    )
    game = await act(interaction, opening)
    if game.status == "running":
        return _("Your game begins. The board is posted below, or in a thread of its own.")
    if any(game.invited) or len(game.players) == 2:
        return _("Your challenge is posted below.")
    return _("Your table is posted below.")
