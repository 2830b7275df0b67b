"""A challenge is opened: by `/play`, or from a position that somebody has set up."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.chat.components import Press
from bot.chat.games.room_checks import check_allowed, check_channel, check_room
from bot.chat.reach import alone_with_me, on_server, place_of, seen_by_all
from bot.chat.responses import act, source_of
from bot.chat.services import services_of
from bot.engine.registry import rules_for
from bot.engine.variants import Variant
from bot.games.model.computer_seats import USUAL_LEVEL
from bot.games.model.errors import Refused
from bot.games.model.game import Side
from bot.i18n import _


def check_seen(interaction: Press) -> None:
    """Raises Refused where Discord shows what the bot answers to nobody but whoever has pressed."""
    if not seen_by_all(interaction):
        raise Refused(
            _("Only you see my answers on this server. Play the computer here, or challenge people somewhere else.")
        )


def is_here(interaction: Press, person: discord.Member | discord.User) -> bool:
    """Whether somebody can see what is posted where ``interaction`` was made, as far as is known: of a chat of people
    Discord need not tell who they are."""
    if interaction.guild_id is not None:
        return isinstance(person, discord.Member)
    others = interaction.channel.recipients if isinstance(interaction.channel, discord.GroupChannel) else []
    return not others or person.id in {each.id for each in others}


def check_person(*, is_member: bool, is_bot: bool) -> None:
    """Raises Refused for somebody who cannot be challenged here."""
    if not is_member:
        raise Refused(_("That person is not here. Invite them first, or challenge someone else."))
    if is_bot:
        raise Refused(_("Bots do not play. Challenge a person, or leave the opponent out so that anyone may accept."))


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
    seats, place = len(rules_for(variant.ruleset, variant.chosen).seats), place_of(interaction)
    if alone_with_me(interaction):
        if opponent is not None:
            raise Refused(_("Only you and I see this chat. Challenge people in a chat with them, or on a server."))
        # Nobody else could accept.
        computers = (*computers, *(USUAL_LEVEL,) * (seats - 1 - len(computers)))
    if place.answers_only and len(computers) < seats - 1:
        check_seen(interaction)
    check_allowed(interaction)
    server = await services.games.servers.load(interaction.guild_id if on_server(interaction) else None)
    check_channel(interaction, server)
    if opponent is None and len(computers) == seats - 1:
        # It begins at once.
        await check_room(interaction, services)
    opening = services.games.challenges.open(
        source=source_of(interaction),
        opener=interaction.user.id,
        opponent=opponent,
        variant=variant.ruleset,
        options=variant.chosen,
        side=side,
        place=place,
        clock=clock or server.clock,
        rated=rated,
        computers=computers,
        start=start,
    )
    game = await act(interaction, opening)
    if game.status == "running" and not place.has_threads:
        return _("Your game begins.")
    if game.status == "running" and game.needs_thread:
        return _("Your game has begun, in a thread of its own under the post below. `/me games` has the link, too.")
    if game.status == "running":
        return _("Your game has begun. The board is below.")
    if any(game.invited) or len(game.players) == 2:
        return _("Your challenge is posted below.")
    return _("Your table is posted below.")
