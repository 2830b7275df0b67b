"""What a tournament's messages say: its announcement, its rounds, its standings, its podium."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from bot.chat.tournaments import schedule_texts
from bot.chat.tournaments.bracket_texts import changed_match_lines, decided_line
from bot.chat.tournaments.format_texts import MOST_LINES, texts_of
from bot.chat.tournaments.opening_texts import openings_text
from bot.chat.tournaments.scenes import heading, headings, medallists, placed_lines, points_text
from bot.chat.tournaments.thread_links import linked
from bot.chat.wording.amounts import amount, columns
from bot.chat.wording.message_text import LONGEST, fitting
from bot.engine import variants
from bot.games.model.clock import CONTROLS, span
from bot.i18n import N_, _, labelled, ngettext
from bot.tournaments.analysis.impact import Impact
from bot.tournaments.analysis.prospects import Prospect
from bot.tournaments.formats.format import OpenGame
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored import Stored
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.standings.standings import Ranking, RankingLine
from bot.tournaments.standings.tiebreaks import TieBreak, in_words
from bot.tournaments.team_matches.model import score

T = TypeVar("T")

_MEDALS = "🥇🥈🥉"
_MOST_SHARING = 10
_MOST_CHANGES = 10
_PAGE = 25
# Players of a tournament whose rounds fit into an ordinary message with a link to each game.
_MOST_IN_MESSAGE = 24
# What says how many games of a round are left out takes no more.
_MORE = 80
_ANNOUNCED = N_("**{event}** (tournament {number}): {kind} at {game}.")


def announcement(tournament: StoredTournament, marked: schedule_texts.Marks | None = None) -> str:
    """What is played, how, and who has entered; ``marked``: who did not come to games lately."""
    plan, state = tournament.settings, tournament.state
    variant = variants.load(tournament.ruleset, tournament.options)
    kind = texts_of(tournament).kind(tournament)
    lines = [_(_ANNOUNCED).format(event=tournament.name, number=tournament.id, kind=kind, game=variant.name)]
    lines += rules_of_play(tournament, variant, _("Rated."))
    lines += openings_text(tournament)
    lines += [*texts_of(tournament).rules(tournament), *texts_of(tournament).order(tournament)]
    if plan.late_until > state.rounds_paired and state.phase is not Phase.OVER:
        lines.append(_("Late entries are taken until round {round} is paired.").format(round=plan.late_until))
    lines.append(_("Directed by {people}.").format(people=", ".join(f"<@{person}>" for person in tournament.directors)))
    lines += schedule_texts.timing(tournament)
    lines += schedule_texts.entered(tournament, marked or {}, schedule_texts.ROOM - sum(map(len, lines)))
    if state.phase is not Phase.ENTRIES:
        lines.append(schedule_texts.ending(tournament))
    return fitting("\n".join(lines))


def rules_of_play(of: Stored, variant: variants.Variant, rated: str, *, in_league: bool = False) -> list[str]:
    """Clock, rating, and the house rules where some were chosen; ``rated`` says that games are rated; ``in_league``:
    the first move has as long as any other."""
    clock = _("Clock: {clock} (`{name}`).").format(clock=CONTROLS[of.clock].text, name=of.clock)
    chosen = ", ".join(f"`{name}={value}`" for name, value in variant.chosen.items())
    lines = [f"{clock} {rated if of.rated else _('Not rated.')}"]
    control = CONTROLS[of.clock]
    if in_league:
        lines.append(
            _("The first move has as much time as any other: {time}.").format(
                time=span(max(control.first, control.bank))
            )
        )
    elif control.first < control.bank and not control.live:
        # Whoever does not come is not waited for as long as for a move.
        lines.append(_("The first move must be made within {time}.").format(time=span(control.first)))
    return [*lines, _("Rules: {rules}.").format(rules=chosen)] if chosen else lines


def person_text(person: int) -> str:
    """A person as a mention; who was forgotten by wish has no name."""
    return f"<@{person}>" if person > 0 else _("a player (name deleted)")


def has_long_rounds(tournament: StoredTournament) -> bool:
    """Whether a round with all its links is more than an ordinary message holds, also at its end; of one tournament it
    does not change back, as its posts stay what they are."""
    return len(tournament.state.by_number) > _MOST_IN_MESSAGE


def round_text(tournament: StoredTournament, number: int, room: int = LONGEST) -> str:
    """The games of a round, with the results so far, in ``room`` characters at most."""
    if number not in tournament.state.rounds:
        return schedule_texts.not_paired(tournament, number)
    lines = linked(lambda link: texts_of(tournament).round_text(tournament, number, link), room)
    # What comes after the games is said in any case.
    games = [at for at, line in enumerate(lines) if re.match(r"\d+\. ", line)]
    left, most = 0, room if len("\n".join(lines).rstrip()) <= room else room - _MORE
    while games and len("\n".join(lines).rstrip()) > most:
        del lines[games.pop()]
        left += 1
    if left:
        lines.insert(games[-1] + 1 if games else 1, _and_more(left))
    return fitting("\n".join(lines).rstrip(), room)


def standings(tournament: StoredTournament) -> str:
    """How the tournament stands, with what goes on in it now."""
    lines = [f"**{tournament.name}: {card_heading(tournament)}**", *standings_lines(tournament)]
    letters = letters_text(tournament)
    below = f"\n{letters}" if letters else ""
    return fitting("\n".join(lines), LONGEST - len(below)) + below


def card_heading(tournament: StoredTournament) -> str:
    """What stands above the standings in words; of an elimination the bracket comes first until it is over."""
    in_bracket = tournament.format.has_bracket and tournament.state.phase is not Phase.OVER
    return _("Bracket") if in_bracket else heading(tournament)


def standings_pages(tournament: StoredTournament) -> int:
    """How many pages the standings have in words; one at least."""
    return max(1, -(-len(placed_lines(tournament)) // _PAGE))


def own_place(tournament: StoredTournament, person: int) -> str:
    """A player's own place, with what it is by; "" where somebody has none."""
    placed, entrant = placed_lines(tournament), tournament.state.by_person.get(person)
    at = next((at for at, line in enumerate(placed) if entrant is not None and line.number == entrant.number), None)
    if at is None:
        return ""
    text = _("Your place: {place} of {count}.").format(place=placed[at].rank, count=len(placed))
    return f"{text} {values_texts(tournament.ranking, placed)[at]}" if tournament.format.has_points else text


