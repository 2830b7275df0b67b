"""The variants of a server's own: added, changed, removed; who is offered them, and what becomes of their games."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.background.nightly import tidy
from bot.engine import variants
from bot.engine.ruleset import Ruleset
from bot.games.model.errors import Refused
from bot.games.use_cases.server_variants import MOST_VARIANTS
from data.queries import people
from tests.support.games.club import ANA, BEN, HALL, Club

HERE, THERE = 7, 8
TEXT = variants.shipped("tama").text.replace('name = "Tama (Armenian draughts)"', 'name = "House dama"')
OTHER = TEXT.replace("turn_back = false", "turn_back = true")


def called(title: str) -> str:
    return TEXT.replace("House dama", title)


async def begun(club: Club) -> int:
    """A running game of the server's variant `house`."""
    own = await club.games.variants.find(HERE, "house")
    game = await club.games.challenges.open(
        source=club.source(), opener=ANA, opponent=BEN, variant=own.ruleset, options=None, side="first", place=HALL
    )
    return (await club.games.challenges.accept(game.id, BEN, club.source())).id


async def names(club: Club, guild_id: int) -> list[str]:
    return [each.name for each in await club.games.variants.of(guild_id)]


async def hashes(club: Club) -> set[str]:
    async with club.store.read() as tx:
        return set((await tx.execute(sa.text("SELECT hash FROM rulesets"))).scalars())


async def test_a_variant_is_its_servers(club: Club) -> None:
    """It is offered where it was added, also after a restart, and nowhere else; two servers may use one name."""
    added = await club.games.variants.add(HERE, "house", TEXT)
    assert ("house@7", "House dama") == (added.id, f"{added.name}")
    await club.games.variants.add(THERE, "house", called("Another"))
    club.restart()
    assert ["House dama"] == [f"{v.variant.name}" for v in await club.games.variants.of(HERE) if v.variant]
    assert ["Another"] == [f"{v.variant.name}" for v in await club.games.variants.of(THERE) if v.variant]
    assert [] == await names(club, 9)


async def test_a_game_keeps_its_rules_when_the_variant_is_changed_and_removed(club: Club) -> None:
    """New games have the new rules; after the removal there are none, and the old game is played to its end."""
    await club.games.variants.add(HERE, "house", TEXT)
    game_id = await begun(club)
    await club.games.variants.edit(HERE, "house", OTHER)
    second = await begun(club)
    await club.games.variants.remove(HERE, "house")
    await tidy(club.store, club.clock)
    club.restart()
    assert Ruleset("house@7", TEXT) == (await club.games.game(game_id)).rules.variant.ruleset
    assert Ruleset("house@7", OTHER) == (await club.games.game(second)).rules.variant.ruleset
    await club.play(await club.games.game(game_id), "a3-a4", "a6-a5")
    ended = await club.games.moves.resign(game_id, ANA, club.source())
    assert "finished" == ended.status
    assert [] == await club.check()
    with pytest.raises(Refused, match="no variant 'house'"):
        await club.games.challenges.rematch(game_id, BEN, club.source())
    with pytest.raises(Refused, match="no variant 'house'"):
        await begun(club)


async def test_a_rematch_of_a_variant_that_the_server_has(club: Club) -> None:
    """It is played as the game before, also where the variant has changed since."""
    await club.games.variants.add(HERE, "house", TEXT)
    game_id = await begun(club)
    await club.games.moves.resign(game_id, ANA, club.source())
    await club.games.variants.edit(HERE, "house", OTHER)
    again = await club.games.challenges.rematch(game_id, BEN, club.source())
    assert TEXT == again.rules.variant.ruleset.text


async def test_what_is_refused(club: Club) -> None:
    """A name that is taken, a title that is taken, one to change or remove that there is not, a file that is none."""
    add = club.games.variants.add
    await add(HERE, "house", TEXT)
    with pytest.raises(Refused, match="This server already has a variant `house`"):
        await add(HERE, "house", OTHER)
    with pytest.raises(Refused, match="Another variant on this server is already called “House dama”"):
        await add(HERE, "second", TEXT)
    with pytest.raises(Refused, match="no variant 'third'"):
        await club.games.variants.edit(HERE, "third", OTHER.replace("House", "Third"))
    with pytest.raises(Refused, match="no variant 'third'"):
        await club.games.variants.remove(HERE, "third")
    with pytest.raises(Refused, match="not TOML"):
        await add(HERE, "fourth", "nonsense")
    assert ["house"] == await names(club, HERE)


