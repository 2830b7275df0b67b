"""Games: challenges, boards, moves, offers and endings."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.background.game_timers import handlers_for
from bot.chat.features import Feature
from bot.chat.games import button_handlers, paging, typed_moves
from bot.chat.games.announcer import Announcer
from bot.chat.games.answering import Answering
from bot.chat.games.commands import endings, hints, info, lists, moves, play
from bot.chat.games.delivery import Delivery
from bot.chat.games.game_threads import GameThreads
from bot.chat.games.undelivered import ChannelNotices
from bot.chat.services import Services


def setup(client: discord.Client, services: Services) -> Feature:
    """The feature; its games are said in their channels, and the computer looks at them, when they change."""
    games, outbox, pictures, languages = services.games, services.outbox, services.pictures, services.languages
    named = services.tournaments.export
    threads = GameThreads(client, games, outbox, pictures, services.games_changed.send, named.title_of_game)
    announcer = Announcer(
        *(client, games, outbox, services.recent, threads, languages, pictures, services.links, services.clock),
        named.names_by_game,
    )
    notices = ChannelNotices(client, languages)
    answering = Answering(client, games, announcer, services.tokens)
    delivery = Delivery(games, outbox, announcer, answering, threads, notices, services.clock)

    def post(channel_id: int, game_ids: Sequence[int]) -> None:
        threads.turns.line_up(channel_id, game_ids)
        for game_id in game_ids:
            delivery.wake(game_id)

    services.tokens.released.connect(delivery.wake)
    services.games_changed.connect(lambda game: delivery.wake(game.id))
    games.signals.unsaid.connect(delivery.wake)
    services.games_changed.connect(services.computer.on_change)
    services.games_may_be_posted.connect(post)
    return Feature(
        commands=(play.play, moves.move, moves.play_this, info.board, info.rules),
        of_game=(
            *(moves.moves, hints.hint, play.colour, moves.soplar, moves.oblige, moves.plan),
            *(endings.draw, endings.takeback, endings.undo, endings.resign, endings.abort),
            *(lists.show, lists.replay, lists.go_on),
        ),
        of_me=(lists.games, lists.next_game, lists.history),
        buttons=(button_handlers.press, paging.pages, paging.steps),
        forms=(typed_moves.form,),
        typed=typed_moves.typed,
        timers=handlers_for(games, services.games_changed.send),
        parts=(delivery, services.computer),
    )
