"""How many bytes a game takes in the database, by table and index.

    python benchmarks/rows.py [--games 500] [--turns 30] [--every 6] [--clock 3d] [--folder /dev/shm]

Games are played through the use cases, all of them side by side with so many hours between a player's turns, and every
post is marked as sent; each night is tidied as the bot does it. The pages that each part of the file takes are counted
(SQLite's ``dbstat``) when the games run, when they are just over, and some days and weeks later.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

from turn_processes import quiet

from bot.background.nightly import tidy
from bot.games.model.game import Game, Place
from bot.games.persistence.outbox import Outbox
from bot.games.service import Games
from bot.support.time_units import DAY, HOUR
from data.store import Store

FIRST_MOMENT = 1_790_000_000_000
DISCORD_BEGAN = 1_420_070_400_000


class Club:
    """Games that go on side by side, with ids as Discord gives them."""

    def __init__(self, file: Path, clock: str, lots: random.Random) -> None:
        self.now = FIRST_MOMENT
        self._numbers = itertools.count()
        self._lots, self._clock = lots, clock
        self.store = Store(f"sqlite+aiosqlite:///{file}")
        self.games = Games(self.store, lambda: self.now, lots, max_open_challenges=100_000)
        self.outbox = Outbox(self.store, lambda: self.now)
        self._night = FIRST_MOMENT // DAY

    def id(self) -> int:
        return (self.now - DISCORD_BEGAN << 22) + next(self._numbers) % 4096

    async def begin(self) -> Game:
        ana, ben, place = self.id(), self.id(), Place(self.id(), self.id())
        opened = await self.games.challenges.open(
            source=f"i:{self.id()}",
            opener=ana,
            opponent=ben,
            variant="pinoy",
            options={},
            side="first",
            place=place,
            clock=self._clock,
        )
        await self._post(opened)
        game = await self.games.challenges.accept(opened.id, ben, f"i:{self.id()}")
        await self._post(game)
        return game

    async def turn(self, game: Game) -> Game:
        """A turn by lot, typed, a moment later."""
        self.now += self._lots.randrange(100)
        assert game.to_move is not None
        turn = self._lots.choice(game.rules.turns(game.state)).text
        game = await self.games.moves.turn(game.id, game.to_move, turn, f"m:{self.id()}")
        await self._post(game)
        return game

    async def resign(self, game: Game) -> None:
        await self._post(await self.games.moves.resign(game.id, game.opener, f"i:{self.id()}"))

    async def _post(self, game: Game) -> None:
        for each in await self.outbox.due(game.id):
            await self.outbox.sent(each, self.id(), game.channel_id or game.place.channel_id)

    async def wait(self, hours: float) -> None:
        """Let time pass, and nights be tidied."""
        self.now += int(hours * HOUR)
        if self.now // DAY > self._night:
            self._night = self.now // DAY
            await self.games.outages.alive()
            await tidy(self.store, lambda: self.now)


def bytes_by_part(file: Path) -> dict[str, int]:
    """The bytes of the pages that each table and index takes; what belongs to no game is left out."""
    with sqlite3.connect(file) as connection:
        found = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall()
    connection.close()
    return {name: size for name, size in found if size > 4096}


async def measure(asked: argparse.Namespace, file: Path, told: Callable[[str, dict[str, int]], None]) -> None:
    club = Club(file, asked.clock, random.Random(1))
    await club.store.open()
    await club.games.outages.resume()
    running = [await club.begin() for _ in range(asked.games)]
    for _ in range(asked.turns):
        await club.wait(asked.every)
        going = [game for game in running if game.status == "running"]
        running = [await club.turn(game) for game in going]
    told(f"running, {asked.turns} turns", bytes_by_part(file))
    for game in running:
        if game.status == "running":
            await club.resign(game)
    told("just over", bytes_by_part(file))
    await club.wait(24 * 2)
    told("two days later", bytes_by_part(file))
    await club.wait(24 * 33)
    told("five weeks later", bytes_by_part(file))
    await club.store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--every", type=float, default=6)
    parser.add_argument("--clock", default="3d")
    parser.add_argument("--folder")
    asked = parser.parse_args()
    quiet()

    def told(when: str, sizes: dict[str, int]) -> None:
        print(f"{when}: {sum(sizes.values()) / asked.games:,.0f} bytes a game")
        for name, size in sorted(sizes.items(), key=lambda each: -each[1]):
            print(f"  {name:44} {size / asked.games:8,.0f}")

    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        asyncio.run(measure(asked, Path(folder) / "rows.sqlite3", told))


if __name__ == "__main__":
    main()
