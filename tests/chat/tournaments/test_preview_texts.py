"""What a director is shown before a round is paired by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.chat.posting.find_posted import carried_by
from bot.chat.tournaments import preview_texts, texts
from bot.chat.tournaments.manage.confirm_buttons import manual_view, round_carried_by
from bot.i18n import _, speaking
from bot.tournaments.analysis.impact import Impact, what_changes
from bot.tournaments.formats.format import in_numbers
from bot.tournaments.model.events import Kind, MatchGame, PairedRound, TournamentSettings
from bot.tournaments.use_cases.manual import ManualChange, by_hand
from tests.support.tournaments.cup import Cup
from tests.support.tournaments.director import Directed, stored_of

NOTHING = Impact({}, {}, (), (), ())


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("kind", "players", "size"), [(Kind.SWISS, 255, 2), (Kind.TABLES, 256, 3), (Kind.SWISS, 5, 2)])
async def test_a_round_by_hand_stands_in_its_message(kind: Kind, players: int, size: int, language: str) -> None:
    """However many play, the message fits, and the round that it shows is read from it again as a whole. It is read
    from its buttons; from its words where those are of an older version."""
    tournament = replace(stored_of(Directed(TournamentSettings(kind, 5), players)), id=123_456)
    numbers = list(range(1, players + 1))
    random.Random(5).shuffle(numbers)
    groups = [numbers[at : at + size] for at in range(0, players, size)]
    action = by_hand(tournament, ", ".join("-".join(map(str, group)) for group in groups), 1)
    assert isinstance(action, PairedRound)
    with speaking(language):
        for before in ("", "Something else has happened. " * 4):
            shown = ManualChange(action, NOTHING, called_off=3)
            text = preview_texts.manual_preview(tournament, shown, before)
            assert len(text) <= 2000
            ids = carried_by(manual_view(tournament, shown))
            assert all(len(each) <= 100 for each in ids)
            assert in_numbers(action) == round_carried_by(ids)
            assert in_numbers(action) == preview_texts.round_of_older_preview(text)
            assert _("Nothing is done yet: press a button.") in text
    assert action == by_hand(tournament, in_numbers(action), 1)


@pytest.mark.parametrize(
    ("kind", "played", "third", "told"),
    [
        (Kind.SINGLE_ELIMINATION, 0, False, "Quarterfinal 1: {winner} goes through, and {loser} is out."),
        (Kind.SINGLE_ELIMINATION, 4, True, "Semifinal 1: {winner} goes through, and {loser} plays for third place."),
        (Kind.SINGLE_ELIMINATION, 6, False, "Final: {winner} wins the tournament, and {loser} is second."),
        (
            Kind.DOUBLE_ELIMINATION,
            0,
            False,
            "Match W1-1: {winner} goes through, and {loser} goes on in the losers' side.",
        ),
    ],
)
def test_a_knockout_tells_who_goes_through(kind: Kind, played: int, third: bool, told: str) -> None:
    """Before a result is saved, and no points or places, which nobody has there; when it is corrected, too."""
    cup = Cup(TournamentSettings(kind, third_place=third), 8)

    def plays(better: bool) -> str:
        tournament = cup.tournament
        white, black = (game := tournament.open_games[0]).seats
        winner = min(white, black) if better else max(white, black)
        action = MatchGame(game.match, game.round, white, black, winner)
        text = texts.changes(tournament, "", what_changes(cup.plan, tournament.events, action))
        cup.add(action)
        return text

    for _match in range(played):
        plays(better=True)
    white, black = cup.tournament.open_games[0].seats
    call = cup.tournament.call
    expected = told.format(winner=call(min(white, black)), loser=call(max(white, black)))
    assert f"{expected}\nNo other match changes." == plays(better=True).strip()


def test_a_corrected_match_tells_who_goes_through_now() -> None:
    """Besides the match that others play because of it."""
    cup = Cup(TournamentSettings(Kind.SINGLE_ELIMINATION), 4)
    for winner in (1, 2):
        game = cup.tournament.open_games[0]
        white, black = game.seats
        cup.add(MatchGame(game.match, game.round, white, black, winner))
    corrected = MatchGame("W1-1", 1, 1, 4, 4)
    told = texts.changes(cup.tournament, "", what_changes(cup.plan, cup.tournament.events, corrected))
    assert "Semifinal 1: <@4> goes through, and <@1> is out." in told
    assert "in progress, is called off. <@4> plays <@2> instead" in told
    assert "place" not in told.replace("replace", "")
