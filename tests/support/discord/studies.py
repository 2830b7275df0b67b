"""What acceptance tests of puzzles and analyses share: two puzzles, and a finished game that is analysed."""

from __future__ import annotations

from bot.computer.puzzles import Puzzle
from tests.support.discord.world import World

PUZZLES = (
    Puzzle(
        "spanish",
        {},
        "B:Wb3,d5,f1,g2,h3,h5:Ba6,b7,e4,f7,g8,h7",
        ("f7-g6", "h5xf7", "g8xe6xc4xa2"),
        1190,
        ("long-capture",),
    ),
    Puzzle("spanish", {}, "W:Wa2,a4,b3,c4,h1,h3:Ba6,c6,d3,e6,f3,f7,g6,g8", ("c4-b5", "a6xc4", "b3xd5xb7"), 1284),
)


async def kept(here: World, number: int) -> None:
    """A game's analysis is done."""

    async def is_kept() -> bool:
        return await here.bot.services.analyses.kept(number) is not None

    await here.until(is_kept)
    await here.env.settle()


async def finished(here: World) -> int:
    """A short game with a blunder, resigned; its number."""
    game = await here.start("spanish")
    for person, text in (
        (here.alice, "b3-c4"),
        (here.bob, "e6-f5"),
        (here.alice, "c4-b5"),
        (here.bob, "a6xc4"),
    ):
        await here.mention(person, text)
    await here.alice.slash(here.channel, "game resign")
    await here.bot.services.games.moves.resign(game.id, here.alice.id, "test:resign")
    return game.id
