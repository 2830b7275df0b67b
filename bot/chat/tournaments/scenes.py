"""From a tournament to what its pictures show: standings, cross-table, bracket, in the language spoken now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from typing import Final, Literal, NamedTuple, TypeAlias

from bot.chat.tournaments.bracket_texts import PlayerNames, awaited, is_shown, match_line, match_title, score_of
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.wording.amounts import amount, columns, place_name
from bot.chat.wording.players import stand_in
from bot.engine import variants
from bot.i18n import _, labelled, ngettext
from bot.presentation.board_scene import PieceColour, piece_colours
from bot.tournaments.formats.format import SHOWN
from bot.tournaments.formats.registry import fold
from bot.tournaments.model.events import PairedRound
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.elimination import MatchState
from bot.tournaments.pairing.record import BYES, DRAWN, WON, Colour, Mark, Record, RoundEntry
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.standings.standings import Heading, Ranking, RankingLine
from bot.tournaments.standings.tiebreaks import TieBreak
from render.charts import contents
from render.glyphs import writable

Shown: TypeAlias = Literal["standings", "crosstable", "bracket"]
"""What pictures of a tournament show."""

_Cells: TypeAlias = tuple[contents.Cell, ...]
# In the first column of a picture of a bracket.
_TALLEST: Final = 8
_FORFEITS: Final = {Mark.FORFEIT_WIN: "1", Mark.FORFEIT_LOSS: "0"}
# Letters of a name on Discord.
_LONGEST_NAME: Final = 32


def heading(tournament: StoredTournament) -> str:
    """What standings are called now: in which round, after how many, or final."""
    state = tournament.state
    if state.cancelled is not None:
        return _("Standings when it was cancelled")
    if state.phase is Phase.OVER:
        return _("Final standings")
    playing = {pairing.round for pairing in tournament.open_games}
    if not state.rounds_paired:
        return _("Standings")
    if playing and playing != {state.rounds_paired}:
        count = len(tournament.open_games)
        return ngettext("Standings, {count} game still open", "Standings, {count} games still open", count).format(
            count=count
        )
    count, planned = state.rounds_paired, state.rounds_planned
    if playing:
        return _("Standings in round {count} of {planned}").format(count=count, planned=planned)
    text = ngettext(
        "Standings after {count} of {planned} round", "Standings after {count} of {planned} rounds", planned
    )
    return text.format(count=count, planned=planned)


def picture_heading(tournament: StoredTournament, shown: Shown) -> str:
    """What pictures are called that show a tournament so."""
    if shown == "crosstable":
        return f"{_('Cross-table')} · {heading(tournament)}"
    if shown == "standings":
        return heading(tournament)
    if tournament.state.cancelled is not None:
        return _("Bracket when it was cancelled")
    return _("Final bracket") if tournament.state.phase is Phase.OVER else _("Bracket")


def _title(tournament: StoredTournament) -> str:
    """The tournament's name, where the pictures' font can write it."""
    return writable(tournament.title, _("Tournament {number}").format(number=tournament.id))


def standings(tournament: StoredTournament, names: PlayerNames) -> contents.Table:
    """The standings. Medals are given at the end; changes of place are those since the last round was paired."""
    state, ranking, before = tournament.state, tournament.ranking, _before(tournament)
    over = state.phase is Phase.OVER
    lines, placed = [], placed_lines(tournament)
    for line, values in zip(placed, columns([line.values for line in placed]), strict=True):
        was = before.get(line.number)
        medal = line.rank if over and line.rank <= 3 else 0
        change = None if over or was is None else was - line.rank
        gone = state.by_number[line.number].is_gone
        lines.append(contents.Line(line.rank, names[line.number], values, medal, change, gone, stand_in(line.number)))
    return contents.Table(_title(tournament), heading(tournament), _("Player"), headings(ranking), tuple(lines))


def placed_lines(tournament: StoredTournament) -> list[RankingLine]:
    """The standings without those whose place nothing has decided yet."""
    return [line for line in tournament.ranking.lines if texts_of(tournament).is_placed(tournament, line.number)]


def headings(ranking: Ranking) -> tuple[str, ...]:
    """What stands above the columns; abbreviations of tie-breaks are the same in every language."""
    shown = {
        Heading.POINTS: _("Points"),
        Heading.WINS: _("Wins"),
        Heading.GAMES: _("Games"),
        Heading.FIRSTS: _("Firsts"),
        Heading.OPPONENTS: _("Opponents"),
        TieBreak("PTS"): _("Points"),
    }
    return tuple(shown.get(heading, str(heading)) for heading in ranking.headings)


def _before(tournament: StoredTournament) -> Mapping[int, int]:
    """Everybody's rank as it was when the last round was paired; nothing before there is one to compare with."""
    state = tournament.state
    if state.rounds_paired < 2 or state.timing.at_once:
        return {}
    paired = [
        event.number
        for event in tournament.events
        if isinstance(event.action, PairedRound) and event.action.round == state.rounds_paired
    ]
    if not paired:
        return {}
    then = tournament.before_round
    if then is None:
        then = fold(tournament.announced, [event for event in tournament.events if event.number < paired[0]])
    return {line.number: line.rank for line in tournament.format.ranking(then).lines}


