"""Use cases: a game whose channel is gone, and goes on in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from bot.games.model import deadlines
from bot.games.model.clock import control_of
from bot.games.model.errors import NotRunning, Refused
from bot.games.model.game import Game, Place
from bot.games.model.seats import playing
from bot.games.model.timers import CLOCK
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.unit_of_work import GameUnit
from bot.games.use_cases.offers import announce_offer
from bot.i18n import _
from data.queries import announcements, games, mirrors, timers


class ChannelInUse(NamedTuple):
    """A channel, or a thread in the channel ``place``, in which a game is played, with a clock for an evening
    (``live``) or for days."""

    id: int
    place: int
    live: bool


_REMEMBERED: Final = 1_000
"""So many channels are known to be deleted: a post that is under way is marked within seconds."""


class Channels:
    """Notes where games are played: their channels and threads, and what becomes of games whose place is gone."""

    def __init__(self, work: GameWork) -> None:
        self._work = work
        self._gone: dict[int, None] = {}

    async def move_here(self, game_id: int, player: int, place: Place, source: str, *, gone: int | None = None) -> Game:
        """Go on with a running game in ``place``, of the same server, where its board cannot be posted in its own
        channel (deleted, or closed to the bot for a minute); a channel that is known to be ``gone`` is not tried.
        Asked for again while its board is on its way to ``place``, that is tried at once. Raises Refused where it can
        be posted in its own channel, or where another game runs in ``place``."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            playing(game, player)
            mirror = game.mirror
            if not game.place.has_threads:
                raise Refused(
                    _("This game stays in the chat where it began. `/board` there shows it again."),
                    game,
                )
            guests = mirror is not None and mirror.guild_id == place.guild_id
            if game.place.guild_id != place.guild_id and not guests:
                raise Refused(_("A game can only continue on its own server."), game)
            channel_id = game.channel_on(place.guild_id)
            waits = await _waits(unit, guests=guests)
            # A thread that is still to be opened stands for the channel that it is to be in.
            its = mirror.place_channel_id if guests and mirror is not None and channel_id is None else channel_id
            if waits is not None and waits.tries is not None and its == place.channel_id:
                # Asked for again, or by the other player too: a second board would stand beside the first.
                await unit.act("move here", player)
                await announcements.wake(unit.tx, unit.now, game_id=game.id)
                return game
            if (gone is None or gone != channel_id) and not _in_vain(unit, waits, guests=guests):
                template = _("This game is played in {channel}. It can move only if that channel is gone.")
                raise Refused(template.format(channel=f"<#{channel_id or its or game.place.channel_id}>"), game)
            other = await games.running_in(unit.tx, place.channel_id)
            if other not in (None, game.id):
                raise Refused(_("Another game is running in this channel. Choose a channel without one."), game)
            await unit.act("move here", player)
            if guests and mirror is not None:
                # In a thread of its own there.
                await mirrors.move(unit.tx, game.id, place.channel_id)
                moved = replace(mirror, place_channel_id=place.channel_id, channel_id=None)
                unit.change(replace(game, mirror=moved))
            else:
                # Who sees its channel sees the game: from now on that is this one, also when it is over.
                here = place.channel_id
                await games.change_game(unit.tx, game.id, channel_id=here, place_channel_id=here, changed_at=unit.now)
                unit.change(replace(game, channel_id=here, place=replace(game.place, channel_id=here)))
            await unit.show_anew(moved=guests)
            await unit.announce_board("moved", player, second=guests)
            for offer in unit.game.offers:
                await announce_offer(unit, offer.kind, offer.seat, offer.back_to, again=offer.id, second=guests)
        return unit.game

    async def channels_with_clocks(self) -> list[ChannelInUse]:
        """The channels of the running games in which time runs, first those in which it runs out first."""
        async with self._work.reading() as tx:
            rows = await timers.channels_with_clocks(tx, CLOCK, self._work.transactions.shards)
        controls = {name: control_of(name) for _id, _place, name in rows}
        return [ChannelInUse(row[0], row[1], (of := controls[row[2]]) is not None and of.live) for row in rows]

    async def without_board(self) -> list[tuple[int, int]]:
        """The running games whose last board was given up, with their channels."""
        async with self._work.reading() as tx:
            return await announcements.without_board(tx, self._work.transactions.shards)

    async def post_again(self, game_id: int) -> list[Game]:
        """The board of a game is posted once more, and time runs from then on. Returns the game, if it still runs."""
        return await self._anew([game_id], instead=True)

    async def shown_nowhere(self, game_id: int) -> list[Game]:
        """The board of a game where the bot may only answer, and which nobody could be shown, is announced once more,
        and time runs from then on. Returns the game, if that was so."""
        async with self._work.reading() as tx:
            game = await self._work.repository.load(tx, game_id)
            boards = await announcements.unseen(tx, game_id, game.ply)
            waits = await announcements.pending(tx, game_id)
        unseen = not waits and bool(boards) and boards[-1][1] is None
        return await self._anew([game_id], instead=True) if game.place.answers_only and unseen else []

    async def settle_channel(self, game_id: int, channel_id: int) -> Game:
        """Give a game that has started its own channel (a thread), if it has none yet."""
        async with self._work.unit(game_id, f"channel:{channel_id}") as unit:
            game = unit.game
            if game.channel_id is not None:
                return game
            if game.started_at is None:
                raise NotRunning(_("This game has not begun."), game)
            if await games.running_in(unit.tx, channel_id) is not None:
                raise Refused(_("Another game is running in that channel."), game)
            await games.change_game(unit.tx, game.id, channel_id=channel_id)
            unit.change(replace(game, channel_id=channel_id))
            await self._work.signals.thread_opened.send(unit)
        return unit.game

    async def settle_mirror(self, game_id: int, channel_id: int, place: int) -> Game:
        """Give a game of two servers its thread on the second one, as long as it is to be in the channel ``place``."""
        async with self._work.unit(game_id, f"mirror:{game_id}:{channel_id}") as unit:
            mirror = unit.game.mirror
            if mirror is not None and mirror.channel_id != channel_id and mirror.place_channel_id == place:
                await self._settle(unit, channel_id)
        return unit.game

    async def mirror_gone(self, game_id: int) -> list[Game]:
        """The thread on the second server of two was deleted: the board, and offers that stand, are posted in another.
        Returns the game, if it still runs."""
        return await self._anew([game_id], second=True, gone=True)

    async def _settle(self, unit: GameUnit, channel_id: int | None) -> None:
        assert unit.game.mirror is not None
        await mirrors.settle(unit.tx, unit.game.id, channel_id)
        unit.change(replace(unit.game, mirror=replace(unit.game.mirror, channel_id=channel_id)))
        await self._work.signals.thread_opened.send(unit)

    async def channel_gone(self, channel_id: int) -> list[Game]:
        """A channel or thread was deleted: the boards of the running games in it or in its threads are no longer to be
        seen. They are announced anew; as long as they cannot be posted, no time runs. Returns those games."""
        self._remember(channel_id)
        async with self._work.reading() as tx:
            ids = await games.played_in(tx, channel_id)
            mirrored = await mirrors.running_in(tx, channel_id)
        return [*await self._anew(ids, second=False), *await self._anew(mirrored, second=True, gone=True)]

    def _remember(self, channel_id: int) -> None:
        self._gone[channel_id] = None
        if len(self._gone) > _REMEMBERED:
            del self._gone[next(iter(self._gone))]

    def is_gone(self, channel_id: int) -> bool:
        """Whether a channel or thread is known to be deleted, by Discord's word or by a post in vain."""
        return channel_id in self._gone

    async def posted_in(self, game_id: int, channel_id: int) -> list[Game]:
        """A game's post in a channel was marked. If that was deleted meanwhile, it is as if it came now, unless the
        game goes on in another. Returns the game, if its board is announced anew."""
        if not self.is_gone(channel_id):
            return []
        async with self._work.reading() as tx:
            game = await self._work.repository.load(tx, game_id)
        changed = []
        if channel_id == (game.channel_id or game.place.channel_id):
            changed += await self._anew([game_id], second=False)
        if game.mirror is not None and game.mirror.channel_id in (None, channel_id):
            changed += await self._anew([game_id], second=True, gone=True)
        return changed

    async def server_out_of_reach(self, guild_id: int) -> list[Game]:
        """A server has removed the bot: likewise of all its running games."""
        async with self._work.reading() as tx:
            ids = await games.played_on(tx, guild_id)
        return await self._anew(ids, on=guild_id)

    async def server_in_reach(self, guild_id: int) -> list[Game]:
        """It has the bot again: the boards are posted, once, and time runs."""
        async with self._work.reading() as tx:
            ids = await games.played_on(tx, guild_id)
        return await self._anew(ids, on=guild_id, instead=True)

    async def _anew(
        self,
        ids: Sequence[int],
        *,
        second: bool | None = None,
        on: int | None = None,
        instead: bool = False,
        gone: bool = False,
    ) -> list[Game]:
        """Announce the boards of games anew, where they were posted, or ``instead`` of those that wait; and the offers
        that nobody sees. Of games of two servers on both, or on the ``second`` or the first alone, or ``on`` one of
        them; on the second their threads may be ``gone``, and others are opened with the next post."""
        changed = []
        for game_id in ids:
            async with self._work.unit(game_id, f"anew:{game_id}") as unit:
                mirror, waits = unit.game.mirror, False
                if settled := gone and mirror is not None and mirror.channel_id is not None:
                    self._remember(mirror.channel_id)
                    await self._settle(unit, None)
                if running := unit.game.status == "running":
                    if on is not None:
                        second = on != unit.game.place.guild_id
                    if instead:
                        await unit.show_anew()
                    else:
                        boards = await announcements.unseen(unit.tx, game_id, unit.game.ply, second=second)
                        # That it is not to be seen is known already, or will be soon.
                        waits = bool(boards) and boards[-1][1] is None
                    if not waits:
                        await unit.announce_board("moved", None, second=second)
                    await _announce_unseen_offers(unit)
                    if not (instead or waits):
                        await unit.schedule()
                if settled or (running and not waits):
                    changed.append(unit.game)
        return changed


