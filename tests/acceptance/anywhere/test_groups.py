"""Games in chats of people, and on servers without the bot, where it may only answer what is pressed."""

from __future__ import annotations

import copy
import random

import pytest

from bot.games.persistence.integrity import check_games
from tests.support.discord.chats import components, foreign_server, labels, words_of
from tests.support.discord.pairs import Pair
from tests.support.discord.world import World


async def test_a_challenge_is_played_by_buttons(pair: Pair) -> None:
    """Challenge, acceptance, moves: one message, changed with each press, and nothing but answers."""
    chat = pair.chat
    await chat.slash(pair.ana, "play", variant="spanish", opponent=pair.ben, side="first")
    assert ["Accept", "Decline", "Withdraw"] == labels(chat.last)

    await chat.click(pair.ben, chat.last, "Accept")
    assert "I cannot read messages here" in chat.last.content
    game = await pair.move()
    assert f"White: **{game.turns[-1]}**" in chat.last.content
    game = await pair.move()
    assert f"Red: **{game.turns[-1]}**" in chat.last.content
    assert f"g{game.id}-m2.png" == chat.last.attachments[0]["filename"]
    assert f"<@{pair.ana.id}>, it is your turn" in chat.last.content

    assert 1 == len(chat.messages)
    assert [] == chat.problems()
    assert [] == await pair.here.bot.services.outbox.games_waiting()


async def test_a_move_by_taps(pair: Pair) -> None:
    """The choice is the mover's alone; the board that all see is changed, not posted anew."""
    game = await pair.start()
    turn = game.rules.turns(game.state)[0].text
    tapped = await pair.tap(pair.ana, turn)
    assert f"Played: `{turn}`." == pair.chat.private(tapped).content
    assert f"White: **{turn}**" in pair.chat.last.content
    assert 1 == len(pair.chat.messages)

    await pair.chat.click(pair.ana, pair.chat.private(tapped), "Undo")
    assert "has undone a slip" in pair.chat.last.content
    assert [] == pair.chat.problems()


async def play_on(pair: Pair, lots: random.Random, most: int) -> None:
    """By form and command in turn, until the rules end the game, or somebody resigns."""
    game = await pair.game()
    while game.status == "running":
        mover = pair.mover(game)
        if game.ply >= most:
            asked = await pair.chat.click(mover, pair.chat.last, "Resign")
            await pair.chat.click(mover, pair.chat.private(asked), "Resign")
            game = await pair.here.bot.services.games.game(game.id)
        elif game.ply % 7 == 6:
            turn = lots.choice(game.rules.turns(game.state))
            await pair.chat.slash(mover, "move", move=turn.text)
            game = await pair.here.bot.services.games.game(game.id)
        else:
            game = await pair.move(lots)
        assert f"g{game.id}-m{game.ply}.png" == pair.chat.last.attachments[0]["filename"]


@pytest.mark.parametrize("variant", ["americanas", "chinese-checkers"])
async def test_a_whole_game_in_a_chat_of_people(in_group: Pair, variant: str) -> None:
    """From challenge to result by forms and commands, one of the two having installed nothing; then a rematch."""
    pair = in_group
    await pair.start(variant)

    await play_on(pair, random.Random(f"group {variant}"), 14)

    assert "Rematch" in labels(pair.chat.last)
    await pair.chat.click(pair.ben, pair.chat.last, "Rematch")
    assert "a rematch" in pair.chat.last.content
    await pair.chat.click(pair.ana, pair.chat.last, "Accept")
    await pair.game()
    assert [] == pair.chat.problems()
    assert [] == await check_games(pair.here.bot.services.store)
    assert [] == await pair.here.bot.services.outbox.games_waiting()


async def test_a_whole_game_on_a_server_without_the_bot(here: World) -> None:
    """The same there."""
    pair = Pair(here, "server")
    await pair.start("tama")

    await play_on(pair, random.Random("server"), 16)

    assert "Rematch" in labels(pair.chat.last)
    assert [] == pair.chat.problems()


