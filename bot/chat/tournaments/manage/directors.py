"""Who directs a tournament or a league: what is asked and said where somebody is added, taken out, or steps down."""

from __future__ import annotations

import discord

from bot.chat.components import ActionMenu, CustomId
from bot.chat.services import Services
from bot.i18n import _
from bot.tournaments.persistence.stored import Stored


async def directors_menu(services: Services, of: Stored, carried: CustomId, asked: str) -> ActionMenu:
    """A menu of those who direct it, by their names."""
    options = [
        discord.SelectOption(label=(await services.names.of(of.guild_id, one))[:100], value=str(one))
        for one in of.directors
    ]
    return ActionMenu.of(carried, asked, options, others=_("more once some are removed"))


def directs_too(of: Stored, person: int) -> str:
    """That somebody directs it from now on."""
    return _("<@{person}> directs **{event}** too.").format(person=person, event=of.name)


def dismissal(of: Stored, person: int, me: int) -> str:
    """Whether somebody is to direct it no more, asked of the director ``me``."""
    if person == me:
        return _("Stop directing **{event}**? Only another director can add you again.").format(event=of.name)
    text = _("Remove {player} from the directors of **{event}**?")
    return text.format(player=f"<@{person}>", event=of.name)


def dismissed(of: Stored, person: int) -> str:
    """That somebody directs it no more."""
    return _("{player} no longer directs **{event}**.").format(player=f"<@{person}>", event=of.name)
