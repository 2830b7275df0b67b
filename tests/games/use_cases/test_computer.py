"""Games against the computer: how they begin, who may have them, what is kept of them, and hints."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine import transcript as transcripts
from bot.engine.pdn import pdn_reader, pdn_writer
from bot.games.model.computer_seats import (
    GUEST,
    another,
    called,
    computer_of,
    is_computer,
    level_of,
    person_of,
    persons,
)
from bot.games.model.errors import NotSeated, NotYourTurn, Refused, TooMany
from bot.games.model.game import Game, Place
from bot.games.use_cases import computer
from tests.support.games.club import ANA, BEN, CAT, HALL, Club, payload


async def begun(club: Club, *levels: int, variant: str = "pinoy", opponent: int | None = None, **more: Any) -> Game:
    """Ana opens a game with computers of ``levels``."""
    options = {"side": "first", "place": HALL, "clock": "none", "options": {}, **more}
    return await club.games.challenges.open(
        source=club.source(), opener=ANA, opponent=opponent, variant=variant, computers=levels, **options
    )


def test_ids_hold_levels() -> None:
    """Each computer of a table has an id of its own, below zero, which names its level; people are left alone."""
    table: list[int | None] = [ANA]
    for level in (3, 3, 8, 1, 3):
        table.append(another(table, level))
    assert len(set(table)) == 6
    assert [3, 3, 8, 1, 3] == [level_of(player) for player in table if player is not None and is_computer(player)]
    assert (ANA,) == persons(table)
    assert [ANA, None, None] == [person_of(player) for player in (ANA, computer_of(4), None)]
    assert ["<@11>", "Damero level 4"] == [f"{called(player)}" for player in (ANA, computer_of(4))]
    assert "Guest engine 3" == f"{called(computer_of(GUEST, 2))}"
    assert "Damero level 3 #2" == f"{called(computer_of(3, 1))}"
    with pytest.raises(ValueError, match="no level 10"):
        computer_of(10)
    with pytest.raises(ValueError, match="a person"):
        level_of(ANA)


async def test_a_game_begins_at_once(club: Club) -> None:
    """Without a challenge to answer, and with one board to post; in a busy channel with a post for its thread."""
    game = await begun(club, 3)
    assert ("running", (ANA, computer_of(3)), HALL.channel_id) == (game.status, game.players, game.channel_id)
    assert ["board"] == await club.kinds(game)
    other = await begun(club, 5, side="second")
    assert ((computer_of(5), ANA), True) == (other.players, other.needs_thread)
    assert ["challenge", "challenge_closed", "board"] == await club.kinds(other)
    assert [game.id, other.id] == await club.games.computer.with_computers()
    assert [] == await club.check()


async def test_nobody_is_pinged_for_a_computer(club: Club) -> None:
    """What the computer is to know is told to nobody."""
    game = await begun(club, 3, side="second", clock="1d")
    await club.games.offers.offer_draw(game.id, ANA, club.source())
    for said in await club.said(game):
        pinged = payload(said).get("ping")
        for player in pinged if isinstance(pinged, list) else [pinged]:
            assert player is None or player > 0 or said.kind == "offer"


async def test_the_computer_takes_a_seat(club: Club) -> None:
    """By the opener's wish, one seat at a time that is kept for nobody."""
    game = await club.challenge(ANA, None, "chinese-checkers", side=None, players=4)
    with pytest.raises(NotSeated, match="Only the person who made"):
        await club.games.computer.seat(game.id, BEN, 3, club.source())
    with pytest.raises(Refused, match="no level 9"):
        await club.games.computer.seat(game.id, ANA, 9, club.source())
    for level in (3, 3):
        game = await club.games.computer.seat(game.id, ANA, level, club.source())
        assert "open" == game.status
    game = await club.games.challenges.accept(game.id, BEN, club.source())
    assert "running" == game.status
    assert {ANA, BEN} == set(persons(game.players))
    assert 2 == len({player for player in game.players if is_computer(player)})

    kept = await club.challenge(ANA, CAT)
    with pytest.raises(Refused, match="Every free seat is kept for someone"):
        await club.games.computer.seat(kept.id, ANA, 3, club.source())