def standings_lines(tournament: StoredTournament, page: int | None = None) -> list[str]:
    """The table of the standings, and what goes on: as much as a post holds, or one page, counted from 0."""
    state, ranking, texts = tournament.state, tournament.ranking, texts_of(tournament)
    placed = placed_lines(tournament)
    shown = slice(MOST_LINES) if page is None else slice(page * _PAGE, (page + 1) * _PAGE)
    lines, values = texts.above(tournament), values_texts(ranking, placed)
    if tournament.format.has_points:
        lines += ranked_by(ranking)
    elif placed and state.phase is not Phase.OVER:
        lines.append(f"**{_('Places so far')}**")
    for (place, line), told in zip(numbered(placed[shown], lambda line: line.rank), values[shown], strict=True):
        gone = f" {_('(left)')}" if state.by_number[line.number].is_gone else texts.sign(tournament, line.number)
        points = f" {told}" if tournament.format.has_points else ""
        lines.append(f"{place} {tournament.call(line.number)}{points}{gone}")
    if page is None and (left := len(placed) - MOST_LINES) > 0:
        lines.append(_and_more(left))
    return lines + texts.below(tournament)


def _and_more(left: int) -> str:
    template = ngettext("and {count} more: `/tournament standings`", "and {count} more: `/tournament standings`", left)
    return template.format(count=left)


def ranked_by(ranking: Ranking) -> list[str]:
    """A line that says what is in bold in each of ``values_texts``, where it is not the points."""
    first = headings(ranking)[0]
    return [] if first == _("Points") else [_("Ranked by: {heading}").format(heading=first)]


