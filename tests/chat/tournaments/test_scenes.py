"""What the pictures of tournaments show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.chat.tournaments import pictures, scenes, schedule_texts, texts
from bot.chat.tournaments.bracket_texts import bracket_lines
from bot.chat.tournaments.buttons import text_button
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.live_messages import content_of
from bot.chat.tournaments.standings_cards import picture_card
from bot.chat.wording.amounts import amount
from bot.engine.ruleset import shipped
from bot.i18n import LANGUAGES, speaking
from bot.tournaments.model.events import (
    Ended,
    Kind,
    RoundPaired,
    Scored,
    Substituted,
    TournamentSettings,
)
from bot.tournaments.pairing.record import DRAUGHTS, Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.standings.tiebreaks import parse
from data.queries.live_messages import LiveMessage
from render.charts.brackets import bracket_picture
from render.charts.standings_tables import cross_pages, table_pages
from render.glyphs import writable
from tests.support.tournaments import formats
from tests.support.tournaments.cup import Cup


def names(tournament: StoredTournament) -> Mapping[int, str]:
    return {number: f"player {number}" for number in tournament.state.by_number}


SWISS = TournamentSettings(Kind.SWISS, rounds=5)


def test_standings_tell_places_won_and_lost() -> None:
    """From the second round on each line says how many places were gained since the round was paired."""
    cup = Cup(SWISS, 9)
    cup.round()
    tournament = cup.tournament
    assert {None} == {line.change for line in scenes.standings(tournament, names(tournament)).lines}
    before = {line.number: line.rank for line in formats.ranking(tournament.state).lines}
    cup.round()
    tournament = cup.tournament
    now = {f"player {line.number}": before[line.number] - line.rank for line in formats.ranking(tournament.state).lines}
    table = scenes.standings(tournament, names(tournament))
    assert now == {line.name: line.change for line in table.lines}
    assert any(now.values())
    assert "Standings after 2 of 5 rounds" == table.note
    assert {0} == {line.medal for line in table.lines}


def test_medals_come_at_the_end() -> None:
    """When it is over the first three have medals, and nobody has moved."""
    cup = Cup(SWISS, 9)
    for _ in range(5):
        cup.round()
    cup.add(Ended())
    table = scenes.standings(cup.tournament, names(cup.tournament))
    assert [line.rank if line.rank <= 3 else 0 for line in table.lines] == [line.medal for line in table.lines]
    assert {None} == {line.change for line in table.lines}
    assert "Final standings" == table.note


def test_a_shared_place_is_told_once() -> None:
    """Three who have beaten each other in a circle share the first place: one line, one step, and why."""
    cup = Cup(TournamentSettings(Kind.ROUND_ROBIN), 3)
    for number in (1, 2, 3):
        cup.add(formats.next_round(cup.tournament.state))
        ((white, black),) = cup.tournament.state.paired[number].games
        won = (white, black) in ((1, 2), (2, 3), (3, 1))
        cup.add(Scored(number, white, black, *((Mark.WIN, Mark.LOSS) if won else (Mark.LOSS, Mark.WIN))))
    cup.add(Ended())
    _over, *lines = texts.podium(cup.tournament).splitlines()
    assert lines == [
        "🥇 <@1>, <@2>, <@3> · 1 point",
        "Players on one line share a place: their points and all tie-breaks are equal.",
    ]
    scene = scenes.podium(cup.tournament, names(cup.tournament))
    assert [(1, 3)] == [(step.place, len(step.names)) for step in scene.steps]
    assert scenes.podium_words(scene).endswith(": 1st: player 1, player 2, player 3 (1 point)")
    # Whose name the font cannot write has the same one in every picture, though the place is shared.
    table = scenes.standings(cup.tournament, dict.fromkeys((1, 2, 3), "\u30a2"))
    crossed = scenes.cross_table(cup.tournament, dict.fromkeys((1, 2, 3), "\u30a2"))
    assert crossed is not None
    called = [[line.fallback for line in shown] for shown in (table.lines, crossed.lines)]
    assert [["Player 1", "Player 2", "Player 3"]] * 2 == called
    assert ["Player 1", "Player 2", "Player 3"] == [instead for _, instead in scene.steps[0].names]


def test_losers_of_semifinals_share_the_third_place() -> None:
    """In an elimination there are no tie-breaks to be equal in."""
    cup = Cup(TournamentSettings(Kind.SINGLE_ELIMINATION), 4)
    cup.matches()
    told = texts.podium(cup.tournament)
    assert "🥉 <@2>, <@4>\nPlayers on one line share a place.\n<@1>: check the results" in told


def test_points_are_in_the_events_scale() -> None:
    """Two points a win, where draughts players count so."""
    cup = Cup(TournamentSettings(Kind.SWISS, rounds=3, points=DRAUGHTS), 4)
    paired = formats.next_round(cup.tournament.state)
    cup.add(paired)
    for white, black in paired.games:
        cup.add(Scored(1, white, black, Mark.WIN, Mark.LOSS))
    assert ["2", "2", "0", "0"] == [
        line.values[0] for line in scenes.standings(cup.tournament, names(cup.tournament)).lines
    ]


def test_cross_table_of_a_swiss_says_opponent_colour_and_result() -> None:
    """Each cell names the opponent's row; the opponent's cell of the round names this one, with the other colour."""
    cup = Cup(SWISS, 9)
    cup.round()
    cup.round(pending=1)
    table = scenes.cross_table(cup.tournament, names(cup.tournament))
    assert table is not None
    assert ("1", "2") == table.headings
    for line in table.lines:
        for r, cell in enumerate(line.cells):
            if cell.opponent:
                other = table.lines[int(cell.opponent) - 1].cells[r]
                assert str(line.rank) == other.opponent
                assert {"white", "black"} == {cell.colour, other.colour}
                assert {"won": "lost", "lost": "won", "drawn": "drawn", "": ""}[cell.kind] == other.kind
    assert 2 == sum(cell.kind == "" and bool(cell.opponent) for line in table.lines for cell in line.cells)
    assert 2 == sum(cell.kind == "free" for line in table.lines for cell in line.cells)


@pytest.mark.parametrize(
    ("variant", "colours"),
    [
        ("americanas", ("red", "white")),
        ("spanish", ("white", "red")),
        ("english", ("black", "white")),
        ("chinese-checkers", ("white", "black")),
    ],
)
def test_a_cross_table_has_the_colours_of_its_game(variant: str, colours: tuple[str, str]) -> None:
    """Whoever began has the pieces that begin there."""
    cup = Cup(SWISS, 4)
    cup.round()
    table = scenes.cross_table(replace(cup.tournament, ruleset=shipped(variant)), names(cup.tournament))
    assert table is not None
    first = names(cup.tournament)[cup.tournament.state.paired[1].games[0][0]]
    assert colours[0] == next(line for line in table.lines if line.name == first).cells[0].colour
    assert set(colours) == {line.cells[0].colour for line in table.lines}


@pytest.mark.parametrize("kind", [Kind.ROUND_ROBIN, Kind.DOUBLE_ROUND_ROBIN])
def test_cross_table_of_everybody(kind: Kind) -> None:
    """A column for each player, the own cell empty, results facing each other; the points of a row are its sum."""
    cup = Cup(TournamentSettings(kind), 5)
    for _ in range(cup.tournament.state.rounds_planned):
        cup.round()
    table = scenes.cross_table(cup.tournament, names(cup.tournament))
    assert table is not None
    worth = {"1": Fraction(1), "+": Fraction(1), "½": Fraction(1, 2), "0": Fraction(0), "-": Fraction(0)}
    for i, line in enumerate(table.lines):
        assert "self" == line.cells[i].kind
        made = sum((worth[sign] for cell in line.cells for sign in cell.result.split()), Fraction())
        assert amount(made) == line.points


def test_a_cross_table_in_words() -> None:
    """Each player's line names the opponents and what was scored against each; what is played is not told yet."""
    cup = Cup(TournamentSettings(Kind.SWISS, rounds=3), 3)
    for white_wins in (True, False):
        paired = formats.next_round(cup.tournament.state)
        cup.add(paired)
        ((white, black),) = paired.games
        cup.add(Scored(paired.round, white, black, *((Mark.WIN, Mark.LOSS) if white_wins else (Mark.DRAW, Mark.DRAW))))
    cup.add(formats.next_round(cup.tournament.state))
    (words,) = scenes.cross_words(cup.tournament, names(cup.tournament))
    assert words.startswith("Cross-table of Copa de otoño. Standings in round 3 of 3: 1. player ")
    for number, player in cup.tournament.state.record.players.items():
        (told,) = re.findall(rf"[123]\. player {number} ([0-9½]+): ([^;]*)", words)
        expected = []
        for entry in player.rounds:
            if entry is None or entry.mark is Mark.PENDING:
                continue
            shown = {Mark.WIN: "1", Mark.LOSS: "0", Mark.DRAW: "½"}.get(entry.mark)
            expected.append(f"player {entry.opponent} {shown}" if entry.opponent else "bye")
        assert ", ".join(expected) == told[1]


