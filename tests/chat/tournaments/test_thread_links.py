"""Links to the threads of games, and games in lines."""

from __future__ import annotations

from dataclasses import replace

from bot.chat.tournaments.thread_links import game_line, links_text, named_link, no_link
from bot.tournaments.model.events import Kind, Scored, TournamentSettings
from bot.tournaments.pairing.record import Mark
from data.queries.tournaments import TournamentGame
from tests.support.tournaments.director import Directed, stored_of


def test_games_of_a_match_have_numbers() -> None:
    """One game is called a game; of several each has its number, and of many the last ones are shown."""
    assert " · [game](https://discord.com/channels/1/71)" == links_text(1, [(1, 71)], named_link)
    assert " · [game 1](https://discord.com/channels/1/71) · [game 2](https://discord.com/channels/1/72)" == links_text(
        1, [(2, 72), (1, 71)], named_link
    )
    many = links_text(1, [(number, 70 + number) for number in range(1, 23)], named_link)
    assert ["[game 20]", "[game 21]", "[game 22]"] == [part.split("(")[0] for part in many.split(" · ")[1:]]
    assert "" == links_text(1, [(1, 71), (2, 72)], no_link)


def test_the_first_of_two_games_is_over() -> None:
    """The line says which is still played, and links the games by their numbers."""
    club = Directed(TournamentSettings(Kind.SWISS, 3, both="in turn"), 2)
    club.pair()
    (white, black), *_ = club.state.paired[1].games
    club(Scored(1, white, black, Mark.DRAW, Mark.DRAW))
    links = (
        TournamentGame(1, 1, 1, "", white, black, "finished", 71),
        TournamentGame(2, 1, 1, "", black, white, "running", 72),
    )
    tournament = replace(stored_of(club), games=links)
    one, other = f"<@{100 + white}>", f"<@{100 + black}>"
    line = game_line(tournament, 1, (white, black), named_link)
    assert line.startswith(f"{one} - {other}: ½ - ½; game 2 is in progress · [game 1](https://")
    assert "[game 2](https://discord.com/channels/1/72)" in line
    club(Scored(1, black, white, Mark.WIN, Mark.LOSS))
    done = game_line(replace(stored_of(club), games=links), 1, (white, black), no_link)
    assert f"{one} ½ - ½, 0 - 1 {other}" == done