def values_texts(ranking: Ranking, lines: Sequence[RankingLine]) -> list[str]:
    """What each place is by, each value but the first with what it is: heard one after the other they mean nothing."""
    names, told = headings(ranking)[1:], []
    for first, *others in columns([line.values for line in lines]):
        rest = ", ".join(f"{name} {value}" for name, value in zip(names, others, strict=True))
        told.append(f"**{first}** · {rest}" if rest else f"**{first}**")
    return told


def letters_text(tournament: StoredTournament) -> str:
    """What the letters above the columns of the standings mean, or the keys of matches; nothing where all is plain."""
    letters = texts_of(tournament).legend(tournament)
    return f"-# {letters}" if letters else ""


def cross_legend(tournament: StoredTournament) -> str:
    """What the signs of a cross-table mean."""
    signs = _("1: won, ½: drawn, 0: lost; + and -: won and lost by forfeit.")
    if tournament.format.is_fixed:
        return signs
    above = _("Above each result: the player's colour and the opponent's line.")
    return f"{above} {signs}"


def numbered(items: Sequence[T], number_of: Callable[[T], int]) -> list[tuple[str, T]]:
    """Each with its number at the beginning of a line. Discord numbers a list itself, from its first number on: where
    they do not just count on, as shared places don't, it is not to be taken for a list."""
    numbers = [number_of(item) for item in items]
    dot = "." if all(after == before + 1 for before, after in pairwise(numbers)) else "\\."
    return [(f"{number}{dot}", item) for number, item in zip(numbers, items, strict=True)]


def announcement_beginning(tournament: StoredTournament) -> str:
    """What ``announcement`` begins with, whatever has happened since."""
    return schedule_texts.up_to(_(_ANNOUNCED), "kind", event=tournament.name, number=tournament.id)


def podium_beginnings(tournament: StoredTournament) -> tuple[str, str, str]:
    """What ``podium`` begins with: when all is played, over, and once either is taken back."""
    played, over, goes_on = (
        _("**{event}: all games are over.**"),
        _("**{event} is over.**"),
        _("**{event} goes on.**"),
    )
    name = tournament.name
    return played.format(event=name), over.format(event=name), goes_on.format(event=name)


def podium(tournament: StoredTournament) -> str:
    """The first three with their points, when all is played and when it is over; before the end what is still to be
    done; that it goes on where that was taken back."""
    played, over, goes_on = podium_beginnings(tournament)
    is_over = tournament.state.phase is Phase.OVER
    if not is_over and tournament.step_by_hand != "finish":
        return goes_on
    lines, is_shared = [over if is_over else played], False
    for place, numbers in medallists(tournament).items():
        people = ", ".join(map(tournament.call, numbers[:_MOST_SHARING]))
        if (left := len(numbers) - _MOST_SHARING) > 0:
            people += " " + ngettext("and {count} more", "and {count} more", left).format(count=left)
        scored = f" · {points_text(tournament, numbers[0])}" if tournament.format.has_points else ""
        lines.append(f"{_MEDALS[place - 1]} {people}{scored}")
        is_shared = is_shared or len(numbers) > 1
    if is_shared:
        equal = _("Players on one line share a place: their points and all tie-breaks are equal.")
        lines.append(equal if tournament.format.has_record else _("Players on one line share a place."))
    lines += _ahead_on_tie_breaks(tournament)
    return "\n".join(lines if is_over else [*lines, schedule_texts.to_be_finished(tournament)])


def _ahead_on_tie_breaks(tournament: StoredTournament) -> list[str]:
    """Why who is on the podium comes before others with as many points."""
    ranking, ranks = tournament.ranking, list(medallists(tournament))
    lines = []
    for rank in ranks:
        upper = [line for line in ranking.lines if line.rank == rank]
        lower = [line for line in ranking.lines if line.rank == rank + len(upper)]
        by = upper[0].by
        if not by or not lower or lower[0].values[0] != upper[0].values[0]:
            continue
        heading = ranking.headings[by]
        fields = {
            "ahead": ", ".join(tournament.call(line.number) for line in upper[:_MOST_SHARING]),
            "behind": ", ".join(tournament.call(line.number) for line in lower[:_MOST_SHARING]),
            "tie_break": in_words(heading) if isinstance(heading, TieBreak) else headings(ranking)[by],
        }
        lines.append(_("Equal points: {ahead} before {behind} on {tie_break}.").format(**fields))
    return lines


