"""Looking things up: `/board`, `/rules`."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands

from bot.chat.board_pictures import BoardView, view_for
from bot.chat.components import MOST_CHOICES, Press
from bot.chat.games.buttons import answer_view
from bot.chat.games.posts import chosen_rules, result_text, start_text
from bot.chat.games.room_checks import announce_unseen, board_view_of, looked, shown_here
from bot.chat.games.variant_option import VariantOption
from bot.chat.responses import defer_if_slow, reply_privately, wants_words
from bot.chat.services import services_of
from bot.chat.wording.dates import until
from bot.chat.wording.message_text import LONGEST, fitting
from bot.chat.wording.players import mention
from bot.engine import variants
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.persistence.off_loop import find_turns
from bot.i18n import _, labelled
from bot.presentation.alt_text import board_told
from bot.presentation.board_scene import Highlights, ends_of, starts_of
from bot.presentation.questions import moves_in_words

ALL = "all"
_LEFT_FREE = 100
"""Characters for until when one has to move."""


@app_commands.command(description="Show the board of this channel's game (only you see it)")
@app_commands.describe(
    turned="Show it from the second player's side (default: from yours)",
    numbers="With the squares' numbers",
    targets="Mark where the player to move can go: `all`, or the square of one piece",
)
async def board(
    interaction: Press,
    turned: bool | None = None,
    numbers: bool | None = None,
    targets: app_commands.Range[str, 1, 10] | None = None,
) -> None:
    services = services_of(interaction)
    game = await shown_here(interaction)
    usual = await board_view_of(interaction, game)
    view = BoardView(usual.turned if turned is None else turned, usual.numbers if numbers is None else numbers)
    marked = () if targets is None or game.status != "running" else targets_of(game, targets, view)
    shown = (("turned", view.turned), ("numbers", view.numbers), ("targets", marked))
    name = "-".join([f"g{game.id}-m{game.ply}", *(what for what, is_shown in shown if is_shown)]) + ".png"
    shown_board = services.pictures.board_picture(game, name, view, Highlights(marked))
    picture = await defer_if_slow(interaction, shown_board)
    text = standing_text(game)
    if marked:
        places = ", ".join(view.written(game, game.rules.board.names[place]) for place in marked)
        text = f"{text}\n{_('May go to: {places}.').format(places=places)}"
    if wants_words(interaction):
        await find_turns(game)
        words = view.told(game, _in_words(game, LONGEST - len(text) - _LEFT_FREE))
        picture = replace(picture, words=words)
    text += f" {until(await services.games.timeouts.due(game.id))}".rstrip()
    await announce_unseen(interaction, game)
    await reply_privately(interaction, text, file=picture.file(), view=answer_view(game, interaction.user.id))
    await looked(interaction, game)


@board.autocomplete("targets")
async def _pieces(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    game = services_of(interaction).recent.seen(interaction.channel_id or 0)
    names = []
    if game is not None:
        preferences = services_of(interaction).games.preferences.remembered(interaction.user.id)
        names = movable(game, view_for(game, interaction.user.id, preferences))
    fitting_names = [name for name in [ALL, *names] if current.strip().casefold() in name]
    return [app_commands.Choice(name=name, value=name) for name in fitting_names[:MOST_CHOICES]]


@app_commands.command(description="The rules of a game, in short")
@app_commands.describe(variant="The game (default: the one in this channel)")
async def rules(interaction: Press, variant: VariantOption | None = None) -> None:
    running = await services_of(interaction).games.running_in(interaction.channel_id or 0)
    if running is not None and (variant is None or variant.id == running.variant_id):
        await reply_privately(interaction, rules_text(running.rules.variant, running))
    elif variant is None:
        raise Refused(_("No game is running in this channel. Choose the game whose rules you want."))
    else:
        await reply_privately(interaction, rules_text(variant))


def _in_words(game: Game, room: int) -> str:
    """What the board shows, beside words that say who is to move, and what may be played, where there is room."""
    told = board_told(game)
    whole = "\n".join([*told, moves_in_words(game.rules, game.state)] if game.status == "running" else told)
    return whole if len(whole) <= room else "\n".join(told)


def standing_text(game: Game) -> str:
    """Who is to move, or how the game ended."""
    if game.status != "running":
        return labelled(f"**{game.rules.variant.name}**", result_text(game))
    seat = game.state.seat
    template = _("**{game}**: {player} ({side}) is to move.")
    side = game.seat_name(seat)
    return template.format(game=game.rules.variant.name, player=mention(game.players[seat]), side=side)


def movable(game: Game, view: BoardView) -> list[str]:
    """The places of the pieces that the player to move can move, as whoever has that ``view`` reads them."""
    board = game.rules.board
    return [view.written(game, board.names[place]) for place in starts_of(game.rules, game.rules.turns(game.state))]


def targets_of(game: Game, text: str, view: BoardView) -> tuple[int, ...]:
    """Where the pieces of the player to move may go: of all, or of the one at the place ``text``. Raises Refused."""
    board, wanted = game.rules.board, text.strip().casefold()
    turns = [turn for turn in game.rules.turns(game.state) if turn.kind == "move"]
    if wanted not in (ALL, "true", "yes"):
        place = board.index.get(wanted)
        if view.numbers and wanted.isascii() and wanted.isdigit():
            place = board.number_index.get(int(wanted))
        turns = [turn for turn in turns if turn.path[0] == place]
        if not turns:
            can = ", ".join(movable(game, view)) or _("none")
            template = _("No piece on `{place}` can move now. Choose one of {places}, or `{all}`.")
            if game.rules.variant.family == "star":
                template = _("No peg on `{place}` can move now. Choose one of {places}, or `{all}`.")
            raise Refused(template.format(place=wanted, places=can, all=ALL))
    return ends_of(game.rules, turns)


@variants.in_own_words
def rules_text(variant: variants.Variant, here: Game | None = None) -> str:
    """A variant's rules in short, with what is not as usual in a game ``here``, or the options that may be chosen."""
    lines = [f"**{variant.name}**", *(f"- {line}" for line in variant.rules_text)]
    if here:
        # What is as usual stands above.
        unusual = [*(f"- {line}" for line in start_text(here)), *chosen_rules(variant)]
        return fitting("\n".join([*lines, *([_("**In this channel's game:**"), *unusual] if unusual else [])]))
    if variant.option_specs:
        lines.append(_("**House rules** that `/play` takes, the usual one first:"))
    lines += [labelled(f"- `{name}` ({spec.allowed})", _(spec.says)) for name, spec in variant.option_specs.items()]
    return fitting("\n".join(lines))
