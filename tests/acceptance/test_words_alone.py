"""Followed by words alone: whoever gets only text and alt text solves a puzzle, goes through an analysis, plays,
watches and directs a Swiss and a knockout to the end; each reading, parsed back, is what the store says. Whole games
stand in tests/acceptance/settings/test_in_words.py."""

from __future__ import annotations

import re

import discord
import pytest
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, ResponseMessage

from bot.chat.tournaments.bracket_texts import match_title
from bot.chat.wording.amounts import amount
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.turns import Turn
from bot.engine.typed_positions import state_of
from bot.tournaments.formats.format import SHOWN
from bot.tournaments.pairing.elimination import BracketState
from bot.tournaments.persistence.stored_tournament import StoredTournament
from tests.support.computer.minimax import minimax
from tests.support.discord.studies import PUZZLES, finished, kept
from tests.support.discord.tournament_club import Club, give_up
from tests.support.discord.world import World, pictures_of, words_of
from tests.support.tournaments import formats


@pytest.fixture(autouse=True)
def two_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two puzzles, and workers that start at once, without compiling their search."""
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: PUZZLES)
    monkeypatch.setenv("DAMERO_PLAIN", "1")


def heard(message: discord.Message | ResponseMessage) -> str:
    """All that a client without pictures gets of a message."""
    return "\n".join([words_of(message), *(words for _name, words in pictures_of(message))])


def told(answer: InteractionResult) -> str:
    assert answer.response is not None
    return heard(answer.response)


def position_in(rules: Rules, text: str) -> State:
    """The position that a text tells, side by side, with who is to move."""
    sides = [re.search(rf"{side.name}: ((?:king|man|men|no pieces)[^.]*)\.", text) for side in rules.seats]
    mover = re.findall(r"(\w+)(?: \([^)]*\))? to move", text)[-1]
    pieces = "; ".join(f"{side.name}: {found[1]}" for side, found in zip(rules.seats, sides, strict=True) if found)
    return state_of(rules, f"{pieces}; {mover} to move")


def best(rules: Rules, state: State) -> Turn:
    """What a player finds who looks four turns ahead."""
    return max(rules.turns(state), key=lambda turn: -minimax(rules, rules.play(state, turn), 3))  # type: ignore[arg-type]


# A puzzle


async def test_a_puzzle(here: World) -> None:
    """The position is read, the moves are found in it, and it goes on with the answer that is told."""
    given = await here.alice.slash(here.channel, "puzzle", variant="spanish")
    for _step in range(2):
        text = told(given)
        task = await here.bot.services.puzzles.open_task(here.alice.id)
        rules = rules_for(task.rules.variant.ruleset)
        state = position_in(rules, text)
        assert rules.position(task.state) == rules.position(state)
        given = await here.alice.slash(here.channel, "puzzle", answer=best(rules, state).text)
    assert "solved!" in told(given)


# An analysis


async def test_an_analysis(here: World) -> None:
    """The turns are read from it, and played on a board of one's own: the boards at its turning points, and each step
    of the replay, tell the same positions."""
    number = await finished(here)
    await here.alice.slash(here.channel, "analysis", number=number)
    await kept(here, number)
    game = await here.bot.services.games.game(number)
    summary = await here.alice.slash(here.channel, "analysis", number=number)
    assert summary.response is not None
    page = await here.alice.click(summary.response, label="Turn by turn")
    turns = re.findall(r"^([0-9]+)\\?\. (\w+): \*\*([^*]+)\*\*", told(page), re.MULTILINE)
    assert [entry.text for entry in game.line if entry.kind == "turn"] == [text for _number, _side, text in turns]

    rules, states = game.rules, [game.rules.start()]
    for _number, side, text in turns:
        assert rules.seats[states[-1].seat].name == side
        states.append(rules.play(states[-1], rules.read(states[-1], text)))
    boards = [words for name, words in pictures_of(summary.response) if "-turn" in name]
    points = [int(at) for at in re.findall(r"^- ([0-9]+)\\\.", told(summary), re.MULTILINE)]
    assert points
    assert [rules.position(states[at]) for at in points] == [rules.position(position_in(rules, b)) for b in boards]

    step = await here.alice.slash(here.channel, "game replay", number=number)
    assert step.response is not None
    for at, state in enumerate(states):
        text = told(step)
        assert f"Game {number}, {at} of " in text
        assert rules.position(state) == rules.position(position_in(rules, text))
        await here.alice.click(step.response, label="Next")
    assert "has won" in told(step)


# A Swiss, and a knockout


async def words_server(here: World) -> None:
    """The server wants pictures in words as well."""
    boss = here.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    manager = here.guild.add_member(here.env.create_user("manager"), roles=[boss])
    await manager.slash(here.channel, "server settings", words=True)


def pairings_in(text: str) -> list[tuple[int, int, str, str]]:
    """Each game of a round as it is told: first, second, the result, the thread's id."""
    found = re.findall(r"^[0-9]+\\?\. <@([0-9]+)> (.*?) <@([0-9]+)>(?: · .*/([0-9]+)\))?$", text, re.MULTILINE)
    return [(int(first), int(second), result, thread) for first, result, second, thread in found]


