from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot.cli.catalogues import LOCALES
from tests.crash.boards import DECIDED
from tests.crash.directors import CANCELLED, DONE, OVER, RUNNING
from tests.crash.kill import kill_again_and_again
from tests.crash.killing import ROOT
from tests.crash.leagues import CLOSED, LEAGUE_DONE, NOT_BEGUN, SEASON
from tests.crash.players import CONTINUES, GOES_ON, NOT_YOURS, OBLIGED, PLAYED, REMINDS, TAKEN_BACK
from tests.crash.teams import CALLED_OFF, TEAM_DONE, UNACCEPTED, UNLINED
from tests.support.thoroughness import THOROUGH

# Of aiohttp about itself, where a request comes in pieces.
ROUNDS = 5 * THOROUGH

pytestmark = pytest.mark.filterwarnings("ignore:unread_data:DeprecationWarning")


async def test_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    """Killed again and again while people play and hold tournaments and Discord falters: each turn and entry that was
    acknowledged is stored once, each announcement and each message of a tournament was posted exactly once, in order,
    and says what holds, every game agrees with its record and its tournament, and those whose channel is deleted go on
    in another."""
    report = await kill_again_and_again(tmp_path, rounds=ROUNDS, seed=4, wanted=("turns", "entries", "running"))

    assert [] == report.wrong, (tmp_path / "bot.log").read_text()[-3000:]
    assert report.rounds >= ROUNDS
    assert report.turns > 0
    assert report.entries > 0
    # What runs when the kills end may be over when channels are deleted.
    assert report.continued >= report.had_to_continue
    # Not every run has a second try that Discord recognises, but each has its troubles.
    assert report.deduplicated + sum(report.faults.values()) > 0


async def test_kills_on_postgresql(tmp_path: Path) -> None:
    """The same with a PostgreSQL whose connections are cut, and which is killed and started anew, in the middle."""
    report = await kill_again_and_again(tmp_path, rounds=ROUNDS, seed=4, wanted=("turns",), postgresql=True)

    assert [] == report.wrong, (tmp_path / "bot.log").read_text()[-3000:]
    assert report.turns > 0
    assert sum(report.troubles.values()) > 0


@pytest.mark.skipif(THOROUGH < 2, reason="takes long: set DAMERO_THOROUGH to 2")
async def test_kills_of_one_of_three_processes(tmp_path: Path) -> None:
    """Three processes share a PostgreSQL, one of which stands by; one of them is killed, thrice. Those that are left go
    on: nothing is lost or doubled, and the shards of one that died are taken over."""
    report = await kill_again_and_again(tmp_path, rounds=3, seed=5, processes=3)

    assert [] == report.wrong, (tmp_path / "bot.log").read_text()[-3000:]
    assert report.posts > 0
    assert 3 == report.rounds


@pytest.mark.skipif(THOROUGH < 2, reason="takes long: set DAMERO_THOROUGH to 2")
async def test_a_rolling_update_under_load(tmp_path: Path) -> None:
    """Two processes on a PostgreSQL, one of which stands by, are replaced one after the other by a version whose schema
    is newer by one, while people play: nothing is lost or doubled, and each stops as it should."""
    report = await kill_again_and_again(tmp_path, rounds=2, seed=6, processes=2, rolling=True)

    assert [] == report.wrong, (tmp_path / "bot.log").read_text()[-3000:]
    assert 2 == report.updates
    assert report.posts > 0


@pytest.mark.skipif(THOROUGH < 2, reason="takes long: set DAMERO_THOROUGH to 2")
async def test_an_update_of_one_process_on_a_file(tmp_path: Path) -> None:
    """Another checkout (here: the same code in another process) is stopped as hosts stop it, while people play, and
    today's goes on in its file: nothing is lost or doubled."""
    report = await kill_again_and_again(tmp_path, rounds=3, seed=7, before=ROOT)

    assert [] == report.wrong, (tmp_path / "bot.log").read_text()[-3000:]
    assert 1 == report.updates
    assert 0 < report.turns_before < report.turns


OF_GAMES = (*TAKEN_BACK, OBLIGED, PLAYED, NOT_YOURS, REMINDS, CONTINUES, GOES_ON, *DECIDED)
OF_EVENTS = (*DONE.values(), OVER, RUNNING, *CANCELLED, *LEAGUE_DONE.values(), CLOSED, NOT_BEGUN, SEASON)
OF_TEAMS = (*TEAM_DONE.values(), UNACCEPTED, UNLINED, CALLED_OFF)


@pytest.mark.parametrize("phrase", [*OF_GAMES, *OF_EVENTS, *OF_TEAMS])
def test_people_look_for_what_the_bot_says(phrase: str) -> None:
    """What people read out of posts and answers stands in the texts still: a reworded one would be overlooked."""
    with (LOCALES / "es.po").open("rb") as source:
        texts = [text for message in read_po(source) for text in ([message.id] if message.id else [])]
    said = [one for text in texts for one in (text if isinstance(text, tuple) else (text,))]
    assert all(any(each in text for text in said) for each in phrase.split("|"))