async def test_the_computer_answers_by_the_same_press(pair: Pair) -> None:
    """The press shows one's own turn, and is changed again when the computer has answered."""
    await pair.chat.slash(pair.ana, "play", variant="spanish", level=1, side="first")
    await pair.here.thought()
    before = await pair.game()
    turn = before.rules.turns(before.state)[0].text
    await pair.by_form(pair.ana, turn)
    await pair.here.thought()

    game = await pair.game()
    assert 2 == game.ply
    assert f"<@{pair.ana.id}>, it is your turn" in pair.chat.last.content
    assert 1 == len(pair.chat.messages)
    changes = [each.path for each in pair.here.env.http_requests if each.method == "PATCH"]
    assert changes[-1] == changes[-2]
    assert [] == pair.chat.problems()


async def test_who_plays_whom_stays_until_somebody_has_moved(pair: Pair) -> None:
    """Where the computer begins, its turn comes at once: the same message still says how the game goes here."""
    await pair.chat.slash(pair.ana, "play", variant="spanish", level=1, side="second")
    await pair.here.thought()
    first = pair.chat.last.content
    assert f"begins. Damero level 1 plays White and <@{pair.ana.id}> plays Red." in first
    assert "White: **" in first
    assert "I cannot read messages here" in first
    game = await pair.game()
    await pair.by_form(pair.ana, game.rules.turns(game.state)[0].text)
    await pair.here.thought()
    assert "I cannot read" not in pair.chat.last.content
    assert "begins." not in pair.chat.last.content
    assert 1 == len(pair.chat.messages)
    assert [] == pair.chat.problems()


async def test_how_the_computer_began_is_told_while_the_game_goes_on(in_group: Pair) -> None:
    """With its handicap; who calls the game off is told no more how to play it."""
    chat, ana = in_group.chat, in_group.ana
    await chat.slash(ana, "play", variant="pinoy", level=1, side="second", position="white 2")
    await in_group.here.thought()
    assert "\nHandicap: White begins without a1 and c1.\n" in chat.last.content
    assert "\nWhite: **" in chat.last.content
    await chat.slash(ana, "game abort")
    assert f"<@{ana.id}> has called this game off; it does not count." == chat.last.content
    for gone in ("begins", "I cannot read messages here", "Nobody is notified here"):
        assert gone not in chat.last.content
    assert [] == labels(chat.last)


async def test_help_fits_a_chat_of_people(in_group: Pair) -> None:
    """It names no way to write that is not heard there, and no commands that there are not."""
    shown = in_group.chat.private(await in_group.chat.slash(in_group.ana, "help"))
    assert "I cannot read messages here" in words_of(shown)
    assert "Or write it with *Type it*." in words_of(shown)
    [menu] = [each for each in components(shown) if "options" in each]
    assert ["moves", "days", "study", "you"] == [option["value"] for option in menu["options"]]
    await in_group.chat.select(in_group.ana, shown, "moves")
    assert "*Type it* there to write. Or use `/move`." in words_of(shown)
    assert "mention me" not in words_of(shown)


async def test_offers_stand_under_the_board(pair: Pair) -> None:
    """An offer of a draw is shown with the board, and is accepted there."""
    await pair.start()
    await pair.move()
    game = await pair.move()
    await pair.chat.click(pair.mover(game), pair.chat.last, "Draw")
    assert "offers a draw" in pair.chat.last.content
    assert {"Move", "Draw", "Resign", "Accept", "Decline"} <= set(labels(pair.chat.last))

    await pair.chat.click(pair.waiter(game), pair.chat.last, "Accept")
    assert "Drawn by agreement" in pair.chat.last.content
    assert "Rematch" in labels(pair.chat.last)
    assert [] == pair.chat.problems()


async def test_a_takeback_is_asked_for_and_declined(pair: Pair) -> None:
    """By a command and a button; the board stays."""
    await pair.start()
    game = await pair.move()
    await pair.chat.slash(pair.waiter(game), "game takeback")
    assert "asks to take back the last turn" in pair.chat.last.content
    await pair.chat.click(pair.mover(game), pair.chat.last, "Decline")
    assert "Accept" not in labels(pair.chat.last)
    assert "does not agree to the takeback. The game goes on." in pair.chat.last.content
    assert "declined by" not in pair.chat.last.content
    assert (await pair.game()).ply == game.ply
    assert [] == pair.chat.problems()