def bye_in(text: str) -> list[int]:
    return [int(person) for person in re.findall(r"^<@([0-9]+)> has the bye\.", text, re.MULTILINE)]


def standings_in(text: str) -> list[tuple[int, int, str]]:
    """Place, person and points of each line."""
    found = re.findall(r"^([0-9]+)\\?\. <@([0-9]+)> \*\*([^*]*)\*\*", text, re.MULTILINE)
    return [(int(place), int(person), points) for place, person, points in found]


def kept_standings(tournament: StoredTournament) -> list[tuple[int, int, str]]:
    people = {number: each.person for number, each in tournament.state.by_number.items()}
    lines = formats.ranking(tournament.state).lines
    return [(line.rank, people[line.number], amount(line.values[0])) for line in lines]


def kept_pairings(tournament: StoredTournament, number: int) -> list[tuple[int, int, str]]:
    state = tournament.state
    people = {number: each.person for number, each in state.by_number.items()}
    pairs = []
    for white, black in state.paired[number].games:
        shown = [SHOWN.get(mark, "") for mark in state.marks(number, white, black)]
        pairs.append((people[white], people[black], " - ".join(shown) if all(shown) else "-"))
    return pairs


async def play_by_words(club: Club, thread: ChannelHandle, loser: int) -> None:
    """Two turns of a game, each chosen from what its newest board tells; then one of the two gives up."""
    here = club.here
    for _turn in range(2):
        text = heard(here.boards(thread)[-1])
        mover = re.findall(r"<@([0-9]+)>, it is your turn", text)[-1]
        listed = re.search(r"may play [0-9]+ moves?: (.*)\.$", text, re.MULTILINE)
        assert listed is not None
        player = next(each for each in club.players if str(each.id) == mover)
        await here.mention(player, listed[1].split("; ")[0].split(", ")[0], thread)
    game = await here.game(thread)
    await give_up(club, game.id, loser)
    await club.quiet()


async def test_a_swiss(here: World) -> None:
    """Five play three rounds: pairings, byes, results and standings are read, each game's thread is found and played,
    the director presses what the posts offer."""
    await words_server(here)
    club = Club(here, 5)
    await club.create("swiss", rounds=3)
    await club.join(*club.players)
    await club.director.click(club.announcement, label="Start")
    for number in (1, 2, 3):
        await club.quiet()
        text = heard(club.post(f"**Autumn, round {number}**"))
        tournament = await club.load()
        paired = pairings_in(text)
        assert kept_pairings(tournament, number) == [(first, second, said) for first, second, said, _ in paired]
        bye = tournament.state.paired[number].bye
        assert bye is not None
        assert [tournament.state.by_number[bye].person] == bye_in(text)
        for first, second, _said, thread in paired:
            room = next(each for each in here.channel.threads if str(each.id) == thread)
            await play_by_words(club, room, max(first, second))
        tournament = await club.load()
        text = heard(club.post(f"**Autumn, round {number}**"))
        results = [(first, second, said) for first, second, said, _thread in pairings_in(text)]
        assert kept_pairings(tournament, number) == results
        assert all(said != "-" for _first, _second, said in results)
        assert kept_standings(tournament) == standings_in(words_of(club.standings))
        offered = "Pair next round" if number < 3 else "Finish"
        await club.director.click(club.post(f"**Autumn, round {number}**"), label=offered)
    await club.quiet()
    tournament = await club.load()
    assert "Final standings" in words_of(club.standings)
    assert kept_standings(tournament) == standings_in(words_of(club.standings))
    podium = re.findall(r"^[🥇🥈🥉] <@([0-9]+)>", words_of(club.post("**Autumn is over.**")), re.MULTILINE)
    assert [str(person) for place, person, _points in kept_standings(tournament) if place <= 3] == podium
    private = await here.bob.slash(here.channel, "tournament standings", shown="text")
    assert kept_standings(tournament) == standings_in(told(private))


