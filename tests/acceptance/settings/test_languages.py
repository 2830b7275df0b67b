"""Each in its own language: people by their settings, posts by the server's, commands as Discord shows them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.chat import command_sync
from bot.chat.onboarding.help import MOVE, TOPICS, help_card, topic_card
from bot.chat.tournaments.typed_values import as_typed, when
from bot.i18n import LANGUAGES, speaking
from tests.support.discord.game_time import begin, direct, wait
from tests.support.discord.world import World, labels, said

DESCRIBED = "description"
SPANISH = ("es-ES", "es-419")


def parts(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A command, its subcommands, parameters and choices."""
    yield payload
    for inner in (*payload.get("options", ()), *payload.get("choices", ())):
        yield from parts(inner)


def longest(part: dict[str, Any], field: str) -> int:
    return max(len(text) for text in (part.get(field, ""), *part.get(f"{field}_localizations", {}).values()))


def manager(here: World) -> MemberActor:
    """Somebody who may manage the server."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    return here.guild.add_member(here.env.create_user("manager"), roles=[boss])


async def spanish(here: World, person: MemberActor) -> None:
    """``person`` wants to be spoken to in Spanish."""
    await person.slash(here.channel, "me settings", language="es")


async def test_discord_shows_the_commands_in_spanish(here: World) -> None:
    """Every description has a Spanish text for Spain and for America; names stay what people and programs call."""
    for command in await command_sync.payload_of(here.bot.tree):
        for part in parts(command):
            assert part.get("name_localizations", {}) == {} or "value" in part
            assert part.get(DESCRIBED) != "…", part["name"]
            if part.get(DESCRIBED):
                assert set(SPANISH) <= part.get("description_localizations", {}).keys(), part[DESCRIBED]


async def test_no_language_is_longer_than_discord_takes(here: World) -> None:
    """100 characters for a description and a choice, 8000 for all of a command, the longest language counted."""
    for command in await command_sync.payload_of(here.bot.tree):
        total = 0
        for part in parts(command):
            assert longest(part, DESCRIBED) <= 100, part
            assert longest(part, "name") <= (100 if "value" in part else 32), part
            total += longest(part, DESCRIBED) + longest(part, "name") + len(str(part.get("value", "")))
        assert total <= 8000, (command["name"], total)


async def test_choices_of_the_language_are_called_by_their_own_names(here: World) -> None:
    """Whoever cannot read English finds the own language."""
    payload = await command_sync.payload_of(here.bot.tree)
    me = next(command for command in payload if command["name"] == "me")
    settings = next(command for command in me["options"] if command["name"] == "settings")
    language = next(option for option in settings["options"] if option["name"] == "language")

    own = [(name, code) for code, name in LANGUAGES.items()]
    assert [*own, ("Same as Discord", "discord")] == [
        (choice["name"], choice["value"]) for choice in language["choices"]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_help_fits_one_message(language: str) -> None:
    """No part of it is cut off, with plain messages or without, as a card or not."""
    with speaking(language):
        cards = [help_card(where) for where in MOVE]
        for card in cards + [
            topic_card(topic, where, plain=plain) for topic, where, plain in product(TOPICS, MOVE, (True, False))
        ]:
            assert len(card.text) <= 2000
            assert card.text.replace("\n", "") == card.plain()[0].replace("\n", "")


async def test_a_person_of_another_language_than_the_server(here: World) -> None:
    """A whole game: what is posted is English, what one of the two is told is Spanish, the other's is English."""
    await spanish(here, here.bob)
    await here.start("pinoy")

    await here.mention(here.alice, "c3-d4")
    assert "it is your turn (Black)" in here.last.content
    theirs = await here.bob.slash(here.channel, "board")
    mine = await here.alice.slash(here.channel, "board")
    assert "le toca a" in said(theirs)
    assert "is to move" in said(mine)
    await here.mention(here.bob, "d6-f4")
    assert "Un peón mueve una sola casilla, y de d6 a f4 no hay captura." == here.last.content
    await here.mention(here.bob, "d6-e5")
    assert "Black: **d6-e5**" in here.last.content
    asked = await here.bob.slash(here.channel, "game resign")
    assert "¿Abandonas esta partida? No se puede deshacer." == said(asked)
    assert asked.response is not None
    await here.bob.click(asked.response, label="Abandonar")

    assert "Black resigned." in here.last.content
    assert "White has won: Black resigned." in (here.last.attachments[0].description or "")
    history = await here.bob.slash(here.channel, "me history")
    assert "**perdida** (abandono de Negras)" in said(history)
    assert "**won** (Black resigned)" in said(await here.alice.slash(here.channel, "me history"))


