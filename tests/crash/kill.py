"""The kill test: the bot as a real process on a real database, killed at random moments, again and again.

    python -m tests.crash.kill [--rounds 300] [--seed 1] [--postgresql] [--processes 3] [--rolling] [--before CHECKOUT]

People play at tables, hold tournaments and play in leagues. After each kill the database is held against what they
were shown and told; after the last start everything that was stored has been said, once. Before some starts so much
time has gone by that Discord knows no nonce any more; before others people have slept for a day or two, in which the
bot was there, so that they are reminded, and their time runs out. With ``--rolling`` nobody is killed: processes of
two versions, one of them with a schema that is newer by one, take each other's place. With ``--before`` an earlier
checkout of this repository, what it needs being installed, plays first, and today's bot goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.crash.kept import InFile, InPostgreSQL, Kept
from tests.crash.killing import Killing
from tests.crash.report import Report
from tests.crash.several import KillingOneOfSeveral, RollingUpdate, UpdateFrom

LONGEST_TAKEOVER = 10.0
# Two for a last sign of life, five for posts, five for a turn to let go of the shards, two for Discord, and the end.
LONGEST_STOP = 20.0


async def kill_again_and_again(
    folder: Path,
    rounds: int,
    seed: int,
    *,
    wanted: Sequence[str] = (),
    postgresql: bool = False,
    processes: int = 1,
    rolling: bool = False,
    before: Path | None = None,
) -> Report:
    """The whole test in ``folder``, where what was found wrong can be looked into afterwards."""
    kept: Kept = InPostgreSQL() if postgresql or processes > 1 else InFile(folder)
    try:
        killing: Killing
        if before is not None:
            killing = UpdateFrom(folder, seed, kept, before)
        elif processes > 1:
            killing = (RollingUpdate if rolling else KillingOneOfSeveral)(folder, seed, kept, processes)
        else:
            killing = Killing(folder, seed, kept)
        report = await killing.run(rounds, wanted)
        if report.wrong:
            _keep(folder, killing)
        return report
    finally:
        kept.remove()


def _keep(folder: Path, killing: Killing) -> None:
    """What was stored, and what was posted."""
    for table, columns in _TABLES.items():
        rows = killing.kept.query(f"SELECT {columns} FROM {table} ORDER BY 1, 2")
        (folder / f"{table}.txt").write_text("\n".join([columns, *map(str, rows)]))
    (folder / "messages.json").write_text(json.dumps([*killing.stand_in.messages.values()], indent=1))


_TABLES = {
    "announcements": "game_id, id, kind, ply, state, attempts, made_at, done_at, channel_id, message_id",
    "turns": "game_id, number, kind, text, at, source",
    "games": "id, status, ply, place_channel_id, channel_id",
    "acts": "game_id, what, player, at, source",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true", help="a PostgreSQL, with troubles, instead of a file")
    parser.add_argument("--processes", type=int, default=1, help="so many share a PostgreSQL, one of which stands by")
    parser.add_argument("--rolling", action="store_true", help="processes are not killed, but updated and back again")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="begin with the code there, on a file")
    asked = parser.parse_args()
    if asked.rolling and asked.processes < 2:
        parser.error("--rolling needs --processes 2 or more")
    if asked.before is not None and (asked.postgresql or asked.processes > 1):
        parser.error("--before is of one process on a file")
    # Requests that end with their process are no news.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp(prefix="damero-kill-"))
    killing = kill_again_and_again(
        folder,
        asked.rounds,
        asked.seed,
        postgresql=asked.postgresql,
        processes=asked.processes,
        rolling=asked.rolling,
        before=asked.before and asked.before.resolve(),
    )
    try:
        report = asyncio.run(killing)
    except BaseException:
        _tell_log(folder)
        raise
    if late := [seconds for seconds in report.takeovers if seconds > LONGEST_TAKEOVER]:
        report.wrong.append(f"the shards of one that died were taken over after {late} seconds")
    if slow := [seconds for seconds in report.stops if seconds > LONGEST_STOP]:
        report.wrong.append(f"one that was told to stop ended after {slow} seconds")
    if report.wrong:
        _tell_log(folder)
    else:
        shutil.rmtree(folder)
    sys.stdout.write(f"{report}\n")
    return 1 if report.wrong else 0


def _tell_log(folder: Path) -> None:
    """The last of what the bot has said, and where the rest is."""
    sys.stdout.write(f"Kept in {folder}.\n")
    sys.stdout.write((folder / "bot.log").read_text()[-5000:])


if __name__ == "__main__":
    sys.exit(main())
