"""Chinese checkers: each ruling of docs/rules.md, in its own words, on a position that shows it."""

from __future__ import annotations

import pytest

from bot.engine.registry import rules_for
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.turns import Outcome
from tests.support.engine.questions import Play
from tests.support.engine.star_lockstep import Options

GAME = "chinese-checkers"
BLOCKED = "1:S=a1,n1,n2,n3,n4,o1,o2,o3,p1,p2:N=b1,b2,c1,c2,c3,d1,d2,d3,d4,q1"
"""Each side has one peg left, in the last hole that the other needs."""


def game(position: str | None = None, **options: str | bool | int) -> Play:
    return Play(GAME, position, **options)


def star(play: Play) -> StarState:
    assert isinstance(play.state, StarState)
    return play.state


# Board and seats


@pytest.mark.parametrize(
    ("players", "keys"),
    [(2, "S N"), (3, "S NW NE"), (4, "S SW N NE"), (6, "S SW NW N NE SE")],
)
def test_seats(players: int, keys: str) -> None:
    """ "Two players face each other; three sit at S NW NE; four at two pairs of opposite triangles; six at all. Turn
    order is clockwise." """
    play = game(players=players)
    assert [seat.key for seat in play.rules.seats] == keys.split()
    names = []
    for _ in range(players + 1):
        names.append(play.seat_to_move)
        play(play.moves[0])
    assert names == [seat.name for seat in play.rules.seats] + ["South"]


def test_a_coin_toss_decides_who_begins() -> None:
    """Any seat may begin: the opening says which, and the turn goes on clockwise from it."""
    rules = rules_for(GAME, {"players": 6})
    opening = rules.opening(4)
    assert opening.startswith("5:S=a1,b1,")
    state = rules.start(opening)
    assert state.seat == 4
    assert rules.play(state, rules.turns(state)[0]).seat == 5
    assert rules.start(rules.opening()) == rules.start()
    draughts = rules_for("tama")
    assert draughts.start(draughts.opening(1)).seat == 1


@pytest.mark.parametrize(
    ("options", "sets"),
    [
        ({"players": 3, "sets": 2}, [("S", "SW"), ("NW", "N"), ("NE", "SE")]),
        ({"players": 2, "sets": 3}, [("S", "SW", "SE"), ("NW", "N", "NE")]),
    ],
)
def test_sets_per_player(options: Options, sets: list[tuple[str, ...]]) -> None:
    """ "With three players, two sets each (S+SW, NW+N, NE+SE); with two players, three sets each." """
    rules = rules_for(GAME, options)
    assert [seat.sets for seat in rules.seats] == sets
    owners = {piece.set: piece.owner for piece in rules.pieces(rules.start()).values()}
    assert owners == {name: seat for seat, names in enumerate(sets) for name in names}


def test_each_set_has_its_own_opposite_triangle_as_its_target() -> None:
    """A peg in the target of another set of its player is not home, and may leave it again."""
    play = game("1:S=m13:SW=n1:NW=i1", players=3, sets=2)
    assert play.outcome is None
    assert {"m13-l12", "n1-m5"} <= set(play.moves)
    play = game("1:S=n1,m7:SW=m13:NW=i1", players=3, sets=2)
    assert not any(move.startswith(("n1-m", "m13-m9", "m13-l8")) for move in play.moves)
    assert play("m7-n2").outcome == Outcome(0, "all the pegs are home")


# A turn


def test_one_peg_moves_to_an_adjacent_empty_hole() -> None:
    """Six neighbours in the middle, fewer at the edge."""
    assert game("1:S=i5:N=q1").moves == ["i5-h5", "i5-h6", "i5-i4", "i5-i6", "i5-j5", "i5-j6"]
    assert game("1:S=a1:N=q1").moves == ["a1-b1", "a1-b2"]


def test_hops_over_pegs_of_any_colour_in_six_directions() -> None:
    """Over its own peg, another's and one that nobody plays any more, straight into the hole behind."""
    ring = game("1:S=i5,h5:N=h6,i4,i6:SW=j5,j6", players=6)
    hops = [move for move in ring.moves if move.startswith("i5-")]
    assert hops == ["i5-g5", "i5-g7", "i5-i3", "i5-i7", "i5-k5", "i5-k7"]


