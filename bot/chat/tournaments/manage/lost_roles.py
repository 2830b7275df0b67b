"""Roles that players need to enter, and that their server has deleted: the directors are told."""

from __future__ import annotations

import discord

from bot.support.frozen import frozen
from bot.tournaments.use_cases.registration import Registration


@frozen
class LostRoles:
    """Looks for them when a role is deleted, and, as that may have happened while the bot was away, at the start."""

    client: discord.Client
    registration: Registration

    async def deleted(self, role: discord.Role) -> None:
        """A server has deleted a role."""
        await self._look(role.guild)

    async def start(self) -> None:
        """Look at all servers with tournaments for some roles alone."""
        for guild_id in await self.registration.servers_with_roles():
            guild = self.client.get_guild(guild_id)
            if guild is not None and not guild.unavailable:
                await self._look(guild)

    async def close(self) -> None:
        """Nothing is under way."""

    async def _look(self, guild: discord.Guild) -> None:
        await self.registration.tell_lost_roles(guild.id, {role.id for role in guild.roles})
