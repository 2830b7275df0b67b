"""What a net makes of positions: learned for games that are shipped, the same in every form of the search."""

from __future__ import annotations

import lzma
from array import array
from importlib.resources import files
from random import Random

import pytest

from bot.computer.kernels.backends import PLAIN, backend_for
from bot.computer.kernels.lookup_tables import signed
from bot.computer.kernels.net import COUNTS, UNITS, joined, net_worth
from bot.computer.kernels.net_words import words
from bot.computer.search import net_weights, weight_files
from bot.computer.search.draughts import Searcher, searcher_for
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_of
from bot.engine.ruleset import shipped
from bot.engine.variants import read
from tests.support.computer import slow_nets, slow_patterns
from tests.support.computer.altered_weights import altered, with_digest
from tests.support.computer.learned_games import Options, draughts, states_of

OWN = {
    "another aim": ("[draws]", '[outcome]\nwins = "lose-all"\n\n[draws]'),
    "short kings": ('reach = "long"', 'reach = "short"'),
}
LEARNED: list[tuple[str, Options]] = [("spanish", {}), ("spanish", {"mirror": True}), ("americanas", {})]


def content(game: str) -> bytes:
    return files("data").joinpath("weights", f"{game}.net").read_bytes()


def packed(integers: bytes, behind: bytes = b"", form: int = lzma.FORMAT_XZ) -> bytes:
    """A file of spanish whose digest is right."""
    body = lzma.compress(integers, form) + behind
    return with_digest(b'game = "spanish"\npieces = 24', body)


def unpacked(file: bytes) -> bytes:
    return lzma.decompress(file.partition(weight_files.PARTED)[2])


@pytest.mark.parametrize(("game", "options"), LEARNED)
def test_worth_as_the_file_has_it(game: str, options: Options) -> None:
    """Of random positions, the mirror image of the board's among them, the worth is what the file's weights make of
    them unit by unit, and never the same for all."""
    rules = draughts(game, options)
    searcher, found = Searcher(rules, PLAIN), set()
    for state in states_of(rules, game, options, 30):
        if sum(state.position.material()) > searcher.plain.net:
            continue
        here = searcher.node(state.position)
        worth = net_worth(searcher.net, searcher.size, here.side, *here[1:5])
        assert worth == slow_nets.net_worth(rules, state.position), rules.position(state)
        found.add(worth)
    assert len(found) > 5


@pytest.mark.parametrize(("game", "options"), LEARNED)
def test_words_say_the_same(game: str, options: Options) -> None:
    """The form that is compiled gives the same worth."""
    pytest.importorskip("numba")
    if backend_for(64) is PLAIN:
        pytest.skip("DAMERO_PLAIN is set")
    rules = draughts(game, options)
    plain, compiled = Searcher(rules, PLAIN), searcher_for(rules)
    limit = Limit(depth=1, selective=False, endgames=False)
    for state in states_of(rules, game, options, 60):
        assert compiled.think(state, limit).ranked == plain.think(state, limit).ranked, rules.position(state)


def test_both_sides_have_the_same_weights() -> None:
    """A position turned about, with colours changed, is worth the same to its mover."""
    rules = draughts("spanish", {})
    searcher = Searcher(rules, PLAIN)

    def turned(bits: int) -> int:
        return int(f"{bits:0{searcher.size}b}"[::-1], 2)

    for state in states_of(rules, "spanish", {}, 15):
        if sum(state.position.material()) <= searcher.plain.net:
            side, *sets = searcher.node(state.position)[:5]
            there = net_worth(searcher.net, searcher.size, 1 - side, *map(turned, sets))
            assert net_worth(searcher.net, searcher.size, side, *sets) == there


def test_more_pieces_than_a_game_has() -> None:
    """With more pieces than a game begins with the net has no say, and a board of another size has none."""
    assert searcher_for(draughts("canadian", {})).plain.net == 0
    rules = draughts("spanish", {})
    searcher = Searcher(rules, PLAIN)
    squares = [f"{file}{row}" for row in range(1, 9) for file in "abcdefgh" if (ord(file) + row) % 2]
    state = rules.start(f"W:W{','.join(squares[:13])}:B{','.join(squares[-13:])}")
    found = searcher.think(state, Limit(depth=1, selective=False, endgames=False))
    after = rules.play(state, found.turn).position
    assert sum(after.material()) == 26
    here = searcher.node(after)
    assert found.score == -(here.score + slow_patterns.pattern_worth(rules, after))


def test_rows_in_both_forms() -> None:
    """A word of a row is four units; negative weights borrow from the next unit and give it back in the sum."""
    rows = [[number - 16 for number in range(UNITS)]]
    (large,) = joined(rows)
    for at, word in enumerate(words(rows)):
        assert [word >> 16 * k & 0xFFFF for k in range(4)] == [32768 + 4 * at + k - 16 for k in range(4)]
        assert large >> 64 * at & (1 << 64) - 1 == word
        assert -(1 << 63) <= signed(word) < 1 << 63


