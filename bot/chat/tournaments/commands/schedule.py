"""What `/tournament` says about times, entries and games that are not over (director)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.responses import reply_privately
from bot.chat.services import Services, services_of
from bot.chat.tournaments import schedule_texts
from bot.chat.tournaments.commands.group import GROUP, WHICH, Number, Person, Round, asked
from bot.chat.wording.dates import moment, moment_of
from bot.chat.wording.message_text import fitting
from bot.games.model.errors import Refused
from bot.i18n import N_, _, ngettext
from bot.support.time_units import DAY, MINUTE
from bot.tournaments.model.events import Limited
from bot.tournaments.model.schedule import starts_at
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.registration import Registration
from data.queries.tournaments import TournamentGame

START: Final = "When it begins: 20:00, sat 20:00, 2026-12-24 20:00, in 2h, or a Unix time"
CHECK_IN: Final = "Minutes before the start in which players check in; who does not is left out"
PAUSE: Final = "Rounds begin by themselves, so many minutes after the one before"
DAYS: Final = "The last date of a round is so many days after its pairing"
UNFINISHED: Final = "What becomes of games that are not over at the last date; left out, the director decides"
LEAST: Final = "With fewer players it does not begin by itself, but is called off"
AT_ONCE: Final = "All games of all rounds begin together (of a round robin)"

CheckIn = app_commands.Range[int, 0, DAY // MINUTE]
Minutes = app_commands.Range[int, 0, 7 * DAY // MINUTE]
Days = app_commands.Range[int, 0, 90]
Unfinished = Literal["the director decides", "they go on"]
Verdict = Literal["white wins", "draw", "black wins"]

_WINNERS: Final = {"white wins": 0, "draw": None, "black wins": 1}
_DECIDED: Final = {
    "white wins": N_("Decided: {white} (white) wins against {black}."),
    "draw": N_("Decided: {white} (white) and {black} (black) draw."),
    "black wins": N_("Decided: {black} (black) wins against {white}."),
}


async def typed(services: Services, person: int, text: str) -> int:
    """What a person has typed as a start time, in the person's own zone. Raises Refused."""
    preferences = await services.games.preferences.load(person)
    return moment_of(text, services.tournaments.now, preferences.zone)


