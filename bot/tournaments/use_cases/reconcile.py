"""What follows from events, in the same transaction: games that are to be played are made, others are called off."""

from __future__ import annotations

from bot.games.model.clock import PATIENT, PROMPT
from bot.games.model.game import Place
from bot.games.service import Games
from bot.i18n import Phrase, phrase
from bot.tournaments.formats.format import HAS_LEFT, GameFields, OpenGame, game_of
from bot.tournaments.model.events import Action, Undone, Written
from bot.tournaments.model.openings import Opening
from bot.tournaments.model.schedule import last_date
from bot.tournaments.pairing.elimination import match_name
from bot.tournaments.persistence.game_links import is_begun, link_of, match_of, open_game_of
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from bot.tournaments.use_cases.given_results import given, with_result
from data.queries import competitions as competition_queries
from data.queries.tournaments import TournamentGame


async def reconcile(games: Games, unit: TournamentUnit) -> None:
    """Bring the games in line with the events."""
    while walkovers := unit.tournament.format.walkovers(unit.tournament.state):
        for walkover in walkovers:
            await unit.add(walkover, HAS_LEFT)
    while (action := _forfeited(unit.tournament)) is not None:
        await unit.add(action)
    await _hand_over(games, unit)
    tournament = unit.tournament
    to_play = {game.key: game for game in tournament.open_games}
    new = [event.action for event in tournament.events[len(unit.began.events) :]]
    written: dict[object, Written] = {game_of(action).key: action for action in new if isinstance(action, Written)}
    again = _again_in_force(unit) if any(isinstance(action, Undone) for action in new) else {}
    written |= again
    restored = {key: result for key, result in _restored(unit).items() if new and key not in written}
    # Of several games for one the last is told of it: the others were told that another begins.
    links: dict[object, list[TournamentGame]] = {}
    for link in tournament.games:
        links.setdefault(open_game_of(link).key, []).append(link)
    there = {key: last for key, (*_, last) in links.items() if last.status != "aborted"}
    was_open = {game.key for game in unit.began.open_games}

    async def tell(link: TournamentGame, sentence: Phrase) -> None:
        source = f"{unit.source}:off:{link.game_id}"
        unit.game_changed(await games.tournament_games.tell(unit.tx, link.game_id, source, sentence))

    for key, (*earlier, linked) in links.items():
        result = written.get(key) or restored.get(key)
        if linked.status == "running":
            if key in to_play:
                continue
            if earlier and result is not None and (key in again or key in restored):
                await tell(earlier[-1], _counts_again(tournament, result))
            source, sentence = f"{unit.source}:off:{linked.game_id}", _why_over(unit, linked.match, result)
            unit.game_changed(await games.tournament_games.call_off(unit.tx, linked.game_id, source, sentence))
        elif key not in was_open and new and (news := _news(unit, linked, result, key in restored)) is not None:
            await tell(linked, news)
    for key, game in to_play.items():
        # What was played and has no result any more is played again.
        if key not in there or there[key].status == "finished":
            await _make(games, unit, game)


def _news(unit: TournamentUnit, linked: TournamentGame, result: Written | None, restored: bool) -> Phrase | None:
    """What a game that is over, and was not to be played, is told of a change: that it has a ``result``, which is
    ``restored``, or that it counts no longer. None where nothing has changed for it, or it was told already."""
    tournament, game = unit.tournament, open_game_of(linked)
    if result is not None and restored:
        return _counts_again(tournament, result)
    if result is not None and unit.by != SYSTEM:
        confirmed = game.key in tournament.results and tournament.results[game.key] == unit.began.results.get(game.key)
        corrected = phrase("The director has corrected the result of this game.")
        return None if confirmed else with_result(tournament, result, corrected)
    if game.key in {each.key for each in tournament.open_games}:
        if not _has_result(unit.began, game):
            after_all = phrase("This game is to be played after all. A new one begins.")
            return after_all if linked.status == "aborted" else None
        if given(tournament, game) != given(unit.began, game):
            return phrase("The director has taken back the result of this game. A new game begins.")
        return _void(tournament)
    return _void(tournament) if _has_result(unit.began, game) and not _has_result(tournament, game) else None


def _counts_again(tournament: StoredTournament, result: Written) -> Phrase:
    return with_result(tournament, result, phrase("The result of this game counts again:"))


def _restored(unit: TournamentUnit) -> dict[object, Written]:
    """The results of games that did not count, and do again."""
    before, now = unit.began, unit.tournament
    if not before.games or not (now.format.has_bracket or now.format.in_rounds):
        return {}
    events = {key: given(now, now.results[key][0]) for key in now.results.keys() - before.results.keys()}
    return {key: each.action for key, each in events.items() if each is not None and isinstance(each.action, Written)}


def _void(tournament: StoredTournament) -> Phrase:
    """That a result counts no longer for what came before it."""
    if not tournament.format.has_bracket:
        return phrase("The director has changed the pairing, so this game no longer counts.")
    return phrase(
        "The director has changed an earlier result of **{event}**, so this game no longer counts.",
        event=tournament.name,
    )


def _has_result(tournament: StoredTournament, game: OpenGame) -> bool:
    """Whether a game counts."""
    if game.by_places:
        return (game.round, game.seats) in tournament.state.table_results
    return game.key in tournament.results


def _again_in_force(unit: TournamentUnit) -> dict[object, Written]:
    """The results of games that had another one, or none, before something was undone."""
    before, now = unit.began, unit.tournament
    results: dict[object, Written] = {}
    for game in map(open_game_of, now.games):
        result, was = given(now, game), given(before, game)
        if not game.by_places and now.results.get(game.key) in (None, before.results.get(game.key)):
            # What other results have made void does not count, whatever came before it; or nothing has changed.
            continue
        if result is not None and result != was and isinstance(result.action, Written):
            results[game.key] = result.action
    return results


