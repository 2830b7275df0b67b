"""Private answers, for the one person who asked; refusals, with buttons where the person must choose."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import discord
import structlog

from bot.chat import unforeseen
from bot.chat.board_pictures import by_number
from bot.chat.components import LONGEST_ID, MOST_CHOICES, ActionButton, GameAction, game_button, view_of
from bot.chat.posting.cards import Card
from bot.chat.posting.picture_files import beside_its_words
from bot.chat.services import Services, services_of
from bot.chat.visibility import ABOUT
from bot.chat.wording.links import Links, channel_text
from bot.chat.wording.message_text import LONGEST, fitting
from bot.engine.errors import AmbiguousMove, Unreadable
from bot.engine.turns import Turn
from bot.games.model.errors import Duplicate, MoveRefused, NotRunning, NotSeated, NotStored, Refused, StalePly
from bot.games.model.game import Game
from bot.i18n import N_, _, labelled, pgettext

log = structlog.get_logger(__name__)

FORM_TOO_LATE = N_("The form could not be opened in time; nothing has changed. Please try again.")

# The interaction ran out of time, or was answered already: the person has been left waiting, but nothing is lost.
_TOO_LATE = (10062, 10015, 40060, 50027)

# The message is not there any more.
_GONE = 10008

# Discord waits 3 seconds for a first answer. What takes longer than this gets an "I am at it" first.
PATIENCE = 1.5
# What has had no answer by then gets that in any case; who would answer with a form finds that it is too late.
LAST_MOMENT = 2.3
BAD_REQUEST = 400
# Under these keys an interaction's extras have the task that acknowledges it in the last moment, and whether an answer
# has begun, after which there is none.
_AT_LAST, _BEGUN = "acknowledged at last", "answer begun"
_COMMAND, _PRESS = discord.InteractionType.application_command, discord.InteractionType.component

T = TypeVar("T")


async def reply_privately(
    interaction: discord.Interaction[Any],
    text: str,
    *,
    view: discord.ui.View | None = None,
    file: discord.File | None = None,
    files: Sequence[discord.File] = (),
) -> None:
    """Say ``text`` to whoever made ``interaction``, ephemerally; it may have been acknowledged before."""
    text, shown = in_words(interaction, text, [*([] if file is None else [file]), *files])
    given = (("view", view), ("files", shown or None))
    extra: dict[str, Any] = {name: value for name, value in given if value is not None}
    if await was_answered(interaction):
        await _answer(interaction, lambda: interaction.followup.send(fitting(text), ephemeral=True, **extra), tries=1)
    else:
        # Files are read once.
        tries = 1 if shown else 2
        send = interaction.response.send_message
        await _answer(interaction, lambda: send(fitting(text), ephemeral=True, **extra), tries=tries)


async def reply_to_all(
    interaction: discord.Interaction[Any], text: str, *, view: discord.ui.View, file: discord.File
) -> None:
    """Say ``text`` in the channel in answer to ``interaction``, for everybody there, and ping nobody; it may have been
    acknowledged before."""
    post = interaction.followup.send if await was_answered(interaction) else interaction.response.send_message
    await post(fitting(text), view=view, file=file, allowed_mentions=discord.AllowedMentions.none())


async def reply_with_card(interaction: discord.Interaction[Any], card: Card) -> None:
    """Show ``card`` to whoever made ``interaction``, ephemerally; it may have been acknowledged before."""

    async def send(text: str | None, view: Any, files: list[discord.File]) -> None:
        answered = await was_answered(interaction)
        post = interaction.followup.send if answered else interaction.response.send_message
        extra: dict[str, Any] = {"view": view, "files": files, "ephemeral": True}
        await _answer(interaction, lambda: post(*[] if text is None else [text], **extra), tries=1)

    await _show(interaction, card, send)


async def edit_into_card(interaction: discord.Interaction[Any], card: Card) -> None:
    """Make ``card`` of the private answer that ``interaction`` has got already, else of the message that holds what was
    pressed."""

    async def edit(text: str | None, view: Any, files: list[discord.File]) -> None:
        if await was_answered(interaction):
            await interaction.edit_original_response(content=text, view=view, attachments=files)
        else:
            await interaction.response.edit_message(content=text, view=view, attachments=files)

    await _show(interaction, card, edit)


async def _show(
    interaction: discord.Interaction[Any],
    card: Card,
    send: Callable[[str | None, discord.ui.View | discord.ui.LayoutView, list[discord.File]], Awaitable[None]],
) -> None:
    """As a card; as an ordinary message where Discord takes none: an answer that was put off has been seen to take no
    pictures in a card (discord-api-docs 7529)."""
    card = card.written_out() if wants_words(interaction) else card
    try:
        await send(None, card.view(), card.files())
    except discord.HTTPException as error:
        if error.status != BAD_REQUEST:
            raise
        log.warning("card refused", code=error.code, error=error.text)
        await send(*card.plain())


def in_words(
    interaction: discord.Interaction[Any], text: str, pictures: Sequence[discord.File]
) -> tuple[str, list[discord.File]]:
    """``text`` with what ``pictures`` show, for those who want it written out, and the pictures, which then need not
    say it again."""
    described = [picture.description for picture in pictures if picture.description]
    if not described or not wants_words(interaction):
        return text, list(pictures)
    told = "\n".join([text, *described])
    if len(told) > LONGEST:
        return told, list(pictures)
    return told, [beside_its_words(each) if each.description else each for each in pictures]


def wants_words(interaction: discord.Interaction[Any]) -> bool:
    """Whether whoever made ``interaction`` wants pictures in words as well."""
    preferences = services_of(interaction).games.preferences.remembered(interaction.user.id)
    return preferences is not None and preferences.words


async def acknowledge(interaction: discord.Interaction[Any]) -> None:
    """Take a press or a form as done without a word: what it did is seen in the channel."""
    if not await was_answered(interaction):
        await _answer(interaction, interaction.response.defer, tries=2)


async def open_form(interaction: discord.Interaction[Any], form: discord.ui.Modal) -> None:
    """Show ``form`` to whoever made ``interaction``. Discord takes a form as the first answer alone: where that was an
    acknowledgement, they hear that they have to ask again."""
    if await was_answered(interaction):
        await reply_privately(interaction, _(FORM_TOO_LATE))
    else:
        await _answer(interaction, lambda: interaction.response.send_modal(form), tries=2)


async def was_answered(interaction: discord.Interaction[Any]) -> bool:
    """Whether ``interaction`` has had its first answer, of which Discord takes one alone. Who asks is about to
    answer."""
    await begin_answer(interaction)
    return interaction.response.is_done()


async def begin_answer(interaction: discord.Interaction[Any]) -> None:
    """From now on ``interaction`` is being answered: an acknowledgement that is under way is waited for, and none
    begins any more."""
    interaction.extras[_BEGUN] = True
    at_last: asyncio.Task[None] | None = interaction.extras.get(_AT_LAST)
    if at_last is not None:
        await asyncio.wait({at_last})


async def _answer(interaction: discord.Interaction[Any], send: Callable[[], Awaitable[object]], *, tries: int) -> None:
    """Send an answer. Where the connection breaks it is sent anew, as Discord takes a first answer once only; one that
    does not arrive changes nothing of what was done."""
    for left in reversed(range(tries)):
        try:
            await send()
        except discord.HTTPException as error:
            if error.code in _TOO_LATE:
                log.info("answered too late", interaction=interaction.id, code=error.code)
            elif isinstance(error, unforeseen.LOST):
                log.warning("answer lost", interaction=interaction.id, status=error.status)
            else:
                raise
        except unforeseen.LOST as error:
            if left:
                continue
            log.warning("answer lost", interaction=interaction.id, error=unforeseen.kind_told(error))
        return


async def meet(interaction: discord.Interaction[Any]) -> None:
    """Before all else of ``interaction``: learn how whoever made it is called, and speak their language."""
    # Whatever is logged while it is answered says so.
    structlog.contextvars.bind_contextvars(source=source_of(interaction))
    log.debug("interaction", kind=interaction.type.name)
    unforeseen.begin()
    services = services_of(interaction)
    last = asyncio.get_running_loop().call_later(LAST_MOMENT, _in_time, interaction, services)
    services.answers.join().add_done_callback(lambda _: last.cancel())
    services.names.learn(interaction.user)
    await services.languages.answer(interaction)


def _in_time(interaction: discord.Interaction[Any], services: Services) -> None:
    """Have Discord wait for an answer that is still to come, however it is looked for."""
    if _BEGUN in interaction.extras or interaction.response.is_done() or interaction.client.is_closed():
        return
    acknowledged = _answer(interaction, lambda: _defer(interaction), tries=1)
    interaction.extras[_AT_LAST] = services.answers.begin(acknowledged, "in time")


async def not_done(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Tell whoever made ``interaction`` why nothing was done: a refusal says so itself, the rest nobody foresaw."""
    if isinstance(error, Duplicate):
        log.info("interaction came twice", interaction=interaction.id)
    elif isinstance(error, Refused):
        if error.game is not None:
            services_of(interaction).tokens.take(interaction, error.game)
        if shows_ended(interaction, error):
            await acknowledge(interaction)
            return
        error.told_of(interaction.extras.get(ABOUT, ""))
        text, view = await refusal(error, services_of(interaction), interaction.user.id)
        await reply_privately(interaction, text, view=view)
    else:
        log.error("interaction failed", interaction=interaction.id, kind=interaction.type.name, exc_info=error)
        await reply_privately(interaction, unforeseen.sentence_for(error))