def test_a_step_or_hops_but_not_both() -> None:
    """A step is a whole turn, before hops and after them."""
    play = game("1:S=i5:N=i6,q1")
    assert [move for move in play.moves if len(move) > 5] == []
    assert play.refusal("i5-i7-i8").endswith("a step is a whole turn, it is not joined with hops")
    assert play.refusal("i5-i4-i6").endswith("a step is a whole turn, it is not joined with hops")


def test_the_player_may_stop_after_any_hop() -> None:
    """Each stop of a chain is a turn of its own."""
    assert {"i2-i4", "i2-i4-i6", "i2-i4-i6-i8"} <= set(game("1:S=i2:N=i3,i5,i7").moves)


def test_a_hop_needs_an_empty_hole_straight_behind() -> None:
    """Two pegs in a row cannot be hopped, nor one at the edge, nor one further away."""
    assert not {"i5-i7", "i5-i8"} & set(game("1:S=i5:N=i6,i7").moves)
    assert "i8-i7" in game("1:S=i8:N=i9").moves
    assert not any("i9" in move for move in game("1:S=i8:N=i9").moves)
    assert "i3-i7" not in game("1:S=i3:N=i5").moves


def test_a_peg_does_not_hop_over_the_hole_that_it_left() -> None:
    """The hole where the turn began is empty while it lasts."""
    # From i5 over i6 to i7, over j7 to k7, over j6 to i5's neighbour: nothing stands on i5 to hop over.
    play = game("1:S=i5:N=i4,i6")
    assert "i5-i3" in play.moves
    assert not any(move.endswith(("i3-i7", "i7-i3")) for move in play.moves)


def test_pegs_are_never_removed() -> None:
    """What was hopped over stays, and no turn takes anything."""
    play = game("1:S=i5:N=i6,q1")("i5-i7")
    assert play.position == "2:S=i7:N=i6,q1"
    assert play.rules.lost(play.state) == {}
    assert play.state.last is not None
    assert play.state.last.captured == ()


def test_a_turn_may_not_end_in_the_hole_where_it_began() -> None:
    """A round of hops that comes back is no turn; passing through on the way elsewhere is."""
    play = game("1:S=i5:N=j5,j6,k6,q1")
    assert not any(move.endswith("i5") for move in play.moves)
    assert play.refusal("i5-k7-k5-i5") == "a turn may not end in the hole where it began"
    assert play.means("i5-k5-k7-i5-k5") == "i5-k5"


def test_one_move_two_routes() -> None:
    """Two ways to one position are one turn, told by the first of the shortest; either may be typed."""
    play = game("1:S=i5:N=j5,j6,k6,q1")
    assert [move for move in play.moves if move.endswith(("k5", "k7"))] == ["i5-k5", "i5-k7"]
    assert play.means("i5-k7-k5") == play.means("i5-k5") == "i5-k5"
    # Both ways round are two hops long: the one by the lower hole is told.
    around = game("1:S=i5:N=i6,j6,j8,k8")
    assert [move for move in around.moves if move.endswith("k9")] == ["i5-i7-k9"]
    assert around.means("i5-k7-k9") == around.means("i5-i7-k9") == around.means("i5-k9") == "i5-i7-k9"


# Triangles


def test_a_peg_that_stands_in_its_target_may_not_leave_it() -> None:
    """It may move inside."""
    assert [move for move in game("1:S=n2,i5:N=i1,q1").moves if move.startswith("n2")] == [
        "n2-n1", "n2-n3", "n2-o1", "n2-o2",
    ]  # fmt: skip


def test_a_peg_that_lands_in_its_target_in_a_chain_may_not_leave_it_again() -> None:
    """The chain may go on inside, but not through the triangle and out."""
    play = game("1:S=m7,a1:N=n2,o2,n4")
    assert {"m7-o1", "m7-o1-o3"} <= set(play.moves)
    assert "may not leave its target triangle again" in play.refusal("m7-o1-o3-m9")
    # A peg of another set, to which that triangle is nothing, hops through it.
    through = game("2:S=a1:SW=m7:N=n2,o2,n4", players=6)
    assert "m7-o1-o3-m9" in through.moves


def test_a_peg_may_pass_through_but_not_end_in_another_players_triangle() -> None:
    """Neither by a step nor after hops, be it a start or a target of another; the chain must go on out of it."""
    play = game("1:S=e5,h2:SW=e4,f3:N=q1", players=6)
    assert "e5-e3-g3" in play.moves
    assert not {"e5-e3", "h2-h1"} & set(play.moves)
    # With three players the southwest is the target of NE alone: closed all the same.
    assert "h2-h1" not in game("1:S=h2:NE=i1", players=3).moves
    assert "h2-h1" in game("3:S=i1:NE=h2,a1", players=3).moves


