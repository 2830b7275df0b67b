"""How a tournament's messages tell of times, limits and those who have entered, and whom they call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.chat.wording.dates import moment
from bot.i18n import _, ngettext, said
from bot.support.time_units import MINUTE
from bot.tournaments.formats.registry import fold
from bot.tournaments.model.events import Cancelled, CheckInOpened, Left, PairedRound, Substituted
from bot.tournaments.model.fold import taken_back
from bot.tournaments.model.schedule import StepKind, last_date, next_step, starts_at
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.finalise import CALLED_AT_ONCE, moved_up_by

Marks = Mapping[int, tuple[int, int]]
"""Who is marked for games that they did not come to: how many, and until when."""

ROOM = 1650
"""How many characters of an announcement are for the names and what stands above them."""

CALLS = ("checkin", "up", "near", "date", "stopped", "cancelled", "withdrawn", "substitute", "norole", "fewroles")
"""The kinds of messages that are told here."""

_MOST_IDLE = 10
"""How many of those who do not play are named."""


def timing(tournament: StoredTournament) -> list[str]:
    """What happens when, and who may enter, as sentences."""
    state, plan = tournament.state, tournament.state.timing
    lines = []
    if state.phase is Phase.ENTRIES and plan.start:
        at = starts_at(state, tournament.events)
        lines.append(_("It begins {date} ({from_now}) by itself.").format(date=moment(at, "f"), from_now=moment(at)))
        if state.check_in_open:
            lines.append(_("Check-in is open: press *Check in* before it begins, or you will not play."))
        elif plan.check_in:
            opens = moment(plan.start - plan.check_in * MINUTE, "t")
            lines.append(_("Check-in opens {time}; anyone who does not check in will not play.").format(time=opens))
        if state.limits.least > 2:
            lines.append(_("With fewer than {least} players it is cancelled.").format(least=state.limits.least))
    if plan.at_once:
        lines.append(_("All games begin together."))
    if plan.pause is not None and not plan.at_once and not tournament.format.has_bracket:
        lines.append(_pause(plan.pause))
    if plan.days:
        text = ngettext(
            "The deadline of a round is {days} day after its pairing.",
            "The deadline of a round is {days} days after its pairing.",
            plan.days,
        )
        lines.append(text.format(days=plan.days))
        if plan.carry:
            lines.append(_("Games not over by then go on; for pairing only, they are treated as draws."))
        else:
            lines.append(_("The director decides games not over by then."))
        if plan.pause is None and plan.carry:
            lines.append(_("Each next round begins by itself on that date."))
        elif plan.pause is None:
            lines.append(_("Each next round begins by itself on that date, once all games are over."))
    if state.phase is Phase.ENTRIES and (placed := len(set(state.seeds) & set(state.by_person))):
        text = ngettext(
            "The director has given {count} player a place in the order by hand.",
            "The director has given {count} players a place in the order by hand.",
            placed,
        )
        lines.append(text.format(count=placed))
    return lines if state.phase is Phase.OVER else [*lines, *_limits(tournament)]


def _pause(minutes: int) -> str:
    if not minutes:
        return _("Each round begins by itself as soon as the one before is over.")
    return ngettext(
        "Each round begins by itself, {minutes} minute after the end of the one before.",
        "Each round begins by itself, {minutes} minutes after the end of the one before.",
        minutes,
    ).format(minutes=minutes)


def _limits(tournament: StoredTournament) -> list[str]:
    limits = tournament.state.limits
    conditions = []
    takes_entries = tournament.state.phase is Phase.ENTRIES or tournament.takes_late_entries
    places = tournament.settings.limit if takes_entries else 0
    full = ngettext(
        "At most {count} player can play; anyone who joins later waits for a place.",
        "At most {count} players can play; anyone who joins later waits for a place.",
        places,
    ).format(count=places)
    if limits.rating_from:
        conditions.append(_("a rating of {rating} or more").format(rating=limits.rating_from))
    if limits.rating_to:
        conditions.append(_("a rating of {rating} or less").format(rating=limits.rating_to))
    if limits.games:
        text = ngettext("at least {count} rated game", "at least {count} rated games", limits.games)
        conditions.append(text.format(count=limits.games))
    if limits.roles:
        roles = ", ".join(f"<@&{role}>" for role in limits.roles)
        conditions.append(_("one of these roles: {roles}").format(roles=roles))
    needed = [_("To enter you need: {conditions}.").format(conditions="; ".join(conditions))] if conditions else []
    return [*([full] if places else []), *needed]


def entered(tournament: StoredTournament, marked: Marks, room: int) -> list[str]:
    """Who has entered, as lines: here, waiting for a place, or marked; as many names as ``room`` characters hold. From
    the start on who plays, and who has left."""
    state = tournament.state
    before = state.phase is Phase.ENTRIES
    began = bool(state.by_number)
    entrants = [
        entrant
        for entrant in state.entrants
        if entrant.person > 0 and (entrant.number if began else not entrant.is_gone)
    ]
    names: list[str] = []
    for entrant in entrants:
        signs = _(" (waiting)") if before and entrant.person in state.beyond else ""
        signs += _(" (left)") if entrant.is_gone else ""
        signs += " ✓" if before and state.check_in_open and entrant.checked_in else ""
        signs += " ⚠" if entrant.person in marked else ""
        names.append(f"<@{entrant.person}>{signs}")
        if sum(map(len, names)) + 2 * len(names) > room:
            break
    shown = ", ".join(names) or _("none yet")
    if len(names) < len(entrants):
        left = len(entrants) - len(names)
        shown += " " + ngettext("and {count} more", "and {count} more", left).format(count=left)
    lines = [_("**{count} entered**: {names}.").format(count=len(entrants), names=shown)]
    idle = [entrant.person for entrant in state.entrants if began and not entrant.number and not entrant.is_gone]
    missed = [person for person in idle if person in state.without_check_in]
    template = _("Not playing, as they did not check in: {people}.")
    if any(tournament.format.lets_in(state, person) for person in missed):
        template = _("Did not check in: {people}. They can still join with *Join*, until round 2 is paired.")
    lines += _idle(template, missed)
    lines += _idle(_("Waiting, as all places are taken: {people}."), [one for one in idle if one not in missed])
    if before and state.check_in_open:
        checked_in = sum(entrant.checked_in for entrant in entrants)
        lines.append(_("✓ has checked in ({count}).").format(count=checked_in))
    if any(entrant.person in marked for entrant in entrants[: len(names)]):
        lines.append(_("⚠ missed a game recently. The mark clears by itself, or with the next game played."))
    return lines


def _idle(template: str, idle: Sequence[int]) -> list[str]:
    """Who does not play though they have entered; nothing for nobody."""
    people = ", ".join(f"<@{person}>" for person in idle[:_MOST_IDLE]) + " …" * (len(idle) > _MOST_IDLE)
    return [template.format(people=people)] if idle else []


def ending(tournament: StoredTournament) -> str:
    """The last line of an announcement from the start on: whether it runs, or how it went."""
    state = tournament.state
    if state.cancelled is not None:
        return cancelled(tournament)
    if state.phase is Phase.OVER:
        return _("It is over.")
    return f"{_('It is running.')} {many_rounds(tournament)}".rstrip()


def many_rounds(tournament: StoredTournament) -> str:
    """A warning where the field is too small for the rounds: of the field as it is, before the start of the limit."""
    running = tournament.state.phase is not Phase.ENTRIES
    players = len(tournament.state.by_number) if running else tournament.settings.limit
    return rounds_warning(players, tournament.settings.rounds)


def rounds_warning(players: int, rounds: int) -> str:
    """What is said where so many players are few for so many rounds; nothing where they are enough."""
    if not players or rounds < players:
        return ""
    text = _("Note: {rounds} rounds is a lot for {players} players; some will meet twice.")
    return text.format(rounds=rounds, players=players)


def cancelled(tournament: StoredTournament) -> str:
    """That it does not take place, and why: who has cancelled it, or how many were there."""
    by = next((event.by for event in reversed(tournament.events) if isinstance(event.action, Cancelled)), SYSTEM)
    fields = {"event": tournament.name, "director": f"<@{by}>"}
    why = tournament.state.cancelled
    if why is None or not why.needed:
        return _("{director} has cancelled **{event}**.").format(**fields)
    if tournament.state.check_in_open:
        text = ngettext(
            "**{event}** is cancelled: only {there} player checked in, but {needed} are needed.",
            "**{event}** is cancelled: only {there} players checked in, but {needed} are needed.",
            why.there,
        )
        if not why.there:
            text = _("**{event}** is cancelled: nobody checked in, but {needed} players are needed.")
    else:
        text = ngettext(
            "**{event}** is cancelled: only {there} player entered, but {needed} are needed.",
            "**{event}** is cancelled: only {there} players entered, but {needed} are needed.",
            why.there,
        )
        if not why.there:
            text = _("**{event}** is cancelled: nobody entered, but {needed} players are needed.")
    return text.format(**fields, there=why.there, needed=why.needed)


def not_paired(tournament: StoredTournament, number: int) -> str:
    """A round whose pairing takes a while, or was taken back."""
    if any(isinstance(e.action, PairedRound) and e.action.round == number for e in tournament.events):
        text = _("**{event}, round {round}** was undone and will be paired again.")
        return text.format(event=tournament.name, round=number)
    players = len(tournament.state.by_number) or len(tournament.state.starters)
    text = _("**{event}, round {round}** is being paired: with {players} players that takes a moment.")
    return text.format(event=tournament.name, round=number, players=players)


def after_round(tournament: StoredTournament, number: int) -> str:
    """What comes after the games of a round: its deadline while they are played, then what is next. Of a tournament
    that is over all rounds read as those did before its end that were not the last one."""
    state = tournament.state
    if state.phase is Phase.OVER:
        return _("The round is over.")
    if left := sum(pairing.round == number for pairing in tournament.open_games):
        if number < state.rounds_paired and state.timing.carry:
            text = ngettext(
                "{count} game goes on and counts when it ends; until then it is a draw for the pairing.",
                "{count} games go on and count when they end; until then they are draws for the pairing.",
                left,
            )
            return text.format(count=left)
        date = last_date(state, tournament.events, number, tournament.outages)
        if not date:
            return ""
        template = _("Deadline: {date} ({from_now}).")
        if date != last_date(state, tournament.events, number, ()):
            template = _("Deadline: {date} ({from_now}), moved by the time for which the bot was out of reach.")
        return template.format(date=moment(date, "f"), from_now=moment(date))
    step = next_step(state, tournament.events, tournament.outages)
    if number < state.rounds_paired:
        return _("The round is over.")
    if step is not None and step.what is StepKind.PAIR:
        return _("The round is over. The next one begins {from_now}.").format(from_now=moment(step.at))
    if step is not None and step.what is StepKind.FINISH:
        return _("The round is over. The tournament ends {from_now}.").format(from_now=moment(step.at))
    if number >= state.rounds_planned:
        return _("The round is over. Now the director can press *Finish*.")
    return _("The round is over. Now the director can press *Pair next round*.")


def to_be_finished(tournament: StoredTournament) -> str:
    """What is still to be done when all games are over."""
    step = next_step(tournament.state, tournament.events, tournament.outages)
    if step is not None and step.what is StepKind.FINISH:
        return _("The tournament ends {from_now}.").format(from_now=moment(step.at))
    directors = " ".join(f"<@{person}>" for person in tournament.directors)
    return _("{directors}: check the results, then press *Finish*.").format(directors=directors)


def call(tournament: StoredTournament, kind: str, number: int) -> tuple[str, tuple[str, ...]]:
    """The text of a message of one of the kinds CALLS, and what it may begin with, whatever has happened since: up to
    what changes in it."""
    state = tournament.state
    directors = " ".join(f"<@{person}>" for person in tournament.directors)
    fields: dict[str, str | int] = {"event": tournament.name, "round": number, "directors": directors}
    match kind:
        case "checkin":
            opened = _("The check-in for **{event}** is open: press *Check in* before it begins {from_now}. {people}")
            closed = _("The check-in for **{event}** is closed.").format(**fields)
            beginnings = up_to(opened, "from_now", **fields), closed
            if state.phase is not Phase.ENTRIES:
                return closed, beginnings
            people = " ".join(f"<@{person}>" for person in called(tournament, kind, number))
            begins = moment(starts_at(state, tournament.events))
            return opened.format(**fields, from_now=begins, people=people), beginnings
        case "up":
            people = " ".join(map(_name, _whom(tournament, kind, number)))
            text = _("{people}: a place has opened up. You are playing in **{event}**.").format(**fields, people=people)
            return text, (text,)
        case "withdrawn":
            fields["player"] = " ".join(map(_name, _whom(tournament, kind, number)))
            out = _("{player}: a director has withdrawn you from **{event}**.").format(**fields)
            back = _("{player}: your withdrawal from **{event}** is undone.").format(**fields)
            return back if number in taken_back(tournament.events) else out, (out, back)
        case "substitute":
            return _of_substitute(tournament, number)
        case "near" | "date":
            template = _(
                "{directors}: the deadline of round {round} of **{event}** is {date}. Still in progress:\n{games}"
            )
            date = moment(last_date(state, tournament.events, number, tournament.outages))
            games = [pairing for pairing in tournament.open_games if pairing.round == number][:30]
            shown = "\n".join(" - ".join(tournament.call_in(game, seat) for seat in game.seats) for game in games)
            text = template.format(**fields, date=date, games=shown)
            if kind == "date" and tournament.format.by_places:
                text += f"\n{_('Enter the places with *Enter a result*; the next round waits for them.')}"
            elif kind == "date":
                text += f"\n{_('Decide each with *Enter a result*; the next round waits for that.')}"
            return text, (up_to(template, "date", **fields),)
        case "stopped":
            template = _("{directors}: **{event}** cannot go on by itself after round {round}. {why}")
            todo = _("Under *Manage* you can pair the round by hand, or correct or undo what stands in the way.")
            if not number:
                template = _("{directors}: **{event}** cannot begin by itself. {why}")
                todo = _("Change what stands in the way under *Manage*, then press *Start*.")
            why = "" if state.halted is None else f"{said(state.halted.why)} {todo}"
            return template.format(**fields, why=why), (up_to(template, "why", **fields),)
        case "norole" | "fewroles":
            text = _(
                "{directors}: **{event}** is for people with certain roles, and none of these is left on the server:"
                " nobody can enter. Choose others: *Manage*, then *Who may enter*."
            )
            if kind == "fewroles":
                text = _(
                    "{directors}: **{event}** is for people with certain roles, and one of these was deleted: anyone "
                    "who had only that role cannot enter. *Manage*, then *Who may enter* changes the roles."
                )
            return text.format(**fields), (text.format(**fields),)
        case _other:
            text = cancelled(tournament)
            people = " ".join(f"<@{person}>" for person in called(tournament, kind, number))
            return f"{text} {people}".rstrip(), (text,)


def _name(person: int) -> str:
    return f"<@{person}>" if person > 0 else _("a player (name deleted)")


def _of_substitute(tournament: StoredTournament, number: int) -> tuple[str, tuple[str, ...]]:
    """What somebody is told who plays on for another, by the event of that number."""
    change = _substitution(tournament, number)
    player, substitute = (f"<@{one}>" if one > 0 else _("a player") for one in (change.person, change.substitute))
    fields = {"event": tournament.name, "player": player, "substitute": substitute}
    now = _("{substitute}: you take over from {player} in **{event}**.").format(**fields)
    never = _("**{event}**: {substitute} will not take over from {player} after all.").format(**fields)
    if number in taken_back(tournament.events):
        return never, (now, never)
    goes_on = any(
        tournament.sits_at(game, seat) == change.person for game in tournament.open_games for seat in game.seats
    )
    finishes = _("{player} still finishes the game in progress.").format(**fields)
    return f"{now} {finishes}" if goes_on else now, (now, never)


def _substitution(tournament: StoredTournament, number: int) -> Substituted:
    """The substitution by the event of that number."""
    action = tournament.events[number - 1].action
    assert isinstance(action, Substituted)
    return action


def up_to(text: str, field: str, **fields: str | int) -> str:
    """The beginning of a text with these fields, up to ``field``."""
    return text.split(f"{{{field}}}", 1)[0].format(**fields)


def called(tournament: StoredTournament, kind: str, number: int) -> tuple[int, ...]:
    """Whom a message of one of the kinds CALLS is for, or the one that says that all is played; who was forgotten by
    wish is called no more."""
    return tuple(person for person in _whom(tournament, kind, number) if person > 0)


def _whom(tournament: StoredTournament, kind: str, number: int) -> tuple[int, ...]:
    match kind:
        case "checkin":
            until = next((e.number for e in tournament.events if isinstance(e.action, CheckInOpened)), 0)
            then = fold(tournament.announced, [event for event in tournament.events if event.number <= until])
            people = [e.person for e in then.entrants][number * CALLED_AT_ONCE : (number + 1) * CALLED_AT_ONCE]
            return tuple(person for person in people if person in tournament.state.by_person)
        case "up":
            return moved_up_by(tournament.announced, tournament.events, number)
        case "cancelled":
            entrants = [entrant for entrant in tournament.state.entrants if not entrant.is_gone]
            part = entrants[number * CALLED_AT_ONCE : (number + 1) * CALLED_AT_ONCE]
            return tuple(entrant.person for entrant in part if entrant.person > 0)
        case "substitute":
            substitute = _substitution(tournament, number).substitute
            return (substitute,) if substitute > 0 else ()
        case "near" | "date" | "stopped" | "norole" | "fewroles":
            return tuple(tournament.directors)
        case "withdrawn":
            action = tournament.events[number - 1].action
            return (action.person,) if isinstance(action, Left) else ()
        case "podium":
            by_itself = tournament.state.timing.by_itself and tournament.state.halted is None
            return tuple(tournament.directors) if tournament.step_by_hand == "finish" and not by_itself else ()
        case _other:
            return ()