async def test_a_request_that_comes_twice_adds_once(club: Club) -> None:
    """Discord may deliver a command a second time: the same text under the same name is there already."""
    await club.games.variants.add(HERE, "house", TEXT)
    await club.games.variants.add(HERE, "house", TEXT)
    assert ["house"] == await names(club, HERE)


async def test_so_many_and_no_more(club: Club) -> None:
    """A server has 25 variants at most, also where two managers add at one moment."""
    for number in range(MOST_VARIANTS - 1):
        await club.games.variants.add(HERE, f"v{number}", called(f"Number {number}"))
    both = [club.games.variants.add(HERE, name, called(f"Last {name}")) for name in ("x", "y")]
    results = await asyncio.gather(*both, return_exceptions=True)
    assert ["Refused"] == [type(each).__name__ for each in results if isinstance(each, Exception)]
    assert MOST_VARIANTS == len(await club.games.variants.of(HERE))


async def test_a_text_that_this_version_cannot_play_is_listed_with_the_reason(club: Club) -> None:
    """A newer version may refuse what an older one took: the others are offered, and the list says what is wrong."""
    await club.games.variants.add(HERE, "house", TEXT)
    await club.games.variants.add(HERE, "second", called("Second"))
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE rulesets SET text = 'x = 1' WHERE title = 'House dama'"))
    club.restart()
    first, second = await club.games.variants.of(HERE)
    assert first.variant is None
    assert "house@7.toml" in first.why
    assert second.variant is not None


async def test_texts_go_when_nothing_needs_them(club: Club) -> None:
    """At night: not while they stand under a name, not while a game was begun with them."""
    await club.games.variants.add(HERE, "house", TEXT)
    await club.games.variants.edit(HERE, "house", OTHER)
    await tidy(club.store, club.clock)
    old, new = Ruleset("", TEXT).hash, Ruleset("", OTHER).hash
    assert {new} == await hashes(club)
    await begun(club)
    await club.games.variants.edit(HERE, "house", TEXT)
    await tidy(club.store, club.clock)
    assert {new, old} == await hashes(club)
    await club.games.variants.remove(HERE, "house")
    await tidy(club.store, club.clock)
    assert {new} == await hashes(club)


async def test_a_server_that_has_gone_is_forgotten(club: Club) -> None:
    """Its variants go with its settings; a server that has nothing but variants is known to have been there."""
    await club.games.variants.add(HERE, "house", TEXT)
    game_id = await begun(club)
    async with club.store.read() as tx:
        assert {HERE} == await people.servers_kept(tx)
    await club.games.privacy.server_gone(HERE)
    assert ["house"] == await names(club, HERE)
    await club.games.privacy.forget_server(HERE)
    assert [] == await names(club, HERE)
    assert TEXT == (await club.games.game(game_id)).rules.variant.ruleset.text


async def test_a_person_who_is_forgotten_takes_no_variant_along(club: Club) -> None:
    """Nothing is kept of who wrote a variant: it is the server's."""
    await club.games.variants.add(HERE, "house", TEXT)
    kept = await club.games.privacy.data_of(ANA)
    await club.games.privacy.forget(ANA, club.source())
    assert "House dama" not in str(kept)
    assert ["house"] == await names(club, HERE)


async def test_games_are_taken_along_with_their_rules(club: Club) -> None:
    """What is exported holds the text; where it is read in, nobody need have the variant."""
    await club.games.variants.add(HERE, "house", TEXT)
    game_id = await begun(club)
    await club.games.moves.resign(game_id, ANA, club.source())
    transcript = await club.games.archive.transcript(game_id)
    await club.games.variants.remove(HERE, "house")
    stored = await club.games.archive.import_games([replace(transcript, began=1)])
    assert 1 == len(stored.games)
    assert TEXT == (await club.games.game(stored.games[0])).rules.variant.ruleset.text
