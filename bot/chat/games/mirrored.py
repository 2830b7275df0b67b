"""Games that are played on two servers at once: each player in a thread on the own one."""

from __future__ import annotations

from dataclasses import replace

from bot.chat.games.posts import Post
from bot.games.model.game import Game
from bot.games.persistence.outbox import Announcement


def is_mirrored(announcement: Announcement, game: Game) -> bool:
    """Whether an announcement is for the second server of its game."""
    return game.mirror is not None and announcement.mirrored


def guild_of(game: Game, *, mirrored: bool) -> int | None:
    """The server that is spoken to."""
    return game.mirror.guild_id if mirrored and game.mirror is not None else game.place.guild_id


def plays_away(game: Game, person: int) -> bool:
    """Whether ``person`` plays on the second server of the game."""
    return game.mirror is not None and game.players[game.mirror.seat] == person


def for_server(post: Post, game: Game, *, mirrored: bool) -> Post:
    """A post as it is made on one of two servers: it notifies only who plays there."""
    if game.mirror is None:
        return post
    away = game.players[game.mirror.seat]
    return replace(post, ping=tuple(person for person in post.ping if (person == away) is mirrored))
