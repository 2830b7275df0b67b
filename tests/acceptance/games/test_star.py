"""Chinese checkers as people play it: tables, the toss, colours, long games, a blocked target."""

from __future__ import annotations

import random
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import ResponseMessage

from bot.chat.games.buttons import COLOURS
from bot.games.model.game import Game
from bot.games.model.places import places_of
from bot.games.persistence.integrity import check_games
from bot.presentation import board_scene
from bot.presentation.questions import answer
from data.queries.games import change_game
from tests.support.discord.world import World, labels, said


async def table(here: World, players: int, rules: str | None = None) -> list[MemberActor]:
    """Alice opens a table; as many others join as it has seats. All who sit, in the order of joining."""
    people = [here.alice, here.bob, here.carol, *(here.person(name) for name in ("dan", "eve", "finn"))][:players]
    options = {"variant": "chinese-checkers", "players": players} | ({"rules": rules} if rules else {})
    await here.alice.slash(here.channel, "play", **options)
    post = here.last
    for person in people[1:]:
        await person.click(post, label="Join" if players > 2 else "Accept")
    return people


def mover(people: list[MemberActor], game: Game) -> MemberActor:
    return next(person for person in people if person.id == game.to_move)


async def play_on(here: World, people: list[MemberActor], turns: int, lots: random.Random) -> Game:
    """So many turns, each by whoever is to move, of those that gain most."""
    game = await here.game()
    for _ in range(turns):
        turn = lots.choice(game.rules.ranked(game.state)[:4])
        await here.mention(mover(people, game), turn.text)
        game = await here.bot.services.games.game(game.id)
        if game.status != "running":
            break
    return game


async def test_six_play_fifty_turns_and_resign_one_by_one(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six join, the toss is shown, fifty turns are played; who resigns is passed over, the last who stays has won. The
    last picture has the places of all, as its post has."""
    notes: list[str] = []
    scene_of = board_scene.scene_of

    def watched(*args: Any, **given: Any) -> Any:
        scene = scene_of(*args, **given)
        notes[:] = [player.note for player in scene.players]
        return scene

    monkeypatch.setattr(board_scene, "scene_of", watched)
    people = await table(here, 6)
    game = await here.game()
    assert 6 == len(set(game.players))
    assert f"The toss: {game.seat_name(game.state.seat)} moves first" in here.boards()[-1].content

    game = await play_on(here, people, 50, random.Random(3))
    assert 50 == game.ply
    while game.status == "running":
        leaver = mover(people, game)
        asked = await leaver.slash(here.channel, "game resign")
        assert asked.response is not None
        await leaver.click(asked.response, label="Resign")
        game = await here.bot.services.games.game(game.id)
        assert game.to_move != leaver.id
    assert game.result is not None
    assert 5 == len(game.left)
    assert "wins" in here.last.content
    assert [f"place {place}" for place in places_of(game)] == notes
    assert [] == await check_games(here.bot.services.store)


async def test_words_tell_who_is_out(here: World) -> None:
    """After somebody has resigned, every post and picture says so until the end, and so does `board`."""
    people = await table(here, 6)
    game = await play_on(here, people, 2, random.Random(3))
    leaver = people[2]
    seat = game.seat_of(leaver.id)
    assert seat is not None
    side = game.seat_name(seat)
    await leaver.click(await confirmed(leaver, here), label="Resign")
    await play_on(here, people, 2, random.Random(4))
    newest = here.boards()[-1]
    out = f"Out of the game: {side} resigned (their pegs only stand there)."
    for told in (newest.content, newest.attachments[0].description or ""):
        assert 1 == told.count(out)
    assert 1 == (newest.attachments[0].description or "").count(f"{side} (out): pegs ")
    await here.mention(people[0], "board")
    assert out in here.last.content
    assert f"{side} (out): pegs " in here.last.content


async def test_three_play_with_two_sets_each(here: World) -> None:
    """Three people with two sets of pegs each: the picture's words name both, and turns go round."""
    people = await table(here, 3, "sets=2")
    game = await play_on(here, people, 12, random.Random(5))

    assert (3, 12) == (len(game.rules.seats), game.ply)
    assert [20, 20, 20] == [
        sum(piece.owner == seat for piece in game.rules.pieces(game.state).values()) for seat in range(3)
    ]
    alt = here.boards()[-1].attachments[0].description or ""
    for side, second in (("South", "Southwest"), ("Northwest", "North"), ("Northeast", "Southeast")):
        assert f" {side}: {side} pegs " in alt
        assert f"; {second} pegs " in alt


async def test_people_leave_a_table_and_the_opener_starts_early(here: World) -> None:
    """A seat that is left is free again; three of six may start, when the opener says so."""
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=6)
    post = here.last
    dan = here.person("dan")
    for person in (here.bob, here.carol, dan):
        await person.click(post, label="Join")
    await dan.click(post, label="Leave")
    assert dan.mention not in here.channel.history()[-1].content

    assert "Only the person who opened" in said(await here.bob.click(post, label="Start now"))
    await here.alice.click(post, label="Start now")
    game = await here.game()
    assert {here.alice.id, here.bob.id, here.carol.id} == set(game.players)
    assert 3 == game.options["players"]
    assert f"Started by {here.alice.mention}." in here.channel.history()[-2].content
    alt = here.last.attachments[0].description or ""
    assert "South: pegs a1, b1, b2, c1, c2, c3, d1, d2, d3, d4. Northwest: pegs j1, k1, k2, l1" in alt


