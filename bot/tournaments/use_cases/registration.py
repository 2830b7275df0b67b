"""Who takes part: entering and leaving, the check-in, who may enter, and in which order the players start."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from bot.games.model.errors import Duplicate, Refused
from bot.i18n import _, ngettext
from bot.ratings.rate import rating_of
from bot.tournaments.errors import NO_RETURN, NOT_IN_A_MATCH
from bot.tournaments.formats.format import HAS_LEFT
from bot.tournaments.model.events import CheckedIn, Entered, Left, Limited, Returned, Scored, Seeded, Substituted
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing import seeding
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.game_links import is_begun, open_game_of
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from bot.tournaments.use_cases.no_shows import marks
from bot.tournaments.use_cases.work import TournamentWork
from data.queries import tournaments
from data.store import Transaction

MOST_PLAYERS = 256


class Registration:
    """Lets people enter, check in and leave, and directors say who may enter and who starts where."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def join(
        self,
        tournament_id: int,
        person: int,
        source: str,
        roles: Collection[int] = (),
        of_server: Collection[int] | None = None,
    ) -> StoredTournament:
        """Enter: before the start, or late while that is allowed; who has left comes back. ``roles``: the person's;
        ``of_server``: those that there are, None where that is not known."""
        async with self._work.unit(tournament_id, person, source) as unit:
            state = unit.tournament.state
            known = state.by_person.get(person)
            if known is None and len(state.entrants) >= MOST_PLAYERS:
                raise Refused(_("{count} have already entered, the most allowed.").format(count=MOST_PLAYERS))
            _check_return(unit.tournament, person)
            waits = state.phase is Phase.RUNNING and state.is_full
            if waits and known is not None and known.is_gone:
                raise Refused(_("All places are taken now. Join again when one becomes free."))
            if waits and person in state.beyond:
                raise Refused(
                    _("All places are taken. You are on the waiting list, and come in when one becomes free.")
                )
            if known is not None and (known.is_gone or known.paused):
                await unit.add(Returned(person))
            else:
                await self._check_entry(unit, person, roles, of_server)
                await unit.add(Entered(person, waits=waits))
                if state.phase is Phase.ENTRIES and state.check_in_open:
                    await unit.add(CheckedIn(person))
            await unit.request("announcement")
            if state.phase is Phase.RUNNING:
                await unit.request("standings")
        return unit.tournament

    async def leave(self, tournament_id: int, person: int, by: int, source: str) -> StoredTournament:
        """Leave the list, or a running tournament: by oneself or by a director. A game that is going on goes on; where
        all games began together those are lost that the person plays, and a substitute gives the place back."""
        async with self._work.unit(tournament_id, by, source) as unit:
            known = unit.tournament.state.by_person.get(person)
            if person != by:
                unit.tournament.check_directed(by)
                if unit.tournament.is_team_match:
                    raise Refused(_(NOT_IN_A_MATCH))
            elif unit.tournament.state.phase is Phase.OVER:
                raise Refused(_("The tournament is over."))
            elif known is None and not unit.tournament.loses_by_leaving(person):
                raise Refused(_("You have not entered."))
            elif known is not None and known.is_gone:
                _check_not_withdrawn(unit.tournament, person)
                raise Refused(_("You have already left."))
            back_to = unit.tournament.gives_back_to(person) if person == by else 0
            if (known is not None or person != by) and not back_to:
                await unit.add(Left(person))
            if by not in (person, SYSTEM):
                await unit.request("withdrawn", round_number=unit.tournament.last)
            await _leave_at_once(unit, person, only_begun=bool(back_to))
            if back_to:
                await unit.add(Substituted(person, back_to))
                await unit.request("substitute", round_number=unit.tournament.last)
            await unit.request("announcement")
            if unit.tournament.state.phase is Phase.RUNNING:
                await unit.request("standings")
        return unit.tournament

    async def leave_all(self, person: int, source: str) -> None:
        """Leave every tournament that is not over: whoever is about to be forgotten is paired no more. Each is a
        transaction, which once done is not done again."""
        async with self._work.reading() as tx:
            kept = await tournaments.stored.of_person(tx, person)
        for number in sorted({int(row["tournament"]) for row in kept if "action" in row}):
            with suppress(Refused, Duplicate):
                await self.leave(number, person, person, f"{source}:tournament:{number}")

    async def check_in(self, tournament_id: int, person: int, source: str) -> StoredTournament:
        """Who has entered says that they are there."""
        async with self._work.unit(tournament_id, person, source) as unit:
            entrant = unit.tournament.state.by_person.get(person)
            if entrant is not None and entrant.checked_in:
                raise Refused(_("You are already checked in."))
            if entrant is None and unit.tournament.state.phase is Phase.ENTRIES:
                raise Refused(_("You have not entered. Press *Join*, which checks you in too."))
            await unit.add(CheckedIn(person))
            await unit.request("announcement")
        return unit.tournament

    async def limit(self, tournament_id: int, by: int, source: str, limits: Limited) -> StoredTournament:
        """Say who may enter from now on; who has entered stays."""
        async with self._work.directed(tournament_id, by, source) as unit:
            await unit.add(limits)
            await unit.request("announcement")
        return unit.tournament

    async def servers_with_roles(self) -> list[int]:
        """The servers of this process with tournaments that are not over and are, or were, for some roles alone."""
        async with self._work.reading() as tx:
            return sorted({guild for _id, guild in await tournaments.limited(tx, self._work.store.shards)})

    async def tell_lost_roles(self, guild_id: int, there: Collection[int]) -> None:
        """Tell the directors, once, whose tournaments are for roles that are not ``there``, those of the server."""
        async with self._work.reading() as tx:
            limited = await tournaments.limited(tx, self._work.store.shards)
        for number in [number for number, guild in limited if guild == guild_id]:
            before = await self._work.load(number)
            roles, since = before.state.limits.roles, before.limited_since
            lost = [role for role in roles if role not in there]
            if not lost or not (before.state.phase is Phase.ENTRIES or before.takes_late_entries):
                continue
            kind = "norole" if len(lost) == len(roles) else "fewroles"
            async with self._work.reading() as tx:
                told = await tournaments.posts.is_wanted(tx, number, kind, since)
            if not told:
                async with self._work.unit(number, SYSTEM, f"roles:{number}:{since}:{kind}") as unit:
                    await unit.request(kind, round_number=since)

    async def _check_entry(
        self, unit: TournamentUnit, person: int, roles: Collection[int], of_server: Collection[int] | None
    ) -> None:
        """Raises Refused where the entry limits keep a person out. ``roles`` and ``of_server`` as above."""
        limits = unit.tournament.state.limits
        if limits.roles and not set(limits.roles) & set(roles):
            there = [role for role in limits.roles if of_server is None or role in of_server]
            if not there:
                text = _(
                    "Nobody can enter: the roles needed for that have been deleted. {directors} can choose others: "
                    "*Manage*, then *Who may enter*."
                )
                raise Refused(text.format(directors=", ".join(f"<@{one}>" for one in unit.tournament.directors)))
            named = ", ".join(f"<@&{role}>" for role in there)
            raise Refused(_("This tournament is for people with one of these roles: {roles}.").format(roles=named))
        if not (limits.rating_from or limits.rating_to or limits.games):
            return
        rating = await rating_of(unit.tx, unit.tournament.rating_pool, person)
        if rating.games < limits.games:
            text = ngettext(
                "This tournament is for players with at least {least} rated game of this kind here; you have {count}.",
                "This tournament is for players with at least {least} rated games of this kind here; you have {count}.",
                limits.games,
            )
            raise Refused(text.format(least=limits.games, count=rating.games))
        value = round(rating.value)
        if value < limits.rating_from:
            text = _("This tournament is for ratings of {limit} and above; yours is {rating}.")
            raise Refused(text.format(limit=limits.rating_from, rating=value))
        if limits.rating_to and value > limits.rating_to:
            text = _("This tournament is for ratings up to {limit}; yours is {rating}.")
            raise Refused(text.format(limit=limits.rating_to, rating=value))

    async def seed(self, tournament_id: int, by: int, source: str, person: int, place: int) -> StoredTournament:
        """Give who has entered a starting number by hand; 0 takes it back."""
        async with self._work.directed(tournament_id, by, source) as unit:
            # Nothing is taken back from who has no place by hand.
            if place or person in unit.tournament.state.seeds:
                await unit.add(Seeded(person, place))
                await unit.request("announcement")
        return unit.tournament

    async def order(self, tournament: StoredTournament) -> tuple[int, ...]:
        """Who would play if it began now, by starting number."""
        async with self._work.reading() as tx:
            return await starting_order(tx, tournament)

    async def marked(self, persons: Collection[int]) -> dict[int, tuple[int, int]]:
        """Who of ``persons`` is marked for games that they did not come to: how many, and until when."""
        async with self._work.reading() as tx:
            return await marks(tx, tuple(persons), self._work.now)


