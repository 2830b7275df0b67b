"""`/setup`: a position by a form, as a FEN or in words, or from a game; the answer is private."""

from __future__ import annotations

from discord import app_commands

from bot.chat.components import Press
from bot.chat.games.choices import options_of, variant_of
from bot.chat.games.commands.game_numbers import GameId
from bot.chat.games.variant_option import VariantOption
from bot.chat.positions.set_up import SetUp, tell
from bot.chat.positions.setup_form import setup_form
from bot.chat.responses import open_form
from bot.chat.services import services_of
from bot.chat.visibility import visible
from bot.engine import typed_positions
from bot.engine.errors import EngineError
from bot.engine.registry import rules_for
from bot.games.model.errors import Refused
from bot.i18n import _, ngettext


@app_commands.command(description="Set up a position to play from, analyse or show")
@app_commands.describe(
    variant="The game (not needed if you give a played game's number)",
    position="A FEN, or words such as: white: c3, king d4; black: b8; white to move (default: a form)",
    rules="House rules such as quiet_moves=40",
    game="Take the position from a played game: its number, as /me history shows it",
    turn="After which turn, as /game replay counts them (default: as it stands now)",
)
async def setup(
    interaction: Press,
    variant: VariantOption | None = None,
    position: app_commands.Range[str, 1, typed_positions.LONGEST] | None = None,
    rules: app_commands.Range[str, 1, 200] | None = None,
    game: GameId | None = None,
    turn: app_commands.Range[int, 0, 9_999] | None = None,
) -> None:
    if game is not None:
        if variant is not None or position is not None or rules is not None:
            raise Refused(_("Choose either a game's number or a position, not both."))
        await tell(interaction, await _of_game(interaction, game, turn))
        return
    if turn is not None:
        raise Refused(_("Choose the `game` that the turn is from."))
    if variant is None:
        raise Refused(_("Choose which `variant` the position is for, or take it from a `game`."))
    chosen = variant_of(variant, options_of(rules or "", variant))
    if position is not None:
        await tell(interaction, await SetUp.read(chosen, chosen.options, position))
    else:
        await open_form(interaction, setup_form(rules_for(chosen.ruleset, chosen.options)))


async def _of_game(interaction: Press, number: int, turn: int | None) -> SetUp:
    game = await visible(interaction, number)
    if turn is not None:
        if turn > len(game.line):
            count = len(game.line)
            template = ngettext("Game {number} has {count} turn.", "Game {number} has {count} turns.", count)
            raise Refused(template.format(number=number, count=count))
        game = await services_of(interaction).games.game(number, game.line[turn - 1].number if turn else 0)
    try:
        return SetUp(game.rules, typed_positions.check(game.rules, game.rules.start(game.rules.position(game.state))))
    except EngineError as error:
        raise Refused(error.sentence) from error
