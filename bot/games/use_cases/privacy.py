"""Use cases: what is kept of a person, and forgetting it; servers that have removed the bot."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from bot.engine import transcript as transcripts
from bot.games.model.announcements import PlayersChanged, content_of, kind_of, to_json, without
from bot.games.model.errors import Damaged
from bot.games.model.game import Game
from bot.games.model.timers import BACK, CLOCK, DIGEST, PING, SERVER, HeldBack
from bot.games.persistence import quiet_hours
from bot.games.persistence.game_work import GameWork
from bot.games.use_cases.challenges import leave_challenge
from bot.games.use_cases.computer import end_among_computers
from bot.games.use_cases.import_export import Archive
from bot.support.time_units import DAY
from data.notifications import Word
from data.queries import announcements, competitions, games, mirrors, people, ratings, study, timers, tournaments
from data.queries.timers import TimerRow
from data.store import Transaction

GRACE: Final = 30 * DAY
"""How long a server's settings are kept after it has removed the bot."""


class Privacy:
    """Export and deletion of a person's or a server's data."""

    def __init__(self, work: GameWork, archive: Archive) -> None:
        self._work = work
        self._archive = archive

    async def data_of(self, person: int) -> dict[str, Any]:
        """All that is kept of a person, for JSON; times are UTC in milliseconds. Of games whose records are damaged
        there are the numbers alone."""
        async with self._work.reading() as tx:
            solver = await study.solver(tx, person)
            kept = {
                "settings": dict(await people.settings_of(tx, people.PEOPLE, person)),
                "vacations": [
                    {"start": start, "until": until} for start, until in await timers.vacations_of(tx, person)
                ],
                "boards_opened": _plain(await people.boards_opened(tx, person)),
                "acts": _plain(await people.acts_of(tx, person)),
                "plans": _plain(await people.plans_of(tx, person)),
                "seats": _plain(await people.seats_of(tx, person)),
                "timers": await _timers_of(tx, person),
                "ratings": _plain(await ratings.of(tx, person)),
                "rating_changes": _plain(await ratings.changes_of(tx, person)),
                "puzzles": {
                    "rating": None if solver is None else _plain([solver])[0],
                    "tried": _plain(await study.tries_of(tx, person)),
                },
                "tournaments": await tournaments.stored.of_person(tx, person),
                "contests": await competitions.stored.of_person(tx, person),
                "games_missed": _plain(await people.games_missed(tx, person)),
            }
        taken = await self._archive.transcripts(person)
        played = [json.loads(transcripts.dumps(transcript)) for transcript in taken.games]
        return {"person": str(person), **kept, "games": played, "damaged_games": list(taken.damaged)}

    async def forget(self, person: int, source: str) -> list[Game]:
        """Resign the running games of ``person``, close their challenges, take their name off everything else, and
        delete what they have chosen. Returns the games that have something to say. All of it happens, or nothing."""
        changed: list[Game] = []
        async with self._work.writing(source) as tx:
            rows = await games.going_on(tx, person)
            for row, _ in rows:
                try:
                    loaded = await self._work.repository.load(tx, row.id, to_change=True)
                except Damaged:
                    # Nobody can resign what cannot be replayed. It is called off, and holds nobody's name.
                    await games.change_game(tx, row.id, status="aborted", to_seat=None, ended_at=self._work.clock())
                    await timers.drop(tx, CLOCK, row.id)
                    continue
                unit = self._work.unit_in(tx, loaded, f"{source}:{row.id}")
                game, seat = unit.game, unit.game.seat_of(person)
                if game.status == "running" and seat is not None and seat in game.playing:
                    await unit.append("resign", seat)
                    await end_among_computers(unit)
                    await unit.announce_board("resign", None)
                elif game.status == "open":
                    await leave_challenge(unit, person)
                changed.append(unit.game)
            mine = await people.games_of(tx, person)
            events, contests = await people.forget(tx, person, mine)
            transactions, signals = self._work.transactions, self._work.signals
            for game_id in await _unsay(tx, person) | await self._rename_threads(tx, mine, source):
                transactions.on_commit(tx, partial(signals.unsaid.send, game_id))
            transactions.on_commit(tx, partial(signals.to_edit.send, events, contests))
            for word, ids in (("tournament", events), ("competition", contests)):
                for each in ids:
                    transactions.tell(tx, Word(word, each))
            await _release(tx, person)
            for game_id in mine:
                self._work.repository.forget(game_id)
            self._work.transactions.tell(tx, Word("forgotten", person))
        self._work.preferences.forget(person)
        return [_without(game, person) for game in changed]

    async def _rename_threads(self, tx: Transaction, mine: Sequence[int], source: str) -> set[int]:
        """Let the threads of games get names without who is forgotten. Returns the games that have one."""
        named = set()
        for thread in await mirrors.threads_of(tx, mine):
            payload = {"source": source} | ({"mirror": True} if thread.mirrored else {})
            kind, at = kind_of(PlayersChanged()), self._work.clock()
            await announcements.add(tx, game_id=thread.game_id, kind=kind, ply=thread.ply, payload=payload, at=at)
            self._work.transactions.tell_owner(tx, thread.guild_id, Word("game", thread.game_id))
            named.add(thread.game_id)
        return named

    async def directed_alone(self, person: int) -> list[str]:
        """The names of the tournaments, leagues and team matches that are not over and that nobody else directs."""
        async with self._work.reading() as tx:
            return await tournaments.stored.directed_alone(tx, person) + await competitions.stored.directed_alone(
                tx, person
            )

    async def server_gone(self, guild_id: int) -> None:
        """A server has removed the bot: its settings are deleted after a while, unless it takes the bot back."""
        async with self._work.writing() as tx:
            at = self._work.clock() + GRACE
            await timers.put(tx, SERVER, guild_id, at, {})
            self._work.timer_set(tx, at)

    async def server_back(self, guild_id: int) -> bool:
        """A server has the bot (again): whether it had removed it."""
        async with self._work.reading() as tx:
            if await timers.get(tx, SERVER, guild_id) is None:
                return False
        async with self._work.writing() as tx:
            await timers.drop(tx, SERVER, guild_id)
        return True

    async def servers_changed(self, servers: Collection[int]) -> tuple[list[int], list[int]]:
        """The bot is on ``servers``, of those of this process: which have removed it unnoticed, and which have taken
        it back."""
        async with self._work.reading() as tx:
            known = await people.servers_kept(tx) | await games.servers_played_on(tx)
            removed = await timers.subjects(tx, SERVER)
        ours = {guild_id for guild_id in known if self._work.transactions.shards.own(guild_id)}
        return sorted(ours - removed - set(servers)), sorted(removed & set(servers))

    async def forget_server(self, guild_id: int) -> None:
        """The time has come: delete a server's settings and its variants. Games keep the rules that they have."""
        async with self._work.writing() as tx:
            await people.forget_server(tx, guild_id)
            await timers.drop(tx, SERVER, guild_id)
            self._work.transactions.tell(tx, Word("servers", guild_id))
        self._work.servers.forget(guild_id)
        self._work.server_variants.forget(guild_id)


