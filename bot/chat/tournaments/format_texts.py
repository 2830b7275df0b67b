"""What is said of each format: its kind in words, its rules, its rounds, and what goes on in it."""

from __future__ import annotations

from collections.abc import Mapping

from bot.chat.tournaments.bracket_texts import bracket_lines, called_in, legend, match_line
from bot.chat.tournaments.opening_texts import ballot_text
from bot.chat.tournaments.schedule_texts import after_round
from bot.chat.tournaments.thread_links import ThreadLink, all_games, game_line, linked, named_link, thread_links
from bot.chat.wording.amounts import amount
from bot.chat.wording.dates import moment
from bot.engine.registry import rules_for
from bot.games.model.clock import FIRST_AT_ONCE
from bot.games.model.errors import Refused
from bot.i18n import N_, _, labelled, ngettext, said
from bot.support.time_units import MINUTE, SECOND
from bot.tournaments.analysis.why_paired import why_this_opponent
from bot.tournaments.analysis.why_tables import why_this_table
from bot.tournaments.formats.arena import PATIENCE, playing
from bot.tournaments.formats.format import OpenGame
from bot.tournaments.model.events import Kind
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.elimination import falls_from
from bot.tournaments.pairing.record import Mark
from bot.tournaments.pairing.swiss.matching import relaxation_of
from bot.tournaments.pairing.tables import SIZES, TableResult, sizes
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.standings.tiebreaks import explained

_MOST_GAMES, _ROOM_FOR_GAMES = 20, 1600
"""Of those that are played in an arena so many are shown, in so many characters."""
MOST_LINES = 40

_SEEDED = {
    "rating": N_("Players are ordered by rating."),
    "lot": N_("Players are ordered at random."),
    "entry": N_("Players are ordered as they entered."),
}


class FormatTexts:
    """The texts of a format. What is said here holds for games of two that are paired in rounds."""

    free = N_("{player} has the bye.")
    """Who plays nobody in a round."""
    why_label = N_("Why this opponent?")

    def __init__(self, creation: str, kind: str = "") -> None:
        self.creation = creation
        """The subcommand of `/tournament create` that creates it; the second one of it is the double one."""
        self._kind = kind

    def kind(self, tournament: StoredTournament) -> str:
        """The kind of a tournament in words."""
        return _(self._kind)

    def rules(self, tournament: StoredTournament) -> list[str]:
        """The rules, as they are said before anybody enters; nothing where everybody knows them."""
        return []

    def order(self, tournament: StoredTournament) -> list[str]:
        """How the players are ordered."""
        return [_(_SEEDED[tournament.settings.seeding])]

    def drawn(self, tournament: StoredTournament) -> list[str]:
        """What is drawn at random, and how that can be checked."""
        template = _("Seed `{seed}`: it decides the first colour (SHA-256 of `{form}`).")
        if tournament.settings.seeding == "lot":
            template = _("Seed `{seed}`: it decides the first colour and the order (SHA-256 of `{form}`).")
        return [template.format(seed=tournament.seed, form="seed:id")]

    def round_text(self, tournament: StoredTournament, number: int, link: ThreadLink) -> list[str]:
        """The games of a round that is paired, with the results so far, and ``link`` to the thread of each."""
        paired = tournament.state.paired[number]
        title = round_beginning(tournament, number)
        lines = [f"{title} {_('(paired by hand)')}" if paired.by_hand else title]
        lines += ballot_text(tournament, number)
        for board, (white, black) in enumerate(paired.games, start=1):
            lines.append(f"{board}. {game_line(tournament, number, (white, black), link)}")
        # A line apart, lest it be taken for a part of the list's last line.
        lines.append("")
        if paired.bye is not None:
            lines.append(free_text(tournament, number, paired.bye))
        for (player, of), mark in sorted(tournament.state.byes.items()):
            if of == number:
                text = _("{player} sits out (½ point).") if mark is Mark.HALF_BYE else _("{player} sits out.")
                lines.append(text.format(player=tournament.call(player)))
        return [*lines, *(said(relaxation_of(note)) for note in paired.notes), after_round(tournament, number)]

    def lost_by_leaving(self, tournament: StoredTournament, person: int) -> list[str]:
        """What somebody loses who leaves now, as sentences."""
        if not tournament.loses_by_leaving(person):
            return []
        count = len(tournament.played_by(person))
        text = ngettext("{count} game in progress is lost.", "{count} games in progress are lost.", count)
        return [text.format(count=count)]

    def start_warning(self, tournament: StoredTournament) -> str:
        """What its director should know before it begins with those who are there; "" where there is nothing."""
        return ""

    def above(self, tournament: StoredTournament) -> list[str]:
        """What goes on, above the standings."""
        return []

    def below(self, tournament: StoredTournament) -> list[str]:
        """What is played now, below the standings."""
        return []

    def playing(self, tournament: StoredTournament) -> list[str]:
        """What is played now where the standings stand in a picture alone; nothing where a round's post tells it."""
        return []

    def legend(self, tournament: StoredTournament) -> str:
        """What the letters and words of the standings mean; nothing where all is plain."""
        return explained(tournament.settings.tie_breaks) if tournament.format.has_record else ""

    def is_placed(self, tournament: StoredTournament, number: int) -> bool:
        """Whether a player has a place in the standings."""
        return True

    def sign(self, tournament: StoredTournament, number: int) -> str:
        """What stands behind a player in the standings."""
        return ""

    def why(self, tournament: StoredTournament, number: int, me: int) -> tuple[str, ...]:
        """Why a player meets whom in a round. Raises Refused, or TournamentError, where that is no question."""
        sides = [seat.name for seat in rules_for(tournament.ruleset, tournament.options).seats]
        return why_this_opponent(tournament.when_paired(number), number, me, sides, tournament.call)


