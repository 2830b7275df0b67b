"""Chinese checkers: the star, the known counts, the options, position strings and what players may type."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from bot.engine import variants
from bot.engine.boards import star_board
from bot.engine.errors import AmbiguousMove, BadPosition, IllegalMove, MoveError, NotAMove, VariantError
from bot.engine.registry import rules_for
from bot.engine.star.geometry import GROUND, OPPOSITE, SETS, STEPS, TRIANGLES
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.turns import Turn
from bot.presentation.board_scene import look_of
from tests.support.engine import slow_star
from tests.support.engine.questions import Play
from tests.support.engine.star_lockstep import MOVING, Options, Pair, by_placement, by_play, forward, name_of
from tests.support.thoroughness import THOROUGH

GAME = "chinese-checkers"
TEXTS = 2_500 * THOROUGH


# The board


def test_the_star_has_121_holes_in_17_rows() -> None:
    """Rows a to q from the bottom have 1 2 3 4 13 12 11 10 9 10 11 12 13 4 3 2 1 holes, numbered from the left."""
    board = star_board()
    rows = [len(list(group)) for _, group in itertools.groupby(board.names, key=lambda name: name[0])]
    assert rows == [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
    assert [board.names[i] for i in (0, 10, 22, 60, 120)] == ["a1", "e1", "e13", "i5", "q1"]
    assert [board.places[board.index[name]] for name in ("a1", "e1", "e13", "i5", "m13", "q1")] == [
        (12, 0), (0, 4), (24, 4), (12, 8), (24, 12), (12, 16),
    ]  # fmt: skip
    assert (board.width, board.height, len(board.played)) == (25, 17, 121)


def test_triangles_as_another_lays_them_out() -> None:
    """The six triangles of ten holes, and the ground gained toward their points, are those of the slow generator."""
    names = star_board().names
    for name in SETS:
        assert {names[hole] for hole in TRIANGLES[name]} == slow_star.triangle(name)
        assert sorted(GROUND[name]) == sorted(GROUND["N"])
        point, opposite = (min(TRIANGLES[of], key=lambda hole: len(STEPS[hole])) for of in (name, OPPOSITE[name]))
        assert (GROUND[name][point], GROUND[name][opposite]) == (16, 0)


# Known counts


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, [14, 196, 4760, 115600]),
        ({"players": 3}, [14, 196, 2744]),
        ({"players": 4}, [14, 197, 2758]),
        ({"players": 6}, [14, 197, 2772]),
        ({"players": 3, "sets": 2}, [28, 785, 22036]),
        ({"players": 2, "sets": 3}, [42, 1770, 92288]),
    ],
    ids=lambda value: name_of(value) if isinstance(value, dict) else "",
)
def test_known_counts(options: Options, counts: list[int]) -> None:
    """The counts of docs/rules.md hold at every depth given there."""
    rules = rules_for(GAME, options)
    assert [rules.perft(rules.start(), depth) for depth in range(1, len(counts) + 1)] == counts


def test_counts_end_with_the_game() -> None:
    """A turn that wins is counted and nothing after it; a position that is won counts nothing."""
    rules = rules_for(GAME)
    state = rules.start("1:S=m7,n1:N=i1,i9")
    turns = rules.turns(state)
    states = [rules.play(state, turn) for turn in turns]
    assert [following.outcome is not None for following in states].count(True) == 2
    assert rules.perft(state, 2) == sum(len(rules.turns(following)) for following in states)
    assert rules.perft(next(following for following in states if following.outcome), 1) == 0
    assert rules.perft(state, 0) == 1


# Options


def test_the_star_is_offered_after_the_draughts_games() -> None:
    """It is one of the shipped variants, by its name, and in the star's look."""
    assert variants.names()[-1] == GAME
    variant = variants.load(GAME)
    assert (variant.name, variant.family, variant.tables.colours) == ("Chinese checkers", "star", "lot")
    assert look_of(variant)[0] == "star"
    assert dict(variant.options) == {"players": 2, "sets": 1, "unused": "empty", "blocked": "swap", "places": False}