async def test_fewer_at_a_table(club: Club) -> None:
    """A table that starts early keeps its computers; more of them than seats are refused."""
    game = await begun(club, 2, 2, variant="chinese-checkers", side=None, options={"players": 4})
    game = await club.games.lobby.start_early(game.id, ANA, club.source())
    assert ("running", 3) == (game.status, len(game.players))
    with pytest.raises(Refused, match="more computers than free seats"):
        await begun(club, 2, 2)


async def test_rated_games_are_for_people(club: Club) -> None:
    """A rated challenge takes no computer, from the start or later."""
    with pytest.raises(Refused, match="never rated"):
        await begun(club, 3, rated=True, side=None, clock="1d")
    game = await begun(club, rated=True, side=None, clock="1d")
    with pytest.raises(Refused, match="never rated"):
        await club.games.computer.seat(game.id, ANA, 3, club.source())


async def test_not_too_many_at_a_time(club: Club) -> None:
    """One person has so many games against the computer; another one and a finished one do not count."""
    club.restart(max_open_challenges=(most := 5))
    games = [await begun(club, 1, place=Place(7, 100 + number)) for number in range(most)]
    with pytest.raises(TooMany, match=f"{most} games against the computer"):
        await begun(club, 1)
    challenge = await club.challenge(ANA, None)
    with pytest.raises(TooMany):
        await club.games.computer.seat(challenge.id, ANA, 3, club.source())
    await club.games.moves.resign(games[0].id, ANA, club.source())
    assert "running" == (await club.games.computer.seat(challenge.id, ANA, 3, club.source())).status


async def test_a_rematch_begins_at_once(club: Club) -> None:
    """The computer needs no asking: sides are swapped, and the level stays."""
    game = await begun(club, 6)
    await club.games.moves.resign(game.id, ANA, club.source())
    again = await club.games.challenges.rematch(game.id, ANA, club.source())
    assert ("running", (computer_of(6), ANA), game.id) == (again.status, again.players, again.rematch_of)


async def test_games_are_kept_and_exported(club: Club) -> None:
    """A game against the computer goes out as JSON and PDN, and comes in again as it was."""
    game = await begun(club, 6)
    await club.play(game, "c3-b4")
    await club.games.moves.resign(game.id, ANA, club.source())
    told = await club.games.archive.transcript(game.id)
    assert "Damero level 6" == told.tags["Black"]
    assert [told.players] == [again.players for again in transcripts.loads(transcripts.dumps(told))]
    assert [told.players] == [again.players for again in pdn_reader.loads(pdn_writer.dumps(told))]
    assert [] == await club.check()


async def test_who_is_forgotten_resigns(club: Club) -> None:
    """A game against the computer ends with its person."""
    game = await begun(club, 6)
    await club.games.privacy.forget(ANA, club.source())
    after = await club.games.game(game.id)
    assert ("finished", (None, computer_of(6))) == (after.status, after.players)
    assert [] == await club.games.computer.with_computers()


async def test_hints_have_an_end(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many in a game for each player, the same position counts once, and only whoever is to move has any."""
    monkeypatch.setattr(computer, "HINTS", 2)
    game = await club.started()
    for _ in range(3):
        await club.games.computer.hint(game.id, ANA, club.source())
    assert ["board", "note"] == [said.kind for said in await club.said(game) if said.kind in ("board", "note")]
    with pytest.raises(NotYourTurn):
        await club.games.computer.hint(game.id, BEN, club.source())
    for _ in range(2):
        game = await club.play(game, game.rules.turns(game.state)[0].text)
    await club.games.computer.hint(game.id, ANA, club.source())
    for _ in range(2):
        game = await club.play(game, game.rules.turns(game.state)[0].text)
    with pytest.raises(TooMany, match="2 hints"):
        await club.games.computer.hint(game.id, ANA, club.source())


async def test_no_hints_in_a_tournament(club: Club) -> None:
    """Nobody is helped in a game that a tournament has arranged."""
    async with club.games.transactions.writing(club.source()) as tx:
        game = await club.games.tournament_games.arrange(
            tx,
            source=club.source(),
            players=[ANA, BEN],
            variant="pinoy",
            options={},
            place=HALL,
            clock="1d",
            heading="Cup",
        )
    with pytest.raises(Refused, match="tournament"):
        await club.games.computer.hint(game.id, ANA, club.source())
