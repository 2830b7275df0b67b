from __future__ import annotations

import pytest

from tests.support.discord.world import World, labels, said


async def test_a_challenge_pings_the_one_who_is_challenged(here: World) -> None:
    """The challenge names both, the game and the side, has its three buttons, and pings the challenged person alone."""
    answer = await here.play()

    assert "posted" in said(answer)
    assert "Dama (Spanish draughts)" in here.last.content
    assert here.alice.mention in here.last.content
    assert f"{here.alice.mention} plays White and begins." in here.last.content
    assert ["Accept", "Decline", "Withdraw"] == labels(here.last)
    assert {"parse": [], "users": [here.bob.id]} == here.sent()[-1]["allowed_mentions"]


async def test_anyone_may_accept_an_open_challenge(here: World) -> None:
    """Without an opponent nobody is pinged, and whoever comes first plays."""
    await here.alice.slash(here.channel, "play", variant="tama")
    assert "Anyone may accept" in here.last.content
    assert [] == here.sent()[-1]["allowed_mentions"]["users"]

    await here.carol.click(here.last, label="Accept")

    assert {here.alice.id, here.carol.id} == set((await here.game()).players)


async def test_accepting_starts_the_game(here: World) -> None:
    """The challenge loses its buttons, and the first board pings who begins."""
    await here.play()
    challenge = here.last

    answer = await here.bob.click(challenge, label="Accept")

    assert answer.acknowledged
    posts = here.posts()
    assert 2 == len(posts)
    assert [] == labels(posts[0])
    assert f"Accepted by {here.bob.mention}." in posts[0].content
    assert f"{here.alice.mention}, it is your turn (White)." in posts[1].content
    assert ["Move", "Draw", "Resign", "My side"] == labels(posts[1])
    assert [here.alice.id] == here.sent()[-1]["allowed_mentions"]["users"]


async def test_declining_and_withdrawing_end_a_challenge(here: World) -> None:
    """The challenged person declines, the challenger withdraws; the post says which, and no game begins."""
    await here.play()
    await here.bob.click(here.last, label="Decline")
    assert f"Declined by {here.bob.mention}." in here.last.content
    assert [] == labels(here.last)

    await here.play()
    await here.alice.click(here.last, label="Withdraw")
    assert "Withdrawn." in here.last.content
    assert [] == here.boards()


@pytest.mark.parametrize("label", ["Accept", "Decline", "Withdraw"])
async def test_a_strangers_press_on_a_challenge_gets_a_polite_no(here: World, label: str) -> None:
    """Carol was not asked: she alone is told so, and the challenge stays as it was."""
    await here.play()
    before = here.last.content

    answer = await here.carol.click(here.last, label=label)

    assert said(answer)
    assert before == here.last.content
    assert 1 == len(here.posts())


async def test_one_cannot_accept_ones_own_challenge(here: World) -> None:
    """The challenger's own press is refused privately."""
    await here.alice.slash(here.channel, "play", variant="spanish")

    assert "own challenge" in said(await here.alice.click(here.last, label="Accept"))


async def test_bots_and_oneself_cannot_be_challenged(here: World) -> None:
    """Neither a bot nor the challenger is an opponent; nothing is posted."""
    robot = here.guild.add_member(here.env.create_user("robot", bot=True))

    assert "Bots do not play" in said(await here.play(opponent=robot))
    assert "yourself" in said(await here.play(opponent=here.alice))
    assert [] == here.posts()


@pytest.mark.parametrize(
    ("side", "first"),
    [("first", "alice"), ("second", "bob"), ("white", "alice"), ("Red", "bob")],
)
async def test_the_side_is_chosen_by_turn_or_by_colour(here: World, side: str, first: str) -> None:
    """`side` takes first and second, and the names of the colours in any case."""
    await here.play(side=side)
    await here.bob.click(here.last, label="Accept")

    assert getattr(here, first).id == (await here.game()).to_move


async def test_an_unknown_side_is_refused_with_what_there_is(here: World) -> None:
    """The refusal lists the sides."""
    answer = said(await here.play(side="green"))

    assert "'green'" in answer
    for choice in ("`first`", "`second`", "`random`", "white", "red"):
        assert choice in answer


async def test_where_colours_go_by_lot_a_side_may_be_agreed_on(here: World) -> None:
    """In Damas americanas the lot decides, unless the challenge names a side, which the opponent then agrees to."""
    await here.play("americanas", side=None)
    assert "Sides are drawn at random" in here.last.content

    await here.play("americanas", opponent=here.carol, side="first")
    assert "plays Red and begins" in here.last.content


async def test_sides_are_suggested_with_the_games_colours(here: World) -> None:
    """Autocomplete offers first, second and lot, named by the colours of the game that was chosen."""
    offered = await here.alice.autocomplete(here.channel, "play", "side", "", variant="americanas")
    assert ["first", "second", "lot"] == [choice["value"] for choice in offered]
    assert "Red" in offered[0]["name"]

    offered = await here.alice.autocomplete(here.channel, "play", "side", "whi", variant="spanish")
    assert ["first"] == [choice["value"] for choice in offered]