def test_a_file_written_is_the_file_read() -> None:
    """What is written comes back, at its square and number of pieces."""
    rules = draughts("spanish", {})
    random = Random(7)
    weights = array("h", (random.randrange(-300, 300) for _ in range(UNITS * (25 + 4 * 32))))
    net = net_weights.net_of("spanish", rules.board, weight_files.written({"game": "spanish", "pieces": 24}, weights))
    assert net.pieces == 24
    assert list(net.rows[24]) == list(weights[24 * UNITS : 25 * UNITS])
    first = min(rules.board.played, key=lambda place: rules.board.places[place][::-1])
    assert list(net.rows[COUNTS + first]) == list(weights[25 * UNITS : 26 * UNITS])


@pytest.mark.parametrize(
    "damage",
    [
        lambda good: good[:-1],
        lambda good: altered(good, b'"spanish"', b'"pinoy"'),
        lambda good: b"\xff" + good,
        lambda good: altered(good, b"pieces = 24", b"pieces = 0"),
        lambda good: altered(good, b"pieces = 24", b"pieces = 23"),
        lambda good: weight_files.written({"game": "spanish", "pieces": 24}, array("h", [1, 2])),
        lambda good: weight_files.written(
            {"game": "spanish", "pieces": 24}, array("h", [0] * (UNITS * 152) + [2000] * UNITS)
        ),
        lambda good: weight_files.written({"game": "spanish", "pieces": 24}, array("h", [9000] * (UNITS * 153))),
        lambda good: weight_files.written(
            {"game": "spanish", "pieces": 24}, array("h", [32_000] * (UNITS * 25) + [0] * (UNITS * 128))
        ),
        lambda good: altered(good, b"pieces = 24", b"pieces = inf"),
        lambda good: altered(good, b"pieces = 24", b"pieces = 24.0"),
        lambda good: altered(good, b"pieces = 24", b"pieces = " + b"[" * 100_000),
        lambda good: packed(unpacked(good), behind=b"more" * 10),
        lambda good: packed(unpacked(good), form=lzma.FORMAT_ALONE),
    ],
    ids=[
        "cut",
        "another game",
        "no text",
        "no pieces",
        "other pieces",
        "too short",
        "fits",
        "too large",
        "as much as a won game",
        "pieces without end",
        "half pieces",
        "deep",
        "more behind it",
        "another form",
    ],
)
def test_a_damaged_file(damage: object, request: pytest.FixtureRequest) -> None:
    """It is refused with one sentence that says what to do."""
    assert callable(damage)
    board = draughts("spanish", {}).board
    bad = damage(content("spanish"))
    if request.node.callspec.id == "fits":
        assert net_weights.net_of("spanish", board, bad).pieces == 24
        return
    told = r"the learned weights of spanish cannot be used: .*; install"
    with pytest.raises(weight_files.WeightFileError, match=told):
        net_weights.net_of("spanish", board, bad)


def test_no_more_is_unpacked_than_a_file_may_have() -> None:
    """A small file that would fill the memory is refused before it does."""
    with pytest.raises(weight_files.WeightFileError, match="the file is damaged"):
        weight_files.read("spanish", packed(bytes(1 << 26)))


def test_a_file_packed_here_is_read() -> None:
    """What the tests above pack is good where nothing is damaged."""
    board = draughts("spanish", {}).board
    good = content("spanish")
    assert net_weights.net_of("spanish", board, packed(unpacked(good))) == net_weights.net_of("spanish", board, good)


@pytest.mark.parametrize("change", OWN.values(), ids=OWN)
def test_an_own_file_of_the_same_name(change: tuple[str, str]) -> None:
    """A variant that is called as a shipped one, and whose pieces or aim are others, has nothing of what was learned
    for that one: it is played as under any other name."""
    text = shipped("spanish").text
    assert text.count(change[0]) == 1
    worths = []
    for name in ("spanish", "own"):
        rules = rules_of(read(text.replace(*change), f"{name}.toml"))
        assert isinstance(rules, DraughtsRules)
        searcher = Searcher(rules, PLAIN)
        assert not searcher.plain.net
        assert not searcher.plain.patterns
        worths.append(searcher.node(rules.start("W:Wb1,d1,f1,h1,a2,Kc4:Ba8,c8,e8").position).score)
    assert worths[0] == worths[1]


def test_the_same_rules_in_other_words() -> None:
    """Who plays by a file that differs from the shipped one in its words alone has what was learned for that one."""
    rules = rules_of(read(shipped("spanish").text.replace('name = "Dama', 'name = "The dama'), "spanish.toml"))
    assert isinstance(rules, DraughtsRules)
    assert rules.variant.ruleset != shipped("spanish")
    searcher, there = Searcher(rules, PLAIN), Searcher(draughts("spanish", {}), PLAIN)
    assert searcher.plain.net == there.plain.net > 0
    assert searcher.plain.patterns == there.plain.patterns > 0
    state = rules.start()
    assert searcher.node(state.position) == there.node(state.position)