def shows_ended(interaction: discord.Interaction[Any], refused: Refused) -> bool:
    """Whether what was pressed stands under a board of a game that is over, as where the bot may only answer time
    cannot change it: it becomes the last board, which says how the game ended."""
    game = refused.game if isinstance(refused, NotRunning) else None
    if game is None or not game.place.answers_only or game.status not in ("finished", "aborted"):
        return False
    if interaction.type is not _PRESS or is_private(interaction):
        return False
    services_of(interaction).tokens.want(game.id)
    return True


async def act(interaction: discord.Interaction[Any], work: Coroutine[Any, Any, Game]) -> Game:
    """Do ``work``, a use case that ``interaction`` asked for; what it changed is announced."""
    game = await defer_if_slow(interaction, work)
    services_of(interaction).tokens.take(interaction, game)
    services_of(interaction).games_changed.send(game)
    return game


async def defer_if_slow(interaction: discord.Interaction[Any], work: Coroutine[Any, Any, T]) -> T:
    """Do ``work``. Where it takes long, ``interaction`` is acknowledged first, lest Discord call it failed."""
    task = asyncio.ensure_future(work)
    await asyncio.wait({task}, timeout=PATIENCE)
    if not task.done():
        await put_off(interaction)
    return await task


async def put_off(interaction: discord.Interaction[Any]) -> None:
    """Tell Discord, unless it knows already, that an answer is to come."""
    if not await was_answered(interaction):
        await _defer(interaction)


