"""Moves that are typed: in the form behind the button *Move*, and as messages in the channel of a game."""

from __future__ import annotations

import discord

from bot.chat.board_pictures import own_view
from bot.chat.components import CustomId, Press, asks, form_of, typed_move
from bot.chat.features import Handlers
from bot.chat.games.buttons import move_of, picked_of
from bot.chat.games.posts import clocks_text
from bot.chat.games.tapped_moves import show_played
from bot.chat.responses import acknowledge, act, is_private, reply_privately, source_of
from bot.chat.services import Services
from bot.chat.typed_text import TypedText, may_be_move, moves_in, without_fillers
from bot.chat.visibility import reachable
from bot.chat.wording.dates import days_and_hours, moment, until
from bot.chat.wording.players import mention
from bot.engine.errors import AmbiguousMove, MoveError, Unreadable
from bot.engine.turns import Turn
from bot.games.model.computer_seats import person_of
from bot.games.model.errors import MoveRefused, NotStored, Refused
from bot.games.model.game import Game
from bot.games.model.seats import check_moves_may_go_back
from bot.games.persistence.off_loop import read_turn
from bot.games.use_cases.computer import only_computers_mind
from bot.i18n import N_, _, pgettext
from bot.presentation.questions import answer, what_to_ask
from bot.support.frozen import frozen
from bot.support.time_units import HOUR

NO_GAME = N_("No game is running in this channel. Start one with `/play`; `/help` says how.")
_ALONE = N_(
    "We are not playing a game right now. `/play` begins one against me, `/tutorial` teaches a game by playing it, and "
    "`/help` says what else I can do."
)


@frozen
class MoveForm(CustomId):
    """The form in which a move is typed, for a position."""

    prefix = "damero:say"
    game: int
    ply: int


def move_form(game: Game) -> discord.ui.Modal:
    """The form behind the button *Move*."""
    example = next((turn.text for turn in game.rules.turns(game.state)), "")
    description = _("From square to square; for several jumps, every landing square")
    return form_of(MoveForm(game.id, game.ply), _("Your move"), pgettext("button", "Move"), description, example)


form = Handlers(MoveForm)


@form.on()
async def _sent_in(sent: MoveForm, interaction: Press, services: Services) -> None:
    text, source = typed_move(interaction), source_of(interaction)
    asked = await reachable(interaction, sent.game)
    if (said := await answered(asked, interaction.user.id, text, services, asks=asks(interaction))) is not None:
        await reply_privately(interaction, said)
        return
    if sent.ply == asked.ply:
        text = await meant(asked, interaction.user.id, text, asks=asks(interaction))
    game = await act(interaction, services.games.moves.turn(sent.game, interaction.user.id, text, source, sent.ply))
    if is_private(interaction):
        await show_played(interaction, services, game)
    else:
        await acknowledge(interaction)


async def typed(message: discord.Message, words: TypedText, me: int, services: Services) -> bool | str:
    """Play the move that ``message`` may hold, or answer the question about the board. Raises Refused."""
    person = message.author
    try:
        game = await services.games.running_in(message.channel.id)
    except NotStored:
        if words.addressed:
            raise
        return True
    if game is None:
        raise Refused(_(NO_GAME if message.guild is not None else _ALONE))
    if not words.addressed and game.to_move != person.id:
        return True
    services.names.learn(person)
    if await _is_said_again(game, message, words.text, services):
        return True
    text, ply = words.text, None
    if words.addressed and (picked := picked_of(message, me)) is not None and picked.game == game.id:
        text, ply = move_of(picked, game), picked.ply
    elif words.addressed:
        if (said := await answered(game, person.id, text, services, asks=words.asks)) is not None:
            return said
        ply = game.ply if words.asks else None
        text = await meant(game, person.id, text, asks=words.asks, freely=game.casual and not game.rated)
    services.games_changed.send(await services.games.moves.turn(game.id, person.id, text, f"m:{message.id}", ply))
    return True


async def _is_said_again(game: Game, message: discord.Message, text: str, services: Services) -> bool:
    """Whether ``text`` is the turn that the writer of ``message`` made last, and was written while its board was not
    there. Who sees no board says it again."""
    last = game.entries[-1] if game.entries else None
    if last is None or (last.kind, last.text) != ("turn", text.lower()) or game.players[last.seat] != message.author.id:
        return False
    if services.outbox.waits(game.id):
        return True
    board = await services.outbox.posted(game.id, "board")
    return board is not None and message.id < board.message_id


