"""Moving now or beforehand: `/move`, `/moves`, `/soplar`, `/oblige`, `/plan`, the message command *Play this move*."""

from __future__ import annotations

import re

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat import typed_text
from bot.chat.board_pictures import BoardView, looked, view_for, wished
from bot.chat.components import Press
from bot.chat.games.room_checks import act_here, running_here
from bot.chat.permissions import with_warning
from bot.chat.responses import defer_if_slow, reply_privately, source_of
from bot.chat.services import Services
from bot.chat.wording.message_text import fitting
from bot.engine.errors import AmbiguousMove, MoveError
from bot.engine.turns import Turn
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.use_cases.conditional_moves import shown
from bot.i18n import _

# So long may the moves be as a list, for all to fit a message.
_LONG_LIST = 1500
_MOST = 25
_LONGEST_CHOICE = 100


class MoveCommands(commands.Cog):
    """What the player to move may say by command, and what is planned for then."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.play_this_move = app_commands.ContextMenu(name="Play this move", callback=self.play_this)

    @app_commands.command(description="Make your move in this channel's game")
    @app_commands.describe(move="Your move, such as c3-d4 or c3xe5; the legal ones are listed as you type")
    async def move(self, interaction: Press, move: app_commands.Range[str, 1, 300]) -> None:
        await self._turn(interaction, move)

    @move.autocomplete("move")
    async def _legal(self, interaction: Press, current: str) -> list[app_commands.Choice[str]]:
        game = await self._running_game(interaction)
        if game is None or game.to_move != interaction.user.id:
            return []
        view = view_for(game, interaction.user.id, self.services.games.preferences.remembered(interaction.user.id))
        return [app_commands.Choice(name=view.written(game, text), value=text) for text in suggestions(game, current)]

    @app_commands.command(description="Huff: take off a piece that could have captured, then move")
    @app_commands.describe(square="The square of the piece, such as c3")
    async def soplar(self, interaction: Press, square: app_commands.Range[str, 1, 10]) -> None:
        await self._turn(interaction, f"soplar {square}")

    @soplar.autocomplete("square")
    async def _huffable(self, interaction: Press, current: str) -> list[app_commands.Choice[str]]:
        game = await self._running_game(interaction)
        if game is None or game.to_move != interaction.user.id:
            return []
        names = game.rules.board.names
        squares = [names[turn.path[0]] for turn in game.rules.remedies(game.state) if turn.kind == "huff"]
        typed = current.strip().casefold()
        return [app_commands.Choice(name=square, value=square) for square in squares if typed in square][:_MOST]

    @app_commands.command(description="Oblige: your opponent takes the last move back and must capture")
    async def oblige(self, interaction: Press) -> None:
        await self._turn(interaction, "oblige")

    @app_commands.command(description="List the moves that may be played now")
    async def moves(self, interaction: Press) -> None:
        game = await running_here(self.services, interaction.channel_id)
        view = await wished(self.services.games, game, interaction.user.id)
        await reply_privately(interaction, moves_text(game, view))
        await looked(self.services.games, game, interaction.user.id)

    async def play_this(self, interaction: Press, message: discord.Message) -> None:
        """The message command: the text of ``message`` is the move of whoever gives the command."""
        text = typed_text.without_mention(message.content, interaction.application_id)
        await self._turn(interaction, text)

    plan = app_commands.Group(name="plan", description="Answers that are played at once when your opponent moves so")

    @plan.command(name="set", description="Plan answers in this channel's game, in place of an older plan")
    @app_commands.describe(lines="Such as f6-e5 d4xf6; b6-a5 c3-d4: your opponent's move, then yours; lines apart by ;")
    async def _set(self, interaction: Press, lines: app_commands.Range[str, 1, 4000]) -> None:
        game = await running_here(self.services, interaction.channel_id)
        work = self.services.games.conditional_moves.put(game.id, interaction.user.id, lines, source_of(interaction))
        kept = (await defer_if_slow(interaction, work))[1]
        await reply_privately(interaction, f"{_('Your plan, which nobody else sees:')}\n{shown(kept)}")

    @plan.command(name="show", description="What you have planned in this channel's game")
    async def _show(self, interaction: Press) -> None:
        game = await running_here(self.services, interaction.channel_id)
        kept = await self.services.games.conditional_moves.of(game.id, interaction.user.id)
        text = f"{_('Your plan:')}\n{shown(kept)}" if kept else _("You have no plan in this game.")
        await reply_privately(interaction, text)

    @plan.command(name="clear", description="Give up what you have planned in this channel's game")
    async def _clear(self, interaction: Press) -> None:
        game = await running_here(self.services, interaction.channel_id)
        await self.services.games.conditional_moves.drop(game.id, interaction.user.id, source_of(interaction))
        await reply_privately(interaction, _("You have no plan in this game any more."))

    async def _turn(self, interaction: Press, text: str) -> None:
        game = await act_here(interaction, self.services.games.moves.turn, typed_text.clean(text))
        view = await wished(self.services.games, game, interaction.user.id)
        played = view.written(game, game.line[-1].text) if game.line else ""
        await reply_privately(interaction, with_warning(interaction, _("Played: `{move}`.").format(move=played)))

    async def _running_game(self, interaction: Press) -> Game | None:
        """The channel's game from memory, and only where it is not known from the store: a suggestion must be quick."""
        if interaction.channel_id is None:
            return None
        game = self.services.recent.seen(interaction.channel_id)
        if game is None or game.status != "running":
            try:
                game = await running_here(self.services, interaction.channel_id)
            except Refused:
                return None
            self.services.recent.remember(game)
        return game


