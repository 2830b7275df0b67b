"""What follows from events, in the same transaction: games that are to be played are made, others are called off."""

from __future__ import annotations

from bot.games.model.announcements import Note
from bot.games.model.clock import PROMPT
from bot.games.model.game import Place
from bot.games.persistence.unit_of_work import GameUnit
from bot.i18n import Phrase, phrase
from bot.ratings.rate import rate
from bot.tournaments.formats.format import GameFields, OpenGame
from bot.tournaments.model.events import Action, Paused
from bot.tournaments.model.schedule import last_date
from bot.tournaments.use_cases.change import StoredTournament, TournamentUnit, load
from bot.tournaments.use_cases.game_links import link_of, match_of, open_game_of
from bot.tournaments.use_cases.no_shows import note_absent
from bot.tournaments.use_cases.stored import SYSTEM
from bot.tournaments.use_cases.work import TournamentWork
from data.queries import competitions as competition_queries
from data.queries import tournaments as queries


class Reconciler:
    """Brings a tournament's games in line with its events, and its events with what comes of games."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def reconcile(self, change: TournamentUnit) -> None:
        """Bring the games in line with the events."""
        while walkovers := change.tournament.format.walkovers(change.tournament.state):
            for walkover in walkovers:
                await change.add(walkover)
        await self._forfeit_of_nobody(change)
        tournament = change.tournament
        to_play = {game.key: game for game in tournament.open_games}
        there = {open_game_of(link).key: link for link in tournament.games if link.status != "aborted"}
        for key, linked in there.items():
            if linked.status == "running" and key not in to_play:
                sentence = phrase("This game is called off: the tournament's director has decided otherwise.")
                source = f"{change.source}:off:{linked.game_id}"
                games = self._work.games.tournament_games
                change.game_changed(await games.call_off(change.tx, linked.game_id, source, sentence))
        for key, game in to_play.items():
            if key not in there:
                await self._make(change, game)

    async def _forfeit_of_nobody(self, change: TournamentUnit) -> None:
        """Who was forgotten by wish cannot play: the opponents win."""
        while (action := _forfeited(change.tournament)) is not None:
            await change.add(action)

    async def _make(self, change: TournamentUnit, pairing: OpenGame) -> None:
        tournament = change.tournament
        of_table = {"players": len(pairing.seats), "places": True} if pairing.by_places else {}
        people = [tournament.state.by_number[number].person for number in pairing.seats]
        game = await self._work.games.tournament_games.arrange(
            change.tx,
            source=f"{change.source}:{match_of(pairing) or pairing.round}:{pairing.white}",
            players=people,
            variant_id=tournament.variant_id,
            options={**tournament.options, **of_table},
            place=tournament.place,
            clock=tournament.clock + (PROMPT if tournament.format.pairs_who_waits else ""),
            heading=_heading(tournament, pairing),
            rated=tournament.rated,
            away=await self._away(change, pairing),
        )
        await change.add_game(link_of(pairing, game.id, tournament.id))

    async def _away(self, change: TournamentUnit, pairing: OpenGame) -> tuple[int, Place] | None:
        """Of a team match of two servers: the seat that plays on the guests', and where that is."""
        match_id = change.tournament.competition_id
        competition = None if match_id is None else await competition_queries.stored.get(change.tx, match_id)
        if competition is None or competition.other_channel_id is None:
            return None
        return int(pairing.black % 2 == 0), Place(competition.other_guild_id, competition.other_channel_id)

    async def game_ended(self, ended: GameUnit) -> None:
        """A game has ended: if it is a tournament's, its result is noted in the same transaction."""
        game, tx = ended.game, ended.tx
        link = await queries.game_of(tx, game.id)
        if game.status != "finished" or game.result is None:
            return
        if link is None:
            if game.rated:
                ended.note_ratings(await rate(tx, game, ended.now))
            return
        tournament = await load(tx, link.tournament_id, to_change=True)
        if tournament.rated:
            ended.note_ratings(await rate(tx, game, ended.now))
        pairing = open_game_of(link)
        if pairing.key not in {each.key for each in tournament.open_games}:
            return
        change = TournamentUnit(tx, tournament, f"game:{game.id}", ended.now, SYSTEM)
        for action in tournament.format.result_of(tournament.state, pairing, game):
            await change.add(action)
            if isinstance(action, Paused):
                sentence = phrase(
                    "<@{player}> pauses in **{event}** now. To play on, press *Join* under its standings.",
                    player=action.person,
                    event=tournament.name,
                )
                await ended.announce(Note(sentence=sentence, tell=()))
        await self.reconcile(change)
        await change.request_round(link.round)
        await note_absent(change, game)
        await self._work.finalise(change)
        self._work.on_commit(tx, lambda: self._work.tell(change))


def _forfeited(tournament: StoredTournament) -> Action | None:
    """What is written down for a game of somebody who was forgotten by wish; None: there is no such game."""
    for game in tournament.open_games:
        gone = [number for number in game.seats if tournament.state.by_number[number].person <= 0]
        if gone and (action := tournament.format.forfeit(tournament.state, game, gone[0])) is not None:
            return action
    return None


def _heading(tournament: StoredTournament, game: OpenGame) -> Phrase:
    """What a game is part of, with the last date that is told with its round."""
    state = tournament.state
    until = 0 if state.timing.carry else last_date(state, tournament.events, game.round, tournament.outages)
    fields: GameFields = {"event": tournament.name, "round": game.round, "match": match_of(game)}
    return tournament.format.heading(state, game, fields, until, in_match=tournament.competition_id is not None)
