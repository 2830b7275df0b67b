"""What is stored of tournaments, held against itself and against what was posted."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from simcord.components import component_mentions

from bot.chat.tournaments.buttons import text_button
from bot.chat.tournaments.live_messages import content_of
from bot.chat.tournaments.pictures import is_pictured
from bot.chat.tournaments.standings_cards import picture_card, text_card
from bot.games.persistence.transactions import reading
from bot.i18n import speaking
from bot.tournaments.model.events import Started, Undone
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored_tournament import load
from data.queries import tournaments as queries
from data.schema.tournaments import tournament_posts
from data.store import Store
from tests.crash.kept import Query

Json = dict[str, Any]

_DRAWN, _WON, _LOST = ("=", "="), ("1", "0"), ("0", "1")
_FORFEITED: dict[object, object] = {("+", "-"): _WON, ("-", "+"): _LOST}


def events_and_games(query: Query, told: list[tuple[int, str]]) -> list[str]:
    """At any moment: what people were told to be done is there, every finished game counts once, and every rated one
    has changed each rating once."""
    wrong = []
    rows = query("SELECT source, action FROM tournament_events")
    events = {source: json.loads(action) for source, action in rows}
    sources = {*events, *(source for (source,) in query("SELECT source FROM tournaments"))}
    for interaction, asked in told:
        if f"i:{interaction}" not in sources:
            wrong.append(f"{asked} was said to be done, and is not stored")
    ended = query(
        "SELECT game_id, white, black, winner, match FROM tournament_games JOIN games ON games.id = game_id "
        "WHERE status = 'finished'"
    )
    for game, white, black, winner, match in ended:
        event = events.pop(f"game:{game}", None)
        if event is not None and event["action"] == "DidNotCome":
            if winner is None or event["number"] != (white, black)[1 - winner]:
                wrong.append(f"game {game} ended for {winner} between {white} and {black}, noted is {event}")
            continue
        noted = event and (event["winner"] if match else (event["white_mark"], event["black_mark"]))
        if noted in _FORFEITED:
            # An arena's, to which somebody did not come.
            noted = _FORFEITED[noted]
        victor = None if winner is None else (white, black)[winner]
        expected = victor if match else _DRAWN if winner is None else (_WON, _LOST)[winner]
        if event is None or (event["white"], event["black"], noted) != (white, black, expected):
            wrong.append(f"game {game} ended {expected} between {white} and {black}, noted is {event}")
    if more := [source for source in events if source.startswith("game:") and "+" not in source]:
        wrong.append(f"noted of games that are not over: {more}")
    rated = query("SELECT variant_id, correspondence, server, person, games FROM ratings")
    for *pool, games in rated:
        of = "variant_id = '{}' AND correspondence = {} AND server = {} AND person = {}".format(*pool)
        ((counted,),) = query(f"SELECT count(*) FROM rated_games WHERE {of} AND score IS NOT NULL")
        if counted != games:
            wrong.append(f"the rating of {pool} counts {games} games, {counted} were rated")
    return wrong


def competitions_as_told(query: Query, told: list[tuple[int, str]]) -> list[str]:
    """At any moment: what people were told to be done is there, no season of a league has begun or ended twice and
    none is endless, and no match of teams was accepted, begun or ended twice."""
    wrong = []
    rows = query("SELECT contest_id, source, action FROM contest_events ORDER BY contest_id, number")
    sources = {*(source for _contest, source, _action in rows), *(s for (s,) in query("SELECT source FROM contests"))}
    for interaction, asked in told:
        if f"i:{interaction}" not in sources:
            wrong.append(f"{asked} of a league or a match was said to be done, and is not stored")
    seasons: dict[int, list[str]] = {}
    once: Counter[tuple[int, str]] = Counter()
    for contest, _source, action in rows:
        kind = json.loads(action)["action"]
        if kind in _SEASONS:
            seasons.setdefault(contest, []).append(kind)
        once[contest, kind] += kind in _ONCE
    wrong += [f"{kind} of contest {contest}: {count} times" for (contest, kind), count in once.items() if count > 1]
    timed = {contest for (contest,) in query("SELECT subject FROM timers WHERE kind = 'contest'")}
    for contest, kinds in seasons.items():
        if kinds != [_SEASONS[n % 2] for n in range(len(kinds))]:
            wrong.append(f"the seasons of league {contest} do not follow each other: {kinds}")
        if kinds[-1] == _SEASONS[0] and contest not in timed:
            wrong.append(f"nothing ends the season of league {contest}")
    return wrong


def posted_once(query: Query, posts: dict[str, list[Json]], names: Mapping[int, tuple[str, str]]) -> list[str]:
    """At the end: each post has been made, once, and says all; each game has one thread on a server. ``posts``: all
    messages by their nonces, out of which those found are taken; ``names``: of the threads, with their servers."""
    wrong = []
    for sign, of, columns in (
        ("t", "tournament", "tournament_id, kind, round, wanted, said, made_at, message_id FROM tournament_posts"),
        ("c", "league", "contest_id, kind, number, wanted, said, made_at, message_id FROM contest_posts"),
    ):
        for post, owner, kind, number, wanted, said, made_at, message_id in query(f"SELECT id, {columns}"):
            found = posts.pop(f"{sign}{post}.{made_at:x}"[:25], [])
            if said != wanted or [int(message["id"]) for message in found] != [message_id]:
                what = f"{kind} {number} of {of} {owner}"
                wrong.append(f"{what} says {said} of {wanted}, and was posted {len(found)} times ({message_id})")
    threads = Counter((server, name.rsplit("#", 1)[1]) for server, name in names.values())
    twice = [game for game, count in threads.items() if count > 1]
    return [*wrong, *([f"games with several threads: {twice}"] if twice else [])]


async def as_they_stand(url: str, messages: Mapping[int, Json]) -> list[str]:
    """At the end: every tournament can be read from its events, has the games that it is to have, and its messages say
    how it stands."""
    wrong = []
    store = Store(url)
    await store.open()
    try:
        async with reading(store) as tx:
            for tournament in range(1, 10_000):
                if await queries.stored.get(tx, tournament) is None:
                    break
                held = await load(tx, tournament)
                pairings = [(g.status, open_game_of(g).key) for g in held.games]
                wanted = sorted(game.key for game in held.open_games)
                running = sorted(pairing for status, pairing in pairings if status == "running")
                if wanted != running:
                    wrong.append(f"tournament {tournament}: to be played is {wanted}, played is {running}")
                # Where a result was taken back the game is played again.
                again = sum(isinstance(event.action, Undone) for event in held.events)
                counts = Counter(pairing for status, pairing in pairings if status != "aborted")
                twice = [pairing for pairing, count in counts.items() if count > 1 + again]
                if twice:
                    wrong.append(f"tournament {tournament}: {twice} have several games")
                if sum(isinstance(event.action, Started) for event in held.events) > 1:
                    wrong.append(f"tournament {tournament} has begun twice")
                posts = await tx.execute(sa.select(tournament_posts).filter_by(tournament_id=tournament))
                for row in posts.mappings():
                    post = queries.posts.read(row)
                    with speaking("en"):
                        content, _view, _beginnings = content_of(held, post, {})
                        if post.kind == "standings" and is_pictured(held):
                            content = picture_card(held, (), text_button(held)).text
                        elif post.kind == "standings":
                            content = text_card(held).text
                    message = messages.get(post.message_id or 0, {})
                    # Of a card the words of its components.
                    reads = component_mentions(message.get("components", [])) or message.get("content")
                    if _MARKS.sub("", str(reads)) != content:
                        what = f"{post.kind} {post.number} of tournament {tournament}"
                        wrong.append(f"{what} reads {reads!r}, and should {content!r}")
    finally:
        await store.close()
    return wrong


# Of who did not come lately: they fade by themselves, and nothing is edited for that.
_MARKS = re.compile(r" ⚠|\n⚠[^\n]*")
_SEASONS = ("SeasonBegan", "SeasonEnded")
_ONCE = ("Accepted", "Began", "Finished", "CalledOff", "Closed")
