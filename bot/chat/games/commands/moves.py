"""Moving now or beforehand: `/move`, `/game moves`, `soplar`, `oblige` and `plan`, the message command *Play this
move*."""

from __future__ import annotations

import re

import discord
from discord import app_commands

from bot.chat import typed_text
from bot.chat.board_pictures import BoardView, view_for
from bot.chat.components import LONGEST_CHOICE, MOST_CHOICES, Press
from bot.chat.games.room_checks import act_here, board_view_of, looked, played_by, running_here
from bot.chat.games.typed_moves import answered, meant
from bot.chat.permissions import with_warning
from bot.chat.responses import defer_if_slow, reply_privately, source_of
from bot.chat.services import services_of
from bot.chat.wording.message_text import fitting
from bot.engine.errors import AmbiguousMove, MoveError, NotAMove
from bot.engine.turns import Turn
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.model.seats import playing
from bot.games.persistence.off_loop import read_turn
from bot.games.use_cases.conditional_moves import NO_PLAN, shown
from bot.i18n import _
from bot.presentation.questions import by_start

# So long may the moves be as a list, for all to fit a message.
_LONG_LIST = 1500


@app_commands.command(description="Make your move in this channel's game")
@app_commands.describe(move="Your move; the legal ones are listed as you type")
async def move(interaction: Press, move: app_commands.Range[str, 1, 300]) -> None:
    game = await running_here(interaction)
    text, asks = typed_text.clean(move), typed_text.asks(move)
    if (said := await answered(game, interaction.user.id, text, services_of(interaction), asks=asks)) is not None:
        await reply_privately(interaction, said)
        return
    await _turn(interaction, await meant(game, interaction.user.id, text, asks=asks))