@pytest.mark.parametrize(("position", "begins"), [("south 2", True), ("southeast 2", False)])
async def test_a_table_with_a_handicap_starts_early(here: World, position: str, begins: bool) -> None:
    """Fewer play with the same handicap, if its side is one of theirs."""
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=6, position=position)
    post = here.last
    for person in (here.bob, here.carol):
        await person.click(post, label="Join")
    answer = await here.alice.click(post, label="Start now")
    if begins:
        assert "Handicap: South begins without a1 and b1, which" in here.last.content
        assert 28 == len((await here.game()).rules.pieces((await here.game()).state))
    else:
        assert "This position is for 6 players: wait until all seats are taken." == said(answer)


async def test_a_table_does_not_start_with_a_count_that_the_game_does_not_have(here: World) -> None:
    """Five cannot play; the opener is told so, and the table stays open."""
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=6)
    post = here.last
    for person in (here.bob, here.carol, here.person("dan"), here.person("eve")):
        await person.click(post, label="Join")

    answer = said(await here.alice.click(post, label="Start now"))
    assert "There are 5 at the table: this game is for 2, 3, 4 or 6 players." == answer
    assert await here.bot.services.games.running_in(here.channel.id) is None


async def test_colours_are_picked_at_the_table_and_later(here: World) -> None:
    """A colour that one has picked is not offered any more; in the running game `/game colour` changes one's own."""
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=3)
    post = here.last
    assert "pick their colour with the coloured buttons" in post.content
    await here.bob.click(post, label="Join")
    await here.bob.click(post, label="Green")
    assert f"{here.bob.mention} {COLOURS[5].sign}" in here.channel.history()[-1].content
    assert "Green" not in labels(here.channel.history()[-1])
    assert "take a seat" in said(await here.carol.click(here.channel.history()[-1], label="Blue"))

    await here.carol.click(post, label="Join")
    assert "taken" in said(await here.carol.slash(here.channel, "game colour", colour=5))
    assert "blue" in said(await here.carol.slash(here.channel, "game colour", colour=2))
    closed = next(each for each in here.channel.history() if each.id == post.id)
    assert "coloured buttons" not in closed.content
    game = await here.game()
    assert {here.bob.id: 5, here.carol.id: 2, here.alice.id: None} == dict(zip(game.players, game.colours, strict=True))


async def test_a_blocked_target_is_won_by_a_swap(here: World) -> None:
    """The last hole of South's target is held by North: South's peg swaps places with that one, and has won."""
    people = await table(here, 2)
    game = await here.game()
    nearly = "1:S=m5,n2,n3,n4,o1,o2,o3,p1,p2,q1:N=e5,e6,f5,f6,g5,h5,i5,j5,k5,n1"
    async with here.bot.services.store.write() as tx:
        await change_game(tx, game.id, start=nearly, position=nearly, to_seat=0)
    await here.restart()

    south = mover(people, await here.game())
    await here.mention(south, "m5 n1")
    game = await here.bot.services.games.game(game.id)
    assert game.result is not None
    assert ("finished", 0) == (game.status, game.result.winner)
    assert game.state.last is not None
    names = game.rules.board.names
    assert [("n1", "m5")] == [(names[start], names[end]) for start, end in game.state.last.swaps]
    assert f"{south.mention} (South) wins" in here.last.content
    told = "which swaps with a peg of North (n1-m5)"
    assert f"South: **m5-n1**, {told}" in here.last.content
    assert f"South m5-n1, {told}." in (here.last.attachments[0].description or "")
    assert f"South m5-n1, {told}." == answer(game, "last", "")