def _without(game: Game, person: int) -> Game:
    """A game as it is stored once a person is taken off it."""
    players, invited = (tuple(None if one == person else one for one in each) for each in (game.players, game.invited))
    opener = people.NOBODY if game.opener == person else game.opener
    return replace(game, opener=opener, players=players, invited=invited)


def _plain(rows: Iterable[NamedTuple]) -> list[dict[str, Any]]:
    """Rows of a person, without the person."""
    return [{name: value for name, value in row._asdict().items() if name != "person"} for row in rows]


async def _timers_of(tx: Transaction, person: int) -> list[dict[str, Any]]:
    """What is to happen for a person alone: the daily list, the end of a vacation, news that is held back."""
    personal = [await timers.get(tx, kind, person) for kind in (DIGEST, BACK)]
    own = [timer for timer in personal if timer is not None]
    own += [timer for timer in await timers.of_kind(tx, PING) if person in _held(timer).people]
    return [
        {"kind": timer.kind, "at": timer.at} | ({"game": timer.subject} if timer.kind == PING else {})
        for timer in sorted(own, key=lambda timer: timer.at)
    ]


async def _unsay(tx: Transaction, person: int) -> set[int]:
    """Take a person out of all that is still to be said, in whichever game; what is for them alone is not said. Returns
    the games in which something was."""
    changed = set()
    for row in await announcements.pending(tx):
        content = content_of(row.kind, row.payload)
        anonymous = without(content, person)
        if anonymous is None:
            await announcements.withdraw(tx, row.id, row.made_at)
        elif anonymous != content:
            await announcements.rewrite(tx, row.id, {**row.payload, **to_json(anonymous)})
        else:
            continue
        changed.add(row.game_id)
    return changed


async def _release(tx: Transaction, person: int) -> None:
    """Take a person out of the timers of notifications that are held back."""
    for timer in await timers.of_kind(tx, PING):
        held = _held(timer)
        rest = {one: until for one, until in held.people.items() if one != person}
        if not rest:
            await timers.drop(tx, PING, timer.subject)
        elif len(rest) < len(held.people):
            await quiet_hours.keep(tx, timer.subject, replace(held, people=rest))


def _held(timer: TimerRow) -> HeldBack:
    return HeldBack.of(timer.payload, timer.at)
