"""A tournament directed with one command and taps."""

from __future__ import annotations

import re

import pytest
from discord import app_commands

from bot.chat.tournaments import kept_forms
from bot.chat.tournaments.commands.create import CREATE
from bot.chat.tournaments.manage import manage_panel, round_tasks, setting_forms
from bot.games.model.errors import Refused
from bot.tournaments.pairing.record import Mark
from tests.support.discord.director_panel import Panel
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, labels, said, words_of


async def test_a_swiss_of_five_by_one_command_and_taps(here: World) -> None:
    """Three rounds follow from five players; one result is corrected; after `/tournament create` the director taps."""
    club = Club(here, 5)
    director = club.director
    created = await director.slash(here.channel, "tournament create swiss", name="Autumn", variant="pinoy")
    assert "*Start* appears under it as soon as 2 players have joined." in said(created)
    assert "The number of rounds is decided when it begins, by the number" in club.announcement.content
    assert ["Join", "Leave", "Manage"] == labels(club.announcement)
    await club.join(*club.players)
    assert ["Join", "Leave", "Start", "Manage"] == labels(club.announcement)
    assert "with 5 players it is 3." in club.announcement.content

    begun = said(await director.click(club.announcement, label="Start"))
    assert begun == "**Autumn** has begun with 5 players. It has 3 rounds."
    await club.quiet()
    assert ["Leave", "Enter a result", "Manage"] == labels(club.announcement)
    await club.play()
    assert ["Leave", "Pair next round", "Enter a result", "Manage"] == labels(club.announcement)
    await director.click(club.post("**Autumn, round 1**"), label="Pair next round")
    await club.play()

    white, black = (await club.load()).state.paired[1].games[0]
    panel = Panel(director, await director.click(club.announcement, label="Enter a result"))
    await panel.choose(f"Round 1: player{white} - player{black}")
    await panel.press(f"player{max(white, black)} wins")
    lower, upper = sorted((white, black))
    club_of = {number: entrant.person for number, entrant in (await club.load()).state.by_number.items()}
    assert "**Autumn**\nThis corrects a result.\nSo far: Round 1: <@" in panel.text
    assert f"From now on: Round 1: <@{club_of[white]}> {'1 - 0' if white > black else '0 - 1'} <@" in panel.text
    assert re.search(rf"<@{club_of[upper]}>: points: \S+ → \S+, place . → .", panel.text)
    assert f"<@{club_of[lower]}>: " in panel.text
    await panel.press("Save it")
    assert panel.text == "**Autumn**: the result is entered, and the standings are up to date."
    assert ["Enter a result", "Manage"] == panel.labels
    marks = (await club.load()).state.results[1, white, black]
    assert marks[(white, black).index(max(white, black))] is Mark.WIN
    await club.quiet()
    played = next(g for g in (await club.load()).games if (g.round, g.white, g.black) == (1, white, black))
    thread = next(each for each in here.channel.threads if each.id == played.channel_id)
    assert "The director has corrected the result of this game. <@" in thread.history()[-1].content
    boards = [message for message in thread.history() if "My side" in labels(message)]
    assert ["Analyse", "Replay", "My side"] == labels(boards[-1])
    counts = "In the tournament the director's result counts: <@"
    assert counts in said(await director.slash(here.channel, "game show", number=played.game_id))
    replayed = await director.slash(here.channel, "game replay", number=played.game_id)
    assert replayed.response is not None
    await director.click(replayed.response, label="Last")
    assert counts in said(replayed)
    with pytest.raises(Refused, match="A tournament has no rematches"):
        await here.bot.services.games.challenges.rematch(played.game_id, club.players[white - 1].id, "i:1")
    said_next = said(await director.click(club.announcement, label="Pair next round"))
    assert said_next == "**Autumn**: round 3 is paired; its games are open."
    await club.play()
    assert ["Leave", "Finish", "Enter a result", "Manage"] == labels(club.announcement)
    assert "are final" in said(await director.click(club.announcement, label="Finish"))
    await club.quiet()
    assert [] == labels(club.announcement)
    podium = words_of(club.post("**Autumn is over.**"))
    assert all(medal in podium for medal in "🥇🥈🥉")
    assert " · 2 points" in podium


