"""The bounded cache."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from render.cache import Cache


def test_oldest_goes_first() -> None:
    """Beyond the bound the value that was used longest ago is dropped."""
    cache: Cache[str, int] = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_weight_is_bounded() -> None:
    """With a weight the bound counts units, and one value too heavy for it is still kept alone."""
    cache: Cache[int, bytes] = Cache(100, len)

    def kept() -> list[int]:
        return [i for i in range(101) if cache.get(i) is not None]

    for i in range(50):
        cache.put(i, bytes(30))
    assert ([47, 48, 49], 90) == (kept(), cache.held)
    cache.put(99, bytes(500))
    assert ([99], 500) == (kept(), cache.held)
    cache.put(100, bytes(10))
    assert ([100], 10) == (kept(), cache.held)


def test_first_value_stays() -> None:
    """A second value for a key is not taken: everyone gets the first."""
    cache: Cache[str, bytes] = Cache(100, len)
    assert cache.put("a", b"one") == b"one"
    assert cache.put("a", b"three") == b"one"
    assert cache.held == 3


def test_value_is_made_once() -> None:
    """Many threads that want one value at one moment get the same object, made by one of them."""
    cache: Cache[str, object] = Cache(4)
    start, made = Barrier(8), []

    def make() -> object:
        made.append(object())
        return made[-1]

    def want(_: int) -> object:
        start.wait()
        return cache.make("key", make)

    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(want, range(8)))
    assert len(made) == 1
    assert all(value is made[0] for value in got)
