"""Use cases: a game whose channel is gone, and goes on in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.games.model import deadlines
from bot.games.model.errors import Refused
from bot.games.model.game import Game, Place
from bot.games.persistence.transactions import reading
from bot.games.persistence.unit_of_work import GameWork, playing
from bot.games.use_cases.offers import announce_offer
from bot.i18n import _
from data.queries import announcements as announcement_queries
from data.queries import competitions as contest_queries
from data.queries import games as game_queries


class Channels(GameWork):
    """Where games are played."""

    async def move_here(self, game_id: int, player: int, place: Place, source: str) -> Game:
        """Go on with a running game in ``place``, of the same server, where its board cannot be posted in its own
        channel (deleted, closed to the bot). Raises Refused where it can, or where another game runs in ``place``."""
        async with self._changing(game_id, source) as change:
            game = change.game
            playing(game, player)
            mirror = game.mirror
            guests = mirror is not None and mirror.guild_id == place.guild_id
            if game.place.guild_id != place.guild_id and not guests:
                raise Refused(_("A game goes on on its own server only."), game)
            boards = await announcement_queries.unseen(change.tx, game.id, game.ply, second=guests)
            if not boards or boards[-1][1] is not None or change.now - boards[-1][0] < deadlines.OUTAGE:
                says = _("This game is played in {channel}. It moves only if that channel is gone.")
                here = mirror.channel_id if guests and mirror is not None else game.channel_id
                raise Refused(says.format(channel=f"<#{here}>"), game)
            other = await game_queries.running_in(change.tx, place.channel_id)
            if other not in (None, game.id):
                raise Refused(_("Another game is running in this channel. Take a channel where none is."), game)
            await change.act("move here", player)
            if guests and mirror is not None:
                # In a thread of its own there.
                await contest_queries.move_mirror(change.tx, game.id, place.channel_id)
                moved = replace(mirror, place_channel_id=place.channel_id, channel_id=None)
                change.game = replace(game, mirror=moved)
            else:
                values = {"channel_id": place.channel_id, "changed_at": change.now}
                await game_queries.change_game(change.tx, game.id, values)
                change.game = replace(game, channel_id=place.channel_id)
            await announcement_queries.give_up(change.tx, game.id, change.now)
            change.shown_again = True
            await change.schedule()
            await change.announce_board("moved", player)
            for offer in change.game.offers:
                await announce_offer(change, offer.kind, offer.seat, offer.back_to, again=offer.id)
        return change.game

    async def channels_with_clocks(self) -> list[int]:
        """The channels of the running games in which time runs."""
        async with reading(self._store) as tx:
            return await game_queries.channels_with_clocks(tx)

    async def settle_mirror(self, game_id: int, channel_id: int | None) -> Game:
        """Give a game of two servers its thread on the second one; None: it is gone."""
        async with self._changing(game_id, f"mirror:{game_id}:{channel_id}") as change:
            mirror = change.game.mirror
            if mirror is not None:
                await contest_queries.settle_mirror(change.tx, game_id, channel_id)
                change.game = replace(change.game, mirror=replace(mirror, channel_id=channel_id))
        return change.game

    async def channel_gone(self, channel_id: int) -> list[Game]:
        """A channel or thread was deleted: the boards of the running games in it or in its threads are no longer to be
        seen. They are announced anew; as long as they cannot be posted, no time runs. Returns those games."""
        async with reading(self._store) as tx:
            found = await game_queries.played_in(tx, channel_id)
            mirrored = await contest_queries.mirrored_in(tx, channel_id)
        for game_id in mirrored:
            # Another thread is opened there with the next board.
            await self.settle_mirror(game_id, None)
        return await self._anew([*found, *mirrored])

    async def server_out_of_reach(self, guild_id: int) -> list[Game]:
        """A server has removed the bot: likewise of all its running games."""
        async with reading(self._store) as tx:
            found = await game_queries.played_on(tx, guild_id)
        return await self._anew(found)

    async def server_in_reach(self, guild_id: int) -> list[Game]:
        """It has the bot again: the boards are posted, once, and time runs."""
        async with reading(self._store) as tx:
            found = await game_queries.played_on(tx, guild_id)
        return await self._anew(found, instead=True)

    async def _anew(self, found: Sequence[int], *, instead: bool = False) -> list[Game]:
        """Announce the boards of games anew, where they were posted; ``instead`` of all that waits in them."""
        games = []
        for game_id in found:
            async with self._changing(game_id, f"anew:{game_id}") as change:
                if change.game.status != "running":
                    continue
                if instead:
                    await announcement_queries.give_up(change.tx, game_id, change.now)
                    change.shown_again = True
                    await change.schedule()
                else:
                    boards = await announcement_queries.unseen(change.tx, game_id, change.game.ply)
                    if boards and boards[-1][1] is None:
                        # It is not to be seen as it is: that it cannot be is known already, or will be soon.
                        continue
                await change.announce_board("moved", None)
                if not instead:
                    await change.schedule()
                games.append(change.game)
        return games
