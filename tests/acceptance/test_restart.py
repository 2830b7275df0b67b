from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from bot.chat.games.delivery import Delivery
from bot.chat.posting import find_posted
from bot.chat.posting.find_posted import custom_ids
from bot.cli.command_line import main
from bot.engine import variants
from bot.engine.errors import VariantError
from bot.games.model.errors import NotStored
from bot.games.persistence.integrity import check_games
from data.store import Unavailable
from tests.support.data.databases import url_of
from tests.support.discord.parts import part
from tests.support.discord.world import World, labels, said


async def test_a_post_whose_answer_was_lost_is_found_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot dies after a post and before it is marked, and comes back when Discord has forgotten the nonce: it finds
    the post and does not repeat it."""
    await here.start()

    async def killed(*about: Any) -> None:
        raise NotStored("That was not saved.")

    monkeypatch.setattr(here.bot.services.outbox, "sent", killed)
    await here.mention(here.alice, "b3-a4")
    boards = here.boards()
    assert 2 == len(boards)

    await here.env.advance_time(600)
    await here.restart()

    assert [board.id for board in boards] == [board.id for board in here.boards()]
    assert [] == await here.bot.services.outbox.games_waiting()
    posted = await here.bot.services.outbox.posted(1, "board")
    assert posted is not None
    assert boards[-1].id == posted.message_id


@pytest.mark.parametrize("what", ["board", "challenge"])
async def test_a_post_in_words_alone_is_found_again(here: World, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """The same where Discord had refused it with its picture and buttons: it is not posted in full beside its words,
    nor in words with the board written out, as one of the players wants it by now."""
    here.expected_errors.add("posted in words alone")
    if what == "board":
        await here.start()
        await here.alice.slash(here.channel, "me settings", words=True)

    async def killed(*about: Any) -> None:
        raise NotStored("That was not saved.")

    monkeypatch.setattr(here.bot.services.outbox, "sent", killed)
    here.env.inject_error("POST", "/channels/*/messages", status=400, code=50035)
    await (here.mention(here.alice, "b3-a4") if what == "board" else here.play())
    posts = here.posts()
    assert [] == labels(posts[-1])

    await here.env.advance_time(600)
    await here.restart()

    assert [post.id for post in posts] == [post.id for post in here.posts()]
    assert [] == await here.bot.services.outbox.games_waiting()


@pytest.mark.parametrize("variant", ["pinoy", "chinese-checkers"])
async def test_a_challenge_is_found_again_that_was_accepted(
    here: World, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    """The same of a challenge that somebody has accepted before the bot died, and which would be told otherwise now."""

    async def killed(*about: Any) -> None:
        raise NotStored("That was not saved.")

    monkeypatch.setattr(here.bot.services.outbox, "sent", killed)
    await here.play(variant=variant)
    challenge = here.last
    await here.bob.click(challenge, label="Accept")

    await here.env.advance_time(600)
    await here.restart()

    assert [challenge.id] == [post.id for post in here.posts() if " challenges " in post.content]


async def test_a_challenge_does_not_take_the_post_of_another(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A challenge is posted late, while an earlier one that says the same still stands as it was posted, accepted
    meanwhile: it gets a post of its own, whose buttons accept its own game."""
    monkeypatch.setattr(find_posted, "NONCE_HOLDS", 0)
    await here.play()
    here.env.inject_error("PATCH", "/channels/*/messages/*", status=500, times=3)
    await here.bob.click(here.last, label="Accept")
    here.env.inject_error("POST", "/channels/*/messages", status=500)
    assert "posted" in said(await here.play())

    await here.restart()

    assert ["damero:accept:2:0"] == custom_ids(here.last)[:1]