def keys(pictures: tuple[scenes.BracketPart, ...]) -> list[str]:
    """All matches of the pictures, each drawn as often as it is named."""
    drawn = [len(column) for picture in pictures for column in picture.scene.columns]
    drawn += [1 for picture in pictures if picture.scene.third is not None]
    found = [match.match.key for picture in pictures for match in picture.matches]
    assert sum(drawn) == len(found)
    return found


def is_live(picture: scenes.BracketPart) -> bool:
    """Whether a match of the picture is drawn as one that is being played."""
    return any(match.live for column in picture.scene.columns for match in column)


@pytest.mark.parametrize("count", [2, 3, 4, 11, 17, 64])
@pytest.mark.parametrize("kind", [Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION])
def test_brackets_of_every_size(kind: Kind, count: int) -> None:
    """Every match that is needed is in one picture, once; ten pictures at most, which can be drawn; the champion stands
    below the last."""
    cup = Cup(TournamentSettings(kind, third_place=True), count)
    pictures = scenes.brackets(cup.tournament, names(cup.tournament))
    state = cup.tournament.state.bracket
    assert sorted(state.matches) == sorted(keys(pictures))
    assert len(pictures) <= 10
    assert any(map(is_live, pictures))
    cup.matches()
    pictures = scenes.brackets(cup.tournament, names(cup.tournament))
    state = cup.tournament.state.bracket
    assert sorted(key for key, match in state.matches.items() if key != "F2" or match.needed) == sorted(keys(pictures))
    champions = [picture.scene.champion for picture in pictures if picture.scene.champion]
    assert [f"player {state.champion}"] == champions
    assert pictures[-1].scene.champion
    assert not any(map(is_live, pictures))
    for picture in (pictures[0], pictures[-1]):
        assert len(bracket_picture(picture.scene)) <= 60_000


