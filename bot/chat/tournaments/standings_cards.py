"""The standings of a tournament as a card: in pictures, in words, or both."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.components import ActionButton
from bot.chat.posting.cards import ButtonRow, Card, Gallery, Part, Section
from bot.chat.posting.picture_files import Picture
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.scenes import brackets, heading, match_words
from bot.chat.tournaments.texts import letters_text, standings_lines
from bot.engine import variants
from bot.presentation.board_scene import accent
from bot.tournaments.persistence.stored_tournament import StoredTournament


def beginning(tournament: StoredTournament) -> str:
    """What each such card begins with, however the tournament stands."""
    return f"### {tournament.name}\n"


def text_card(tournament: StoredTournament, buttons: Sequence[Sequence[ActionButton]] = ()) -> Card:
    """All in words, with rows of ``buttons``."""
    return _card(tournament, [_heading(tournament), _words(tournament)], buttons)


def picture_card(
    tournament: StoredTournament, drawn: Sequence[Picture], as_text: ActionButton, *, words: bool = False
) -> Card:
    """What is ``drawn``, with a button to the same in words; ``words``: these stand here as well. Of an elimination the
    matches that are played now are told in any case."""
    below = texts_of(tournament).below(tournament) if tournament.format.has_bracket else []
    told = _words(tournament) if words else "\n".join(below)
    return _card(tournament, [Section(_heading(tournament), as_text), Gallery(drawn), told])


def _card(tournament: StoredTournament, parts: Sequence[Part], buttons: Sequence[Sequence[ActionButton]] = ()) -> Card:
    rows = [ButtonRow(row) for row in buttons if row]
    colour = accent(variants.load(tournament.ruleset, tournament.options))
    return Card([*parts, letters_text(tournament), *rows], colour)


def _heading(tournament: StoredTournament) -> str:
    return f"{beginning(tournament)}{heading(tournament)}"


def _words(tournament: StoredTournament) -> str:
    """The table; of an elimination also who has won which match, which its pictures tell, the last rounds first."""
    calls = {number: tournament.call(number) for number in tournament.state.by_number}
    won = [line for bracket in brackets(tournament, calls) for line in match_words(bracket, live=False)]
    return "\n".join([*standings_lines(tournament), *dict.fromkeys(reversed(won))])
