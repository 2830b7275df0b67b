"""What a director is shown in words before a result, a pairing or an undo is written down."""

from __future__ import annotations

import re

from bot.chat.tournaments.event_texts import result, sentence
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.texts import changes
from bot.chat.wording.message_text import LONGEST, first_lines, fitting
from bot.engine import variants
from bot.engine.registry import rules_of
from bot.i18n import _, labelled, ngettext
from bot.tournaments.formats.format import in_numbers
from bot.tournaments.model.events import Event, PairedRound, Undone
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.manual import ManualChange, consequences_of, left_out
from bot.tournaments.use_cases.results import Preview

_MOST_TOLD = 3


def overtaken(tournament: StoredTournament, last: int) -> str:
    """What is said before a preview that takes the place of one that no longer holds: what has happened since the event
    ``last``, the newest of it where that is much."""
    since = [event for event in tournament.events if event.number > last][-_MOST_TOLD:]
    told = "\n".join(f"{event.number}. {sentence(tournament, event)}" for event in since)
    head = _("Something else has happened in **{event}** in the meantime:").format(event=tournament.name)
    return f"{head}\n{told}\n{_('Nothing is done yet. This is how it stands now:')}"


def preview(tournament: StoredTournament, shown: Preview, before: str = "") -> str:
    """What a result changes, for the director who is to confirm it, below what is said ``before``."""
    what = result(tournament, shown.action)
    if shown.repeats:
        return "\n".join(filter(None, [before, labelled(_("That is already the result"), what)]))
    lines = [before, labelled(_("This enters a result"), what)]
    if shown.corrects:
        lines[1:] = [_("This corrects a result.")]
        if shown.was is not None:
            lines.append(labelled(_("So far"), sentence(tournament, shown.was)))
        lines.append(labelled(_("From now on"), what))
    return changes(tournament, "\n".join(filter(None, lines)), shown.change)


def manual_preview(tournament: StoredTournament, shown: ManualChange, before: str = "") -> str:
    """What a change by the director's hand leads to, below what is said ``before``. A round by hand stands in it as it
    is typed, and in full; what is too long is left out of its games."""
    before = f"{before}\n" if before else ""
    if shown.undone is not None:
        undoes = _("This undoes event {number} of **{event}**").format(
            number=shown.undone.number, event=tournament.name
        )
        lines = [before + labelled(undoes, sentence(tournament, shown.undone)), *stays(tournament, shown.undone)]
        first = "\n".join(lines)
        consequences = changes(tournament, first, shown.change, shown.called_off, shown.change.begins)
        return f"{consequences}\n{_('Nothing is done yet: press a button.')}"
    assert not isinstance(shown.action, Undone)
    template = _("This pairs round {round} of **{event}**: `{pairings}`")
    fields = {"round": shown.action.round, "event": tournament.name}
    first = before + template.format(**fields, pairings=in_numbers(shown.action))
    lines = []
    if out := left_out(tournament.state, shown.action):
        lines.append(_("Without a game in that round: {players}.").format(players=", ".join(map(tournament.call, out))))
    lines.append(changes(tournament, "", shown.change, shown.called_off).lstrip())
    lines.append(_("Nothing is done yet: press a button."))
    last = fitting("\n".join(lines), LONGEST - len(first) - 100)
    games = _games(tournament, shown.action, LONGEST - len(first) - len(last) - 50)
    return "\n".join([first, *games, last])


def stays(tournament: StoredTournament, undone: Event) -> list[str]:
    """What has followed from an event and is not taken back with it: the games that somebody has lost by leaving."""
    followed = consequences_of(tournament, undone)
    if not followed:
        return []
    told = "; ".join(f"{result(tournament, action)} ({number})" for number, action in followed)
    return [labelled(_("These results stay; to have the games played, undo these events too"), told)]


def undone_text(tournament: StoredTournament, number: int) -> str:
    """What has been taken back, what stays of it, and what to do now."""
    event = tournament.events[number - 1]
    head = _("Event {number} of **{event}** is undone").format(number=number, event=tournament.name)
    lines = [labelled(head, sentence(tournament, event)), *stays(tournament, event)]
    if (step := tournament.step_by_hand) == "pair":
        lines.append(_("To go on, press *Pair next round*."))
    elif step == "finish":
        lines.append(_("To go on, press *Finish*."))
    elif count := len(tournament.open_games):
        text = ngettext("{count} game is in progress.", "{count} games are in progress.", count)
        lines.append(text.format(count=count))
    return fitting("\n".join(lines))


def round_of_older_preview(text: str) -> str:
    """The round by hand as ``by_hand`` reads it, of a ``manual_preview`` whose buttons carry none, as those posted by
    older versions; "" where there is none."""
    match = re.search(r"`([0-9][0-9, -]*)`", text)
    return match[1] if match else ""


def _games(tournament: StoredTournament, action: PairedRound, room: int) -> list[str]:
    """Games, with their sides, or tables of a round as its message will show them; as many as ``room`` holds."""
    if tournament.format.by_places:
        lines = [
            labelled(_("Table {number}").format(number=number), ", ".join(map(tournament.call, table)))
            for number, table in enumerate(action.groups, start=1)
        ]
    else:
        rules = rules_of(variants.load(tournament.ruleset, tournament.options))
        first, second = (seat.name for seat in rules.seats[:2])
        lines = [
            f"{board}. {tournament.call(white)} ({first}) - {tournament.call(black)} ({second})"
            for board, (white, black) in enumerate(action.groups, start=1)
        ]
    if action.bye is not None:
        lines.append(_(texts_of(tournament).free).format(player=tournament.call(action.bye)))
    shown = first_lines(lines, room)
    if left := len(lines) - len(shown):
        shown.append(ngettext("and {count} more", "and {count} more", left).format(count=left))
    return shown


def by_numbers(tournament: StoredTournament, pairings: str) -> str:
    """Who has which starting number, and a round as it is written by them."""
    players = [f"{number} {tournament.call(number)}" for number in sorted(tournament.state.by_number)]
    lines = [_("Starting numbers: {players}").format(players=", ".join(players))]
    if pairings:
        lines.append(_("The round as it stands: `{pairings}`").format(pairings=pairings))
    return fitting("\n".join(lines))