@pytest.mark.parametrize("sets", [1, 2, 3])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_choice_of_options(players: int, sets: int) -> None:
    """All options load together, but for a number of sets that does not go with the number of players."""
    for unused, blocked, places in itertools.product(("empty", "filled"), ("swap", "filled", "none"), (False, True)):
        options: Options = {
            "players": players, "sets": sets, "unused": unused, "blocked": blocked, "places": places,
        }  # fmt: skip
        if (players, sets) in slow_star.TABLES:
            assert dict(variants.load(GAME, options).options) == options
            assert len(rules_for(GAME, options).seats) == players
            # As people and programs write them.
            assert dict(variants.load(GAME, {k: str(v).lower() for k, v in options.items()}).options) == options
        else:
            with pytest.raises(VariantError, match=f"players={players} goes with .*, not with sets={sets}"):
                variants.load(GAME, options)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"sets": 2}, "these options do not go together: players=2 goes with sets=1 or sets=3, not with sets=2"),
        ({"players": 6, "sets": 3}, "these options do not go together: players=6 goes with sets=1, not with sets=3"),
        ({"players": 5}, "option players does not take '5'; it takes 2, 3, 4 or 6"),
        ({"sets": 4}, "option sets does not take '4'; it takes 1, 2 or 3"),
        ({"sets": True}, "option sets does not take 'true'; it takes 1, 2 or 3"),
        ({"blocked": "maybe"}, "option blocked does not take 'maybe'; it takes swap, filled or none"),
        ({"mirror": True}, "Chinese checkers has no option 'mirror'; its options are: "
                           "blocked, places, players, sets, unused"),
    ],
)  # fmt: skip
def test_options_that_are_refused(options: Options, reason: str) -> None:
    """A value that does not fit is refused with what there is."""
    with pytest.raises(VariantError) as caught:
        variants.load(GAME, options)
    assert caught.value.message == reason


def test_a_file_with_sets_that_do_not_fit_is_refused() -> None:
    """In a file, too, the sets must go with the players, whatever its options offer."""
    text = 'name = "X"\nfamily = "star"\ncolours = "lot"\nsays = ["X"]\nplayers = 4\nsets = 2\n'
    text += 'unused = "empty"\nblocked = "swap"\nplaces = false\n'
    with pytest.raises(VariantError) as caught:
        variants.read(text, "x.toml")
    assert caught.value.message == "x.toml: players=4 goes with sets=1, not with sets=2"


def test_a_file_that_offers_a_wrong_value_is_refused() -> None:
    """An option's values are checked one by one when the file is read."""
    text = 'name = "X"\nfamily = "star"\ncolours = "lot"\nsays = ["X"]\nplayers = 2\nsets = 1\n'
    text += 'unused = "empty"\nblocked = "swap"\nplaces = false\n'
    text += '[options.sets]\nsets = "sets"\nvalues = [1, 4]\nsays = "sets"\n'
    with pytest.raises(VariantError, match=r"x\.toml: sets: 4 is not allowed; allowed are 1, 2 or 3"):
        variants.read(text, "x.toml")


# Position strings


def test_the_start_as_a_position_string() -> None:
    """The player to move, then the sets clockwise from the bottom, holes by row and number."""
    rules = rules_for(GAME)
    assert rules.position(rules.start()) == ("1:S=a1,b1,b2,c1,c2,c3,d1,d2,d3,d4:N=n1,n2,n3,n4,o1,o2,o3,p1,p2,q1")
    three = rules_for(GAME, {"players": 3})
    assert [part.partition("=")[0] for part in three.position(three.start()).split(":")] == ["1", "S", "NW", "NE"]


@pytest.mark.parametrize("options", MOVING, ids=name_of)
def test_positions_come_back(options: Options) -> None:
    """A position written and read is the same position, in whatever order and case it is written."""
    pair, random = Pair(options), Random(f"round trip {options}")
    rules = pair.rules
    assert rules.position(rules.start(rules.opening())) == rules.position(rules.start()) == rules.opening()
    for index in range(20):
        board, seat = by_placement(pair, random) if index % 2 else by_play(pair, random) or by_placement(pair, random)
        state = rules.start(slow_star.write(pair.law, board, seat))
        text = rules.position(state)
        again = rules.start(text)
        assert (again.pegs, again.seat) == (state.pegs, state.seat)
        number, *parts = text.split(":")
        random.shuffle(parts)
        untidy = f" {number} : " + " :".join(part.lower().replace("=", " = ").replace(",", " , ") for part in parts)
        assert rules.start(untidy + ".").pegs == state.pegs


