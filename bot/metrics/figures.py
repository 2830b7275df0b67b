"""Figures that stand for a moment, and are looked up when somebody asks: in the process, in the store, on the disk."""

from __future__ import annotations

import math
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from bot.background.nightly import NOT_COPIED
from bot.chat.client import Damero
from bot.chat.sharding import ShardedDamero
from bot.engine import variants
from bot.support.frozen import frozen
from data import backup
from data.queries import announcements, games, key_values, timers
from data.store import Store

OWN = "own"
"""The label that all variants of servers' own share: how many there are is for servers to say."""

Figures = dict[str, Mapping[tuple[str, ...], float]]
"""By a gauge's name the values of its labels, in order, each with its figure."""


@frozen
class GaugeKind:
    """A gauge: what it says, and the names of its labels."""

    says: str
    labels: tuple[str, ...] = ()


# The first six are those of discord-ext-prometheus, with its labels.
GAUGES: Mapping[str, GaugeKind] = {
    "discord_connected": GaugeKind("Whether the bot is connected to Discord", ("shard",)),
    "damero_shards_free": GaugeKind("Shards that no process acts for, as this one sees it"),
    "discord_latency_seconds": GaugeKind("Latency of Discord's gateway", ("shard",)),
    "discord_stat_total_guilds": GaugeKind("Servers that the bot is on"),
    "discord_stat_total_channels": GaugeKind("Channels of these servers"),
    "discord_stat_total_users": GaugeKind("Members of these servers, as Discord told their number at the connect"),
    "discord_stat_total_commands": GaugeKind("Commands"),
    "damero_games_running": GaugeKind("Games that are being played; servers' own variants are one", ("variant",)),
    "damero_posts_waiting": GaugeKind("Announcements of games that are not posted yet", ("channel",)),
    "damero_posts_oldest_waiting_seconds": GaugeKind("Age of the oldest of them, 0 where none waits", ("channel",)),
    "damero_timers_due": GaugeKind("Timers that have fallen due and are not done"),
    "damero_timers_overdue_seconds": GaugeKind("How late the oldest of them is, 0 where there is none"),
    "damero_computer_queue": GaugeKind("Jobs that wait for a worker of the computer", ("queue",)),
    "damero_workers": GaugeKind("Workers of the computer that there may be"),
    "damero_workers_alive": GaugeKind("Those that are running; one is started when it is first needed"),
    "damero_copy_failed": GaugeKind("Whether the last nightly copy could not be made"),
    "damero_copy_age_seconds": GaugeKind("Age of the newest good nightly copy; left out where there is none"),
    "damero_database_bytes": GaugeKind("Size of the database, with what is not yet merged into it"),
    "damero_disk_free_bytes": GaugeKind("Room on the disk where the database is"),
    "damero_disk_size_bytes": GaugeKind("Size of that disk"),
}


@lru_cache(maxsize=1000)
def variant_label(variant_id: str) -> str:
    """The label of a variant: its id where it is shipped, so that there are never more than those."""
    return variant_id if variant_id in variants.names() else OWN


def of_discord(bot: Damero) -> Figures:
    """What the bot sees of Discord. It reads only, and so may be called in another thread."""
    guilds = tuple(bot.guilds)
    connected: dict[tuple[str, ...], float] = {("None",): float(bot.connected())}
    latencies = [("None", bot.latency)]
    if isinstance(bot, ShardedDamero):
        up = bot.up()
        connected = {(str(shard),): float(shard in up) for shard in bot.services.store.shards.ids}
        latencies = [(str(shard), latency) for shard, latency in bot.latencies]
    return {
        "damero_shards_free": {(): bot.free_shards},
        "discord_connected": connected,
        "discord_latency_seconds": {(shard,): latency for shard, latency in latencies if math.isfinite(latency)},
        "discord_stat_total_guilds": {(): len(guilds)},
        "discord_stat_total_channels": {(): sum(len(guild.channels) for guild in guilds)},
        "discord_stat_total_users": {(): sum(guild.member_count or 0 for guild in guilds)},
        "discord_stat_total_commands": {(): sum(1 for _ in bot.tree.walk_commands())},
    }


def of_workers(bot: Damero) -> Figures:
    """The computer's queues and workers; called on the event loop, to which they belong."""
    workers = bot.services.workers
    return {
        "damero_computer_queue": {("game",): len(workers.playing), ("background",): len(workers.background)},
        "damero_workers": {(): len(workers.executors)},
        "damero_workers_alive": {(): sum(executor.alive for executor in workers.executors)},
    }


async def of_store(store: Store, now: int, kinds: Sequence[str], closed: Collection[int]) -> Figures:
    """What waits in the store at ``now`` (UTC, milliseconds): ``kinds`` are those of the timers that are done here,
    ``closed`` the games whose channel is closed to the bot. Raises StoreError."""
    async with store.read() as tx:
        running = await games.running_by_variant(tx)
        waiting = await announcements.waiting(tx)
        due, oldest = await timers.overdue(tx, now, kinds)
        not_copied = await key_values.get(tx, NOT_COPIED)
    by_variant: dict[tuple[str, ...], float] = {(each,): 0 for each in (*variants.names(), OWN)}
    for variant_id, many in running.items():
        by_variant[variant_label(variant_id),] += many
    posts: dict[tuple[str, ...], float] = {("open",): 0, ("closed",): 0}
    ages: dict[tuple[str, ...], float] = {("open",): 0, ("closed",): 0}
    for game_id, many, made_at in waiting:
        channel = ("closed" if game_id in closed else "open",)
        posts[channel] += many
        ages[channel] = max(ages[channel], (now - made_at) / 1000)
    return {
        "damero_games_running": by_variant,
        "damero_posts_waiting": posts,
        "damero_posts_oldest_waiting_seconds": ages,
        "damero_timers_due": {(): due},
        "damero_timers_overdue_seconds": {(): 0.0 if oldest is None else (now - oldest) / 1000},
        "damero_copy_failed": {(): float(bool(not_copied))},
    }


def of_disk(file: Path, copies: Path, now: int) -> Figures:
    """The database's file, its disk and its copies; called in a thread. Raises OSError."""
    disk, copied = shutil.disk_usage(file.parent), backup.newest(copies)
    return {
        "damero_database_bytes": {(): sum(part.stat().st_size for part in _parts(file))},
        "damero_disk_free_bytes": {(): disk.free},
        "damero_disk_size_bytes": {(): disk.total},
        "damero_copy_age_seconds": {} if copied is None else {(): (now - copied) / 1000},
    }


def _parts(file: Path) -> Iterator[Path]:
    return (part for part in (file, file.with_name(f"{file.name}-wal")) if part.exists())
