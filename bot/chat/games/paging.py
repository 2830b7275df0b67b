"""Private answers to leaf through: lists of games, and a game step by step. The buttons carry all there is to know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import discord

from bot.chat.board_pictures import BoardView
from bot.chat.components import ActionButton, CustomId, GameAction, Press, leaves, view_of
from bot.chat.features import Handlers
from bot.chat.games.button_handlers import on_press
from bot.chat.games.posts import result_text, start_text
from bot.chat.games.room_checks import board_view_of
from bot.chat.responses import defer_if_slow, in_words, replace, reply_privately
from bot.chat.services import Services, services_of
from bot.chat.visibility import check_begun, is_listed, visible
from bot.chat.wording.dates import moment, until
from bot.chat.wording.links import channel_text
from bot.chat.wording.message_text import LONGEST, fitting
from bot.chat.wording.players import mention, player_at
from bot.engine import variants
from bot.games.model.errors import Refused
from bot.games.model.game import Game, GameSummary
from bot.games.model.transcripts import name_in_file
from bot.i18n import N_, _, in_words_of, labelled, ngettext, pgettext
from bot.support.frozen import frozen

PAGE = 10
"""How many games a page of a list has at most: as many as one message can hold."""

# What the link to a board takes with the blank before it and the line's end, and the heading of a page.
_LINK = 90
_HEADING = 80
# Entries of a game's line that are no turns.
_KINDS = {"resign": N_("resigns"), "timeout": N_("runs out of time")}

_LEFT = {"resign": N_("resigned"), "timeout": N_("out of time")}


@frozen
class ListPage(CustomId):
    """Another page of a list. ``person`` is whose games they are."""

    prefix = "damero-list"
    what: Literal["games", "history"]
    person: int
    page: int


@frozen
class GameStep(CustomId):
    """A game as it stood after another step. The name keeps the ids of a row apart."""

    prefix = "damero-step"
    game: int
    step: int
    name: str


pages, steps = Handlers(ListPage), Handlers(GameStep)


@pages.on()
async def _leaf(button: ListPage, interaction: Press, services: Services) -> None:
    text, view = await list_page(services, interaction, button.what, button.person, button.page)
    if interaction.message is not None and interaction.message.flags.components_v2:
        # The button of a card: it stays.
        await reply_privately(interaction, text, view=view)
    else:
        await replace(interaction, text, view)


@on_press("replay")
async def _replay(button: GameAction, game: Game, interaction: Press, services: Services) -> None:
    check_begun(game)
    await show_from_start(interaction, game)


async def show_from_start(interaction: Press, game: Game) -> None:
    """Answer with the first step of a game."""
    page = step_page(services_of(interaction), game, 0, await board_view_of(interaction, game))
    text, view, file = await defer_if_slow(interaction, page)
    await reply_privately(interaction, text, view=view, file=file)


@steps.on()
async def _step(button: GameStep, interaction: Press, services: Services) -> None:
    game = await visible(interaction, button.game)
    board_view = await board_view_of(interaction, game)
    text, view, file = await step_page(services, game, button.step, board_view)
    text, (file,) = in_words(interaction, text, [file])
    await replace(interaction, fitting(text), view, file)


# Lists


async def list_page(
    services: Services, interaction: Press, what: Literal["games", "history"], person: int, page: int
) -> tuple[str, discord.ui.View | None]:
    """One page of a person's games in this server. Raises Refused where there are none."""
    me = interaction.user.id
    if what == "games":
        if person != me:
            raise Refused(_("This list belongs to someone else. Ask for your own with `/me games`."))
        games = await services.games.lists.games_of(person, guild_id=interaction.guild_id)
        none, head = _("You have no game here. Start one with `/play`."), _("Your games")
    else:
        finished = await services.games.lists.history(person, guild_id=interaction.guild_id)
        games = [game for game in finished if await is_listed(interaction, game)]
        none = _("You have not finished any games here.")
        if person != me:
            none = _("{player} has not finished any games here.").format(player=mention(person))
        head = _("Finished games of {player}").format(player=mention(person))
    if not games:
        raise Refused(none)
    events = await services.tournaments.export.names_by_game([summary.id for summary in games])
    say = _running_line if what == "games" else _finished_line
    paged = _paged([(summary, say(summary, person, events.get(summary.id, ""))) for summary in games])
    pages = len(paged)
    page = min(page, pages - 1)
    lines = [
        f"{line} {await _where(services, summary, person)}" if summary.status == "running" else line
        for summary, line in paged[page]
    ]
    if pages > 1:
        head = _("{list} (page {page} of {pages})").format(list=head, page=page + 1, pages=pages)
    view = leaves(lambda number: ListPage(what, person, number), page, pages) if pages > 1 else None
    return "\n".join([labelled(head), *lines]), view


def _paged(lines: Sequence[tuple[GameSummary, str]]) -> list[list[tuple[GameSummary, str]]]:
    """The lines by pages, none of which is longer than a message, with its heading and the links to boards."""
    pages: list[list[tuple[GameSummary, str]]] = []
    room = 0
    for summary, line in lines:
        length = len(line) + (_LINK if summary.status == "running" else 1)
        if not pages or len(pages[-1]) == PAGE or length > room:
            pages.append([])
            room = LONGEST - _HEADING
        pages[-1].append((summary, line))
        room -= length
    return pages


