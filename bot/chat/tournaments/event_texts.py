"""What has happened in a tournament, each event in a sentence: who did what."""

from __future__ import annotations

from functools import partial
from typing import Final

from bot.chat.tournaments.bracket_texts import match_title
from bot.chat.tournaments.format_texts import free_text
from bot.chat.tournaments.texts import person_text
from bot.i18n import _, full_stop, labelled, ngettext, said
from bot.tournaments.formats.format import HAS_LEFT, NEITHER_CAME, game_missed, game_of, marks_text, result_text
from bot.tournaments.model import events
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored import SYSTEM
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.given_results import given

_SERVICE: Final = "Damero"
"""Who does what nobody did by hand."""
_OF_COMPETITIONS: Final = (events.Entered, events.Started, events.RoundPaired)
"""What a league or a team match does in the tournaments that belong to it."""


def sentence(tournament: StoredTournament, event: events.Event) -> str:
    """Who did what, with people as mentions."""
    by = event.by
    if tournament.competition_id is not None and isinstance(event.action, _OF_COMPETITIONS):
        # Whoever set it going chose neither who plays nor whom.
        by = SYSTEM
    who = _SERVICE if by == SYSTEM else person_text(by)
    told = _told(tournament, event.action, who, by_oneself=by in (SYSTEM, getattr(event.action, "person", None)))
    brackets = [said(event.reason)] if event.reason else []
    if isinstance(event.action, events.Written):
        if _follows_from_leaving(tournament, event):
            told, brackets = _of_who_left(tournament, event.action)
        elif event.reason == NEITHER_CAME and isinstance(event.action, events.MatchGame):
            told = _walkover(tournament, event.action, _("{match}, game {game}: not played, counts for {player}"))
        else:
            if isinstance(event.action, events.MatchGame) and event.action.forfeit:
                # The result says it.
                brackets = []
            if event.by != SYSTEM:
                brackets = [_by_hand(tournament, event, who), *brackets]
    return f"{told} ({', '.join(brackets)})" if brackets else told


def _follows_from_leaving(tournament: StoredTournament, event: events.Event) -> bool:
    """Whether a result was written down because somebody has left; those of older versions say no reason."""
    by_player = event.by != SYSTEM and not tournament.is_director(event.by)
    return event.reason == HAS_LEFT or (by_player and isinstance(event.action, events.MatchGame))


def _of_who_left(tournament: StoredTournament, action: events.Written) -> tuple[str, list[str]]:
    """A result that follows from somebody's leaving, and who that is."""
    game = game_of(action)
    if isinstance(action, events.MatchGame):
        losers = [number for number in game.seats if number != action.winner]
        told = _walkover(tournament, action, _("{match}, game {game}: counts for {player}"))
    else:
        marks = (action.white_mark, action.black_mark) if isinstance(action, events.Scored) else ()
        losers = [number for number, mark in zip(game.seats, marks, strict=False) if mark is Mark.FORFEIT_LOSS]
        told = result(tournament, action)
    return told, [_("{player} has left").format(player=tournament.call_in(game, number)) for number in losers]


def _walkover(tournament: StoredTournament, action: events.MatchGame, template: str) -> str:
    name = match_title(tournament.state.bracket.bracket, action.match)
    winner = tournament.call_in(game_of(action), action.winner or 0)
    return template.format(match=name, game=action.game, player=winner)


def _by_hand(tournament: StoredTournament, event: events.Event, who: str) -> str:
    """By whom a result was entered, or corrected, and what it was before."""
    assert isinstance(event.action, events.Written)
    before = given(tournament, game_of(event.action), before=event.number)
    if before is None:
        return _("entered by {who}").format(who=who)
    was = result_text(before.action) if isinstance(before.action, events.Written) else _("by forfeit")
    template = _("corrected by {who}, was {result}") if was else _("corrected by {who}")
    return template.format(who=who, result=was)


def _told(tournament: StoredTournament, action: events.Action, who: str, *, by_oneself: bool) -> str:
    call = tournament.call
    match action:
        case events.Scored() | events.MatchGame() | events.TableScored() | events.ArenaGame():
            return result(tournament, action)
        case events.Entered() | events.Left() | events.Returned() | events.Paused() | events.CheckedIn():
            return _of_one(action, who, by_oneself=by_oneself)
        case events.Substituted(person=person, substitute=substitute):
            template = _("{who} put {substitute} in for {player}")
            return template.format(who=who, substitute=person_text(substitute), player=person_text(person))
        case events.Started(order=order):
            return ngettext(
                "{who} started the tournament with {count} player",
                "{who} started the tournament with {count} players",
                len(order),
            ).format(who=who, count=len(order))
        case events.ByeAsked(number=number, round=round_number):
            if call(number) == who:
                return _("{player} asked for a bye in round {round}").format(player=who, round=round_number)
            template = _("{who} gave {player} a bye in round {round}")
            return template.format(who=who, player=call(number), round=round_number)
        case events.Forbade(one=one, other=other):
            template = _("{who} ruled that {player} and {other} do not meet")
            return template.format(who=who, player=call(one), other=call(other))
        case events.Allowed(one=one, other=other):
            template = _("{who} ruled that {player} and {other} may meet again")
            return template.format(who=who, player=call(one), other=call(other))
        case events.RoundPaired() | events.TablesSeated():
            return _of_round(tournament, action, who)
        case events.DidNotCome(number=number, round=round_number):
            game = game_missed(tournament.state, action)
            player = call(number) if game is None else tournament.call_in(game, number)
            return _("{player} did not come to round {round}").format(player=player, round=round_number)
        case events.PoolClosed():
            return _("{who} closed the arena to new games").format(who=who)
        case events.Undone(event=number):
            return _("{who} undid event {number}").format(who=who, number=number)
        case events.Ended():
            return _("{who} finished the tournament").format(who=who)
        case _:
            return _of_schedule(action, who)


