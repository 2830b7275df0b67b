"""From a challenge to the start, and the rematch."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.model.errors import Duplicate, NoSuchGame, NotOpen, NotRunning, NotSeated, Refused, TooMany
from bot.games.model.game import Place
from data.store import Store
from tests.support.games.club import ANA, BEN, CAT, DAN, HALL, Club, payload


async def test_a_challenge_is_stored_and_announced(club: Club) -> None:
    """An open challenge knows who it is for, where, with which options; it pings the person challenged."""
    game = await club.challenge(removal="at_end")
    assert ("open", ANA, BEN, HALL) == (game.status, game.opener, game.opponent, game.place)
    assert ((ANA, None), (None, BEN)) == (game.players, game.invited)
    assert "at_end" == game.options["removal"]
    assert {"removal": "at_end"} == dict(game.rules.variant.chosen)
    assert game.to_move is None
    assert game == await club.games.game(game.id)
    [told] = await club.said(game)
    assert ("challenge", {"ping": [BEN]}) == (told.kind, payload(told))


async def test_accepting_starts_the_game(club: Club) -> None:
    """The game runs in the challenge's channel; the challenge is closed and the board posted, with one ping."""
    game = await club.challenge(side="second")
    club.now += 5
    game = await club.games.challenges.accept(game.id, BEN, club.source())
    assert ("running", (BEN, ANA), BEN) == (game.status, game.players, game.to_move)
    assert (HALL.channel_id, club.now, False) == (game.channel_id, game.started_at, game.needs_thread)
    assert game == await club.games.running_in(HALL.channel_id)
    said = await club.said(game)
    assert ["challenge", "challenge_closed", "board"] == [told.kind for told in said]
    assert {"how": "accepted", "by": BEN} == payload(said[1])
    assert {"event": "start", "by": None, "ping": BEN, "lot": False} == payload(said[2])


async def test_anyone_may_accept_an_open_challenge(club: Club) -> None:
    """A challenge without an opponent goes to the first who accepts; the second is told that it is gone."""
    game = await club.challenge(opponent=None)
    game = await club.games.challenges.accept(game.id, CAT, club.source())
    assert (ANA, CAT) == game.players
    with pytest.raises(NotOpen, match="already been accepted"):
        await club.games.challenges.accept(game.id, BEN, club.source())


async def test_lots_are_drawn(store: Store) -> None:
    """Sides by lot come from the lots that are handed in, now this way, now that; the board says that they did."""
    seen = set()
    for seed in range(8):
        club = Club(store, Random(seed))
        club.source = lambda seed=seed, inner=club.source: f"{seed}{inner()}"  # type: ignore[method-assign,misc]
        game = await club.challenge(side="lot", place=Place(7, 100 + seed))
        game = await club.games.challenges.accept(game.id, BEN, club.source())
        seen.add(game.players)
        assert payload((await club.said(game))[-1])["lot"]
    assert {(ANA, BEN), (BEN, ANA)} == seen


async def test_only_the_person_challenged_accepts_or_declines(club: Club) -> None:
    """The opener and strangers are refused, in words."""
    game = await club.challenge()
    with pytest.raises(NotSeated, match="your own challenge"):
        await club.games.challenges.accept(game.id, ANA, club.source())
    with pytest.raises(NotSeated, match=f"This challenge is for <@{BEN}>"):
        await club.games.challenges.accept(game.id, CAT, club.source())
    for stranger in (ANA, CAT):
        with pytest.raises(NotSeated, match="Only the person who was challenged can decline"):
            await club.games.challenges.decline(game.id, stranger, club.source())
    for stranger in (BEN, CAT):
        with pytest.raises(NotSeated, match="Only the person who made"):
            await club.games.challenges.withdraw(game.id, stranger, club.source())


