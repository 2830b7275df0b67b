"""What people can do with team matches of two servers. Every method is one transaction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Refused, about
from bot.games.model.game import Place
from bot.i18n import N_, _, ngettext
from bot.tournaments.model.action_codec import Actions
from bot.tournaments.model.events import Cancelled, Ended, Kind, Substituted, TournamentSettings
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.game_links import counting, is_begun
from bot.tournaments.persistence.stored import SYSTEM, NewCompetition
from bot.tournaments.persistence.stored_competition import Competition, CompetitionKind, CompetitionUnit
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.persistence.stored_tournament import load as load_tournament
from bot.tournaments.standings.tiebreaks import parse
from bot.tournaments.team_matches import model
from bot.tournaments.team_matches.model import MatchAction, MatchPlan, TeamMatch
from bot.tournaments.use_cases.competitions import Competitions
from bot.tournaments.use_cases.work import Overtaken, TournamentWork
from data.queries import competitions as queries
from data.queries import mirrors

MatchUnit: TypeAlias = CompetitionUnit[TeamMatch, MatchAction]

TEAM_MATCHES: Final = CompetitionKind[TeamMatch, MatchAction](
    name="match",
    actions=Actions[MatchAction](MatchAction),
    begun=lambda plan: TeamMatch(MatchPlan.of(plan)),
    after=lambda match, action, _at: model.after(match, action),
    none=N_("There is no team match {number}."),
    none_on_server=N_("There is no team match **{name}** on this server. Choose one from the list."),
    none_here=N_("There is no team match in this channel. Propose one with `/teams challenge`."),
)


class TeamMatches:
    """Matches of two servers: challenged, accepted, lined up, played at boards, and their end told. ``competitions``:
    what can be asked of them as of leagues."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work
        self.competitions = Competitions(work, TEAM_MATCHES)

    async def challenge(
        self, new: NewCompetition, boards: int, server: int | None, source: str
    ) -> Competition[TeamMatch]:
        """A challenge to the server ``server``, or to any whose manager is given the code."""
        if new.clock not in CONTROLS:
            raise Refused(_("A team match needs a clock."))
        if not 1 <= boards <= model.MOST_BOARDS:
            raise Refused(_("A team match has 1 to {most} boards.").format(most=model.MOST_BOARDS))
        if server == new.place.guild_id:
            raise Refused(_("That is this server. Challenge another one."))
        code = self._work.games.tournament_games.seed()[:10].upper()
        return await self.competitions.create(new, MatchPlan(boards, server), "match", source, code)

    async def accept(self, code: str, person: int, place: Place, source: str) -> Competition[TeamMatch]:
        """Accept a challenge for the server of ``place``, where its team's games are played."""
        code = code.strip().upper()
        async with self._work.reading() as tx:
            # No database is asked for what it may not take as text.
            match_id = await queries.by_code(tx, code) if re.fullmatch("[0-9A-Z]+", code) else None
        if match_id is None:
            raise Refused(_("No challenge has this code. Ask the other server for it."))
        async with self.competitions.unit(match_id, person, source) as unit:
            match, state = unit.competition, unit.state
            if state.is_over:
                raise Refused(_("This match was cancelled, or is over."))
            if state.captain:
                raise Refused(_("This challenge has already been accepted."))
            if match.guild_id == place.guild_id:
                raise Refused(_("This is your own server's challenge: another server must accept it."))
            if state.plan.server not in (None, place.guild_id):
                raise Refused(_("This challenge is for another server."))
            await unit.add(model.Accepted(person))
            await unit.add_guests(place)
            await unit.request("match")
        return unit.competition

    async def line_up(
        self, match_id: int, guild_id: int, by: int, people: Sequence[int], source: str, *, manages: bool
    ) -> Competition[TeamMatch]:
        """A team's players by board. When both are lined up the match begins; until then neither sees the other's. Once
        it runs others can play where nobody has moved yet."""
        async with self.competitions.unit(match_id, by, source) as unit:
            home = _side(unit.competition, guild_id, by, manages=manages)
            state = unit.state
            if state.called_off:
                raise Refused(_("This match was cancelled."))
            if state.is_over:
                raise Refused(_("The match is over, so lineups can no longer change."))
            if not state.captain:
                raise Refused(_("No one has accepted this challenge yet."))
            if not people:
                raise Refused(_("Mention the players with @, the first board first: `@one @two`."))
            if len(people) != state.plan.boards or len(set(people)) != len(people):
                text = ngettext(
                    "This match has {count} board: name one player.",
                    "This match has {count} boards: name as many players, each once, the first board first.",
                    state.plan.boards,
                )
                raise Refused(text.format(count=state.plan.boards))
            twice = set(people) & set(state.away if home else state.home)
            if twice:
                text = _("<@{person}> already plays for the other team. Nobody can play for both.")
                raise Refused(text.format(person=min(twice)))
            if state.tournament:
                await self._substitute(unit, people, home=home)
            await unit.add(model.LinedUp(home, tuple(people)))
            if all(unit.state.lined_up) and not state.tournament:
                await self._begin(unit)
            await unit.request("match")
        return unit.competition

    async def call_off(
        self, match_id: int, guild_id: int, by: int, source: str, *, manages: bool, last: int
    ) -> Competition[TeamMatch]:
        """Before it begins, by either side. Raises Overtaken where the event ``last`` is not the last one any more."""
        async with self.competitions.unit(match_id, by, source) as unit:
            home = check_not_over(unit.competition, guild_id, by, manages=manages)
            if last != unit.competition.last or unit.state.tournament:
                raise Overtaken
            await unit.add(model.CalledOff(home))
            await unit.request("match", "cancelled")
        return unit.competition

    async def ask_to_cancel(
        self, match_id: int, guild_id: int, by: int, source: str, *, manages: bool, last: int
    ) -> Competition[TeamMatch]:
        """A match that runs is cancelled only if both sides want it: the other one is asked. Raises Overtaken as
        ``call_off`` does."""
        async with self.competitions.unit(match_id, by, source) as unit:
            home = check_not_over(unit.competition, guild_id, by, manages=manages)
            if last != unit.competition.last or not unit.state.tournament or unit.state.asking is not None:
                raise Overtaken
            await unit.add(model.CancelAsked(home))
            await unit.request("match")
            await unit.request("ask", number=len(unit.state.requests), to=not home)
        return unit.competition

    async def answer_to_cancel(
        self, match_id: int, guild_id: int, by: int, source: str, *, manages: bool, request: int, agreed: bool
    ) -> Competition[TeamMatch]:
        """What a side says to the other's ``request``: with its word the match is cancelled, games in progress are
        called off, and those that are over stay as they are. Not ``agreed``, it goes on; so says who takes it back."""
        async with self.competitions.unit(match_id, by, source) as unit:
            state, home = unit.state, check_not_over(unit.competition, guild_id, by, manages=manages)
            if state.asking is None or request != len(state.requests):
                raise Refused(_("This request has been answered or taken back. The match goes on."))
            if agreed and home == state.asking:
                raise Refused(_("The other team has to agree to that."))
            if agreed:
                games = unit.of_tournament(await load_tournament(unit.tx, state.tournament, to_change=True), "t")
                await games.add(Cancelled())
                await self.competitions.finalise(unit, games)
                await unit.add(model.CalledOff(home))
                await unit.request("cancelled")
            else:
                await unit.add(model.CancelDropped(home))
                if home != state.asking:
                    await unit.request("declined", number=request, to=state.asking)
            await unit.request("match")
            await unit.request("ask", number=request, to=not state.asking)
        return unit.competition

    async def time_passed(self, competition_id: int) -> None:
        """A game of the match has ended, or somebody has corrected a result: tell the score, and the end."""
        async with self.competitions.unit(competition_id, SYSTEM, f"match:{competition_id}:{self._work.now}") as unit:
            if not unit.state.tournament:
                return
            tournament = await load_tournament(unit.tx, unit.state.tournament, to_change=True)
            await unit.request("match")
            if unit.state.called_off:
                return
            score = model.score(points_of(tournament))
            if score == unit.state.score or not tournament.format.is_played_out(tournament.state):
                return
            # Whoever corrects a result after the end has it told again.
            unit.as_source(f"match:{competition_id}:end{unit.competition.last if unit.state.score else ''}")
            if tournament.state.phase is Phase.RUNNING:
                games = unit.of_tournament(tournament, "t")
                await games.add(Ended())
                await self._work.finalise(games)
            asking = unit.state.asking
            await unit.add(model.Finished(*map(str, score)))
            await unit.request("result")
            if asking is not None:
                await unit.request("ask", number=len(unit.state.requests), to=not asking)

    async def tournament_of(self, competition: Competition[TeamMatch]) -> StoredTournament | None:
        """The games of a match that has begun."""
        return await self._work.load(competition.state.tournament) if competition.state.tournament else None

    async def threads(self, tournament: StoredTournament, *, away: bool) -> dict[tuple[int, int], int]:
        """The threads of the games of a match on one of both servers, by the starting numbers of those who play."""
        links = counting(tournament.games)
        if not away:
            return {(link.white, link.black): link.channel_id for link in links if link.channel_id is not None}
        async with self._work.reading() as tx:
            mirrored = [(link, await mirrors.get(tx, link.game_id)) for link in links]
        return {
            (link.white, link.black): mirror.channel_id
            for link, mirror in mirrored
            if mirror is not None and mirror.channel_id is not None
        }

    async def _substitute(self, unit: MatchUnit, people: Sequence[int], *, home: bool) -> None:
        """The match runs: whoever is new to a team takes over a game in which nobody has moved yet, which begins anew.
        Raises Refused."""
        games = unit.of_tournament(await load_tournament(unit.tx, unit.state.tournament, to_change=True), "t")
        for board, substitute in enumerate(people, start=1):
            number, there = 2 * board - home, games.tournament.state
            player = there.by_number[number].person
            if substitute == player:
                continue
            if substitute in there.by_person:
                text = _("<@{person}> already plays in this match. Whoever comes in must be new, and boards stay.")
                raise Refused(text.format(person=substitute))
            running = [link for link in games.tournament.games if link.status == "running"]
            link = next((link for link in running if number in (link.white, link.black)), None)
            if link is None:
                raise Refused(_("The game on board {board} is over: name the same player there.").format(board=board))
            if await is_begun(unit.tx, link):
                text = _(
                    "On board {board} a move has been made, so <@{person}> plays that game to its end: name the same "
                    "player there. Where that cannot be, a director enters the result."
                )
                raise Refused(text.format(board=board, person=player))
            await games.add(Substituted(player, substitute))
            await unit.request("substitute", number=games.tournament.last)
        await self.competitions.finalise(unit, games)

    async def _begin(self, unit: MatchUnit) -> None:
        """Both teams are lined up: the games begin, each in a thread on both servers."""
        state = unit.state
        games = await self.competitions.begin_tournament(
            unit,
            key="games",
            name=unit.competition.name,
            plan=TournamentSettings(Kind.SWISS, rounds=1, tie_breaks=parse("PTS")),
            people=state.people,
        )
        await games.add(model.pairing(state.plan.boards))
        tournament = await self.competitions.finalise(unit, games)
        await unit.add(model.Began(tournament.id))
        await unit.request("began")


def check_not_over(match: Competition[TeamMatch], guild_id: int, by: int, *, manages: bool) -> bool:
    """Raises Refused unless the person may speak for a server's team about cancelling the match, and it is not over.
    Whether that is the home team."""
    home = _side(match, guild_id, by, manages=manages)
    with about(match.name):
        if match.state.called_off:
            raise Refused(_("This match was cancelled."))
        if match.state.is_over:
            raise Refused(_("The match is over."))
    return home


def _side(match: Competition[TeamMatch], guild_id: int, by: int, *, manages: bool) -> bool:
    """Whether a server is the home team's. Raises Refused where it takes no part, or the person may not speak for
    it: who directs or manages it may."""
    if guild_id not in (match.guild_id, match.other_guild_id):
        raise TEAM_MATCHES.refusal_of_number(match.id)
    home = guild_id == match.guild_id
    speaks = match.is_director(by) if home else by == match.state.captain
    if not (speaks or manages):
        raise Refused(_(match.only_directors), event=match.name)
    return home


def points_of(tournament: StoredTournament) -> dict[int, Fraction]:
    """The points of each starting number."""
    return {line.number: line.values[0] for line in tournament.ranking.lines}