def test_sets_may_be_left_out() -> None:
    """A set that is not named, or has no hole, has no peg on the board; pegs that nobody moves need not be named."""
    rules = rules_for(GAME, {"players": 3})
    assert rules.position(rules.start("1:S=a1")) == "1:S=a1:NW=:NE="
    filled = rules_for(GAME, {"unused": "filled"})
    state = filled.start("2:S=a1:N=q1")
    assert filled.position(state).startswith("2:S=a1:SW=e1,e2,e3,e4,f1,")
    assert filled.start(filled.position(state)) == state


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cannot read the position ''; a position is written like 1:S=a1,b1:N=p1,q1"),
        ("W:Wc3:Bb8", "cannot read the position 'W:Wc3:Bb8'; a position is written like 1:S=a1,b1:N=p1,q1"),
        ("0:S=a1", "there is no player 0: 2 play"),
        ("3:S=a1:N=q1", "there is no player 3: 2 play"),
        ("1:S=a1:N", "cannot read the position 'N'; a position is written like 1:S=a1,b1:N=p1,q1"),
        ("1:S=a1:X=q1", "cannot read the position 'X=q1'; a position is written like 1:S=a1,b1:N=p1,q1"),
        ("1:S=a1:NW=q1", "the set NW is not in this game; there are S, N"),
        ("1:S=a1:S=b1", "the set S is named twice"),
        ("1:S=a2:N=q1", "'a2' is not a hole of the star; a position is written like 1:S=a1,b1:N=p1,q1"),
        ("1:S=a1:N=a1", "a1 is named twice"),
        ("1:S=e1,e2,e3,e4,e5,e6,e7,e8,e9,e10,e11:N=q1", "the set S has 10 pegs, not 11"),
    ],
)  # fmt: skip
def test_bad_positions(text: str, reason: str) -> None:
    """What is wrong with a position string is said."""
    with pytest.raises(BadPosition) as caught:
        rules_for(GAME).start(text)
    assert caught.value.message == reason


def test_bad_positions_with_pegs_that_nobody_moves() -> None:
    """Pegs that nobody moves are where they started, and nobody else is there."""
    rules = rules_for(GAME, {"unused": "filled"})
    with pytest.raises(BadPosition, match="the pegs of SW belong to nobody and stay in their own triangle"):
        rules.start("1:S=a1:SW=i5:N=q1")
    with pytest.raises(BadPosition, match="e1 holds a peg that never moves"):
        rules.start("1:S=e1:N=q1")


# Typed turns


@pytest.mark.parametrize(
    "typed",
    [
        "i5-i4",
        "i5 i4",
        "i5i4",
        "I5 - I4",
        "i5->i4",
        "i5 \u2192 i4",
        "i5\u2013i4",
        " i5:i4! ",
        "`i5-i4`",
        "i 5 i 4",
        "i4",
    ],
)
def test_a_step_may_be_typed(typed: str) -> None:
    """In any case, with any dash or none, or by its end alone when only one peg can go there."""
    assert Play(GAME, "1:S=i5:N=q1").means(typed) == "i5-i4"


@pytest.mark.parametrize(
    "typed", ["c1-e5-g5", "c1 e5 g5", "C1E5G5", "c1xe5xg5", "c1:e5:g5", "c1, e5, g5", "c1-g5", "c1 g5", "g5"]
)
def test_a_chain_may_be_typed(typed: str) -> None:
    """Hole by hole, or by its two ends when one way to the end gives one position."""
    assert Play(GAME, "1:S=c1,a1:N=d1,f5,q1").means(typed) == "c1-e5-g5"