def moves_text(game: Game, view: BoardView) -> str:
    """The legal moves, and what may be done about a neglected capture."""
    turns = game.rules.turns(game.state)
    head = _("{side} may play ({count}):").format(side=game.seat_name(game.state.seat), count=len(turns))
    lines = [head, ", ".join(f"`{view.written(game, turn.text)}`" for turn in turns)]
    if len(lines[1]) > _LONG_LIST:
        lines[1:] = _by_start(game)
    if remedies := game.rules.remedies(game.state):
        named = ", ".join(f"`{view.written(game, turn.text)}`" for turn in remedies)
        lines.append(_("Before that: {remedies}").format(remedies=named))
    return fitting("\n".join(lines))


def _by_start(game: Game) -> list[str]:
    """From where to where one may go, a line for each piece: what a long list of chains comes down to."""
    names, ends = game.rules.board.names, dict[int, list[str]]()
    for turn in game.rules.turns(game.state):
        there = ends.setdefault(turn.path[0], [])
        if names[turn.path[-1]] not in there:
            there.append(names[turn.path[-1]])
    template = _("`{start}` to {ends}")
    return [template.format(start=names[start], ends=", ".join(there)) for start, there in ends.items()]


def suggestions(game: Game, typed: str) -> list[str]:
    """The turns that ``typed`` may become, as canonical texts: those that it means, those that begin so, then those
    that hold it. Remedies come before moves, and of equal ones what gains most comes first."""
    rules, state = game.rules, game.state
    turns = [*rules.remedies(state), *rules.ranked(state)]
    text = typed_text.clean(typed)
    meant = _meant(game, text)
    key = _key(text)
    ranked = [
        *meant,
        *(turn for turn in turns if _key(turn.text).startswith(key)),
        *(turn for turn in turns if key in _key(turn.text)),
    ]
    return list(dict.fromkeys(turn.text for turn in ranked if len(turn.text) <= _LONGEST_CHOICE))[:_MOST]


def _meant(game: Game, text: str) -> tuple[Turn, ...]:
    if not text:
        return ()
    try:
        return (game.rules.read(game.state, text),)
    except AmbiguousMove as several:
        return several.candidates
    except MoveError:
        return ()


def _key(text: str) -> str:
    """A move without its signs: ``c3-d4``, ``C3 d4`` and ``c3d4`` are one. The x of a capture stands between digits and
    letters, so it may go too: no square has that letter."""
    return re.sub(r"[^a-z0-9]|x", "", text.casefold())
