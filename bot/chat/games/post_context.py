"""Of what, where and in which language one announcement is said: made once, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.model.game import Game


@dataclass(frozen=True, slots=True)
class PostContext:
    """``game`` as it stood at the announcement; ``mirrored``: it is said on the second server of a game of two;
    ``language``: of the server, or of the only person who reads it; ``link``: to what that person is reminded of."""

    game: Game
    mirrored: bool
    language: str
    link: str | None = None

    def here(self, people: tuple[int, ...]) -> tuple[int, ...]:
        """Those of ``people`` who play on the server that is spoken to: a post on one of two notifies nobody else."""
        if self.game.mirror is None:
            return people
        return tuple(person for person in people if plays_away(self.game, person) is self.mirrored)


def guild_of(game: Game, *, mirrored: bool) -> int | None:
    """The server on which a game is played, or the second one of a game of two."""
    return game.mirror.guild_id if mirrored and game.mirror is not None else game.place.guild_id


def plays_away(game: Game, person: int) -> bool:
    """Whether ``person`` plays on the second server of the game."""
    return game.mirror is not None and game.players[game.mirror.seat] == person
