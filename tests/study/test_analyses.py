"""Games looked over: what stands of them in the end, whoever asks, and where workers fail."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from bot.chat.study import analysis_texts as texts
from bot.computer.analysis import PlayedPosition, SearchedTurn, look
from bot.computer.workers.pool import Busy, WorkerLost, Workers
from bot.engine.registry import rules_for
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.persistence.transactions import writing
from bot.study.analyses import AT_ONCE, Analyses
from data.schema import study
from data.store import Store
from render.charts.graphs import evaluation_graph
from tests.support.games.club import ANA, BEN, Club


class Here(Workers):
    """Workers that look at once, here; ``fail`` is raised instead, once."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[PlayedPosition] = []
        self.fail: Exception | None = None
        self.quick = True

    async def call(self, function: Any, argument: Any, server: int, *, seconds: float, soon: bool = False) -> Any:
        assert function is look
        assert not soon
        self.asked.append(argument)
        await asyncio.sleep(0)
        if self.fail is not None:
            error, self.fail = self.fail, None
            raise error
        if not self.quick:
            return look(argument._replace(seconds=0.02))
        turn = argument.played
        return SearchedTurn(len(argument.turns) % 2, turn, 10, turn, 10, 5, 4, (turn,), 0.1)


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Here:
    """Searches are plain."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    return Here()


@pytest.fixture
def analyses(club: Club, workers: Here) -> Analyses:
    return Analyses(club.store, club.games, workers, club.clock)


async def quiet(_done: int, _of: int) -> None:
    """Nobody looks at the progress."""


async def played(club: Club, game: Game, *texts: str) -> Game:
    """Turns made by whoever is to move."""
    for text in texts:
        assert game.to_move is not None
        game = await club.games.moves.turn(game.id, game.to_move, text, club.source())
    return game


async def some(club: Club, turns: int, variant: str = "spanish") -> Game:
    """A game of so many turns, resigned by Ana."""
    game = await club.started(variant)
    for _ in range(turns):
        game = await played(club, game, game.rules.turns(game.state)[0].text)
    return await club.games.moves.resign(game.id, ANA, club.source())


def drawn(analysis: Any) -> bytes:
    """The graph as a picture."""
    graph = texts.graph_of(analysis, ("Ana", "Ben"))
    assert graph is not None
    return partial(evaluation_graph, graph)()


async def test_what_was_taken_back_is_not_judged(club: Club, analyses: Analyses, workers: Here) -> None:
    """The turns that stand, in their order, each reached by those that stand before it; the last entry resigns."""
    game = await played(club, await club.started("spanish"), "b3-c4", "e6-f5")
    game = await club.games.moves.undo(game.id, BEN, club.source())
    game = await played(club, game, "c6-b5", "c4-d5")
    await club.games.moves.resign(game.id, BEN, club.source())
    analysis = await analyses.analyse(game.id, ANA, 0, quiet)
    assert ["b3-c4", "c6-b5", "c4-d5"] == [one.searched.played for one in analysis.judged]
    assert [(), ("b3-c4",), ("b3-c4", "c6-b5")] == [moment.turns for moment in workers.asked]
    assert drawn(analysis)
    graph = texts.graph_of(analysis, ("Ana", "Ben"))
    assert graph is not None
    assert (("↑ White is better", "↓ Red is better"), "Turns 1 to 3") == (graph.better, graph.axis)


async def test_few_turns_have_no_accuracy(club: Club, analyses: Analyses) -> None:
    """Of four turns with a choice no accuracy is told, as one turn would decide it; of five it is."""
    for count, told in ((8, False), (10, True)):
        game = await some(club, count)
        analysis = await analyses.analyse(game.id, ANA, 0, quiet)
        assert told == (analysis.accuracy(0) is not None), count
        assert told == ("too few turns to tell the accuracy (" not in texts.summary(analysis))


async def test_a_game_of_one_turn(club: Club, analyses: Analyses, workers: Here) -> None:
    """One who never chose has no accuracy; there is a graph all the same."""
    workers.quick = False
    game = await some(club, 1)
    analysis = await analyses.analyse(game.id, ANA, 0, quiet)
    assert 1 == len(analysis.judged)
    assert analysis.accuracy(1) is None
    assert "never had a choice" in texts.summary(analysis)
    assert drawn(analysis)


async def test_huffs_are_judged(club: Club, analyses: Analyses, workers: Here) -> None:
    """Damas americanas with *soplar*: a capture neglected and huffed: each is a turn of the record."""
    workers.quick = False
    rules = rules_for("americanas")
    game = await club.started("americanas")
    state = game.state
    for _ in range(60):
        remedies = rules.remedies(state)
        turns = rules.turns(state)
        quiet_turns = [turn for turn in turns if not turn.captured]
        turn = remedies[0] if remedies else (quiet_turns or turns)[0]
        state = rules.play(state, turn)
        game = await played(club, game, turn.text)
        if remedies:
            break
    assert remedies
    game = await club.games.moves.resign(game.id, ANA, club.source())
    analysis = await analyses.analyse(game.id, ANA, 0, quiet)
    assert [entry.text for entry in game.line if entry.kind == "turn"] == [
        one.searched.played for one in analysis.judged
    ]
    assert analysis.judged[-1].searched.played.startswith(("soplar", "huff", "oblig"))


async def test_a_table_that_some_have_left(club: Club, analyses: Analyses, workers: Here) -> None:
    """Chinese checkers of three: who resigns stands between the turns, and the others' turns are judged."""
    workers.quick = False
    game = await club.challenge(ANA, None, "chinese-checkers", side=None, players=3)
    for player in (BEN, 13):
        game = await club.games.challenges.accept(game.id, player, club.source())
    for _ in range(4):
        game = await played(club, game, game.rules.turns(game.state)[0].text)
    left = next(player for player in game.players if player not in (None, game.to_move))
    game = await club.games.moves.resign(game.id, left, club.source())
    for _ in range(2):
        game = await played(club, game, game.rules.turns(game.state)[0].text)
    last = next(game.players[seat] for seat in game.playing)
    assert last is not None
    game = await club.games.moves.resign(game.id, last, club.source())
    assert game.status == "finished"
    analysis = await analyses.analyse(game.id, ANA, 0, quiet)
    assert 6 == len(analysis.judged)
    assert sum("leave" in text for text in workers.asked[-1].turns) == 1
    assert texts.graph_of(analysis, ("", "", "")) is None
    assert texts.summary(analysis).count("\n- ") >= 3


