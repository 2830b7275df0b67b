"""What people can do with leagues. Every method is one transaction, as with tournaments (bot.tournaments.service)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeAlias

from bot.games.model.clock import CONTROLS, span
from bot.games.model.errors import Duplicate, Refused
from bot.games.model.timers import SERVER
from bot.i18n import N_, _, phrase
from bot.ratings.pools import RatingPool
from bot.ratings.rate import rating_of
from bot.support.time_units import DAY, HOUR
from bot.tournaments.leagues import model
from bot.tournaments.leagues.model import League, LeagueAction, LeaguePlan, Season
from bot.tournaments.model.action_codec import Actions
from bot.tournaments.model.events import Ended, Kind, Scheduled, Scored, TournamentSettings
from bot.tournaments.model.state import Entrant, Phase
from bot.tournaments.pairing.record import PLAYED, Mark
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored import SYSTEM, NewCompetition
from bot.tournaments.persistence.stored_competition import Competition, CompetitionKind, CompetitionUnit
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from bot.tournaments.persistence.stored_tournament import load as load_tournament
from bot.tournaments.standings.tiebreaks import parse
from bot.tournaments.use_cases.competitions import Competitions
from bot.tournaments.use_cases.given_results import given
from bot.tournaments.use_cases.work import TournamentWork
from data.queries import competitions, games, timers

SEASON_ENDED: Final = N_("end of the season")
"""Why a game that was in progress then has the result it has."""
TIE_BREAKS = "PTS,DE,SB,WIN"

LeagueUnit: TypeAlias = CompetitionUnit[League, LeagueAction]

LEAGUES: Final = CompetitionKind[League, LeagueAction](
    name="league",
    actions=Actions[LeagueAction](LeagueAction),
    begun=lambda plan: League(LeaguePlan.of(plan)),
    after=model.after,
    none=N_("There is no league {number}."),
    none_on_server=N_("There is no league **{name}** on this server. Choose one from the list."),
    none_here=N_("There is no league in this channel. Create one with `/league create`."),
)


class Leagues:
    """Leagues: people join and leave, seasons begin and end, divisions are ordinary tournaments. ``competitions``: what
    can be asked of them as of team matches."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work
        self.competitions = Competitions(work, LEAGUES)

    async def create(self, new: NewCompetition, plan: LeaguePlan, source: str) -> Competition[League]:
        """A league that can be joined."""
        if new.clock not in CONTROLS or CONTROLS[new.clock].live:
            raise Refused(
                _("A season lasts for weeks, and all its games begin at once: choose a correspondence clock.")
            )
        if not model.LEAST_SIZE <= plan.size <= model.MOST_SIZE:
            text = _("A division has {least} to {most} players.")
            raise Refused(text.format(least=model.LEAST_SIZE, most=model.MOST_SIZE))
        if plan.up < 0 or plan.down < 0 or plan.up + plan.down > plan.size:
            raise Refused(_("More players would go up and down than a division has. Choose fewer."))
        if plan.up != plan.down:
            raise Refused(_("As many go down from a division as come up into it. Choose the same number for both."))
        if not 1 <= plan.days <= model.LONGEST or not 0 <= plan.pause <= model.LONGEST:
            raise Refused(_("A season lasts 1 to {most} days.").format(most=model.LONGEST))
        if plan.days * DAY < CONTROLS[new.clock].bank:
            text = _(
                "A season of {days} is shorter than the time for one move. Choose a longer season or another clock."
            )
            raise Refused(text.format(days=span(plan.days * DAY)))
        return await self.competitions.create(new, plan, "league", source)

    async def join(self, league_id: int, person: int, source: str) -> Competition[League]:
        """Be in the league from the next season on."""
        async with self.competitions.unit(league_id, person, source) as unit:
            state = unit.state
            if state.closed:
                raise Refused(_("This league is closed."))
            if person in state.members:
                raise Refused(_("You are already in this league."))
            if len(state.members) >= model.MOST_MEMBERS:
                raise Refused(_("This league has {most} members, the most allowed.").format(most=model.MOST_MEMBERS))
            await unit.add(model.Joined(person))
            if state.waits:
                # Who has come may be the one that was missing.
                await self._begin(unit)
            await unit.request("league")
        return unit.competition

    async def leave(self, league_id: int, person: int, by: int, source: str) -> Competition[League]:
        """Be in no further season; by oneself or by a director. The present season is played to its end."""
        async with self.competitions.unit(league_id, by, source) as unit:
            if person != by:
                unit.competition.check_directed(by)
            if person not in unit.state.members:
                if unit.state.is_playing and person in unit.state.leaving:
                    text = _("<@{person}> is already leaving after this season.").format(person=person)
                    raise Refused(_("You are already leaving after this season.") if person == by else text)
                if person == by:
                    raise Refused(_("You are not in this league."))
                raise Refused(_("<@{person}> is not in this league.").format(person=person))
            await unit.add(model.Quit(person))
            await unit.request("league")
        return unit.competition

    async def leave_all(self, person: int, source: str) -> None:
        """Leave every league, as ``Registration.leave_all`` leaves tournaments."""
        async with self._work.reading() as tx:
            kept = await competitions.stored.of_person(tx, person)
        for number in sorted({int(row["contest"]) for row in kept if "action" in row}):
            with suppress(Refused, Duplicate):
                await self.leave(number, person, person, f"{source}:league:{number}")

    async def start(self, league_id: int, by: int, source: str) -> Competition[League]:
        """Begin a season: the first, or the next one before its time."""
        order = await self._by_rating(await self.competitions.load(league_id))
        async with self.competitions.unit(league_id, by, source) as unit:
            unit.competition.check_directed(by)
            if unit.state.closed:
                raise Refused(_("This league is closed."))
            if unit.state.is_playing:
                raise Refused(_("A season is being played. The next one begins when it is over."))
            if not await self._begin(unit, order):
                raise Refused(_("At least two players must be in the league."))
        return unit.competition

    async def close(self, league_id: int, by: int, source: str) -> Competition[League]:
        """No further seasons; the present one is played to its end."""
        async with self.competitions.unit(league_id, by, source) as unit:
            unit.competition.check_directed(by)
            if unit.state.closed:
                raise Refused(_("This league is already closed."))
            await unit.add(model.Closed())
            await unit.request("league")
        return unit.competition

    async def time_passed(self, competition_id: int) -> None:
        """End the season when its time or its last game is over, and begin the next one when that is due."""
        async with self.competitions.unit(competition_id, SYSTEM, f"league:{competition_id}:{self._work.now}") as unit:
            state = unit.state
            season = state.season
            if await timers.get(unit.tx, SERVER, unit.competition.guild_id or 0) is not None:
                # The server has removed the bot, which may come back: nobody can play meanwhile.
                unit.wait(unit.now + HOUR)
                return
            if season is not None and state.is_playing:
                divisions = [await load_tournament(unit.tx, each, to_change=True) for each in season.tournaments]
                if unit.now >= season.until or all(map(_is_done, divisions)):
                    unit.as_source(f"league:{competition_id}:end:{season.number}")
                    await self._end(unit, season, divisions)
            elif state.next_at is not None and unit.now >= state.next_at:
                assert season is not None
                unit.as_source(f"league:{competition_id}:begin:{season.number + 1}")
                if not await self._begin(unit):
                    await unit.add(model.TooFew(season.number))
                    await unit.request("league")

    async def divisions(self, competition: Competition[League], number: int | None = None) -> list[StoredTournament]:
        """The tournaments of a season, by division; without a ``number`` of the last."""
        seasons = competition.state.seasons
        season = next((each for each in reversed(seasons) if number in (None, each.number)), None)
        if season is None:
            return []
        async with self._work.reading() as tx:
            return [await load_tournament(tx, each) for each in season.tournaments]

    async def corrected(self, competition: Competition[League]) -> dict[int, StoredTournament]:
        """The divisions of its seasons in which results were corrected after the end, by their numbers."""
        async with self._work.reading() as tx:
            numbers = await competitions.corrected(tx, competition.id)
            found = [await load_tournament(tx, number) for number in numbers]
        return {division.id: division for division in found if division.is_corrected}

    async def _by_rating(self, competition: Competition[League]) -> dict[int, float]:
        """What the first season's members are ordered by."""
        pool = RatingPool(competition.variant_id, correspondence=True, server=competition.guild_id or 0)
        async with self._work.reading() as tx:
            return {person: (await rating_of(tx, pool, person)).value for person in competition.state.members}

    async def _begin(self, unit: LeagueUnit, ratings: Mapping[int, float] | None = None) -> bool:
        """Begin the next season. Whether there are enough for one."""
        state = unit.state
        if state.season is None and ratings is not None:
            # The first season: the strongest begin in the first division.
            ordered = sorted(state.members, key=lambda person: -ratings.get(person, 0.0))
            state = replace(state, members=tuple(ordered))
        divisions = state.next_divisions()
        if not divisions or len(divisions[0]) < 2:
            return False
        number = 1 if state.season is None else state.season.number + 1
        tournaments = []
        for level, people in enumerate(divisions, start=1):
            fields = {"league": unit.competition.name, "season": number, "division": level}
            division = await self.competitions.begin_tournament(
                unit,
                key=f"s{number}d{level}",
                name=_("{league}, season {season}, division {division}").format(**fields),
                plan=TournamentSettings(Kind.ROUND_ROBIN, limit=len(people), tie_breaks=parse(TIE_BREAKS)),
                people=people,
                first_events=(Scheduled(at_once=True),),
            )
            for paired in division.tournament.format.every_round(division.tournament.state):
                await division.add(paired)
            await division.request("standings")
            tournaments.append((await self.competitions.finalise(unit, division)).id)
        until = unit.now + state.plan.days * DAY
        await unit.add(model.SeasonBegan(number, divisions, tuple(tournaments), until))
        await unit.request("league")
        await unit.request("season", number=number)
        return True

    async def _end(self, unit: LeagueUnit, season: Season, divisions: Sequence[StoredTournament]) -> None:
        """End a season: what is still played is called off and scored, and the divisions' standings are final."""
        finals, places = [], []
        for level, tournament in enumerate(divisions, start=1):
            division = unit.of_tournament(tournament, f"d{level}:")
            if tournament.state.phase is Phase.RUNNING:
                await self._score_what_is_left(division)
                await division.add(Ended())
                await division.request("standings")
                await self.competitions.finalise(unit, division)
            state = division.tournament.state
            lines = tournament.format.ranking(state).lines
            places.append(tuple(line.rank for line in lines))
            absent = await _absent(division, CONTROLS[unit.competition.clock].bank)
            for entrant in state.entrants:
                # Who has left a division, or not moved once, is not enrolled in the next season; a member is for whom
                # another has played on.
                holder = holder_of(unit.state, entrant)
                missing = entrant.is_gone or entrant.number in absent
                if missing and holder == entrant.person and holder in unit.state.members:
                    await unit.add(model.Quit(holder, idle=not entrant.is_gone))
            finals.append(tuple(holder_of(unit.state, state.by_number[line.number]) for line in lines))
        await unit.add(model.SeasonEnded(season.number, tuple(finals), tuple(places)))
        await unit.request("league")
        await unit.request("ended", number=season.number)

    async def _score_what_is_left(self, division: TournamentUnit) -> None:
        """The season is over: games are called off. Who has not moved in one has forfeited; else it is a draw."""
        drawn = phrase("The season is over, and so is this game. It counts as a draw, and is not rated.")
        links = {(g.round, g.white, g.black): g.game_id for g in division.tournament.games if g.status == "running"}
        for number, white, black in division.tournament.state.unfinished:
            game_id = links.get((number, white, black))
            marks, sentence = (Mark.DRAW, Mark.DRAW), drawn
            if game_id is not None:
                turns = await games.turn_rows(division.tx, game_id)
                moved = {row.seat for row in turns if row.kind == "turn"}
                if len(moved) < 2:
                    seat = 1 if 0 in moved else 0
                    lost = (Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN)
                    marks = lost if seat == 0 else lost[::-1]
                    sentence = phrase(
                        "The season is over, and so is this game. {player} made no move and loses it. It is not rated.",
                        player=division.tournament.call((white, black)[seat]),
                    )
                source = f"{division.source}off:{game_id}"
                played = self._work.games.tournament_games
                division.game_changed(await played.call_off(division.tx, game_id, source, sentence))
            await division.add(Scored(number, white, black, *marks), SEASON_ENDED)


