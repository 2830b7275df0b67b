"""What a tournament's messages say: its announcement, its rounds, its standings, its podium."""

from __future__ import annotations

from bot.chat import event_kinds as kinds
from bot.chat import event_terms as terms
from bot.chat.answers import fitting
from bot.chat.event_kinds import amount
from bot.engine import variants
from bot.games.clock import CONTROLS
from bot.language import _
from bot.tournaments import rounds
from bot.tournaments.desk import Held
from bot.tournaments.events import Kind
from bot.tournaments.pairings import to_play
from bot.tournaments.prospects import Prospect
from bot.tournaments.record import Mark
from bot.tournaments.results import Preview
from bot.tournaments.state import Phase

_SEEDED = {
    "rating": "by rating",
    "lot": "by lot",
    "entry": "in the order of entry",
}
_SHOWN = {
    Mark.WIN: "1",
    Mark.SHORT_WIN: "1",
    Mark.DRAW: "½",
    Mark.SHORT_DRAW: "½",
    Mark.LOSS: "0",
    Mark.SHORT_LOSS: "0",
    Mark.FORFEIT_WIN: "+",
    Mark.FORFEIT_LOSS: "-",
}
_MOST = 40


def announcement(held: Held, marked: terms.Marks | None = None) -> str:
    """What is played, how, and who has entered; ``marked``: who did not come to games lately."""
    row, plan, state = held.row, held.plan, held.state
    variant = variants.load(row.variant_id, row.options)
    lines = [f"**{row.name}** (tournament {row.id}): {kind_text(held)} at {variant.name}."]
    lines.append(f"Clock: {CONTROLS[row.clock].says} (`{row.clock}`). {'Rated' if row.rated else 'Not rated'}.")
    if variant.chosen:
        lines.append(f"Rules: {', '.join(f'`{name}={value}`' for name, value in variant.chosen.items())}.")
    lines += kinds.rules(held)
    if plan.kind is not Kind.ARENA:
        seeded = f"Players are ordered {_SEEDED[row.seeding]}."
        lines.append(
            f"{seeded} The lot's seed is `{row.lot}`: it gives the first colour"
            f"{' and the order' if row.seeding == 'lot' else ''} (SHA-256 of `seed:id`)."
        )
    if plan.late_until:
        lines.append(f"Late entries are taken until round {plan.late_until} is paired.")
    lines.append(f"Directed by {', '.join(f'<@{person}>' for person in row.directors)}.")
    lines += terms.timing(held)
    lines += terms.entered(held, marked or {}, terms.ROOM - sum(map(len, lines)))
    if state.phase is not Phase.ENTRIES:
        lines.append(terms.ending(held))
    return fitting("\n".join(lines))


def kind_text(held: Held) -> str:
    """The kind of a tournament in words."""
    kind = str(held.plan.kind)
    if special := kinds.kind_of(held):
        return special
    if held.plan.rounds:
        return f"a {kind.capitalize()} of {held.plan.rounds} rounds (Dutch system, C.04.3, 2026)"
    return f"a {kind}"


def round_text(held: Held, number: int) -> str:
    """The games of a round, with the results so far."""
    if number in held.state.seated:
        return fitting("\n".join(kinds.round_of_tables(held, number)))
    if number not in held.state.paired:
        return terms.being_paired(held, number)
    paired = held.state.paired[number]
    lines = [f"**{held.row.name}, round {number}**" + (" (paired by hand)" if paired.by_hand else "")]
    for board, (white, black) in enumerate(paired.games, start=1):
        marks = held.state.record.players[white].entry(number), held.state.record.players[black].entry(number)
        shown = [_SHOWN.get(entry.mark, "") if entry is not None else "" for entry in marks]
        result = f"{shown[0]} - {shown[1]}" if all(shown) else "-"
        lines.append(f"{board}. {held.call(white)} {result} {held.call(black)}")
    if paired.bye is not None:
        free = "has the round off" if held.plan.kind.all_play_all else "has the bye"
        lines.append(f"{held.call(paired.bye)} {free}.")
    lines += paired.notes
    if held.state.phase is Phase.RUNNING:
        lines.append(terms.after_round(held, number))
    return fitting("\n".join(lines).rstrip())