class SwissTexts(FormatTexts):
    """A Swiss, whose kind is told with the number of its rounds."""

    def kind(self, tournament: StoredTournament) -> str:
        if tournament.is_team_match:
            boards = len(tournament.state.entrants) // 2
            return ngettext("a match on {count} board", "a match on {count} boards", boards).format(count=boards)
        count = tournament.settings.rounds
        if not count:
            return _("a Swiss (FIDE Dutch pairing)")
        return ngettext(
            "a Swiss of {count} round (FIDE Dutch pairing)",
            "a Swiss of {count} rounds (FIDE Dutch pairing)",
            count,
        ).format(count=count)

    def rules(self, tournament: StoredTournament) -> list[str]:
        if tournament.settings.rounds:
            return []
        entered = sum(not entrant.is_gone for entrant in tournament.state.entrants)
        players = min(entered, tournament.settings.limit or entered)
        if players < tournament.format.least_players:
            return [_("The number of rounds is decided when it begins, by the number of players.")]
        template = _("The number of rounds is decided when it begins: with {players} players it is {rounds}.")
        return [template.format(players=players, rounds=tournament.format.rounds_for(players))]


class RoundRobinTexts(FormatTexts):
    """A round robin, in which nobody is given a point for a round off."""

    free = N_("{player} has the round off.")

    def below(self, tournament: StoredTournament) -> list[str]:
        return all_games(tournament) if tournament.state.timing.at_once else []

    def playing(self, tournament: StoredTournament) -> list[str]:
        return self.below(tournament)


class EliminationTexts(FormatTexts):
    """An elimination: its bracket, and the places of those who are out; at the end the places first."""

    def rules(self, tournament: StoredTournament) -> list[str]:
        if tournament.settings.both:
            return []
        return [_("A drawn game of a match is played again with colours reversed, until somebody wins.")]

    def legend(self, tournament: StoredTournament) -> str:
        return legend(tournament)

    def above(self, tournament: StoredTournament) -> list[str]:
        return [] if tournament.state.phase is Phase.OVER else bracket_lines(tournament)

    def below(self, tournament: StoredTournament) -> list[str]:
        return bracket_lines(tournament) if tournament.state.phase is Phase.OVER else []

    def playing(self, tournament: StoredTournament) -> list[str]:
        live = tournament.state.bracket.open if tournament.state.phase is Phase.RUNNING else ()
        shown = live[:MOST_LINES]
        return [match_line(tournament, match, called_in(tournament, match), named_link) for match in shown]

    def lost_by_leaving(self, tournament: StoredTournament, person: int) -> list[str]:
        if not tournament.loses_by_leaving(person):
            return []
        number, bracket = tournament.state.by_person[person].number, tournament.state.bracket
        playing = [match for match in bracket.open if number in match.players]
        if not playing:
            return [_("The next match is lost: whoever would have been the opponent goes through.")]
        lines = []
        for match in playing:
            other = next(each for each in match.players if each and each != number)
            text = _("The match against {other} is lost: {other} goes through.")
            lines.append(text.format(other=tournament.call(other)))
            # The first final is the last for who has lost before.
            if falls_from(bracket.bracket, match.match.key) and (match.match.key != "F1" or number == match.players[0]):
                lines.append(_("So is the match that would follow this loss."))
        return lines

    def is_placed(self, tournament: StoredTournament, number: int) -> bool:
        bracket = tournament.state.bracket
        third = bracket.matches.get("T")
        plays_for_third = third is not None and third.winner is None and number in third.players
        return number in bracket.places and not plays_for_third

    def why(self, tournament: StoredTournament, number: int, me: int) -> tuple[str, ...]:
        raise Refused(_("In an elimination the bracket says who meets whom: `/tournament standings` shows it."))


