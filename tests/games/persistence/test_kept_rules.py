"""A game goes on under the rules that it began with, whatever becomes of the variant's file."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.ruleset import Ruleset
from bot.games.model.errors import Damaged
from bot.games.persistence import kept_rules
from data.queries import games, rulesets
from tests.support.games.club import ANA, BEN, HALL, Club

SHIPPED = variants.shipped("spanish")
GONE = Ruleset("gone", SHIPPED.text.replace('name = "', 'name = "Old '))
"""A variant of which there is no file any more."""


async def begun(club: Club, ruleset: Ruleset) -> int:
    """A game of Ana and Ben under some rules."""
    game = await club.games.challenges.open(
        source=club.source(), opener=ANA, opponent=BEN, variant=ruleset, options=None, side="first", place=HALL
    )
    return (await club.games.challenges.accept(game.id, BEN, club.source())).id


async def test_a_game_outlives_the_file_of_its_variant(club: Club) -> None:
    """After a restart it is played on by those whose game it is, though nobody ships its rules."""
    game_id = await begun(club, GONE)
    club.restart()
    game = await club.games.moves.turn(game_id, ANA, "b3-a4", club.source())
    assert (GONE, 1) == (game.rules.variant.ruleset, game.ply)
    assert [] == await club.check()


async def test_a_file_that_changes_leaves_running_games_as_they_were(club: Club) -> None:
    """The rules of a game are those of the text that it began with; a new game has the new ones."""
    shipped = variants.shipped("pinoy")
    old = Ruleset("pinoy", shipped.text.replace("moves = 12", "moves = 10"))
    game_id = await begun(club, old)
    club.restart()
    game = await club.games.game(game_id)
    assert old == game.rules.variant.ruleset
    new = await club.games.challenges.accept((await club.challenge(BEN, ANA)).id, ANA, club.source())
    assert shipped == new.rules.variant.ruleset


async def test_each_text_is_kept_once(club: Club) -> None:
    """A hundred games of one variant do not hold its text a hundred times."""
    first, second = await begun(club, GONE), await begun(club, GONE)
    async with club.store.read() as tx:
        rows = [await games.game_row(tx, game_id) for game_id in (first, second)]
        texts = (await tx.execute(sa.text("SELECT hash, text FROM rulesets"))).all()
    assert [GONE.hash] * 2 == [row.rules_hash for row in rows if row]
    assert [(GONE.hash, GONE.text)] == [tuple(text) for text in texts]


async def test_a_rematch_is_played_by_the_same_rules(club: Club) -> None:
    """Also where the file says something else by then."""
    game_id = await begun(club, GONE)
    await club.games.moves.resign(game_id, ANA, club.source())
    again = await club.games.challenges.rematch(game_id, BEN, club.source())
    assert GONE == again.rules.variant.ruleset


async def test_a_text_that_is_lost_is_told(club: Club) -> None:
    """No other rules are put in the place of those that a game began with."""
    game_id = await begun(club, GONE)
    async with club.store.write() as tx:
        await tx.execute(sa.text("DELETE FROM rulesets"))
    club.restart()
    with pytest.raises(Damaged, match="the text of its rules is missing"):
        await club.games.game(game_id)


async def test_texts_that_nothing_needs_go(club: Club) -> None:
    """What a game is played by stays; what stands under no name and is played by nobody goes."""
    await begun(club, GONE)
    async with club.store.write() as tx:
        await kept_rules.keep(tx, variants.load(SHIPPED))
        gone = await rulesets.forget_unused(tx)
        left = await rulesets.titles(tx, [SHIPPED.hash, GONE.hash])
    assert (1, {GONE.hash: "Old Dama (Spanish draughts)"}) == (gone, left)


def test_a_broken_text_is_told(club: Club) -> None:
    """Whoever reads rules says what is wrong with them, by the id of the variant."""
    with pytest.raises(VariantError, match=r"gone\.toml: "):
        variants.load(Ruleset("gone", "name = 1"))