async def test_a_server_of_another_language_than_a_person(here: World) -> None:
    """The other way round: Spanish posts, descriptions of pictures and buttons; English answers to who wants it."""
    await manager(here).slash(here.channel, "server settings", language="es")
    await here.alice.slash(here.channel, "me settings", language="en")
    await here.play("pinoy")
    assert f"{here.alice.mention} desafía a {here.bob.mention}" in here.last.content
    await here.bob.click(here.last, label="Aceptar")

    post = here.last
    assert "empieza la partida" in post.content
    assert "te toca (Blancas)" in post.content
    assert "Pinoy Dama (damas filipinas). Blancas: peones a1" in (post.attachments[0].description or "")
    assert ["Mover", "Tablas", "Abandonar", "Mi lado", LANGUAGES["fil"]] == [
        child.label
        for row in post.components
        if isinstance(row, discord.ActionRow)
        for child in row.children
        if isinstance(child, discord.Button)
    ]
    assert "is to move" in said(await here.alice.slash(here.channel, "board"))
    assert "le toca a" not in said(await here.alice.slash(here.channel, "board"))
    await here.mention(here.alice, "c3-e5")
    assert "A man moves one square only, and there is no capture from c3 to e5." == here.last.content
    await here.mention(here.alice, "c3-d4")
    assert "Blancas: **c3-d4**" in here.last.content
    await here.bob.slash(here.channel, "game abort")
    assert f"{here.bob.mention} ha anulado esta partida; no cuenta." in here.posts()[-1].content


async def spoken(here: World, language: str) -> None:
    """The server and both players read ``language`` from now on."""
    await manager(here).slash(here.channel, "server settings", language=language)
    for person in (here.alice, here.bob):
        await person.slash(here.channel, "me settings", language=language)


async def test_a_game_in_filipino(here: World) -> None:
    """Posts, buttons, refusals and the answers to questions typed in the language itself."""
    await spoken(here, "fil")
    await here.play("pinoy")
    await here.bob.click(here.last, label="Tanggapin")

    assert "ikaw na ang titira (Puti)" in here.last.content
    assert ["Tumira", "Tabla", "Sumuko", "Panig ko"] == labels(here.last)
    assert (here.last.attachments[0].description or "").endswith("Puti (alice) ang titira.")
    await here.mention(here.alice, "hanay 3")
    assert "Hanay 3: a3 pitsa (Puti), c3 pitsa (Puti), e3 pitsa (Puti), g3 pitsa (Puti)." == here.last.content
    await here.mention(here.alice, "mga dama")
    assert "Walang dama ang Puti.\nWalang dama ang Itim." == here.last.content
    await here.mention(here.alice, "c3-e5")
    assert "Isang square lang ang galaw ng pitsa, at walang kain mula c3 papuntang e5." == here.last.content
    shown = await here.alice.slash(
        here.channel, "setup", variant="pinoy", position="puti: dama d4; itim: b8; titira: puti"
    )
    assert "`W:WKd4:Bb8`" in said(shown)


async def test_the_language_of_a_game_is_offered_where_it_begins(here: World) -> None:
    """Under the challenge and the first board, by its own name; whoever presses it is spoken to in it from then on, and
    nobody else; afterwards nothing of it is there any more."""
    await here.play("pinoy")
    assert ["Accept", "Decline", "Withdraw", "Filipino"] == labels(here.last)
    answer = await here.bob.click(here.last, label="Filipino")
    assert answer.response is not None
    assert answer.response.ephemeral
    assert "Mula ngayon, Filipino na ang gamit ko sa iyo" in said(answer)
    await here.bob.click(here.last, label="Accept")

    assert [] == labels(here.posts()[0])
    assert ["Move", "Draw", "Resign", "My side", "Filipino"] == labels(here.last)
    await here.mention(here.alice, "c3-d4")
    assert ["Move", "Draw", "Resign", "My side"] == labels(here.last)
    speech = here.bot.services.languages
    assert ["fil", "en"] == [await speech.of_person(person.id, here.guild.id) for person in (here.bob, here.alice)]


