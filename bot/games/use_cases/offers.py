"""Use cases: draws and takebacks, which need the consent of all whom they concern."""

from __future__ import annotations

from dataclasses import replace

from bot.games.model.announcements import Note, Offered
from bot.games.model.computer_seats import called, is_computer, persons
from bot.games.model.errors import NoSuchOffer, NotSeated, Refused, TooMany
from bot.games.model.game import Game, Offer, OfferKind, last_turn_number, moved
from bot.games.model.seats import check_moves_may_go_back, playing, present
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.unit_of_work import GameUnit
from bot.games.use_cases.computer import before_own_turn, go_back, only_computers_mind
from bot.i18n import _, phrase
from data.queries import offers
from data.queries.offers import OfferRow


class Offers:
    """Lets players offer draws, ask for takebacks, and answer; when all have agreed, it is done."""

    def __init__(self, work: GameWork) -> None:
        self._work = work

    async def offer_draw(self, game_id: int, player: int, source: str) -> Game:
        """Offer a draw (once per own turn). Where another's offer stands, this is agreeing to it."""
        async with self._work.unit(game_id, source) as unit:
            seat = playing(unit.game, player)
            if not unit.game.casual and not moved(unit.game) >= set(unit.game.playing):
                raise Refused(_("In a tournament game, you can offer a draw once everyone has moved."), unit.game)
            standing = _standing(unit.game, "draw")
            if standing is not None and seat != standing.seat:
                await _agree(unit, standing, seat, player)
            else:
                await _offer(unit, "draw", seat, player, None)
        return unit.game

    async def ask_takeback(self, game_id: int, player: int, source: str) -> Game:
        """Ask to go back to before one's own last turn (once per own turn). Against computers alone it is done at
        once."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            seat = present(game, player)
            check_moves_may_go_back(game)
            standing = _standing(game, "takeback")
            if standing is not None and standing.seat != seat:
                asker = game.players[standing.seat]
                template = _("{player} asks for a takeback: answer that first.")
                raise Refused(template.format(player=f"<@{asker}>"), game)
            if only_computers_mind(game, seat):
                await go_back(unit, seat, player)
            else:
                await _offer(unit, "takeback", seat, player, await before_own_turn(game, seat))
        return unit.game

    async def answer(
        self, kind: OfferKind, game_id: int, player: int, agree: bool, source: str, offer_id: int | None = None
    ) -> Game:
        """Answer the draw offer that stands, or the takeback that is asked for; ``offer_id`` (of a button) must be that
        one, else NoSuchOffer."""
        async with self._work.unit(game_id, source) as unit:
            game = unit.game
            # A turn taken back may be the one that brought somebody home.
            seat = playing(game, player) if kind == "draw" else present(game, player)
            offer = _standing(game, kind)
            if offer is None or offer_id not in (None, offer.id):
                draw = _("That draw offer no longer stands.")
                back = _("That takeback request no longer stands.")
                raise NoSuchOffer(draw if kind == "draw" else back, game)
            if offer.seat == seat:
                draw = _("This is your own draw offer: someone else must answer it.")
                back = _("This is your own takeback request: someone else must answer it.")
                raise NotSeated(draw if kind == "draw" else back, game)
            if agree:
                await _agree(unit, offer, seat, player)
            else:
                await unit.act(f"decline {kind}", player)
                await unit.close_offer(offer, "declined", player)
                # A computer answers at once, and the offer's post says it; where the bot may only answer there is none.
                if not is_computer(player) or game.place.answers_only:
                    await _tell_declined(unit, offer, player)
        return unit.game


def concerned(game: Game, kind: OfferKind) -> tuple[int, ...]:
    """The seats that must consent: to a draw those that still play, to a takeback also those that are home."""
    return game.playing if kind == "draw" else game.present


async def announce_offer(
    unit: GameUnit, kind: OfferKind, seat: int, back_to: int | None, *, again: int = 0, second: bool | None = None
) -> int:
    """Announce the offer of a seat to those who must consent; the announcement's id. ``again``: the id of a standing
    offer whose post is gone, of a game of two servers on the ``second`` or the first."""
    game = unit.game
    others = (game.players[at] for at in concerned(game, kind) if at != seat)
    asked = tuple(player for player in others if player is not None)
    return await unit.announce(
        Offered(offer_kind=kind, by=game.players[seat], notify=asked, back_to=back_to, offer=again), second=second
    )


def _standing(game: Game, kind: OfferKind) -> Offer | None:
    return next((offer for offer in game.offers if offer.kind == kind), None)


async def _offer(unit: GameUnit, kind: OfferKind, seat: int, player: int, back_to: int | None) -> None:
    game = unit.game
    if (standing := _standing(game, kind)) is not None:
        draw = _("You have offered a draw: wait for the answer.")
        back = _("You have asked for a takeback: wait for the answer.")
        raise TooMany(draw if kind == "draw" else back, replace(game, offers=(standing,)))
    last = await offers.last_ply(unit.tx, game.id, kind, seat)
    if last is not None and last >= last_turn_number(game, seat):
        draw = _("You have already offered a draw since your last move. Move before you offer another.")
        back = _("You have already asked for a takeback since your last move. Move before you ask again.")
        raise TooMany(draw if kind == "draw" else back, game)
    await unit.act(f"offer {kind}", player)
    offer = Offer(await announce_offer(unit, kind, seat, back_to), kind, seat, game.ply, unit.now, back_to)
    row = OfferRow(offer.id, offer.kind, offer.seat, offer.ply, offer.at, offer.back_to, offer.agreed)
    await offers.add(unit.tx, game.id, row)
    unit.change(replace(game, offers=(*game.offers, offer)))


async def _tell_declined(unit: GameUnit, offer: Offer, player: int) -> None:
    """Tell whoever made an offer who declines it."""
    asker = unit.game.players[offer.seat]
    names = {"asker": called(asker), "player": called(player)}
    sentence = phrase("{asker}, {player} declines the draw. The game goes on.", **names)
    if offer.kind == "takeback":
        sentence = phrase("{asker}, {player} does not agree to the takeback. The game goes on.", **names)
    await unit.announce(Note(sentence=sentence, notify=persons([asker])))


async def _agree(unit: GameUnit, offer: Offer, seat: int, player: int) -> None:
    """One more has agreed; when all whom it concerns have, the offer comes true."""
    game = unit.game
    if seat in offer.agreed:
        raise TooMany(_("You have already agreed: the others have not answered yet."), game)
    agreed = (*offer.agreed, seat)
    if set(concerned(game, offer.kind)) - {offer.seat, *agreed}:
        await unit.act(f"agree to {offer.kind}", player)
        await offers.agree(unit.tx, offer.id, agreed)
        standing = tuple(replace(o, agreed=agreed) if o.id == offer.id else o for o in game.offers)
        unit.change(replace(game, offers=standing))
        return
    await unit.close_offer(offer, "agreed", player)
    await unit.append(offer.kind, offer.seat, "" if offer.back_to is None else str(offer.back_to))
    await unit.announce_board(offer.kind, player)
