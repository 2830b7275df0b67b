"""`/tournament create`."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.games.choices import TIMED_CHOICES, options_of
from bot.chat.games.room_checks import check_allowed
from bot.chat.games.variant_option import VariantOption, typed_variant
from bot.chat.responses import defer_if_slow, reply_privately, source_of
from bot.chat.services import services_of
from bot.chat.tournaments.commands import schedule
from bot.chat.tournaments.commands.group import GROUP, Round, manages_events
from bot.chat.tournaments.format_texts import TEXTS
from bot.chat.wording.message_text import chosen_name
from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.typed_positions import LONGEST
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.i18n import N_, _, ngettext
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.format import LEAST_MINUTES, MOST_MINUTES
from bot.tournaments.model.events import Limited, Scheduled, TournamentSettings
from bot.tournaments.pairing.record import CHESS, DRAUGHTS
from bot.tournaments.standings.tiebreaks import parse
from bot.tournaments.use_cases.direction import SEEDINGS, NewTournament
from bot.tournaments.use_cases.written_openings import openings_of

OWN = "own"
"""What chooses the ballots that a game has."""

_SEEDING_NAMES = {"rating": N_("By rating"), "lot": N_("By lot"), "entry": N_("By entry")}
_KINDS = [app_commands.Choice(name=texts.name, value=str(kind)) for kind, texts in TEXTS.items()]
_SEEDINGS = [app_commands.Choice(name=_SEEDING_NAMES[name], value=name) for name in SEEDINGS]


@GROUP.command(name="create", description="Announce a tournament in this channel; you direct it")
@app_commands.describe(
    name="What it is called",
    kind="Who meets whom",
    variant="The game that is played",
    clock="How much time there is for the moves",
    rounds="How many rounds (of a Swiss or of tables)",
    late_until="Late entries until this round is paired (of a Swiss or of tables)",
    minutes="How many minutes an arena lasts",
    until="Until when an arena lasts, as 22:30; instead of the minutes",
    table="How many sit at a table where it can be; left out, four",
    rules="House rules such as quiet_moves=40",
    rated="Whether games change ratings; left out, they do",
    order="How the players are ordered at the start; left out, by rating",
    scoring="What a win is worth; left out, 1 point and ½ for a draw",
    most="How many can play; others wait",
    least=schedule.LEAST,
    tie_breaks="In their order, as PTS,BH-C1,BH,SB,WIN,DE",
    start=schedule.START,
    check_in=schedule.CHECK_IN,
    pause=schedule.PAUSE,
    days=schedule.DAYS,
    unfinished=schedule.UNFINISHED,
    at_once=schedule.AT_ONCE,
    position="A position, or first moves, that all games begin from; two who meet play both colours",
    ballots="Openings to draw from, with ; between them; or those of the game",
)
@app_commands.choices(kind=_KINDS, clock=TIMED_CHOICES, order=_SEEDINGS)
async def create(
    interaction: Press,
    name: app_commands.Range[str, 1, 80],
    kind: str,
    variant: VariantOption,
    clock: str,
    rounds: Round | None = None,
    late_until: Round | None = None,
    rules: app_commands.Range[str, 1, 200] | None = None,
    rated: bool = True,
    order: str = "rating",
    scoring: Literal["1-½-0", "2-1-0"] = "1-½-0",
    most: app_commands.Range[int, 2, 256] | None = None,
    tie_breaks: app_commands.Range[str, 1, 100] | None = None,
    start: app_commands.Range[str, 1, 40] | None = None,
    check_in: schedule.CheckIn | None = None,
    pause: schedule.Minutes | None = None,
    days: schedule.Days | None = None,
    unfinished: schedule.Unfinished | None = None,
    at_once: bool = False,
    minutes: app_commands.Range[int, LEAST_MINUTES, MOST_MINUTES] | None = None,
    until: app_commands.Range[str, 1, 40] | None = None,
    table: Literal[3, 4, 6] = 4,
    least: app_commands.Range[int, 2, 256] | None = None,
    position: app_commands.Range[str, 1, LONGEST] | None = None,
    ballots: app_commands.Range[str, 1, 6000] | None = None,
) -> None:
    services = services_of(interaction)
    if not manages_events(interaction):
        raise Refused(_("To create a tournament you need the permission **Manage Events** on this server."))
    if not isinstance(interaction.channel, discord.TextChannel):
        raise Refused(_("A tournament needs a channel in which its games can have threads."))
    check_allowed(interaction, opens_thread=True)
    ends_at = 0 if until is None else await schedule.typed(services, interaction.user.id, until)
    try:
        chosen = variants.load(variant.ruleset, options_of(rules or "", variant))
        known: dict[str, Any] = {} if tie_breaks is None else {"tie_breaks": parse(tie_breaks.upper())}
        plan = TournamentSettings(
            kind=kind,
            rounds=rounds or 0,
            points=DRAUGHTS if scoring == "2-1-0" else CHESS,
            late_until=late_until or 0,
            limit=most or 0,
            minutes=minutes or 0,
            ends_at=ends_at,
            table_size=table,
            openings=_openings(chosen, position, ballots),
            **known,
        )
    except (VariantError, TournamentError) as error:
        raise Refused(error.message) from error
    begins = 0 if start is None else await schedule.typed(services, interaction.user.id, start)
    timing = Scheduled(begins, check_in or 0, pause, days or 0, unfinished == "they go on", at_once)
    new = NewTournament(
        director=interaction.user.id,
        name=chosen_name(name),
        plan=plan,
        ruleset=chosen.ruleset,
        options=chosen.chosen,
        clock=clock,
        rated=rated,
        seeding=order,
        place=Place(interaction.guild_id, interaction.channel_id or 0),
        first_events=[*([] if timing == Scheduled() else [timing]), *([] if least is None else [Limited(least=least)])],
    )
    work = services.tournaments.direction.create(new, source_of(interaction))
    tournament = await defer_if_slow(interaction, work)
    await reply_privately(interaction, schedule.announced(tournament))


def _openings(variant: variants.Variant, position: str | None, ballots: str | None) -> tuple[str, ...]:
    """What games begin from. Raises Refused."""
    if position is not None and ballots is not None:
        raise Refused(_("Choose a `position` that all games begin from, or `ballots`."))
    if ballots is None:
        return () if position is None else (position,)
    if ballots.strip().casefold() not in (OWN, "yes", "true", _("own")):
        return tuple(opening for part in ballots.split(";") if (opening := part.strip()))
    if not (own := openings_of(variant)):
        template = _("{game} has no ballots of its own. Write openings, with `;` between them.")
        raise Refused(template.format(game=variant.name))
    return own


@create.autocomplete("ballots")
async def _ballots(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    variant = await typed_variant(interaction)
    count = 0 if variant is None else len(openings_of(variant))
    if not count or current.strip():
        return []
    name = ngettext("own: the {count} opening of the game", "own: the {count} openings of the game", count)
    return [app_commands.Choice(name=name.format(count=count), value=OWN)]
