"""`/game adjudicate`: directors end tournament games whose end the tables know."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.chat.tournaments.commands.adjudicate import verdict_text
from bot.computer.adjudication import EndgameVerdict
from bot.computer.endgames import lookup as endgames
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for
from bot.games.model.game import Game
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World, said

SEED = 824
"""Played at random with this seed, a game of Pinoy comes to a man of White's against a king after 44 turns."""


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tables of two pieces where the bot looks for them."""
    monkeypatch.setenv(endgames.FOLDER, str(tmp_path))
    rules = rules_for("pinoy")
    assert isinstance(rules, DraughtsRules)
    return endgames.make(rules, tmp_path, 2).path


def random_turns() -> list[str]:
    """The turns of that game."""
    rules, random = rules_for("pinoy"), Random(SEED)
    state, found = rules.start(), list[str]()
    while len(found) < 44:
        legal = rules.turns(state)
        turn = random.choice([turn for turn in legal if turn.captured] or list(legal))
        state = rules.play(state, turn)
        found.append(turn.text)
    return found


async def go_on(here: World, game: Game, texts: list[str]) -> Game:
    for text in texts:
        assert game.to_move is not None
        game = await here.bot.services.games.moves.turn(game.id, game.to_move, text, f"r:{game.id}:{game.ply}")
    here.bot.services.games_changed.send(game)
    await here.env.settle()
    return game


async def test_a_game_whose_end_is_known(here: World, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The director sees the verdict and confirms it; it counts as a result. A press by who directs no more, one
    on a game that has gone on and a second one change nothing."""
    club = Club(here, 2)
    await club.create("round robin")
    await club.join(*club.players)
    await club.direct("start")
    (link,) = (await club.load()).games[:1]
    game = await here.bot.services.games.game(link.game_id)
    ask = "game adjudicate"
    turns = random_turns()
    game = await go_on(here, game, turns[:43])
    mover = next(player for player in club.players if player.id == game.to_move)
    assert "Only a director" in said(await mover.slash(here.channel, ask, number=game.id))
    assert "too many pieces" in said(await club.director.slash(here.channel, ask, number=game.id))
    game = await go_on(here, game, turns[43:])
    answer = await club.director.slash(here.channel, ask, number=game.id)
    assert f"<@{game.players[1]}> (Black) wins in" in said(answer)
    unknown = verdict_text(game, EndgameVerdict(1, None, sure=True))
    assert unknown == f"With best play by both sides, <@{game.players[1]}> (Black) wins."
    message = answer.response
    assert message is not None

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(StoredTournament, "is_director", lambda tournament, person: False)
        assert "Only a director" in said(await club.director.click(message, label="End the game"))
    game = await go_on(here, game, [game.rules.turns(game.state)[0].text])
    assert "moved on" in said(await club.director.click(message, label="End the game"))
    assert "running" == (await here.bot.services.games.game(game.id)).status
    message = (await club.director.slash(here.channel, ask, number=game.id)).response
    assert message is not None
    done = await club.director.click(message, label="End the game")
    assert "the game is over" in said(done)
    tournament = await club.load()
    assert (Mark.LOSS, Mark.WIN) == tournament.state.results[1, link.white, link.black]
    assert "aborted" == (await here.bot.services.games.game(game.id)).status
    again = await club.director.click(message, label="End the game")
    assert "moved on" in said(again) or "That game is not in progress" in said(again)


async def test_what_cannot_be_adjudicated(here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No game of a tournament, no tables, tables that cannot be read: each in a sentence that says what to do."""
    game = await here.start("pinoy")
    other = await here.alice.slash(here.channel, "game adjudicate", number=game.id)
    assert "That is not a tournament game" in said(other)
    monkeypatch.setenv(endgames.FOLDER, str(tmp_path))
    monkeypatch.setattr(endgames, "SHIPPED", tmp_path)
    club = Club(here, 2)
    await club.create("round robin")
    await club.join(*club.players)
    await club.direct("start")
    (link,) = (await club.load()).games[:1]
    missing = await club.director.slash(here.channel, "game adjudicate", number=link.game_id)
    assert "`damero endgames`" in said(missing)