def holder_of(league: League, entrant: Entrant) -> int:
    """Whose place in the league an entrant of a division plays for: a member's, also where a substitute plays."""
    return league.holder((*entrant.before, entrant.person))


async def _absent(division: TournamentUnit, enough: int) -> set[int]:
    """Who was to move in a game of a division for ``enough`` time (ms) or until it was lost, and has moved in none; by
    starting numbers. Who has played a game elsewhere, as a director says, has moved."""
    tournament = division.tournament
    asked: set[int] = set()
    moved: set[int] = set()
    for link in tournament.games:
        turns = await games.turn_rows(division.tx, link.game_id)
        seats = {row.seat for row in turns if row.kind == "turn"}
        moved |= {(link.white, link.black)[seat] for seat in seats}
        # Whoever has the second seat was to move only once the first had moved.
        since = next((row.at for row in turns if row.kind == "turn"), division.now)
        waited = link.status == "finished" or division.now - since >= enough
        asked |= {link.white, link.black} if seats and waited else {link.white}
        game = open_game_of(link)
        result = given(tournament, game)
        if result is not None and tournament.is_director(result.by) and game.key in tournament.results:
            pair, marks = tournament.results[game.key]
            moved |= {number for number, mark in zip(pair.seats, marks, strict=True) if mark in PLAYED}
    return asked - moved


def _is_done(tournament: StoredTournament) -> bool:
    return tournament.state.phase is not Phase.RUNNING or tournament.format.is_played_out(tournament.state)
