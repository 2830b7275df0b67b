"""What a tournament, a league and a team match have in common beside their events, and what they are made from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypedDict, cast

from bot.engine.errors import VariantError
from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.games.persistence import kept_rules
from bot.i18n import N_, _
from bot.support.frozen import frozen
from data.queries.event_lists import OwnerRow
from data.store import Transaction

SYSTEM = 0
"""By whom an event is that the service adds by itself."""


CANCELLED: Final = "cancelled"
"""In lists the status of what is over because it was cancelled."""


class Columns(TypedDict):
    """What the row of each of them says of it."""

    id: int
    guild_id: int | None
    channel_id: int
    name: str
    variant_id: str
    rules_hash: str | None
    options: Mapping[str, OptionValue]
    clock: str
    rated: bool
    directors: Sequence[int]
    status: str


def title_of(name: str) -> str:
    """A stored name as it was given."""
    return re.sub(r"\\(.)", r"\1", name)


@frozen(kw_only=True, slots=False)
class Stored:
    """What is kept of each of them, in columns of the same names. ``rules_hash``: the text of its rules."""

    only_directors: ClassVar = N_("Only a director can do that.")

    id: int
    guild_id: int | None
    channel_id: int
    name: str
    variant_id: str
    rules_hash: str | None
    options: Mapping[str, OptionValue]
    clock: str
    rated: bool
    directors: Sequence[int]
    status: str

    @property
    def is_over(self) -> bool:
        """Whether nothing is played in it any more."""
        return self.status in ("over", CANCELLED)

    @property
    def place(self) -> Place:
        return Place(self.guild_id, self.channel_id)

    @property
    def title(self) -> str:
        """The name as it was given, for files, pictures and lists: in messages its signs are escaped."""
        return title_of(self.name)

    def is_director(self, person: int) -> bool:
        """Whether a person directs it; the service itself may do what a director may."""
        return person in self.directors or person == SYSTEM

    def with_director(self, person: int) -> list[int]:
        """Who directs it with one more. Raises Refused for who does already."""
        if person in self.directors:
            raise Refused(_("That person is already a director."), event=self.name)
        return [*self.directors, person]

    def without_director(self, person: int) -> list[int]:
        """Who directs it with one less, of whom one stays. Raises Refused."""
        staying = [each for each in self.directors if each != person]
        if len(staying) == len(self.directors):
            raise Refused(_("That person is not a director."), event=self.name)
        if not staying:
            raise Refused(_("There has to be a director. Add another one first."), event=self.name)
        return staying

    def check_directed(self, person: int) -> None:
        """Raises Refused unless a person directs it."""
        if not self.is_director(person):
            raise Refused(_(self.only_directors), event=self.name)


@frozen(kw_only=True)
class NewCompetition:
    """What a tournament, a league or a team match is to be. ``ruleset``: the rules that it is announced with, and keeps
    whatever becomes of the variant."""

    director: int
    name: str
    ruleset: Ruleset
    options: Mapping[str, OptionValue]
    clock: str
    rated: bool
    place: Place

    def columns(self, status: str) -> Columns:
        """What the row that is to be added says of it; the store gives its id."""
        return {
            "id": 0,
            "guild_id": self.place.guild_id,
            "channel_id": self.place.channel_id,
            "name": self.name,
            "variant_id": self.ruleset.id,
            "rules_hash": self.ruleset.hash,
            "options": dict(self.options),
            "clock": self.clock,
            "rated": self.rated,
            "directors": [self.director],
            "status": status,
        }


async def ruleset_of(tx: Transaction, row: OwnerRow) -> Ruleset:
    """The rules that a row was announced with. Raises Refused where they are not known any more."""
    try:
        ruleset = await kept_rules.find(tx, row.variant_id, row.rules_hash)
        if ruleset.server is not None:
            await kept_rules.read(ruleset)
        return ruleset
    except VariantError as error:
        template = _("The rules of {name} are no longer known here ({why}). Ask the person who runs this bot.")
        raise Refused(template.format(name=row.name, why=error.message)) from error


def shared(kept: Stored | OwnerRow) -> Columns:
    """What all of them have, by column."""
    return cast(Columns, {name: getattr(kept, name) for name in Columns.__annotations__})
