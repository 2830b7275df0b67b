from __future__ import annotations

from bot.support.signals import AwaitedSignal, Signal


def test_all_who_are_connected_are_told() -> None:
    """In the order in which they were connected, with all that is to be told."""
    heard: list[tuple[str, int]] = []
    signal: Signal[[int]] = Signal()
    signal.send(1)
    signal.connect(lambda number: heard.append(("first", number)))
    signal.connect(lambda number: heard.append(("second", number)))
    signal.send(2)
    assert [("first", 2), ("second", 2)] == heard


async def test_what_receivers_do_is_waited_for() -> None:
    """One after the other: the second sees what the first has done."""
    done: list[str] = []
    signal: AwaitedSignal[[str]] = AwaitedSignal()

    async def again(text: str) -> None:
        done.append(text * (len(done) + 1))

    signal.connect(again)
    signal.connect(again)
    await signal.send("a")
    assert ["a", "aa"] == done