async def _defer(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.defer(ephemeral=True, thinking=interaction.type is _COMMAND)


async def replace(
    interaction: discord.Interaction[Any],
    text: str,
    view: discord.ui.View | None = None,
    file: discord.File | None = None,
) -> None:
    """Answer by changing the message that holds the button; its buttons and its picture go, or are those of ``view``
    and ``file``."""
    files = [] if file is None else [file]
    try:
        if await was_answered(interaction):
            await interaction.edit_original_response(content=text, view=view, attachments=files)
        else:
            await interaction.response.edit_message(content=text, view=view, attachments=files)
    except discord.NotFound as error:
        if error.code != _GONE:
            raise
        # Whoever asked has dismissed it. A picture is read once.
        await reply_privately(interaction, text, view=view)


def is_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether what was pressed stands in a private answer."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def source_of(interaction: discord.Interaction[Any]) -> str:
    """What names ``interaction`` in the store."""
    return f"i:{interaction.id}"


# Refusals


async def refusal(refused: Refused, services: Services, person: int) -> tuple[str, discord.ui.View | None]:
    """What to say to ``person`` about ``refused``, with buttons where they must choose."""
    if isinstance(refused, StalePly):
        return await _stale(refused.game, services.links, person), show_view(refused.game)
    if isinstance(refused, NotRunning) and refused.game is not None and refused.game.status == "finished":
        return sentence_of(refused), rematch_view(refused.game)
    if isinstance(refused, MoveRefused):
        text, view = refused.error.sentence, None
        if isinstance(refused.error, AmbiguousMove):
            text, view = choices(refused.error), choice_view(refused.game, refused.error.candidates)
        elif isinstance(refused.error, Unreadable):
            listed = _("To choose from a numbered list, press the number, or answer the list with it.")
            moves = _('Write "moves" to see what may be played, and "help" for what else I answer.')
            text = f"{text} {listed if refused.typed.isdecimal() else moves}"
        # Who writes numbers is answered in numbers.
        rules, preferences = refused.game.rules, services.games.preferences.remembered(person)
        numbers = re.fullmatch("[0-9]+(?:[-x:> ]+[0-9]+)+", refused.typed.casefold()) or by_number(rules, preferences)
        return rules.board.in_numbers(text) if numbers else text, view
    if isinstance(refused, NotSeated) and refused.game is not None:
        return await _elsewhere(refused.game, services, person) or sentence_of(refused), None
    return sentence_of(refused), None


async def _elsewhere(game: Game, services: Services, person: int) -> str | None:
    """Where the game of ``person`` is that was begun beside the running ``game``, in which they do not play."""
    if game.status != "running" or game.seat_of(person) is not None:
        return None
    with suppress(NotStored):
        for own in await services.games.lists.games_of(person, guild_id=game.place.guild_id):
            if own.status == "running" and person in own.players and own.place.channel_id == game.place.channel_id:
                where = channel_text(own.place, own.channel_id)
                return _("You are not playing in this game. Yours is in {channel}.").format(channel=where)
    return None


def sentence_of(refused: Refused) -> str:
    """Why something was refused, with the tournament or league that it is about."""
    is_named = not refused.event or refused.event in refused.sentence
    return refused.sentence if is_named else labelled(f"**{refused.event}**", refused.sentence)


def choices(error: AmbiguousMove) -> str:
    """The moves that a text may mean, numbered; the one about which ``error`` asks."""
    if len(error.candidates) == 1:
        return error.message
    lines = [f"{number}. `{turn.text}`" for number, turn in enumerate(error.candidates[:MOST_CHOICES], start=1)]
    how = _("Press its number, or answer this message with it.")
    return "\n".join([_("More than one move fits. Which one do you mean?"), *lines, how])


def choice_view(game: Game, candidates: Sequence[Turn]) -> discord.ui.View:
    """Numbers, one for each move that a text may mean; where it is one, *Yes*."""
    if len(candidates) == 1:
        return view_of([ActionButton.of(picking(game, candidates[0]), pgettext("button", "Yes"))])
    numbered = enumerate(candidates[:MOST_CHOICES], start=1)
    return view_of(ActionButton.of(picking(game, turn), str(number)) for number, turn in numbered)


def picking(game: Game, turn: Turn) -> GameAction:
    """What a button carries that plays ``turn``."""
    picked = GameAction("pick", game.id, game.ply, turn.text)
    if len(picked.encode()) > LONGEST_ID:
        # A long chain's name does not fit: its place among the legal moves does.
        return GameAction("pick", game.id, game.ply, f"#{game.rules.turns(game.state).index(turn)}")
    return picked


def show_view(game: Game) -> discord.ui.View | None:
    """Where the bot may only answer: by which the board is shown anew."""
    if not game.place.answers_only:
        return None
    return view_of([game_button("show", game, pgettext("button", "Show the board"))])


def rematch_view(game: Game) -> discord.ui.View | None:
    """Where the bot may only answer, a private board may stand as if a game went on that time has ended: what its last
    board would have."""
    if not game.place.answers_only or not game.casual:
        return None
    return view_of([game_button("rematch", game, pgettext("button", "Rematch"))])


async def _stale(game: Game, links: Links, person: int) -> str:
    gone_on = _("This is an older board: the game has moved on.")
    if game.place.answers_only:
        return f"{gone_on} {_('Press *Show the board* to see the current one.')}"
    link = await links.board(game, person)
    if link is None:
        return f"{gone_on} {_('See the current one with `/board`.')}"
    return f"{gone_on} {_('Here is the current one: {link}').format(link=link)}"
