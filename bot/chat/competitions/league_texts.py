"""What a league's messages say: who is in it, its season, who rises and falls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

from bot.chat.tournaments.texts import letters_text, numbered, person_text, ranked_by, rules_of_play, values_texts
from bot.chat.wording.amounts import amount
from bot.chat.wording.dates import moment
from bot.chat.wording.message_text import LONGEST, fitting
from bot.engine import variants
from bot.i18n import _, labelled, ngettext
from bot.tournaments.leagues.model import MOST_SIZE, League, Season, moves
from bot.tournaments.leagues.service import SEASON_ENDED, holder_of
from bot.tournaments.model.events import Scored
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_competition import Competition
from bot.tournaments.persistence.stored_tournament import StoredTournament

_MOST = 40
_NAMED = 3
"""Down to which place a season's end names people where not all have room."""
_CUT = 5
"""How many games of a division are named that a season's end cut short."""


def announcement(competition: Competition[League]) -> str:
    """What is played, who is in it, and which season it is."""
    state = competition.state
    plan, variant = state.plan, variants.load(competition.ruleset, competition.options)
    text = _("**{name}** (league): {game}, everyone against everyone in divisions of {size}.")
    lines = [text.format(name=competition.name, game=variant.name, size=plan.size)]
    lines += rules_of_play(competition, variant, _("Rated."), in_league=True)
    text = ngettext(
        "A season lasts at most {days} day. Promoted from each division: {up}; relegated: {down}.",
        "A season lasts at most {days} days. Promoted from each division: {up}; relegated: {down}.",
        plan.days,
    )
    lines.append(text.format(days=plan.days, up=plan.up, down=plan.down))
    text = _(
        "Members stay in the league from season to season until they press *Leave*, or play a "
        "season without a single move."
    )
    lines.append(text)
    lines.append(_("Directed by {people}.").format(people=", ".join(map(person_text, competition.directors))))
    people = _people(state.members) or _("none yet")
    text = ngettext("**{count} member**: {people}.", "**{count} members**: {people}.", len(state.members))
    lines.append(text.format(count=len(state.members), people=people))
    return "\n".join([*lines, *_when(state)])


def _people(people: Sequence[int]) -> str:
    shown = ", ".join(map(person_text, people[:_MOST]))
    return shown + (f" +{len(people) - _MOST}" if len(people) > _MOST else "")


def _when(state: League) -> list[str]:
    season = state.season
    if state.is_playing and season is not None:
        text = _("Season {number} ends {at} at the latest.")
        lines = [text.format(number=season.number, at=moment(season.until, "f"))]
        if state.newcomers:
            lines.append(_("Joining with the next season: {people}.").format(people=_people(state.newcomers)))
        if state.leaving:
            lines.append(_("Leaving after this season: {people}.").format(people=_people(state.leaving)))
    elif state.closed:
        return [_("The league is closed.")]
    elif state.waits:
        lines = [_("The next season begins as soon as there are enough members.")]
    elif state.next_at is not None and season is not None:
        lines = [_("Season {number} begins {at}.").format(number=season.number + 1, at=moment(state.next_at))]
    else:
        lines = [_("The director starts the first season with `/league start`.")]
    if state.closed:
        lines.append(_("This is the last season."))
    return lines


def season_text(competition: Competition[League], number: int) -> str:
    """The divisions of a season that begins, and who has risen and fallen."""
    season = _season(competition, number)
    text = _("**{name}, season {number}** has begun. Every game has its own thread; find yours with `/me games`.")
    lines = [text.format(name=competition.name, number=number)]
    for level, people in enumerate(season.divisions, start=1):
        names = ", ".join(map(person_text, people))
        lines.append(_("Division {number}: {people}").format(number=level, people=names))
    if number > 1:
        lines += _moved(_season(competition, number - 1).divisions, season.divisions)
    return "\n".join(lines)