async def test_names_are_asked_for_server_by_server(here: World) -> None:
    """After a restart a board needs a name that nobody has said yet: Discord is asked for the member of that server,
    as it answers for people of all servers one after the other."""
    await here.start()
    await here.restart()
    asked = len(here.env.http_requests)

    await here.mention(here.alice, "b3-a4")

    since = [entry.path for entry in here.env.http_requests[asked:] if entry.method == "GET"]
    assert [f"/guilds/{here.guild.id}/members/{here.bob.id}"] == [path for path in since if str(here.bob.id) in path]
    assert "bob" in (here.boards()[-1].attachments[0].description or "")


async def test_a_board_does_not_take_the_post_of_another_game(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first board of a game, posted late, would read as that of the game before, which stands there in words alone:
    it is posted all the same."""
    monkeypatch.setattr(find_posted, "NONCE_HOLDS", 0)
    here.expected_errors.add("posted in words alone")
    await here.play()
    here.env.inject_error("POST", "/channels/*/messages", status=400)
    await here.bob.click(here.last, label="Accept")
    assert [] == here.boards()
    asked = await here.alice.slash(here.channel, "game resign")
    assert asked.response is not None
    await here.alice.click(asked.response, label="Resign")
    game = await here.start()

    assert f":{game.id}:" in custom_ids(here.boards()[-1])[0]


async def test_who_says_the_same_again_is_heard_again(here: World) -> None:
    """A post that is late because Discord was out of reach is not taken for an earlier one that says the same."""
    game = await here.start()
    told = f"{here.alice.mention} has asked for a hint."

    async def ask(source: str) -> int:
        await here.bot.services.games.computer.hint(game.id, here.alice.id, source)
        part(here.bot, Delivery).wake(game.id)
        await here.env.settle()
        return [post.content for post in here.posts()].count(told)

    assert 1 == await ask("i:1")
    await here.mention(here.alice, "b3-a4")
    await here.mention(here.bob, "g6-h5")
    here.env.inject_error("POST", "/channels/*/messages", status=500, times=3)
    assert 1 == await ask("i:2")

    for seconds in (11, 31, 121):
        await here.env.advance_time(seconds)

    assert 2 == [post.content for post in here.posts()].count(told)


async def test_a_game_goes_on_after_a_restart(here: World) -> None:
    """Another process on the same database: the old buttons work, and moves are taken."""
    await here.start()
    await here.mention(here.alice, "b3-a4")

    await here.restart()
    shown = await here.form(here.bob)
    await here.bob.submit_modal(shown, {"move": "g6-h5"})

    assert ["b3-a4", "g6-h5"] == [entry.text for entry in (await here.game()).line]
    assert 3 == len(here.boards())


async def test_a_game_goes_on_in_another_database(here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exported and brought into an empty database: the board is posted anew, once, in its channel, and the game is
    played on, by the buttons of old boards too."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    old, new = here.settings.database_url, url_of(tmp_path / "new.sqlite3")
    for words, database in (("export", old), ("import", new)):
        monkeypatch.setenv("DATABASE_URL", database)
        assert 0 == await asyncio.to_thread(main, [words, str(tmp_path / "games.jsonl")])
    before = here.boards()

    await here.restart(replace(here.settings, database_url=new))
    await here.env.settle()

    assert [board.id for board in before] == [board.id for board in here.boards()][:-1]
    shown = await here.bob.click(before[-1], label="Move")
    assert shown.response is not None
    shown = await here.bob.click(shown.response, label="Type it")
    await here.bob.submit_modal(shown, {"move": "g6-h5"})
    assert ["b3-a4", "g6-h5"] == [entry.text for entry in (await here.game()).line]
    await here.restart(replace(here.settings, database_url=new))
    assert len(before) + 2 == len(here.boards())


async def test_games_are_read_before_they_are_played(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once connected all shipped games are read, and not on the event loop."""
    read: list[tuple[str, bool]] = []
    monkeypatch.setattr(
        variants, "load", lambda name: read.append((name, threading.current_thread() is threading.main_thread()))
    )
    await here.bot.on_ready()

    assert [(name, False) for name in variants.names()] == read


async def test_a_game_that_cannot_be_read_stops_no_other(
    here: World, monkeypatch: pytest.MonkeyPatch, logged: list[structlog.typing.EventDict]
) -> None:
    """A file that somebody has broken is named in the log, and all else is taken up."""
    await here.bot.timers.close()
    here.expected_errors.add("a game cannot be played")

    def broken(name: str) -> None:
        raise VariantError(f"{name}.toml: board: this key is missing")

    monkeypatch.setattr(variants, "load", broken)
    await here.bot.on_ready()

    assert here.bot.timers.running
    assert f"{variants.names()[0]}.toml: board: this key is missing." in [event.get("error") for event in logged]


async def test_a_form_survives_a_restart(here: World) -> None:
    """A form that was open while the bot restarted is taken."""
    await here.start()
    shown = await here.form(here.alice)

    await here.restart()
    await here.alice.submit_modal(shown, {"move": "b3-a4"})

    assert 1 == (await here.game()).ply


async def test_a_challenge_and_an_offer_survive_a_restart(here: World) -> None:
    """Accept works under a challenge, and under an offer, that another process posted."""
    await here.play()
    await here.restart()
    await here.bob.click(here.last, label="Accept")
    await here.mention(here.alice, "b3-a4")
    await here.alice.slash(here.channel, "game draw")
    await here.restart()

    await here.bob.click(here.last, label="Accept")

    assert "**Drawn by agreement.**" in here.last.content


async def test_what_was_stored_but_not_posted_is_posted(here: World) -> None:
    """The bot dies between the commit and the post: the next process posts the board, once, with its nonce."""
    await here.start()
    here.env.inject_error("POST", "/channels/*/messages", status=503)
    await here.mention(here.alice, "b3-a4")
    assert 1 == (await here.game()).ply
    assert 1 == len(here.boards())

    await here.restart()

    assert 2 == len(here.boards())
    assert "White: **b3-a4**" in here.last.content
    first, second = [body for body in here.sent() if "b3-a4" in body.get("content", "")]
    assert first["nonce"] == second["nonce"]
    assert second["enforce_nonce"] is True
    await here.restart()
    assert 2 == len(here.boards())


async def test_discord_out_of_reach_holds_the_post_back_not_the_game(here: World) -> None:
    """A failed post is tried again after a pause; posts that come meanwhile wait behind it, in order."""
    await here.start()
    here.env.inject_error("POST", "/channels/*/messages", status=500, times=2)
    await here.mention(here.alice, "b3-a4")
    await here.mention(here.bob, "g6-h5")
    assert 2 == (await here.game()).ply
    assert 1 == len(here.boards())

    await here.env.advance_time(11)
    assert 1 == len(here.boards())
    await here.env.advance_time(31)

    assert ["g1-m0.png", "g1-m1.png", "g1-m2.png"] == [board.attachments[0].filename for board in here.boards()]


async def test_a_challenge_that_could_not_be_posted_is_posted_later(here: World) -> None:
    """The challenge too waits for Discord."""
    here.env.inject_error("POST", "/channels/*/messages", status=500)
    assert "posted" in said(await here.play())
    assert [] == here.posts()

    await here.env.advance_time(11)

    assert ["Accept", "Decline", "Withdraw"] == labels(here.last)


async def test_a_board_that_a_refused_token_held_up_is_posted(here: World) -> None:
    """While the token is being replaced Discord answers 401: the board is tried again, and the opponent is told."""
    await here.start()
    here.env.inject_error("POST", "/channels/*/messages", status=401, times=3)
    await here.mention(here.alice, "b3-a4")
    assert 1 == len(here.boards())

    for _ in range(4):
        await here.env.advance_time(121)

    assert 2 == len(here.boards())
    assert here.bob.mention in here.last.content


async def test_a_board_that_discord_does_not_take_is_told_in_words(here: World) -> None:
    """What is refused with its picture and buttons is posted in words alone: the opponent knows the move."""
    here.expected_errors.add("posted in words alone")
    await here.start()
    here.env.inject_error("POST", "/channels/*/messages", status=400, code=50035)
    await here.mention(here.alice, "b3-a4")

    assert 1 == len(here.boards())
    assert "b3-a4" in here.last.content
    assert here.bob.mention in here.last.content
    assert [] == labels(here.last)
    assert [] == await here.bot.services.outbox.games_waiting()


async def test_boards_that_were_given_up_are_posted_at_the_start(here: World) -> None:
    """Discord takes a board in no form, and it is given up: the next start posts it. Where the channel is gone, nobody
    is told a second time."""
    here.expected_errors |= {"posted in words alone", "not posted"}
    await here.start()
    here.env.inject_error("POST", "/channels/*/messages", status=400, code=50035, times=2)
    await here.mention(here.alice, "b3-a4")
    assert 1 == len(here.boards())
    assert [] == await here.bot.services.outbox.games_waiting()

    await here.restart()
    await here.env.settle()

    assert 2 == len(here.boards())
    assert "b3-a4" in here.last.content
    await here.restart()
    await here.env.settle()
    assert 2 == len(here.boards())


async def test_a_deleted_channel_stops_nobody_else(here: World) -> None:
    """What cannot be posted any more is given up; the bot goes on elsewhere."""
    here.expected_errors.add("not posted")
    await here.start()
    here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=404, code=10003, times=None)
    await here.mention(here.alice, "b3-a4")
    elsewhere = here.guild.create_text_channel("elsewhere")

    await here.alice.slash(elsewhere, "play", variant="tama")

    assert 1 == len(here.posts(elsewhere))
    assert [] == await here.bot.services.outbox.games_waiting()


