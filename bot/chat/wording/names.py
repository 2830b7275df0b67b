"""What people are called: learned from what they send, asked of Discord when unknown, kept in memory only."""

from __future__ import annotations

import discord

from bot.games.model.computer_seats import is_computer, name_of
from bot.i18n import _
from bot.support.bounded import Bounded

_KEPT = 10_000


class Names:
    """Display names by server and person. Nothing of it is stored: names change, and are not ours to keep."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._names: Bounded[tuple[int | None, int], str] = Bounded(_KEPT)

    def learn(self, person: discord.User | discord.Member) -> None:
        """Remember how ``person``, just seen, is called where they were seen."""
        guild = person.guild.id if isinstance(person, discord.Member) else None
        self._names[guild, person.id] = person.display_name

    def forget(self, person_id: int) -> None:
        """Forget how a person is called."""
        for key in [key for key in self._names if key[1] == person_id]:
            del self._names[key]

    async def of(self, guild_id: int | None, person_id: int) -> str:
        """How a person is called, of an unknown one as Discord says; a general word if it does not."""
        if (known := self._known(guild_id, person_id)) is not None:
            return known
        # Members are asked for server by server; people as such one after the other, for all servers together.
        guild = None if guild_id is None else self._client.get_guild(guild_id)
        for where in (None,) if guild is None else (guild, None):
            try:
                found = await (self._client.fetch_user(person_id) if where is None else where.fetch_member(person_id))
            except discord.HTTPException:
                continue
            self.learn(found)
            return found.display_name
        return _("a player")

    def known(self, guild_id: int | None, person_id: int) -> str:
        """The same at once: nobody is asked."""
        return self._known(guild_id, person_id) or _("a player")

    def _known(self, guild_id: int | None, person_id: int) -> str | None:
        if is_computer(person_id):
            return name_of(person_id)
        for key in ((guild_id, person_id), (None, person_id)):
            if key in self._names:
                self._names.move_to_end(key)
                return self._names[key]
        return None