def test_unless_it_is_also_a_triangle_of_its_own_player() -> None:
    """With several sets a peg may rest in the start and the target of its player's other sets."""
    play = game("1:S=e5,m9:NW=i1", players=3, sets=2)
    assert {"e5-e4", "m9-m10"} <= set(play.moves)  # the starts and targets of S+SW: S, SW, N, NE
    assert not {"h10-h11", "j2-j1"} & set(game("1:S=h9,j2:NW=i1", players=3, sets=2).moves)
    two = game("1:S=e5,h2,j2,m5,m9,j9,h9,e9:N=i1", sets=3)
    assert {"e5-e4", "h2-h1", "j2-j1", "m5-m4", "m9-m10", "j9-j10", "h9-h10", "e9-e10"} <= set(two.moves)


def test_triangles_that_nobody_uses_are_free_to_rest_in() -> None:
    """With two players the side triangles, with four the other pair."""
    assert {"e5-e4", "h2-h1"} <= set(game("1:S=e5,h2:N=q1").moves)
    four = game("1:S=e5,j2:N=q1", players=4)
    assert "j2-j1" in four.moves
    assert "e5-e4" not in four.moves


def test_unused_filled() -> None:
    """They hold pegs that nobody moves and nobody can swap with; no hole of theirs comes free."""
    play = game(unused="filled")
    assert play.position.count("=") == 6
    pieces = play.rules.pieces(play.state).values()
    assert sorted({piece.set for piece in pieces if piece.owner == -1}) == ["NE", "NW", "SE", "SW"]
    four = game(unused="filled", players=4)
    assert sorted({p.set for p in four.rules.pieces(four.state).values() if p.owner == -1}) == ["NW", "SE"]
    assert game("1:S=e5:N=q1", unused="filled").moves == ["e5-d1", "e5-e6", "e5-f4", "e5-f5"]


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 6}, {"players": 3, "sets": 2}, {"sets": 3}])
def test_unused_filled_where_all_are_used(options: Options) -> None:
    """A start or a target is used: with three players no triangle is filled."""
    rules, filled = rules_for(GAME, options), rules_for(GAME, {**options, "unused": "filled"})
    assert rules.position(rules.start()) == filled.position(filled.start())


# Blocking the target


def test_swap_by_a_step() -> None:
    """ "Where a peg could step into a hole of its target but for an opponent's peg standing in it, it may swap: the
    opponent's peg goes to the hole that the moving peg left." """
    play = game("1:S=m7,a1:N=n3,q1")
    assert "m7-n3" in play.moves
    assert play("m7-n3").position == "2:S=a1,n3:N=m7,q1"
    assert play.state.last is not None
    names = play.rules.board.names
    assert [(names[there], names[here]) for there, here in play.state.last.swaps] == [("n3", "m7")]


def test_swap_by_a_hop() -> None:
    """With a hop it goes to the hole that the moving peg left with that hop."""
    assert game("1:S=l6,a1:N=m7,n3")("l6-n3").position == "2:S=a1,n3:N=l6,m7"
    chain = game("1:S=j6,a1:N=k6,m7,n3")  # j6-l6, then the swap
    assert chain("j6-l6-n3").position == "2:S=a1,n3:N=k6,l6,m7"


def test_a_chain_may_go_on_after_a_swap() -> None:
    """Also with a second swap, each to the hole left by its own hop."""
    assert game("1:S=l6,a1:N=m7,n3,o2")("l6-n3-p1").position == "2:S=a1,p1:N=l6,m7,o2"
    assert game("1:S=l6,a1:N=m7,n3,o2,p1")("l6-n3-p1").position == "2:S=a1,p1:N=l6,m7,n3,o2"


def test_a_swap_changes_what_can_be_hopped_afterwards() -> None:
    """The swapped peg stands in the hole that was left while the chain goes on."""
    play = game("1:S=l4,a1:N=m5,n2,n3,o1,o2")
    # n1-n3 puts a peg on n1, p1 comes free of the hopper again, and n1 is swapped back.
    assert "l4-n1-n3-p1-n1" in play.moves
    assert play("l4-n1-n3-p1-n1").position == "2:S=a1,n1:N=m5,n2,o1,o2,p1"