def _of_one(
    action: events.Participation,
    who: str,
    *,
    by_oneself: bool,
) -> str:
    templates = {
        events.Entered: (_("{player} joined"), _("{who} entered {player}")),
        events.CheckedIn: (_("{player} checked in"), _("{who} checked {player} in")),
        events.Left: (_("{player} left"), _("{who} withdrew {player}")),
        events.Returned: (_("{player} came back"), _("{who} let {player} come back")),
        events.Paused: (_("{player} paused"), _("{who} paused {player}")),
    }
    return templates[type(action)][0 if by_oneself else 1].format(who=who, player=person_text(action.person))


def _of_round(tournament: StoredTournament, action: events.PairedRound, who: str) -> str:
    template = _("{who} paired round {round}")
    if action.by_hand and not tournament.is_team_match:
        template = _("{who} paired round {round} by hand")
    elif action.again:
        template = _("{who} paired round {round} again")
    parts = [template.format(who=who, round=action.round)]
    if isinstance(action, events.RoundPaired) and tournament.format.is_fixed:
        parts += _lost_by_leaving(tournament, action)
    if action.bye is not None:
        parts.append(free_text(tournament, action.round, action.bye).removesuffix(full_stop()))
    return f"{full_stop()} ".join(parts) + (full_stop() if len(parts) > 1 else "")


def _lost_by_leaving(tournament: StoredTournament, action: events.RoundPaired) -> list[str]:
    """The games of a round that count for one because the other had left before."""
    players, lines = tournament.state.by_number, []
    for pair in action.games:
        gone = [number for number in pair if number in players and not players[number].is_in(action.round)]
        if len(gone) == 1:
            winner = next(number for number in pair if number not in gone)
            template = _("{player} wins by forfeit, as {other} has left")
            lines.append(template.format(player=tournament.call(winner), other=tournament.call(gone[0])))
    return lines


def _of_schedule(action: events.ScheduleEvent, who: str) -> str:
    match action:
        case events.Scheduled():
            return _("{who} changed the times").format(who=who)
        case events.Limited():
            return _("{who} changed who may enter").format(who=who)
        case events.Seeded(person=person, place=0):
            return _("{who} took back the starting number of {player}").format(who=who, player=person_text(person))
        case events.Seeded(person=person, place=place):
            template = _("{who} gave {player} the starting number {number}")
            return template.format(who=who, player=person_text(person), number=place)
        case events.CheckInOpened():
            return _("Check-in opened")
        case events.DateTold(round=number, come=come):
            template = _("The deadline of round {round} is near: the directors were told")
            if come:
                template = _("The deadline of round {round} has come: the directors were told")
            return template.format(round=number)
        case events.Halted(round=number, why=why):
            return labelled(_("Round {round} could not begin by itself").format(round=number + 1), said(why))
        case events.Cancelled(there=there, needed=needed) if needed:
            template = _("The tournament was cancelled: only {there} of {needed} players were there")
            return template.format(there=there, needed=needed)
        case events.Cancelled():
            return _("{who} cancelled the tournament").format(who=who)
        case events.DirectorChanged(person=person, removed=removed):
            template = _("{who} added {player} as a director")
            if removed:
                template = _("{who} removed {player} as a director")
            if person_text(person) == who:
                template = _("{who} stopped directing") if removed else _("{who} took over as a director")
            return template.format(who=who, player=person_text(person))
        case events.SettingsChanged():
            return _("{who} changed the settings").format(who=who)


def result(tournament: StoredTournament, action: events.Written) -> str:
    """A result with its game: "Round 2: @Ana 1 - 0 @Ben"."""
    call = partial(tournament.call_in, game_of(action))
    match action:
        case events.Scored(round=number, white=white, black=black):
            template = _("Round {round}: {white} {result} {black}")
            if tournament.settings.both:
                template = _("Round {round}, game {game}: {white} {result} {black}")
            game = tournament.state.which_game(number, white, black)
            return template.format(round=number, game=game, **_game(tournament, action))
        case events.ArenaGame(game=game, white_mark=Mark.PENDING):
            return _("Game {game} began: {white} - {black}").format(game=game, **_game(tournament, action))
        case events.ArenaGame(game=game):
            return _("Game {game}: {white} {result} {black}").format(game=game, **_game(tournament, action))
        case events.MatchGame(match=match, game=game, white=white, black=black, winner=winner):
            name = match_title(tournament.state.bracket.bracket, match)
            fields = {"match": name, "game": game, "white": call(white), "black": call(black)}
            if winner is None:
                return _("{match}, game {game}: {white} - {black}, drawn").format(**fields)
            template = _("{match}, game {game}: {white} - {black}, won by {player}")
            if action.forfeit:
                template = _("{match}, game {game}: {white} - {black}, won by {player}, as {other} did not come")
            return template.format(**fields, player=call(winner), other=call(black if winner == white else white))
        case events.TableScored(round=number, table=table, places=places):
            placed = ", ".join(
                f"{place} {call(one)}" if place else _("{player} made no move").format(player=call(one))
                for one, place in zip(table, places, strict=True)
            )
            return _("Round {round}: {places}").format(round=number, places=placed)


def _game(tournament: StoredTournament, action: events.Scored | events.ArenaGame) -> dict[str, str]:
    shown = marks_text(action.white_mark, action.black_mark)
    white, black = (tournament.call_in(game_of(action), number) for number in (action.white, action.black))
    return {"white": white, "black": black, "result": shown}