async def test_targets_are_shown_on_request(here: World) -> None:
    """`/board targets` names where one peg, or all, may go; a peg that cannot move is refused with those that can."""
    people = await table(here, 2)
    game = await here.game()
    person = mover(people, game)
    names = game.rules.board.names
    peg = names[game.rules.turns(game.state)[0].path[0]]

    answer = await person.slash(here.channel, "board", targets=peg)
    assert "May go to" in said(answer)
    assert answer.response is not None
    assert answer.response.attachments[0].filename.endswith("targets.png")
    assert "May go to" in said(await person.slash(here.channel, "board", targets="all"))
    assert "Choose one of" in said(await person.slash(here.channel, "board", targets="i5"))


async def test_a_table_survives_a_restart(here: World) -> None:
    """Between joining and the last seat the bot is restarted; the buttons under the old post still work."""
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=3)
    post = here.last
    await here.bob.click(post, label="Join")
    await here.restart()
    await here.carol.click(here.channel.history()[-1], label="Join")
    game = await here.game()
    assert 3 == len(set(game.players))

    turn = game.rules.turns(game.state)[0]
    person = mover([here.alice, here.bob, here.carol], game)
    await here.mention(person, turn.text)
    await here.restart()
    after = await here.game()
    assert (1, turn.text) == (after.ply, after.entries[0].text)


async def test_a_star_move_delivered_twice_is_played_once(here: World) -> None:
    """The same message again, also after a restart, changes nothing."""
    people = await table(here, 2)
    game = await here.game()
    message = await here.mention(mover(people, game), game.rules.turns(game.state)[0].text)
    here.deliver_again(message.id)
    await here.env.settle()
    assert 1 == (await here.game()).ply

    await here.restart()
    here.deliver_again(message.id)
    await here.env.settle()
    assert 1 == (await here.game()).ply


async def test_move_suggestions_serve_a_hundred_turns(here: World) -> None:
    """In the middle of the game `/move` offers the 25 that gain most, filtered by what is typed."""
    people = await table(here, 2, None)
    game = await play_on(here, people, 24, random.Random(9))
    person = mover(people, game)
    offered = await person.autocomplete(here.channel, "move", "move", "")
    ranked = [turn.text for turn in game.rules.ranked(game.state)]
    assert ranked[:25] == [choice["value"] for choice in offered]

    start = ranked[-1].split("-")[0]
    offered = await person.autocomplete(here.channel, "move", "move", start)
    assert offered
    assert all(choice["value"].startswith(start) for choice in offered)


async def test_draughts_take_no_more_than_two(here: World) -> None:
    """`/play` with players for a game of two is refused; two is what it is anyway."""
    assert "a game for two" in said(await here.play(players=3))
    assert "posted" in said(await here.play(players=2))


async def test_who_is_home_has_no_say_in_a_draw(here: World) -> None:
    """With places, South is home. The two others agree to a draw without South, who has won; South cannot resign."""
    people = await table(here, 3, "places=true")
    game = await here.game()
    nearly = "1:S=m5,n1,n2,n3,n4,o2,o3,p1,p2,q1:NW=m1,m2:NE=m13,m12"
    async with here.bot.services.store.write() as tx:
        await change_game(tx, game.id, start=nearly, position=nearly, to_seat=0)
    await here.restart()
    south, *others = [next(p for p in people if p.id == player) for player in game.players]
    await here.mention(south, "m5 o1")
    assert "Came home: 1. South." in here.last.content

    assert "pegs are home" in said(await south.slash(here.channel, "game resign"))
    assert "pegs are home" in said(await south.slash(here.channel, "game draw"))
    await others[0].slash(here.channel, "game draw")
    offer = here.last
    assert south.mention not in offer.content
    assert "pegs are home" in said(await south.click(offer, label="Accept"))
    await others[1].click(offer, label="Accept")

    result = (await here.bot.services.games.game(game.id)).result
    assert result is not None
    assert (0, (0,)) == (result.winner, result.places)
    assert "the others agreed to a draw" in here.last.content
    assert f"{south.mention} (South) wins" in here.last.content
    assert "South has won" in (here.last.attachments[0].description or "")
    assert [] == await check_games(here.bot.services.store)