def standings(held: Held) -> str:
    """How the tournament stands; of an elimination, with the matches that are played now."""
    state = held.state
    ranking = rounds.ranking(state)
    after = f" after {state.rounds_paired} of {state.rounds_planned} rounds" if state.rounds_paired else ""
    final = "Final standings" if state.phase is Phase.OVER else f"Standings{after}"
    lines = [f"**{held.row.name}: {final}**", f"({', '.join(ranking.headings)})"]
    now = kinds.arena_now(held)
    lines[1:1] = now[:1]
    for line in ranking.lines[:_MOST]:
        values = [amount(value) for value in line.values]
        gone = " (left)" if state.by_number[line.number].is_gone else kinds.sign(held, line.number)
        lines.append(f"{line.rank}. {held.call(line.number)} **{values[0]}** {' '.join(values[1:])}{gone}".rstrip())
    if len(ranking.lines) > _MOST:
        lines.append(f"and {len(ranking.lines) - _MOST} more: `/tournament export`")
    if state.plan.kind.knocks_out:
        lines += [f"{p.match}: {held.call(p.white)} - {held.call(p.black)}" for p in to_play(state)[:_MOST]]
    lines += now[1:]
    return fitting("\n".join(lines))


def podium(held: Held) -> str:
    """The first three."""
    lines = [f"**{held.row.name} is over.**"]
    best = [line for line in rounds.ranking(held.state).lines if line.rank <= 3][:6]
    lines += [f"{line.rank}. {held.call(line.number)}" for line in best]
    return "\n".join(lines)


def prospect(each: Prospect) -> str:
    """A place that may come."""
    when = {Mark.WIN: "If you win", Mark.DRAW: "If you draw", Mark.LOSS: "If you lose"}
    start = "As it stands" if each.result is None else when[each.result]
    places = f"place {each.best}" if each.best == each.worst else f"between place {each.best} and place {each.worst}"
    return f"{start}: {places}{'' if each.certain else ' (tie-breaks left open)'}."


def preview(held: Held, shown: Preview) -> str:
    """What a result changes, for the director who is to confirm it."""
    lines = ["This corrects a result that is written down." if shown.corrects else "This writes a result down."]
    for number, (was, now) in list(shown.change.points.items())[:10]:
        lines.append(f"{held.call(number)}: {amount(was)} → {amount(now)} points")
    moved = len(shown.change.ranks)
    if moved:
        lines.append(f"{moved} {'player changes' if moved == 1 else 'players change'} place.")
    played = [each.round for each in shown.change.pairings if each.over]
    if played:
        rounds_played = ", ".join(map(str, played))
        lines.append(f"Round {rounds_played} would have been paired otherwise; it is played, and stays.")
    lines.append(shown.change.question or "No round that is being played is touched.")
    return fitting("\n".join(lines))


def audit(held: Held) -> str:
    """The newest events, for everybody to read."""
    lines = [f"**{held.row.name}: the newest of {held.last} events**"]
    for event in held.events[-15:]:
        by = "" if event.by == 0 else f" by <@{event.by}>"
        what = _words(type(event.action).__name__)
        detail = {k: v for k, v in vars_of(event.action).items() if k in ("round", "match", "white", "black", "number")}
        about = ", ".join(f"{key} {value}" for key, value in detail.items())
        why = f": {_(event.reason)}" if event.reason else ""
        lines.append(f"{event.number}. <t:{event.at // 1000}:f> {what}{by}{f' ({about})' if about else ''}{why}")
    return fitting("\n".join(lines))


def vars_of(action: object) -> dict[str, object]:
    """The values of an action by name."""
    return {name: getattr(action, name) for name in getattr(action, "__slots__", ())}


def _words(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
