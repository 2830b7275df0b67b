"""Buttons and forms that work after a restart: all that they need stands in their custom ids."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields
from typing import Any, ClassVar, Literal, Protocol, Self, cast, get_args, get_origin, get_type_hints

import discord
from discord.ui.select import BaseSelect

from bot.chat import typed_text
from bot.engine.turns import Turn
from bot.games.model.game import Game
from bot.i18n import _, pgettext
from bot.support.frozen import frozen

Press = discord.Interaction[Any]
ButtonStyle = discord.ButtonStyle

LONGEST_ID = 100
LONGEST_LABEL = 80
LONGEST_CHOICE = 100
MOST_CHOICES = 25
"""So many choices a menu may have, and an option so many suggestions."""
MOST_BUTTONS = 25
BUTTONS_IN_A_ROW = 5
MOST_ROWS = 5
_MENU = "menu:"
_LONGEST_PLACEHOLDER = 100
_LONGEST_IN_MENU = 150
_BOX = "move"


class CustomId:
    """What a custom id carries: ``prefix`` and the fields of a frozen dataclass, with colons between.

    A field is a number, a word or one of some words (Literal). The last one may have a default, and is left out where
    it has it; of type str it is any text.
    """

    prefix: ClassVar[str]

    def encode(self) -> str:
        """The custom id."""
        values = [(getattr(self, name), default) for name, default in _defaults(cast(Any, type(self)))]
        return ":".join([self.prefix, *(str(value) for value, default in values if value != default)])

    @classmethod
    def decode(cls, custom_id: str) -> Self | None:
        """What a custom id carries; None where it is none of this kind."""
        pattern, numbers = _pattern(cast(Any, cls))
        match = pattern.fullmatch(custom_id)
        if match is None:
            return None
        given = {name: text for name, text in match.groupdict().items() if text is not None}
        return cls(**{name: int(text) if name in numbers else text for name, text in given.items()})


@functools.cache
def _defaults(kind: type[CustomId]) -> tuple[tuple[str, Any], ...]:
    """The fields of a kind of custom id, with what each is where nothing is written."""
    return tuple((field.name, field.default) for field in fields(cast(Any, kind)))


@functools.cache
def _pattern(kind: type[CustomId]) -> tuple[re.Pattern[str], frozenset[str]]:
    """How a kind of custom id is written, and which of its fields are numbers."""
    written, numbers = re.escape(kind.prefix), set()
    hints = get_type_hints(kind)
    for field in fields(cast(Any, kind)):
        hint, optional = hints[field.name], field.default is not MISSING
        if get_origin(hint) is Literal:
            value = "|".join(get_args(hint))
        elif hint is str:
            value = ".+" if optional else "[a-z]+"
        else:
            value = "[0-8]?[0-9]{1,18}"  # what the store can hold
            numbers.add(field.name)
        written += f"(?::(?P<{field.name}>{value})){'?' if optional else ''}"
    return re.compile(written), frozenset(numbers)


class TakesPresses(Protocol):
    """The client, as buttons know it."""

    async def pressed(self, interaction: Press, custom_id: str) -> None:
        """Do what a button says."""


class ActionButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"(?:damero(?:-[a-z]+)?|tournament|contest|mend):.+",
):
    """Any button of the bot: what it is to do is read from its custom id, whoever posted it and when."""

    @classmethod
    def of(
        cls,
        carried: CustomId,
        label: str,
        style: ButtonStyle = ButtonStyle.secondary,
        *,
        row: int | None = None,
        emoji: str | None = None,
        disabled: bool = False,
    ) -> ActionButton:
        """A new button."""
        custom_id = carried.encode()
        return cls(
            discord.ui.Button(label=label, custom_id=custom_id, style=style, row=row, emoji=emoji, disabled=disabled)
        )

    @classmethod
    async def from_custom_id(cls, interaction: Press, item: discord.ui.Item[Any], match: re.Match[str], /) -> Self:
        assert isinstance(item, discord.ui.Button)
        return cls(item)

    async def callback(self, interaction: Press) -> None:
        await cast(TakesPresses, interaction.client).pressed(interaction, self.custom_id)


class ActionMenu(discord.ui.DynamicItem[BaseSelect[Any]], template=r"menu:.+"):
    """A menu that works as ``ActionButton`` does; ``chosen`` says what was chosen in it."""

    @classmethod
    def of(
        cls,
        carried: CustomId,
        placeholder: str,
        options: Sequence[discord.SelectOption],
        *,
        least: int = 1,
        at_most: int = 1,
        others: str = "",
    ) -> ActionMenu:
        """A list to choose from: one of it, or from ``least`` up to ``at_most``. Where there are more than a menu holds
        it says so, and what becomes of the ``others``."""
        if (count := len(options)) > MOST_CHOICES:
            template = _("{asked} ({shown} of {count}; {others})") if others else _("{asked} ({shown} of {count})")
            placeholder = template.format(asked=placeholder, shown=MOST_CHOICES, count=count, others=others)
        return cls(
            discord.ui.Select(
                custom_id=_menu_id(carried),
                placeholder=placeholder[:_LONGEST_IN_MENU],
                options=list(options)[:MOST_CHOICES],
                min_values=least,
                max_values=min(at_most, count, MOST_CHOICES),
            )
        )

    @classmethod
    def of_people(cls, carried: CustomId, placeholder: str, *, count: int = 1) -> ActionMenu:
        """Anybody of the server; so many are chosen."""
        menu: discord.ui.UserSelect[Any] = discord.ui.UserSelect(
            custom_id=_menu_id(carried),
            placeholder=placeholder[:_LONGEST_PLACEHOLDER],
            min_values=count,
            max_values=count,
        )
        return cls(menu)

    @classmethod
    async def from_custom_id(cls, interaction: Press, item: discord.ui.Item[Any], match: re.Match[str], /) -> Self:
        assert isinstance(item, BaseSelect)
        return cls(item)

    async def callback(self, interaction: Press) -> None:
        client = cast(TakesPresses, interaction.client)
        await client.pressed(interaction, self.custom_id.removeprefix(_MENU))


def turn_menu(
    carried: CustomId, turns: Sequence[Turn], needed: Sequence[Turn], written: Callable[[str], str] = str
) -> ActionMenu:
    """A list of turns to choose from, as many as a menu holds, in their order, those that are ``needed`` among them; a
    turn that is too long for it can be typed. ``written``: how a turn's text is shown."""
    short = [turn for turn in turns if len(turn.text) <= LONGEST_CHOICE]
    first = [turn for turn in short if turn in needed][:MOST_CHOICES]
    rest = [turn for turn in short if turn not in first][: MOST_CHOICES - len(first)]
    listed = sorted([*first, *rest], key=turns.index)
    options = [discord.SelectOption(label=written(turn.text), value=turn.text) for turn in listed]
    placeholder = _("Choose a move")
    if len(listed) < len(turns):
        template = _("Choose a move ({shown} of {count}; the others can be typed)")
        placeholder = template.format(shown=len(listed), count=len(turns))
    return ActionMenu.of(carried, placeholder, options)


