"""Use cases: the variants of a server's own, which its managers write."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.engine.errors import VariantError, echoed
from bot.engine.own_variants import own_variant
from bot.engine.ruleset import OF_SERVER, Ruleset
from bot.engine.variants import Variant
from bot.games.model.errors import Refused
from bot.games.persistence import kept_rules
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.server_variant_cache import ServerVariant
from bot.i18n import _, ngettext
from data.notifications import Word
from data.queries import rulesets
from data.queries.rulesets import ServerVariantRow
from data.store import Transaction

MOST_VARIANTS: Final = 25
"""How many variants a server may have of its own."""


class ServerVariants:
    """Lets a server's managers add, change and remove variants, and tells which there are. Games, and all else that was
    begun, keep the text that they were begun with."""

    def __init__(self, work: GameWork) -> None:
        self._work = work
        self._checking = asyncio.Lock()

    async def of(self, guild_id: int | None) -> tuple[ServerVariant, ...]:
        """A server's own variants, by name."""
        return await self._work.server_variants.of(guild_id)

    async def find(self, guild_id: int, name: str) -> ServerVariant:
        """A server's variant by its short name. Raises Refused."""
        for each in await self.of(guild_id):
            if name == each.name:
                return each
        raise _none(name)

    async def add(self, guild_id: int, name: str, text: str) -> Variant:
        """A new variant. Raises Refused where the text is none that can be played, or the server has enough."""
        return await self._put(guild_id, name, text, is_new=True)

    async def edit(self, guild_id: int, name: str, text: str) -> Variant:
        """Other rules for a variant: new games are played by them. Raises Refused."""
        return await self._put(guild_id, name, text, is_new=False)

    async def _put(self, guild_id: int, name: str, text: str, *, is_new: bool) -> Variant:
        try:
            # One at a time: nobody keeps the machine busy with many files at once.
            async with self._checking:
                variant = await asyncio.to_thread(own_variant, text, name, guild_id)
        except VariantError as error:
            raise Refused(error.sentence) from error
        others = [each for each in await self.of(guild_id) if each.name != name and each.variant is not None]
        if any(each.variant is not None and each.variant.tables.name == variant.tables.name for each in others):
            template = _("Another variant on this server is already called {title}. Choose a different name.")
            raise Refused(template.format(title=f"“{variant.tables.name}”"))
        async with self._work.writing() as tx:
            there = {row.name: row for row in await rulesets.of_server(tx, guild_id)}
            if is_new and name in there and there[name].rules_hash != variant.ruleset.hash:
                template = _("This server already has a variant {name}. Change it with `/server variant edit`.")
                raise Refused(template.format(name=f"`{name}`"))
            if not is_new and name not in there:
                raise _none(name)
            if is_new and name not in there and len(there) >= MOST_VARIANTS:
                template = ngettext(
                    "This server already has {count} variant of its own, the most allowed. Remove it first.",
                    "This server already has {count} variants of its own, the most allowed. Remove one first.",
                    MOST_VARIANTS,
                )
                raise Refused(template.format(count=MOST_VARIANTS))
            await kept_rules.keep(tx, variant)
            await rulesets.put(tx, ServerVariantRow(guild_id, name, variant.ruleset.hash, self._work.clock()))
            self._work.transactions.tell(tx, Word("servers", guild_id))
        self._work.server_variants.forget(guild_id)
        return variant

    async def remove(self, guild_id: int, name: str) -> None:
        """No new game is begun by it. Raises Refused where there is none."""
        async with self._work.writing() as tx:
            if not await rulesets.remove(tx, guild_id, name):
                raise _none(name)
            self._work.transactions.tell(tx, Word("servers", guild_id))
        self._work.server_variants.forget(guild_id)

    async def check_offered(self, tx: Transaction, ruleset: Ruleset) -> None:
        """Raises Refused for the rules of a server's variant that was removed."""
        if ruleset.server is None:
            return
        name = ruleset.id.partition(OF_SERVER)[0]
        if all(row.name != name for row in await rulesets.of_server(tx, ruleset.server)):
            raise _none(name)


def _none(name: str) -> Refused:
    return Refused(_("This server has no variant {name}. See `/server variant list`.").format(name=repr(echoed(name))))