@move.autocomplete("move")
async def _legal(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    game = await _running_game(interaction)
    if game is None or game.to_move != interaction.user.id:
        return []
    preferences = services_of(interaction).games.preferences.remembered(interaction.user.id)
    view = view_for(game, interaction.user.id, preferences)
    return [app_commands.Choice(name=view.written(game, text), value=text) for text in suggestions(game, current)]


@app_commands.command(description="Huff: remove a piece that could have captured, then move")
@app_commands.describe(square="The square of the piece; those that could have captured are listed")
async def soplar(interaction: Press, square: app_commands.Range[str, 1, 10]) -> None:
    game, text = await running_here(interaction), typed_text.clean(f"soplar {square}")
    await _turn(interaction, await meant(game, interaction.user.id, text, asks=typed_text.asks(square)))


@soplar.autocomplete("square")
async def _huffable(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    game = await _running_game(interaction)
    if game is None or game.to_move != interaction.user.id:
        return []
    names = game.rules.board.names
    squares = [names[turn.path[0]] for turn in game.rules.remedies(game.state) if turn.kind == "huff"]
    typed = current.strip().casefold()
    return [app_commands.Choice(name=square, value=square) for square in squares if typed in square][:MOST_CHOICES]


@app_commands.command(description="Oblige: your opponent takes back the last move and must capture")
async def oblige(interaction: Press) -> None:
    await _turn(interaction, "oblige")


@app_commands.command(description="List the legal moves")
async def moves(interaction: Press) -> None:
    game = await running_here(interaction)
    await reply_privately(interaction, moves_text(game, await board_view_of(interaction, game)))
    await looked(interaction, game)


@app_commands.context_menu(name="Play this move")
async def play_this(interaction: Press, message: discord.Message) -> None:
    game = await running_here(interaction)
    playing(game, interaction.user.id)
    text = typed_text.without_mention(message.content, interaction.application_id)
    await _turn(interaction, await first_move(game, text))


async def first_move(game: Game, text: str) -> str:
    """The legal move in ``text``; else the first that the rules refuse, else the whole. Raises Refused where there are
    several."""
    refused, legal = text, dict[str, str]()
    for part in typed_text.moves_in(text):
        try:
            turn = await read_turn(game.rules, game.state, part)
        except AmbiguousMove:
            return part
        except NotAMove:
            continue
        except MoveError:
            refused = part if refused is text else refused
        else:
            if part is text:
                return part
            legal.setdefault(turn.text, part)
    if len(legal) > 1:
        template = _("That message holds several moves: {moves}. Play one of them with `/move`.")
        raise Refused(template.format(moves=", ".join(f"`{move}`" for move in legal)), game)
    return next(iter(legal.values()), refused)


plan = app_commands.Group(
    name="plan", description="Moves played for you at once when your opponent plays what you expect"
)


@plan.command(name="set", description="Plan your answers in this channel's game (replaces the plan you had)")
@app_commands.describe(lines="Your opponent's move, then your answer, and so on; separate lines with ;")
async def _set(interaction: Press, lines: app_commands.Range[str, 1, 4000]) -> None:
    game = await running_here(interaction)
    plans = services_of(interaction).games.conditional_moves
    work = plans.put(game.id, interaction.user.id, lines, source_of(interaction))
    planned = (await defer_if_slow(interaction, work))[1]
    view = await board_view_of(interaction, game)
    await reply_privately(interaction, f"{_('Your plan (nobody else sees it):')}\n{view.told(game, shown(planned))}")


@plan.command(name="show", description="Show your plan for this channel's game")
async def _show(interaction: Press) -> None:
    game = await running_here(interaction)
    planned = await services_of(interaction).games.conditional_moves.of(game.id, interaction.user.id)
    view = await board_view_of(interaction, game)
    text = f"{_('Your plan:')}\n{view.told(game, shown(planned))}" if planned else _(NO_PLAN)
    await reply_privately(interaction, text)


@plan.command(name="clear", description="Drop your plan for this channel's game")
async def _clear(interaction: Press) -> None:
    game = await running_here(interaction)
    await services_of(interaction).games.conditional_moves.drop(game.id, interaction.user.id, source_of(interaction))
    await reply_privately(interaction, _("Your plan for this game is deleted."))


async def _turn(interaction: Press, text: str) -> None:
    game = await act_here(interaction, services_of(interaction).games.moves.turn, typed_text.clean(text))
    view = await board_view_of(interaction, game)
    played = view.written(game, played_by(interaction, game))
    await reply_privately(interaction, with_warning(interaction, _("Played: `{move}`.").format(move=played)))


async def _running_game(interaction: Press) -> Game | None:
    """The channel's game from memory, and only where it is not known from the store: a suggestion must be quick."""
    recent = services_of(interaction).recent
    game = recent.seen(interaction.channel_id or 0)
    if game is None or game.status != "running":
        try:
            game = await running_here(interaction)
        except Refused:
            return None
        recent.remember(game)
    return game


def moves_text(game: Game, view: BoardView) -> str:
    """The legal moves, and what may be done about a neglected capture."""
    turns = game.rules.turns(game.state)
    head = _("{side} may play ({count}):").format(side=game.seat_name(game.state.seat), count=len(turns))
    lines = [head, ", ".join(f"`{view.written(game, turn.text)}`" for turn in turns)]
    if len(lines[1]) > _LONG_LIST:
        template = _("`{start}` to {ends}")
        ends_by_start = by_start(game.rules, turns)
        lines[1:] = [template.format(start=start, ends=", ".join(ends)) for start, ends in ends_by_start]
    if remedies := game.rules.remedies(game.state):
        named = ", ".join(f"`{view.written(game, turn.text)}`" for turn in remedies)
        lines.append(_("Before moving: {remedies}").format(remedies=named))
    return fitting("\n".join(lines))


def suggestions(game: Game, typed: str) -> list[str]:
    """The turns that ``typed`` may become, as canonical texts: those that it means, those that begin so, then those
    that hold it. Remedies come before moves, and of equal ones what gains most comes first."""
    rules, state = game.rules, game.state
    turns = [*rules.remedies(state), *rules.ranked(state)]
    text = typed_text.clean(typed)
    key = _key(text)
    ranked = [
        *_meant(game, text),
        *(turn for turn in turns if _key(turn.text).startswith(key)),
        *(turn for turn in turns if key in _key(turn.text)),
    ]
    return list(dict.fromkeys(turn.text for turn in ranked if len(turn.text) <= LONGEST_CHOICE))[:MOST_CHOICES]


def _meant(game: Game, text: str) -> tuple[Turn, ...]:
    # A suggestion reads what is found already: what a text means may have to be searched for.
    if not text or not game.rules.quick(game.state):
        return ()
    try:
        return (game.rules.read(game.state, text),)
    except AmbiguousMove as several:
        return several.candidates
    except MoveError:
        return ()


def _key(text: str) -> str:
    """A move without its signs: ``c3-d4``, ``C3 d4`` and ``c3d4`` are one. The x of a capture stands between digits and
    letters, so it may go too: no square has that letter. Between two numbers all signs are one."""
    return re.sub(
        r"[^a-z0-9-]|x|(?<![0-9])-|-(?![0-9])", "", re.sub(r"(?<=[0-9])[-x: >]+(?=[0-9])", "-", text.casefold())
    )
