"""What is said to a person whose wish is refused, with buttons where it must choose."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.chat.components import LONGEST_ID, GameAction, game_button, view_of
from bot.chat.wording.links import Links
from bot.engine.errors import UNREADABLE, AmbiguousMove, Unreadable
from bot.engine.turns import Turn
from bot.games.model.errors import MoveRefused, Refused, StalePly
from bot.games.model.game import Game
from bot.i18n import _

_MOST = 25


async def refusal(refused: Refused, links: Links) -> tuple[str, discord.ui.View | None]:
    """What to say about ``refused``, with buttons where the person must choose."""
    if isinstance(refused, StalePly):
        return await _stale(refused.game, links), None
    if isinstance(refused, MoveRefused):
        if isinstance(refused.error, AmbiguousMove):
            return choices(refused.error), choice_view(refused.game, refused.error.candidates)
        if isinstance(refused.error, Unreadable):
            return how_to_move(refused.game), None
        return refused.error.sentence, None
    return refused.sentence, None


def how_to_move(game: Game) -> str:
    """What to write, with an example that may be played now."""
    turns = game.rules.turns(game.state)
    sentences = [_(UNREADABLE)]
    if turns:
        sentences.append(_("A move is written like `{move}`.").format(move=turns[0].text))
    return " ".join([*sentences, _("`/moves` lists what may be played.")])


def choices(error: AmbiguousMove) -> str:
    """The moves that a text may mean, numbered."""
    lines = [f"{number}. `{turn.text}`" for number, turn in enumerate(error.candidates[:_MOST], start=1)]
    return "\n".join([_("More than one move fits. Which do you mean?"), *lines])


def choice_view(game: Game, candidates: Sequence[Turn]) -> discord.ui.View:
    """Numbers, one for each move that a text may mean."""
    buttons = []
    for number, turn in enumerate(candidates[:_MOST], start=1):
        arg = turn.text
        if len(GameAction("pick", game.id, game.ply, arg).encode()) > LONGEST_ID:
            # A long chain's name does not fit: its place among the legal moves does.
            arg = f"#{game.rules.turns(game.state).index(turn)}"
        buttons.append(game_button("pick", game, str(number), arg))
    return view_of(buttons)


async def _stale(game: Game, links: Links) -> str:
    link = await links.board(game)
    gone_on = _("The game has gone on since this board was posted.")
    if link is None:
        return f"{gone_on} {_('See it with `/board`.')}"
    return f"{gone_on} {_('Here is the board as it stands: {link}').format(link=link)}"
