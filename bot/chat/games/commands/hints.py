"""`/game hint`: what the computer would play, for whoever is to move in a casual game; its opponents are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from discord import app_commands

from bot.chat.components import Press
from bot.chat.games.room_checks import board_view_of, running_here
from bot.chat.responses import act, not_done, put_off, reply_privately, source_of
from bot.chat.services import services_of
from bot.computer.kernels.outcome_blocks import SURE
from bot.computer.kernels.search_room import WON
from bot.computer.workers.jobs import Answer
from bot.engine.star.geometry import GROUND, OPPOSITE
from bot.engine.turns import Turn
from bot.engine.variants import in_own_words
from bot.games.model.game import Entry, Game, append
from bot.i18n import _, decimal, ngettext
from bot.presentation.alt_text import position_in_words

AT_ONCE = 4.0
"""Seconds that a hint is waited for."""

_MAN = 100
_EVEN = 40


@app_commands.command(
    description="What the computer would play in your place (casual games only; your opponent is told)"
)
async def hint(interaction: Press) -> None:
    services = services_of(interaction)
    running = await running_here(interaction)
    game = await services.games.computer.hint_for(running.id, interaction.user.id)
    await put_off(interaction)
    answer = await services.computer.suggestion(game, AT_ONCE)
    if answer is not None:
        await _tell(interaction, game, lambda: answer)
    else:
        # There is a queue: the answer comes when it is found, and nothing waits for it meanwhile.
        def later(suggested: Callable[[], Answer]) -> None:
            services.tasks.begin(_tell(interaction, game, suggested), f"hint-{game.id}")

        services.computer.suggest(game, later)


async def _tell(interaction: Press, game: Game, suggested: Callable[[], Answer]) -> None:
    """Show the hint, of which the others are told now that it is there. ``suggested`` raises what has kept it away."""
    services = services_of(interaction)
    try:
        answer = suggested()
        turn = game.rules.read(game.state, answer.turn)
        seat = game.state.seat
        after = append(replace(game, offers=()), Entry(game.ply + 1, "turn", seat, turn.text, 0, ""), turn)
        view = await board_view_of(interaction, game)
        board = await services.pictures.board_picture(after, f"g{game.id}-hint{game.ply}.png", view)
        # What is not played yet is not told as if it were.
        position = " ".join(position_in_words(after.rules, after.state))
        words = view.told(game, _("The board after that: {position}").format(position=position))
        person, source = interaction.user.id, source_of(interaction)
        await act(interaction, services.games.computer.hint(game.id, person, source, game.ply))
        await reply_privately(
            interaction, view.told(game, hint_text(game, turn, answer)), file=replace(board, words=words).file()
        )
    except Exception as error:
        await not_done(interaction, error)
    finally:
        services.tokens.release(interaction)


@in_own_words
def hint_text(game: Game, turn: Turn, answer: Answer) -> str:
    """A move and why, in a few words."""
    return " ".join([_("I would play **{move}**.").format(move=turn.text), *_reasons(game, turn, answer)])


def _reasons(game: Game, turn: Turn, answer: Answer) -> list[str]:
    if len(game.rules.turns(game.state)) == 1:
        return [_("It is the only legal move.")]
    reasons = []
    if turn.captured:
        count = len(turn.captured)
        reasons.append(ngettext("It takes {count} piece.", "It takes {count} pieces.", count).format(count=count))
    if turn.crowns:
        reasons.append(_("It makes a king."))
    if game.rules.variant.family == "star":
        reasons += _way(game, turn)
    if answer.score >= SURE:
        reasons.append(_("It wins, whatever the answer."))
    elif answer.score < -WON:
        reasons.append(_("Every move loses against best play; this one holds out longest."))
    elif answer.score <= -SURE:
        reasons.append(_("Every move loses against best play."))
    elif game.rules.variant.family == "draughts":
        reasons.append(_standing(answer.score))
    if answer.depth > 1:
        template = ngettext("I have looked {count} move ahead.", "I have looked {count} moves ahead.", answer.depth)
        reasons.append(template.format(count=answer.depth))
    return reasons


def _way(game: Game, turn: Turn) -> list[str]:
    """How far a turn of the star brings its peg, and by how many hops."""
    start, end = turn.path[0], turn.path[-1]
    near = GROUND[OPPOSITE[game.rules.pieces(game.state)[start].set]]
    rows, hops, reasons = near[end] - near[start], len(turn.path) - 1, []
    if rows > 0:
        template = ngettext("It brings the peg {count} row nearer.", "It brings the peg {count} rows nearer.", rows)
        reasons.append(template.format(count=rows))
    if hops > 1:
        reasons.append(ngettext("It hops {count} time.", "It hops {count} times.", hops).format(count=hops))
    return reasons


def _standing(score: int) -> str:
    """How the player to move stands, in men."""
    if abs(score) < _EVEN:
        return _("After that the game is about even.")
    men = decimal(abs(score) / _MAN, 1)
    if score > 0:
        return _("After that you are about {men} men ahead.").format(men=men)
    return _("After that you are still about {men} men behind.").format(men=men)
