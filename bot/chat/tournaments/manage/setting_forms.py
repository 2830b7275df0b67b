"""The panel's forms: times, rounds, who may enter, the settings, the openings. Each has in it what holds now; what is
sent in unchanged stays, and what is emptied is removed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.chat.components import Press, sent_in
from bot.chat.responses import defer_if_slow, open_form, source_of
from bot.chat.services import Services
from bot.chat.tournaments.kept_forms import MOST_TYPED, KeptForm, again, change, form, forms, kept_in, refuse, values_of
from bot.chat.tournaments.manage.manage_panel import (
    PanelAction,
    directed_by,
    done,
    in_entries,
    is_running,
    task,
)
from bot.chat.tournaments.manage.setting_fields import fields_of
from bot.chat.tournaments.new_tournament import (
    MOST_BREAK,
    MOST_CHECK_IN,
    MOST_DAYS,
    SCORINGS,
    UNFINISHED,
    openings,
    order,
    order_typed,
    tie_breaks,
    whole,
)
from bot.chat.tournaments.typed_values import as_typed, one_of, when, yes
from bot.engine import variants
from bot.games.model.errors import Refused
from bot.i18n import N_, _
from bot.support.frozen import frozen
from bot.tournaments.formats.format import LEAST_MINUTES, MOST_MINUTES, MOST_ROUNDS
from bot.tournaments.model.events import Limited, Scheduled, TournamentSettings
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.registration import MOST_PLAYERS

Typed = Mapping[str, str]
Asker = tuple[int, int, str]

_HIGHEST_RATING: Final = 5000
_MOST_GAMES: Final = 1000


@frozen
class SettingForm:
    """A form of the panel: its boxes, what stands in them now, and what is done with what is sent in."""

    title: str
    fields: Callable[[StoredTournament], Sequence[str]]
    values: Callable[[Services, int, StoredTournament], Awaitable[dict[str, str]]]
    apply: Callable[[Services, Asker, StoredTournament, Typed], Awaitable[StoredTournament]]


# When it begins


def _time_fields(_tournament: StoredTournament) -> Sequence[str]:
    return ("start", "check_in")


async def _times(services: Services, person: int, tournament: StoredTournament) -> dict[str, str]:
    timing = tournament.state.timing
    return {"start": await as_typed(services, person, timing.start), "check_in": _shown(timing.check_in)}


async def _set_times(services: Services, asker: Asker, tournament: StoredTournament, typed: Typed) -> StoredTournament:
    was = tournament.state.timing
    shown = await as_typed(services, asker[1], was.start)
    # What was not touched keeps its seconds.
    start = was.start if typed.get("start") == shown else await when(services, asker[1], typed.get("start", ""))
    check_in = whole(typed, "check_in", 1, MOST_CHECK_IN) or 0
    return await services.tournaments.administration.schedule(
        *asker, lambda timing: replace(timing, start=start, check_in=check_in)
    )


# How its rounds follow each other


def _round_fields(tournament: StoredTournament) -> Sequence[str]:
    told = {
        "break_minutes": True,
        "round_days": tournament.format.in_rounds,
        "unfinished": tournament.format.has_draws,
        "all_rounds_at_once": tournament.format.most_at_once and in_entries(tournament),
    }
    return [name for name, has in told.items() if has]


async def _rounds(_services: Services, _person: int, tournament: StoredTournament) -> dict[str, str]:
    timing = tournament.state.timing
    return {
        "break_minutes": "" if timing.pause is None else str(timing.pause),
        "round_days": _shown(timing.days),
        "unfinished": "go_on" if timing.carry else "director",
        "all_rounds_at_once": "yes" if timing.at_once else "no",
    }


async def _set_rounds(services: Services, asker: Asker, tournament: StoredTournament, typed: Typed) -> StoredTournament:
    def changed(was: Scheduled) -> Scheduled:
        at_once = typed.get("all_rounds_at_once")
        return replace(
            was,
            pause=whole(typed, "break_minutes", 0, MOST_BREAK),
            days=whole(typed, "round_days", 1, MOST_DAYS) or 0,
            carry=one_of("unfinished", typed.get("unfinished") or "director", tuple(UNFINISHED)) == "go_on",
            at_once=yes("all_rounds_at_once", at_once) if at_once else was.at_once,
        )

    return await services.tournaments.administration.schedule(*asker, changed)


# Who may enter


def _limit_fields(_tournament: StoredTournament) -> Sequence[str]:
    return ("min_rating", "max_rating", "min_games", "roles", "min_players")


async def _limits(_services: Services, _person: int, tournament: StoredTournament) -> dict[str, str]:
    limits = tournament.state.limits
    return {
        "min_rating": _shown(limits.rating_from),
        "max_rating": _shown(limits.rating_to),
        "min_games": _shown(limits.games),
        "roles": ",".join(map(str, limits.roles)),
        "min_players": _shown(limits.least),
    }


async def _set_limits(
    services: Services, asker: Asker, _tournament: StoredTournament, typed: Typed
) -> StoredTournament:
    limits = Limited(
        rating_from=whole(typed, "min_rating", 1, _HIGHEST_RATING) or 0,
        rating_to=whole(typed, "max_rating", 1, _HIGHEST_RATING) or 0,
        games=whole(typed, "min_games", 1, _MOST_GAMES) or 0,
        roles=tuple(int(role) for role in typed.get("roles", "").split(",") if role),
        least=whole(typed, "min_players", 2, MOST_PLAYERS) or 0,
    )
    return await services.tournaments.registration.limit(*asker, limits)


# Its settings


def _setting_fields(tournament: StoredTournament) -> Sequence[str]:
    format_ = tournament.format
    told = {
        "max_players": True,
        "rounds": format_.chooses_rounds,
        "late_join_until": format_.chooses_rounds,
        "minutes": format_.pairs_who_waits,
        "ends_at": format_.pairs_who_waits,
        "order": not format_.pairs_who_waits,
        "scoring": format_.has_record,
    }
    return [name for name, has in told.items() if has]


async def _settings(services: Services, person: int, tournament: StoredTournament) -> dict[str, str]:
    plan = tournament.settings
    return {
        "max_players": _shown(plan.limit),
        "rounds": _shown(plan.rounds),
        "late_join_until": _shown(plan.late_until),
        "minutes": _shown(plan.minutes),
        "ends_at": await as_typed(services, person, plan.ends_at),
        "order": order_typed(plan.seeding),
        "scoring": next((name for name, points in SCORINGS.items() if points == plan.points), ""),
    }


async def _set_settings(
    services: Services, asker: Asker, tournament: StoredTournament, typed: Typed
) -> StoredTournament:
    was = tournament.settings
    shown = await as_typed(services, asker[1], was.ends_at)
    ends_at = was.ends_at if typed.get("ends_at", "") == shown else await when(services, asker[1], typed["ends_at"])

    def changed(plan: TournamentSettings) -> TournamentSettings:
        return replace(
            plan,
            limit=whole(typed, "max_players", 2, MOST_PLAYERS) or 0,
            rounds=whole(typed, "rounds", 1, MOST_ROUNDS) or 0,
            late_until=whole(typed, "late_join_until", 1, MOST_ROUNDS) or 0,
            minutes=whole(typed, "minutes", LEAST_MINUTES, MOST_MINUTES) or 0,
            ends_at=ends_at,
            seeding=order(typed["order"]) if typed.get("order") else plan.seeding,
            points=SCORINGS[one_of("scoring", typed["scoring"], tuple(SCORINGS))]
            if typed.get("scoring")
            else plan.points,
        )

    return await services.tournaments.direction.change_settings(*asker, changed)


# Until when one may enter, once it runs


def _late_fields(_tournament: StoredTournament) -> Sequence[str]:
    return ("late_join_until",)


async def _late(_services: Services, _person: int, tournament: StoredTournament) -> dict[str, str]:
    until, paired = tournament.settings.late_until, tournament.state.rounds_paired
    return {"late_join_until": str(until if until > paired else paired + 1)}


async def _set_late(services: Services, asker: Asker, _tournament: StoredTournament, typed: Typed) -> StoredTournament:
    until = whole(typed, "late_join_until", 1, MOST_ROUNDS) or 0
    return await services.tournaments.direction.change_settings(*asker, lambda plan: replace(plan, late_until=until))


# Openings and tie-breaks


def _opening_fields(tournament: StoredTournament) -> Sequence[str]:
    return ("openings", "tie_breaks") if tournament.format.has_record else ("openings",)


async def _openings(_services: Services, _person: int, tournament: StoredTournament) -> dict[str, str]:
    plan = tournament.settings
    return {"openings": " ; ".join(plan.openings), "tie_breaks": ",".join(map(str, plan.tie_breaks))}


async def _set_openings(
    services: Services, asker: Asker, tournament: StoredTournament, typed: Typed
) -> StoredTournament:
    variant, written = variants.load(tournament.ruleset, tournament.options), typed.get("openings", "").strip()
    shown = (await _openings(services, asker[1], tournament))["openings"][:MOST_TYPED].strip()

    def changed(plan: TournamentSettings) -> TournamentSettings:
        order_of_ties = tie_breaks(typed["tie_breaks"]) if typed.get("tie_breaks") else plan.tie_breaks
        # A form may not hold all of them: untouched, they stay.
        chosen = plan.openings if written == shown else openings(variant, written)
        return replace(plan, openings=chosen, tie_breaks=order_of_ties)

    return await services.tournaments.direction.change_settings(*asker, changed)


def _shown(number: int) -> str:
    return str(number) if number else ""


def _is_dated(tournament: StoredTournament) -> bool:
    return (in_entries(tournament) or is_running(tournament)) and not tournament.format.pairs_who_waits


def _takes_entries(tournament: StoredTournament) -> bool:
    state = tournament.state
    return in_entries(tournament) or (is_running(tournament) and state.rounds_paired < state.settings.late_until)


def _can_open_entries(tournament: StoredTournament) -> bool:
    return tournament.format.can_open_entries(tournament.state) and tournament.competition_id is None


def _has_openings(tournament: StoredTournament) -> bool:
    return in_entries(tournament) and not tournament.format.by_places


FORMS: Final[Mapping[str, SettingForm]] = {
    "times": SettingForm(N_("Start and check-in"), _time_fields, _times, _set_times),
    "rounds": SettingForm(N_("Rounds"), _round_fields, _rounds, _set_rounds),
    "limits": SettingForm(N_("Who may enter"), _limit_fields, _limits, _set_limits),
    "settings": SettingForm(N_("Settings"), _setting_fields, _settings, _set_settings),
    "late": SettingForm(N_("Late entries"), _late_fields, _late, _set_late),
    "openings": SettingForm(N_("Openings and tie-breaks"), _opening_fields, _openings, _set_openings),
}


@task("times", N_("Start and check-in"), N_("When it begins, and whether players check in"), in_entries)
@task("rounds", N_("Rounds"), N_("Breaks, deadlines, games that are not over"), _is_dated)
@task("limits", N_("Who may enter"), N_("Ratings, games, roles, how many are needed"), _takes_entries)
@task("settings", N_("Settings"), N_("Players, rounds, late entries, order, points"), in_entries)
@task("late", N_("Late entries"), N_("Until which round more players can join"), _can_open_entries)
@task("openings", N_("Openings and tie-breaks"), N_("What games begin from, what decides ties"), _has_openings)
async def _open(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    values = await FORMS[action.act].values(services, interaction.user.id, tournament)
    await _show(interaction, tournament, action.act, values)


async def _show(interaction: Press, tournament: StoredTournament, name: str, values: Typed) -> None:
    asked = FORMS[name]
    modal = form(KeptForm(name, tournament.id), _(asked.title), fields_of(asked.fields(tournament)), values)
    await open_form(interaction, modal)


@change.on(*FORMS)
async def _change(button: KeptForm, interaction: Press, _services: Services) -> None:
    tournament = await directed_by(interaction, button.tournament)
    names = FORMS[button.act].fields(tournament)
    await _show(interaction, tournament, button.act, values_of(kept_in(interaction), lambda: fields_of(names)))


@forms.on(*FORMS)
async def _sent(sent: KeptForm, interaction: Press, services: Services) -> None:
    tournament, typed = await directed_by(interaction, sent.tournament), sent_in(interaction)
    asker = (tournament.id, interaction.user.id, source_of(interaction))
    try:
        work = FORMS[sent.act].apply(services, asker, tournament, typed)
        tournament = await defer_if_slow(interaction, _awaited(work))
    except Refused as error:
        fields = fields_of(FORMS[sent.act].fields(tournament))
        await refuse(interaction, error, typed, fields, again(KeptForm(sent.act, tournament.id)))
        return
    await done(interaction, tournament, _("Saved."))


async def _awaited(work: Awaitable[StoredTournament]) -> StoredTournament:
    return await work
