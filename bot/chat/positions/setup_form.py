"""The forms: in one a position is written, in the other somebody is challenged to play from it."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import discord

from bot.chat.components import LONGEST_ID, CustomId, Press, sent_in
from bot.chat.features import OLDER, Handlers
from bot.chat.games.choices import options_of, variant_of
from bot.chat.games.opening_challenges import check_person, open_challenge
from bot.chat.games.variant_option import variant_here
from bot.chat.positions.set_up import SetUp, tell
from bot.chat.responses import reply_privately
from bot.chat.services import Services
from bot.engine import typed_positions
from bot.engine.errors import EngineError
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.variants import show
from bot.games.model.errors import Refused
from bot.games.model.game import Side
from bot.i18n import _, pgettext, said
from bot.support.frozen import frozen

_LABEL = 45
_SIDES: tuple[Side, ...] = ("first", "second", "lot")


@frozen
class SetUpForm(CustomId):
    """The form in which a position is written. ``rules``: the variant and its house rules."""

    prefix = "damero-setup-form"
    act: str
    arg: str = ""


form = Handlers(SetUpForm)


def setup_form(rules: Rules, state: State | None = None) -> discord.ui.Modal:
    """The form for a position of a game, with the pieces of ``state`` (the set-up) in it. Raises Refused."""
    options = [f"{name}={show(value)}" for name, value in rules.variant.chosen.items()]
    carried = SetUpForm("position", " ".join([rules.variant.id, *options]))
    if len(carried.encode()) > LONGEST_ID:
        raise Refused(_("There are too many house rules for a form. Write the position with `position` instead."))
    position = rules.position(rules.start() if state is None else state)
    if rules.seats[0].sets:
        return _form(carried, _("Set up a position"), (_box("position", _("Position"), position),))
    turn, *sides = position.split(":")
    boxes = [
        _box(_SIDES[at], _("Pieces of {side}").format(side=said(seat.name)), side[1:].replace(",", " "))
        for at, seat in enumerate(rules.seats)
        for side in sides
        if side.startswith(seat.key)
    ]
    choices = [
        discord.SelectOption(label=said(seat.name), value=_SIDES[at], default=seat.key == turn)
        for at, seat in enumerate(rules.seats)
    ]
    return _form(carried, _("Set up a position"), (*boxes, _list("turn", _("Who is to move?"), choices)))


@form.on("position")
async def _set_up(sent: SetUpForm, interaction: Press, services: Services) -> None:
    said_so = sent_in(interaction)
    variant_id, __, options = sent.arg.partition(" ")
    variant = await variant_here(interaction, variant_id)
    chosen = variant_of(variant, options_of(options, variant))
    rules = rules_for(chosen.ruleset, chosen.options)
    try:
        if "position" in said_so:
            state = await asyncio.to_thread(typed_positions.read, rules, said_so["position"])
        else:
            pieces = [said_so.get(side, "") for side in _SIDES[:2]]
            turn = said_so.get("turn", "")
            state = await asyncio.to_thread(typed_positions.put_together, rules, pieces, turn)
    except EngineError as error:
        # What was written would be lost with the form.
        wrote = "; ".join(text.replace("`", "") for name, text in said_so.items() if text and name != "turn")
        quoted = [_("You wrote: `{text}`").format(text=wrote[:1000])] if wrote else []
        raise Refused("\n".join([error.sentence, *quoted])) from error
    await tell(interaction, SetUp(rules, state))


def challenge_form(set_up: SetUp) -> discord.ui.Modal:
    """The form in which somebody is challenged to play from a position, which stands in the message above it."""
    people: discord.ui.UserSelect[Any] = discord.ui.UserSelect(
        custom_id="opponent", min_values=0, max_values=1, required=False
    )
    asked = discord.ui.Label(
        text=_("Who do you challenge?"), description=_("If you choose nobody, anyone may accept."), component=people
    )
    seats = set_up.rules.seats
    if len(seats) > 2:
        return _form(SetUpForm("challenge"), pgettext("button", "Challenge"), (asked,))
    titles = [*(said(seat.name) for seat in seats), _("Random")]
    choices = [
        discord.SelectOption(label=title, value=side, default=at == set_up.state.seat)
        for at, (side, title) in enumerate(zip(_SIDES, titles, strict=True))
    ]
    return _form(
        SetUpForm("challenge"), pgettext("button", "Challenge"), (asked, _list("side", _("Your side"), choices))
    )


@form.on("challenge")
async def _challenge(_sent: SetUpForm, interaction: Press, services: Services) -> None:
    set_up = await SetUp.of(interaction)
    said_so = sent_in(interaction)
    person = said_so.get("opponent") or ""
    if person and not re.fullmatch("[0-9]{1,20}", person):
        raise Refused(_(OLDER))
    opponent = int(person) if person else None
    if opponent is not None:
        sent: dict[str, Any] = {**(interaction.data or {})}
        people, members = (sent.get("resolved", {}).get(kind, {}) for kind in ("users", "members"))
        is_bot = bool(people.get(str(opponent), {}).get("bot"))
        check_person(is_member=str(opponent) in members, is_bot=is_bot)
    side = next((side for side in _SIDES if side == said_so.get("side")), None)
    variant, start = set_up.rules.variant, set_up.position
    text = await open_challenge(interaction, variant, opponent=opponent, side=side, start=start)
    await reply_privately(interaction, text)


def _form(carried: SetUpForm, title: str, asked: tuple[discord.ui.Label[Any], ...]) -> discord.ui.Modal:
    modal = discord.ui.Modal(title=title[:_LABEL], custom_id=carried.encode())
    for each in asked:
        modal.add_item(each)
    modal.stop()  # as in bot.chat.components
    return modal


def _box(name: str, label: str, text: str) -> discord.ui.Label[Any]:
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=name,
        style=discord.TextStyle.paragraph,
        default=text,
        max_length=typed_positions.LONGEST,
        required=False,
    )
    return discord.ui.Label(text=label[:_LABEL], component=box)


def _list(name: str, label: str, choices: list[discord.SelectOption]) -> discord.ui.Label[Any]:
    menu: discord.ui.Select[Any] = discord.ui.Select(custom_id=name, options=choices)
    return discord.ui.Label(text=label[:_LABEL], component=menu)