async def test_the_same_result_again_is_no_correction(here: World) -> None:
    """Who enters what stands already is told so, and has nothing to save."""
    club = Club(here, 4)
    await club.create("swiss", rounds=3)
    await club.join(*club.players)
    await club.direct("start")
    white, black = (await club.load()).state.paired[1].games[0]
    for text, there in (
        ("This enters a result", True),
        ("That is already the result", False),
    ):
        panel = Panel(club.director, await club.director.click(club.announcement, label="Enter a result"))
        await panel.choose(f"Round 1: player{white} - player{black}")
        await panel.press(f"player{white} wins")
        assert f"{text}: Round 1: <@" in panel.text
        assert there == ("Save it" in panel.labels)
        if there:
            await panel.press("Save it")
    panel = Panel(club.director, await club.director.click(club.announcement, label="Enter a result"))
    await panel.choose(f"Round 1: player{white} - player{black}")
    await panel.press(f"player{black} did not come")
    assert "This corrects a result." in panel.text


async def test_what_is_refused_is_given_back(here: World) -> None:
    """With all that was typed, as forms of real boxes that open with it, also on a bot that did not refuse it; what one
    part does not ask for stays as it was."""
    club = Club(here, 2)
    options = {"name": "Autumn", "variant": "pinoy", "rounds": 4, "start": "soon", "rated": False, "clock": "3d"}
    refused = await club.director.slash(here.channel, "tournament create swiss", **options)
    assert " as a time. Write " in said(refused)
    for line in ("Name: Autumn", "Game: pinoy", "Rounds: 4", "Begins at: soon", "Rated?: no", "3d: 3 days per move"):
        assert line in said(refused)
    await here.restart()
    panel = Panel(club.director, refused)
    assert ["Change name, game, times", "Change the rest"] == panel.labels
    await panel.press("Change the rest")
    await panel.send(rounds="many")
    assert panel.text.startswith("*Rounds*: write a whole number from 1 to 30, not `many`.")
    assert "Begins at: soon" in panel.text
    await panel.press("Change name, game, times")
    await panel.send(start="in 2h")
    assert "Rounds: many" in panel.text
    await panel.press("Change the rest")
    assert "is announced below" in (await panel.send(rounds="4")).text
    tournament = await club.load()
    assert ("Autumn", 4, False, "3d") == (
        tournament.name,
        tournament.settings.rounds,
        tournament.rated,
        tournament.clock,
    )
    assert tournament.state.timing.start

    unknown = await club.director.slash(here.channel, "tournament create arena", name="Night", variant="zzz")
    assert "Name: Night" in said(unknown)


async def test_each_form_of_a_new_tournament_has_its_boxes(here: World) -> None:
    """Every option of every subcommand stands in one of two forms of five boxes at most."""
    director = Club(here, 0).director
    for command in CREATE.commands:
        assert isinstance(command, app_commands.Command)
        names: list[str] = []
        for button in (0, 1):
            name = f"tournament create {command.name}"
            panel = Panel(director, await director.slash(here.channel, name, name="Cup", variant="zzz", rated=True))
            modal = (await panel.press(panel.labels[button])).result.modal
            assert modal is not None
            boxes = [label["component"]["custom_id"] for label in modal["components"]]
            assert 1 <= len(boxes) <= 5
            assert ("zzz" in str(modal)) == (button == 0)
            names += boxes
        assert sorted(option.name for option in command.parameters) == sorted(names)


async def test_who_may_not_create_is_offered_nothing_to_change(here: World) -> None:
    """Whatever a stranger changes, the permission is missing; a form that was open meanwhile says the same."""
    club = Club(here, 1)
    stranger = club.players[0]
    refused = await stranger.slash(here.channel, "tournament create swiss", name="Autumn", variant="pinoy")
    assert "Manage Events" in said(refused)
    assert refused.response is not None
    assert [] == labels(refused.response.message)


async def test_a_form_of_the_panel_gives_back_what_is_refused(here: World) -> None:
    """And changes nothing of what it had in it where that is not touched: limits stay when another is set."""
    club = Club(here, 2)
    await club.create("swiss", rounds=3)
    await club.set("Who may enter", min_rating="1200", min_players="4")
    panel = await (await club.manage()).choose("Who may enter")
    await panel.send(min_games="many")
    expected = "**Autumn**: *Rated games played here, at least*: write a whole number from 1 to 1000, not `many`."
    assert panel.text.startswith(expected)
    assert "Lowest rating: 1200" in panel.text
    assert (await panel.press("Change")).result.modal is not None
    assert "Saved." in (await panel.send(min_rating="1200", min_players="4", min_games="3")).text
    limits = (await club.load()).state.limits
    assert (1200, 3, 4) == (limits.rating_from, limits.games, limits.least)
    assert "a rating of 1200 or more" in (await club.manage()).text
    assert "Saved." in await club.set("Who may enter", min_rating="")
    limits = (await club.load()).state.limits
    assert (0, 3, 4) == (limits.rating_from, limits.games, limits.least)


