"""What follows from events, in the same transaction: games that are to be played are made, others are called off."""

from __future__ import annotations

from typing import NamedTuple

from bot.games.desk import Change as GameChange
from bot.tournaments import rated, rounds
from bot.tournaments.desk import SYSTEM, Changing, TournamentDesk, load
from bot.tournaments.events import DidNotCome, MatchGame, Scored
from bot.tournaments.record import Mark
from bot.tournaments.state import Phase, Tournament
from data import tournaments as queries
from data.tournaments import TournamentGame


class Pairing(NamedTuple):
    """A game that is to be played. ``round``: of an elimination the game's number in its match."""

    round: int
    match: str
    white: int
    black: int


def to_play(state: Tournament) -> tuple[Pairing, ...]:
    """The games that are paired and have no result."""
    if state.phase is not Phase.RUNNING:
        return ()
    if not state.plan.kind.knocks_out:
        return tuple(Pairing(number, "", white, black) for number, white, black in state.unfinished)
    found = []
    for match in state.bracket.open:
        one, other = sorted(number for number in match.players if number)
        number = len(match.games) + 1
        # The better seed begins the first game; after a draw the other one does.
        white, black = (one, other) if number % 2 else (other, one)
        found.append(Pairing(number, match.match.key, white, black))
    return tuple(found)


class Following(TournamentDesk):
    """Games that follow from events, and events that follow from games."""

    async def _follow(self, change: Changing) -> None:
        """Bring the games in line with the events."""
        while walkovers := rounds.walkovers(change.held.state):
            for walkover in walkovers:
                await change.add(walkover)
        await self._forfeit_of_nobody(change)
        held = change.held
        wanted = to_play(held.state)
        there = {Pairing(g.round, g.match, g.white, g.black): g for g in held.games if g.status != "aborted"}
        for pairing, linked in there.items():
            if linked.status == "running" and pairing not in wanted:
                sentence = "This game is called off: the tournament's director has decided otherwise."
                await self._games.call_off(change.tx, linked.game_id, f"{change.source}:off:{linked.game_id}", sentence)
                change.woken.append(linked.game_id)
        for pairing in wanted:
            if pairing not in there:
                await self._make(change, pairing)
        await change.read_again()

    async def _forfeit_of_nobody(self, change: Changing) -> None:
        """Who was forgotten by wish cannot play: the opponents win."""
        while True:
            people = {number: entrant.person for number, entrant in change.held.state.by_number.items()}
            missing = [p for p in to_play(change.held.state) if min(people[p.white], people[p.black]) <= 0]
            if not missing:
                return
            one = missing[0]
            gone, other = (one.white, one.black) if people[one.white] <= 0 else (one.black, one.white)
            if one.match:
                await change.add(MatchGame(one.match, one.round, one.white, one.black, other))
            else:
                await change.add(DidNotCome(gone, one.round))

    async def _make(self, change: Changing, pairing: Pairing) -> None:
        held = change.held
        people = [held.state.by_number[number].person for number in (pairing.white, pairing.black)]
        where = f"match {pairing.match}" if pairing.match else f"round {pairing.round}"
        game = await self._games.arrange(
            change.tx,
            source=f"{change.source}:{pairing.match or pairing.round}:{pairing.white}",
            players=people,
            variant_id=held.row.variant_id,
            options=held.row.options,
            place=held.place,
            clock=held.row.clock,
            event=f"{held.row.name}, {where}",
        )
        link = TournamentGame(
            game.id, held.row.id, pairing.round, pairing.match, pairing.white, pairing.black, "running"
        )
        await queries.add_game(change.tx, link)
        change.woken.append(game.id)

    async def game_ended(self, ended: GameChange) -> None:
        """A game has ended: if it is a tournament's, its result is noted in the same transaction."""
        game, tx = ended.game, ended.tx
        link = await queries.game_of(tx, game.id)
        if link is None or game.status != "finished" or game.result is None:
            return
        held = await load(tx, link.tournament_id, to_change=True)
        if held.row.rated:
            await rated.rate(tx, game, ended.now)
        pairing = Pairing(link.round, link.match, link.white, link.black)
        if pairing not in to_play(held.state):
            return
        change = Changing(tx, held, f"game:{game.id}", ended.now, SYSTEM)
        winner = game.result.winner
        last = game.entries[-1]
        came = any(entry.kind == "turn" and entry.seat == last.seat for entry in game.entries)
        if link.match:
            by_seat = (link.white, link.black)
            victor = None if winner is None else by_seat[winner]
            await change.add(MatchGame(link.match, link.round, link.white, link.black, victor))
        elif last.kind == "timeout" and not came:
            await change.add(DidNotCome((link.white, link.black)[last.seat], link.round))
        else:
            marks = (Mark.DRAW, Mark.DRAW) if winner is None else (Mark.WIN, Mark.LOSS)
            first, second = marks if winner != 1 else marks[::-1]
            await change.add(Scored(link.round, link.white, link.black, first, second))
        await self._follow(change)
        await change.want("standings")
        if not link.match:
            await change.want("round", round_number=link.round)
        tournament = held.row.id
        self._games.after(tx, lambda: self.changed(tournament, change.woken))
