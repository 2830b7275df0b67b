"""`/help`: how to play here, and the buttons to begin with."""

from __future__ import annotations

from discord import app_commands

from bot.chat.components import Press
from bot.chat.games.screens import NOT_READ
from bot.chat.onboarding.welcome import computer_button, learn_button
from bot.chat.posting.cards import Card, Divider, Section
from bot.chat.reach import answers_only
from bot.chat.responses import reply_with_card
from bot.chat.services import services_of
from bot.games.model.game import Game
from bot.i18n import N_, _
from bot.presentation.board_scene import accent

HELP = (
    N_("**Damero** plays draughts and Chinese checkers with you in this channel."),
    N_("- `/play` challenges someone, or anyone; with me as the opponent, choose a `level` from 1 to 8."),
    N_(
        "- **To move**, press *Move* and tap the piece, then where it goes. Or reply to the board with your "
        "move{example}, write it to me with a mention, or use `/move`, which lists the legal moves. A message that "
        "holds a move can be played with *Apps → Play this move*.{plain}"
    ),
    N_("- `/board` shows the board from your side, `/rules` explains a game, `/tutorial` teaches it by six positions."),
    N_(
        "- `/game` is about one game. The one here: `moves`, `hint`, `draw`, `takeback`, `undo` (a slip, within a"
        " minute), `resign`, `abort`, `plan` (answers set in advance). Any: `show`, `replay`, `export`; `continue` goes"
        " on here when a game's channel is gone."
    ),
    N_(
        "- `/me` is about you: `games`, `next` (your most urgent game), `history`, `rating`, `settings` (reminders,"
        " quiet hours, language), `vacation` (stops your clock), `export`, `data` (what I keep of you), `forget`"
        " (deletes it)."
    ),
    N_(
        "- `/setup` sets up any position to play from or show; `/analysis` goes through it, or "
        "through a finished game; `/puzzle` gives you a puzzle."
    ),
    N_(
        "- `/tournament`, `/league` (seasons in divisions) and `/teams` (matches between servers) are for events;"
        " `/leaderboard` shows who is strongest. Directors end a game by the endgame tables with `/game adjudicate`."
    ),
    N_("- In Chinese checkers `/game colour` picks the colour of your pegs."),
    N_("- Where a neglected capture may be huffed: `/game soplar` or `/game oblige`, or press the buttons."),
    N_("- Managers set up this server with `/server`."),
)
"""Line by line; {plain} is PLAIN, where plain messages are read, {example} a legal move, where a game is played."""
PLAIN = N_("Where a game runs, a plain message that is nothing but a move counts too.")


@app_commands.command(name="help", description="How to play here")
async def how_to_play(interaction: Press) -> None:
    services = services_of(interaction)
    game = await services.games.running_in(interaction.channel_id or 0)
    first = _(NOT_READ) if answers_only(interaction) else ""
    await reply_with_card(interaction, help_card(first, plain=services.settings.message_content, game=game))


def help_card(first: str = "", *, plain: bool, game: Game | None = None) -> Card:
    """How to play, after ``first``; ``plain``: plain messages are read for moves. ``game``: the one that is played
    where help is asked for."""
    turns = () if game is None else game.rules.turns(game.state)
    example = f" (`{turns[0].text}`)" if turns else ""
    lines = [_(line).format(plain=f" {_(PLAIN)}" if plain else "", example=example) for line in HELP]
    what, play, move, look, *more = lines
    parts = (first, Section(f"{what}\n{play}", computer_button()), move, Section(look, learn_button()), Divider())
    return Card([*parts, "\n".join(more)], None if game is None else accent(game.rules.variant))
