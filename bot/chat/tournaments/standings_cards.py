"""The standings of a tournament as a card: in pictures, in words, or both; and rounds that need the room of one."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.components import ActionButton
from bot.chat.posting.cards import LONGEST, ButtonRow, Card, Gallery, Part, Section
from bot.chat.posting.picture_files import Picture
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.scenes import Shown, picture_heading
from bot.chat.tournaments.texts import (
    card_heading,
    cross_legend,
    letters_text,
    own_place,
    podium,
    round_text,
    standings_lines,
    standings_pages,
)
from bot.engine import variants
from bot.i18n import _
from bot.presentation.board_scene import accent
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament


def beginning(tournament: StoredTournament) -> str:
    """What each such card begins with, however the tournament stands."""
    return f"### {tournament.name}\n"


def text_card(tournament: StoredTournament, buttons: Sequence[Sequence[ActionButton]] = ()) -> Card:
    """All in words, with rows of ``buttons``."""
    return _card(tournament, [_heading(tournament), "\n".join(standings_lines(tournament))], buttons)


def page_card(tournament: StoredTournament, person: int, page: int, leaves: Sequence[ActionButton]) -> Card:
    """One page of all in words, counted from 0, for one person, whose own place comes first where there are several;
    ``leaves``: to the others."""
    lines = standings_lines(tournament, page)
    heading = _heading(tournament)
    if leaves:
        template = _("{list} (page {page} of {pages})")
        heading = template.format(list=heading, page=page + 1, pages=standings_pages(tournament))
        lines = [own_place(tournament, person), *lines]
    return _card(tournament, [heading, "\n".join(filter(None, lines))], [leaves])


def picture_card(
    tournament: StoredTournament,
    drawn: Sequence[Picture],
    as_text: ActionButton,
    *,
    shown: Shown | None = None,
    words: bool = False,
    person: int | None = None,
) -> Card:
    """What is ``drawn``, of an elimination the bracket, else the standings, or what is ``shown``, with a button to the
    same in words; ``words``: these stand here as well, and if that is all of them, without the button. Of an
    elimination the matches that are played now are told in any case. ``person``: whom alone it is shown, with their own
    place where there are several pages."""
    shown = shown or ("bracket" if tournament.format.has_bracket else "standings")
    told = standings_lines(tournament) if words else texts_of(tournament).playing(tournament)
    if words and shown == "bracket" and tournament.state.phase is Phase.OVER:
        told.insert(0, f"**{picture_heading(tournament, 'standings')}**")
    heading = f"{beginning(tournament)}{picture_heading(tournament, shown)}"
    if person is not None and standings_pages(tournament) > 1:
        heading = f"{heading}\n{own_place(tournament, person)}".rstrip()
    # The same in words is no more than what stands here, unless that has pages.
    is_whole = words and standings_pages(tournament) == 1
    parts: list[Part] = [
        heading if is_whole else Section(heading, as_text),
        Gallery(drawn, told=words),
        "\n".join(told),
    ]
    legend = f"-# {cross_legend(tournament)}" if shown == "crosstable" else letters_text(tournament)
    return Card([*parts, legend], _accent(tournament))


def podium_card(
    tournament: StoredTournament, drawn: Sequence[Picture], buttons: Sequence[Sequence[ActionButton]]
) -> Card:
    """The first three, with their picture once they are, and rows of ``buttons`` until then."""
    rows = [ButtonRow(row) for row in buttons]
    return Card([podium(tournament), *([Gallery(drawn, told=True)] if drawn else []), *rows], _accent(tournament))


def round_card(tournament: StoredTournament, number: int, buttons: Sequence[Sequence[ActionButton]]) -> Card:
    """A round of so many games that an ordinary message has no room for links to all of them."""
    text = round_text(tournament, number, LONGEST)
    return Card([text, *(ButtonRow(row) for row in buttons)], _accent(tournament))


def _accent(tournament: StoredTournament) -> int:
    return accent(variants.load(tournament.ruleset, tournament.options))


def _card(tournament: StoredTournament, parts: Sequence[Part], buttons: Sequence[Sequence[ActionButton]] = ()) -> Card:
    rows = [ButtonRow(row) for row in buttons if row]
    return Card([*parts, letters_text(tournament), *rows], _accent(tournament))


def _heading(tournament: StoredTournament) -> str:
    return f"{beginning(tournament)}{card_heading(tournament)}"
