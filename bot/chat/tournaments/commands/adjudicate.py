"""`/game adjudicate`: ends a tournament game as the endgame tables judge it, by a director who has seen the verdict."""

from __future__ import annotations

import asyncio

from discord import app_commands

from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, view_of
from bot.chat.features import Handlers
from bot.chat.games.room_checks import running_here
from bot.chat.responses import defer_if_slow, reply_privately, source_of
from bot.chat.services import Services, services_of
from bot.chat.tournaments.group import Number
from bot.chat.visibility import visible
from bot.computer.adjudication import EndgameVerdict, Judge
from bot.computer.endgames.files import EndgameFileError
from bot.computer.endgames.lookup import file_for, outcomes_for
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.i18n import N_, _, ngettext, pgettext
from bot.support.frozen import frozen
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.administration import GONE_ON

REASON = N_("adjudicated by the endgame tables")


@app_commands.command(description="End a tournament game as the endgame tables judge it (director)")
@app_commands.describe(number="The game (default: the one in this channel)")
async def adjudicate(interaction: Press, number: Number | None = None) -> None:
    services = services_of(interaction)
    chosen = await (running_here(interaction) if number is None else visible(interaction, number))
    await _directed(services, chosen, interaction)
    verdict = await defer_if_slow(interaction, asyncio.to_thread(verdict_on, chosen))
    label = pgettext("button", "End the game")
    view = view_of([ActionButton.of(EndGame(chosen.id, chosen.ply), label, ButtonStyle.danger)])
    text = _("{verdict}\nEnd the game with this result?").format(verdict=verdict_text(chosen, verdict))
    await reply_privately(interaction, text, view=view)


@frozen
class EndGame(CustomId):
    """Ends the game as it stood when the verdict was told. Who may is asked again, and so are the tables."""

    prefix = "damero-adjudicate"
    game: int
    ply: int


press = Handlers(EndGame)


@press.on()
async def _end(button: EndGame, interaction: Press, services: Services) -> None:
    game = await visible(interaction, button.game)
    tournament = await _directed(services, game, interaction)
    if game.ply != button.ply:
        raise Refused(_(GONE_ON))
    verdict = await defer_if_slow(interaction, asyncio.to_thread(verdict_on, game))
    asker = (tournament.id, interaction.user.id, source_of(interaction))
    work = services.tournaments.administration.adjudicate(*asker, game.id, verdict.winner, REASON, ply=button.ply)
    await defer_if_slow(interaction, work)
    await reply_privately(interaction, _("Done: the game is over, and its result counts."))


async def _directed(services: Services, game: Game, interaction: Press) -> StoredTournament:
    """The tournament of a game of this server that this person directs. Raises Refused."""
    tournament = await services.tournaments.of_game(game.id)
    if tournament.guild_id != interaction.guild_id:
        raise Refused(_("That game is played on another server."))
    tournament.check_directed(interaction.user.id)
    return tournament


def verdict_on(game: Game) -> EndgameVerdict:
    """What the tables say of a running game; reads files. Raises Refused where they say nothing for sure."""
    rules, state = game.rules, game.state
    if game.status != "running" or state.outcome is not None:
        raise Refused(_("That game is not in progress."))
    if not isinstance(rules, DraughtsRules) or not isinstance(state, DraughtsState):
        raise Refused(_("There are no endgame tables for this game. *Enter a result* decides by hand."))
    file = file_for(rules)
    if file is None:
        template = _(
            "There are no endgame tables for {variant} here yet; the person who runs this bot can make "
            "them with `damero endgames`. *Enter a result* decides by hand."
        )
        raise Refused(template.format(variant=rules.variant.name))
    try:
        judge = Judge(rules, file, outcomes_for(rules, file))
        verdict = judge.verdict(state)
    except (EndgameFileError, OSError):
        template = _(
            "The endgame tables for {variant} cannot be read; the person who runs this bot can make "
            "them again with `damero endgames`. *Enter a result* decides by hand."
        )
        raise Refused(template.format(variant=rules.variant.name)) from None
    if verdict is None:
        template = _(
            "There are too many pieces for a verdict: the tables know endings of up to {count}. "
            "*Enter a result* decides by hand."
        )
        raise Refused(template.format(count=judge.pieces))
    if not verdict.sure:
        template = _(
            "{verdict} But the game may be drawn before that, by the limit on moves without a capture or a man's "
            "move: *Enter a result* decides by hand."
        )
        raise Refused(template.format(verdict=verdict_text(game, verdict)))
    return verdict


def verdict_text(game: Game, verdict: EndgameVerdict) -> str:
    """A verdict in words."""
    if verdict.winner is None:
        return _("With best play by both sides, this game is a draw.")
    player, seat = f"<@{game.players[verdict.winner]}>", game.seat_name(verdict.winner)
    if verdict.plies is None:
        return _("With best play by both sides, {player} ({seat}) wins.").format(player=player, seat=seat)
    # Counted by who makes the last of the plies: the winner, but where losing all wins.
    count = (verdict.plies + 1) // 2
    text = ngettext(
        "With best play by both sides, {player} ({seat}) wins in {count} move.",
        "With best play by both sides, {player} ({seat}) wins in {count} moves.",
        count,
    )
    return text.format(player=player, seat=seat, count=count)
