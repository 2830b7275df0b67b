"""Buttons: each carries its game and its ply in its custom id, so that it works after a restart and never plays on a
position other than the one it was posted under."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import discord

from bot.chat.services import services_of
from bot.engine.turns import Turn
from bot.games.model.game import Game
from bot.i18n import NP_, _, pgettext

Press = discord.Interaction[Any]
ButtonStyle = discord.ButtonStyle

_LONGEST_ID = 100
_PICK = r"damero:pick:([0-9]+):([0-9]+):(.+)"


class PickedMove(NamedTuple):
    """A move picked by its number: the game and the ply of the list, and what its button carries."""

    game: int
    ply: int
    arg: str


class PegColour(NamedTuple):
    """A colour of pegs: its name in English, and the sign that stands for it in text."""

    name: str
    sign: str

    @property
    def said(self) -> str:
        """Its name."""
        return pgettext("colour", self.name)


# In the order of render.STAR_COLOURS.
COLOURS = tuple(
    PegColour(name, chr(sign))
    for name, sign in (
        (NP_("colour", "Red"), 0x1F534),
        (NP_("colour", "Yellow"), 0x1F7E1),
        (NP_("colour", "Blue"), 0x1F535),
        (NP_("colour", "White"), 0x26AA),
        (NP_("colour", "Black"), 0x26AB),
        (NP_("colour", "Green"), 0x1F7E2),
    )
)
_MOST_BUTTONS = 25


class GameButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"damero:(?P<act>[a-z]+):(?P<game>[0-9]+):(?P<ply>[0-9]+)(?::(?P<arg>.+))?",
):
    """A button of a game's post. ``act`` is one of the keys of bot.chat.games.button_handlers.ACTS,
    ``arg`` what it needs besides (a square, a move, an offer)."""

    def __init__(self, item: discord.ui.Button[discord.ui.View], act: str, game: int, ply: int, arg: str) -> None:
        super().__init__(item)
        self.act = act
        self.game = game
        self.ply = ply
        self.arg = arg

    @classmethod
    def of(
        cls,
        act: str,
        game: Game,
        label: str,
        arg: str = "",
        style: ButtonStyle = ButtonStyle.secondary,
        row: int | None = None,
        emoji: str | None = None,
    ) -> GameButton:
        """A new button under a post of ``game`` as it stands."""
        custom_id = f"damero:{act}:{game.id}:{game.ply}" + (f":{arg}" if arg else "")
        button: discord.ui.Button[discord.ui.View] = discord.ui.Button(
            label=label, custom_id=custom_id, style=style, row=row, emoji=emoji
        )
        return cls(button, act, game.id, game.ply, arg)

    @classmethod
    async def from_custom_id(cls, interaction: Press, item: discord.ui.Item[Any], match: re.Match[str], /) -> Self:
        assert isinstance(item, discord.ui.Button)
        return cls(item, match["act"], int(match["game"]), int(match["ply"]), match["arg"] or "")

    async def callback(self, interaction: Press) -> None:
        await services_of(interaction).press(self, interaction)


# What stands under which post


def view_of(buttons: Sequence[GameButton]) -> discord.ui.View:
    """A view that never runs out: its buttons are found by their custom ids."""
    view = discord.ui.View(timeout=None)
    for button in buttons[:_MOST_BUTTONS]:
        view.add_item(button)
    return view


def challenge_view(game: Game) -> discord.ui.View:
    """Under an open challenge, or a table for more than two."""
    if len(game.players) == 2:
        buttons = [
            GameButton.of("accept", game, pgettext("button", "Accept"), style=ButtonStyle.success),
            GameButton.of("decline", game, pgettext("button", "Decline")),
            GameButton.of("withdraw", game, pgettext("button", "Withdraw")),
        ]
    else:
        buttons = [
            GameButton.of("accept", game, pgettext("button", "Join"), style=ButtonStyle.success),
            GameButton.of("leave", game, pgettext("button", "Leave")),
            GameButton.of("begin", game, pgettext("button", "Start now"), style=ButtonStyle.primary),
            GameButton.of("withdraw", game, pgettext("button", "Withdraw")),
        ]
        if any(game.invited):
            buttons.insert(2, GameButton.of("decline", game, pgettext("button", "Decline")))
    if not game.rated and (None, None) in zip(game.players, game.invited, strict=True):
        # Beside the others where there is room, else below the colours.
        row = None if len(game.players) == 2 else 3
        buttons.append(GameButton.of("computer", game, pgettext("button", "Play the computer"), row=row))
    if any(seat.sets for seat in game.rules.seats):
        free = [colour for colour in range(len(COLOURS)) if colour not in game.colours]
        buttons += [
            GameButton.of("colour", game, COLOURS[colour].said, str(colour), row=1 + i // 3, emoji=COLOURS[colour].sign)
            for i, colour in enumerate(free)
        ]
    return view_of(buttons)


def board_view(game: Game) -> discord.ui.View:
    """Under a board: what the players may do there. A rematch needs one server."""
    if game.status == "finished" and game.mirror is None:
        return view_of([GameButton.of("rematch", game, pgettext("button", "Rematch"), style=ButtonStyle.primary)])
    if game.status != "running":
        return view_of([])
    buttons = [
        GameButton.of("move", game, pgettext("button", "Move"), style=ButtonStyle.primary, row=0),
        GameButton.of("draw", game, pgettext("button", "Draw"), row=0),
        GameButton.of("resign", game, pgettext("button", "Resign"), style=ButtonStyle.danger, row=0),
    ]
    names = game.rules.board.names
    for remedy in game.rules.remedies(game.state):
        if remedy.kind == "huff":
            square = names[remedy.path[0]]
            buttons.append(
                GameButton.of(
                    "soplar", game, _("Soplar {square}").format(square=square), square, row=1 + (len(buttons) - 3) // 5
                )
            )
    if game.rules.remedies(game.state):
        buttons.insert(3, GameButton.of("oblige", game, pgettext("button", "Oblige"), row=0))
    return view_of(buttons)


def offer_view(game: Game, kind: str, offer_id: int) -> discord.ui.View:
    """Under an offer of a draw or a wish to take a turn back."""
    arg = f"{kind}-{offer_id}"
    return view_of(
        [
            GameButton.of("agree", game, pgettext("button", "Accept"), arg, style=ButtonStyle.success),
            GameButton.of("refuse", game, pgettext("button", "Decline"), arg),
        ]
    )


def choice_view(game: Game, candidates: Sequence[Turn]) -> discord.ui.View:
    """Numbers, one for each move that a text may mean."""
    buttons = []
    for number, turn in enumerate(candidates[:_MOST_BUTTONS], start=1):
        arg = turn.text
        if len(f"damero:pick:{game.id}:{game.ply}:{arg}") > _LONGEST_ID:
            # A long chain's name does not fit: its place among the legal moves does.
            arg = f"#{game.rules.turns(game.state).index(turn)}"
        buttons.append(GameButton.of("pick", game, str(number), arg))
    return view_of(buttons)


def picked_of(message: discord.Message, me: int) -> PickedMove | None:
    """What a typed number stands for: ``message`` answers a numbered list of moves that the bot, whose id is ``me``,
    posted, and says nothing but one of its numbers. None for any other message."""
    listed = None if message.reference is None else message.reference.resolved
    if not isinstance(listed, discord.Message) or listed.author.id != me:
        return None
    said = re.sub(rf"<@!?{me}>", "", message.content).strip().rstrip(".")
    for row in listed.components:
        for child in row.children if isinstance(row, discord.ActionRow) else ():
            if isinstance(child, discord.Button) and child.label == said:
                match = re.fullmatch(_PICK, child.custom_id or "")
                return None if match is None else PickedMove(int(match[1]), int(match[2]), match[3])
    return None


def move_of(picked: PickedMove | GameButton, game: Game) -> str:
    """The move that a numbered button stands for, in the game as it stood when the list was made."""
    if picked.arg.startswith("#"):
        turns = game.rules.turns(game.state)
        at = int(picked.arg[1:])
        return turns[at].text if picked.ply == game.ply and at < len(turns) else picked.arg
    return picked.arg
