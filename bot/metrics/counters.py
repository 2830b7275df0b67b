"""What is counted as it happens: the instruments, and the receivers of the signals that tell of it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

from bot.chat.client import Damero
from bot.chat.components import Press
from bot.chat.posting.live_messages import LiveMessages
from bot.games.model.computer_seats import is_computer
from bot.games.model.game import Entry, Game
from bot.games.persistence.outbox import Announcement, PostOutcome
from bot.metrics.figures import variant_label
from data.queries.timers import TimerRow
from data.store import Spent

# Prometheus itself sees when a counter begins anew.
disable_created_metrics()  # type: ignore[no-untyped-call]

_SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_LONG = (0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200)


class Counters:
    """The instruments of one registry, and what counts with them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        # The names and labels of discord-ext-prometheus. There are no text commands, so the second stays empty.
        self._interactions = self._counter(
            "discord_event_on_interaction", "Interactions", "shard", "interaction", "command"
        )
        self._counter("discord_event_on_command", "Text commands", "shard", "command")
        self._logged = self._counter("logging", "Lines of the log", "logger", "level")
        self._errors = self._counter("damero_errors", "Exceptions that were logged, by their class", "kind")
        self._turns = self._counter("damero_turns", "Turns that were stored", "variant", "by")
        self._posts = self._counter("damero_posts", "Tries to post, by what became of them", "of", "outcome")
        self._post_delay = self._histogram(
            "damero_post_delay_seconds", "From the making of an announcement until it stood in its channel", _LONG
        )
        self._timers = self._counter("damero_timers", "Timers that were tried", "kind", "outcome")
        self._timer_late = self._histogram(
            "damero_timer_late_seconds", "How late a timer was begun that was then done", _LONG, "kind"
        )
        self.loop_late = self._histogram("damero_loop_late_seconds", "How late the event loop is", _SHORT)
        self._store = self._histogram("damero_store_seconds", "What a transaction took", _SHORT, "kind")
        self._store_wait = self._histogram("damero_store_wait_seconds", "How long it waited for it", _SHORT, "kind")
        self._not_stored = self._counter("damero_store_failures", "Transactions that failed", "kind")
        self._thinking = self._histogram("damero_computer_seconds", "What a worker took for a job", _LONG, "queue")
        self._thinking_wait = self._histogram(
            "damero_computer_wait_seconds", "How long a job waited for a worker", _LONG, "queue"
        )
        self._lost = self._counter("damero_workers_lost", "Workers that died, hung, or could not be started")
        # An alert compares with what was before, which a first appearance does not have.
        for kind in ("read", "write"):
            self._not_stored.labels(kind)
        for outcome in PostOutcome:
            self._posts.labels("game", outcome.value)
        self.closed: set[int] = set()
        """Games whose channel was closed to the bot at the last try."""

    def connect(self, bot: Damero) -> None:
        """Hear of what happens in ``bot`` from now on."""
        services = bot.services
        services.store.watch(self._spent)
        services.games.signals.entered.connect(self._entered)
        services.outbox.tried.connect(self._posted)
        services.workers.worked.connect(self._worked)
        services.workers.lost.connect(self._lost.inc)
        bot.timers.tried.connect(self._timer)
        for part in bot.parts:
            if isinstance(part, LiveMessages):
                part.tried.connect(self._live_message(part.owner))
        bot.asked.connect(self._interaction)

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(name, says, labels, registry=self._registry)

    def _histogram(self, name: str, says: str, buckets: Collection[float], *labels: str) -> Histogram:
        return Histogram(name, says, labels, buckets=tuple(buckets), registry=self._registry)

    def _spent(self, spent: Spent) -> None:
        kind = "write" if spent.writes else "read"
        self._store.labels(kind).observe(spent.taken)
        self._store_wait.labels(kind).observe(spent.waited)
        if not spent.stored:
            self._not_stored.labels(kind).inc()

    def _entered(self, game: Game, entry: Entry) -> None:
        if entry.kind == "turn":
            by = "computer" if is_computer(game.players[entry.seat]) else "person"
            self._turns.labels(variant_label(game.rules.variant.id), by).inc()

    def _posted(self, announcement: Announcement, outcome: PostOutcome, after: int) -> None:
        self._posts.labels("game", outcome.value).inc()
        if outcome is PostOutcome.SENT:
            self._post_delay.observe(after / 1000)
        (self.closed.add if outcome is PostOutcome.CLOSED else self.closed.discard)(announcement.game_id)

    def _live_message(self, owner: str) -> Any:
        return lambda outcome: self._posts.labels(owner, outcome.value).inc()

    def _timer(self, timer: TimerRow, late: int, done: bool) -> None:
        self._timers.labels(timer.kind, "done" if done else "failed").inc()
        if done:
            self._timer_late.labels(timer.kind).observe(late / 1000)

    def _worked(self, background: bool, waited: float, taken: float) -> None:
        queue = "background" if background else "game"
        self._thinking.labels(queue).observe(taken)
        self._thinking_wait.labels(queue).observe(waited)

    def _interaction(self, interaction: Press) -> None:
        shard = None if interaction.guild is None else interaction.guild.shard_id
        # A button or a form has no command, nor has a command that was taken away.
        command = interaction.command
        name = None if command is None else command.qualified_name
        self._interactions.labels(shard, interaction.type.name, name).inc()

    def log_record(self, record: logging.LogRecord) -> None:
        """Count a line of the log, and what it tells of."""
        self._logged.labels(record.name, record.levelname).inc()
        error = record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
        if error is True:
            error = sys.exc_info()
        kind = error[0] if isinstance(error, tuple) else type(error) if isinstance(error, BaseException) else None
        if kind is not None:
            self._errors.labels(kind.__name__).inc()


class CountingHandler(logging.Handler):
    """Counts what is logged."""

    def __init__(self, counters: Counters) -> None:
        super().__init__()
        self._counters = counters

    def emit(self, record: logging.LogRecord) -> None:
        self._counters.log_record(record)