class ArenaTexts(FormatTexts):
    """An arena: until when it lasts, who plays whom, who pauses, how many wait."""

    def rules(self, tournament: StoredTournament) -> list[str]:
        return [
            _length(tournament),
            _(
                "Waiting players are paired with the closest opponent by points and rating. You will not "
                "meet the same opponent twice in a row unless nobody else turns up within {seconds} "
                "seconds."
            ).format(seconds=PATIENCE // SECOND),
            _points(tournament),
            _(
                "If your time runs out, or you do not move within the first {minutes} minutes, you lose "
                "the game and are paused until you press *Join*."
            ).format(minutes=FIRST_AT_ONCE // MINUTE),
            _("When time is up, no new games start; games in progress are finished and count."),
        ]

    def order(self, tournament: StoredTournament) -> list[str]:
        return []

    def drawn(self, tournament: StoredTournament) -> list[str]:
        return []

    def above(self, tournament: StoredTournament) -> list[str]:
        state = tournament.state
        if state.phase is not Phase.RUNNING:
            return []
        if state.pool_closed:
            count = len(tournament.open_games)
            template = ngettext(
                "No new games start; {count} is still in progress.",
                "No new games start; {count} are still in progress.",
                count,
            )
            return [template.format(count=count)]
        count = len(tournament.format.free(state))
        waiting = ngettext("{count} player is waiting.", "{count} players are waiting.", count).format(count=count)
        return [f"{_length(tournament)} {waiting}"]

    def below(self, tournament: StoredTournament) -> list[str]:
        games = tournament.open_games[:_MOST_GAMES]

        def lines(link: ThreadLink) -> list[str]:
            between = [" - ".join(tournament.call_in(game, seat) for seat in game.seats) for game in games]
            links = [thread_links(tournament, game.round, game.seats, link) for game in games]
            return [f"♟ {players}{threads}" for players, threads in zip(between, links, strict=True)]

        return linked(lines, _ROOM_FOR_GAMES)

    def sign(self, tournament: StoredTournament, number: int) -> str:
        state = tournament.state
        if state.phase is not Phase.RUNNING:
            return ""
        if number in playing(state):
            return " ♟"
        return _(" (paused)") if state.by_number[number].paused else ""

    def why(self, tournament: StoredTournament, number: int, me: int) -> tuple[str, ...]:
        raise Refused(_("In an arena, waiting players are paired with the closest by points and rating."))


class TablesTexts(FormatTexts):
    """Rounds of tables: before the end of a table by seat, then by place with the points."""

    free = N_("{player} is alone, and has no table.")
    why_label = N_("Why this table?")

    def kind(self, tournament: StoredTournament) -> str:
        count = tournament.settings.rounds or tournament.format.rounds_for(len(tournament.state.entrants))
        return ngettext("tables, {count} round", "tables, {count} rounds", count).format(count=count)

    def rules(self, tournament: StoredTournament) -> list[str]:
        template = _(
            "Tables of {size} where possible, otherwise of {one} or {other}; five players sit as three and two. "
            "Players with similar points sit together, the same people as rarely as possible, and seats change."
        )
        size = tournament.settings.table_size
        one, other = (each for each in sorted(SIZES) if each != size)
        return [
            template.format(size=size, one=one, other=other),
            _(
                "Every place counts: 5, 3, 2, 1, 0 and 0 points from first to last; shared places share "
                "their points. Players who leave a game come behind those who stay, the first to leave "
                "last; anyone who leaves without moving counts as absent and scores nothing."
            ),
        ]

    def legend(self, tournament: StoredTournament) -> str:
        return _("Firsts: first places; Opponents: the average points of those met at tables.")

    def start_warning(self, tournament: StoredTournament) -> str:
        count = len(tournament.state.starters)
        if count <= 2 or 2 not in sizes(count, tournament.settings.table_size):
            return ""
        return _("Note: with {count} players one table has only two.").format(count=count)

    def drawn(self, tournament: StoredTournament) -> list[str]:
        return super().drawn(tournament) if tournament.settings.seeding == "lot" else []

    def round_text(self, tournament: StoredTournament, number: int, link: ThreadLink) -> list[str]:
        seated = tournament.state.seated[number]
        title = round_beginning(tournament, number)
        lines = [f"{title} {_('(seated by hand)')}" if seated.by_hand else title]
        for index, table in enumerate(seated.tables, start=1):
            called = {player: tournament.call_in(OpenGame(number, table, by_places=True), player) for player in table}
            places = tournament.state.table_results.get((number, table))
            shown = ", ".join(called.values()) if places is None else _placed(called, table, places)
            links = thread_links(tournament, number, table, link)
            lines.append(labelled(_("Table {number}").format(number=index), f"{shown}{links}"))
        if seated.bye is not None:
            lines.append(_(self.free).format(player=tournament.call(seated.bye)))
        return [*lines, after_round(tournament, number)]

    def why(self, tournament: StoredTournament, number: int, me: int) -> tuple[str, ...]:
        return why_this_table(tournament.state, number, me, tournament.call)


TEXTS: dict[str, FormatTexts] = {
    Kind.SWISS: SwissTexts("swiss"),
    Kind.ROUND_ROBIN: RoundRobinTexts("roundrobin", N_("a round robin")),
    Kind.DOUBLE_ROUND_ROBIN: RoundRobinTexts("roundrobin", N_("a double round robin")),
    Kind.SINGLE_ELIMINATION: EliminationTexts("knockout", N_("a single elimination")),
    Kind.DOUBLE_ELIMINATION: EliminationTexts("knockout", N_("a double elimination")),
    Kind.ARENA: ArenaTexts("arena", N_("an arena")),
    Kind.TABLES: TablesTexts("tables"),
}
"""The texts of every format, by the name that it is stored under."""


def free_text(tournament: StoredTournament, round_number: int, player: int) -> str:
    """Who plays nobody in a round, and why."""
    gone = not tournament.state.by_number[player].is_in(round_number)
    text = _("{player} has left.") if gone else _(texts_of(tournament).free)
    return text.format(player=tournament.call(player))


def round_beginning(tournament: StoredTournament, number: int) -> str:
    """What ``round_text`` begins with once the round is paired, whatever has happened since."""
    return _("**{event}, round {round}**").format(event=tournament.name, round=number)


def texts_of(tournament: StoredTournament) -> FormatTexts:
    """The texts of a tournament's format."""
    return TEXTS[tournament.settings.kind]


def _points(tournament: StoredTournament) -> str:
    if tournament.settings.streaks:
        return _("A win is 2 points, a draw 1; after two wins in a row games count double until one is not won.")
    return _("A win is 2 points, a draw 1.")


def _length(tournament: StoredTournament) -> str:
    end = tournament.format.ends_at(tournament.settings, tournament.events)
    if end is not None:
        return _("New games start until {time} ({from_now}).").format(time=moment(end, "t"), from_now=moment(end))
    text = ngettext(
        "New games start for the next minute.",
        "New games start for the next {count} minutes.",
        tournament.settings.minutes,
    )
    return text.format(count=tournament.settings.minutes)


def _placed(called: Mapping[int, str], table: tuple[int, ...], places: tuple[int, ...]) -> str:
    points = TableResult(table, places).points()
    ordered = sorted(zip(places, table, strict=True), key=lambda each: (each[0] or len(table) + 1, each[1]))
    return ", ".join(
        f"{place}. {called[one]} ({amount(points[one])})"
        if place
        else _("{player} made no move").format(player=called[one])
        for place, one in ordered
    )