async def test_a_deleted_challenge_does_not_stop_its_game(here: World) -> None:
    """Where the post that is to be edited is gone, the game begins all the same."""
    await here.play()
    here.env.inject_error("PATCH", "/channels/*/messages/*", status=404, code=10008)

    await here.bob.click(here.last, label="Accept")

    assert 1 == len(here.boards())


async def test_what_was_posted_but_not_marked_is_not_posted_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full just when the post is to be marked as made: it is marked later, and posted once."""
    await here.start()
    sent = here.bot.services.outbox.sent
    failures = [NotStored("That was not saved.")]

    async def marked(*about: Any) -> None:
        if failures:
            raise failures.pop()
        await sent(*about)

    monkeypatch.setattr(here.bot.services.outbox, "sent", marked)
    await here.mention(here.alice, "b3-a4")
    assert [] != await here.bot.services.outbox.games_waiting()
    await here.env.advance_time(11)

    assert 2 == len(here.boards())
    assert [] == await here.bot.services.outbox.games_waiting()


async def test_a_challenge_answered_before_it_was_posted_is_posted_and_closed(here: World) -> None:
    """Posts and their edits keep their order over an outage."""
    here.env.inject_error("POST", "/channels/*/messages", status=500)
    await here.play()
    [summary] = await here.bot.services.games.lists.games_of(here.bob.id)
    here.bot.services.games_changed.send(
        await here.bot.services.games.challenges.accept(summary.id, here.bob.id, "test")
    )

    await here.env.advance_time(11)

    assert [[], ["Move", "Draw", "Resign", "My side"]] == [labels(post) for post in here.posts()]


async def test_every_game_replays_after_all_this(here: World) -> None:
    """The store's check finds no fault."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.restart()
    await here.mention(here.bob, "g6-h5")

    assert [] == await check_games(here.bot.services.store)


async def test_a_full_disk_at_the_start_stops_nothing_for_good(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connected anew while nothing can be stored: time and posts are taken up all the same."""
    await here.start()
    await here.bot.timers.close()
    write = here.bot.services.store.write

    @asynccontextmanager
    async def full(**_how: bool) -> AsyncIterator[None]:
        raise Unavailable("The disk is full.")
        yield

    monkeypatch.setattr(here.bot.services.store, "write", full)
    await here.bot.on_ready()
    monkeypatch.setattr(here.bot.services.store, "write", write)

    assert here.bot.timers.running
    await here.mention(here.alice, "b3-a4")
    assert 2 == len(here.boards())