async def meant(game: Game, person: int, text: str, *, asks: bool, freely: bool = False) -> str:
    """What ``person`` plays with ``text``: the whole; ``freely``, also the move that has nothing but fillers around it;
    else what the rules refuse of it. Raises MoveRefused, with the legal moves in it to choose from, where it ``asks``
    or says anything else."""
    if game.status != "running" or game.to_move != person:
        return text
    bare, legal, wrong = without_fillers(text), dict[str, Turn](), ""
    for part in dict.fromkeys((text, bare, *moves_in(text)[1:])):
        try:
            found: tuple[Turn, ...] = (await read_turn(game.rules, game.state, part),)
        except AmbiguousMove as several:
            found = several.candidates
        except Unreadable:
            continue
        except MoveError:
            wrong = wrong or part
            continue
        whole = part in (text, bare)
        if not asks and (part == text or (freely and whole)):
            return part
        legal, typed = legal | {turn.text: turn for turn in found}, part
        if whole:
            break
    if not legal:
        return wrong or text
    candidates = tuple(legal.values())
    raise MoveRefused(AmbiguousMove(_question(game, candidates[0]), candidates), game, typed)


def _question(game: Game, turn: Turn) -> str:
    """Whether ``turn`` is to be played."""
    if turn.kind == "huff":
        return _("Do you want to huff {square}?").format(square=game.rules.board.names[turn.path[0]])
    if turn.kind == "oblige":
        return _("Do you want to oblige?")
    return _("Do you want to play {move}?").format(move=turn.text)


async def answered(game: Game, person: int, text: str, services: Services, *, asks: bool) -> str | None:
    """The answer to a question such as ``c3`` or ``captures`` that ``person`` typed instead of a move; None where the
    text is none. A square alone is a move where the player to move can go there, but not where it ``asks``, with a
    question mark. Words that can be no move are a question of whoever is not to move."""
    asks = asks or game.to_move != person
    if game.status != "running" or (not asks and await _is_turn(game, text)):
        return None
    preferences = await services.games.preferences.load(person)
    seen = own_view(game, person, preferences)
    clock = await _clock(game, services)
    said = answer(game, text, clock, undoing=_undoing(game, person), numbers=seen.numbers)
    if said is not None:
        return seen.told(game, said)
    if not asks or may_be_move(text) or (game.to_move == person and len(moves_in(text)) > 1):
        return None  # which the rules refuse
    if await _is_turn(game, text):
        return None
    return seen.told(game, f"{_('I do not understand that.')} {what_to_ask(game.rules, game.state)}")


async def _is_turn(game: Game, text: str) -> bool:
    """Whether ``text`` is a turn here, or may be one of several."""
    try:
        await read_turn(game.rules, game.state, text)
    except AmbiguousMove:
        return True
    except MoveError:
        return False
    return True


def _undoing(game: Game, person: int) -> str:
    """How ``person`` takes a turn back, or why nobody does."""
    try:
        check_moves_may_go_back(game)
    except Refused as stand:
        return stand.sentence
    seat = game.seat_of(person)
    if seat is not None and only_computers_mind(game, seat):
        return _("To take your last move back, and what I answered, use `/game undo`.")
    return _("To undo a slip, use `/game undo` within a minute; later, ask for a `/game takeback`.")


async def _clock(game: Game, services: Services) -> str:
    """How much time there is."""
    if game.control is None:
        return _("This game has no clock.")
    due = await services.games.timeouts.due(game.id)
    if due is None:
        return _("No clock is running right now.")
    player = person_of(game.to_move)
    if player is not None and game.casual and not game.control.live:
        back = (await services.games.vacations.vacation(player)).until
        if back is not None:
            template = _("{player} is on vacation, until {day} at the latest. Their clock is stopped.")
            days, hours = days_and_hours(max(0, due - back))
            left = _("After that, {days} and {hours} are left for this move.").format(days=days, hours=hours)
            if due - back < HOUR:
                left = _("After that, less than an hour is left for this move.")
            return f"{template.format(player=mention(player), day=moment(back, 'D'))} {left}"
    return " ".join(filter(None, (until(due), clocks_text(game, max(0, due - services.clock())))))
