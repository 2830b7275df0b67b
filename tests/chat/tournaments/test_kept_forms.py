"""What was refused of a form, as lines that are read again."""

from __future__ import annotations

import itertools

import pytest

from bot.chat.tournaments.kept_forms import lines_of, values_of
from bot.chat.tournaments.manage.setting_fields import FIELDS, fields_of
from bot.i18n import LANGUAGES, speaking


@pytest.mark.parametrize(("wrote", "reads"), [*itertools.product(LANGUAGES, LANGUAGES)])
def test_lines_are_read_in_any_language(wrote: str, reads: str) -> None:
    """Each box of each form by what it is called, its choices too, whatever language is spoken by then."""
    values = {name: [*box.choices][-1] if box.choices else "10: 2 = 8" for name, box in FIELDS.items()}
    with speaking(wrote):
        lines = lines_of(values, fields_of(FIELDS))
    assert len(FIELDS) == len(lines.splitlines())
    with speaking(reads):
        assert values == values_of(f"{lines}\ncolour: red", lambda: fields_of(FIELDS))


def test_boxes_are_read_by_their_names_too() -> None:
    """As older messages kept them."""
    kept = "max_players: 8\nrated: no\nclock: 3d"
    assert {"max_players": "8", "rated": "no", "clock": "3d"} == values_of(kept, lambda: fields_of(FIELDS))
