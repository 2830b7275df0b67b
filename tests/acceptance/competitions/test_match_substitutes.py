"""Who takes over in a team match that runs: the lineup that is shown is who plays."""

from __future__ import annotations

import pytest

from bot.games.model.errors import Refused
from bot.games.model.game import Game
from tests.support.discord.director_panel import Panel
from tests.support.discord.team_sides import begun, games_of, quiet
from tests.support.discord.world import World


async def test_a_substitute_takes_over_where_nobody_has_moved(here: World) -> None:
    """The game begins anew with whoever is new, on both servers; where a move was made it is refused."""
    home, away = await begun(here)
    ana = here.person("Ana")
    first, _second = await games_of(here)
    told = await home.line_up(home.players[0], ana)
    assert "your lineup is changed" in told
    await quiet(here)
    games = await games_of(here)
    assert "aborted" == games[1].status
    assert (away.players[1].id, ana.id) == games[2].players
    for side in (home, away):
        assert "2. guests 2 - Ana" in side.post("**Autumn** (team match")
        told = side.post("**Autumn**, board 2")
        assert "**Autumn**, board 2: Ana plays for home 2 (The club). The game begins anew." == told
        old = next(thread for thread in side.channel.threads if thread.id in _places(games[1]))
        assert old.last_message is not None
        assert "so this game is called off" in old.last_message.content
        new = next(thread for thread in side.channel.threads if thread.id in _places(games[2]))
        assert f"[game](https://discord.com/channels/{side.guild.id}/{new.id})" in side.post("**Autumn** (team match")

    assert first.to_move is not None
    text = first.rules.turns(first.state)[0].text
    await here.bot.services.games.moves.turn(first.id, first.to_move, text, "t:1")
    carla = away.guild.add_member(here.env.create_user("Carla"))
    told = await away.line_up(carla, away.players[1])
    assert f"On board 1 a move has been made, so {away.players[0].mention} plays that game to its end" in told
    assert "already plays in this match" in await away.line_up(*away.players[::-1])
    assert "1. home 1 - guests 1" in home.post("**Autumn** (team match")


async def test_no_captain_changes_the_other_team(here: World) -> None:
    """Withdrawing and substituting are no tasks of a match, and buttons of older panels are refused."""
    home, away = await begun(here)
    panel = await Panel.opened(home.captain, home.channel)
    assert ["Enter a result", "Add a director"] == list(panel.options)
    tournaments, me = here.bot.services.tournaments, home.captain.id
    with pytest.raises(Refused, match="each side names its own players"):
        await tournaments.registration.leave(1, away.players[0].id, me, "t:leave")
    assert not (await tournaments.load(1)).state.by_number[2].is_gone


def _places(game: Game) -> tuple[int | None, ...]:
    """The threads of a game on both servers."""
    return (game.channel_id, None if game.mirror is None else game.mirror.channel_id)
