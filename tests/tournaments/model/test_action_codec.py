"""What can happen in a tournament, written down as plain values and read again."""

from __future__ import annotations

import json

import pytest

from bot.tournaments.errors import TournamentError
from bot.tournaments.model import events
from bot.tournaments.model.events import ACTIONS, Action
from bot.tournaments.pairing.record import Colour, Mark

EXAMPLES: tuple[Action, ...] = (
    events.Entered(1, "Ána", 1500),
    events.CheckedIn(1),
    events.Left(1),
    events.Returned(1),
    events.Substituted(1, 2, "B", 1),
    events.Started((1, 2), Colour.BLACK, "seed"),
    events.ByeAsked(1, 2, Mark.ZERO_BYE),
    events.Forbade(1, 2),
    events.Allowed(1, 2),
    events.RoundPaired(1, ((1, 2), (3, 4)), 5, "x", ("note",), True),
    events.Scored(1, 1, 2, Mark.WIN, Mark.LOSS),
    events.DidNotCome(1, 1),
    events.MatchGame("W1-1", 1, 1, 2, None),
    events.MatchGame("W1-1", 1, 1, 2, 1, forfeit=True),
    events.TablesSeated(1, ((1, 2, 3), (4, 5, 6)), None),
    events.TableScored(1, (1, 2, 3), (1, 2, 2)),
    events.ArenaGame(1, 1, 2, Mark.WIN, Mark.LOSS),
    events.Undone(3),
    events.Ended(),
)


@pytest.mark.parametrize("action", EXAMPLES)
def test_actions_are_kept_as_plain_values(action: Action) -> None:
    """Every action survives JSON."""
    assert action == ACTIONS.of(json.loads(json.dumps(ACTIONS.to_json(action))))


@pytest.mark.parametrize(
    "values",
    [
        {"event": "Nothing"},
        {"event": "Left"},
        {"action": "Left"},
        {"action": "ByeAsked", "number": 1, "round": 1, "mark": "?"},
    ],
)
def test_what_is_no_action_is_refused(values: dict[str, object]) -> None:
    """A name that is none, or fields that do not fit."""
    with pytest.raises(TournamentError, match="is no"):
        ACTIONS.of(values)
