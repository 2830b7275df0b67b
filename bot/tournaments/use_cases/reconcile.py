"""What follows from events, in the same transaction: games that are to be played are made, others are called off."""

from __future__ import annotations

from bot.games.model.clock import PROMPT
from bot.games.model.game import Place
from bot.games.persistence.unit_of_work import GameUnit as GameChange
from bot.i18n import Phrase, phrase
from bot.ratings.rate import rate
from bot.tournaments.formats import next_round
from bot.tournaments.formats.open_games import OpenGame, forfeit, known_by, open_games, result_of, seats_of
from bot.tournaments.model.events import Kind, Paused
from bot.tournaments.model.schedule import last_date
from bot.tournaments.use_cases import arena_timer
from bot.tournaments.use_cases.base import TournamentWork
from bot.tournaments.use_cases.change import SYSTEM, StoredTournament, TournamentUnit, load
from bot.tournaments.use_cases.no_shows import note_absent
from data.queries import competitions as contest_queries
from data.queries import tournaments as queries
from data.queries.tournaments import TournamentGame

ROUNDS_POSTED = (Kind.SWISS, Kind.ROUND_ROBIN, Kind.DOUBLE_ROUND_ROBIN, Kind.TABLES)
"""The kinds whose rounds have a post each."""


class Reconciler:
    """Brings a tournament's games in line with its events, and its events with what comes of games."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def reconcile(self, change: TournamentUnit) -> None:
        """Bring the games in line with the events."""
        while walkovers := next_round.walkovers(change.tournament.state):
            for walkover in walkovers:
                await change.add(walkover)
        await self._forfeit_of_nobody(change)
        tournament = change.tournament
        wanted = {known_by(pairing): pairing for pairing in open_games(tournament.state)}
        there = {
            known_by(OpenGame(g.round, g.match, g.white, g.black)): g for g in tournament.games if g.status != "aborted"
        }
        for pairing, linked in there.items():
            if linked.status == "running" and pairing not in wanted:
                sentence = phrase("This game is called off: the tournament's director has decided otherwise.")
                await self._work.games.tournament_games.call_off(
                    change.tx, linked.game_id, f"{change.source}:off:{linked.game_id}", sentence
                )
                change.woken.append(linked.game_id)
        for known, pairing in wanted.items():
            if known not in there:
                await self._make(change, pairing)
        await change.read_again()
        await arena_timer.wake(self._work.games, change)

    async def _forfeit_of_nobody(self, change: TournamentUnit) -> None:
        """Who was forgotten by wish cannot play: the opponents win."""
        while True:
            people = {number: entrant.person for number, entrant in change.tournament.state.by_number.items()}
            missing = [p for p in open_games(change.tournament.state) if min(people[p.white], people[p.black]) <= 0]
            if not missing or change.tournament.plan.kind is Kind.TABLES:
                return
            one = missing[0]
            await change.add(forfeit(change.tournament.state, one, one.white if people[one.white] <= 0 else one.black))

    async def _make(self, change: TournamentUnit, pairing: OpenGame) -> None:
        tournament = change.tournament
        kind = tournament.plan.kind
        people = [tournament.state.by_number[number].person for number in seats_of(pairing, kind)]
        options = dict(tournament.row.options)
        if kind is Kind.TABLES:
            options |= {"players": len(people), "places": True}
        game = await self._work.games.tournament_games.arrange(
            change.tx,
            source=f"{change.source}:{pairing.match or pairing.round}:{pairing.white}",
            players=people,
            variant_id=tournament.row.variant_id,
            options=options,
            place=tournament.place,
            clock=tournament.row.clock + (PROMPT if kind is Kind.ARENA else ""),
            event=where(tournament, pairing),
            rated=tournament.row.rated,
            away=await self._away(change, pairing),
        )
        link = TournamentGame(
            game.id, tournament.row.id, pairing.round, pairing.match, pairing.white, pairing.black, "running"
        )
        await queries.add_game(change.tx, link)
        change.woken.append(game.id)

    async def _away(self, change: TournamentUnit, pairing: OpenGame) -> tuple[int, Place] | None:
        """Of a team match of two servers: the seat that plays on the guests', and where that is."""
        row = change.tournament.row
        contest = None if row.contest_id is None else await contest_queries.get(change.tx, row.contest_id)
        if contest is None or contest.other_channel_id is None:
            return None
        return int(pairing.black % 2 == 0), Place(contest.other_guild_id, contest.other_channel_id)

    async def game_ended(self, ended: GameChange) -> None:
        """A game has ended: if it is a tournament's, its result is noted in the same transaction."""
        game, tx = ended.game, ended.tx
        link = await queries.game_of(tx, game.id)
        if game.status != "finished" or game.result is None:
            return
        if link is None:
            if game.rated:
                ended.outcome = (await rate(tx, game, ended.now)).as_payload
            return
        tournament = await load(tx, link.tournament_id, to_change=True)
        if tournament.row.rated:
            ended.outcome = (await rate(tx, game, ended.now)).as_payload
        pairing = OpenGame(link.round, link.match, link.white, link.black)
        if known_by(pairing) not in map(known_by, open_games(tournament.state)):
            return
        change = TournamentUnit(tx, tournament, f"game:{game.id}", ended.now, SYSTEM)
        for action in result_of(tournament.state, pairing, game):
            await change.add(action)
            if isinstance(action, Paused):
                sentence = phrase(
                    "<@{player}> pauses in **{event}** now. To play on, press *Join* under its standings.",
                    player=action.person,
                    event=tournament.row.name,
                )
                await ended.announce("note", {"sentence": sentence, "ping": None, "tell": []})
        await self.reconcile(change)
        await change.want("standings")
        if tournament.plan.kind in ROUNDS_POSTED and not tournament.state.timing.at_once:
            await change.want("round", round_number=link.round)
        await note_absent(change, game)
        await self._work.finalise(change)
        tournament_id = tournament.row.id
        self._work.on_commit(tx, lambda: self._work.tell(tournament_id, change.woken))


def _until(tournament: StoredTournament, round_number: int) -> int:
    """The last date that is told with the games of a round; 0: none."""
    return (
        0
        if tournament.state.timing.carry
        else last_date(tournament.state, tournament.events, round_number, tournament.outages)
    )


def where(tournament: StoredTournament, pairing: OpenGame) -> Phrase:
    """What a game is part of, as it stands above its first board; whoever reads that may speak another language."""
    fields = {"event": tournament.row.name, "round": pairing.round, "match": pairing.match}
    match tournament.plan.kind:
        case Kind.TABLES:
            tables = tournament.state.seated[pairing.round].tables
            table = tables.index(seats_of(pairing, Kind.TABLES)) + 1
            return phrase("{event}, round {round}, table {table}", **fields, table=table)
        case Kind.ARENA:
            return phrase("{event}, game {round}", **fields)
        case kind if kind.knocks_out:
            return phrase("{event}, match {match}", **fields)
        case _other if tournament.row.contest_id is not None and tournament.plan.kind is Kind.SWISS:
            board = tournament.state.paired[pairing.round].games.index((pairing.white, pairing.black)) + 1
            return phrase("{event}, board {board}", event=tournament.row.name, board=board)
        case _other if date := _until(tournament, pairing.round):
            return phrase("{event}, round {round}, until {date}", **fields, date=f"<t:{date // 1000}:f>")
        case _other:
            return phrase("{event}, round {round}", **fields)
