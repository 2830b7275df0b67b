"""`/help`: how to begin in a few lines, with buttons for it, and a menu of what else there is to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

import discord
from discord import app_commands

from bot.chat.components import ActionMenu, CustomId, Press, chosen
from bot.chat.features import OLDER, Handlers
from bot.chat.games.screens import NOT_READ
from bot.chat.onboarding.welcome import anyone_button, computer_button, learn_button
from bot.chat.posting.cards import ButtonRow, Card
from bot.chat.reach import alone_with_me, answers_only
from bot.chat.responses import edit_into_card, reply_with_card
from bot.chat.services import Services, services_of
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.i18n import N_, _
from bot.presentation.board_scene import accent
from bot.support.frozen import frozen

FIRST = (
    N_("**Play draughts and Chinese checkers right here.**"),
    N_("- **Start**: press a button below, or choose game and opponent with `/play`."),
    "",
    N_("- **Stuck?** `/rules` explains a game, `/board` shows yours again."),
)
"""Line by line; the empty one is told by MOVE."""

Where: TypeAlias = Literal["server", "alone", "chat"]
"""On a server that has the bot, in direct messages with it, or where it may only answer what is pressed."""
MOVE: Final[Mapping[Where, str]] = {
    "server": N_(
        "- **Move**: press *Move* under the board, tap a piece, then where it goes. Or type your move{example}."
    ),
    "alone": N_("- **Move**: press *Move* under the board, tap a piece, then where it goes. Or just type it{example}."),
    "chat": N_(
        "- **Move**: press *Move* under the board, tap a piece, then where it goes. Or write it with *Type it*."
    ),
}
"""{example}: a legal move, where a game is played."""


class Topic(NamedTuple):
    """What the menu of the help offers: its name, what it is about, and the lines it shows."""

    title: str
    about: str
    lines: tuple[str, ...]


TYPE: Final[Mapping[Where, str]] = {
    "server": N_("- Tap: **Move** under the board. Or type: reply to the board, mention me, or use `/move`."),
    "alone": N_("- Tap: **Move** under the board. Or type the move here, with nothing else."),
    "chat": N_("- Tap: **Move** under the board, and *Type it* there to write. Or use `/move`."),
}
"""The empty line of the first topic."""
_FIRST: Final = "first"
"""The value of the first page in the menu of topics."""
ON_SERVERS: Final = ("events", "server")
"""The topics whose commands there are on servers that have the bot alone."""
PLAIN = N_("- You can also just type the move and nothing else in the channel of your game.")
"""In the first topic, where plain messages are read."""
TOPICS = {
    "moves": Topic(
        N_("Moving and ending a game"),
        N_("Ways to move, taking back, draws, resigning"),
        (
            "",
            N_("- A message holds a move? *Apps → Play this move* plays it."),
            N_("- `/game moves` lists your legal moves, `/game hint` suggests one."),
            N_("- `/game undo` takes back a slip within a minute; later, `/game takeback` asks your opponent."),
            N_("- `/game draw` offers a draw, `/game resign` gives up. `/game abort` calls off a game just begun."),
            N_("- Your opponent missed a capture? In games with huffing: `/game soplar` or `/game oblige`."),
            N_("- Chinese checkers: `/game colour` picks the colour of your pegs."),
        ),
    ),
    "days": Topic(
        N_("Correspondence games"),
        N_("Clocks, reminders, vacation, planned moves"),
        (
            N_("- `/play` has clocks of minutes, for one sitting, and of days, to play when you have time."),
            N_("- `/me games` lists your games; `/me next` shows your most urgent one."),
            N_("- I remind you before your time runs out. `/me settings` sets reminders and quiet hours."),
            N_("- `/me vacation` stops your clocks for some days."),
            N_("- `/game plan` prepares your answers to the moves you expect."),
            N_("- `/game continue` brings a game here when its channel is gone."),
        ),
    ),
    "study": Topic(
        N_("Learning and analysis"),
        N_("Tutorial, puzzles, analysis, replays"),
        (
            N_("- `/tutorial` teaches you a game in six short positions."),
            N_("- `/puzzle` gives you a position to solve."),
            N_("- `/analysis` shows where a finished game was won and lost."),
            N_("- `/game replay` steps through a game, `/game show` tells about it, `/game export` saves it."),
            N_("- `/setup` sets up a position to play, analyse or show."),
        ),
    ),
    "events": Topic(
        N_("Tournaments, leagues and teams"),
        N_("Joining, directing, standings"),
        (
            N_("- Join with the button under an announcement; `/tournament list` shows what is on."),
            N_("- `/tournament create` sets one up: Swiss, round robin, knockout, arena, or Chinese checkers tables."),
            N_("- `/league` has seasons with promotion and relegation, `/teams` is for matches against other servers."),
            N_("- `/leaderboard` lists the best players here."),
            N_("- Directors: `/game adjudicate` ends a game whose result the endgame tables know."),
        ),
    ),
    "you": Topic(
        N_("You"),
        N_("Your games, ratings, settings and data"),
        (
            N_("- `/me history` lists your finished games, `/me rating` your ratings."),
            N_("- `/me settings`: language, reminders, quiet hours, time zone, how boards are shown."),
            N_("- `/me export` saves your games, `/me data` everything I keep about you."),
            N_("- `/me forget` deletes everything I keep about you."),
        ),
    ),
    "server": Topic(
        N_("For managers of this server"),
        N_("Channels, language, daily puzzle, own rules"),
        (
            N_("- `/server settings`: where games are played, the usual clock, the language of posts."),
            N_("- `/server diagnose` checks my permissions in every channel."),
            N_("- `/server puzzle` posts a puzzle every day."),
            N_("- `/server variant` adds games with rules of your own."),
            N_("- `/server import` brings in games from PDN files."),
        ),
    ),
}


@frozen
class HelpAction(CustomId):
    """The menu of topics."""

    prefix = "damero-help"
    act: str


press = Handlers(HelpAction)


@app_commands.command(name="help", description="How to play here")
async def how_to_play(interaction: Press) -> None:
    game = await services_of(interaction).games.running_in(interaction.channel_id or 0)
    await reply_with_card(interaction, help_card(_where(interaction), game=game))


def _where(interaction: Press) -> Where:
    if answers_only(interaction):
        return "chat"
    return "alone" if alone_with_me(interaction) else "server"


@press.on("topic")
async def _topic(_menu: HelpAction, interaction: Press, services: Services) -> None:
    topic = next(iter(chosen(interaction)), "")
    if topic == _FIRST:
        game = await services.games.running_in(interaction.channel_id or 0)
        card = help_card(_where(interaction), game=game)
    elif topic in TOPICS:
        card = topic_card(topic, _where(interaction), plain=services.settings.message_content)
    else:
        raise Refused(_(OLDER))
    await edit_into_card(interaction, card)


def help_card(where: Where = "server", *, game: Game | None = None) -> Card:
    """How to begin. ``game``: the one that is played where help is asked for."""
    turns = () if game is None else game.rules.turns(game.state)
    example = f" (`{turns[0].text}`)" if turns else ""
    lines = "\n".join(_(line or MOVE[where]).format(example=example) for line in FIRST)
    # Alone with the bot there is nobody else to play.
    buttons = ButtonRow([computer_button(), *([] if where == "alone" else [anyone_button()]), learn_button()])
    colour = None if game is None else accent(game.rules.variant)
    return Card([*([_(NOT_READ)] if where == "chat" else []), lines, buttons, _menu_of(where)], colour)


def topic_card(name: str, where: Where = "server", *, plain: bool) -> Card:
    """One of TOPICS, with the menu of all; ``plain``: plain messages are read for moves."""
    topic = TOPICS[name]
    lines = [f"**{_(topic.title)}**", *(_(line or TYPE[where]) for line in topic.lines)]
    if plain and where == "server" and name == next(iter(TOPICS)):
        lines.insert(2, _(PLAIN))
    return Card(["\n".join(lines), _menu_of(where, name)])


def _menu_of(where: Where, shown: str = "") -> ButtonRow:
    """The menu of TOPICS, without the one that is ``shown`` and what there is not ``where`` it is shown; from there it
    leads back to the first page."""
    first = [discord.SelectOption(label=_("How to begin"), value=_FIRST)] if shown else []
    options = [
        *first,
        *(
            discord.SelectOption(label=_(topic.title), value=name, description=_(topic.about))
            for name, topic in TOPICS.items()
            if name != shown and (where == "server" or name not in ON_SERVERS)
        ),
    ]
    return ButtonRow([ActionMenu.of(HelpAction("topic"), _("More about …"), options)])