async def starting_order(tx: Transaction, tournament: StoredTournament) -> tuple[int, ...]:
    """Who would play if it began now, by starting number."""
    starters = tournament.state.starters
    if tournament.settings.seeding == "lot":
        order = seeding.by_lot(starters, tournament.seed)
    elif tournament.settings.seeding == "entry":
        order = tuple(starters)
    else:
        pool = tournament.rating_pool
        order = seeding.by_rating({one: (await rating_of(tx, pool, one)).value for one in starters})
    return seeding.with_places(order, tournament.state.seeds)


def _check_return(tournament: StoredTournament, person: int) -> None:
    """Raises Refused for who is in, and for who has left and does not come back by pressing a button."""
    known, phase = tournament.state.by_person.get(person), tournament.state.phase
    if phase is Phase.OVER:
        raise Refused(_("Entries are closed: the tournament is over."))
    # Who waits after the start may come in late.
    plays = known is not None and (known.number or phase is Phase.ENTRIES)
    if known is not None and plays and not known.is_gone and not known.paused:
        raise Refused(_("You have already entered."))
    if known is not None and known.is_gone and not tournament.format.has_returns:
        raise Refused(_(NO_RETURN))
    if known is None or known.is_gone:
        _check_not_withdrawn(tournament, person)


def _check_not_withdrawn(tournament: StoredTournament, person: int) -> None:
    """Raises Refused for whom a director has withdrawn."""
    left = next(
        (e for e in reversed(tournament.events) if isinstance(e.action, Left) and e.action.person == person), None
    )
    if left is not None and left.by not in (person, SYSTEM):
        template = _(
            "A director has withdrawn you from **{event}**. Ask a director to undo that: *Manage*, *Undo something*, "
            "event {number}."
        )
        raise Refused(template.format(event=tournament.name, number=left.number))


async def _leave_at_once(unit: TournamentUnit, person: int, *, only_begun: bool) -> None:
    """Who leaves a tournament whose games are all being played loses those that they play and that are not over, or of
    these ``only_begun``."""
    tournament = unit.tournament
    if not tournament.state.timing.at_once:
        return
    begun = {open_game_of(link).key for link in tournament.games if only_begun and await is_begun(unit.tx, link)}
    for game, mine in tournament.played_by(person):
        if not only_begun or game.key in begun:
            lost = (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN)
            first, second = lost if mine == game.white else lost[::-1]
            await unit.add(Scored(game.round, game.white, game.black, first, second), HAS_LEFT)