def test_a_peg_in_its_target_may_swap_inside() -> None:
    """A peg that stands in the target could step further in, too, but for the peg there."""
    assert game("1:S=n1,a1:N=n2,q1")("n1-n2").position == "2:S=a1,n2:N=n1,q1"


def test_no_swap_elsewhere() -> None:
    """Not outside the target, not with one's own peg, not with a peg that nobody moves, not without a peg between."""
    assert "m6-m7" not in game("1:S=m6:N=m7").moves
    assert "m7-n3" not in game("1:S=m7,n3:N=q1").moves
    assert "e5-e4" not in game("2:S=a1:N=e5", unused="filled").moves
    assert "l6-n3" not in game("1:S=l6:N=n3").moves
    assert "m13-l12" not in game("1:S=m13:SW=l12:NW=i1", players=3, sets=2).moves


@pytest.mark.parametrize("blocked", ["filled", "none"])
def test_no_swap_by_option(blocked: str) -> None:
    """Only the default swaps."""
    assert game("1:S=m7,a1:N=n3,q1", blocked=blocked).refusal("m7-n3") == "n3 is not empty"


def test_blocked_game_with_swap() -> None:
    """The last peg in the way is swapped, and again, until one side is home."""
    play = game(BLOCKED)
    assert play.moves == ["o1-q1", "o3-q1", "p1-q1", "p2-q1"]
    assert play("p1-q1").outcome is None
    assert "b1-a1" in play.moves
    assert play.position == "2:S=a1,n1,n2,n3,n4,o1,o2,o3,p2,q1:N=b1,b2,c1,c2,c3,d1,d2,d3,d4,p1"


def test_a_blocked_target_is_won_by_a_swap() -> None:
    """The tenth peg comes in by swapping out the peg that stays there."""
    play = game("1:S=m7,n1,n2,n4,o1,o2,o3,p1,p2,q1:N=n3,i5")("m7-n3")
    assert play.outcome == Outcome(0, "all the pegs are home")


def test_blocked_game_with_filled() -> None:
    """ "A player has won when every hole of the target that is not held by another player's peg holds one's own." """
    assert game(BLOCKED, blocked="filled").outcome == Outcome(0, "every free hole of the target is filled")
    play = game("1:S=m5,n2,n3,n4,o1,o2,o3,p1,p2,a1:N=q1,i5", blocked="filled")
    assert play.outcome is None
    assert play("m5-n1").outcome == Outcome(0, "every free hole of the target is filled")


def test_filled_needs_one_of_its_own() -> None:
    """A target full of others is no win."""
    assert game(blocked="filled").outcome is None


def test_filled_may_come_by_another_players_turn() -> None:
    """Who fills the last free hole of another's target makes that player win."""
    play = game("2:S=n2,n3,n4,o1,o2,o3,p1,p2,q1,a1:N=m5,i5", blocked="filled")
    assert play("m5-n1").outcome == Outcome(0, "every free hole of the target is filled")


def test_filled_with_several_sets() -> None:
    """Each target must be full, each with a peg that belongs there: a peg of one's other set fills nothing."""
    north = "n2,n3,n4,o1,o2,o3,p1,p2,q1"
    full = "j10,k10,k11,l10,l11,l12,m10,m11,m12,m13"
    options: Options = {"players": 3, "sets": 2, "blocked": "filled"}
    assert Play(GAME, f"1:S={north},a1:SW={full}:NW=n1,i1", **options).outcome is not None
    assert Play(GAME, f"1:S={north},a1:SW={full.replace('j10,', '')},n1:NW=j10,i1", **options).outcome is None
    assert Play(GAME, f"1:S={north},a1:SW={full.replace('j10,', '')},e1:NW=n1,i1", **options).outcome is None


def test_blocked_game_without_remedy() -> None:
    """With ``none`` nobody can move in the end: drawn."""
    assert game(BLOCKED, blocked="none").outcome == Outcome(None, "nobody can move")


# The end


def test_the_first_with_all_pegs_in_the_target_has_won() -> None:
    """Nine are not enough."""
    play = game("1:S=m5,n2,n3,n4,o1,o2,o3,p1,p2,q1:N=a1,b1,i5")
    assert play.outcome is None
    assert play.state.notices == ("pegs home: South 9 of 10, North 2 of 3",)
    assert play("m5-n1").outcome == Outcome(0, "all the pegs are home")
    assert play.moves == []


