"""What directors type into options and forms, read: numbers, yes and no, moments."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.chat.services import Services
from bot.chat.wording.dates import moment_of
from bot.games.model.errors import Refused
from bot.i18n import _, clock, day
from bot.support.time_units import SECOND

_NOTHING = ("", "-", "off", "none", "no")
_YES = ("yes", "true", "on", "1")
_NO = ("no", "false", "off", "0")


class WrongValue(Refused):
    """What was typed for a ``setting`` is none of its values. ``template`` says what to write, after the setting's
    {name}: the option's, unless it is ``called`` otherwise where it was typed."""

    def __init__(self, setting: str, template: str) -> None:
        super().__init__(template.format(name=f"`{setting}`"))
        self.setting = setting
        self._template = template

    def called(self, label: str) -> str:
        """The sentence with the setting as a form calls it."""
        return self._template.format(name=f"*{label}*")


def number(name: str, text: str, least: int, most: int) -> int | None:
    """A whole number within limits; None where there is none. Raises Refused."""
    typed = text.strip().casefold()
    if _is_nothing(typed):
        return None
    if not typed.isdecimal() or len(typed) > 9 or not least <= int(typed) <= most:
        template = _("{name}: write a whole number from {least} to {most}, not `{text}`.")
        raise WrongValue(name, template.format(name="{name}", least=least, most=most, text=_shown(text)))
    return int(typed)


def yes(name: str, text: str) -> bool:
    """Yes or no. Raises Refused."""
    typed = text.strip().casefold()
    agreed, refused = ({*words, text.casefold()} for words, text in ((_YES, _("yes")), (_NO, _("no"))))
    if typed not in agreed | refused:
        template = _("{name}: write `yes` or `no`, not `{text}`.")
        raise WrongValue(name, template.format(name="{name}", text=_shown(text)))
    return typed in agreed


def one_of(name: str, text: str, words: tuple[str, ...]) -> str:
    """One of some words. Raises Refused."""
    typed = " ".join(text.casefold().split())
    if typed not in words:
        template = _("{name}: write one of {words}, not `{text}`.")
        listed = ", ".join(f"`{word}`" for word in words)
        raise WrongValue(name, template.format(name="{name}", words=listed, text=_shown(text)))
    return typed


async def when(services: Services, person: int, text: str) -> int:
    """What a person has typed as a moment, in the person's own zone (UTC ms); 0: none. Raises Refused."""
    if _is_nothing(text):
        return 0
    preferences = await services.games.preferences.load(person)
    return moment_of(text, services.tournaments.now, preferences.zone)


async def as_typed(services: Services, person: int, at: int) -> str:
    """A moment (UTC ms, 0: none) as the person would type it."""
    if not at:
        return ""
    preferences = await services.games.preferences.load(person)
    local = datetime.fromtimestamp(at / SECOND, ZoneInfo(preferences.zone))
    return f"{day(local.date())} {clock(local.time())}"


def _is_nothing(text: str) -> bool:
    return text.strip().casefold() in (*_NOTHING, _("none").casefold(), _("no").casefold())


def _shown(text: str) -> str:
    return text.translate({ord("`"): "'", ord("{"): "(", ord("}"): ")"})[:40]