async def test_a_language_is_offered_to_those_who_have_chosen_none(here: World) -> None:
    """Not where the server speaks it, nor where both have said what they read; in games of other peoples never."""
    await here.start("spanish")
    assert "Filipino" not in labels(here.last)
    await here.alice.slash(here.channel, "game abort")
    for person in (here.alice, here.bob):
        await person.slash(here.channel, "me settings", language="en")
    await here.play("pinoy")
    assert "Filipino" not in labels(here.last)
    await here.alice.click(here.last, label="Withdraw")
    await here.bob.slash(here.channel, "me settings", language="discord")
    await manager(here).slash(here.channel, "server settings", language="fil")
    await here.play("pinoy")
    assert "Filipino" not in labels(here.last)


async def test_a_challenge_to_all_offers_the_language(here: World) -> None:
    """Whoever may come can take it; a press on a button of a language that is spoken no more says what to do."""
    await here.alice.slash(here.channel, "me settings", language="en")
    await here.alice.slash(here.channel, "play", variant="pinoy")
    assert "Filipino" in labels(here.last)
    stored = here.env.backend.get_message(here.channel.id, here.last.id)
    unknown = stored.components[0]["components"][-1]["custom_id"] = "damero:language:1:0:xx"

    answer = await here.carol.click(here.last, custom_id=unknown)
    assert "older version" in said(answer)


async def test_languages_are_kept(here: World) -> None:
    """Both choices outlive a restart; "As Discord says" takes them back."""
    await spanish(here, here.bob)
    await manager(here).slash(here.channel, "server settings", language="es")
    await here.restart()

    assert "- Idioma: Español" in said(await here.bob.slash(here.channel, "me settings"))
    assert "- Language: same as Discord" in said(await here.alice.slash(here.channel, "me settings"))
    answer = await manager(here).slash(here.channel, "server settings", language="discord")
    assert "- Language: same as Discord" in said(answer)
    back = await here.bob.slash(here.channel, "me settings", language="discord")
    assert "- Language: same as Discord" in said(back)


async def test_a_manager_is_answered_in_the_language_just_set(here: World) -> None:
    """The settings come back in the server's new language, and in its own again when that is taken back."""
    answer = await manager(here).slash(here.channel, "server settings", language="es")
    assert "Idioma: Español" in said(answer)
    assert "Desafíos abiertos por persona: 10" in said(answer)
    answer = await manager(here).slash(here.channel, "server settings", language="discord")
    assert "Language: same as Discord" in said(answer)
    assert "Open challenges per person: 10" in said(answer)


async def test_discord_says_which_language(here: World) -> None:
    """Without a choice it is the one of the person's Discord, where that is spoken; else the server's."""
    speech, person, guild = here.bot.services.languages, here.alice.id, here.guild.id

    assert "es" == await speech.of_person(person, guild, discord.Locale.latin_american_spanish)
    assert "en" == await speech.of_person(person, guild, discord.Locale.british_english)
    assert "en" == await speech.of_person(person, guild, discord.Locale.french)
    await manager(here).slash(here.channel, "server settings", language="es")
    assert "es" == await speech.of_person(person, guild, discord.Locale.french)
    assert "es" == await speech.of_person(person, guild)
    assert "en" == await speech.of_person(person, guild, discord.Locale.american_english)
    assert "en" == await speech.of_server(None)


async def test_a_challenge_names_sides_in_either_language(here: World) -> None:
    """The option `side` takes the side's name as whoever asks reads it, and in English."""
    await spanish(here, here.alice)

    await here.play("pinoy", side="negras")
    assert f"{here.alice.mention} plays Black" in here.last.content
    offered = await here.alice.autocomplete(here.channel, "play", "side", "", variant="pinoy")
    assert ["Blancas: empiezas tú", "Negras", "Al azar"] == [choice["name"] for choice in offered]


async def test_reminders_are_in_the_persons_language(here: World) -> None:
    """By direct message, whatever the server speaks; what is said of it in the channel is the server's."""
    await spanish(here, here.alice)
    await begin(here)

    await wait(here, 36.1)
    assert ", contra " in direct(here.alice)[-1].content
    assert "Ha pasado la mitad de tu tiempo para esta jugada." in direct(here.alice)[-1].content
    await here.alice.slash(here.channel, "me vacation start")
    assert f"{here.alice.mention} is on vacation, until" in here.last.content