def _moved(before: tuple[tuple[int, ...], ...], after: tuple[tuple[int, ...], ...]) -> list[str]:
    moved = moves(before, after)
    lines = []
    for text, changes in (
        (_("Promoted to division {division}: {people}."), moved.up),
        (_("Relegated to division {division}: {people}."), moved.down),
    ):
        for level in sorted({level for _person, level in changes}):
            people = [person for person, new in changes if new == level]
            lines.append(text.format(division=level, people=_people(people)))
    return lines


def ended_text(competition: Competition[League], number: int, divisions: Sequence[StoredTournament]) -> str:
    """The final standings of a season, who goes up and down by them, what its end cut short, and who is in no further
    one. ``divisions``: its tournaments."""
    season, state = _season(competition, number), competition.state
    rest: list[str] = []
    if any(len({place for place, _person in people}) < len(people) for people in season.standings):
        rest.append(_("Where players share a place, the higher seed counts as higher."))
    following = next((later.divisions for later in state.seasons if later.number == number + 1), None)
    if following is not None:
        rest += _moved(season.divisions, following)
    elif not state.closed and (moved := _moved(season.divisions, state.next_divisions())):
        rest += [*moved, _("This can still change if somebody leaves or joins before the next season.")]
    if corrected := [f"{level}" for level, tournament in enumerate(divisions, start=1) if tournament.is_corrected]:
        text = ngettext(
            "Corrected after the end of the season: division {divisions}. Who goes up and down stays the same.",
            "Corrected after the end of the season: divisions {divisions}. Who goes up and down stays the same.",
            len(corrected),
        )
        rest.append(text.format(divisions=", ".join(corrected)))
    rest += [line for tournament in divisions for line in _cut_short(tournament)]
    out = sorted(person for person in season.people if person > 0 and person not in state.members)
    for text, absent in (
        (_("Not in the next season, because they left: {people}."), [one for one in out if one not in season.idle]),
        (_("Not in the next season, because they made no move: {people}."), [one for one in out if one in season.idle]),
    ):
        if absent:
            rest.append(text.format(people=_people(absent)))
    head, text = _("**{name}, season {number}** is over.").format(name=competition.name, number=number), ""
    for lowest in (MOST_SIZE, _NAMED):
        text = "\n".join([head, *_final_standings(season, divisions, lowest), *rest])
        if len(text) <= LONGEST:
            break
    return text


def _final_standings(season: Season, divisions: Sequence[StoredTournament], lowest: int) -> list[str]:
    """Each division with places and points, down to a place."""
    lines = []
    for level, (people, tournament) in enumerate(zip(season.standings, divisions, strict=True), start=1):
        lines.append(_("**Division {number}** (tournament {id})").format(number=level, id=tournament.id))
        ranked = tournament.ranking.lines
        if tournament.is_corrected:
            people = _places(tournament)
        of_person = {tournament.state.by_number[line.number].person: line for line in ranked}
        # Who was forgotten by wish is nobody here and there: the order tells who it was.
        there = [(place, of_person.get(person, line)) for (place, person), line in zip(people, ranked, strict=True)]
        for place, (_place, line) in numbered([each for each in there if each[0] <= lowest], itemgetter(0)):
            lines.append(f"{place} {tournament.call(line.number)} **{amount(line.values[0])}**")
    return lines


def _cut_short(tournament: StoredTournament) -> list[str]:
    """How the games counted that were in progress when the season ended, and why."""
    ended = [event.action for event in tournament.events if event.reason == SEASON_ENDED]
    drawn, lost = list[str](), list[str]()
    for game in ended:
        if isinstance(game, Scored):
            players = {"player": tournament.call(game.white), "other": tournament.call(game.black)}
            if game.white_mark is Mark.DRAW:
                drawn.append(f"{players['player']} - {players['other']}")
            else:
                if game.white_mark is not Mark.FORFEIT_LOSS:
                    players = {"player": players["other"], "other": players["player"]}
                lost.append(_("{player} (against {other})").format(**players))
    return [
        text.format(games=", ".join(games[:_CUT]) + (f" +{len(games) - _CUT}" if len(games) > _CUT else ""))
        for text, games in (
            (_("Unfinished at the end, and counted as a draw because both had moved: {games}."), drawn),
            (_("Unfinished at the end, and lost by those who had made no move: {games}."), lost),
        )
        if games
    ]


