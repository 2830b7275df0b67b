"""`/analysis`: a finished game, turn by turn, as the computer sees it. All answers are private."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextvars import Context, copy_context
from functools import partial

import discord
import structlog
from discord import app_commands

from bot.chat.board_pictures import posted_view
from bot.chat.components import ActionButton, CustomId, GameAction, Press, page_buttons
from bot.chat.features import Handlers
from bot.chat.games.button_handlers import on_press
from bot.chat.games.commands.game_numbers import GameId, finished_offered
from bot.chat.games.variant_option import VariantOption
from bot.chat.positions import best_lines
from bot.chat.positions.set_up import SetUp
from bot.chat.posting.cards import ButtonRow, Card, Gallery, Part, Section
from bot.chat.posting.find_posted import buttons_under
from bot.chat.posting.picture_files import Picture
from bot.chat.responses import edit_into_card, not_done, reply_privately, reply_with_card, was_answered
from bot.chat.services import Services, services_of
from bot.chat.study import analysis_texts as texts
from bot.chat.visibility import check_begun, visible
from bot.engine.typed_positions import LONGEST
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.i18n import _, speaking, spoken
from bot.presentation.board_scene import accent
from bot.study.analyses import Analysis, race
from bot.support.frozen import frozen
from render import charts

log = structlog.get_logger(__name__)

EVERY = 8
"""After how many turns the progress is told: an edit of a message takes Discord longer than a turn takes a worker."""


@app_commands.command(description="Analyse a finished game or a position: mistakes, better lines, turning points")
@app_commands.describe(
    number="The game's number, as /me history shows it (default: your last game here)",
    variant="For a position: which game it is",
    position="The position, as a FEN or in words; /setup has a form for it",
)
@app_commands.autocomplete(number=finished_offered)
async def analysis(
    interaction: Press,
    number: GameId | None = None,
    variant: VariantOption | None = None,
    position: app_commands.Range[str, 1, LONGEST] | None = None,
) -> None:
    services = services_of(interaction)
    if variant is not None and position is not None and number is None:
        await best_lines.analyse(interaction, await SetUp.read(variant, {}, position))
        return
    if variant is not None or position is not None:
        raise Refused(_("Choose a game's number, or the `variant` and the `position`."))
    if number is None:
        newest = await services.games.lists.history(interaction.user.id, guild_id=interaction.guild_id, most=1)
        if not newest:
            raise Refused(_("You have not finished any games here. Choose a game's number; `/me history` shows them."))
        number = newest[0].id
    await _analyse(interaction, await visible(interaction, number))


@on_press("analyse")
async def _pressed(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_begun(game)
    await _analyse(interaction, game)


async def _analyse(interaction: Press, game: Game) -> None:
    services = services_of(interaction)
    if game.from_position:
        # It may have been made for that.
        await services.games.fair_play.check_game(interaction.user.id, game)
    complete = await services.analyses.kept(game.id)
    if complete is not None:
        await _show(interaction, complete)
        return
    await reply_privately(interaction, texts.progress_text(game.id, 0, len(game.turns)))
    _begin(interaction, game.id)


def _begin(interaction: Press, game_id: int) -> None:
    """Analyse in the background, and break off with the bot: what was seen so far is kept. The private answer shows how
    far it is, and then the result."""
    services, context, language = services_of(interaction), copy_context(), spoken()

    async def progress(done: int, of: int) -> None:
        if done and done % EVERY == 0:
            work = _progress(interaction, game_id, done, of)
            services.tasks.begin(work, f"analysis-{game_id}-{done}", context.copy())

    async def analyse() -> Analysis:
        with speaking(language):
            person, server = interaction.user.id, interaction.guild_id or 0
            return await services.analyses.analyse(game_id, person, server, progress)

    def over(done: asyncio.Task[Analysis]) -> None:
        if not done.cancelled():
            services.tasks.begin(_finish(interaction, done), f"analysed-{game_id}", context.copy())

    # What waits for workers knows nothing of the interaction: it may take minutes.
    services.tasks.begin(analyse(), f"analysis-{game_id}", Context()).add_done_callback(over)


async def _progress(interaction: Press, game_id: int, done: int, of: int) -> None:
    try:
        await interaction.edit_original_response(content=texts.progress_text(game_id, done, of))
    except discord.HTTPException as error:
        log.info("progress not shown", game=game_id, code=error.code)


async def _finish(interaction: Press, done: asyncio.Task[Analysis]) -> None:
    try:
        await _show(interaction, done.result())
    except discord.HTTPException as error:
        # Fifteen minutes after the command nothing more can be said to it; asked again, it is there.
        log.info("analysis not shown", code=error.code)
    except Exception as error:
        await not_done(interaction, error)


async def _show(interaction: Press, analysis: Analysis) -> None:
    card = await _card(services_of(interaction), analysis)
    if await was_answered(interaction):
        await edit_into_card(interaction, card)
    else:
        await reply_with_card(interaction, card)


async def _card(services: Services, analysis: Analysis) -> Card:
    """``analysis_card`` with its pictures drawn."""
    game, pictures = analysis.game, services.pictures
    names = await pictures.names_of(game)
    graph = texts.graph_of(analysis, names)
    if graph is not None:
        png = await pictures.drawn(partial(charts.draw, graph))
        alt = texts.graph_alt(analysis)
    else:
        values = await asyncio.to_thread(race, game)
        png = await pictures.drawn(partial(charts.draw, texts.race_of(analysis, names, values)))
        alt = texts.race_alt(analysis, values)
    turns = [entry.number for entry in game.line if entry.kind == "turn"]
    boards = []
    for judged in analysis.turning:
        then = await services.games.game(game.id, turns[judged.number - 1])
        boards.append(await pictures.board_picture(then, f"g{game.id}-turn{judged.number}.png", posted_view(then)))
    return analysis_card(analysis, Picture(f"g{game.id}-graph.png", png, alt), boards)


def analysis_card(analysis: Analysis, graph: Picture, boards: Sequence[Picture]) -> Card:
    """How well each chose, the graph, and the turns on which the game turned, each with the board after it."""
    game = analysis.game
    turn_by_turn = ActionButton.of(TurnsPage(game.id, 0), _("Turn by turn"))
    parts: list[Part] = [Section(texts.summary(analysis), turn_by_turn)]
    parts += [Gallery([graph]), texts.turning_heading(analysis)]
    for judged, board in zip(analysis.turning, boards, strict=True):
        parts += [texts.turning_text(analysis, judged), Gallery([board])]
    return Card(parts, accent(game.rules.variant))


def page_card(analysis: Analysis, page: int) -> Card:
    """A page of the turns, counted from 0, with buttons to the others."""
    game, pages = analysis.game, texts.pages(analysis)
    leaves = page_buttons(lambda number: TurnsPage(game.id, number), page, pages)
    rows = [ButtonRow(leaves)] if pages > 1 else []
    return Card([texts.page_text(analysis, page), *rows], accent(game.rules.variant))


@frozen
class TurnsPage(CustomId):
    """A page of the turns of an analysed game."""

    prefix = "damero-judged"
    game: int
    page: int


press = Handlers(TurnsPage)


@press.on()
async def _turns(button: TurnsPage, interaction: Press, services: Services) -> None:
    game = await visible(interaction, button.game)
    analysis = await services.analyses.kept(game.id)
    if analysis is None:
        raise Refused(_("Game {number} is not analysed yet: `/analysis` does it.").format(number=game.id))
    card = page_card(analysis, min(button.page, texts.pages(analysis) - 1))
    if _leafing(interaction):
        await edit_into_card(interaction, card)
    else:
        await reply_with_card(interaction, card)


def _leafing(interaction: Press) -> bool:
    """Whether the message under which it was pressed is itself such a page: those have two buttons."""
    return interaction.message is not None and len(buttons_under(interaction.message)) > 1