def _running_line(game: GameSummary, me: int, event: str) -> str:
    name = _("{game}, game {number}").format(game=game.name, number=game.id)
    people = [*game.players, *game.invited]
    others = list(dict.fromkeys(mention(person) for person in people if person not in (None, me)))
    name = _with(name, others, event)
    if game.status == "open":
        waits = _("waiting for an answer in {channel}").format(channel=channel_text(game.place))
        return labelled(f"- {name}", waits)
    my_turn = game.to_move == me
    turn = _("**your turn**") if my_turn else _("{player} to move").format(player=mention(game.to_move))
    if game.due is not None:
        turn = _("{turn}, until {moment}").format(turn=turn, moment=moment(game.due))
    return labelled(f"- {name}", turn)


def _finished_line(game: GameSummary, me: int, event: str) -> str:
    others = [mention(person) for person in game.players if person not in (None, me)]
    # At a table the others play on.
    left = None if len(game.players) == 2 or game.left is None else _(_LEFT[game.left])
    if game.winner is None and left is None:
        template = _("- {game}: **drawn** ({reason}), {day}. {command}")
    elif game.winner == game.players.index(me):
        template = _("- {game}: **won** ({reason}), {day}. {command}")
    else:
        template = _("- {game}: **lost** ({reason}), {day}. {command}")
    day, command = moment(game.changed_at, "d"), f"`/game replay {game.id}`"
    known = game.variant_id in variants.names()
    with in_words_of(variants.load(game.variant_id).tables.vocabulary if known else ""):
        return template.format(
            game=_with(f"{game.name}", others, event), reason=left or game.reason, day=day, command=command
        )


def _with(name: str, others: Sequence[str], event: str) -> str:
    if others:
        name = _("{game} with {players}").format(game=name, players=", ".join(others))
    return f"{name} ({event})" if event else name


async def _where(services: Services, game: GameSummary, me: int) -> str:
    # No casual game is played on two servers.
    link = await services.links.board(game if game.casual else await services.games.game(game.id), me)
    return link or _("in {channel}").format(channel=channel_text(game.place, game.channel_id))


# One game


_GONE = N_("someone who has left")


def game_text(game: Game, due: int | None) -> str:
    """A game in words: who plays which side, under which rules, how it stands."""
    # As files of games write it.
    unknown = _(_GONE) if game.origin is None else "?"
    people = ", ".join(
        f"{game.seat_name(seat)} {player_at(game, seat) if player or name_in_file(game, seat) else unknown}"
        for seat, player in enumerate(game.players)
    )
    template = _("**{game}**, game {number}: {players}.")
    lines = [template.format(game=game.rules.variant.name, number=game.id, players=people)]
    if game.rules.variant.chosen:
        chosen = [f"`{name}={variants.show(value)}`" for name, value in game.rules.variant.chosen.items()]
        lines.append(_("Rules chosen: {rules}.").format(rules=", ".join(chosen)))
    lines += start_text(game)
    if game.control is not None:
        lines.append(_("Clock: {clock}.").format(clock=game.control.text))
    turns = len(game.turns)
    lines.append(ngettext("{count} turn played.", "{count} turns played.", turns).format(count=turns))
    if game.status == "running":
        seat = game.state.seat
        turn = _("{player} ({side}) is to move.")
        turn = turn.format(player=mention(game.players[seat]), side=game.seat_name(seat))
        lines.append(f"{turn} {until(due)}".rstrip())
    else:
        lines.append(result_text(game))
    return "\n".join(line for line in lines if line)


async def step_page(
    services: Services, game: Game, step: int, board_view: BoardView
) -> tuple[str, discord.ui.View, discord.File]:
    """A game as it stood after its ``step``-th turn of those that stand, with the buttons to others."""
    last = len(game.line)
    step = min(step, last)
    shown = await services.games.game(game.id, game.line[step - 1].number if step else 0)
    file = await services.pictures.board(shown, f"g{game.id}-s{step}.png", board_view)
    played = _("the start")
    if shown.line:
        turn = shown.line[-1]
        what = board_view.written(game, turn.text) or _(_KINDS.get(turn.kind, turn.kind))
        played = labelled(shown.seat_name(turn.seat), f"**{what}**")
    text = _("Game {number}, {step} of {last}: {played}").format(number=game.id, step=step, last=last, played=played)
    if step == last and game.status != "running":
        text = "\n".join(filter(None, (text, result_text(game), await services.tournaments.results.entered(game))))
    return text, _steps(game.id, step, last), file


def _steps(game: int, step: int, last: int) -> discord.ui.View:
    steps = (
        ("first", 0, pgettext("button", "First")),
        ("back", max(0, step - 1), pgettext("button", "Back")),
        ("on", min(last, step + 1), pgettext("button", "Next")),
        ("last", last, pgettext("button", "Last")),
    )
    return view_of(ActionButton.of(GameStep(game, to, name), label, disabled=to == step) for name, to, label in steps)