async def test_two_who_ask_share_the_work(club: Club, analyses: Analyses, workers: Here) -> None:
    """Each position is searched once, and both have the result."""
    game = await some(club, 12)
    one, two = await asyncio.gather(analyses.analyse(game.id, ANA, 0, quiet), analyses.analyse(game.id, ANA, 9, quiet))
    assert 12 == len(workers.asked)
    assert one.judged == two.judged


@pytest.mark.parametrize("error", [WorkerLost("killed"), Busy()])
async def test_it_goes_on_where_a_worker_failed(
    club: Club, analyses: Analyses, workers: Here, error: Exception
) -> None:
    """Refused with what to do; asked again, what was kept is not searched again, and somebody else may ask too."""
    game = await some(club, 25)

    async def then(done: int, _of: int) -> None:
        if done == 22:
            workers.fail = error

    with pytest.raises(Refused, match=r"Ask again|try again later"):
        await analyses.analyse(game.id, ANA, 0, then)
    assert await analyses.kept(game.id) is None
    workers.asked.clear()
    assert 25 == len((await analyses.analyse(game.id, ANA, 0, quiet)).judged)
    assert 5 == len(workers.asked)


async def test_what_an_older_version_saw_is_seen_anew(club: Club, analyses: Analyses, workers: Here) -> None:
    """An analysis that lacks what is told today is no analysis."""
    game = await some(club, 4)
    await analyses.analyse(game.id, ANA, 0, quiet)
    async with writing(club.store) as tx:
        await tx.execute(sa.update(study.analyses).values(seen=[[0, "b3-c4", 10, "b3-c4", 10, 5, 4, ["b3-c4"]]] * 4))
    assert await analyses.kept(game.id) is None
    workers.asked.clear()
    assert 4 == len((await analyses.analyse(game.id, ANA, 0, quiet)).judged)
    assert 4 == len(workers.asked)


async def test_forgotten_players_have_no_names(club: Club, analyses: Analyses) -> None:
    """The game stays, and so does what was seen of it."""
    game = await some(club, 4)
    await analyses.analyse(game.id, ANA, 0, quiet)
    await club.games.privacy.forget(ANA, club.source())
    analysis = await analyses.kept(game.id)
    assert analysis is not None
    told = texts.summary(analysis)
    assert str(ANA) not in told
    assert f"<@{BEN}>" in told


async def test_what_is_too_long_is_refused(club: Club, analyses: Analyses, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what has no turns."""
    monkeypatch.setattr("bot.study.analyses.LONGEST", 3)
    game = await some(club, 4)
    with pytest.raises(Refused, match="too long"):
        await analyses.analyse(game.id, ANA, 0, quiet)
    none = await club.started()
    none = await club.games.moves.resign(none.id, ANA, club.source()) if none.status == "running" else none
    with pytest.raises(Refused, match="no turns"):
        await analyses.kept(none.id)


async def test_one_person_has_a_few_games_at_a_time(club: Club, analyses: Analyses, workers: Here) -> None:
    """Who has two games looked over waits with the third; others do not wait for that person."""
    games = [await some(club, 4) for _ in range(AT_ONCE + 2)]
    under_way, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def waits(number: int, of: int) -> None:
        under_way.release()
        await go_on.wait()

    begun = [asyncio.create_task(analyses.analyse(game.id, ANA, 0, waits)) for game in games[:AT_ONCE]]
    for _ in begun:
        await under_way.acquire()
    with pytest.raises(Refused, match="Ask again when"):
        await analyses.analyse(games[AT_ONCE].id, ANA, 0, quiet)
    assert 4 == len((await analyses.analyse(games[-1].id, BEN, 0, quiet)).judged)
    go_on.set()
    await asyncio.gather(*begun)
    assert 4 == len((await analyses.analyse(games[AT_ONCE].id, ANA, 0, quiet)).judged)