async def test_strangers_press_in_vain(pair: Pair) -> None:
    """Who looks on is told so privately, and nothing changes for the players."""
    game = await pair.start()
    board = pair.chat.last.content
    for label in ("Move", "Draw", "Resign"):
        answer = await pair.chat.click(pair.cleo, pair.chat.last, label)
        assert "You are not playing in this game" in pair.chat.private(answer).content
    assert board == pair.chat.last.content
    assert game.ply == (await pair.game()).ply
    assert 1 == len(pair.chat.messages)


async def test_a_stale_press_leads_to_the_board(pair: Pair) -> None:
    """An old board's button plays nothing, and its answer has a button that shows the board anew."""
    await pair.start()
    game = await pair.game()
    turn = game.rules.turns(game.state)[0]
    choice = await pair.chat.click(pair.ana, pair.chat.last, "Move")
    form = await pair.chat.click(pair.ana, pair.chat.private(choice), "Type it")
    old = copy.deepcopy(pair.chat.last)
    await pair.chat.slash(pair.ana, "move", move=turn.text)
    assert old.id != pair.chat.last.id

    late = await pair.chat.submit(pair.ana, form, {"move": turn.text})
    stale = await pair.chat.click(pair.ben, old, "Move")
    for answer in (late, stale):
        told = "This is an older board: the game has moved on. Press *Show the board* to see the current one."
        assert told == pair.chat.private(answer).content
        assert ["Show the board"] == labels(pair.chat.private(answer))
    many = len(pair.chat.messages)
    await pair.chat.click(pair.ben, pair.chat.private(stale), "Show the board")
    assert many + 1 == len(pair.chat.messages)
    await pair.move()
    assert [] == pair.chat.problems()


async def test_the_board_is_had_again(pair: Pair) -> None:
    """`/board` shows it privately, with all that can be done and a button that shows it to all."""
    await pair.start()
    answer = await pair.chat.slash(pair.ana, "board")
    shown = pair.chat.private(answer)
    assert {"Move", "Draw", "Resign", "Show the board"} <= set(labels(shown))
    await pair.chat.click(pair.ana, shown, "Show the board")
    assert 2 == len(pair.chat.messages)
    assert f"<@{pair.ana.id}>, it is your turn" in pair.chat.last.content

    game = await pair.game()
    await pair.by_form(pair.ana, game.rules.turns(game.state)[0].text, shown)
    assert 2 == len(pair.chat.messages)
    assert f"<@{pair.ben.id}>, it is your turn" in pair.chat.last.content
    assert [] == pair.chat.problems()


async def test_one_game_at_a_time(pair: Pair) -> None:
    """There are no threads there: a second game has to wait, however it would begin. No challenge is posted
    that nobody could accept."""
    chat = pair.chat
    await chat.slash(pair.ana, "play", variant="tama", opponent=pair.ben)
    second = chat.last
    await pair.start()
    shown = len(chat.messages)
    for answer in (
        await chat.click(pair.ben, second, "Accept"),
        await chat.slash(pair.ana, "play", variant="spanish", level=1),
        await chat.slash(pair.ana, "play", variant="spanish"),
        await chat.slash(pair.ana, "play", variant="pinoy", opponent=pair.ben),
    ):
        assert "room for only one" in chat.private(answer).content
    assert shown == len(chat.messages)
    assert [] == chat.problems()


async def test_rated_games_are_played_on_servers(pair: Pair) -> None:
    """A server's pools are not touched from outside: no rated game begins there."""
    answer = await pair.chat.slash(pair.ana, "play", variant="spanish", opponent=pair.ben, clock="3d", rated=True)
    assert "Rated games are played on servers that have me" in pair.chat.private(answer).content


async def test_who_may_not_show_apps_plays_the_computer(here: World) -> None:
    """Where a server hides what apps of people answer, nobody can be challenged; the computer can."""
    ana, ben = here.env.create_user("ana"), here.env.create_user("ben")
    chat = foreign_server(here.env, [ana, ben], [ana], external=False)
    answer = await chat.slash(ana, "play", variant="spanish", opponent=ben)
    assert "Only you see my answers" in chat.private(answer).content
    assert [] == chat.messages
    await chat.slash(ana, "play", variant="spanish", level=1, side="first")
    assert await here.bot.services.games.running_in(chat.id) is not None


