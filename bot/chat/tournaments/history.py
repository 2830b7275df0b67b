"""What has been done in a tournament, for everybody to read."""

from __future__ import annotations

from bot.chat.tournaments.event_texts import sentence
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.opening_texts import secret_text
from bot.chat.wording.dates import moment
from bot.chat.wording.message_text import first_lines
from bot.i18n import _
from bot.tournaments.model import events
from bot.tournaments.persistence.stored_tournament import StoredTournament

ROOM = 1900
"""How many characters a message of events has."""


def audit(tournament: StoredTournament, before: int | None = None) -> str:
    """All events, or those before one; where a message does not hold them, as many of the newest, the newest last."""
    wanted = [event for event in tournament.events if before is None or event.number < before]
    drawn = [] if before is not None else [*texts_of(tournament).drawn(tournament), *secret_text(tournament)]
    # The name stands in the heading, with all its signs.
    room = ROOM - len(tournament.name) - sum(len(line) + 1 for line in drawn)
    lines = first_lines((_line(tournament, event) for event in reversed(wanted)), room)[::-1]
    head = _("**{event}: what has happened**").format(event=tournament.name)
    if lines and len(lines) < len(tournament.events):
        template = _("**{event}: events {first} to {last} of {count}**")
        first, last = wanted[-len(lines)].number, wanted[-1].number
        head = template.format(event=tournament.name, first=first, last=last, count=len(tournament.events))
    if len(lines) < len(wanted):
        before_that = _("Earlier events: `/tournament history` with `before: {number}`.")
        lines.append(before_that.format(number=wanted[-len(lines)].number))
    return "\n".join([head, *lines, *drawn])


def _line(tournament: StoredTournament, event: events.Event) -> str:
    return f"{event.number}. {moment(event.at, 'f')} {sentence(tournament, event)}"