async def test_declining_and_withdrawing_end_a_challenge(club: Club) -> None:
    """A declined or withdrawn challenge is closed for good."""
    declined = await club.challenge()
    declined = await club.games.challenges.decline(declined.id, BEN, club.source())
    withdrawn = await club.challenge()
    withdrawn = await club.games.challenges.withdraw(withdrawn.id, ANA, club.source())
    assert ("declined", "withdrawn") == (declined.status, withdrawn.status)
    for game in (declined, withdrawn):
        assert game == await club.games.game(game.id)
        with pytest.raises(NotOpen, match=game.status):
            await club.games.challenges.accept(game.id, BEN, club.source())
        with pytest.raises(NotRunning, match="over"):
            await club.games.moves.turn(game.id, ANA, "a3-b4", club.source())
        assert ["challenge", "challenge_closed"] == await club.kinds(game)


async def test_what_cannot_be_opened(club: Club) -> None:
    """Unknown games and options, oneself as the opponent: refused with what there is."""
    with pytest.raises(Refused, match="no variant 'chess'"):
        await club.challenge(variant="chess")
    with pytest.raises(Refused, match="neglect"):
        await club.challenge(neglect="soplar")
    with pytest.raises(Refused, match="against yourself"):
        await club.challenge(opponent=ANA)
    with pytest.raises(NoSuchGame, match="no game 99"):
        await club.games.challenges.accept(99, ANA, club.source())
    assert 0 == await club.count("games")


async def test_limits_on_open_challenges(store: Store) -> None:
    """So many open challenges a person, and to one game one in a channel between the same two, either way round."""
    club = Club(store, max_open_challenges=3)
    await club.challenge()
    with pytest.raises(TooMany, match=f"between you and <@{BEN}>"):
        await club.challenge()
    with pytest.raises(TooMany, match=f"between you and <@{ANA}>"):
        await club.challenge(BEN, ANA)
    await club.challenge(place=Place(7, 71))
    anyone = await club.challenge(opponent=None)
    with pytest.raises(TooMany, match="3 open challenges"):
        await club.challenge(opponent=CAT)
    await club.games.challenges.withdraw(anyone.id, ANA, club.source())
    await club.challenge(opponent=CAT)
    await club.challenge(CAT, None)
    with pytest.raises(TooMany, match="to anyone"):
        await club.challenge(CAT, None)
    await club.challenge(CAT, None, "tama")


@pytest.mark.parametrize("chat", [Place(None, 70), Place(None, 70, True), Place(7, 70, True)])
async def test_where_no_thread_can_be_there_is_room_for_one_game(club: Club, chat: Place) -> None:
    """A second challenge is not accepted while a game runs, and stays open; it begins when that is over."""
    second = await club.challenge(CAT, DAN, place=chat)
    first = await club.started(place=chat)
    with pytest.raises(Refused, match="room for only one"):
        await club.games.challenges.accept(second.id, DAN, club.source())
    with pytest.raises(Refused, match="room for only one"):
        await club.games.computer.seat((await club.challenge(CAT, None, place=chat)).id, CAT, 1, club.source())
    await club.games.moves.resign(first.id, ANA, club.source())
    begun = await club.games.challenges.accept(second.id, DAN, club.source())
    assert ("running", chat, chat.channel_id) == (begun.status, begun.place, begun.channel_id)


@pytest.mark.parametrize("chat", [Place(None, 70), Place(7, 70, True)])
async def test_rated_games_begin_on_servers_alone(club: Club, chat: Place) -> None:
    """Pools of ratings are not touched from outside."""
    with pytest.raises(Refused, match="on servers that have me"):
        await club.games.challenges.open(
            source="i:1", opener=ANA, opponent=BEN, variant="pinoy", options=None, side=None,
            place=chat, clock="3d", rated=True,
        )  # fmt: skip
    assert 0 == await club.count("games")


async def test_the_same_source_opens_once(club: Club) -> None:
    """A command that is delivered twice opens one challenge, even where a second would be allowed."""
    wish = {"opener": ANA, "opponent": BEN, "variant": "pinoy", "options": None, "side": None}
    await club.games.challenges.open(source="i:1", place=HALL, **wish)  # type: ignore[arg-type]
    for place in (HALL, Place(7, 71)):
        with pytest.raises(Duplicate):
            await club.games.challenges.open(source="i:1", place=place, **wish)  # type: ignore[arg-type]
    assert 1 == await club.count("games")