def standings(competition: Competition[League], divisions: Sequence[StoredTournament]) -> str:
    """The tables of the last season, with who would go up and down, or does once it is over."""
    state, season = competition.state, competition.state.season
    if season is None:
        return announcement(competition)
    signs = _signs(state, divisions)
    over = _("final standings") if season.ended_at else _("standings")
    name = f"{competition.name}, {_('season {number}').format(number=season.number)}"
    lines = [f"**{labelled(name, over)}**"]
    for level, tournament in enumerate(divisions, start=1):
        lines.append(_("**Division {number}** (tournament {id})").format(number=level, id=tournament.id))
        lines += ranked_by(tournament.ranking)
        ranked = tournament.ranking.lines
        begun = any(tournament.state.results.values())
        values = values_texts(tournament.ranking, ranked)
        for (number, line), value in zip(numbered(ranked, lambda line: line.rank), values, strict=True):
            entrant = tournament.state.by_number[line.number]
            holder = holder_of(state, entrant)
            sign = signs.get(holder, "") if begun else ""
            if entrant.is_gone or holder not in state.members:
                out = _("(left)") if entrant.is_gone or season.ended_at else _("(leaving)")
                sign = f" {_('(no move)') if holder in season.idle and not entrant.is_gone else out}"
            lines.append(f"{number} {tournament.call(line.number)} {value}{sign}")
    below = [letters_text(tournament) for tournament in divisions[:1]]
    if signs and season.ended_at:
        later = _("This can still change if somebody leaves or joins before the next season.")
        below.insert(0, f"-# {_('▲ goes up, ▼ goes down.')} {later}")
    elif signs:
        below.insert(0, f"-# {_('▲ would go up, ▼ would go down as things stand.')}")
    end = "".join(f"\n{line}" for line in below if line)
    return fitting("\n".join(lines), LONGEST - len(end)) + end


def _signs(state: League, divisions: Sequence[StoredTournament]) -> dict[int, str]:
    """Who rises and who falls by the standings, where there is another season."""
    season = state.season
    if season is None or state.closed:
        return {}
    finals = season.finals or [
        [holder_of(state, tournament.state.by_number[line.number]) for line in tournament.ranking.lines]
        for tournament in divisions
    ]
    moved = moves(season.divisions, state.next_divisions(finals))
    return {person: sign for each, sign in ((moved.up, " ▲"), (moved.down, " ▼")) for person, _level in each}


def history(competition: Competition[League], corrected: Mapping[int, StoredTournament]) -> str:
    """The seasons so far, the newest first: the winner of each division. ``corrected``: the divisions that were
    corrected after the end, by their tournaments' numbers."""
    lines = []
    for season in reversed(competition.state.seasons[-20:]):
        if season.ended_at:
            tables = [
                _places(corrected[division]) if division in corrected else people
                for division, people in zip(season.tournaments, season.standings, strict=True)
            ]
            winners = ", ".join(
                labelled(f"{level}", " = ".join(person_text(person) for place, person in people if place == 1))
                for level, people in enumerate(tables, start=1)
                if people
            )
            text = _("Season {number} (until {at}), winners by division: {winners}.")
            lines.append(text.format(number=season.number, at=moment(season.ended_at, "d"), winners=winners))
        else:
            lines.append(_("Season {number} is being played.").format(number=season.number))
    return "\n".join([f"**{competition.name}**", *(lines or [_("No season has been played yet.")])])


def _places(tournament: StoredTournament) -> tuple[tuple[int, int], ...]:
    """The places in a division and who has them, as it stands now."""
    return tuple((line.rank, tournament.state.by_number[line.number].person) for line in tournament.ranking.lines)


def _season(competition: Competition[League], number: int) -> Season:
    return next(season for season in competition.state.seasons if season.number == number)
