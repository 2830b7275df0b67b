"""Tie-breaks by C.07 as in force since March 2026, and as before.

Unplayed rounds are what the texts spend most words on (articles 15 and 16); the two versions differ only in what the
dummy opponent of a player's own unplayed round is worth: since 2026 no more than the real opponent after a forfeit, and
no more than a draw in each round otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from bot.i18n import N_, _, ngettext
from bot.support.frozen import frozen
from bot.tournaments.errors import TournamentError
from bot.tournaments.pairing.record import WON, Colour, Mark, Player, Record, RoundEntry


class RuleBook(StrEnum):
    """Which text of C.07 holds; an event keeps the one it began with."""

    MARCH_2026 = "C.07, March 2026"
    AUGUST_2024 = "C.07, August 2024"


CURRENT = RuleBook.MARCH_2026
_CUTS = {"BH": "CM", "FB": "CM", "AOB": "CM", "SB": "CM", "PS": "C"}
NAMES: Mapping[str, str] = {
    "PTS": N_("points"),
    "BH": N_("Buchholz, the sum of the opponents' points"),
    "FB": N_("fore Buchholz, as if the last round had been drawn"),
    "AOB": N_("average Buchholz of the opponents"),
    "SB": N_("Sonneborn-Berger, the opponents' points, each times the points made against them"),
    "DE": N_("direct encounter, points made against those one is tied with"),
    "PS": N_("progressive score, the sum of the points after each round"),
    "WIN": N_("rounds that gave a win's points, played or not"),
    "WON": N_("games won by playing"),
    "BPG": N_("games played with black"),
    "BWG": N_("games won with black"),
    "REP": N_("rounds one elected to play"),
    "GE": N_("rounds one elected to play"),
    "GP": N_("points of games, where two games of two count as one"),
    "KS": N_("Koya, points made against those with at least half of the points"),
}
"""What each is, by its letters."""


@frozen
class TieBreak:
    """One tie-break: its letters, and how many least (``low``) and greatest (``high``) values are cut."""

    name: str
    low: int = 0
    high: int = 0

    def __str__(self) -> str:
        return self.name + (f"-M{self.low}" if self.high else f"-C{self.low}" if self.low else "")


def parse(text: str) -> tuple[TieBreak, ...]:
    """Tie-breaks from ``PTS,BH,BH-C1,BH-M1`` (``BH/C1`` too). Raises TournamentError naming the one not known."""
    tie_breaks = []
    for word in text.split(","):
        match = re.fullmatch(r"([A-Z]+)(?:[-/]?([CM])(\d))?", word.strip().upper())
        if match is None or match[1] not in NAMES or (match[2] and match[2] not in _CUTS.get(match[1], "")):
            template = _(
                "{word} is not a tie-break. The tie-breaks are {names}, with cuts such as BH-C1, BH-M1, SB-C1, PS-C1."
            )
            raise TournamentError(template.format(word=word.strip() or repr(""), names=", ".join(NAMES)))
        cut = int(match[3] or 0)
        tie_breaks.append(TieBreak(match[1], cut, cut if match[2] == "M" else 0))
    return tuple(tie_breaks)


def explained(tie_breaks: Sequence[TieBreak]) -> str:
    """What the letters of tie-breaks stand for, each once, in the language spoken now; points need no words."""
    meanings = {each.name: _(NAMES[each.name]) for each in tie_breaks if each.name != "PTS"}
    for each in tie_breaks:
        if each.low:
            meanings[f"-{'M' if each.high else 'C'}{each.low}"] = _cut(each)
    return "; ".join(f"{letters}: {words}" for letters, words in meanings.items())


def in_words(tie_break: TieBreak) -> str:
    """What a tie-break is called, in the language spoken now."""
    return ", ".join(filter(None, [_(NAMES[tie_break.name]), _cut(tie_break)]))


def _cut(tie_break: TieBreak) -> str:
    if not tie_break.low:
        return ""
    template = ngettext("without the lowest value", "without the {count} lowest values", tie_break.low)
    if tie_break.high:
        template = ngettext(
            "without the highest and the lowest value", "without the {count} highest and lowest values", tie_break.low
        )
    return template.format(count=tie_break.low)


@frozen
class _Gain:
    """What one round adds: the opponent's (or dummy's) score, its product for SB, whether the player stayed away."""

    score: Fraction
    product: Fraction
    voluntary: bool


@frozen(slots=False)
class Strengths:
    """The tie-break values of a record after its paired rounds.

    ``round_robin``: all play all, where a forfeited game counts as a game (article 15.2)."""

    record: Record
    rules: RuleBook = CURRENT
    round_robin: bool = False

    @property
    def _rounds(self) -> range:
        return range(1, self.record.rounds_paired + 1)

    def values(self, tie_break: TieBreak) -> dict[int, Fraction]:
        """The value of each player; DE is not here: it needs to know who is tied."""
        return {number: self._value(tie_break, player) for number, player in self.record.players.items()}

    def points_between(self, number: int, others: frozenset[int]) -> tuple[Fraction, int]:
        """Points made against ``others`` (the average against each, article 6.1.2), and how many of them were met."""
        against: dict[int, list[Fraction]] = {}
        for round_number in self._rounds:
            entry = self.record.players[number].entry(round_number)
            if entry is not None and entry.opponent in others and self._counts_as_game(entry):
                assert entry.opponent is not None
                against.setdefault(entry.opponent, []).append(self.record.points.of(entry))
        total = sum((sum(scores, Fraction(0)) / len(scores) for scores in against.values()), Fraction(0))
        return total, len(against)

    def _value(self, tie_break: TieBreak, player: Player) -> Fraction:
        entries = [player.entry(round_number) for round_number in self._rounds]
        points = self.record.points
        match tie_break.name:
            case "PTS":
                return self.record.score(player.number)
            case "BH" | "SB":
                return self._sum_of_gains(tie_break, player)
            case "FB":
                drawn = self._as_if_drawn
                return drawn._sum_of_gains(replace(tie_break, name="BH"), drawn.record.players[player.number])
            case "AOB":
                buchholz = [
                    self._sum_of_gains(replace(tie_break, name="BH"), self.record.players[entry.opponent])
                    for entry in entries
                    if entry is not None and entry.opponent is not None and entry.played
                ]
                average = sum(buchholz, Fraction(0)) / len(buchholz) if buchholz else Fraction(0)
                return Fraction(int(average * 100 + Fraction(1, 2)), 100)
            case "PS":
                return sum(self.record.scores[player.number][1 + tie_break.low :], Fraction(0))
            case "WIN":
                return Fraction(sum(points.of(entry) >= points.win for entry in entries))
            case "WON":
                return Fraction(sum(_won(entry) for entry in entries))
            case "BPG":
                return Fraction(sum(_black(entry) for entry in entries))
            case "BWG":
                return Fraction(sum(_won(entry) and _black(entry) for entry in entries))
            case "REP" | "GE":
                return Fraction(sum(not _stayed_away(entry) for entry in entries))
            case "GP":
                return sum(map(self._game_points, entries), Fraction(0))
            case "KS":
                return self._koya(entries)
            case _:
                raise TournamentError(f"{tie_break} has no value of its own.")

    def _game_points(self, entry: RoundEntry | None) -> Fraction:
        """The points of the games of a round; one without games counts as if they had all gone so."""
        if entry is not None and entry.games is not None:
            return entry.games
        return self.record.points.of(entry) / self.record.points.win * self._games_a_round

    @cached_property
    def _games_a_round(self) -> int:
        entries = (entry for player in self.record.players.values() for entry in player.rounds)
        return 2 if any(entry is not None and entry.games is not None for entry in entries) else 1

    def _koya(self, entries: list[RoundEntry | None]) -> Fraction:
        half = self.record.points.win * self._most_games / 2
        return sum(
            (
                self.record.points.of(entry)
                for entry in entries
                if entry is not None and entry.opponent is not None and self.record.score(entry.opponent) >= half
            ),
            Fraction(0),
        )

    @cached_property
    def _most_games(self) -> int:
        """How many games a player could have: the rounds, less the free round of an odd round robin."""
        if not self.round_robin:
            return self.record.rounds_paired
        return max(
            sum(e is not None and e.opponent is not None for e in player.rounds)
            for player in self.record.players.values()
        )

    def _sum_of_gains(self, tie_break: TieBreak, player: Player) -> Fraction:
        def value(gain: _Gain) -> Fraction:
            return gain.product if tie_break.name == "SB" else gain.score

        gains = list(self._gains(player))
        for _cut in range(min(tie_break.low, len(gains))):
            # The lowest opponent goes; but first a round one stayed away from, unless it is worth less (article 16.5).
            least = min(gains, key=lambda gain: (gain.score, value(gain)))
            away = min((gain for gain in gains if gain.voluntary), key=lambda g: (value(g), g.score), default=None)
            gains.remove(away if away is not None and value(least) <= value(away) else least)
        for _cut in range(min(tie_break.high, len(gains))):
            gains.remove(max(gains, key=lambda gain: (gain.score, value(gain))))
        return sum((value(gain) for gain in gains), Fraction(0))

    def _gains(self, player: Player) -> list[_Gain]:
        points = self.record.points
        gains = []
        for round_number in self._rounds:
            entry = player.entry(round_number)
            if entry is not None and entry.opponent is not None and self._counts_as_game(entry):
                score, voluntary = self._adjusted[entry.opponent], False
            elif self.round_robin:
                continue
            else:
                score, voluntary = self._dummy(player.number, entry), _stayed_away(entry)
            gains.append(_Gain(score, score * points.of(entry), voluntary))
        return gains

    def _counts_as_game(self, entry: RoundEntry) -> bool:
        return entry.played or entry.mark is Mark.PENDING or self.round_robin

    def _dummy(self, number: int, entry: RoundEntry | None) -> Fraction:
        """The score of the opponent imagined for an unplayed round (article 16.4)."""
        own = self.record.score(number)
        if self.rules is RuleBook.AUGUST_2024:
            return own
        if entry is not None and entry.opponent is not None:
            return min(own, self._adjusted[entry.opponent])
        return min(own, self.record.points.draw * self.record.rounds_paired)

    @cached_property
    def _adjusted(self) -> Mapping[int, Fraction]:
        """Each player's score as opponents count it: rounds after one's last appearance are draws (article 16.3)."""
        if self.round_robin:
            return {number: self.record.score(number) for number in self.record.players}
        adjusted = {}
        for number, player in self.record.players.items():
            last = max((r for r in self._rounds if not _stayed_away(player.entry(r))), default=0)
            gone = [
                entry
                for r in self._rounds
                if r > last and ((entry := player.entry(r)) is None or entry.opponent is None)
            ]
            points = self.record.points
            adjusted[number] = self.record.score(number) + sum((points.draw - points.of(e) for e in gone), Fraction(0))
        return adjusted

    @cached_property
    def _as_if_drawn(self) -> Strengths:
        """The same record with every pairing of the last round drawn."""
        last = self.record.rounds_paired
        players = {}
        for number, player in self.record.players.items():
            entry = player.entry(last) if last else None
            if entry is not None and entry.opponent is not None:
                drawn = replace(entry, mark=Mark.DRAW)
                player = replace(player, rounds=(*player.rounds[: last - 1], drawn, *player.rounds[last:]))
            players[number] = player
        return replace(self, record=replace(self.record, players=players))


def _stayed_away(entry: RoundEntry | None) -> bool:
    """A voluntary unplayed round: a requested bye, an absence, a forfeit of one's own."""
    return entry is None or entry.mark in (Mark.FORFEIT_LOSS, Mark.HALF_BYE, Mark.ZERO_BYE)


def _won(entry: RoundEntry | None) -> bool:
    return entry is not None and entry.opponent is not None and entry.mark in WON


def _black(entry: RoundEntry | None) -> bool:
    return entry is not None and entry.played and entry.colour is Colour.BLACK
