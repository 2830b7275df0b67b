"""Buttons. Each carries its game and ply, so that it works after a restart and never plays on a later position."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

import discord

from bot.chat.components import BUTTONS_IN_A_ROW, ActionButton, ButtonStyle, GameAction, game_button, view_of
from bot.chat.posting.find_posted import buttons_under
from bot.chat.typed_text import uncalled
from bot.computer.levels import ratings
from bot.engine.variants import Variant
from bot.games.model.computer_seats import LEVELS, is_computer
from bot.games.model.game import Game
from bot.i18n import LANGUAGES, NP_, _, pgettext


class PegColour(NamedTuple):
    """A colour of pegs: its name in English, and the sign that stands for it in text."""

    name: str
    sign: str

    @property
    def said(self) -> str:
        """Its name."""
        return pgettext("colour", self.name)


# In the order of render.star_sprites.COLOURS.
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


LEVELS_IN_A_ROW = 4

# What stands under which post


def challenge_view(game: Game) -> discord.ui.View:
    """Under an open challenge, or a table for more than two."""
    is_table = len(game.players) > 2
    accept = pgettext("button", "Join") if is_table else pgettext("button", "Accept")
    buttons = [game_button("accept", game, accept, style=ButtonStyle.success)]
    if is_table:
        buttons.append(game_button("leave", game, pgettext("button", "Leave")))
    if any(game.invited):
        buttons.append(game_button("decline", game, pgettext("button", "Decline")))
    if is_table:
        buttons.append(game_button("begin", game, pgettext("button", "Start now"), style=ButtonStyle.primary))
    buttons.append(game_button("withdraw", game, pgettext("button", "Withdraw")))
    if not game.rated and (None, None) in zip(game.players, game.invited, strict=True):
        # Beside the others where there is room, else below the colours.
        row = 3 if is_table else None
        buttons.append(game_button("computer", game, pgettext("button", "Play the computer"), row=row))
    if any(seat.sets for seat in game.rules.seats):
        free = [colour for colour in range(len(COLOURS)) if colour not in game.colours]
        buttons += [
            game_button("colour", game, COLOURS[colour].said, str(colour), row=1 + i // 3, emoji=COLOURS[colour].sign)
            for i, colour in enumerate(free)
        ]
    return view_of(buttons)


def board_view(game: Game) -> discord.ui.View:
    """Under a board: what the players may do there. A rematch needs one server, and is no part of a tournament; a game
    that is over can be looked at once more."""
    if game.status == "finished" and game.mirror is None:
        rematch = game_button("rematch", game, pgettext("button", "Rematch"), style=ButtonStyle.primary)
        look_back = [
            game_button("analyse", game, pgettext("button", "Analyse")),
            game_button("replay", game, pgettext("button", "Replay")),
        ]
        return view_of([*([rematch] if game.casual else []), *(look_back if game.turns else []), side_button(game)])
    if game.status != "running":
        return view_of([])
    buttons = [
        game_button("move", game, pgettext("button", "Move"), style=ButtonStyle.primary, row=0),
        game_button("draw", game, pgettext("button", "Draw"), row=0),
        game_button("resign", game, pgettext("button", "Resign"), style=ButtonStyle.danger, row=0),
        side_button(game),
    ]
    # A computer makes up its own mind.
    if not is_computer(game.to_move):
        buttons += remedy_buttons(game)
    return view_of(buttons)


def remedy_buttons(game: Game, row: int | None = None) -> list[ActionButton]:
    """What may be done about a neglected capture: obliging it, and huffing each piece that could have captured. In
    ``row``, else below the others of a board, obliging beside them."""
    buttons: list[ActionButton] = []
    for remedy in sorted(game.rules.remedies(game.state), key=lambda remedy: remedy.kind == "huff"):
        if remedy.kind == "oblige":
            label, square, below = pgettext("button", "Oblige"), "", 0
        else:
            square = game.rules.board.names[remedy.path[0]]
            label, below = _("Huff {square}").format(square=square), 1 + (len(buttons) - 1) // BUTTONS_IN_A_ROW
        buttons.append(
            game_button("soplar" if square else "oblige", game, label, square, row=below if row is None else row)
        )
    return buttons


def side_button(game: Game) -> ActionButton:
    """Shows a board from the side of whoever presses it, to them alone."""
    return game_button("side", game, pgettext("button", "My side"), row=0)


def language_button(game: Game, language: str) -> ActionButton:
    """Has the bot speak ``language``, one of LANGUAGES, to whoever presses it; in its own name, for those who read
    nothing else."""
    return game_button("language", game, LANGUAGES[language], language)


def answer_view(game: Game, person: int) -> discord.ui.View | None:
    """Under the board that ``person`` is shown: *Move* when it is their turn; where the bot may only answer all that
    they can do, and showing the board to all."""
    if not game.place.answers_only:
        move = game_button("move", game, pgettext("button", "Move"), style=ButtonStyle.primary)
        return view_of([move]) if game.to_move == person else None
    playing = game.seat_of(person) in (game.playing if game.status == "running" else range(len(game.players)))
    view = board_view(game) if playing else view_of([side_button(game)])
    return view.add_item(game_button("show", game, pgettext("button", "Show the board"), row=4))


def level_view(game: Game) -> discord.ui.View:
    """A button for each level at which the computer may take a seat of ``game``."""
    return view_of(
        [game_button("level", game, str(level), str(level), row=(level - 1) // LEVELS_IN_A_ROW) for level in LEVELS]
    )


def level_text(variant: Variant) -> str:
    """What the levels are in a game, above their buttons."""
    rated = ratings(variant)
    if not rated:
        return _("Choose the computer's level: 1 is easy to beat, 8 is its best.")
    template = _(
        "Choose the computer's level: 1 is easy to beat, 8 is its best. Rated against each "
        "other, they are about {ratings}."
    )
    return template.format(ratings=", ".join(map(str, rated)))


_ANSWERS = {
    "": (NP_("button", "Accept"), NP_("button", "Decline")),
    "draw": (NP_("button", "Accept the draw"), NP_("button", "Decline the draw")),
    "takeback": (NP_("button", "Accept the takeback"), NP_("button", "Decline the takeback")),
}


def offer_view(game: Game, kind: str, offer_id: int) -> discord.ui.View:
    """Under an offer of a draw or of a takeback."""
    return view_of(offer_buttons(game, kind, offer_id))


def offer_buttons(
    game: Game, kind: str, offer_id: int, row: int | None = None, *, named: bool = False
) -> list[ActionButton]:
    """The answers to an offer; ``named``: which say what they answer, as another offer stands beside it."""
    arg = f"{kind}-{offer_id}"
    agree, refuse = _ANSWERS[kind if named else ""]
    return [
        game_button("agree", game, pgettext("button", agree), arg, style=ButtonStyle.success, row=row),
        game_button("refuse", game, pgettext("button", refuse), arg, row=row),
    ]


def picked_of(message: discord.Message, me: int) -> GameAction | None:
    """What a typed number stands for: ``message`` answers a list of moves that the bot, whose id is ``me``, posted, and
    says nothing but what stands on one of its buttons. None for any other message."""
    listed = None if message.reference is None else message.reference.resolved
    if not isinstance(listed, discord.Message) or listed.author.id != me:
        return None
    # Phones and East Asian keyboards write wide digits.
    text = unicodedata.normalize("NFKC", uncalled(message.content, me)).strip().rstrip(".!").casefold()
    for button in buttons_under(listed):
        if button.label is not None and button.label.casefold() == text:
            picked = GameAction.decode(button.custom_id or "")
            return picked if picked is not None and picked.act == "pick" else None
    return None


def move_of(picked: GameAction, game: Game) -> str:
    """The move that a numbered button stands for, in the game as it stood when the list was made."""
    if picked.arg.startswith("#"):
        turns = game.rules.turns(game.state)
        at = int(picked.arg[1:])
        return turns[at].text if picked.ply == game.ply and at < len(turns) else picked.arg
    return picked.arg
