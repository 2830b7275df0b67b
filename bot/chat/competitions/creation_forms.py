"""Leagues and team matches as they are announced: where what was typed is refused nothing of it is lost, as with
tournaments (bot.chat.tournaments.kept_forms)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from bot.chat.components import Press, sent_in
from bot.chat.responses import open_form, reply_privately
from bot.chat.services import Services
from bot.chat.tournaments.kept_forms import Field, KeptForm, change, form, forms, kept_in, refuse, values_of
from bot.chat.tournaments.manage.setting_fields import FIELDS, translated
from bot.games.model.errors import Refused
from bot.i18n import N_, _

_REST: Final = "rest"
_FIELDS: Final[Mapping[str, Field]] = {
    **FIELDS,
    "boards": Field("boards", N_("Boards"), N_("How many play on each side")),
    "server": Field("server", N_("The other server's id"), N_("Optional: then nobody else can accept")),
    "division_size": Field("division_size", N_("Players in a division"), N_("Empty: 8")),
    "promoted": Field("promoted", N_("How many go up"), N_("Empty: 2, fewer in a small division")),
    "relegated": Field("relegated", N_("How many go down"), N_("Empty: as many as go up")),
    "season_days": Field("season_days", N_("Days in a season, at most"), N_("Empty: 60")),
    "break_days": Field("break_days", N_("Days between two seasons"), N_("Empty: 3")),
}

Announce = Callable[[Press, Mapping[str, str]], Awaitable[str]]
"""Announces what was typed, and says so. Raises Refused."""


class CreationForm:
    """The form of a command that announces something: what is asked for in each of its two parts, of five boxes at
    most. ``check`` refuses who may not announce any, whatever they type."""

    def __init__(
        self, act: str, first: Sequence[str], rest: Sequence[str], check: Callable[[Press], None], announce: Announce
    ) -> None:
        self._act = act
        self._parts = {"": tuple(first), _REST: tuple(rest)}
        self._check = check
        self._announce = announce
        change.on(act, arg=f"(?:{_REST})?")(self._change)
        forms.on(act, arg=f"(?:{_REST})?")(self._sent)

    async def begin(self, interaction: Press, options: Mapping[str, Any]) -> None:
        """Do what the command says; ``options`` as they were given to it."""
        words = {True: "yes", False: "no"}
        given = {name: value for name, value in options.items() if name != "interaction" and value is not None}
        typed = {name: words[value] if isinstance(value, bool) else str(value) for name, value in given.items()}
        await self._done(interaction, typed)

    async def _done(self, interaction: Press, typed: Mapping[str, str]) -> None:
        self._check(interaction)
        try:
            text = await self._announce(interaction, {name: value for name, value in typed.items() if value.strip()})
        except Refused as error:
            labels = {"": _("Change name, game, clock"), _REST: _("Change the rest")}
            buttons = [(KeptForm(self._act, 0, part), label) for part, label in labels.items()]
            await refuse(interaction, error, typed, self._fields(), buttons)
            return
        await reply_privately(interaction, text)

    def _fields(self, *parts: str) -> list[Field]:
        """The boxes of these parts, or of both, in the language spoken now."""
        return [translated(_FIELDS[name]) for part in parts or self._parts for name in self._parts[part]]

    async def _change(self, button: KeptForm, interaction: Press, _services: Services) -> None:
        self._check(interaction)
        kept = values_of(kept_in(interaction), self._fields)
        await open_form(interaction, form(button, _("Announce"), self._fields(button.arg), kept))

    async def _sent(self, sent: KeptForm, interaction: Press, _services: Services) -> None:
        """What this part says, and what the message under which it was opened keeps of the other."""
        typed = sent_in(interaction)
        own = {name: typed.get(name, "") for name in self._parts[sent.arg]}
        await self._done(interaction, values_of(kept_in(interaction), self._fields) | own)