def in_words(cup: Cup) -> list[str]:
    """The words behind each picture of a bracket."""
    called = names(cup.tournament)
    return [scenes.bracket_words(cup.tournament, part, called) for part in scenes.brackets(cup.tournament, called)]


def test_bracket_in_words() -> None:
    """The words behind a picture name each match by its round, say who has a bye, who plays whom, White first, who is
    to come from where, and who has won; never more than an alt text holds."""
    cup = Cup(TournamentSettings(Kind.SINGLE_ELIMINATION, third_place=True), 5)
    assert in_words(cup) == [
        "Copa de otoño. Bracket · 5 players. Quarterfinal 1: player 1 has a bye; "
        "Quarterfinal 2: player 4 plays player 5; "
        "Quarterfinal 3: player 2 has a bye; Quarterfinal 4: player 3 has a bye; "
        "Semifinal 1: player 1 - winner of quarterfinal 2; Semifinal 2: player 3 plays player 2; "
        "Final: winner of semifinal 1 - winner of semifinal 2; "
        "Third-place match: loser of semifinal 1 - loser of semifinal 2"
    ]
    (semifinal,) = [game for game in cup.tournament.open_games if game.match == "W2-2"]
    assert (3, 2) == semifinal.seats
    cup.matches()
    (words,) = in_words(cup)
    assert "player 2 has won the tournament." in words
    assert "Semifinal 2: player 2 beat player 3" in words
    assert "Semifinal 1: player 4 beat player 1 (1½ - ½)" in words
    cup = Cup(TournamentSettings(Kind.DOUBLE_ELIMINATION), 64)
    cup.matches()
    assert all(len(words) <= 1001 for words in in_words(cup))


