"""What a tournament is created from: its settings as they are typed, by name, whether as options of `/tournament
create` or in the form that opens where these were refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord

from bot.chat.components import Press
from bot.chat.games.choices import options_of
from bot.chat.games.room_checks import check_allowed
from bot.chat.games.variant_option import VariantTransformer
from bot.chat.responses import defer_if_slow, source_of
from bot.chat.services import Services, services_of
from bot.chat.tournaments.format_texts import TEXTS
from bot.chat.tournaments.group import manages_events
from bot.chat.tournaments.typed_values import number, one_of, when, yes
from bot.chat.wording.message_text import chosen_name
from bot.engine import variants
from bot.engine.errors import VariantError
from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.i18n import N_, _
from bot.support.time_units import DAY, MINUTE
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import LEAST_MINUTES, MOST_MINUTES, MOST_ROUNDS
from bot.tournaments.formats.registry import FORMATS
from bot.tournaments.model.events import Scheduled, TournamentSettings
from bot.tournaments.pairing.record import CHESS, DRAUGHTS, Points
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.standings.tiebreaks import TieBreak, parse
from bot.tournaments.use_cases.direction import NewTournament
from bot.tournaments.use_cases.registration import MOST_PLAYERS
from bot.tournaments.use_cases.written_openings import openings_of

OWN: Final = "own"
"""What chooses the openings that a game has."""

_USUAL_CLOCK: Final = "3d"
_USUAL_MINUTES: Final = 60
MOST_BREAK: Final = 7 * DAY // MINUTE
MOST_CHECK_IN: Final = DAY // MINUTE
MOST_DAYS: Final = 90

ORDERS: Final[Mapping[str, str]] = {
    "rating": N_("By rating"),
    "random": N_("Random"),
    "entry": N_("In order of entry"),
}
SCORINGS: Final[Mapping[str, Points]] = {"1-½-0": CHESS, "2-1-0": DRAUGHTS}
UNFINISHED: Final[Mapping[str, str]] = {
    "director": N_("The director decides them"),
    "go_on": N_("They go on; the next round is paired as if they were draws"),
}
_STORED_ORDER: Final = {"random": "lot"}


def kinds_of(creation: str) -> list[str]:
    """The kinds that a subcommand of `/tournament create` creates: the usual one, and the double one where there is."""
    return [kind for kind, texts in TEXTS.items() if texts.creation == creation]


def check_may_create(interaction: Press) -> None:
    """Raises Refused for who may not hold events on this server, whatever they type."""
    if not manages_events(interaction):
        raise Refused(_("To create a tournament, you need the **Manage Events** permission on this server."))


async def announce(interaction: Press, creation: str, typed: Mapping[str, str]) -> StoredTournament:
    """Announce a tournament in the channel, directed by whoever asks. Raises Refused."""
    services = services_of(interaction)
    check_may_create(interaction)
    if not isinstance(interaction.channel, discord.TextChannel):
        raise Refused(_("A tournament needs a channel where its games can have threads."))
    check_allowed(interaction, opens_thread=True)
    new = await _read(interaction, services, kinds_of(creation), typed)
    return await defer_if_slow(interaction, services.tournaments.direction.create(new, source_of(interaction)))


async def _read(
    interaction: Press, services: Services, kinds: Sequence[str], typed: Mapping[str, str]
) -> NewTournament:
    me = interaction.user.id
    given = {name: text for name, text in typed.items() if text.strip()}
    variant = await VariantTransformer().transform(interaction, given.get("variant", ""))
    try:
        chosen = variants.load(variant.ruleset, options_of(given.get("rules", ""), variant))
    except VariantError as error:
        raise Refused(error.sentence) from error
    doubled = "double" in given and yes("double", given["double"])
    kind = kinds[-1] if doubled else kinds[0]
    live = FORMATS[kind].pairs_who_waits
    ends_at = await when(services, me, given.get("ends_at", ""))
    minutes = whole(given, "minutes", LEAST_MINUTES, MOST_MINUTES)
    if live and not minutes and not ends_at:
        minutes = _USUAL_MINUTES
    plan = TournamentSettings(
        kind=kind,
        tie_breaks=FORMATS[kind].usual_tie_breaks,
        rounds=whole(given, "rounds", 1, MOST_ROUNDS) or 0,
        late_until=whole(given, "late_join_until", 1, MOST_ROUNDS) or 0,
        limit=whole(given, "max_players", 2, MOST_PLAYERS) or 0,
        minutes=minutes or 0,
        ends_at=ends_at,
        table_size=int(one_of("table_size", given.get("table_size", "4"), ("3", "4", "6"))),
        openings=openings(chosen, given.get("openings", "")),
    )
    timing = Scheduled(
        start=await when(services, me, given.get("start", "")),
        pause=whole(given, "break_minutes", 0, MOST_BREAK),
        at_once=yes("all_rounds_at_once", given.get("all_rounds_at_once", "no")),
    )
    return NewTournament(
        director=me,
        name=chosen_name(given.get("name", "")),
        plan=plan,
        ruleset=chosen.ruleset,
        options=chosen.chosen,
        clock=await _clock(interaction, services, given.get("clock", ""), live=live),
        rated=yes("rated", given.get("rated", "yes")),
        seeding=plan.seeding,
        place=Place(interaction.guild_id, interaction.channel_id or 0),
        first_events=[] if timing == Scheduled() else [timing],
    )


def whole(given: Mapping[str, str], name: str, least: int, most: int) -> int | None:
    """A number among what was typed. Raises Refused."""
    return number(name, given.get(name, ""), least, most)


def order(text: str) -> str:
    """How players are ordered, as it is stored. Raises Refused."""
    typed = one_of("order", text, tuple(ORDERS))
    return _STORED_ORDER.get(typed, typed)


def order_typed(stored: str) -> str:
    """What ``order`` reads as this."""
    return next((typed for typed, kept in _STORED_ORDER.items() if kept == stored), stored)


def tie_breaks(text: str) -> tuple[TieBreak, ...]:
    """Tie-breaks in their order. Raises Refused."""
    try:
        chosen = parse(text.upper())
    except TournamentError as error:
        raise Refused(error.message) from error
    if len(set(chosen)) < len(chosen):
        raise Refused(_("A tie-break is in the list twice."))
    return chosen


def openings(variant: variants.Variant, text: str) -> tuple[str, ...]:
    """What games begin from: one position or opening, or several to draw from. Raises Refused."""
    if text.strip().casefold() not in (OWN, _("own")):
        written = tuple(opening for part in text.split(";") if (opening := part.strip()))
        if text.strip() and not written:
            raise Refused(_("No opening is written there. Write some, with `;` between them, or leave it empty."))
        return written
    if not (own := openings_of(variant)):
        template = _("{game} has no openings of its own. Write some, with `;` between them.")
        raise Refused(template.format(game=variant.name))
    return own


async def _clock(interaction: Press, services: Services, text: str, *, live: bool) -> str:
    """The clock that was chosen; else the server's own where it fits, or the usual one. Raises Refused."""
    if typed := text.strip():
        if typed not in CONTROLS:
            listed = ", ".join(f"`{name}`" for name in CONTROLS)
            raise Refused(
                _("`{clock}` is not a clock. The clocks are: {names}.").format(clock=typed[:40], names=listed)
            )
        return typed
    control: Any = CONTROLS.get((await services.games.servers.load(interaction.guild_id)).clock)
    if control is not None and control.live == live:
        return str(control.id)
    return next(name for name, each in CONTROLS.items() if each.live) if live else _USUAL_CLOCK