def standings_words(tournament: StoredTournament, names: PlayerNames, most: int = 1000) -> list[str]:
    """The standings in words, for those who do not see the pictures: of each page what stands on it. Names are
    shortened where a page's would be too many letters."""

    def parts(lines: Sequence[RankingLine], longest: int) -> list[str]:
        called = {line.number: _shortened(names[line.number], longest) for line in lines}
        return [f"{line.rank}. {called[line.number]} {amount(line.values[0])}" for line in lines]

    told = []
    for start, lines in _pages(f"{tournament.title}. {heading(tournament)}", placed_lines(tournament)):
        room = most - len(start)
        fits = (longest for longest in range(_LONGEST_NAME, 0, -1) if len("; ".join(parts(lines, longest))) <= room)
        told.append(_cut(start, parts(lines, next(fits, 1)), most))
    return told


def _shortened(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _pages(start: str, lines: Sequence[RankingLine]) -> list[tuple[str, Sequence[RankingLine]]]:
    """Lines by the pages of pictures, each with what its words begin with."""
    pages = contents.paged(lines)
    if len(pages) == 1:
        return [(f"{labelled(start)} ", lines)]
    template = _("{list} (page {page} of {pages})")
    heads = (template.format(list=start, page=page, pages=len(pages)) for page in range(1, len(pages) + 1))
    return [(f"{labelled(head)} ", page) for head, page in zip(heads, pages, strict=True)]


def _cut(start: str, parts: Sequence[str], most: int) -> str:
    text = start
    for i, part in enumerate(parts):
        after = f"{'; ' if i else ''}{part}"
        if len(text) + len(after) > most:
            return f"{text}…"
        text += after
    return text


def medallists(tournament: StoredTournament) -> dict[int, list[int]]:
    """The starting numbers of those on each of the first three places, those who share one together."""
    best: dict[int, list[int]] = {}
    for line in tournament.ranking.lines:
        if line.rank <= 3 and texts_of(tournament).is_placed(tournament, line.number):
            best.setdefault(line.rank, []).append(line.number)
    return best


def points_text(tournament: StoredTournament, number: int) -> str:
    """A player's points in words."""
    points = next(line.values[0] for line in tournament.ranking.lines if line.number == number)
    return _("1 point") if points == 1 else _("{count} points").format(count=amount(points))


def podium(tournament: StoredTournament, names: PlayerNames) -> contents.Podium:
    """The first three with their points; those who share a place stand on one step."""
    steps = []
    for place, numbers in medallists(tournament).items():
        called = tuple((names[number], stand_in(number)) for number in numbers)
        points = points_text(tournament, numbers[0]) if tournament.format.has_points else ""
        steps.append(contents.Step(place, called, points))
    return contents.Podium(_title(tournament), heading(tournament), tuple(steps))


def podium_words(scene: contents.Podium, most: int = 1000) -> str:
    """A podium in words."""
    parts = []
    for step in scene.steps:
        called = ", ".join(name for name, _instead in step.names)
        parts.append(labelled(place_name(step.place), called) + (f" ({step.note})" if step.note else ""))
    return _cut(labelled(f"{scene.title}. {scene.note}") + " ", parts, most)


def cross_table(tournament: StoredTournament, names: PlayerNames) -> contents.CrossTable | None:
    """Who played whom: of a round robin by players, of a Swiss by rounds. None for other kinds."""
    state, ranking = tournament.state, tournament.ranking
    if not tournament.format.has_record:
        return None
    rows = {line.number: row for row, line in enumerate(ranking.lines, start=1)}
    over = state.phase is Phase.OVER
    by_players = tournament.format.is_fixed
    pieces = piece_colours(variants.load(tournament.ruleset, tournament.options))
    lines = []
    for line in ranking.lines:
        cells = _against(state, line.number, rows) if by_players else _by_round(state.record, line.number, rows, pieces)
        medal = line.rank if over and line.rank <= 3 else 0
        # Rows are numbered through, as the cells name them, also where players share a place.
        name, points = names[line.number], amount(line.values[0])
        lines.append(contents.CrossLine(rows[line.number], name, points, cells, medal, stand_in(line.number)))
    heads = range(1, (len(rows) if by_players else state.record.rounds_paired) + 1)
    return contents.CrossTable(
        _title(tournament), heading(tournament), _("Player"), _("Points"), tuple(map(str, heads)), tuple(lines)
    )


def _by_round(record: Record, number: int, rows: Mapping[int, int], pieces: Sequence[PieceColour]) -> _Cells:
    player = record.players[number]
    return tuple(_round_cell(player.entry(r), rows, pieces) for r in range(1, record.rounds_paired + 1))


def _round_cell(entry: RoundEntry | None, rows: Mapping[int, int], pieces: Sequence[PieceColour]) -> contents.Cell:
    if entry is None or entry.mark is Mark.ZERO_BYE:
        return contents.Cell("-", "free")
    if entry.opponent is None:
        return contents.Cell("½" if entry.mark is Mark.HALF_BYE else _("bye"), "free")
    own = pieces[entry.colour is not Colour.WHITE]
    return contents.Cell(SHOWN.get(entry.mark, ""), _kind((entry,)), str(rows[entry.opponent]), own)


def _kind(entries: Sequence[RoundEntry]) -> contents.Kind:
    """How games against one opponent have ended together; nothing while none has."""
    ended = [entry for entry in entries if entry.mark is not Mark.PENDING]
    if not ended:
        return ""
    balance = 0
    for entry in ended:
        won = entry.mark in WON or entry.mark is Mark.FORFEIT_WIN
        balance += 1 if won else 0 if entry.mark in DRAWN else -1
    return "won" if balance > 0 else "lost" if balance < 0 else "drawn"


def _against(state: Tournament, number: int, rows: Mapping[int, int]) -> _Cells:
    met: dict[int, list[RoundEntry]] = {}
    for entry in state.record.players[number].rounds:
        if entry is not None and entry.opponent is not None and entry.mark not in BYES:
            met.setdefault(entry.opponent, []).append(entry)
    cells = []
    for other in rows:
        games = met.get(other, [])
        shown = " ".join(SHOWN.get(entry.mark, "·") for entry in games if entry.mark is not Mark.PENDING)
        cells.append(contents.Cell("", "self") if other == number else contents.Cell(shown, _kind(games)))
    return tuple(cells)


def cross_words(tournament: StoredTournament, names: PlayerNames, most: int = 1000) -> list[str]:
    """A cross-table in words, page by page: each player's points, and what was scored against whom, round by round."""
    start = _("Cross-table of {event}.").format(event=tournament.title)
    players = tournament.state.record.players

    def part(line: RankingLine) -> str:
        games = (_against_whom(entry, names) for entry in players[line.number].rounds)
        return labelled(f"{line.rank}. {names[line.number]} {amount(line.values[0])}", ", ".join(filter(None, games)))

    pages = _pages(f"{start} {heading(tournament)}", tournament.ranking.lines)
    return [_cut(head, [part(line) for line in lines], most) for head, lines in pages]


def _against_whom(entry: RoundEntry | None, names: PlayerNames) -> str:
    """An opponent and what was scored; "" where no game was played, or none is over."""
    if entry is None or entry.mark in (Mark.PENDING, Mark.ZERO_BYE):
        return ""
    if entry.opponent is None or entry.mark in BYES:
        return f"{_('bye')} ½" if entry.mark is Mark.HALF_BYE else _("bye")
    score = _FORFEITS.get(entry.mark, "")
    return f"{names[entry.opponent]} {_('{result} (forfeit)').format(result=score) if score else SHOWN[entry.mark]}"


class BracketPart(NamedTuple):
    """A picture of a part of a bracket, and the matches in it."""

    scene: contents.Bracket
    matches: tuple[MatchState, ...]


def brackets(tournament: StoredTournament, names: PlayerNames) -> tuple[BracketPart, ...]:
    """The bracket of an elimination in pictures of up to eight matches in a column: the winners' side, then the
    losers', each from its first round. Nothing for other kinds, and before the start."""
    if not tournament.format.has_bracket or len(tournament.state.by_number) < 2:
        return ()
    return tuple(_BracketLayout(tournament, names).pictures())


class _BracketLayout:
    """A bracket laid out in columns, before it is split into pictures."""

    def __init__(self, tournament: StoredTournament, names: PlayerNames) -> None:
        self.tournament, self.names = tournament, names
        self.state = tournament.state.bracket
        self.double = self.state.bracket.double

    def pictures(self) -> list[BracketPart]:
        winners, losers = self._columns("W"), self._columns("L")
        count = len(winners)
        heads = [self._round(number, count) for number in range(1, count + 1)]
        side = _("Winners' side") if self.double else ""
        pictures = self._parts(side, heads, winners, 3 if count > 4 else contents.COLUMNS)
        if self.double:
            heads = [_("Round {number}").format(number=number) for number in range(1, len(losers) + 1)]
            finals, titles = [["F1"]], [_("Final")]
            if self.state.matches["F2"].needed:
                finals.append(["F2"])
                titles.append(_("Second final") if self.state.matches["F1"].winner else _("Second, if needed"))
            pictures += self._parts(_("Losers' side"), [*heads, *titles], [*losers, *finals], contents.COLUMNS)
        return pictures

    def _columns(self, side: str) -> list[list[str]]:
        """The keys of a side's matches, round by round."""
        keys = [match.key for match in self.state.bracket.matches if match.key.startswith(side)]
        return [list(column) for _number, column in groupby(keys, key=lambda key: key.partition("-")[0])]

    def _parts(self, side: str, heads: Sequence[str], columns: Sequence[Sequence[str]], wide: int) -> list[BracketPart]:
        """Columns of match keys in pictures: so many rounds beside each other, and no column too tall."""
        pictures: list[BracketPart] = []
        for at in range(0, len(columns), wide):
            beside = columns[at : at + wide]
            parts = -(-len(beside[0]) // _TALLEST)
            for part in range(parts):
                cut = [keys[len(keys) * part // parts : len(keys) * (part + 1) // parts] for keys in beside]
                finals = cut[-1][0].startswith("F")
                if finals:
                    alone = _("Final") if len(cut) == 1 else _("Finals")
                    side = _("Losers' side and finals") if cut[0][0].startswith("L") else alone
                last = finals or (at + wide >= len(columns) and not self.double)
                pictures.append(self._picture(side, heads[at : at + wide], cut, last))
        return pictures

    def _picture(self, side: str, heads: Sequence[str], keys: Sequence[Sequence[str]], last: bool) -> BracketPart:
        columns = [[self.state.matches[key] for key in column] for column in keys]
        count = len(self.tournament.state.by_number)
        players = ngettext("{count} player", "{count} players", count).format(count=count)
        third = self.state.matches.get("T") if last else None
        champion = self.state.champion if last else None
        scene = contents.Bracket(
            _title(self.tournament),
            f"{side or picture_heading(self.tournament, 'bracket')} · {players}",
            tuple(heads),
            tuple(tuple(map(self._match, column)) for column in columns),
            None if third is None else self._match(third),
            _("Third place") if third is not None else "",
            self.names.get(champion, "") if champion else "",
        )
        return BracketPart(scene, tuple(chain(*columns, [] if third is None else [third])))

    def _round(self, number: int, count: int) -> str:
        left = count - number
        if self.double or left > 2:
            return _("Round {number}").format(number=number)
        return (_("Final"), _("Semifinals"), _("Quarterfinals"))[left]

    def _match(self, match: MatchState) -> contents.Match:
        slots = [self._slot(match, i) for i in (0, 1)]
        return contents.Match(
            match_title(self.state.bracket, match.match.key), (slots[0], slots[1]), live=match.is_open
        )

    def _slot(self, match: MatchState, i: int) -> contents.Slot:
        player = match.players[i]
        if player is None:
            return contents.Slot(awaited(self.state.bracket, match.match.sources[i]), known=False)
        if player == 0:
            return contents.Slot(_("bye"), known=False)
        played = bool(match.games)
        score = score_of(match, player) if len(match.games) > 1 else ""
        if len(match.games) == 1 and match.games[0].forfeit:
            score = SHOWN[Mark.FORFEIT_WIN if match.winner == player else Mark.FORFEIT_LOSS]
        return contents.Slot(
            self.names[player],
            stand_in(player),
            score,
            won=played and match.winner == player,
            out=played and match.loser == player,
        )


def bracket_words(tournament: StoredTournament, part: BracketPart, names: PlayerNames, most: int = 1000) -> str:
    """A picture of a bracket in words: who plays whom, who has won which match, who goes on without a game."""
    start = f"{part.scene.title}. {part.scene.note}. "
    if part.scene.champion:
        start += _("{player} has won the tournament.").format(player=part.scene.champion) + " "
    told = [match for match in part.matches if is_shown(match)]
    return _cut(start, [match_line(tournament, match, names) for match in told], most).rstrip()
