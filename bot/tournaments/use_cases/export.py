"""A tournament and its games as files: report files (TRF), tables (CSV), plain values (JSON), games (PDN)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.engine import transcript, variants
from bot.engine.pdn import pdn_writer
from bot.engine.transcript import Step, Transcript
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.files import values
from bot.tournaments.files.trf_writer import ReportVersion, write
from bot.tournaments.formats.format import OpenGame
from bot.tournaments.pairing.record import DRAWN, WON, Mark
from bot.tournaments.persistence.game_links import counting, link_of, open_game_of
from bot.tournaments.persistence.stored import title_of
from bot.tournaments.persistence.stored_tournament import StoredTournament, nameless
from bot.tournaments.use_cases.work import TournamentWork, refusing
from data.queries import tournaments as queries
from data.queries.tournaments import TournamentGame

ENDINGS: Final[Mapping[str, str]] = {"trf26": "trf", "trf16": "trf", "csv": "csv", "json": "json", "pdn": "pdn"}


class Export:
    """What reports and other files of a tournament are made of, and lists that name tournaments: all is read here."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def names_by_game(self, game_ids: Sequence[int]) -> dict[int, str]:
        """What the tournaments are called that games are of, by game; games of none are left out."""
        async with self._work.reading() as tx:
            return await queries.names_by_game(tx, game_ids)

    async def title_of_game(self, game_id: int) -> str:
        """What the tournament is called that a game is of, as it was given; "" for a game of none."""
        return title_of((await self.names_by_game([game_id])).get(game_id, ""))

    async def in_its_event(self, game_id: int, game: Transcript) -> Transcript:
        """A game with the tags of its tournament: event, round and board, the opening that it begins with; one of none
        as it is. Its players are named as they were."""
        async with self._work.reading() as tx:
            link = await queries.game_of(tx, game_id)
        if link is None:
            return game
        tournament = await self._work.load(link.tournament_id)
        return tagged(tournament, link, game, str)

    async def games_of(self, tournament: StoredTournament) -> list[tuple[TournamentGame, Transcript]]:
        """The games of a tournament that are over, in the order in which they were begun: those that were played to an
        end, and those that a director has decided before."""
        counted = {link.game_id for link in counting(tournament.games) if open_game_of(link).key in tournament.results}
        return [
            (link, await self._work.games.archive.transcript(link.game_id))
            for link in tournament.games
            if link.status == "finished" or (link.status == "aborted" and link.game_id in counted)
        ]


def _name(number: int, person: int, name_of: Callable[[int], str]) -> str:
    return name_of(person) if person > 0 else nameless(number)


def content(
    tournament: StoredTournament,
    form: str,
    name_of: Callable[[int], str],
    games: Sequence[tuple[TournamentGame, Transcript]] = (),
) -> str:
    """A tournament that has begun as a file's text. ``name_of`` names a person, ``str`` by the id where names are not
    kept; ``games`` for JSON and PDN.

    Takes its time: call it beside the event loop. Raises Refused for a form that does not fit."""
    state = tournament.state
    if not state.by_number:
        raise Refused(_("The tournament has not begun."))

    def call(number: int) -> str:
        return _name(number, state.by_number[number].person, name_of)

    with refusing():
        match form:
            case "csv":
                return values.as_csv(state, call)
            case "json":
                head = {"name": tournament.title, "variant": tournament.variant_id}
                played = [transcript.dumps(tagged(tournament, link, game, name_of)) for link, game in games]
                about = values.as_values(state, tournament.events, call)
                return json.dumps(head | about | {"games": list(map(json.loads, played))}, indent=2)
            case "pdn":
                return as_pdn(tournament, games, name_of)
            case _:
                return write(values.report(state, tournament.title, call), ReportVersion(form))


def as_pdn(
    tournament: StoredTournament, games: Sequence[tuple[TournamentGame, Transcript]], name_of: Callable[[int], str]
) -> str:
    """The games that count as PDN, with event, round, board and names; those of which no move was made, as where
    somebody has left, too: results add up to the standings. Raises Refused where none is a game of draughts."""
    if variants.load(tournament.ruleset).family != "draughts":
        raise Refused(_("PDN is for draughts. Use `json` for these games."))
    counted = {link.game_id for link in counting(tournament.games) if open_game_of(link).key in tournament.results}
    shown = [(link, game) for link, game in games if link.game_id in counted]
    begun = {open_game_of(link).key for link, _game in shown}
    missing = [game for key, (game, _marks) in tournament.results.items() if key not in begun]
    shown += [(link_of(game, 0, tournament.id), _unplayed(tournament, game)) for game in missing]
    if not shown:
        raise Refused(_("No game of this tournament is over yet."))
    return pdn_writer.write([tagged(tournament, link, game, name_of) for link, game in shown])


def _unplayed(tournament: StoredTournament, game: OpenGame) -> Transcript:
    """A game that has a result and was never begun: as one that was called off at once."""
    people = tuple(max(tournament.sits_at(game, number), 0) or None for number in game.seats)
    return Transcript(
        variant_id=tournament.ruleset.id,
        options=tournament.options,
        rules=transcript.text_of(tournament.ruleset),
        start=None,
        steps=(Step("abort", 0),),
        over=True,
        players=people,
        clock=tournament.clock,
    )


def tagged(
    tournament: StoredTournament, link: TournamentGame, game: Transcript, name_of: Callable[[int], str]
) -> Transcript:
    """A game with the tags of its event. In an elimination the round is the match, with the game's number in it; a
    table has its number and its players by seat. Where a director has written down another result than the one that the
    turns bear out, it is the ``Ruling``."""
    part = open_game_of(link)

    def call(number: int) -> str:
        return _name(number, tournament.sits_at(part, number), name_of)

    tags = {"Event": tournament.title} | tournament.format.tags(tournament.state, part, call)
    if (opening := tournament.format.opening_of(tournament.state, part)) is not None:
        tags["Opening"] = str(opening)
    if (ruled := _counted(tournament, part)) is not None and ruled != _played(game):
        tags["Ruling"] = ruled
    return replace(game, tags={**game.tags, **tags})


def _counted(tournament: StoredTournament, game: OpenGame) -> str | None:
    """What a game of two counts as in its event, by its seats; None: it counts no more."""
    if game.key not in tournament.results:
        return None
    known, marks = tournament.results[game.key]
    shown = ["1/2" if mark in DRAWN else "1" if mark in (*WON, Mark.FORFEIT_WIN) else "0" for mark in marks]
    return "-".join(shown if known.seats == game.seats else shown[::-1])


def _played(game: Transcript) -> str:
    if game.reason is None:
        return "*"
    return "1/2-1/2" if game.winner is None else "1-0" if game.winner == 0 else "0-1"