class _Waiting(NamedTuple):
    """A board that is not to be seen, ``since`` when, and after how many ``tries`` to post it or what comes before it;
    None: it was given up."""

    since: int
    tries: int | None


async def _waits(unit: GameUnit, *, guests: bool) -> _Waiting | None:
    """The board that waits on the guests' server, or on the game's own; None where it is to be seen."""
    game = unit.game
    boards = await announcements.unseen(unit.tx, game.id, game.ply, second=guests)
    if not boards or boards[-1][1] is not None:
        return None
    if await announcements.is_given_up(unit.tx, game.id, game.ply, second=guests):
        return _Waiting(boards[-1][0], None)
    waiting = await announcements.pending(unit.tx, game.id)
    return _Waiting(boards[-1][0], max((each.attempts for each in waiting if each.mirrored is guests), default=0))


async def _announce_unseen_offers(unit: GameUnit) -> None:
    """Announce the offers that stand once more where no post shows them: of a game of two servers on that one alone."""
    mirror = unit.game.mirror
    for offer in unit.game.offers:
        channels = [unit.game.channel_id] if mirror is None else [unit.game.channel_id, mirror.channel_id]
        unseen = [
            bool(second)
            for second, channel_id in enumerate(channels)
            if not await announcements.offer_stands(unit.tx, offer.id, second=bool(second), channel_id=channel_id)
        ]
        if unseen:
            on = unseen[0] if len(unseen) == 1 else None
            await announce_offer(unit, offer.kind, offer.seat, offer.back_to, again=offer.id, second=on)


def _in_vain(unit: GameUnit, waits: _Waiting | None, *, guests: bool) -> bool:
    """Whether a board has waited for long, or was tried and there is nowhere to post it."""
    if waits is None:
        return False
    if unit.now - waits.since >= deadlines.OUTAGE or waits.tries is None:
        return True
    # On the second server of two it is never given up: there another thread is opened where one is gone.
    mirror = unit.game.mirror
    return guests and mirror is not None and mirror.channel_id is None and waits.tries > 0