@pytest.mark.parametrize("kind", [Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION])
def test_a_picture_is_called_what_it_shows(kind: Kind) -> None:
    """A bracket is no standings, at the end neither: in its card, on it and in words; a cross-table has a legend."""
    cup = Cup(TournamentSettings(kind), 8)
    cup.matches()
    cup.add(Ended())
    tournament = cup.tournament
    drawn = pictures.bracket(tournament, names(tournament), playing=True)
    card = picture_card(tournament, drawn, text_button(tournament)).text
    assert "\nFinal bracket" in card
    assert "Final standings" not in card
    parts = ["Winners' side", "Losers' side", "Finals"] if kind is Kind.DOUBLE_ELIMINATION else ["Final bracket"]
    assert [f"Copa de otoño. {called} · 8 players" for called in parts] == [
        ". ".join(each.words.split(". ", 2)[:2]) for each in drawn
    ]
    told = picture_card(tournament, drawn, text_button(tournament), words=True).text
    assert "\nFinal bracket" in told
    assert "\n**Final standings**\n" in told
    placed = picture_card(tournament, drawn, text_button(tournament), shown="standings").text
    assert "\nFinal standings" in placed

    swiss = Cup(SWISS, 4)
    swiss.round()
    crossed = picture_card(swiss.tournament, drawn, text_button(swiss.tournament), shown="crosstable").text
    assert "\nCross-table · Standings after 1 of 5 rounds" in crossed
    assert "+ and -: won and lost by forfeit." in crossed.splitlines()[-1]


@pytest.mark.parametrize(("players", "called"), [(4, "Losers' side and finals"), (16, "Losers' side and finals")])
def test_finals_beside_the_last_rounds_of_the_losers_side(players: int, called: str) -> None:
    """Such a picture is called after both."""
    cup = Cup(TournamentSettings(Kind.DOUBLE_ELIMINATION), players)
    cup.matches()
    assert f" {called} · " in in_words(cup)[-1]


def test_the_podium_says_which_tie_break_has_decided() -> None:
    """Where two have as many points and one comes first; also whom the third has left behind."""
    plan = TournamentSettings(Kind.ROUND_ROBIN, tie_breaks=parse("PTS,DE,SB"))
    cup = Cup(plan, 4)
    for paired in formats.every_round(cup.tournament.state):
        cup.add(paired)
        for white, black in paired.games:
            # The first loses to the third, which loses to the fourth: two and two have as many points.
            best = {frozenset({1, 3}): 3, frozenset({3, 4}): 4}.get(frozenset({white, black}), min(white, black))
            marks = (Mark.WIN, Mark.LOSS)
            cup.add(Scored(paired.round, white, black, *(marks if best == white else marks[::-1])))
    cup.add(Ended())
    told = texts.podium(cup.tournament)
    direct = "on direct encounter, points made against those one is tied with."
    assert [f"Equal points: <@1> before <@2> {direct}", f"Equal points: <@4> before <@3> {direct}"] == [
        line for line in told.splitlines() if "Equal" in line
    ]


def test_tables_say_which_sizes_there_are_else() -> None:
    """A size is not its own way out."""
    cup = Cup(TournamentSettings(Kind.TABLES, 3, table_size=3), 6)
    told, _places = texts_of(cup.tournament).rules(cup.tournament)
    assert told.startswith("Tables of 3 where possible, otherwise of 4 or 6;")


def test_games_that_nobody_played_are_told_in_words() -> None:
    """Of a cross-table in words no row is made of signs alone."""
    cup = Cup(SWISS, 4)
    paired = formats.next_round(cup.tournament.state)
    cup.add(paired)
    (white, black), _other = paired.games
    cup.add(Scored(1, white, black, Mark.FORFEIT_LOSS, Mark.FORFEIT_WIN))
    (told,) = scenes.cross_words(cup.tournament, names(cup.tournament))
    assert f"player {white} 0 (forfeit)" not in told
    assert f"player {black} 0: player" not in told
    assert f": player {white} 1 (forfeit)" in told
    assert f": player {black} 0 (forfeit)" in told


