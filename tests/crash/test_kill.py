from __future__ import annotations

from pathlib import Path

from tests.crash.kill import kill_again_and_again


async def test_a_dozen_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    """Killed twelve times while people play and Discord falters: each turn that was acknowledged is stored once, each
    announcement was posted exactly once and in order, and every game agrees with its record."""
    report = await kill_again_and_again(tmp_path, rounds=12, seed=4)

    assert [] == report.wrong, (tmp_path / "bot.log").read_text()[-3000:]
    assert 12 == report.rounds
    assert report.turns > 0
    # Not every run has a second try that Discord recognises, but each has its troubles.
    assert report.deduplicated + sum(report.faults.values()) > 0