async def test_nothing_is_told_outside(pair: Pair) -> None:
    """Who is not there sees neither the game nor that there is one; players see it anywhere."""
    game = await pair.start()
    outside = await pair.here.alice.slash(pair.here.channel, "game show", number=game.id)
    assert outside.response is not None
    assert "There is no game" in outside.response.content
    dora = pair.here.env.create_user("dora")
    alone = await dora.slash("game show", number=game.id)
    assert "There is no game" in alone.response.content
    empty = await dora.slash("me history", player=pair.ana)
    assert "has not finished any games here" in empty.response.content
    pressed = await pair.ben.slash("game show", number=game.id)
    assert f"game {game.id}" in pressed.response.content
    seen = await pair.chat.slash(pair.cleo, "game show", number=game.id)
    assert f"game {game.id}" in pair.chat.private(seen).content


@pytest.mark.parametrize("owners", [{}, {"0": "1"}, {"1": "2"}, {"0": "1", "1": "2"}])
async def test_who_has_installed_it_decides_nothing(pair: Pair, owners: dict[str, str]) -> None:
    """By a server (its commands alone), by a person, by both: what counts is that the bot is not there."""
    pair.chat.owners = owners
    await pair.start()
    await pair.move()
    assert 1 == len(pair.chat.messages)
    assert [] == pair.chat.problems()


async def test_learning_in_a_chat(pair: Pair) -> None:
    """Puzzles, hints, positions, lists: private answers, as everywhere."""
    chat, ana = pair.chat, pair.ana
    puzzle = await chat.slash(ana, "puzzle", variant="spanish")
    assert "to move and win" in chat.private(puzzle).content
    await pair.here.restart()
    form = await chat.click(ana, chat.private(puzzle), "Answer")
    assert (await chat.submit(ana, form, {"move": "a1-b2"})).acknowledged

    await chat.slash(ana, "play", variant="spanish", level=1, side="first")
    await pair.here.thought()
    hint = await chat.slash(ana, "game hint")
    await pair.here.thought()
    assert "I would play" in " ".join([chat.private(hint).content, *(each.content for each in hint.followups)])
    for command in ("me games", "me next"):
        listed = chat.private(await chat.slash(ana, command)).content
        server = "@me" if chat.guild_id is None else str(chat.guild_id)
        assert f"https://discord.com/channels/{server}/{chat.id}/" in listed
    nothing = await chat.slash(ana, "game continue", number=(await pair.game()).id)
    assert "stays in the chat" in chat.private(nothing).content
    assert [] == chat.problems()


async def test_a_position_is_set_up_and_played(pair: Pair) -> None:
    """A position is shown, shared, and played from; over a restart."""
    chat = pair.chat
    shown = await chat.slash(pair.ana, "setup", variant="spanish", position="W:Wb3,d3:Be6,g6")
    await chat.click(pair.ana, chat.private(shown), "Share")
    assert "shows a position" in chat.last.content
    await pair.here.restart()
    levels = await chat.click(pair.ben, chat.last, "Play the computer")
    await chat.click(pair.ben, chat.private(levels), "1")
    await pair.here.thought()
    game = await pair.game()
    assert game.from_position
    assert pair.ben.id in game.players
    assert f"<@{pair.ben.id}>" in chat.last.content
    assert [] == chat.problems()


async def test_damero_is_challenged_by_name(pair: Pair) -> None:
    """Damero plays where it is no member; challenging oneself says so."""
    alone = await pair.chat.slash(pair.ana, "play", variant="spanish", opponent=pair.ana)
    assert "You cannot play against yourself" in pair.chat.private(alone).content
    await pair.chat.slash(pair.ana, "play", variant="spanish", opponent=pair.here.me, side="first")
    assert [pair.ana.id] == [each for each in (await pair.game()).players if each is not None and each > 0]


async def test_who_may_decline(pair: Pair) -> None:
    """Nobody declines what was offered to nobody in particular."""
    await pair.chat.slash(pair.ana, "play", variant="spanish")
    assert ["Accept", "Withdraw", "Play the computer"] == labels(pair.chat.last)