async def test_a_draw_at_a_table_waits_for_all(here: World) -> None:
    """Each who agrees is told that the others are waited for; the last makes it a draw, and the picture says so."""
    people = await table(here, 3)
    await people[0].slash(here.channel, "game draw")
    offer = here.last
    assert "It takes effect once everyone else does" in said(await people[1].slash(here.channel, "game draw"))
    assert "already agreed" in said(await people[1].click(offer, label="Accept"))
    await people[2].click(offer, label="Accept")
    assert "**Drawn by agreement.**" in here.last.content
    assert (here.last.attachments[0].description or "").endswith("Drawn by agreement.")


async def test_offers_at_a_table_notify_one_person_at_most(here: World) -> None:
    """A draw offer and a takeback of four notify whoever is to move, if it is for them to answer, and nobody else."""
    people = await table(here, 4)
    for person in people:
        before = len(here.sent())
        game = await play_on(here, people, 1, random.Random(1))
        await person.slash(here.channel, "game takeback")
        await person.slash(here.channel, "game draw")
        notified = [post["allowed_mentions"]["users"] for post in here.sent()[before + 1 :]]
        assert all(users in ([], [game.to_move]) for users in notified)


async def test_the_opener_sits_already(here: World) -> None:
    """At a table of many there is more than one to accept: the opener is told that the seat is taken."""
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=3)
    answer = said(await here.alice.click(here.last, label="Join"))
    assert "You already have a seat at this table. The game starts when all are taken." == answer


async def test_a_peg_is_moved(here: World) -> None:
    """On the star it is a peg that one moves, not a piece."""
    people = await table(here, 2)
    await play_on(here, people, 6, random.Random(1))
    game = await here.game()
    person = mover(people, game)
    pegs = await person.click(here.boards()[-1], label="Move")
    assert "Which peg do you move?" == said(pegs)
    assert pegs.response is not None
    several = next(label for label in labels(pegs.response.message) if label[1:].isdigit())
    holes = await person.click(pegs.response, label=several)
    assert f"Where does the peg on **{several}** go?" == said(holes)
    assert holes.response is not None
    assert "Another peg" in labels(holes.response.message)


async def test_a_long_list_of_turns_fits_a_message(here: World) -> None:
    """Of 182 turns, more than a message holds, `/game moves` tells each peg's, and leaves none out."""
    await table(here, 2, "sets=3")
    game = await here.game()
    pegs = "S=b1,c3,d4,e7,e8,e10,g10,i1,k4,m4:SW=e2,f7,g2,h2,h4,i3,j1,j2,l3,l11:SE=d1,e5,e11,f9,g9,g11,h5,h9,l9,l12"
    far = "NW=d3,e4,f4,g5,h6,i5,j5,k6,l6,m6:N=e3,f5,g4,h7,i6,j6,k7,l8,m8,n4:NE=d2,e6,f8,g7,h8,i7,j8,k9,l10,m10"
    start = f"1:{pegs}:{far}"
    async with here.bot.services.store.write() as tx:
        await change_game(tx, game.id, start=start, position=start, to_seat=0)
    await here.restart()
    game = await here.game()
    turns = game.rules.turns(game.state)
    assert sum(len(turn.text) + 4 for turn in turns) > 2000

    lines = said(await here.carol.slash(here.channel, "game moves")).splitlines()

    assert lines[0] == f"South may play ({len(turns)}):"
    told = {start.strip("`"): set(ends.split(", ")) for start, ends in (line.split(" to ") for line in lines[1:])}
    for turn in turns:
        names = turn.text.split("-")
        assert names[-1] in told[names[0]]


async def test_players_said_twice(here: World) -> None:
    """A count of players, and another one in the rules, is a slip that is asked about."""
    answer = await here.alice.slash(
        here.channel, "play", variant="chinese-checkers", players=4, rules="players=6 places=true"
    )
    assert "You chose 4 players" in said(answer)
    await here.alice.slash(here.channel, "play", variant="chinese-checkers", players=4, rules="players=4")
    assert "a table for 4" in here.last.content


async def test_a_board_of_the_star_on_request(here: World) -> None:
    """The star has no numbers; asked for, the answer is a picture all the same."""
    await table(here, 2)
    for options in ({"numbers": True}, {"turned": True}, {"turned": True, "numbers": True, "targets": "all"}):
        answer = await here.bob.slash(here.channel, "board", **options)
        assert "to move" in said(answer)


