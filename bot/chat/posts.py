"""What the channels are told: an announcement and its game -> the words, buttons and pings of one message.

People are written as mentions, which Discord shows as their names; whom a message pings is said apart, and is at most
the player to move, or whoever a challenge is for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.chat.buttons import COLOURS, board_view, challenge_view, offer_view, view_of
from bot.chat.moments import until
from bot.chat.rated_texts import challenge_lines, end_lines, start_lines
from bot.engine.variants import show
from bot.games.game import Game
from bot.games.offers import concerned
from bot.games.outbox import Announcement


@dataclass(frozen=True, slots=True)
class Post:
    """One message. ``ping`` are the ids of those it notifies; ``picture`` says whether the board goes with it."""

    content: str
    view: discord.ui.View
    ping: tuple[int, ...] = ()
    picture: bool = False

    @property
    def allowed_mentions(self) -> discord.AllowedMentions:
        """What Discord may notify of: ``ping`` and nobody else."""
        people = [discord.Object(person) for person in self.ping]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=people)


def post_of(announcement: Announcement, game: Game) -> Post:
    """What ``announcement`` says of ``game`` as it stood at the announcement's ply. For kinds that edit, the whole new
    text of the message that is edited."""
    payload = announcement.payload
    match announcement.kind:
        case "challenge":
            return Post(challenge_text(game), challenge_view(game), tuple(payload.get("ping", ())))
        case "challenge_changed":
            return Post(challenge_text(game), challenge_view(game))
        case "challenge_closed":
            # Who opened a table and starts it early accepts nothing.
            early = payload["how"] == "accepted" and payload.get("by") == game.opener
            outcome = _CLOSED["started" if early else payload["how"]].format(by=mention(payload.get("by")))
            between = "\n\n" if game.rules.variant.chosen else "\n"  # else it would be part of the list of rules
            return Post(f"{challenge_text(game)}{between}{outcome}", view_of([]))
        case "board":
            ping = tuple(dict.fromkeys((*_to_move(game, [payload.get("ping")]), *payload.get("tell", ()))))
            return Post(board_text(game, payload), board_view(game), ping, picture=True)
        case "offer":
            view = offer_view(game, payload["offer_kind"], payload["offer"])
            return Post(offer_text(game, payload), view, _to_move(game, payload.get("ping", ())))
        case "offer_closed":
            outcome = _OFFER_CLOSED[payload["how"]].format(by=mention(payload.get("by")))
            return Post(f"{_OFFER_NAMES[payload['offer_kind']]}: {outcome}", view_of([]))
        case "note":
            ping = (*_to_move(game, [payload.get("ping")]), *payload.get("tell", ()))
            return Post(payload["sentence"], view_of([]), ping)
        case "reminder" | "digest":
            # Where the person takes no direct messages; the rest of the text comes with the delivery.
            return Post(f"{mention(payload['to'])}: ", view_of([]), (payload["to"],))


def _to_move(game: Game, wished: Any) -> tuple[int, ...]:
    """Of those whom an announcement would ping, the player to move: nobody else is notified during a game."""
    return tuple(person for person in wished if person is not None and person == game.to_move)


def mention(person: int | None) -> str:
    """A person as Discord writes one."""
    return "somebody" if person is None else f"<@{person}>"


# Challenges

_CLOSED = {
    "accepted": "Accepted by {by}.",
    "started": "Started by {by}.",
    "declined": "Declined by {by}.",
    "withdrawn": "Withdrawn.",
}


def challenge_text(game: Game) -> str:
    """Who challenges whom to what, under which rules."""
    name = f"**{game.rules.variant.name}**"
    if len(game.players) > 2:
        return "\n".join([*_table_text(game, name), *_clock_text(game), *challenge_lines(game), *_options_text(game)])
    # Once both sit, nobody is invited any more.
    asked = game.invited if game.status in ("open", "declined", "withdrawn") else game.players
    invited = [mention(person) for person in asked if person is not None and person != game.opener]
    if game.rematch_of is not None:
        first = f"{mention(game.opener)} offers {_and(invited)} a rematch at {name}."
    elif invited:
        first = f"{mention(game.opener)} challenges {_and(invited)} to {name}."
    else:
        first = f"{mention(game.opener)} looks for an opponent at {name}. Anyone may accept."
    return "\n".join([first, _side_text(game), *_clock_text(game), *challenge_lines(game), *_options_text(game)])


def _table_text(game: Game, name: str) -> list[str]:
    """A table for more than two: who sits, for whom seats are kept, whether there is room."""
    kept = [mention(person) for person in game.invited if person is not None and person not in game.players]
    lines = [f"{mention(game.opener)} opens a table of {len(game.players)} at {name}."]
    if kept:
        lines[0] += f" Seats are kept for {_and(kept)}."
    if game.status == "open" and len(kept) < game.players.count(None):
        lines[0] += " Anyone may join."
    return [*lines, f"At the table: {_and(_sitting(game))}."]


def _sitting(game: Game) -> list[str]:
    """Who has a seat, with the colour of the pegs where one was picked."""
    pairs = zip(game.players, game.colours, strict=True)
    return [f"{mention(p)}{'' if c is None else ' ' + COLOURS[c].sign}" for p, c in pairs if p is not None]


def _side_text(game: Game) -> str:
    if game.rules.variant.toss:
        seats = "The lot decides who sits where"
        if game.side != "lot":
            seats = f"{mention(game.opener)} plays {game.seat_name(0 if game.side == 'first' else 1)}"
        return f"{seats}; a toss decides who begins."
    if game.side == "lot":
        return f"{game.seat_name(0)} begins. The lot decides who plays which side."
    seat = 0 if game.side == "first" else 1
    begins = " and begins" if seat == 0 else f"; {game.seat_name(0)} begins"
    return f"{mention(game.opener)} plays {game.seat_name(seat)}{begins}."


def _clock_text(game: Game) -> list[str]:
    return [] if game.control is None else [f"Clock: {game.control.says} (`{game.control.id}`)."]


def _options_text(game: Game) -> list[str]:
    chosen = game.rules.variant.chosen
    if not chosen:
        return []
    specs = game.rules.variant.option_specs
    return ["Rules chosen:", *(f"- `{name}={show(value)}`: {specs[name].says}" for name, value in chosen.items())]


# Boards


def board_text(game: Game, payload: Mapping[str, Any]) -> str:
    """What happened, what counts run, and who is to move or how it ended."""
    lines = [_event_text(game, payload), *start_lines(game, payload)]
    if game.result is None:
        lines += [f"{notice[:1].upper()}{notice[1:]}." for notice in game.state.notices]
        lines += _remedies_text(game)
    if game.status == "running":
        seat = game.state.seat
        turn = f"{mention(game.players[seat])}, it is your turn ({game.seat_name(seat)})."
        lines.append(f"{turn} {until(payload.get('due'))}".rstrip())
    else:
        lines += [result_text(game), *end_lines(payload)]
    return "\n".join(line for line in lines if line)


def _event_text(game: Game, payload: Mapping[str, Any]) -> str:
    by = payload.get("by")
    seat = game.seat_of(by) if by is not None else None
    who = "" if seat is None else game.seat_name(seat)
    match payload.get("event"):
        case "start":
            sides = [f"{mention(player)} plays {game.seat_name(i)}" for i, player in enumerate(game.players)]
            lot = " The lot has decided:" if payload.get("lot") else ""
            toss = f" The toss: {game.seat_name(game.state.seat)} moves first." if game.rules.variant.toss else ""
            event = f"**{payload['heading']}**: " if payload.get("heading") else ""
            return f"{event}**{game.rules.variant.name}** begins.{lot} {_and(sides)}.{toss}"
        case "turn":
            planned = payload.get("planned", ())
            first = game.entries[planned[0] - 2 :] if planned else ()
            before = [f"{game.seat_name(one.seat)}: **{one.text}**{_as_planned(one.number, planned)}" for one in first]
            return "\n".join([*before[:-1], turn_text(game) + _as_planned(game.ply, planned)])
        case "takeback":
            # Whose wish it was, not who agreed to it last.
            asker = game.seat_name(game.entries[-1].seat)
            return f"{asker} takes the last turn back; the board stands as it did before it."
        case "moved":
            return f"The game goes on here. The last move was:\n{turn_text(game) or 'none yet'}"
        case "undo":
            return f"{who} has undone a slip; the board stands as it did before it."
        case "resign" if game.status == "running":
            return f"{who} resigns; the others play on."
        case "timeout" if game.status == "running":
            return f"{who} has run out of time; the others play on."
    return ""


def _as_planned(number: int, planned: Sequence[int]) -> str:
    return " (as planned)" if number in planned else ""


def turn_text(game: Game) -> str:
    """The last turn in words: "White: **c3-d4**"."""
    turn = game.state.last
    if turn is None or not game.line:
        return ""
    who = game.seat_name(game.line[-1].seat)
    if turn.kind == "huff":
        return f"{who} huffs (soplar): the piece on **{game.rules.board.names[turn.path[0]]}** is taken off."
    if turn.kind == "oblige":
        return f"{who} obliges: the last move is taken back, and the capture must be played."
    text = f"{who}: **{turn.text}**"
    return f"{text}, crowned." if turn.crowns else text


def _remedies_text(game: Game) -> list[str]:
    remedies = game.rules.remedies(game.state) if game.status == "running" else ()
    huffs = [f"`{turn.text}`" for turn in remedies if turn.kind == "huff"]
    if not remedies:
        return []
    other = game.seat_name(1 - game.state.seat)
    return [f"{other} could have captured. Before you move you may huff ({_or(huffs)}) or `oblige`; or simply move."]


def result_text(game: Game) -> str:
    """How a game ended."""
    result = game.result
    if result is None:
        return "The game was aborted; it does not count." if game.status == "aborted" else ""
    reason = f"{result.reason[:1].upper()}{result.reason[1:]}"
    if result.winner is None:
        return f"**Drawn.** {reason}."
    winner = f"{mention(game.players[result.winner])} ({game.seat_name(result.winner)})"
    text = f"{reason}. **{winner} wins.**"
    if result.places:
        order = [f"{n}. {mention(game.players[seat])}" for n, seat in enumerate(result.places, start=1)]
        text += "\n" + "\n".join(order)
    return text


# Offers

_OFFER_NAMES = {"draw": "Draw offer", "takeback": "Takeback"}
_OFFER_CLOSED = {"agreed": "agreed.", "declined": "declined by {by}.", "lapsed": "lapsed, as the game went on."}


def offer_text(game: Game, payload: Mapping[str, Any]) -> str:
    """What is offered, by whom to whom."""
    by = payload["by"]
    seats = concerned(game, payload["offer_kind"])
    others = _and([mention(game.players[seat]) for seat in seats if game.players[seat] != by])
    if payload["offer_kind"] == "draw":
        return f"{mention(by)} offers a draw. {others}, do you accept? A move declines it."
    return f"{mention(by)} asks to take the last turn back. {others}, do you agree? A move declines it."


def _and(words: list[str]) -> str:
    return _joined(words, "and")


def _or(words: list[str]) -> str:
    return _joined(words, "or")


def _joined(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