def test_two_ends_with_two_positions_are_asked_about() -> None:
    """Where two ways to one hole swap other pegs, the bot asks; hole by hole each is told."""
    game = Play(GAME, "1:S=a1,l4:N=m5,n2,n3,o1,o2")
    with pytest.raises(AmbiguousMove) as caught:
        game.means("l4-n3")
    assert caught.value.message == "more than one move fits: l4-n1-n3, l4-n1-p1-n3"
    assert [turn.text for turn in caught.value.candidates] == ["l4-n1-n3", "l4-n1-p1-n3"]
    assert game.means("l4-n1-n3") == "l4-n1-n3"
    assert game.means("l4-n1-p1-n3") == game.means("L4 N1 P1 N3") == "l4-n1-p1-n3"


def test_an_end_that_several_pegs_reach_is_asked_about() -> None:
    """One hole alone is a turn only when one peg can go there."""
    with pytest.raises(AmbiguousMove, match="more than one move fits: i4-j5, i5-j5"):
        Play(GAME, "1:S=i4,i5:N=q1").means("j5")


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "pass",
        "hello",
        "i",
        "5",
        "i5-",
        "-i5",
        "i5--",
        "r1-r2",
        "i05-i4",
        "i5 4",
        "i5-i100",
        "i5-\u0664",
        "soplar i5",
        "oblige",
        "i5-i4 " * 60,
    ],
)
def test_what_is_no_turn(typed: str) -> None:
    """What is not written as a turn is told how to write one."""
    with pytest.raises(NotAMove, match=r"Type a move such as i5-[a-z0-9]+\."):
        Play(GAME, "1:S=i5:N=q1").means(typed)


@pytest.mark.parametrize(
    ("position", "typed", "reason"),
    [
        ("1:S=i5:N=q1", "e14-e13", "there is no hole e14: row e has e1 to e13"),
        ("1:S=i5:N=q1", "a1-a2", "there is no hole a2: row a has a1 only"),
        ("1:S=i5:N=q1", "i6-i7", "i6 is empty"),
        ("1:S=i5:N=q1", "q1-p1", "the peg on q1 is not yours: you play South"),
        ("1:S=i5:N=i6,q1", "i5-i6", "i6 is not empty"),
        ("1:S=i5:N=i6,q1", "i6", "i6 is not empty"),
        ("1:S=i5:N=q1", "q2", "there is no hole q2: row q has q1 only"),
        ("1:S=i5:N=q1", "k5", "no peg of yours can go to k5"),
        ("1:S=i5:N=q1", "i5-i7", "there is nothing to hop over on i6, between i5 and i7"),
        ("1:S=i5:N=q1", "i5-i8", "no chain of hops leads from i5 to i8"),
        ("1:S=i5:N=i6,q1", "i5-i7-i9", "there is nothing to hop over on i8, between i7 and i9"),
        ("1:S=i5:N=i6,q1", "i5-i7-i8", "from i7 to i8 is a step: a step is a whole turn, it is not joined with hops"),
        ("1:S=a1:N=q1", "a1-a1", "a turn may not end in the hole where it began"),
        ("1:S=i5:N=q1", "i5-i5", "a turn may not end in the hole where it began"),
        ("1:S=i5:N=j5,j6,k6,q1", "i5-k7-k5-i5", "a turn may not end in the hole where it began"),
        ("1:S=i5:N=i6,q1", "i5-i7-i7", "i7 is named twice in a row"),
        ("1:S=i5,n1:N=q1", "n1-m5", "the peg on n1 may not leave its target triangle again"),
        ("1:S=i5,m7:N=n2,o2,n4", "m7-o1-o3-m9", "the peg on o3 may not leave its target triangle again"),
        ("1:S=i5,m7:N=n2,o2,n4", "m7-m9",
         "a peg that lands in its target triangle may not leave it again in the same chain"),
        ("1:S=a1,n1:N=i1,q1", "n1-q1", "no chain of hops leads from n1 to q1"),
    ],
)  # fmt: skip
def test_refusals_teach(position: str, typed: str, reason: str) -> None:
    """A turn that the rules forbid changes nothing and gets the reason."""
    assert Play(GAME, position).refusal(typed) == reason