def prospects(tournament: StoredTournament, me: int, each: Sequence[Prospect]) -> list[str]:
    """The places that may come, after the game that they hang on."""
    game = next((one.game for one in each), None)
    if game is None:
        return [prospect(one) for one in each]
    (other,) = {*game[1:]} - {me}
    about = labelled(_("Round {round}, your game against {other}").format(round=game[0], other=tournament.call(other)))
    more = sum(me in one[1:] for one in tournament.state.unfinished) - 1
    if more:
        text = ngettext(
            "You have {count} more game to play; these places allow for any result of it.",
            "You have {count} more games to play; these places allow for any results of them.",
            more,
        )
        about = f"{text.format(count=more)} {about}"
    return [about, *(prospect(one) for one in each)]


def prospect(each: Prospect) -> str:
    """A place that may come."""
    when = {
        Mark.WIN: _("If you win: {places}."),
        Mark.DRAW: _("If you draw: {places}."),
        Mark.LOSS: _("If you lose: {places}."),
    }
    template = _("As things stand: {places}.") if each.result is None else when[each.result]
    places = _("between place {best} and place {worst}") if each.best != each.worst else _("place {best}")
    places = places.format(best=each.best, worst=each.worst)
    return template.format(places=places if each.certain else f"{places} {_('(tie-breaks left open)')}")


def changes(
    tournament: StoredTournament, first: str, change: Impact, called_off: int = 0, begins: Sequence[OpenGame] = ()
) -> str:
    """What follows from one more event, after a first line. ``called_off``: how many games that are being played;
    ``begins``: those that begin, where they are to be told."""
    lines = [first]
    told = [] if tournament.is_team_match else list(change.points)[:_MOST_CHANGES]
    lines += [_change(tournament, number, change) for number in told]
    lines += [decided_line(tournament, match) for match in change.decided]
    moved = len(change.ranks.keys() - told)
    if tournament.is_team_match and change.points:
        lines.append(_change_of_score(tournament, change))
    elif moved:
        template = ngettext("{count} other player changes place.", "{count} other players change place.", moved)
        if not told:
            template = ngettext("{count} player changes place.", "{count} players change place.", moved)
        lines.append(template.format(count=moved))
    if played := [str(each.round) for each in change.pairings if each.over]:
        template = _("Round {rounds} would have been paired differently; it has been played and stays.")
        lines.append(template.format(rounds=", ".join(played)))
    matches = changed_match_lines(tournament, change.matches)
    lines += matches
    if called_off and not matches:
        template = ngettext(
            "{count} game in progress is called off.",
            "{count} games in progress are called off.",
            called_off,
        )
        lines.append(template.format(count=called_off))
    if begins and not matches:
        begun = "; ".join(" - ".join(map(tournament.call, game.seats)) for game in begins)
        lines.append(labelled(ngettext("A new game begins", "New games begin", len(begins)), begun))
    if change.question:
        lines.append(change.question)
    elif not (matches or called_off or begins):
        none = _("No other match changes.") if tournament.format.has_bracket else _("Nothing else changes.")
        if tournament.competition_id is not None and not tournament.is_team_match and tournament.is_over:
            none = _("Who goes up and down stays the same.")
        lines.append(none)
    return fitting("\n".join(lines))


def _change_of_score(tournament: StoredTournament, change: Impact) -> str:
    """The board points of both teams of a match, before and after."""
    before = {line.number: line.values[0] for line in tournament.ranking.lines}
    scores = (score(before), score(before | {number: now for number, (_was, now) in change.points.items()}))
    was, now = (" : ".join(map(amount, points)) for points in scores)
    return _("Score: {before} → {after}").format(before=was, after=now)


def _change(tournament: StoredTournament, number: int, change: Impact) -> str:
    before, after = change.points[number]
    parts = [_("points: {before} → {after}").format(before=amount(before), after=amount(after))]
    if number in change.ranks:
        was, now = change.ranks[number]
        parts.append(_("place {before} → {after}").format(before=was, after=now))
    return labelled(tournament.call(number), ", ".join(parts))