async def test_two_offers_have_buttons_that_say_which(in_group: Pair) -> None:
    """One has the usual ones."""
    await in_group.start()
    await in_group.move()
    game = await in_group.move()
    await in_group.chat.slash(in_group.waiter(game), "game takeback")
    assert {"Accept", "Decline"} < set(labels(in_group.chat.last))
    await in_group.chat.slash(in_group.waiter(game), "game draw")
    both = {"Accept the takeback", "Decline the takeback", "Accept the draw", "Decline the draw"}
    assert both < set(labels(in_group.chat.last))
    await in_group.chat.click(in_group.mover(game), in_group.chat.last, "Decline the takeback")
    assert "Accept" in labels(in_group.chat.last)
    assert ["draw"] == [offer.kind for offer in (await in_group.game()).offers]


@pytest.mark.parametrize("answer", ["Accept", "Decline"])
async def test_a_board_has_no_buttons_where_another_stands_below(pair: Pair, answer: str) -> None:
    """An offer by command brings a new board: what it offers is to be pressed there alone, and nowhere once that is
    answered. Who has not seen the new one yet, and presses on the old, changes both."""
    chat = pair.chat
    await pair.start()
    await pair.move()
    game = await pair.move()
    old = copy.deepcopy(chat.last)
    await chat.slash(pair.waiter(game), "game draw")
    above, below = chat.messages
    assert old.id == above.id
    assert [] == labels(above)
    assert {"Accept", "Decline"} < set(labels(below))
    unseen = copy.deepcopy(below)
    shown = await chat.slash(pair.waiter(game), "board")
    await chat.click(pair.waiter(game), chat.private(shown), "Show the board")
    await chat.click(pair.mover(game), unseen, answer)
    assert 3 == len(chat.messages)
    for board in chat.messages[1:]:
        assert not {"Accept", "Decline"} & set(labels(board))
        assert ("Drawn by agreement" if answer == "Accept" else "declines the draw") in board.content
    assert [] == chat.problems()


async def test_of_three_boards_the_last_alone_has_buttons(in_group: Pair) -> None:
    """Also where somebody has pressed on an older one before the last came."""
    chat = in_group.chat
    await in_group.start()
    await in_group.move()
    game = await in_group.move()
    old = copy.deepcopy(chat.last)
    await chat.slash(in_group.waiter(game), "game takeback")
    await chat.click(in_group.mover(game), old, "Draw")
    assert 2 == len(chat.messages)
    assert all("offers a draw" in board.content for board in chat.messages)
    await chat.slash(in_group.ana, "move", move=game.rules.turns(game.state)[0].text)
    assert [[], []] == [labels(board) for board in chat.messages[:-1]]
    assert 3 == len(chat.messages)
    assert "Move" in labels(chat.last)


async def test_buttons_that_cannot_be_taken_off_stay(in_group: Pair) -> None:
    """Discord is in trouble when a board is to lose its buttons: the next one stands, once, and the game goes on."""
    await in_group.start()
    game = await in_group.move()
    in_group.here.env.inject_error("PATCH", "/webhooks/*/*/messages/*", status=503, times=6)
    shown = await in_group.chat.slash(in_group.waiter(game), "board")
    await in_group.chat.click(in_group.waiter(game), in_group.chat.private(shown), "Show the board")
    assert 2 == len(in_group.chat.messages)
    assert game.ply + 1 == (await in_group.move()).ply
    assert 2 == len(in_group.chat.messages)


async def test_a_huff_is_told_with_the_move_that_follows_it(pair: Pair) -> None:
    """Both change the same message: who looks after the move reads what became of the piece; after the next turn it is
    told no more."""
    await pair.start("americanas")
    for turn in ("c3-d4", "b6-c5", "g3-h4"):
        game = await pair.game()
        await pair.by_form(pair.mover(game), turn)
    game = await pair.game()
    huffs = "White huffs (soplar): the piece on **d4** is removed."
    await pair.chat.click(pair.mover(game), pair.chat.last, "Huff d4")
    assert 1 == pair.chat.last.content.count(huffs)
    await pair.by_form(pair.mover(game), "c5-b4")
    assert f"{huffs}\nWhite: **c5-b4**" in pair.chat.last.content
    shown = await pair.chat.slash(pair.waiter(game), "board")
    await pair.chat.click(pair.waiter(game), pair.chat.private(shown), "Show the board")
    assert 1 == pair.chat.last.content.count(huffs)
    await pair.move()
    assert "huffs" not in pair.chat.last.content
    assert [] == pair.chat.problems()