def test_all_sets_must_be_home() -> None:
    """With two sets the first alone wins nothing."""
    play = game("1:S=n1:SW=j9:NW=i1:N=i2:NE=i3", players=3, sets=2)
    assert play.outcome is None
    assert play("j9-j10").outcome == Outcome(0, "all the pegs are home")


def test_places() -> None:
    """ "places = true: the others play on for second, third, ..."; the last one left comes last."""
    position = "1:S=m7:NW=e9:NE=h2"
    assert game(position, players=3)("m7-n2").outcome == Outcome(0, "all the pegs are home")
    play = game(position, players=3, places=True)("m7-n2")
    assert play.outcome is None
    assert star(play).home == (0,)
    assert play.seat_to_move == "Northwest"
    assert "came home: 1. South" in play.state.notices
    play("e9-f9", "h2-h3")
    assert play.seat_to_move == "Northwest"  # South is passed over
    play("f9-e10")
    assert play.outcome == Outcome(0, "South came home first", (0, 1, 2))


def test_places_with_resignations() -> None:
    """Who left has no place; the last one left comes after those who are home."""
    play = game("1:S=m7:NW=e9:NE=h2", players=3, places=True)("m7-n2")
    state = play.rules.leave(play.state, 1, "Northwest resigned")
    assert state.outcome == Outcome(0, "South came home first", (0, 2))
    state = play.rules.leave(play.rules.leave(play.rules.start(), 0, "South resigned"), 2, "Northeast resigned")
    assert state.outcome == Outcome(1, "Northeast resigned", (1,))


def test_leaving_when_home_changes_nothing() -> None:
    """A player who is home has a place already; who has left cannot leave again; nor anybody after the end."""
    play = game("1:S=m7:NW=e9:NE=h2", players=3, places=True)("m7-n2")
    assert play.rules.leave(play.state, 0, "South resigned") == play.state
    left = play.rules.leave(game(players=3).state, 1, "Northwest resigned")
    assert play.rules.leave(left, 1, "Northwest resigned") == left
    won = game("1:S=n1:N=i5")
    assert won.rules.leave(won.state, 0, "South resigned") == won.state


def test_a_player_without_a_legal_move_passes() -> None:
    """The turn goes on by itself, and the players are told."""
    shut = "S=a1:N=b1,b2,c1,c2,c3,i5"
    play = game(f"2:{shut}", blocked="none")("i5-i4")
    assert play.seat_to_move == "North"
    assert play.state.notices[-1] == "South has no legal move and passes"
    assert star(play).passed == (0,)
    assert game(f"1:{shut}", blocked="none").seat_to_move == "North"
    assert play("c1-d1").seat_to_move == "South"
    assert star(play).passed == ()


def test_a_player_who_left_is_passed_over() -> None:
    """The turn passes over that player, at once if it is that player's turn; the pegs stay where they are."""
    play = game(players=6)
    rules, state = play.rules, play.state
    before = rules.pieces(state)
    state = rules.leave(state, 0, "South resigned")
    assert (state.seat, state.outcome, rules.pieces(state)) == (1, None, before)
    state = rules.leave(state, 2, "Northwest resigned")
    assert state.seat == 1
    state = rules.play(state, rules.turns(state)[0])
    assert state.seat == 3


def test_pegs_of_a_player_who_left() -> None:
    """All may hop over them, nobody moves them, and they may be swapped out of a target."""
    play = game("4:S=m7:SW=i1:N=n3,n2,i5:NE=j9", players=4)
    play.state = play.rules.leave(play.state, 2, "North resigned")
    play("j9-j8")
    assert play.seat_to_move == "South"
    assert play.refusal("i5-i4") == "the peg on i5 is not yours: you play South"
    assert "m7-o1" in play.moves
    assert play("m7-n3").position == "2:S=n3:SW=i1:N=i5,m7,n2:NE=j8"


def test_triangles_stay_closed_when_their_player_left() -> None:
    """Who sat where is settled at the start."""
    play = game("2:S=h2,i5:SW=i1:NE=i9", players=6)
    play.state = play.rules.leave(play.state, 1, "Southwest resigned")
    play("i9-i8")
    assert play.seat_to_move == "South"
    assert "h2-h1" not in play.moves


