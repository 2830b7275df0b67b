"""All who are there: people at tables, in tournaments, in leagues and in team matches, on two servers at least."""

from __future__ import annotations

import asyncio
import random

from tests.crash.boards import Boards
from tests.crash.directors import Tournaments
from tests.crash.gateway import Json
from tests.crash.leagues import Leagues
from tests.crash.players import COMPUTERS_VARIANT, VARIANTS, ComputersTable, Table
from tests.crash.stand_in import StandIn
from tests.crash.teams import Teams

TABLES = len(VARIANTS) + 1
# Where tournaments are held, and by whom.
EVENTS = 3900
PLAYERS = (51, 52, 53, 54)
# Where a league is, and whose.
LEAGUE = 3901
MEMBERS = (61, 62, 63, 64)
# Where teams play, on two servers, and who is in them.
HOME_AND_AWAY = (3902, 3903)
TEAMS = ((71, 72), (81, 82))


class Club:
    """They play as chance has it, of which ``seed`` is the beginning. ``letters``: the direct messages that were
    sent."""

    def __init__(self, seed: int, shards: int = 1) -> None:
        channels = [3000 + n for n in range(TABLES)]
        everywhere = [*channels, EVENTS, LEAGUE, *HOME_AND_AWAY]
        self.stand_in = StandIn(everywhere, random.Random(seed + 1), shards, servers=2)
        self.tables = {
            channel: self._table(channel, n, random.Random(seed + 2 + n)) for n, channel in enumerate(channels)
        }
        self.tournaments = Tournaments(self.stand_in, EVENTS, PLAYERS, random.Random(seed + 2 + TABLES))
        self.leagues = Leagues(self.stand_in, LEAGUE, MEMBERS, random.Random(seed + 4 + TABLES))
        self.teams = Teams(self.stand_in, HOME_AND_AWAY, TEAMS, random.Random(seed + 5 + TABLES))
        self.events: tuple[Boards, ...] = (self.tournaments, self.leagues, self.teams)
        self._events_in = {channel: events for events in self.events for channel in events.channels}
        self.letters: list[Json] = []
        self.news = asyncio.Event()
        self.stand_in.on_message = self._posted
        self.stand_in.on_edit = self._edited
        self.stand_in.on_answer = self._answered

    def _table(self, channel: int, n: int, lots: random.Random) -> Table:
        people = (11 + 2 * n, 12 + 2 * n)
        if n == len(VARIANTS):
            return ComputersTable(self.stand_in, channel, people[0], lots, COMPUTERS_VARIANT)
        return Table(self.stand_in, channel, people, lots, VARIANTS[n])

    @property
    def all_tables(self) -> list[Table]:
        """Where anybody plays."""
        return [*self.tables.values(), *(board for events in self.events for board in events.boards.values())]

    def play_on(self) -> list[asyncio.Task[None]]:
        """All of them, until they are cancelled."""
        at_tables = {f"table {channel}": table.play_on() for channel, table in self.tables.items()}
        everybody = at_tables | {type(events).__name__: events.play_on() for events in self.events}
        return [asyncio.create_task(play, name=name) for name, play in everybody.items()]

    def _posted(self, message: Json) -> None:
        where = self.stand_in.home_of(int(message["channel_id"]))
        if where in self.stand_in.private_channels.values():
            self.letters.append(message)
        else:
            (self._events_in.get(where) or self.tables[where]).posted(message)
        self.news.set()

    def _edited(self, message: Json) -> None:
        if (events := self._events_in.get(int(message["channel_id"]))) is not None:
            events.edited(message)
        self.news.set()

    def _answered(self, interaction: int, answer: Json) -> None:
        for table in self.all_tables:
            table.answered(interaction, answer)
        for events in self.events:
            events.answered(interaction, answer)