async def test_what_can_be_undone_has_pages(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is more than a menu lists, the older part is a page further."""
    for module in (manage_panel, round_tasks):
        monkeypatch.setattr(module, "MOST_LISTED", 2)
    club = Club(here, 3)
    await club.create("swiss", rounds=3)
    await club.join(*club.players)
    panel = await (await club.manage()).choose("Undo something")
    assert ["Next", "Back"] == panel.labels
    newest = list(panel.options)
    assert 2 == len(newest)
    await panel.press("Next")
    assert ["Previous", "Back"] == panel.labels
    assert not set(newest) & set(panel.options)
    assert 1 == len(panel.options)


async def test_directors_are_told_of_roles_that_are_deleted(here: World) -> None:
    """At once, or when the bot comes back, and once: that some cannot enter any more, and then that nobody can."""
    club = Club(here, 2)
    await club.create("swiss", rounds=3)
    one, other = (here.guild.create_role(name) for name in ("members", "guests"))
    await club.set("Who may enter", roles=[one, other])

    def told() -> list[str]:
        return [post.content for post in here.posts() if "for people with certain roles" in post.content]

    here.env.backend.delete_role(here.guild.id, one.id)
    await here.env.settle()
    await club.quiet()
    (some,) = told()
    assert some.startswith(
        f"{club.director.mention}: **Autumn** is for people with certain roles, and one of these was"
    )
    assert [str(club.director.id)] == [str(each) for each in here.sent()[-1]["allowed_mentions"]["users"]]

    await here.bot.close()
    here.env.backend.delete_role(here.guild.id, other.id)
    for _ in range(2):
        await here.restart()
        await club.quiet()
    assert 2 == len(told())
    assert "none of these is left on the server: nobody can enter" in told()[1]
    await club.set("Who may enter", roles=[])
    await here.restart()
    await club.quiet()
    assert 2 == len(told())


async def test_settings_change_until_it_begins(here: World) -> None:
    """Rounds, places, order and points; the announcement says so, and the history."""
    club = Club(here, 3)
    await club.create("swiss")
    await club.set("Settings", rounds="2", max_players="3", scoring="2-1-0", order="random", late_join_until="2")
    await club.quiet()
    assert "a Swiss of 2 rounds" in club.announcement.content
    assert "ordered at random" in club.announcement.content
    await club.join(*club.players)
    await club.direct("start")
    settings = (await club.load()).settings
    assert (2, 3, "lot") == (settings.rounds, settings.limit, settings.seeding)
    assert 2 == settings.points.win
    assert "Settings" not in (await club.manage()).options
    assert "> changed the settings" in await club.direct("history")
    assert "Seed `" in await club.direct("history")
    assert "Seed `" not in club.announcement.content


async def test_untouched_openings_stay(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of openings that are more than a form holds: with other tie-breaks sent in, all of them and their secret stay."""
    for module in (kept_forms, setting_forms):
        monkeypatch.setattr(module, "MOST_TYPED", 1000)
    club = Club(here, 2)
    await club.create("swiss", variant="english", rounds=1, openings="own")
    before = (await club.load()).settings
    assert len(" ; ".join(before.openings)) > 1000
    assert "Saved." in await club.set("Openings and tie-breaks", tie_breaks="PTS,BH")
    settings = (await club.load()).settings
    assert (before.openings, before.secret) == (settings.openings, settings.secret)
    assert 2 == len(settings.tie_breaks)
    assert "Saved." in await club.set("Openings and tie-breaks", openings="9-13 22-18 ; 10-14 22-18")
    assert 2 == len((await club.load()).settings.openings)
    refused = await club.set("Openings and tie-breaks", tie_breaks="PTS,BH/C1,bh-c1")
    assert "A tie-break is in the list twice." in refused
    assert 2 == len((await club.load()).settings.openings)


async def test_who_cancels_second_is_told(here: World) -> None:
    """Two directors are asked whether they mean it; the second is not asked again about what is cancelled."""
    club = Club(here, 2)
    await club.create("swiss", rounds=3)
    first, second = [await (await club.manage()).choose("Cancel") for _ in range(2)]
    assert "**Autumn** is cancelled" in (await first.press("Confirm")).text
    assert "**Autumn** is cancelled." == (await second.press("Confirm")).text


@pytest.mark.parametrize("kind", ["swiss", "single elimination", "arena"])
async def test_what_has_begun_can_be_cancelled(here: World, kind: str) -> None:
    """The director is asked, with what that ends; its games are called off, each thread says so, nothing goes on."""
    club = Club(here, 4)
    await club.started(kind, **({"clock": "5+3", "minutes": 60} if kind == "arena" else {}))
    if kind != "arena":
        asked = (await (await club.manage()).choose("Cancel")).text
        assert "Cancel **Autumn**? 2 games in progress will be called off. This cannot be undone." in asked
    assert "**Autumn** is cancelled" in await club.tap("Cancel")
    await club.quiet()
    tournament = await club.load()
    assert tournament.state.cancelled is not None
    assert {"aborted"} >= {link.status for link in tournament.games}
    for thread in here.channel.threads:
        assert "has cancelled **Autumn**, so this game is called off" in thread.history()[-1].content
    assert [] == labels(club.announcement)
    assert "Final standings" not in words_of(club.standings)
    assert "is cancelled" in await club.direct("start", tournament="1")
    assert said(await here.alice.slash(here.channel, "tournament list")).endswith(": cancelled")


async def test_who_is_not_in_asks_for_no_bye(here: World) -> None:
    """The reason is told, not one of the round's."""
    club = Club(here, 2)
    await club.create("swiss", rounds=3)
    answer = said(await here.alice.slash(here.channel, "tournament bye", round=1))
    assert "**Autumn**: You are not playing in this tournament." == answer
    await club.join(club.players[0])
    answer = said(await club.players[0].slash(here.channel, "tournament bye", round=1))
    assert "**Autumn**: It has not begun. Once round 1 is paired, you can ask for a bye." == answer


async def test_without_players_nobody_is_withdrawn(here: World) -> None:
    """Tasks that choose a player are offered once there is one."""
    club = Club(here, 1)
    await club.create("swiss", rounds=3)
    assert not {"Withdraw a player", "Substitute a player"} & set((await club.manage()).options)
    await club.join(club.players[0])
    assert {"Withdraw a player", "Substitute a player"} <= set((await club.manage()).options)


async def test_a_result_of_a_round_that_there_is_not(here: World) -> None:
    """Which rounds there are is told."""
    club = Club(here, 4)
    await club.started("swiss", rounds=3)
    player = club.players[0]
    assert "**Autumn**: Only round 1 is paired so far." == await club.direct(
        "result", player=player, result="won", round=9
    )


async def test_only_directors_may_press(here: World) -> None:
    """Whoever else presses a director's button, or one of a panel that was shown to another, is refused."""
    club = Club(here, 4)
    await club.create("swiss", rounds=2)
    await club.join(*club.players)
    stranger = here.alice
    for label in ("Start", "Manage"):
        answer = said(await stranger.click(club.announcement, label=label))
        assert answer == "**Autumn**: Only a director of this tournament can do that."
    await club.direct("start")
    await club.play()
    for label in ("Pair next round", "Enter a result"):
        assert "Only a director" in said(await stranger.click(club.announcement, label=label))
    assert 1 == (await club.load()).state.rounds_paired


async def test_a_panel_holds_after_a_restart_and_refuses_what_is_stale(here: World) -> None:
    """Each step is taken on a bot that did not show the one before; what has happened since is told first."""
    club = Club(here, 4)
    await club.create("swiss", rounds=2)
    await club.join(*club.players)
    one, two = club.players[:2]
    panel = await club.manage()
    await here.restart()
    await panel.choose("Withdraw a player")
    await here.restart()
    await panel.choose_values(one.id)
    barred = f"<@{one.id}> can come back only if you undo that."
    assert f"Withdraw <@{one.id}> from **Autumn**? {barred}" == panel.text
    await two.click(club.announcement, label="Leave")
    await panel.press("Confirm")
    assert "Something else has happened" in panel.text
    assert one.id in (await club.load()).state.by_person
    await here.restart()
    await panel.press("Confirm")
    assert "is withdrawn from **Autumn**" in panel.text
    assert one.id not in (await club.load()).state.by_person

    await club.join(one, two)
    panel = await club.manage()
    await club.direct("start")
    await panel.choose("Openings and tie-breaks")
    assert "That no longer applies" in panel.text
    assert "Openings and tie-breaks" not in panel.options


async def test_every_answer_names_its_event(here: World) -> None:
    """Of two in one channel the one that is meant is chosen by its name; without it the director is asked first."""
    club = Club(here, 4)
    await club.create("swiss", rounds=2)
    await club.create("round robin", name="Autumn, late")
    alone = said(await club.director.slash(here.channel, "tournament start"))
    assert "**Autumn, late**: At least 2 players are needed to start. 0 players have joined." == alone
    winter = next(m for m in here.posts() if m.content.startswith("**Autumn, late**"))
    for person in club.players:
        await person.click(winter, label="Join")
        await person.click(club.announcement, label="Join")
    offered = await club.director.autocomplete(here.channel, "tournament start", "tournament", "LATE")
    assert [("Autumn, late (entries are open)", "2")] == [(each["name"], each["value"]) for each in offered]
    asked = Panel(club.director, await club.director.slash(here.channel, "tournament start"))
    assert "Begin **Autumn, late** with 4 players?" == asked.text
    assert "**Autumn** has begun with 4 players." in await club.direct("start", tournament="autumn")
    assert "**Autumn, late** has begun" in (await asked.press("Confirm")).text
    assert "no tournament **Spring**" in await club.direct("start", tournament="Spring")
    assert "There is no tournament 77" in await club.direct("pair", tournament="77")
    joined = said(await here.alice.slash(here.channel, "tournament join", tournament="1"))
    assert "Entries are closed" in joined
    left = said(await club.players[0].slash(here.channel, "tournament leave", tournament="Autumn"))
    assert left == "You have left **Autumn**. Please finish the game you are playing."


async def test_events_of_one_name_can_be_told_apart(here: World) -> None:
    """In the list by their numbers; typed, a name that several have is not guessed at, unless all but one are over."""
    club = Club(here, 2)
    await club.create("swiss", rounds=2)
    await club.create("swiss", rounds=2, variant="spanish")
    offered = await club.director.autocomplete(here.channel, "tournament start", "tournament", "autumn")
    expected = [f"Autumn (number {number}, entries are open)" for number in (2, 1)]
    assert expected == [each["name"] for each in offered]
    assert "There are several called **autumn**. Choose one from the list." in await club.direct(
        "manage", tournament="autumn"
    )
    panel = await Panel.opened(club.director, here.channel, tournament="2")
    await (await panel.choose("Cancel the tournament")).press("Confirm")
    assert "**Autumn**: a Swiss" in await club.direct("manage", tournament="autumn")


async def test_a_rounds_post_comes_first_and_links_its_games(here: World) -> None:
    """The post of the round stands above its threads; when all are open, each pairing leads to its own."""
    club = Club(here, 6)
    await club.started("swiss", rounds=2)
    games = (await club.load()).games
    order = [e for e in here.env.http_requests if e.method == "POST" and e.path.endswith(("/messages", "/threads"))]
    first_thread = next(at for at, entry in enumerate(order) if entry.path.endswith("/threads"))
    round_post = next(at for at, e in enumerate(order) if "Autumn, round 1" in str((e.json or {}).get("content")))
    assert round_post < first_thread
    lines = [line for line in club.post("**Autumn, round 1**").content.splitlines() if line[:1].isdigit()]
    assert 3 == len(lines)
    for game, line in zip(games, lines, strict=True):
        assert f"https://discord.com/channels/{here.guild.id}/{game.channel_id})" in line


async def test_a_bye_counts_when_its_round_is_over(here: World) -> None:
    """While nobody has moved nobody leads; afterwards the bye is a point."""
    club = Club(here, 3)
    await club.started("swiss", rounds=2)
    assert "Standings in round 1" in words_of(club.standings)
    assert "BH: Buchholz" in words_of(club.standings)
    assert "1" not in {line.split("**")[1] for line in (await standings(club)) if "**" in line}
    await club.play()
    assert 2 == sum("**1**" in line for line in await standings(club))


async def standings(club: Club) -> list[str]:
    """The lines of the standings, in words."""
    lines = (await club.direct("standings", shown="text")).splitlines()
    return [line for line in lines if line.startswith(("1", "2", "3"))]


async def test_many_games_are_listed_in_pages(here: World) -> None:
    """More games than a menu lists are reached by *Next*."""
    club = Club(here, 8)
    await club.started("round robin", all_rounds_at_once=True, max_players=8)
    panel = await (await club.manage()).choose("Enter a result")
    assert 25 == len(panel.options)
    assert "Next" in panel.labels
    await panel.press("Next")
    assert 3 == len(panel.options)
    await panel.press("Previous")
    assert 25 == len(panel.options)