def test_the_last_player_left_has_won() -> None:
    """With two players the other at once; with more, when all others have left."""
    two = game()
    assert two.rules.leave(two.state, 0, "South resigned").outcome == Outcome(1, "South resigned")
    six = game(players=6)
    state = six.state
    for seat, name in ((5, "Southeast"), (0, "South"), (2, "Northwest"), (1, "Southwest")):
        state = six.rules.leave(state, seat, f"{name} resigned")
        assert state.outcome is None
    assert state.seat == 3
    assert six.rules.leave(state, 4, "Northeast ran out of time").outcome == Outcome(3, "Northeast ran out of time")


def test_a_draw_by_agreement() -> None:
    """Of all who still play; who came home before has won all the same."""
    play = game(players=3, places=True)
    assert (0, 1, 2) == play.rules.playing(play.state)
    assert play.rules.agree(play.state).outcome == Outcome(None, "draw by agreement")
    nearly = "1:S=m5,n1,n2,n3,n4,o2,o3,p1,p2,q1:NW=m1:NE=m13"
    play = game(nearly, players=3, places=True)("m5-o1")
    assert (1, 2) == play.rules.playing(play.state)
    reason = "South came home first, and the others agreed to a draw"
    assert play.rules.agree(play.state).outcome == Outcome(0, reason, (0,))
    left = play.rules.leave(game(players=3).state, 1, "Northwest resigned")
    assert (0, 2) == play.rules.playing(left)


def test_pegs_home_by_seat() -> None:
    """How many of its pegs each seat has in its targets, and how many it has."""
    rules = rules_for(GAME, {"players": 3, "sets": 2})
    assert isinstance(rules, StarRules)
    state = rules.start("1:S=n1,a1:SW=m13:NW=i1:NE=e1,n2")
    assert rules.pegs_home(state) == ((2, 3), (0, 1), (1, 2))
    assert state.notices == ("pegs home: South 2 of 3, Northwest 0 of 1, Northeast 1 of 2",)
    assert rules.start().notices == ()


def test_ranked_turns() -> None:
    """Turns that gain most ground toward the own target come first, equal ones in the order of the notation."""
    north = game("1:S=i5:N=j5")
    assert [turn.text for turn in north.rules.ranked(north.state)] == [
        "i5-k5", "i5-j6", "i5-i4", "i5-i6", "i5-h5", "i5-h6",
    ]  # fmt: skip
    northeast = game("2:SW=i5:N=q1", players=6)
    assert [turn.text for turn in northeast.rules.ranked(northeast.state)] == [
        "i5-i6", "i5-j6", "i5-h6", "i5-j5", "i5-h5", "i5-i4",
    ]  # fmt: skip


def test_ranked_turns_of_draughts() -> None:
    """Captures by the pieces taken, then men that are crowned, then the rest by notation."""
    start = Play("tama")
    assert [turn.text for turn in start.rules.ranked(start.state)] == start.moves
    play = Play("americanas", "W:Wc3,g7:Bd4")
    assert [turn.text for turn in play.rules.ranked(play.state)] == ["c3xe5", "g7-f8", "g7-h8", "c3-b4"]


def test_who_is_out_is_told() -> None:
    """From when they leave, in turn or not, until the end: who is out, and why; nothing of a seat without a reason."""
    rules = game(players=6).rules
    state = rules.leave(rules.start(), 3, "North resigned")
    assert ("out of the game: North resigned (their pegs only stand there)",) == state.notices
    state = rules.leave(state, 0, "South ran out of time")
    told = "out of the game: North resigned, South ran out of time (their pegs only stand there)"
    assert told in state.notices
    state = rules.play(state, rules.turns(state)[0])
    assert told in state.notices
    assert () == rules.leave(rules.start(), 3, "").notices


@pytest.mark.parametrize("between", ["/", ",", " to ", " "])
def test_holes_of_three_signs_are_parted_as_others_are(between: str) -> None:
    """Each way of writing a move is one with holes from the tenth of a row on, too."""
    play = game("1:S=m10,n1,n2,n3,n4,o1,o2,o3,p1,q1:N=k5,l5,l6,l7,m5,m6,m7,m8,m9,p2")
    names = play.rules.board.names
    start, end = next(each.path for each in play.rules.turns(play.state) if names[each.path[0]] == "m10")
    assert (start, end) == play.rules.read(play.state, f"{names[start]}{between}{names[end]}").path
