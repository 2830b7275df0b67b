"""What people can do with tournaments. Every method is one transaction, as with games (bot.games.service): it checks,
adds events, makes the games that follow, lets the posts be made, or does nothing.

``source`` names what brought the wish in; the same source again raises Duplicate. Everything that is not allowed raises
Refused, whose sentence is for the person who asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.engine.variants import OptionValue
from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Duplicate, Refused
from bot.games.model.game import Place
from bot.games.persistence.transactions import reading
from bot.i18n import _, ngettext
from bot.tournaments.errors import TournamentError
from bot.tournaments.formats import next_round, settings
from bot.tournaments.formats.open_games import open_games
from bot.tournaments.model.events import (
    Action,
    ByeAsked,
    CheckedIn,
    Ended,
    Entered,
    Event,
    Forbade,
    Kind,
    Left,
    Returned,
    RoundPaired,
    Started,
    Substituted,
    TablesSeated,
    TournamentSettings,
    settings_as_json,
)
from bot.tournaments.model.fold import fold
from bot.tournaments.model.schedule import last_date
from bot.tournaments.model.schedule_events import Scheduled
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing import seeding
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases import arena_timer
from bot.tournaments.use_cases.administration import Administration
from bot.tournaments.use_cases.arenas import Arenas
from bot.tournaments.use_cases.change import SYSTEM, StoredTournament, TournamentUnit, directing, load
from bot.tournaments.use_cases.export import Export
from bot.tournaments.use_cases.manual import Manual
from bot.tournaments.use_cases.reconcile import ROUNDS_POSTED
from bot.tournaments.use_cases.results import Overtaken
from data.queries import tournaments as queries
from data.queries.tournaments import PostRow, TournamentRow

SEEDINGS = ("rating", "lot", "entry")
KINDS = tuple(Kind)
MOST_PLAYERS = 256


class Tournaments(Arenas, Export, Administration, Manual):
    """The use cases and the questions."""

    async def create(
        self,
        *,
        source: str,
        director: int,
        name: str,
        plan: TournamentSettings,
        variant_id: str,
        options: Mapping[str, OptionValue],
        clock: str,
        rated: bool,
        seeding: str,
        place: Place,
        terms: Sequence[Action] = (),
    ) -> StoredTournament:
        """A tournament that can be entered. ``seeding``: one of SEEDINGS; ``terms``: its first events."""
        now = self._games.now
        if (why := settings.refusal_of_plan(plan, variant_id, options, clock, now)) is not None:
            raise Refused(why)
        if clock not in CONTROLS or seeding not in SEEDINGS:
            raise Refused(_("A tournament needs a clock, and a way to order the players."))
        async with self._games.transactions.writing(source) as tx:
            if await queries.by_source(tx, source) is not None:
                raise Duplicate(source)
            values = {
                "guild_id": place.guild_id,
                "channel_id": place.channel_id,
                "name": name,
                "variant_id": variant_id,
                "options": dict(options),
                "clock": clock,
                "rated": rated,
                "seeding": seeding,
                "lot": self._games.tournament_games.seed(),
                "plan": settings_as_json(plan),
                "directors": [director],
                "status": "entries",
                "made_at": now,
                "source": source,
            }
            tournament_id = await queries.add(tx, values)
            change = TournamentUnit(tx, await load(tx, tournament_id), source, now, director)
            for term in terms:
                if isinstance(term, Scheduled):
                    self.check_start(term)
                await change.add(term)
            await change.want("announcement")
            await self._settle(change)
        self.changed(tournament_id, ())
        return await self.load(tournament_id)

    async def join(self, tournament_id: int, person: int, source: str, roles: Collection[int] = ()) -> StoredTournament:
        """Enter: before the start, or late while that is allowed; who has left comes back. ``roles``: the person's."""
        async with self._changing(tournament_id, person, source) as change:
            state = change.tournament.state
            known = state.by_person.get(person)
            if known is None and len(state.entrants) >= MOST_PLAYERS:
                raise Refused(_("{count} have entered already, which is the most.").format(count=MOST_PLAYERS))
            _check_return(change.tournament, person)
            if known is not None and (known.is_gone or known.paused):
                await change.add(Returned(person))
            else:
                await self.check_entry(change, person, roles)
                await change.add(Entered(person))
                if state.phase is Phase.ENTRIES and state.check_in_open:
                    await change.add(CheckedIn(person))
            await change.want("announcement")
            if state.phase is Phase.RUNNING:
                await change.want("standings")
                await arena_timer.wake(self._games, change)
        return change.tournament

    async def leave(self, tournament_id: int, person: int, by: int, source: str) -> StoredTournament:
        """Leave the list, or a running tournament: by oneself or by a director. A game that is going on goes on."""
        async with self._changing(tournament_id, by, source) as change:
            known = change.tournament.state.by_person.get(person)
            if person != by:
                directing(change)
            elif change.tournament.state.phase is Phase.OVER:
                raise Refused(_("The tournament is over."))
            elif known is None:
                raise Refused(_("You have not entered."))
            elif known.is_gone:
                raise Refused(_("You have left already."))
            await change.add(Left(person))
            await self._leave_at_once(change, person)
            await self._follow(change)
            await change.want("announcement")
            if change.tournament.state.phase is Phase.RUNNING:
                await change.want("standings")
        return change.tournament

    async def add_director(
        self, tournament_id: int, person: int, by: int, source: str, *, manages: bool
    ) -> StoredTournament:
        """Another director; by a director, or by who ``manages`` the server."""
        async with self._changing(tournament_id, by, source) as change:
            if not manages:
                directing(change)
            directors = [*change.tournament.row.directors]
            if person in directors:
                raise Refused(_("That person directs this tournament already."))
            await queries.change(change.tx, tournament_id, directors=[*directors, person])
            await change.want("announcement")
            await change.read_again()
        return change.tournament

    async def start(self, tournament_id: int, by: int, source: str) -> StoredTournament:
        """Close the entries, order the players, and begin: the first round, or the first matches."""
        before = await self.load(tournament_id)
        async with reading(self._store) as tx:
            started = Started(await self._order(tx, before), seeding.colour_by_lot(before.row.lot), before.row.lot)
        first: Sequence[RoundPaired | TablesSeated] = ()
        if before.state.phase is Phase.ENTRIES and len(started.order) > 1 and before.plan.kind in ROUNDS_POSTED:
            running = fold(before.plan, (*before.events, Event(before.last + 1, 0, by, started)))
            at_once = running.timing.at_once
            first = next_round.every_round(running) if at_once else (await self._paired(running, tournament_id),)
        async with self._changing(tournament_id, by, source) as change:
            directing(change)
            if change.tournament.last != before.last:
                raise Overtaken
            if len(started.order) < 2 and before.state.phase is Phase.ENTRIES:
                raise Refused(_("Two players at least must have entered."))
            if len(started.order) < 3 and before.plan.kind is Kind.TABLES:
                raise Refused(_("Three players at least must have entered."))
            await change.add(started)
            await queries.change(change.tx, tournament_id, status="running")
            for each in first:
                await change.add(each)
            if len(first) == 1:
                await change.want("round", round_number=1)
            await self._follow(change)
            await change.want("announcement", "standings")
        return change.tournament

    async def pair(self, tournament_id: int, by: int, source: str) -> StoredTournament:
        """Pair and begin the next round, when the last one is over. Asked twice, it is done once."""
        before = await self.load(tournament_id)
        state = before.state
        if state.phase is Phase.RUNNING and state.plan.kind.knocks_out:
            raise Refused(_("In an elimination each match begins by itself when its two players are known."))
        if state.phase is Phase.RUNNING and state.plan.kind is Kind.ARENA:
            raise Refused(_("In an arena players are paired by themselves, as soon as two of them wait."))
        if state.phase is Phase.RUNNING and state.rounds_paired >= state.rounds_planned > 0:
            says = _("All {count} rounds are paired. When their games are over: `/tournament finish`.")
            raise Refused(says.format(count=state.rounds_planned))
        if before.is_director(by):
            self._check_over(before, by)
        paired = await self._paired(state, tournament_id) if before.is_director(by) else None
        async with self._changing(tournament_id, by, source) as change:
            directing(change)
            if change.tournament.last != before.last or paired is None:
                raise Overtaken
            await change.add(paired)
            await self._follow(change)
            # What the round before says comes next has come.
            for number in (paired.round - 1, paired.round) if paired.round > 1 else (paired.round,):
                await change.want("round", round_number=number)
            await change.want("standings")
        return change.tournament

    async def finish(self, tournament_id: int, by: int, source: str) -> StoredTournament:
        """End the tournament: the standings are final, and the podium is posted."""
        async with self._changing(tournament_id, by, source) as change:
            directing(change)
            state = change.tournament.state
            if state.phase is not Phase.RUNNING:
                raise Refused(_("The tournament is not running."))
            if state.plan.kind is Kind.ARENA:
                await self.close_pool(change)
                return change.tournament
            if open_games(state) or (state.plan.kind.knocks_out and state.bracket.champion is None):
                raise Refused(_("There are games without a result. Wait for them, or write the results down."))
            await change.add(Ended())
            await queries.change(change.tx, tournament_id, status="over")
            if state.rounds_paired and state.plan.kind in ROUNDS_POSTED:
                await change.want("round", round_number=state.rounds_paired)
            await change.want("announcement", "standings", "podium")
            await change.read_again()
        return change.tournament

    async def decide(
        self, tournament_id: int, by: int, source: str, action: Substituted | ByeAsked | Forbade
    ) -> StoredTournament:
        """What a director decides about players: a substitute, a bye, two who shall not meet. A player can ask for a
        bye: for half a point once, and not in the last round."""
        async with self._changing(tournament_id, by, source) as change:
            if change.tournament.is_director(by) or not _is_own_bye(change.tournament.state, by, action):
                directing(change)
            await change.add(action)
            if isinstance(action, Substituted):
                await self._follow(change)
                await change.want("announcement")
                for number in (*change.tournament.state.paired, *change.tournament.state.seated):
                    await change.want("round", round_number=number)
            if change.tournament.state.phase is Phase.RUNNING:
                await change.want("standings")
        return change.tournament

    # Questions

    async def here(self, channel_id: int) -> int:
        """The tournament of a channel: the newest that is not over, else the newest. Raises Refused."""
        async with reading(self._store) as tx:
            found = await queries.newest_in(tx, channel_id)
        if found is None:
            raise Refused(_("There is no tournament in this channel. Create one with `/tournament create`."))
        return found

    async def of_server(self, guild_id: int, most: int = 25) -> list[TournamentRow]:
        """The newest tournaments of a server."""
        async with reading(self._store) as tx:
            return await queries.of_server(tx, guild_id, most)

    # Posts

    async def wanted(self, tournament_id: int | None = None) -> list[PostRow]:
        """The messages that are to be posted or edited."""
        async with reading(self._store) as tx:
            return await queries.wanted(tx, tournament_id)

    async def is_post(self, message_id: int) -> bool:
        """Whether a message is known to be a tournament's post."""
        async with reading(self._store) as tx:
            return await queries.is_post(tx, message_id)

    async def said(self, post: PostRow, message_id: int | None) -> None:
        """A message shows what was wanted when ``post`` was read."""
        async with self._games.transactions.writing(f"post:{post.id}:{post.wanted}") as tx:
            await queries.said(tx, post, message_id)

    def _check_over(self, tournament: StoredTournament, by: int) -> None:
        """Raises Refused where games of the last round must be over before the next is paired."""
        state, number = tournament.state, tournament.state.rounds_paired
        left, date = len(open_games(state)), last_date(state, tournament.events, number, tournament.outages)
        if not left or (state.timing.carry and (by == SYSTEM or date <= self.now)):
            return
        games = ngettext("{count} game is still played", "{count} games are still played", left).format(count=left)
        if state.timing.carry:
            text = _("Round {round} is not over: {games}, until <t:{date}:f> at the latest.")
            raise Refused(text.format(round=number, games=games, date=date // 1000))
        if state.plan.kind is Kind.TABLES:
            text = _("Round {round} is not over: {games}. Wait, or write the places down with `/tournament places`.")
            raise Refused(text.format(round=number, games=games))
        text = _(
            "Round {round} is not over: {games}. Wait, write the results down with `/tournament result`, or decide "
            "them with `/tournament adjudicate`."
        )
        raise Refused(text.format(round=number, games=games))

    async def _paired(self, state: Tournament, tournament_id: int) -> RoundPaired | TablesSeated:
        """The next round; where pairing takes long, those who wait are told."""
        drawn = state.timing.carry
        work = self._in_thread(lambda: next_round.upcoming(state, pending_as_draws=drawn))
        try:
            paired: RoundPaired | TablesSeated = await self.run_with_notice(
                work, lambda: self._say_pairing(tournament_id, state.rounds_paired + 1)
            )
        except TournamentError as error:
            raise Refused(error.message) from error
        return paired


def _check_return(tournament: StoredTournament, person: int) -> None:
    """Raises Refused for who is in, and for who has left and does not come back by pressing a button."""
    known, phase = tournament.state.by_person.get(person), tournament.state.phase
    if phase is Phase.OVER:
        raise Refused(_("Entries are closed: the tournament is over."))
    # Who waits after the start may come in late.
    plays = known is not None and (known.number or phase is Phase.ENTRIES)
    if known is not None and plays and not known.is_gone and not known.paused:
        raise Refused(_("You have entered already."))
    if known is not None and known.is_gone and tournament.plan.kind.knocks_out:
        raise Refused(_("In an elimination who has left does not come back."))
    left = next(
        (e for e in reversed(tournament.events) if isinstance(e.action, Left) and e.action.person == person), None
    )
    if left is not None and left.by not in (person, SYSTEM) and (known is None or known.is_gone):
        says = _(
            "A director has taken you out of **{event}**. Ask a director to take that back: `/tournament undo` with "
            "`event: {number}`."
        )
        raise Refused(says.format(event=tournament.row.name, number=left.number))


def _is_own_bye(state: Tournament, person: int, action: Action) -> bool:
    """Whether a player asks for a bye, and may have it without the director. Raises Refused where not."""
    me = state.by_person.get(person)
    if not isinstance(action, ByeAsked) or me is None or not me.number or action.number != me.number:
        return False
    if action.round <= state.rounds_paired:
        return False
    if action.mark is not Mark.HALF_BYE:
        return True
    if action.round >= state.plan.rounds or Mark.HALF_BYE in (m for (n, _r), m in state.byes.items() if n == me.number):
        says = _("Half a point for a round off can be had once, and not in the last round. Ask a director for more.")
        raise Refused(says)
    return True