def test_places_on_the_podium_are_said_as_people_do() -> None:
    """In words by no number of a list, in any language; in the picture a stand-in for a name can be written."""
    cup = Cup(SWISS, 4)
    cup.round()
    cup.add(Ended())
    said = {}
    for language in LANGUAGES:
        with speaking(language):
            scene = scenes.podium(cup.tournament, dict.fromkeys(range(1, 5), "\N{SNOWMAN}"))
            assert all(writable(instead) == instead for step in scene.steps for _name, instead in step.names)
            said[language] = scenes.podium_words(scene).partition(scene.note)[2]
    for language, place in {"en": "1st", "es": "1.º", "fil": "ika-1", "hy": "1-ին"}.items():
        assert f" {place}" in said[language]


def test_the_rounds_before_the_quarterfinals_have_numbers() -> None:
    """Where there are more than three rounds, a match is named by its round and its number in it."""
    cup = Cup(TournamentSettings(Kind.SINGLE_ELIMINATION), 16)
    first = in_words(cup)[0]
    assert "Round 1, match 5: " in first
    assert "Quarterfinal 1: winner of round 1, match 1 - winner of round 1, match 2" in first


def test_a_double_elimination_in_words() -> None:
    """Its matches go by their keys, which a legend explains; byes on the losers' side are told."""
    cup = Cup(TournamentSettings(Kind.DOUBLE_ELIMINATION), 5)
    text = texts.standings(cup.tournament)
    assert "**Winners' side**\nMatch W1-1: <@1> has a bye\nMatch W1-2: <@4> plays <@5>\n" in text
    assert "**Losers' side**\nMatch L1-1: loser of match W1-2 has a bye\n" in text
    assert "Final: winner of match W3-1 - winner of match L4-1" in text
    assert "W1-2: winners' side, round 1, match 2. L1-2: losers' side, round 1, match 2." in text


def test_a_bracket_that_is_too_long_leaves_out_what_was_decided_first() -> None:
    """However many play, what is played now stands in the card, and it says where the rest is."""
    cup = Cup(TournamentSettings(Kind.SINGLE_ELIMINATION), 64, first=10**18)
    cup.matches(70)
    lines = bracket_lines(cup.tournament)
    assert len(cup.tournament.open_games) == sum(" plays " in line for line in lines) > 0
    assert "Earlier matches: `/tournament history`." == lines[-1]
    assert sum(map(len, lines)) + len(lines) <= 3100


def test_other_kinds_have_no_bracket_and_no_cross_table() -> None:
    """A Swiss has no bracket, an elimination no cross-table, nothing has a bracket before it begins."""
    assert () == scenes.brackets(Cup(SWISS, 4).tournament, {})
    knocked = Cup(TournamentSettings(Kind.SINGLE_ELIMINATION), 4)
    assert scenes.cross_table(knocked.tournament, {}) is None
    knocked.events.clear()
    assert () == scenes.brackets(knocked.tournament, {})


def test_standings_say_whether_the_round_is_over() -> None:
    """While games of the round are played they are standings in it; after the last of them, standings after it."""
    cup = Cup(SWISS, 4)
    assert "Standings" == scenes.heading(cup.tournament)
    cup.round(pending=1)
    assert "Standings in round 1 of 5" == scenes.heading(cup.tournament)
    ((_, white, black),) = cup.tournament.state.unfinished
    cup.add(Scored(1, white, black, Mark.WIN, Mark.LOSS))
    assert "Standings after 1 of 5 rounds" == scenes.heading(cup.tournament)


def numbers_of(numbers: list[int]) -> list[str]:
    """The numbers as they stand before lines."""
    return [shown for shown, _number in texts.numbered(numbers, int)]


def test_numbers_that_do_not_count_on_are_no_list() -> None:
    """Discord counts the lines of a list itself: other numbers are written so that they stay as they are."""
    assert ["1.", "2.", "3."] == numbers_of([1, 2, 3])
    assert ["1\\.", "2\\.", "2\\.", "4\\."] == numbers_of([1, 2, 2, 4])
    assert ["7\\.", "6\\."] == numbers_of([7, 6])
    assert ["7.", "8."] == numbers_of([7, 8])
    assert [] == numbers_of([])