async def test_the_same_source_accepts_once(club: Club) -> None:
    """An Accept that is delivered twice is no refusal the second time: it was done."""
    game = await club.challenge()
    await club.games.challenges.accept(game.id, BEN, "i:1")
    with pytest.raises(Duplicate):
        await club.games.challenges.accept(game.id, BEN, "i:1")


async def test_one_running_game_a_channel(club: Club) -> None:
    """A game that starts in a busy channel needs a thread, and is found there once it has one."""
    first = await club.started()
    second = await club.challenge(CAT, DAN)
    second = await club.games.challenges.accept(second.id, DAN, club.source())
    assert (None, True) == (second.channel_id, second.needs_thread)
    with pytest.raises(Refused, match="Another game"):
        await club.games.channels.settle_channel(second.id, HALL.channel_id)
    for _ in range(2):
        second = await club.games.channels.settle_channel(second.id, 700)
        assert (700, False) == (second.channel_id, second.needs_thread)
    assert second == await club.games.running_in(700)
    assert first == await club.games.running_in(HALL.channel_id)
    assert await club.games.running_in(999) is None


async def test_rematch(club: Club) -> None:
    """After the end either player may ask for one rematch: sides swapped, in the same place, to be accepted."""
    game = await club.started()
    with pytest.raises(NotRunning, match="when the game is over"):
        await club.games.challenges.rematch(game.id, ANA, club.source())
    game = await club.games.moves.resign(game.id, ANA, club.source())
    with pytest.raises(NotSeated):
        await club.games.challenges.rematch(game.id, CAT, club.source())
    rematch = await club.games.challenges.rematch(game.id, ANA, club.source())
    assert (game.id, "open", ANA, BEN) == (rematch.rematch_of, rematch.status, rematch.opener, rematch.opponent)
    again = await club.games.challenges.rematch(game.id, BEN, club.source())
    assert rematch == again
    started = await club.games.challenges.accept(rematch.id, BEN, club.source())
    assert (BEN, ANA) == started.players
    with pytest.raises(Refused, match=f"is game {started.id}"):
        await club.games.challenges.rematch(game.id, ANA, club.source())


async def test_rematch_of_a_game_with_lots_and_options(club: Club) -> None:
    """A rematch keeps the options and swaps sides even where lots decided the first time."""
    game = await club.started("americanas", neglect="compulsory")
    game = await club.games.moves.resign(game.id, BEN, club.source())
    rematch = await club.games.challenges.rematch(game.id, BEN, club.source())
    assert "compulsory" == rematch.options["neglect"]
    rematch = await club.games.challenges.accept(rematch.id, ANA, club.source())
    assert (BEN, ANA) == rematch.players


async def test_no_rematch_of_a_game_called_off(club: Club) -> None:
    """A game without a result has no rematch."""
    game = await club.started()
    await club.games.moves.abort(game.id, ANA, club.source())
    with pytest.raises(NotRunning):
        await club.games.challenges.rematch(game.id, ANA, club.source())


async def test_games_of_a_person(club: Club) -> None:
    """Running games and challenges of a person, its turn first, then the one that waits longest; by guild if asked."""
    waiting = await club.started(place=Place(7, 1))
    club.now += 10
    mine = await club.started(place=Place(8, 2))
    mine = await club.play(mine, "a3-b4")
    club.now += 10
    challenge = await club.challenge(CAT, BEN, place=Place(7, 3))
    over = await club.started(place=Place(7, 4))
    await club.games.moves.resign(over.id, ANA, club.source())
    found = await club.games.lists.games_of(BEN)
    assert [mine.id, waiting.id, challenge.id] == [summary.id for summary in found]
    assert [BEN, ANA, None] == [summary.to_move for summary in found]
    assert (1, (ANA, BEN), "running") == (found[0].ply, found[0].players, found[0].status)
    assert [waiting.id, challenge.id] == [summary.id for summary in await club.games.lists.games_of(BEN, guild_id=7)]
    assert [] == await club.games.lists.games_of(DAN)