def turn_menus(
    carried: Callable[[int], CustomId], turns: Sequence[Turn], needed: Sequence[Turn], written: Callable[[str], str]
) -> list[ActionMenu]:
    """As ``turn_menu``, but as many lists as it takes to show all ``turns``, each with what it is ``carried`` by; one,
    where they are more than four hold, or some are too long."""
    parts = [turns[at : at + MOST_CHOICES] for at in range(0, len(turns), MOST_CHOICES)]
    if not 1 < len(parts) < MOST_ROWS or any(len(turn.text) > LONGEST_CHOICE for turn in turns):
        return [turn_menu(carried(0), turns, needed, written)]
    menus = []
    for at, part in enumerate(parts):
        first, last = (written(re.split("[-x]", turn.text)[0]) for turn in (part[0], part[-1]))
        span = first if first == last else _("{first} to {last}").format(first=first, last=last)
        options = [discord.SelectOption(label=written(turn.text), value=turn.text) for turn in part]
        menus.append(ActionMenu.of(carried(at), f"{_('Choose a move')} ({span})", options))
    return menus


def _menu_id(carried: CustomId) -> str:
    return f"{_MENU}{carried.encode()}"


def chosen(interaction: Press) -> list[str]:
    """The values that were chosen in the menu that was used; of people their ids."""
    used: dict[str, Any] = {**(interaction.data or {})}
    return [str(value) for value in used.get("values", ())]