async def test_an_event_in_spanish(here: World) -> None:
    """Its announcement, its buttons and what its director is told, in the language of each."""
    director = manager(here)
    await director.slash(here.channel, "server settings", language="es")
    await spanish(here, director)
    created = await director.slash(
        here.channel, "tournament create swiss", name="Autumn", variant="spanish", clock="3d", rounds=2
    )
    assert "está anunciado abajo" in said(created)
    post = here.last
    assert "**Autumn** (torneo 1): un suizo de 2 rondas" in post.content
    assert "de Dama (damas españolas)." in post.content
    for person in (here.alice, here.bob, here.carol):
        await person.click(post, label="Unirse")
    await director.slash(here.channel, "tournament start")

    texts = [message.content for message in here.posts()]
    assert any("**Autumn, ronda 1**" in text and "descansa." in text for text in texts)
    round_one = next(message for message in here.posts() if "**Autumn, ronda 1**" in message.content)
    label = labels(round_one)[0]
    why = await here.alice.click(round_one, label=label)
    assert "has the bye" in said(why) or "points" in said(why)
    await spanish(here, here.alice)
    told = said(await here.alice.click(round_one, label=label))
    assert "El número de jugadores es impar" in told or "su grupo de puntos tiene 3 jugadores" in told


@pytest.mark.parametrize(
    ("language", "start", "quiet_hours", "shown"),
    [
        ("es", "mañana a las 8 de la noche", "de 22:00 a 7:30", "22:00 a 7:30"),
        ("fil", "bukas ng gabi, alas-8", "10 pm hanggang 7:30 am", "10:00 PM hanggang 7:30 AM"),
        ("hy", "վաղը ժամը 20:00-ին", "22:00 \u2013 7:30", "22:00 \u2013 07:30"),
    ],
)
async def test_times_are_typed_and_shown_in_the_language(
    here: World, language: str, start: str, quiet_hours: str, shown: str
) -> None:
    """The start of a tournament, quiet hours; and what the bot shows is understood when it is typed again."""
    director = manager(here)
    settings = await director.slash(here.channel, "me settings", language=language, quiet_hours=quiet_hours)
    assert shown in said(settings)
    services, person = here.bot.services, director.id
    created = {"name": "X", "variant": "spanish", "clock": "3d", "rounds": 2, "start": start}
    await director.slash(here.channel, "tournament create swiss", **created)

    begins = (await services.tournaments.load(1)).state.timing.start
    now = here.env.now()
    assert now.replace(hour=20, minute=0, second=0, microsecond=0) + timedelta(days=1) == datetime.fromtimestamp(
        begins / 1000, UTC
    )
    with speaking(language):
        assert begins == await when(services, person, await as_typed(services, person, begins))


async def test_a_games_heading_is_in_the_servers_language(here: World) -> None:
    """What a game is part of stands above its first board in the server's language, whoever has paired it."""
    director = manager(here)
    await director.slash(here.channel, "server settings", language="es")
    await director.slash(here.channel, "me settings", language="en")
    await director.slash(
        here.channel, "tournament create swiss", name="Autumn", variant="spanish", clock="3d", rounds=1
    )
    post = here.last
    for person in (here.alice, here.bob):
        await person.click(post, label="Unirse")
    await director.slash(here.channel, "tournament start")

    (thread,) = here.channel.threads
    assert "**Autumn, ronda 1**: **Dama (damas españolas)**: empieza la partida." in thread.history()[0].content


async def test_a_game_in_armenian(here: World) -> None:
    """Posts, buttons, refusals and answers, with the signs of Armenian and, in Tama, its own word for a king."""
    await spoken(here, "hy")
    await here.play("tama")
    await here.bob.click(here.last, label="Ընդունել")

    assert "քո հերթն է (Սպիտակ)։" in here.last.content
    assert ["Քայլել", "Ոչ-ոքի", "Հանձնվել", "Իմ կողմից"] == labels(here.last)[:4]
    assert (here.last.attachments[0].description or "").endswith("Քայլում է Սպիտակ կողմը (alice)։")
    await here.mention(here.alice, "տամանե՞ր")
    assert "Սպիտակ կողմը տամա չունի։\nՍև կողմը տամա չունի։" == here.last.content
    await here.mention(here.alice, "a3-a5")
    assert here.last.content.startswith("Քարը միայն մեկ վանդակ է գնում, իսկ a3")
    await here.mention(here.alice, "a3-a4")
    assert "Սպիտակ՝ **a3-a4**" in here.last.content
