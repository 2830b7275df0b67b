"""Use cases: from a challenge to the start of a game, and the rematch."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, Unpack

from bot.engine import typed_positions
from bot.engine.errors import BadPosition, VariantError, echoed
from bot.engine.rules import Rules
from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue
from bot.games.model.announcements import ChallengeChanged, ChallengeClosed, Challenged
from bot.games.model.clock import CONTROLS, NONE, with_seat
from bot.games.model.computer_seats import GUEST, LEVELS, another, is_computer, level_of, persons
from bot.games.model.errors import NotOpen, NotRunning, NotSeated, Refused, TooMany
from bot.games.model.game import Game, Place, Side
from bot.games.model.seats import seated
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.kept_rules import made
from bot.games.persistence.repository import new_row
from bot.games.persistence.unit_of_work import GameUnit
from bot.games.use_cases.fair_play import check_unhelped
from bot.games.use_cases.server_variants import ServerVariants
from bot.i18n import N_, _, listed_and, ngettext
from data.queries import announcements, games
from data.queries.game_rows import GameRow, SeatChange, SeatRow
from data.store import Transaction

ONE_AT_A_TIME = N_("A game is already running here, and there is room for only one. Finish it first.")

_GONE = {
    "running": N_("This challenge has already been accepted."),
    "finished": N_("This challenge was accepted, and the game is over."),
    "aborted": N_("This challenge was accepted, and the game was called off."),
    "declined": N_("This challenge has been declined."),
    "withdrawn": N_("This challenge has been withdrawn."),
}


class Challenges:
    """Opening, accepting, declining, withdrawing a challenge, and the rematch. ``most``: how many open challenges one
    person may have, and how many running games against the computer."""

    def __init__(self, work: GameWork, most: int, server_variants: ServerVariants) -> None:
        self._work = work
        self._most = most
        self._variants = server_variants

    async def open(
        self,
        *,
        source: str,
        opener: int,
        opponent: int | None,
        variant: str | Ruleset,
        options: Mapping[str, OptionValue] | None,
        side: Side | None,
        place: Place,
        computers: Sequence[int] = (),
        clock: str = NONE,
        rated: bool = False,
        start: str | None = None,
    ) -> Game:
        """A challenge to ``opponent``, or to anyone. ``side`` is the opener's seat, by default drawn by lot; a
        seat that the challenge names is agreed to by whoever accepts it.

        ``variant``: the rules, or the id of a shipped variant, with ``options`` applied.

        ``clock`` is a control of bot.games.model.clock, or "none". ``rated``: the result changes ratings, to which
        whoever accepts agrees; such a game has a clock, and the lot decides the sides.

        ``computers`` are the levels of those who take the last seats that are kept for nobody. A game without a free
        seat begins at once.

        ``start``: the position string that the game begins from, None for the set-up. Such a game is not rated.

        Refused: an unknown variant, option or clock, a position from which no game can begin, a challenge to oneself, a
        side at a table of many, too many challenges (TooMany), more computers than free seats."""
        try:
            rules = await made(self._work.rules_for, variant, options or {})
            if start is not None:
                start = rules.position(typed_positions.check(rules, rules.start(start)))
        except (VariantError, BadPosition) as error:
            raise Refused(error.sentence) from error
        if rated and start is not None:
            raise Refused(_("A game from a position or with a handicap is not rated. Play it unrated."))
        if opponent == opener:
            raise Refused(_("You cannot play against yourself. Challenge someone else, or leave the opponent out."))
        if side not in (None, "lot") and len(rules.seats) != 2:
            raise Refused(_("At a table for more than two, seats are drawn at random. Leave the side out."))
        if clock != NONE and clock not in CONTROLS:
            template = _("There is no clock {name}. There are: {names}.")
            raise Refused(template.format(name=repr(echoed(clock)), names=listed_and([*CONTROLS, NONE])))
        if rated and not place.has_threads:
            raise Refused(_("Rated games are played on servers that have me. Play an unrated one here."))
        for level in computers:
            check_computer(level, rated=rated, guest=True)
        if rated and clock == NONE:
            raise Refused(_("A rated game needs a clock, so that it comes to an end. Choose one with `clock`."))
        if rated and side not in (None, "lot"):
            raise Refused(_("In a rated game, sides are drawn at random. Leave the side out."))
        people = [opener, opponent, *(None for each in rules.seats[2:])]
        for level in computers:
            if None not in people:
                raise Refused(_("There are more computers than free seats. Choose fewer, or a larger table."))
            people[len(people) - 1 - people[::-1].index(None)] = another(people, level)
        if side == "second":
            people.reverse()
        async with self._work.writing(source) as tx:
            new = new_row(rules, place, opener, self._work.clock(), start)
            new = new._replace(side=side or "lot", clock=clock, rated=rated)
            return await self._opened(tx, rules, new, people, source)

    async def accept(self, game_id: int, player: int, source: str) -> Game:
        """Sit down. The game starts when no seat is free; it is played in the challenge's channel if no other game runs
        there, else it needs a thread (``Game.needs_thread``, ``settle_channel``)."""
        async with self._work.unit(game_id, source) as unit:
            game = still_open(unit.game)
            if player == game.opener and len(game.players) == 2:
                raise NotSeated(_("This is your own challenge: someone else must accept it."), game)
            if player in game.players:
                raise NotSeated(_("You already have a seat at this table. The game starts when all are taken."), game)
            seat = _free_seat(game, player)
            if game.players.count(None) == 1:
                await check_free(unit.tx, game.place)
            await unit.act("accept", player)
            await sit(unit, seat, player, self._work.rng)
        return unit.game

    async def decline(self, game_id: int, player: int, source: str) -> Game:
        """By a person invited. A table for more than two stays open: the seat is anyone's then."""
        async with self._work.unit(game_id, source) as unit:
            game = still_open(unit.game)
            seat = next((at for at in free_seats(game) if game.invited[at] == player), None)
            if seat is None:
                text = _("Only the person who was challenged can decline. Ignore it if it is not for you.")
                raise NotSeated(text, game)
            await unit.act("decline", player)
            if len(game.players) == 2:
                await _close(unit, "declined", player)
            else:
                unit.change(replace(game, invited=with_seat(game.invited, seat, None)))
                await change_seat(unit, seat, invited=None)
        return unit.game

    async def withdraw(self, game_id: int, player: int, source: str) -> Game:
        """By the opener, before the game starts."""
        async with self._work.unit(game_id, source) as unit:
            game = still_open(unit.game)
            if player != game.opener:
                raise NotSeated(_("Only the person who made this challenge can withdraw it."), game)
            await unit.act("withdraw", player)
            await _close(unit, "withdrawn", player)
        return unit.game

    async def rematch(self, game_id: int, player: int, source: str, place: Place | None = None) -> Game:
        """A challenge by ``player`` to the others of a finished game, from the same position; of two the sides are
        swapped, unless one gave the other a handicap; the seats of more are drawn anew. One rematch a game, unless it
        did not come about: what another has offered already is returned. It is played under the same rules; of a
        server's own variant only while the server has it. ``place``: where, if not where the game was played."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            seated(game, player)
            if game.status != "finished":
                raise NotRunning(_("You can ask for a rematch when the game is over."), game)
            if not game.casual:
                raise Refused(
                    _("A tournament has no rematches; it arranges its own games. To play more: `/play`."), game
                )
            existing = await games.rematch_of(unit.tx, game.id)
            if existing is not None:
                offered = await self._work.repository.load(unit.tx, existing)
                if offered.status == "open" and offered.opener != player:
                    return offered
                if offered.status == "open":
                    raise Refused(_("You have offered a rematch: wait for the answer, or withdraw it."), game)
                if offered.status in ("running", "finished"):
                    template = _("The rematch of this game is game {number}. To play more: `/play`.")
                    raise Refused(template.format(number=existing), game)
                await games.change_game(unit.tx, existing, rematch_of=None)
                self._work.repository.forget(existing)
            await self._variants.check_offered(unit.tx, game.rules.variant.ruleset)
            for_two = len(game.players) == 2
            people = list(reversed(game.players)) if for_two and game.handicap is None else list(game.players)
            side: Side = "lot" if not for_two else "first" if people[0] == player else "second"
            place = place or replace(game.place, channel_id=game.channel_id or game.place.channel_id)
            new = new_row(game.rules, place, player, unit.now, game.start if game.from_position else None)._replace(
                side=side,
                clock=NONE if game.control is None else game.control.id,
                rematch_of=game.id,
                rated=game.rated and game.casual and not game.from_position,
            )
            return await self._opened(unit.tx, game.rules, new, people, source)

    async def _opened(
        self, tx: Transaction, rules: Rules, new: GameRow, people: Sequence[int | None], source: str
    ) -> Game:
        """A new open game: ``people`` by seat, of whom the opener and computers sit and the others are invited. It
        begins where no seat is free."""
        opener, most = new.opener, self._most
        others = tuple(person for person in persons(people) if person != opener)
        for player in people:
            if player is not None and is_computer(player):
                check_computer(level_of(player), rated=new.rated, guest=True)
        if any(map(is_computer, people)):
            await check_count(tx, opener, most)
            if new.start is not None:
                await check_unhelped(tx, opener, new.variant_id, new.position)
        full = not others and None not in people
        await check_free(tx, Place(new.guild_id, new.place_channel_id, new.answers_only))
        if new.guild_id is not None:
            limit = (await self._work.servers.of(tx, new.guild_id)).max_open_challenges
            if limit is not None and await games.open_count(tx, opener, new.guild_id) >= limit:
                template = ngettext(
                    ("You already have {count} open challenge on this server, the most allowed. Withdraw it, or wait."),
                    (
                        "You already have {count} open challenges on this server, the most allowed. Withdraw one, "
                        "or wait."
                    ),
                    limit,
                )
                raise TooMany(template.format(count=limit))
        if await games.open_count(tx, opener) >= most:
            template = ngettext(
                "You already have {count} open challenge, the most allowed. Withdraw it, or wait.",
                "You already have {count} open challenges, the most allowed. Withdraw one, or wait.",
                most,
            )
            raise TooMany(template.format(count=most))
        pairs: list[int | None] = [] if full else [*others] or [None]
        for other in pairs:
            if await games.open_between(tx, new.place_channel_id, new.variant_id, opener, other) is not None:
                if other is None:
                    raise TooMany(
                        _(
                            "There is already an open challenge to anyone for this game here. Answer or withdraw that "
                            "one first."
                        )
                    )
                template = _(
                    "There is already an open challenge between you and {player} for this game here. Answer or "
                    "withdraw that one first."
                )
                raise TooMany(template.format(player=f"<@{other}>"))
        seats = [
            SeatRow(seat, person, None, new.opened_at)
            if person == opener or is_computer(person)
            else SeatRow(seat, None, person)
            for seat, person in enumerate(people)
        ]
        game = await self._work.repository.add(tx, rules, new, seats)
        unit = self._work.unit_in(tx, game, source)
        await unit.act("open", opener)
        # A game that begins at once needs no challenge, but the post that its thread is made from.
        if not full or await games.running_in(tx, new.place_channel_id) is not None:
            await unit.announce(Challenged(notify=others))
        if full:
            await start_game(unit, opener, self._work.rng)
        return unit.game


async def check_free(tx: Transaction, place: Place) -> None:
    """Raises Refused where another game runs, and none can have a thread: a challenge could not be accepted."""
    if not place.has_threads and await games.running_in(tx, place.channel_id) is not None:
        raise Refused(_(ONE_AT_A_TIME))


async def start_game(unit: GameUnit, accepted_by: int, rng: random.Random) -> None:
    """All seats are taken: draw lots for the sides and toss for the first turn, where the game does, and begin."""
    game = unit.game
    people = list(zip(game.players, game.colours, strict=True))
    if game.side == "lot":
        rng.shuffle(people)
    if game.rules.variant.toss and game.start is None:
        start = game.rules.opening(rng.randrange(len(people)))
        game = replace(game, start=start, state=game.rules.start(start))
    seats = [SeatRow(seat, person, None, unit.now, colour) for seat, (person, colour) in enumerate(people)]
    await games.reseat(unit.tx, game.id, seats)
    busy = await games.running_in(unit.tx, game.place.channel_id) is not None
    unit.change(
        replace(
            game,
            players=tuple(person for person, _ in people),
            colours=tuple(colour for _, colour in people),
            invited=tuple(None for _ in people),
            status="running",
            started_at=unit.now,
            channel_id=None if busy else game.place.channel_id,
        )
    )
    await games.change_game(
        unit.tx,
        game.id,
        status="running",
        to_seat=game.state.seat,
        started_at=unit.now,
        changed_at=unit.now,
        channel_id=unit.game.channel_id,
        start=game.start,
        position=game.rules.position(game.state),
    )
    await announce_change(unit, ChallengeClosed("accepted", accepted_by))
    await unit.schedule()
    await unit.announce_board("start", None, seats_drawn=game.side == "lot")


async def sit(unit: GameUnit, seat: int, player: int, rng: random.Random) -> None:
    """Let ``player`` take a free seat of an open challenge; the game starts when no other is free."""
    unit.change(replace(unit.game, players=with_seat(unit.game.players, seat, player)))
    if None in unit.game.players:
        await change_seat(unit, seat, player=player, sat_at=unit.now)
    else:
        await start_game(unit, player, rng)


async def change_seat(unit: GameUnit, seat: int, **values: Unpack[SeatChange]) -> None:
    """Store what has changed of a seat of an open challenge, whose post is edited."""
    await games.change_seat(unit.tx, unit.game.id, seat, **values)
    await games.change_game(unit.tx, unit.game.id, changed_at=unit.now)
    await announce_change(unit, ChallengeChanged())


async def leave_challenge(unit: GameUnit, person: int) -> None:
    """Take ``person`` out of an open challenge: their own is withdrawn, another's declined, a seat given back."""
    game = unit.game
    if game.opener == person:
        await _close(unit, "withdrawn", None)
    elif len(game.players) == 2:
        await _close(unit, "declined", None)
    else:
        for seat, (player, invited) in enumerate(zip(game.players, game.invited, strict=True)):
            if person in (player, invited):
                await games.change_seat(unit.tx, game.id, seat, player=None, sat_at=None, invited=None, colour=None)
        people = tuple(None if p == person else p for p in game.players)
        unit.change(replace(game, players=people, invited=tuple(None if p == person else p for p in game.invited)))
        await announce_change(unit, ChallengeChanged())


