"""Texts in the reader's language: which one is spoken at the moment, and its catalogue (GNU gettext).

Texts stand in English in the code and are looked up when they are made: ``_("Resign?")``, or with values
``_("{name} has resigned.").format(name=name)``. Whoever knows the reader says so once, ``with speaking("es"):``, and
all that is called in there answers in that language. The catalogues are ``data/locales/LANGUAGE.po``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ENGLISH: Final = "en"

LANGUAGES: Final = {ENGLISH: "English", "es": "Español"}
"""What is spoken, each by its own name."""

_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


def _(text: str) -> str:
    """``text`` in the language spoken now; in English where the catalogue has no words for it."""
    return catalogue(_spoken.get()).gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """The form that ``count`` takes, in the language spoken now."""
    return catalogue(_spoken.get()).ngettext(one, many, count)


def pgettext(context: str, text: str) -> str:
    """``text``, which means different things elsewhere, as it is said in ``context``."""
    return catalogue(_spoken.get()).pgettext(context, text)


def N_(text: str) -> str:  # noqa: N802 - gettext's own name
    """Marks a text that is kept now and looked up when it is shown, with ``_``."""
    return text


def spoken() -> str:
    """The language spoken now, one of LANGUAGES."""
    return _spoken.get()


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Within, texts are in ``language``: one of LANGUAGES or a locale of Discord's ("es-419"); else in English."""
    token = _spoken.set(known(language) or ENGLISH)
    try:
        yield
    finally:
        _spoken.reset(token)


def known(locale: str | None) -> str | None:
    """The language of LANGUAGES that ``locale`` is a form of; None where there is none."""
    language = (locale or "").replace("_", "-").partition("-")[0].casefold()
    return language if language in LANGUAGES else None


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> NullTranslations:
    """The texts of one of LANGUAGES, read once."""
    if language == ENGLISH:
        return NullTranslations()
    compiled = BytesIO()
    with files("data").joinpath("locales", f"{language}.po").open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)
