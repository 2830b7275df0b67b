"""What is stored of games, held against what people were shown and told, and against what was posted."""

from __future__ import annotations

import json
from collections import Counter

from tests.crash.club import Club
from tests.crash.gateway import Json
from tests.crash.kept import Query
from tests.crash.players import reminded_once
from tests.crash.tournament_checks import competitions_as_told, events_and_games, posted_once


def pending(query: Query, now: float) -> list[tuple[object, ...]]:
    """What is to be said still, or done by now (seconds since 1970)."""
    due = f"SELECT id, kind, subject, at FROM timers WHERE at <= {now * 1000:.0f}"
    posts = "SELECT id, tournament_id, kind, round FROM tournament_posts WHERE wanted > said"
    of_competitions = "SELECT id, contest_id, kind, number FROM contest_posts WHERE wanted > said"
    said = "SELECT id, game_id, kind, attempts FROM announcements WHERE state = 'pending'"
    return [row for each in (due, posts, of_competitions, said) for row in query(each)]


def held_against_store(query: Query, club: Club) -> list[str]:
    """At any moment: every turn that people were shown or told of is stored, once, where they saw it."""
    wrong = []
    stored: dict[int, list[str]] = {}
    sources: dict[object, str] = {}
    for game, number, text, source in query("SELECT game_id, number, text, source FROM turns ORDER BY game_id, number"):
        turns = stored.setdefault(game, [])
        if number != len(turns) + 1:
            wrong.append(f"game {game}: entry {number} after {len(turns)}")
        turns.append(str(text))
        sources[source] = str(text)
    wrong += _timers(query) + _reminders(query)
    wrong += events_and_games(query, club.tournaments.told)
    wrong += competitions_as_told(query, club.leagues.told + club.teams.told)
    for events in club.events:
        wrong += events.wrong
        events.wrong = []
    moved = {source for (source,) in query("SELECT source FROM acts WHERE what = 'move here'")}
    for table in club.all_tables:
        wrong += table.wrong
        table.wrong = []
        for game, seen in table.seen.items():
            kept = stored.get(game, [])[: len(seen)]
            if [None if shown is None else text for text, shown in zip(kept, seen, strict=False)] != seen:
                wrong.append(f"game {game}: shown {seen}, stored {stored.get(game)}")
        for interaction, text in table.told:
            if sources.get(f"i:{interaction}") != text:
                wrong.append(f"{text} was said to be played, stored {sources.get(f'i:{interaction}')}")
        for message in table.refused:
            if played := [text for source, text in sources.items() if str(source).startswith(f"m:{message}")]:
                wrong.append(f"message {message} was played ({played[0]}), and refused")
        for interaction, game in table.continued:
            if f"i:{interaction}" not in moved:
                wrong.append(f"game {game} was said to go on elsewhere, and does not")
    return wrong


def _timers(query: Query) -> list[str]:
    """Each game on time has a timer, which is set for no later than its end."""
    rows = query("SELECT subject, at, payload FROM timers WHERE kind = 'clock'")
    timed = {subject: (at, json.loads(told)) for subject, at, told in rows}
    games = {game for (game,) in query("SELECT id FROM games WHERE status = 'running' AND clock <> 'none'")}
    wrong = [f"games on time that nothing ends: {sorted(games - timed.keys())}"] if games - timed.keys() else []
    late = [game for game, (at, told) in timed.items() if at > (told.get("due") or at)]
    return [*wrong, *([f"games with timers after their end: {late}"] if late else [])]


def _reminders(query: Query) -> list[str]:
    """Of a stage of a turn nobody is reminded twice."""
    rows = query("SELECT game_id, ply, payload FROM announcements WHERE kind = 'reminder'")
    told = [(game, ply, json.loads(payload)) for game, ply, payload in rows]
    counts = Counter((game, ply, told["to"], told["stage"], told["due"]) for game, ply, told in told if told)
    return [f"reminded {count} times: {which}" for which, count in counts.items() if count > 1]


def all_said_once(query: Query, club: Club, since: float) -> list[str]:
    """At the end: each stored announcement that makes a post has made one, and each post with a nonce is of one of
    them. ``since``: what was said before (ms) may be tidied up."""
    posts: dict[str, list[Json]] = {}
    for message in club.stand_in.messages.values():
        # What stands in no outbox (a reply) has a number that discord.py makes up.
        if "." in (message["nonce"] or ""):
            posts.setdefault(str(message["nonce"]), []).append(message)
    wrong = []
    places = query("SELECT id, channel_id, place_channel_id, status FROM games")
    said = list(query(_ANNOUNCEMENTS))
    # What was to be said in a channel that was deleted is given up, also where the game has gone on in another.
    stood = [(game, channel) for game, *channels, _status in places for channel in channels]
    stood += [(game, channel) for _, game, _, _, _, channel, _ in said]
    lost = {game for game, channel in stood if club.stand_in.is_gone(channel)}
    boards: dict[int, tuple[str, int | None]] = {}
    for number, game, made_at, kind, state, channel_id, message_id in said:
        if kind == "board":
            boards[game] = (state, channel_id)
        if kind in ("challenge_closed", "challenge_changed", "offer_closed"):
            continue
        found = posts.pop(f"{number}.{made_at:x}"[:25], [])
        if state == "dropped" and not found and kind == "reminder":
            # The game had gone on meanwhile.
            continue
        still_there = [post for post in found if not club.stand_in.is_gone(int(post["channel_id"]))]
        if game in lost and len(found) > 1:
            # It had been posted in the channel that is gone before anybody noted so.
            found = still_there or found[-1:]
        if state == "dropped" and len(found) < 2 and game in lost and not (kind == "board" and still_there):
            # Nobody could be told; or before it was noted that it was, the channel was deleted, or its board asked for
            # in another once more.
            continue
        if state != "sent" or len(found) != 1 or int(found[0]["id"]) != message_id:
            said_by = (club.stand_in.messages.get(message_id) or {}).get("nonce")
            about = f"announcement {number} ({kind}) of game {game} is {state}, and was posted {len(found)} times"
            wrong.append(f"{about}; it is marked as message {message_id}, whose nonce is {said_by}")
    for game, channel, _place, status in places:
        here = game in lost and status == "running" and channel is not None and not club.stand_in.is_gone(channel)
        if here and boards.get(game) != ("sent", channel):
            wrong.append(f"game {game} goes on in {channel}, where its board is not: {boards.get(game)}")
    wrong += reminded_once(club.letters)
    threads = {thread: (club.stand_in.guild_of(thread), name) for thread, name in club.stand_in.names.items()}
    wrong += posted_once(query, posts, threads)
    for nonce, everywhere in posts.items():
        found = [post for post in everywhere if not club.stand_in.is_gone(int(post["channel_id"]))]
        # At night the bot tidies up what it has said in games that are over.
        if len(found) > 1 or int(nonce.split(".")[1], 16) >= since:
            wrong.append(f"{len(everywhere)} posts of nothing that is stored: {nonce}")
    return wrong


_ANNOUNCEMENTS = (
    "SELECT id, game_id, made_at, kind, state, channel_id, message_id FROM announcements ORDER BY game_id, id"
)
