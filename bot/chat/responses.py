"""Private answers: what is said to the one person who asked, and to nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
import structlog

from bot.chat.games.buttons import choice_view
from bot.chat.services import Services
from bot.engine.errors import UNREADABLE, AmbiguousMove, Unreadable
from bot.games.model.errors import Duplicate, MoveRefused, Refused, StalePly
from bot.games.model.game import Game
from bot.i18n import N_, _

log = structlog.get_logger(__name__)

UNCERTAIN = N_("Something went wrong. Please look whether this was done before you try again.")
TROUBLE = N_("Something went wrong on our side; nothing was changed. Please try again.")

# The interaction ran out of time, or was answered already: the person has been left waiting, but nothing is lost.
_TOO_LATE = (10062, 10015, 40060, 50027)

# The connection broke, or Discord is in trouble: whether it has taken what was sent is not known.
_LOST = (aiohttp.ClientError, OSError, discord.DiscordServerError)

LONGEST = 2000


async def reply_privately(
    interaction: discord.Interaction[Any],
    text: str,
    *,
    view: discord.ui.View | None = None,
    file: discord.File | None = None,
    files: Sequence[discord.File] = (),
) -> None:
    """Say ``text`` to whoever made ``interaction``, ephemerally; it may have been acknowledged before."""
    more: dict[str, Any] = {}
    if view is not None:
        more["view"] = view
    if file is not None:
        more["file"] = file
    if files:
        more["files"] = list(files)
    if interaction.response.is_done():
        await _answer(interaction, lambda: interaction.followup.send(fitting(text), ephemeral=True, **more), tries=1)
    else:
        # Files are read once.
        tries = 1 if "file" in more or "files" in more else 2
        send = interaction.response.send_message
        await _answer(interaction, lambda: send(fitting(text), ephemeral=True, **more), tries=tries)


async def acknowledge(interaction: discord.Interaction[Any]) -> None:
    """Take a press or a form as done without a word: what it did is seen in the channel."""
    if not interaction.response.is_done():
        await _answer(interaction, interaction.response.defer, tries=2)


async def _answer(interaction: discord.Interaction[Any], send: Callable[[], Awaitable[object]], *, tries: int) -> None:
    """Send an answer. Where the connection breaks it is sent anew, as Discord takes a first answer once only; one that
    does not arrive changes nothing of what was done."""
    for left in reversed(range(tries)):
        try:
            await send()
        except discord.HTTPException as error:
            if error.code in _TOO_LATE:
                log.info("answered too late", interaction=interaction.id, code=error.code)
            elif isinstance(error, _LOST):
                log.warning("answer lost", interaction=interaction.id, status=error.status)
            else:
                raise
        except _LOST as error:
            if left:
                continue
            log.warning("answer lost", interaction=interaction.id, error=repr(error))
        return


@asynccontextmanager
async def responding(interaction: discord.Interaction[Any], services: Services) -> AsyncIterator[None]:
    """Within it, a refusal becomes a private answer, in the language of whoever made ``interaction``. Other errors pass
    through."""
    services.names.learn(interaction.user)
    await services.speech.answer(interaction)
    try:
        yield
    except Duplicate:
        log.info("interaction came twice", interaction=interaction.id)
    except Refused as refused:
        text, view = await refusal(refused, services)
        await reply_privately(interaction, text, view=view)


async def failed(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """An error that nobody foresaw: log it, and say so to the person who waits."""
    log.error("interaction failed", interaction=interaction.id, kind=interaction.type.name, exc_info=error)
    await reply_privately(interaction, _(UNCERTAIN if isinstance(error, _LOST) else TROUBLE))


async def refusal(refused: Refused, services: Services) -> tuple[str, discord.ui.View | None]:
    """What to say about ``refused``, with buttons where the person must choose."""
    if isinstance(refused, StalePly):
        return await _stale(refused.game, services), None
    if isinstance(refused, MoveRefused):
        if isinstance(refused.error, AmbiguousMove):
            return choices(refused.error), choice_view(refused.game, refused.error.candidates)
        if isinstance(refused.error, Unreadable):
            return how_to_move(refused.game), None
        return capital(refused.error.message), None
    return refused.sentence, None


def how_to_move(game: Game) -> str:
    """What to write, with an example that may be played now."""
    turns = game.rules.turns(game.state)
    says = [_(UNREADABLE)]
    if turns:
        says.append(_("A move is written like `{move}`.").format(move=turns[0].text))
    return " ".join([*says, _("`/moves` lists what may be played.")])


def choices(error: AmbiguousMove) -> str:
    """The moves that a text may mean, numbered."""
    lines = [f"{number}. `{turn.text}`" for number, turn in enumerate(error.candidates[:25], start=1)]
    return "\n".join([_("More than one move fits. Which do you mean?"), *lines])


async def _stale(game: Game, services: Services) -> str:
    link = await services.link(game)
    gone_on = _("The game has gone on since this board was posted.")
    if link is None:
        return f"{gone_on} {_('See it with `/board`.')}"
    return f"{gone_on} {_('Here is the board as it stands: {link}').format(link=link)}"


def capital(sentence: str) -> str:
    """An engine's message as a sentence of its own. Squares keep their small letters."""
    closed = sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
    square = len(closed) > 1 and closed[1].isdigit()
    return closed if square else closed[:1].upper() + closed[1:]


def chosen_name(text: str) -> str:
    """A name that somebody has chosen, as it stands in messages: in one line, with all its signs. Raises Refused."""
    name = " ".join(text.split())
    if not name:
        raise Refused(_("Give it a name that can be read."))
    return discord.utils.escape_markdown(name)


def fitting(text: str, limit: int = LONGEST) -> str:
    """``text`` cut at a line's end to what one message may hold."""
    if len(text) <= limit:
        return text
    kept = text[: limit - 2].rsplit("\n", 1)[0]
    return f"{kept}\n…"
