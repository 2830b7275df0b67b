"""The course of a tournament as its director decides it: created, begun, paired round by round, finished."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from bot.engine.registry import rules_for
from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Refused
from bot.i18n import _, ngettext
from bot.support.frozen import frozen
from bot.support.time_units import MINUTE
from bot.tournaments.errors import NO_RESULTS, NOT_IN_A_MATCH, NOT_RUNNING
from bot.tournaments.formats.registry import format_of
from bot.tournaments.model import events
from bot.tournaments.model.events import Action, PairedRound, Scheduled, TournamentSettings
from bot.tournaments.model.schedule import last_date
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing import seeding
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored import SYSTEM, NewCompetition
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit, add, load
from bot.tournaments.standings.tiebreaks import TieBreak, parse
from bot.tournaments.use_cases.administration import check_at_once, check_settings, check_start
from bot.tournaments.use_cases.arenas import Arenas
from bot.tournaments.use_cases.registration import starting_order
from bot.tournaments.use_cases.work import Overtaken, TournamentChanged, TournamentWork, refusing
from bot.tournaments.use_cases.written_openings import checked
from data.queries import competitions
from data.queries import tournaments as queries
from data.queries.tournaments import TournamentRow

_MOST_NAMED = 10
"""How many games without a result are named."""

_TRIES = 5
"""How often a start is reckoned anew because somebody has joined or left meanwhile."""

SEEDINGS = ("rating", "lot", "entry")


@frozen(kw_only=True)
class NewTournament(NewCompetition):
    """What a tournament is to be. ``seeding``: one of SEEDINGS; ``first_events``: its first events."""

    plan: TournamentSettings
    seeding: str
    first_events: Sequence[Action] = ()


def check_players(tournament: StoredTournament) -> None:
    """Raises Refused where too few are there to begin, or it is over."""
    if tournament.state.phase is Phase.OVER:
        why = _("**{event}** is over.") if tournament.state.cancelled is None else _("**{event}** is cancelled.")
        raise Refused(why.format(event=tournament.name), event=tournament.name)
    needed, count = tournament.format.least_players, len(tournament.state.starters)
    if tournament.state.phase is Phase.ENTRIES and count < needed:
        template = ngettext(
            "At least {needed} players are needed to start. {count} player has joined.",
            "At least {needed} players are needed to start. {count} players have joined.",
            count,
        )
        raise Refused(template.format(needed=needed, count=count), event=tournament.name)


def check_played(tournament: StoredTournament) -> None:
    """Raises Refused where games have no result, which it names."""
    state, left = tournament.state, tournament.open_games
    if not left and tournament.format.is_played_out(state):
        return
    if not left:
        raise Refused(_(NO_RESULTS), event=tournament.name)
    games = ", ".join(" - ".join(map(tournament.call, game.seats)) for game in left[:_MOST_NAMED])
    if (more := len(left) - _MOST_NAMED) > 0:
        games += " " + ngettext("and {count} more", "and {count} more", more).format(count=more)
    text = _("These games have no result: {games}. Wait for them, or press *Enter a result*.").format(games=games)
    if state.rounds_paired < state.rounds_planned:
        rounds = _("Rounds paired: {paired} of {planned}.")
        text += " " + rounds.format(paired=state.rounds_paired, planned=state.rounds_planned)
    raise Refused(text, event=tournament.name)


class Direction:
    """Lets directors create a tournament, begin it, pair its rounds, finish it, and decide about its players."""

    def __init__(self, work: TournamentWork, arenas: Arenas) -> None:
        self._work = work
        self._arenas = arenas

    async def create(self, new: NewTournament, source: str) -> StoredTournament:
        """A tournament that can be entered."""
        now = self._work.now
        begins = max([now, *(action.start for action in new.first_events if isinstance(action, Scheduled))])
        check_settings(new, new.plan, begins)
        if new.clock not in CONTROLS or new.seeding not in SEEDINGS:
            raise Refused(_("A tournament needs a clock, and a way to order the players."))
        plan = await self._with_openings(new, new.plan)
        async with self._work.once(queries.stored, source) as tx:
            row = TournamentRow(
                **new.columns(Phase.ENTRIES),
                seeding=new.seeding,
                lot=self._work.games.tournament_games.seed(),
                plan=plan.to_json(),
                made_at=now,
                source=source,
            )
            unit = TournamentUnit(tx, await add(tx, row, new.ruleset), source, now, new.director)
            for action in new.first_events:
                if isinstance(action, Scheduled):
                    check_start(action, now)
                    check_at_once(action, new.clock)
                await unit.add(action)
            await unit.request("announcement")
            await self._work.finalise(unit)
        self._work.tell(unit)
        return unit.tournament

    async def change_settings(
        self, tournament_id: int, by: int, source: str, change_of: Callable[[TournamentSettings], TournamentSettings]
    ) -> StoredTournament:
        """Other settings before it begins; by a director."""
        before = await self._work.load(tournament_id)
        before.check_directed(by)
        was = before.settings
        plan = change_of(was)
        check_settings(before, plan, max(self._work.now, before.state.timing.start))
        if plan.seeding not in SEEDINGS:
            raise Refused(_("Choose a way to order the players."))
        if plan.openings != was.openings:
            plan = replace(plan, both="", secret="", tie_breaks=_without_game_points(plan))
            plan = await self._with_openings(before, plan)
        async with self._work.directed(tournament_id, by, source, last=before.last) as unit:
            await unit.add(events.SettingsChanged(plan.to_json()))
            await unit.request("announcement")
        return unit.tournament

    async def _with_openings(
        self, new: NewTournament | StoredTournament, plan: TournamentSettings
    ) -> TournamentSettings:
        """The settings with what follows from the openings that were chosen. Raises Refused."""
        if not plan.openings:
            return plan
        with refusing():
            openings: tuple[str, ...] = await self._work.in_thread(
                lambda: checked(rules_for(new.ruleset, new.options), plan.openings)
            )
        both: Literal["", "in turn", "at once"] = ""
        if format_of(plan).plays_both:
            both = "in turn" if CONTROLS[new.clock].live else "at once"
        secret = self._work.games.tournament_games.seed() if len(openings) > 1 else ""
        # Where two games count as one, their points decide first between those who are equal.
        usual = both and plan.tie_breaks == format_of(plan).usual_tie_breaks
        tie_breaks = (plan.tie_breaks[0], *parse("GP"), *plan.tie_breaks[1:]) if usual else plan.tie_breaks
        return replace(plan, openings=openings, both=both, secret=secret, tie_breaks=tie_breaks)

    async def add_director(
        self, tournament_id: int, person: int, by: int, source: str, *, manages: bool
    ) -> StoredTournament:
        """Another director; by a director, or by who ``manages`` the server."""
        async with self._work.unit(tournament_id, by, source) as unit:
            if not manages:
                unit.tournament.check_directed(unit.by)
            directors = unit.tournament.with_director(person)
            await unit.add(events.DirectorChanged(person))
            await unit.set_directors(directors)
            await unit.request("announcement")
        return unit.tournament

    async def remove_director(self, tournament_id: int, person: int, by: int, source: str) -> StoredTournament:
        """One director less, of whom one stays: whoever steps down, or whom another takes out."""
        async with self._work.directed(tournament_id, by, source) as unit:
            if unit.tournament.competition_id is not None:
                raise Refused(_("Its league or team match decides who directs it."))
            staying = unit.tournament.without_director(person)
            await unit.add(events.DirectorChanged(person, removed=True))
            await unit.set_directors(staying)
            await unit.request("announcement")
        return unit.tournament

    async def start(
        self, tournament_id: int, by: int, source: str, *, before: StoredTournament | None = None
    ) -> StoredTournament:
        """Close the entries, order the players, and begin: the first round, or the first matches. ``before``: the
        tournament, where it has just been loaded."""
        for _try in range(_TRIES):
            try:
                return await self._start(tournament_id, by, source, before or await self._work.load(tournament_id))
            except Overtaken:
                # Somebody joins or leaves at the same moment: that is no reason not to begin.
                before = None
        raise Overtaken

    async def _start(self, tournament_id: int, by: int, source: str, before: StoredTournament) -> StoredTournament:
        if before.state.phase is Phase.ENTRIES and 0 < before.settings.ends_at < self._work.now + MINUTE:
            raise Refused(_("It would be over at once: its end has passed. Say first until when it goes on."))
        async with self._work.reading() as tx:
            order = await starting_order(tx, before)
        rounds = 0 if before.settings.rounds else before.format.rounds_for(len(order))
        started = events.Started(order, seeding.colour_by_lot(before.seed), before.seed, rounds)
        first: Sequence[PairedRound] = ()
        if before.state.phase is Phase.ENTRIES and len(started.order) > 1 and before.format.in_rounds:
            running = before.after(started)
            at_once = running.timing.at_once
            first = before.format.every_round(running) if at_once else (await self._paired(running, tournament_id),)
        async with self._work.directed(tournament_id, by, source, last=before.last) as unit:
            check_players(before)
            await unit.add(started)
            for each in first:
                await unit.add(each)
            if len(first) == 1:
                await unit.request("round", round_number=1)
            await unit.request("announcement", "standings")
        return unit.tournament

    async def pair(
        self, tournament_id: int, by: int, source: str, *, before: StoredTournament | None = None
    ) -> StoredTournament:
        """Pair and begin the next round, when the last one is over. Asked twice, it is done once. ``before``: the
        tournament, where it has just been loaded."""
        before = before or await self._work.load(tournament_id)
        state = before.state
        before.check_directed(by)
        if state.phase is Phase.RUNNING and before.format.pairs_itself:
            raise Refused(_(before.format.pairs_itself))
        if state.phase is Phase.RUNNING and state.rounds_paired >= state.rounds_planned > 0:
            raise Refused(_("All rounds are paired. When their games are over, press *Finish*."))
        self._check_over(before, by)
        paired = await self._paired(state, tournament_id)
        async with self._work.directed(tournament_id, by, source, last=before.last) as unit:
            await unit.add(paired)
            # The post of the round before says what comes next, and now it has come; earlier ones, whose games go on.
            going_on = {game.round for game in before.open_games}
            for number in sorted({paired.round - 1, paired.round, *going_on} - {0}):
                await unit.request("round", round_number=number)
            await unit.request("standings")
        return unit.tournament

    async def finish(self, tournament_id: int, by: int, source: str) -> StoredTournament:
        """End the tournament: the standings are final, and the podium is posted."""
        async with self._work.directed(tournament_id, by, source) as unit:
            state = unit.tournament.state
            if state.phase is not Phase.RUNNING:
                raise Refused(_(NOT_RUNNING))
            if unit.tournament.format.pairs_who_waits:
                await self._arenas.close_pool(unit)
                return unit.tournament
            check_played(unit.tournament)
            await unit.add(events.Ended())
            if state.rounds_paired and unit.tournament.format.in_rounds:
                await unit.request("round", round_number=state.rounds_paired)
            await unit.request("announcement", "standings", "podium")
        return unit.tournament

    async def decide(
        self, tournament_id: int, by: int, source: str, action: events.Substituted | events.ByeAsked | events.Forbade
    ) -> StoredTournament:
        """What a director decides about players: a substitute, a bye, two who shall not meet. A player can ask for a
        bye: for half a point once, and not in the last round."""
        async with self._work.unit(tournament_id, by, source) as unit:
            if unit.tournament.is_director(by) or not _is_own_bye(unit.tournament.state, by, action):
                unit.tournament.check_directed(unit.by)
            if unit.tournament.is_team_match:
                raise Refused(_(NOT_IN_A_MATCH))
            if isinstance(action, events.Substituted):
                await _check_in_no_other_division(unit, action.substitute)
            await unit.add(action)
            if isinstance(action, events.Substituted):
                await unit.request("announcement")
                await unit.request("substitute", round_number=unit.tournament.last)
                for number in unit.tournament.state.rounds:
                    await unit.request("round", round_number=number)
            if unit.tournament.state.phase is Phase.RUNNING:
                await unit.request("standings")
        return unit.tournament

    def _check_over(self, tournament: StoredTournament, by: int) -> None:
        """Raises Refused where games of the last round must be over before the next is paired."""
        state, number = tournament.state, tournament.state.rounds_paired
        left, date = len(tournament.open_games), last_date(state, tournament.events, number, tournament.outages)
        if not left or (state.timing.carry and (by == SYSTEM or date <= self._work.now)):
            return
        games = ngettext("{count} game is still in progress", "{count} games are still in progress", left).format(
            count=left
        )
        if state.timing.carry:
            text = _("Round {round} is not over: {games}, until <t:{date}:f> at the latest.")
            raise Refused(text.format(round=number, games=games, date=date // 1000))
        text = _("Round {round} is not over: {games}. Wait, or press *Enter a result*.")
        raise Refused(text.format(round=number, games=games))

    async def _paired(self, state: Tournament, tournament_id: int) -> PairedRound:
        """The next round; where pairing takes long, those who wait are told."""
        drawn = state.timing.carry
        work = self._work.in_thread(lambda: format_of(state.settings).next_round(state, pending_as_draws=drawn))
        with refusing():
            paired: PairedRound = await self._work.run_with_notice(
                work, lambda: self._say_pairing(tournament_id, state.rounds_paired + 1)
            )
        return paired

    async def _say_pairing(self, tournament_id: int, round_number: int) -> None:
        """The pairing of a round takes a while: its post says so until the games are known."""
        async with self._work.writing(f"pairing:{tournament_id}:{round_number}") as tx:
            await queries.posts.request(tx, tournament_id, "round", self._work.now, round_number)
        self._work.changed.send(TournamentChanged(tournament_id))


async def _check_in_no_other_division(unit: TournamentUnit, person: int) -> None:
    """Raises Refused where somebody plays in another division of the season, be it as a substitute."""
    league_id = unit.tournament.competition_id
    for number in [] if league_id is None else await competitions.tournaments_of(unit.tx, league_id):
        other = None if number == unit.tournament.id else await load(unit.tx, number)
        if other is None or other.state.phase is not Phase.RUNNING:
            continue
        known = other.state.by_person.get(person)
        if (known is not None and not known.is_gone) or other.is_playing(person):
            text = _("<@{person}> already plays in **{event}**. Choose somebody who plays in no division.")
            raise Refused(text.format(person=person, event=other.name))


def _without_game_points(plan: TournamentSettings) -> tuple[TieBreak, ...]:
    """The tie-breaks without the one that only counts where two games count as one."""
    return tuple(each for each in plan.tie_breaks if each not in parse("GP"))


def _is_own_bye(state: Tournament, person: int, action: Action) -> bool:
    """Whether a player asks for a bye, and may have it without the director. Raises Refused where not."""
    me = state.by_person.get(person)
    if not isinstance(action, events.ByeAsked) or me is None or not me.number or action.number != me.number:
        return False
    if action.round <= state.rounds_paired:
        return False
    if action.mark is not Mark.HALF_BYE:
        return True
    had = [
        round_number
        for (number, round_number), mark in state.byes.items()
        if (number, mark) == (me.number, action.mark)
    ]
    if action.round in had:
        raise Refused(_("You are already sitting out round {round}.").format(round=action.round))
    if action.round >= state.settings.rounds:
        text = _(
            "You cannot sit out the last round for half a point. Let it count as **{nothing}**, or ask a director."
        )
        raise Refused(text.format(nothing=_("nothing")))
    if had:
        text = _(
            "You can sit out one round for half a point, and that is round {round}. Let this one count as "
            "**{nothing}**, or ask a director."
        )
        raise Refused(text.format(round=had[0], nothing=_("nothing")))
    return True