async def _hand_over(games: Games, unit: TournamentUnit) -> None:
    """Where no later round brings games of their own to who takes a place over, those begin anew in which nobody has
    moved; the others stay with those who play them."""
    tournament = unit.tournament
    if not tournament.players or not (tournament.state.timing.at_once or tournament.is_team_match):
        return
    for link in [each for each in tournament.games if each.status == "running"]:
        game = open_game_of(link)
        for number in game.seats:
            was, now = tournament.sits_at(game, number), tournament.state.by_number[number].person
            if was in (0, now) or now <= 0 or await is_begun(unit.tx, link):
                continue
            sentence = phrase(
                "{substitute} plays for {player}, so this game is called off. It begins anew in another thread.",
                substitute=f"<@{now}>",
                player=f"<@{was}>",
            )
            source = f"{unit.source}:off:{link.game_id}"
            unit.game_changed(await games.tournament_games.call_off(unit.tx, link.game_id, source, sentence))
            break


def _why_over(unit: TournamentUnit, match: str, result: Written | None) -> Phrase:
    """Why a game that was being played is over."""
    if unit.tournament.state.cancelled is not None:
        name = unit.tournament.name
        if unit.tournament.is_team_match:
            return phrase("Both teams agreed to cancel **{event}**, so this game is called off.", event=name)
        return phrase("The director has cancelled **{event}**, so this game is called off.", event=name)
    if result is None and unit.tournament.format.has_bracket:
        return _others_meet(unit, match)
    if result is None:
        return phrase("The director has changed the pairing, so this game is called off.")
    if unit.by == SYSTEM or not unit.tournament.is_director(unit.by):
        return with_result(unit.tournament, result, phrase("This game is over."))
    return with_result(unit.tournament, result, phrase("The director has entered the result of this game."))


def _others_meet(unit: TournamentUnit, match: str) -> Phrase:
    """That a match is not played by these two any more, and by whom it is, where that is known."""
    tournament, state = unit.tournament, unit.tournament.state.bracket
    name, now = match_name(state.bracket, match), state.matches[match].players
    was = unit.began.state.bracket.matches[match].players
    out = ", ".join(tournament.call(number) for number in was if number and number not in now)
    fields = {"event": tournament.name, "match": name, "out": out}
    if not out:
        return phrase("The director has changed a result of **{event}**, so this game is called off.", **fields)
    one, other = now
    if not one or not other:
        return phrase(
            "The director has changed an earlier result of **{event}**: {out} does not play the {match} any more. "
            "This game is called off.",
            **fields,
        )
    return phrase(
        "The director has changed an earlier result of **{event}**: {one} plays {other} in the {match}, and {out} "
        "does not. This game is called off.",
        **fields,
        one=tournament.call(one),
        other=tournament.call(other),
    )


async def _make(games: Games, unit: TournamentUnit, pairing: OpenGame) -> None:
    tournament = unit.tournament
    of_table = {"players": len(pairing.seats), "places": True} if pairing.by_places else {}
    opening = tournament.format.opening_of(tournament.state, pairing)
    people = [tournament.state.by_number[number].person for number in pairing.seats]
    game = await games.tournament_games.arrange(
        unit.tx,
        source=f"{unit.source}:{match_of(pairing) or pairing.round}:{pairing.white}",
        players=people,
        variant=tournament.ruleset,
        options={**tournament.options, **of_table},
        place=tournament.place,
        clock=tournament.clock + _hurry(tournament),
        heading=_heading(tournament, pairing, opening),
        opening=None if opening is None else opening.text,
        rated=tournament.rated,
        away=await _away(unit, pairing),
    )
    await unit.add_game(link_of(pairing, game.id, tournament.id), people)


def _hurry(tournament: StoredTournament) -> str:
    """What stands behind the name of the clock where the first move has another time than usual."""
    if tournament.competition_id is not None and not tournament.is_team_match:
        return PATIENT
    return PROMPT if tournament.format.pairs_who_waits else ""


async def _away(unit: TournamentUnit, pairing: OpenGame) -> tuple[int, Place] | None:
    """Of a team match of two servers: the seat that plays on the guests', and where that is."""
    match_id = unit.tournament.competition_id
    competition = None if match_id is None else await competition_queries.stored.get(unit.tx, match_id)
    if competition is None or competition.other_channel_id is None:
        return None
    return int(pairing.black % 2 == 0), Place(competition.other_guild_id, competition.other_channel_id)


def _forfeited(tournament: StoredTournament) -> Action | None:
    """What is written down for a game of somebody who was forgotten by wish; None: there is no such game."""
    for game in tournament.open_games:
        gone = [number for number in game.seats if tournament.state.by_number[number].person <= 0]
        if gone and (action := tournament.format.forfeit(tournament.state, game, gone[0])) is not None:
            return action
    return None


def _heading(tournament: StoredTournament, game: OpenGame, opening: Opening | None) -> Phrase:
    """What a game is part of, with the deadline that is told with its round, and the opening that was drawn for it."""
    state = tournament.state
    until = 0 if state.timing.carry else last_date(state, tournament.events, game.round, tournament.outages)
    fields: GameFields = {"event": tournament.name, "round": game.round, "match": match_of(game)}
    heading = tournament.format.heading(state, game, fields, until, in_match=tournament.competition_id is not None)
    if opening is None or not opening.number:
        return heading
    return phrase("{heading}, ballot {number}: {opening}", heading=heading, number=opening.number, opening=str(opening))