def check_computer(level: int, *, rated: bool, guest: bool = False, game: Game | None = None) -> None:
    """Raises Refused for a level that there is not, and where the game is rated; ``guest``: the guest engine may be
    asked for."""
    if level not in LEVELS and not (guest and level == GUEST):
        refusal = _("There is no level {level}. The levels are {first} to {last}.")
        raise Refused(refusal.format(level=level, first=LEVELS[0], last=LEVELS[-1]), game)
    if rated:
        raise Refused(_("Games against the computer are never rated. Play an unrated one."), game)


async def check_count(tx: Transaction, player: int, most: int) -> None:
    """Raises TooMany where ``player`` has so many games against the computer going on."""
    if await games.against_computers(tx, player) >= most:
        refusal = ngettext(
            "You already have {count} game against the computer, the most allowed. Finish it first.",
            "You already have {count} games against the computer, the most allowed. Finish one first.",
            most,
        )
        raise TooMany(refusal.format(count=most))


def still_open(game: Game) -> Game:
    if game.status != "open":
        raise NotOpen(_(_GONE[game.status]), game)
    return game


def free_seats(game: Game) -> list[int]:
    return [seat for seat, player in enumerate(game.players) if player is None]


def _free_seat(game: Game, player: int) -> int:
    """The seat that ``player`` may take: the one kept for them, else any that is kept for nobody. Raises NotSeated."""
    free = free_seats(game)
    for wanted in (player, None):
        for seat in free:
            if game.invited[seat] == wanted:
                return seat
    whom = ", ".join(f"<@{game.invited[seat]}>" for seat in free)
    raise NotSeated(_("This challenge is for {players}.").format(players=whom), game)


async def _close(unit: GameUnit, how: Literal["declined", "withdrawn"], by: int | None) -> None:
    """End a challenge without a game: ``how`` is its status from now on."""
    await games.change_game(unit.tx, unit.game.id, status=how, ended_at=unit.now, changed_at=unit.now)
    unit.change(replace(unit.game, status=how, ended_at=unit.now))
    await announce_change(unit, ChallengeClosed(how, by))


async def announce_change(unit: GameUnit, content: ChallengeChanged | ChallengeClosed) -> None:
    """Let the challenge's post be edited, if there is one."""
    edits = await announcements.newest(unit.tx, unit.game.id, "challenge")
    if edits is not None:
        await unit.announce(content, edits=edits)