async def test_a_takeback_at_a_table_says_whose_moves_go(here: World) -> None:
    """Who did not move last is told who did; the request, its answer and the board say how many turns it takes back."""
    people = await table(here, 3)
    moved = []
    for _turn in range(2):
        game = await here.game()
        moved.append((mover(people, game), game.seat_name(game.state.seat), game.rules.ranked(game.state)[0].text))
        await here.mention(moved[-1][0], moved[-1][2])
    (first, first_side, first_move), (second, second_side, _move) = moved
    third = mover(people, await here.game())

    refused = said(await first.slash(here.channel, "game undo"))
    assert (
        f"{second_side} ({second.mention}) moved last, and you can undo only your own last move. Ask for a" in refused
    )
    nothing = "You have not moved yet, so there is nothing to take back."
    assert nothing == said(await third.slash(here.channel, "game undo"))
    assert nothing == said(await third.slash(here.channel, "game takeback"))

    assert "I have asked the others." == said(await first.slash(here.channel, "game takeback"))
    request = here.last
    assert f"asks to take back the last 2 turns, from **{first_move}** ({first_side}) on." in request.content
    for person in (second, third):
        await person.click(request, label="Accept")
    assert f"At {first_side}'s request, the last 2 turns are taken back" in here.last.content
    assert first.id == (await here.game()).to_move


async def test_nobody_is_sent_to_a_takeback_that_is_refused(here: World) -> None:
    """Where somebody has left since, an undo that comes too late names no takeback; nor does one where moves stand."""
    people = await table(here, 3)
    first = mover(people, await here.game())
    await here.mention(first, (await here.game()).rules.ranked((await here.game()).state)[0].text)
    leaver = mover(people, await here.game())
    await here.bot.services.games.moves.resign((await here.game()).id, leaver.id, "m:1")

    answer = said(await first.slash(here.channel, "game undo"))
    assert "You can undo only your own last move, before anything else happens in the game." == answer


async def test_who_resigned_has_lost_though_the_others_agree_a_draw(here: World) -> None:
    """Three play; one resigns, the two others agree to a draw: the post names who resigned, whose history says lost."""
    people = await table(here, 3)
    game = await play_on(here, people, 3, random.Random(1))
    leaver = mover(people, game)
    await leaver.click(await confirmed(leaver, here), label="Resign")
    one, other = [person for person in people if person is not leaver]
    await one.slash(here.channel, "game draw")
    await other.click(here.last, label="Accept")
    seat = game.seat_of(leaver.id)
    assert seat is not None
    text = here.last.content
    assert f"{leaver.mention} ({game.seat_name(seat)}) resigned. **The others agreed to a draw.**" in text
    assert f"3\\. {leaver.mention}" in text
    assert "**lost** (resigned)" in said(await leaver.slash(here.channel, "me history"))
    assert "**drawn** (draw by agreement)" in said(await one.slash(here.channel, "me history"))
    assert "**The others agreed to a draw.**" in said(await one.slash(here.channel, "game show", number=game.id))


@pytest.mark.parametrize("computers", [2, 5])
async def test_who_resigns_alone_against_computers_has_lost(here: World, computers: int) -> None:
    """The game ends with the resignation, in one post that says so; nobody offers a draw."""
    await here.alice.slash(
        here.channel, "play", variant="chinese-checkers", players=computers + 1, computers=computers, level=1
    )
    await here.thought()
    game = await here.game()
    before = len(here.posts())
    await here.alice.click(await confirmed(here.alice, here), label="Resign")
    await here.thought()
    assert before + 1 == len(here.posts())
    seat = game.seat_of(here.alice.id)
    assert seat is not None
    told = f"{here.alice.mention} ({game.seat_name(seat)}) resigned. Only computers are left, so the game ends here."
    assert told in here.last.content
    assert f"{computers + 1}\\. {here.alice.mention}" in here.last.content
    assert "**lost** (resigned)" in said(await here.alice.slash(here.channel, "me history"))
    assert [] == await check_games(here.bot.services.store)


async def confirmed(person: MemberActor, here: World) -> ResponseMessage:
    """The question whether somebody wants to resign."""
    asked = await person.slash(here.channel, "game resign")
    assert asked.response is not None
    return asked.response