@GROUP.command(name="schedule", description="Say when it begins and how its rounds follow each other (director)")
@app_commands.describe(
    start=START + "; off: by hand",
    check_in=CHECK_IN,
    pause=PAUSE + "; -1: by hand",
    days=DAYS + "; 0: no date",
    unfinished=UNFINISHED,
    at_once=AT_ONCE,
    number=WHICH,
)
async def schedule(
    interaction: Press,
    start: app_commands.Range[str, 1, 40] | None = None,
    check_in: CheckIn | None = None,
    pause: app_commands.Range[int, -1, 7 * DAY // MINUTE] | None = None,
    days: Days | None = None,
    unfinished: Unfinished | None = None,
    at_once: bool | None = None,
    number: Number | None = None,
) -> None:
    tournaments, tournament, asker = await asked(interaction, number)
    given: dict[str, Any] = {}
    if start is not None:
        off = start.strip().casefold() in ("off", "none", "-", "no")
        given["start"] = 0 if off else await typed(services_of(interaction), interaction.user.id, start)
    if pause is not None:
        given["pause"] = None if pause < 0 else pause
    if unfinished is not None:
        given["carry"] = unfinished == "they go on"
    plain = {"check_in": check_in, "days": days, "at_once": at_once}
    given |= {name: value for name, value in plain.items() if value is not None}
    if given:
        tournament = await tournaments.administration.schedule(*asker, lambda was: replace(was, **given))
    lines = schedule_texts.timing(tournament) or [_("The director begins it and each of its rounds by hand.")]
    await reply_privately(interaction, "\n".join(lines))


@GROUP.command(name="limits", description="Say who may enter from now on; what is left out is no limit (director)")
@app_commands.describe(
    rating_from="The lowest rating",
    rating_to="The highest rating",
    games="Rated games of this kind that one must have played here",
    role="Only who has this role",
    or_role="Or this one",
    least=LEAST,
    number=WHICH,
)
async def limits(
    interaction: Press,
    rating_from: app_commands.Range[int, 1, 5000] | None = None,
    rating_to: app_commands.Range[int, 1, 5000] | None = None,
    games: app_commands.Range[int, 1, 1000] | None = None,
    role: discord.Role | None = None,
    or_role: discord.Role | None = None,
    least: app_commands.Range[int, 2, 256] | None = None,
    number: Number | None = None,
) -> None:
    tournaments, _tournament, asker = await asked(interaction, number)
    roles = tuple(one.id for one in (role, or_role) if one is not None)
    limits = Limited(rating_from or 0, rating_to or 0, games or 0, roles, least or 0)
    await tournaments.registration.limit(*asker, limits)
    await reply_privately(interaction, _("Written down; the announcement says it. Who has entered stays."))


@GROUP.command(name="seed", description="Give a player a place in the order, or see the order (director)")
@app_commands.describe(
    player="Whose place; left out, you see the order as it would be now",
    place="1 for the first; 0: as everybody",
    number=WHICH,
)
async def seed(
    interaction: Press,
    player: Person | None = None,
    place: app_commands.Range[int, 0, 256] = 0,
    number: Number | None = None,
) -> None:
    tournaments, tournament, asker = await asked(interaction, number)
    if player is not None:
        tournament = await tournaments.registration.seed(*asker, player.id, place)
    tournament.check_directed(interaction.user.id)
    if tournament.state.phase is not Phase.ENTRIES:
        raise Refused(_("The tournament has begun; the numbers of its players are fixed."))
    await reply_privately(interaction, await _order(tournaments.registration, tournament))


async def _order(registration: Registration, tournament: StoredTournament) -> str:
    order = await registration.order(tournament)
    marked = await registration.marked(tournament.state.by_person)
    lines = [_("**The order as it would be now** (the announcement says by what):")]
    for place, person in enumerate(order, start=1):
        remarks = _(" (by hand)") if person in tournament.state.seeds else ""
        if person in marked:
            missed, until = marked[person]
            text = ngettext("did not come to {count} game", "did not come to {count} games", missed)
            remarks += f" ⚠ {text.format(count=missed)} ({moment(until)})"
        lines.append(f"{place}. <@{person}>{remarks}")
    return fitting("\n".join(lines))


@GROUP.command(name="adjudicate", description="Decide a game that is not over (director)")
@app_commands.describe(
    player="One of the two",
    verdict="Its result; who moves first has white",
    opponent="The other one, where the player has several games",
    round="The round, where the player has several games",
    number=WHICH,
)
async def adjudicate(
    interaction: Press,
    player: Person,
    verdict: Verdict,
    opponent: Person | None = None,
    round: Round | None = None,
    number: Number | None = None,
) -> None:
    tournaments, tournament, asker = await asked(interaction, number)
    game = _game(tournament, player.id, None if opponent is None else opponent.id, round)
    tournament = await tournaments.administration.adjudicate(*asker, game.game_id, _WINNERS[verdict])
    white, black = tournament.call(game.white), tournament.call(game.black)
    await reply_privately(interaction, _(_DECIDED[verdict]).format(white=white, black=black))


@GROUP.command(name="cancel", description="Call a tournament off before it has begun (director)")
@app_commands.describe(number=WHICH)
async def cancel(interaction: Press, number: Number | None = None) -> None:
    tournaments, tournament, asker = await asked(interaction, number)
    await tournaments.administration.cancel(*asker)
    await reply_privately(interaction, _("**{event}** is called off.").format(event=tournament.name))


def _game(tournament: StoredTournament, player: int, opponent: int | None, round_number: int | None) -> TournamentGame:
    """The one running game that is meant. Raises Refused."""
    games = []
    for game in tournament.games:
        people = {tournament.state.by_number[number].person for number in (game.white, game.black)}
        wanted = player in people and (opponent is None or opponent in people)
        if wanted and game.status == "running" and round_number in (None, game.round):
            games.append(game)
    if not games:
        raise Refused(_("That player has no such game that is still played."))
    if len(games) > 1:
        raise Refused(_("That player has several games. Say against whom, or of which round."))
    return games[0]


def announced(tournament: StoredTournament) -> str:
    """What its director is told when a tournament has been created."""
    text = _("Tournament {number} is announced below. When all have joined: `/tournament start`.")
    if tournament.state.timing.start:
        text = _("Tournament {number} is announced below. It begins {date}; `/tournament schedule` moves that.")
    date = moment(starts_at(tournament.state, tournament.events), "f")
    return " ".join([text.format(number=tournament.id, date=date), schedule_texts.many_rounds(tournament)]).rstrip()
