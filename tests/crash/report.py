"""What a run of the kill test has come to."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.crash.club import Club
from tests.crash.kept import Kept
from tests.crash.players import REMINDS


@dataclass
class Report:
    """What happened. ``wrong`` is empty when nothing was lost, doubled or out of order."""

    rounds: int = 0
    turns: int = 0
    games: int = 0
    running: int = 0
    """Games that were not over when this was counted."""
    posts: int = 0
    deduplicated: int = 0
    taken_back: int = 0
    planned: int = 0
    rematches: int = 0
    days: int = 0
    """Nights and more for which people slept."""
    reminders: int = 0
    out_of_time: int = 0
    storms: int = 0
    outlived: int = 0
    """Storms after which the same bot posted what could not be posted in them."""
    two_at_once: int = 0
    updates: int = 0
    """Processes of the newer version that were begun."""
    turns_before: int = 0
    """Turns that an earlier checkout had stored."""
    computers_turns: int = 0
    tournaments: int = 0
    entries: int = 0
    seasons: int = 0
    """Of leagues, begun."""
    seasons_ended: int = 0
    matches: int = 0
    """Of teams, played to their end."""
    boards_of_matches: int = 0
    """Threads with a game of a match, of each game one on either server."""
    channels_lost: int = 0
    continued: int = 0
    """Games that went on in another channel."""
    had_to_continue: int = 0
    """Those that had to, at the end."""
    rounds_paired: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    troubles: dict[str, int] = field(default_factory=dict)
    takeovers: list[float] = field(default_factory=list)
    """Seconds from the death of a process that had shards until another acted for them."""
    stops: list[float] = field(default_factory=list)
    """Seconds from when one that was to be updated was told to stop until it had ended."""
    wrong: list[str] = field(default_factory=list)

    def add_up(self, club: Club, kept: Kept) -> None:
        """Count what has happened, at the end."""
        tables, stand_in = club.all_tables, club.stand_in
        self.games = len({game for table in tables for game in table.seen})
        self.taken_back = sum(seen.count(None) for table in tables for seen in table.seen.values())
        self.planned = sum(table.planned for table in tables)
        self.continued = sum(table.went_on for table in tables)
        self.reminders = sum(REMINDS in letter["content"] for letter in club.letters)
        self.entries = sum(asked == "join" for _number, asked in club.tournaments.told)
        self.seasons, self.boards_of_matches = club.leagues.seasons, len(club.teams.boards)
        self.channels_lost, self.posts = len(stand_in.moved), len(stand_in.messages)
        self.deduplicated, self.faults, self.troubles = stand_in.deduplicated, dict(stand_in.done), dict(kept.troubles)
        for name, query in _COUNTS.items():
            setattr(self, name, len(kept.query(query)))


_COUNTS = {
    "turns": "SELECT number FROM turns",
    "running": "SELECT id FROM games WHERE status = 'running'",
    "rematches": "SELECT id FROM games WHERE rematch_of IS NOT NULL",
    "out_of_time": "SELECT number FROM turns WHERE kind = 'timeout'",
    "computers_turns": "SELECT number FROM turns JOIN seats USING (game_id, seat) WHERE player < 0",
    "tournaments": "SELECT id FROM tournaments WHERE status = 'over'",
    "rounds_paired": "SELECT DISTINCT tournament_id, round FROM tournament_games",
    "seasons_ended": "SELECT id FROM contest_posts WHERE kind = 'ended' AND said > 0",
    "matches": "SELECT id FROM contests WHERE kind = 'match' AND status = 'over'",
}