def beaten_in(text: str) -> set[tuple[str, int, int]]:
    """Each match that was won, as it is told: its name, who has won, who has lost."""
    found = re.findall(r"^([^:\n]+): <@([0-9]+)> beat <@([0-9]+)>", text, re.MULTILINE)
    return {(name, int(winner), int(loser)) for name, winner, loser in found}


def played_in(text: str) -> set[tuple[str, int, int, str]]:
    """Each match that is being played: its name, White, Black, the thread's id."""
    found = re.findall(r"^([^:\n]+): <@([0-9]+)> plays <@([0-9]+)> · .*/([0-9]+)\)$", text, re.MULTILINE)
    return {(name, int(white), int(black), thread) for name, white, black, thread in found}


@pytest.mark.parametrize("kind", ["single elimination", "double elimination"])
async def test_a_knockout(here: World, kind: str) -> None:
    """After each match the bracket is read: who has a bye, what is being played where, White first, and who has beaten
    whom; places are told of those alone who have one."""
    await words_server(here)
    club = Club(here, 5)
    await club.started(kind)
    tournament = await club.load()
    people = {number: each.person for number, each in tournament.state.by_number.items()}
    text = words_of(club.standings)
    assert [people[1], people[2], people[3]] == [
        int(one) for one in re.findall(r": <@([0-9]+)> has a bye$", text, re.M)
    ]
    for _match in range(20):
        tournament = await club.load()
        bracket = tournament.state.bracket

        def title(key: str, bracket: BracketState = bracket) -> str:
            return match_title(bracket.bracket, key)

        won = {
            (title(key), people[match.winner], people[match.loser])
            for key, match in bracket.matches.items()
            if match.games and match.winner and match.loser
        }
        running = [game for game in tournament.games if game.status == "running"]
        live = {(title(g.match), people[g.white], people[g.black], str(g.channel_id)) for g in running}
        text = words_of(club.standings)
        assert won == beaten_in(text)
        assert live == played_in(text)
        told = {person: int(place) for place, person in re.findall(r"^([0-9]+)\\?\. <@([0-9]+)>$", text, re.MULTILINE)}
        assert told == {str(people[number]): place for number, place in bracket.places.items()}
        if not live:
            break
        _name, one, other, thread = min(live)
        (link,) = [game for game in running if str(game.channel_id) == thread]
        await give_up(club, link.game_id, max(one, other))
        await club.quiet()
    await club.director.click(club.announcement, label="Finish")
    await club.quiet()
    assert "Final standings" in words_of(club.standings)
    champion = (await club.load()).state.bracket.champion
    assert champion
    assert f"🥇 <@{people[champion]}>" in words_of(club.post("**Autumn is over.**"))


async def test_standings_asked_for_in_words(here: World) -> None:
    """Whoever wants pictures in words is told the bracket once, and the places."""
    club = Club(here, 5)
    await club.started("single elimination")
    await club.play()
    await here.bob.slash(here.channel, "me settings", words=True)
    text = told(await here.bob.slash(here.channel, "tournament standings"))
    words = text.partition("Autumn. 5 players.")[0]
    assert 1 == words.count("Semifinal 2: ")
    assert re.findall(r"^1\\?\. <@[0-9]+>$", words, re.MULTILINE)