def test_refusals_with_more_players() -> None:
    """Whose triangle it is, whose peg it is, and which sets are one's own."""
    six = "1:S=e5:SW=e4,f3:N=q1"
    closed = (
        "a peg of yours may hop through the southwest triangle but not end its turn there: "
        "it is the start of Southwest and the target of Northeast"
    )
    assert Play(GAME, six, players=6).refusal("e5-e3") == closed
    assert Play(GAME, six, players=6).refusal("e3") == closed
    sets = Play(GAME, "1:S=e5:SW=e4:NW=m1:N=q1", players=3, sets=2)
    assert sets.refusal("m1-l1") == "the peg on m1 is not yours: you play South and Southwest"
    assert Play(GAME, unused="filled").refusal("e1-e2") == "the peg on e1 belongs to nobody and never moves"


def test_nothing_is_played_after_the_end() -> None:
    """A game that is over has no turns."""
    won = Play(GAME, "1:S=n1:N=q1")
    assert won.moves == []
    assert won.refusal("n1-n2") == "the game is over"


def random_states(random: Random) -> list[tuple[StarRules, StarState]]:
    """States of random games with every choice of options."""
    found: list[tuple[StarRules, StarState]] = []
    for options in MOVING:
        rules = Pair(options).rules
        state = rules.start()
        for ply in range(random.randrange(60)):
            if state.outcome:
                break
            state = rules.play(state, forward(rules, state, random))
            if ply % 9 == 8:
                found.append((rules, state))
    return found


def test_any_text() -> None:
    """Thousands of texts, near moves and far: a legal turn or one of the three errors, never anything else."""
    random = Random("any text")
    states = random_states(random)
    names = star_board().names
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789-x:>, \t\n\u2192\uff0d\u0661\u00b2\U0001d7d9!"
    read = 0
    for _ in range(TEXTS):
        rules, state = random.choice(states)
        turns = rules.turns(state)
        text = "-".join(random.choices(names, k=random.randint(1, 5)))
        if turns and random.random() < 0.7:
            text = random.choice(turns).text
        for _ in range(random.choice((0, 0, 1, 1, 2, 5))):
            at = random.randrange(len(text) + 1)
            put = random.choice(["", random.choice(alphabet), random.choice(names)])
            text = text[:at] + put + text[at + random.randint(0, 2) :]
        read += meant(rules, state, text) in turns
    assert read > TEXTS / 10


def meant(rules: StarRules, state: StarState, text: str) -> Turn | None:
    """The turn that a text means, if it means one; what it raises must be one of the three errors, and tell why."""
    try:
        return rules.read(state, text)
    except MoveError as error:
        told = error
    assert isinstance(told, AmbiguousMove | IllegalMove | NotAMove)
    assert told.message
    if isinstance(told, AmbiguousMove):
        assert len(set(told.candidates) & set(rules.turns(state))) == len(told.candidates) > 1
    return None


def test_any_position() -> None:
    """2,000 texts as positions: a state that comes back as written, or BadPosition with the reason."""
    random = Random("any position")
    states = random_states(random)
    good = 0
    for _ in range(2_000):
        rules, state = random.choice(states)
        text = rules.position(state)
        for _ in range(random.randint(0, 3)):
            at = random.randrange(len(text) + 1)
            put = random.choice(["", random.choice("abq123S=N:,W E\u0661"), ":N=q1"])
            text = text[:at] + put + text[at + random.randint(0, 3) :]
        try:
            read = rules.start(text)
        except BadPosition as error:
            reason = error.message
        else:
            reason = "good"
            assert rules.start(rules.position(read)).pegs == read.pegs
            good += 1
        assert reason
    assert 0 < good < 2_000


def test_states_of_another_family_are_refused() -> None:
    """A state of draughts means nothing on the star."""
    with pytest.raises(TypeError, match="another family"):
        rules_for(GAME).turns(rules_for("tama").start())
    with pytest.raises(TypeError, match="another family"):
        rules_for("tama").turns(rules_for(GAME).start())