def test_columns_are_named_in_the_readers_language() -> None:
    """The standings as text and as a picture have the same words above their columns."""
    cup = Cup(SWISS, 4)
    cup.round()
    tournament = cup.tournament
    with speaking("es"):
        heads = scenes.standings(tournament, names(tournament)).headings
        assert "Puntos" == heads[0]
        told = texts.standings(tournament).splitlines()
        assert told[1].endswith(" · BH-C1 0, BH 0, SB 0, WIN 1, DE 0")


@pytest.mark.parametrize("count", [24, 96, 100])
def test_each_page_of_the_standings_has_its_own_words(count: int) -> None:
    """However many play and however long their names, each picture's alt text names everybody on it, and fits."""
    cup = Cup(SWISS, count)
    cup.round()
    called = {number: f"{number:03}{'M' * 29}" for number in cup.tournament.state.by_number}
    drawn = pictures.standings(cup.tournament, called)
    assert len(table_pages(scenes.standings(cup.tournament, called))) == len(drawn)
    ranked = [line.number for line in cup.tournament.ranking.lines]
    per_page = -(-count // len(drawn))
    for page, picture in enumerate(drawn):
        assert len(picture.words) <= 1000
        told = [int(each) for each in re.findall(r"\. (\d{3})M{3}", picture.words)]
        assert ranked[page * per_page : (page + 1) * per_page] == told
    assert drawn[0].words.startswith("Copa de otoño. Standings after 1 of 5 rounds")
    if count > 24:
        assert f" (page 2 of {len(drawn)}): " in drawn[1].words
    crossed = pictures.crosstable(cup.tournament, called)
    assert f"{called[ranked[(len(drawn) - 1) * per_page]]} " in crossed[-1].words


@pytest.mark.parametrize("count", [1, 9, 64])
def test_pictures_of_every_field(count: int) -> None:
    """Standings and cross-tables of any field are drawn, in any language."""
    cup = Cup(SWISS, count)
    if count > 1:
        cup.round()
        cup.round(pending=1)
    tournament = cup.tournament
    with speaking("es"):
        assert all(len(page) <= 60_000 for page in table_pages(scenes.standings(tournament, names(tournament))))
        table = scenes.cross_table(tournament, names(tournament))
    assert table is not None
    assert all(len(page) <= 60_000 for page in cross_pages(table))


def test_a_round_that_is_paired_again_is_compared_with_its_first_pairing() -> None:
    """Changes of place are those since the round was first paired."""
    cup = Cup(SWISS, 6)
    cup.round()
    before = {line.number: line.rank for line in formats.ranking(cup.tournament.state).lines}
    paired = formats.next_round(cup.tournament.state)
    cup.add(paired)
    white, black = paired.games[0]
    cup.add(Scored(2, white, black, Mark.LOSS, Mark.WIN))
    cup.add(RoundPaired(2, paired.games, paired.bye, again=True))
    tournament = cup.tournament
    for line in scenes.standings(tournament, names(tournament)).lines:
        assert before[int(line.name.split()[1])] - line.rank == line.change


def test_a_name_that_cannot_be_written_has_a_number() -> None:
    """A tournament whose name the font lacks is called by its number in pictures, and by its name in words."""
    cup = Cup(SWISS, 4)
    tournament = replace(cup.tournament, name="秋の大会")
    assert "Tournament 1" == scenes.standings(tournament, names(tournament)).title
    assert scenes.standings_words(tournament, names(tournament))[0].startswith("秋の大会. ")


def test_messages_begin_as_they_are_looked_for() -> None:
    """Each kind of message begins with one of what an earlier one is known by, at any moment of a tournament."""
    cup = Cup(SWISS, 4)
    cup.add(Substituted(4, 5))
    numbers = {"checkin": 0, "substitute": len(cup.events)}
    moments = [cup.tournament]
    for _ in range(3):
        cup.round()
        moments.append(cup.tournament)
    cup.add(Ended())
    for tournament in [*moments, cup.tournament]:
        for kind in ("announcement", "round", "standings", "podium", *schedule_texts.CALLS):
            post = LiveMessage(id=1, owner=1, kind=kind, number=numbers.get(kind, 1))
            content, _view, beginnings = content_of(tournament, post, {})
            assert content.startswith(beginnings), kind
            others = {other for other in ("podium", "standings", "announcement") if other != kind}
            for other in others:
                assert not content.startswith(content_of(tournament, post._replace(kind=other), {})[2]), (kind, other)
