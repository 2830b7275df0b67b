"""What has been done in a tournament, for everybody to read."""

from __future__ import annotations

import re

from bot.chat.tournaments.bracket_texts import match_title
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.opening_texts import secret_text
from bot.chat.tournaments.texts import action_in_words, person_text
from bot.chat.wording.dates import moment
from bot.chat.wording.message_text import first_lines
from bot.i18n import _, labelled, said
from bot.tournaments.formats.format import SHOWN
from bot.tournaments.model import events
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament

ROOM = 1900
"""How many characters a message of events has."""


def audit(tournament: StoredTournament, before: int | None = None) -> str:
    """The newest events, or the newest of those before one: as many as a message holds, the newest last."""
    wanted = [event for event in tournament.events if before is None or event.number < before]
    drawn = [] if before is not None else [*texts_of(tournament).drawn(tournament), *secret_text(tournament)]
    room = ROOM - sum(len(line) + 1 for line in drawn)
    lines = first_lines((_line(tournament, event) for event in reversed(wanted)), room)[::-1]
    head = _("**{event}: the newest of {count} events**").format(event=tournament.name, count=len(wanted))
    if len(lines) < len(wanted):
        before_that = _("Earlier events: `/tournament history` with `before: {number}`.")
        lines.append(before_that.format(number=wanted[-len(lines)].number))
    return "\n".join([head, *lines, *drawn])


def _line(tournament: StoredTournament, event: events.Event) -> str:
    parts = [f"{event.number}. {moment(event.at, 'f')} {action_in_words(event.action)}"]
    if event.by:
        parts.append(_("by {player}").format(player=f"<@{event.by}>"))
    if (about := details(tournament, event.action)) and not (event.by and about == person_text(event.by)):
        parts.append(f"({about})")
    line = " ".join(parts)
    return labelled(line, said(event.reason)) if event.reason else line


def in_short(tournament: StoredTournament, event: events.Event) -> str:
    """An event in a few words, without mentions."""
    about = re.sub(r"<@!?[0-9]+>", lambda found: _number(tournament, found[0]), details(tournament, event.action))
    return f"{action_in_words(event.action)} ({about})" if about else action_in_words(event.action)


def details(tournament: StoredTournament, action: events.Action) -> str:
    """Whom and what an event is about."""
    match action:
        case events.Scored(round=number):
            return _("round {round}: {white} {result} {black}").format(round=number, **_game(tournament, action))
        case events.ArenaGame(game=game):
            return _("game {game}: {white} {result} {black}").format(game=game, **_game(tournament, action))
        case events.MatchGame(match=match, game=game, white=white, black=black, winner=winner):
            name = match_title(tournament.state.bracket.bracket, match)
            fields = {"match": name, "game": game, "white": tournament.call(white), "black": tournament.call(black)}
            if winner is None:
                return _("{match}, game {game}: {white} - {black}, drawn").format(**fields)
            template = _("{match}, game {game}: {white} - {black}, won by {player}")
            return template.format(**fields, player=tournament.call(winner))
        case events.TableScored(round=number, table=table, places=places):
            placed = ", ".join(
                f"{place or '-'} {tournament.call(one)}" for one, place in zip(table, places, strict=True)
            )
            return _("round {round}: {places}").format(round=number, places=placed)
        case events.RoundPaired(round=number) | events.TablesSeated(round=number):
            return _("round {round}").format(round=number)
        case events.DidNotCome(number=number, round=round_number) | events.ByeAsked(number=number, round=round_number):
            return _("{player}, round {round}").format(player=tournament.call(number), round=round_number)
        case events.Forbade(one=one, other=other) | events.Allowed(one=one, other=other):
            return _("{player} and {other}").format(player=tournament.call(one), other=tournament.call(other))
        case events.Substituted(person=person, substitute=substitute):
            return _("{substitute} for {player}").format(substitute=person_text(substitute), player=person_text(person))
        case events.Undone(event=number):
            return _("event {number}").format(number=number)
        case _:
            whom: int | None = getattr(action, "person", None)
            return "" if whom is None else person_text(whom)


def _game(tournament: StoredTournament, action: events.Scored | events.ArenaGame) -> dict[str, str]:
    pending = action.white_mark is Mark.PENDING
    result = "-" if pending else f"{SHOWN[action.white_mark]} - {SHOWN[action.black_mark]}"
    return {"white": tournament.call(action.white), "black": tournament.call(action.black), "result": result}


def _number(tournament: StoredTournament, mention: str) -> str:
    """A player's starting number for a mention, which lists cannot show."""
    entrant = tournament.state.by_person.get(int(re.sub("[^0-9]", "", mention)))
    return _("No {number}").format(number=entrant.number) if entrant and entrant.number else _("a player")