def view_of(items: Iterable[ActionButton | ActionMenu]) -> discord.ui.View:
    """A view that never runs out: its buttons and menus are found by their custom ids."""
    view = discord.ui.View(timeout=None)
    for item in list(items)[:MOST_BUTTONS]:
        view.add_item(item)
    return view


@frozen
class GameAction(CustomId):
    """A button of a game's post: it never plays on a position other than the one it was posted under. ``arg``: what is
    needed besides (a square, a move, an offer)."""

    prefix = "damero"
    act: str
    game: int
    ply: int
    arg: str = ""


def game_button(
    act: str,
    game: Game,
    label: str,
    arg: str = "",
    style: ButtonStyle = ButtonStyle.secondary,
    row: int | None = None,
    emoji: str | None = None,
) -> ActionButton:
    """A button under a post of ``game`` as it stands."""
    return ActionButton.of(GameAction(act, game.id, game.ply, arg), label, style, row=row, emoji=emoji)


def leaves(page_of: Callable[[int], CustomId], page: int, pages: int) -> discord.ui.View:
    """Under one of several pages, counted from 0: to the one before and the one after."""
    return view_of(page_buttons(page_of, page, pages))


def page_buttons(page_of: Callable[[int], CustomId], page: int, pages: int) -> list[ActionButton]:
    """The two buttons of ``leaves``."""
    # Two buttons of a row may not have one id.
    before, after = page_of(max(0, page - 1)), page_of(page + 1)
    previous = ActionButton.of(before, pgettext("button", "Previous"), disabled=page == 0)
    return [previous, ActionButton.of(after, pgettext("button", "Next"), disabled=page + 1 >= pages)]


def form_of(carried: CustomId, title: str, label: str, description: str, example: str) -> discord.ui.Modal:
    """A form with a box for one move."""
    modal = discord.ui.Modal(title=title, custom_id=carried.encode())
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=_BOX, placeholder=example[:_LONGEST_PLACEHOLDER], min_length=1, max_length=typed_text.LONGEST
    )
    modal.add_item(discord.ui.Label(text=label, description=description, component=box))
    # A form that nobody waits for is not kept in memory; what is sent in arrives by its custom id, restarts or not.
    modal.stop()
    return modal


def typed_move(interaction: Press) -> str:
    """What was written into the box of the form that was sent in, without marks."""
    return typed_text.clean(sent_in(interaction).get(_BOX, ""))


def asks(interaction: Press) -> bool:
    """Whether what was written into the box of the form that was sent in is a question, or struck through."""
    return typed_text.asks(sent_in(interaction).get(_BOX, ""))


def sent_in(interaction: Press) -> dict[str, str]:
    """What the form that was sent in says in each of its boxes, by their custom ids; what was chosen of a list is the
    value of the choice, "" where nothing was; of several the values with commas between."""
    sent: dict[str, Any] = {**(interaction.data or {})}
    return dict(_values(sent.get("components", [])))


def _values(components: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for component in components:
        if "custom_id" in component:
            given = component.get("values") or [component.get("value", "")]
            yield component["custom_id"], ",".join(map(str, given))
        yield from _values([*component.get("components", []), *filter(None, [component.get("component")])])
