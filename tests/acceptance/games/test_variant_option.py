"""Choosing a game: suggestions as one types, what is typed by hand, and more games than Discord has room for."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from shutil import copy

import pytest

from bot.engine import ruleset, variant_search
from tests.support.discord.world import World, said
from tests.support.engine.game_files import text_of

CACHES = (ruleset._shipped, ruleset.shipped, variant_search.shipped)


@pytest.fixture(scope="module", autouse=True)
def forty_more(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Forty games beside those that are shipped."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "variants").mkdir()
    for file in files("data").joinpath("variants").iterdir():
        copy(str(file), folder / "variants")
    text = text_of("give-away")
    for number in range(1, 41):
        named = text.replace('"Give-away"', f'"House game {number}"\naliases = ["Partie {number}"]')
        (folder / "variants" / f"house{number}.toml").write_text(named, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ruleset, "files", lambda package: folder)
        for cache in CACHES:
            cache.cache_clear()
        yield
    for cache in CACHES:
        cache.cache_clear()


async def offered(here: World, typed: str = "", command: str = "play") -> list[str]:
    return [each["value"] for each in await here.alice.autocomplete(here.channel, command, "variant", typed)]


async def test_as_many_games_are_listed_as_discord_takes(here: World) -> None:
    """At most 25, those first that come first while nobody has played here; the others are found by typing."""
    listed = await offered(here)

    assert 25 == len(listed)
    assert {"spanish", "pinoy", "americanas", "tama", "chinese-checkers"} == set(listed[:5])
    assert ["house39"] == await offered(here, "partie 39")
    assert ["tama"] == await offered(here, "ARMENIAN")
    assert [] == await offered(here, "chess")


@pytest.mark.parametrize(("language", "first"), [("fil", "pinoy"), ("hy", "tama"), ("es", "spanish")])
async def test_the_game_of_a_language_comes_first(here: World, language: str, first: str) -> None:
    """For those who read it; the others follow in their order."""
    await here.alice.slash(here.channel, "me settings", language=language)

    assert first == (await offered(here))[0]
    assert {"spanish", "pinoy", "americanas", "tama", "chinese-checkers"} == set((await offered(here))[:5])


@pytest.mark.parametrize("command", ["play", "rules", "puzzle", "me rating", "leaderboard"])
async def test_every_command_suggests_games(here: World, command: str) -> None:
    """A puzzle is never one of Chinese checkers."""
    assert ["house7"] == await offered(here, "house7", command)
    assert ([] if command.startswith("puzzle") else ["chinese-checkers"]) == await offered(here, "chinese", command)


async def test_what_is_played_here_comes_first(here: World) -> None:
    """On this server; elsewhere nothing changes."""
    await here.start("house33")

    assert "house33" == (await offered(here))[0]


async def test_names_may_be_typed_by_hand(here: World) -> None:
    """What was not picked from the list is the game that it names."""
    await here.play("Partie 12")
    await here.bob.click(here.last, label="Accept")

    assert "house12" == (await here.game()).variant_id
    assert said(await here.carol.slash(here.channel, "rules", variant="house game 3")).startswith("**House game 3**")


async def test_a_game_that_there_is_not_is_refused_in_a_sentence(here: World) -> None:
    """And nothing is posted."""
    answer = said(await here.play("chess"))

    assert "There is no game 'chess' here. Choose one of those that are offered as you type." == answer
    assert [] == here.posts()


async def test_other_options_know_the_game_that_was_typed(here: World) -> None:
    """Sides and rules are suggested for a game named by hand, and for none where there is none such."""

    async def suggested(option: str, variant: str) -> list[str]:
        choices = await here.alice.autocomplete(here.channel, "play", option, "", variant=variant)
        return [str(each["name"]) for each in choices]

    assert "Red: you begin" == (await suggested("side", "Damas americanas"))[0]
    assert "neglect=compulsory" in await suggested("rules", "Damas americanas")
    assert "First: you begin" == (await suggested("side", "chess"))[0]
    assert [] == await suggested("rules", "chess")