async def test_chosen_rules_stand_in_the_challenge_and_in_the_game(here: World) -> None:
    """House rules are shown with what they mean, and are those of the game."""
    await here.play("pinoy", rules="removal=at_end; quiet_moves = 40")

    assert "`removal=at_end`" in here.last.content
    assert "`quiet_moves=40`" in here.last.content
    await here.bob.click(here.last, label="Accept")
    chosen = (await here.game()).rules.variant.chosen
    assert {"removal": "at_end", "quiet_moves": 40} == dict(chosen)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("fast", ["`fast` is not a rule", "`quiet_moves`", "10 to 100"]),
        ("speed=9", ["no option", "quiet_moves"]),
        ("quiet_moves=500", ["quiet_moves", "10 to 100"]),
        ("mirror=maybe", ["mirror", "false", "true"]),
        ("mirror=true Mirror=false", ["`Mirror` is there twice."]),
        ("x" * 200, [f"`{'x' * 39}…` is not a rule.", "quiet_moves"]),
    ],
)
async def test_rules_that_there_are_not_are_refused_with_those_that_there_are(
    here: World, rules: str, words: list[str]
) -> None:
    """A slip in `rules` posts nothing, and the answer lists what may be written."""
    answer = said(await here.play(rules=rules))

    for word in words:
        assert word in answer
    assert [] == here.posts()


async def test_rules_are_suggested_as_they_are_typed(here: World) -> None:
    """Autocomplete goes on from what is typed, leaves out what is chosen already, and knows the variant's options."""

    async def offered(typed: str, variant: str = "pinoy") -> list[str]:
        choices = await here.alice.autocomplete(here.channel, "play", "rules", typed, variant=variant)
        return [choice["value"] for choice in choices]

    assert "removal=at_end" in await offered("")
    assert ["removal=at_end quiet_moves=40", "removal=at_end quiet_moves=0"] == await offered("removal=at_end qui")
    assert not any("removal=at_once" in text for text in await offered("removal=at_end "))
    assert "turn_back=true" in await offered("tu", "tama")
    assert [] == await offered("tu", "spanish")


async def test_a_busy_channel_gives_the_game_a_thread(here: World) -> None:
    """While a game runs the next one opens in a thread of its own, made from its challenge, and is played there."""
    first = await here.start()
    await here.carol.slash(here.channel, "play", variant="tama", opponent=here.bob)
    challenge = here.last

    await here.bob.click(challenge, label="Accept")

    [thread] = here.channel.threads
    assert challenge.id == thread.id
    assert "carol" in (thread.name or "")
    assert "bob" in (thread.name or "")
    assert 1 == len(here.boards(thread))
    second = await here.game(thread)
    assert second.id != first.id
    mover = here.mover(second)
    await here.mention(mover, second.rules.turns(second.state)[0].text, thread)
    assert 1 == (await here.game(thread)).ply
    assert 0 == (await here.game()).ply
    assert 2 == len(here.boards(thread))


async def test_a_thread_that_could_not_be_made_is_made_after_a_restart(here: World) -> None:
    """Discord fails when the thread is to be made, and the bot restarts: the game gets its thread all the same."""
    await here.start()
    await here.carol.slash(here.channel, "play", variant="tama", opponent=here.bob)
    here.env.inject_error("POST", "/channels/*/messages/*/threads", status=500)
    await here.bob.click(here.last, label="Accept")
    assert [] == here.channel.threads

    await here.restart()

    [thread] = here.channel.threads
    assert 1 == len(here.boards(thread))


async def test_a_thread_without_its_challenge(here: World) -> None:
    """Where the challenge's post was deleted meanwhile, the game gets a thread that hangs on nothing."""
    await here.start()
    await here.carol.slash(here.channel, "play", variant="tama", opponent=here.bob)
    here.env.inject_error("POST", "/channels/*/messages/*/threads", status=404, code=10008)

    await here.bob.click(here.last, label="Accept")

    [thread] = here.channel.threads
    assert 1 == len(here.boards(thread))


async def test_who_is_not_on_the_server_cannot_be_challenged(here: World) -> None:
    """The refusal says so; nothing is posted."""
    outsider = here.env.create_user("outsider")

    assert "not here" in said(await here.play(opponent=outsider))
    assert [] == here.posts()


async def test_in_a_busy_thread_no_other_game_begins(here: World) -> None:
    """A thread cannot have a thread: accepting there is refused with what to do, and the challenge stays open."""
    await here.start()
    await here.carol.slash(here.channel, "play", variant="tama", opponent=here.bob)
    await here.bob.click(here.last, label="Accept")
    [thread] = here.channel.threads
    await here.alice.slash(thread, "play", variant="spanish", opponent=here.bob)
    challenge = here.posts(thread)[-1]

    answer = await here.bob.click(challenge, label="Accept")

    assert "A game is running here, and I cannot open a thread here for another" in said(answer)
    assert ["Accept", "Decline", "Withdraw"] == labels(here.posts(thread)[-1])


async def test_a_thread_that_exists_already_is_used(here: World) -> None:
    """Where the bot died after making the thread, Discord answers 160004, and the game is played in that thread."""
    await here.start()
    await here.carol.slash(here.channel, "play", variant="tama", opponent=here.bob)
    challenge = here.last
    assert here.bot.user is not None
    here.env.backend.create_thread(here.channel.id, "made before", here.bot.user.id, message_id=challenge.id)
    here.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160004)

    await here.bob.click(challenge, label="Accept")

    [thread] = here.channel.threads
    assert 1 == len(here.boards(thread))
