"""Texts in the reader's language: which one is spoken at the moment, and its catalogue (GNU gettext).

Texts stand in English in the code and are looked up when they are made: ``_("Resign?")``, or with values
``_("{name} has resigned.").format(name=name)``. Whoever knows the reader says so once, ``with speaking("es"):``, and
all that is called in there answers in that language. The catalogues are ``data/locales/LANGUAGE.po``.

A game may have words of its own for its pieces: within ``with in_words_of(VOCABULARY):`` a text is looked up with
``msgctxt "VOCABULARY"`` first (or ``"VOCABULARY:CONTEXT"``), and as always where the catalogue has none such.

What is made before it is known who reads it (why a game ended, a note that waits to be posted) is a ``Phrase``.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, time
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import Any, Final

ENGLISH: Final = "en"

LANGUAGES: Final = {ENGLISH: "English", "es": "Español", "fil": "Filipino", "hy": "Հայերեն"}
"""What is spoken, each by its own name."""

_SAME: Final = {"tl": "fil"}
"""Codes under which a language of LANGUAGES goes too: Filipino is standard Tagalog."""

STOPS: Final = {"hy": ("։", "՝")}
"""What ends a sentence, and a label before what it tells, where it is not "." and ":"."""

_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)
_vocabulary: ContextVar[str] = ContextVar("vocabulary", default="")


def _(text: str) -> str:
    """``text`` in the language spoken now; in English where the catalogue has no words for it."""
    found, own = catalogue(_spoken.get()), _vocabulary.get()
    translated = found.pgettext(own, text) if own else text
    return found.gettext(text) if translated == text else translated


def ngettext(one: str, many: str, count: int) -> str:
    """The form that ``count`` takes, in the language spoken now."""
    found, own = catalogue(_spoken.get()), _vocabulary.get()
    translated = found.npgettext(own, one, many, count) if own else one
    return found.ngettext(one, many, count) if translated in (one, many) else translated


def pgettext(context: str, text: str) -> str:
    """``text``, which means different things elsewhere, as it is said in ``context``."""
    found, own = catalogue(_spoken.get()), _vocabulary.get()
    translated = found.pgettext(f"{own}:{context}", text) if own else text
    return found.pgettext(context, text) if translated == text else translated


def N_(text: str) -> str:  # noqa: N802 - gettext's own name
    """Marks a text that is kept now and looked up when it is shown, with ``_``."""
    return text


def NP_(context: str, text: str) -> str:  # noqa: N802 - as above
    """Marks a text that is looked up when it is shown, with ``pgettext`` or as a ``pphrase``."""
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


@contextmanager
def in_words_of(vocabulary: str) -> Iterator[None]:
    """Within, texts are in the words of the games with this ``vocabulary`` ("": none of its own)."""
    token = _vocabulary.set(vocabulary)
    try:
        yield
    finally:
        _vocabulary.reset(token)


def known(locale: str | None) -> str | None:
    """The language of LANGUAGES that ``locale`` is a form of; None where there is none."""
    language = (locale or "").replace("_", "-").partition("-")[0].casefold()
    language = _SAME.get(language, language)
    return language if language in LANGUAGES else None


def speak(language: str | None) -> None:
    """As ``speaking``, for the rest of the task that calls it."""
    _spoken.set(known(language) or ENGLISH)


class Phrase(str):
    """A text that is made before it is known who reads it.

    As a string it is the English text: that is what is compared, and stored where a string is. In a format or an
    f-string, and by ``said``, it is in the language spoken then. Fields may be phrases too, or tuples, which are
    listed with commas."""

    _source: tuple[str, dict[str, Any], str, int, str]

    def __new__(
        cls, text: str, fields: Mapping[str, Any] | None = None, many: str = "", count: int = 0, context: str = ""
    ) -> Phrase:
        """``text`` is the message that is looked up; with ``many`` the form for ``count`` is; ``context`` as in
        ``pgettext``."""
        given = dict(fields or {})
        form = many if many and count != 1 else text
        if given:
            form = form.format(**{name: _listed(value, str) for name, value in given.items()})
        made = super().__new__(cls, form)
        made._source = (text, given, many, count, context)
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self._source

    def __format__(self, spec: str) -> str:
        return format(self.said(), spec)

    def said(self) -> str:
        """The text in the language spoken now."""
        text, fields, many, count, context = self._source
        form = ngettext(text, many, count) if many else pgettext(context, text) if context else _(text)
        return form.format(**{name: _listed(value, said) for name, value in fields.items()}) if fields else form

    def kept(self) -> dict[str, Any]:
        """What JSON can keep of it, for ``revived``."""
        text, fields, many, count, context = self._source
        made: dict[str, Any] = {"says": text, "fields": {name: kept(value) for name, value in fields.items()}}
        if many:
            made |= {"many": many, "count": count}
        return made | {"context": context} if context else made


def _listed(value: Any, spell: Any) -> Any:
    if isinstance(value, tuple):
        return ", ".join(spell(one) for one in value)
    return spell(value) if isinstance(value, Phrase) else value


def phrase(text: str, /, **fields: Any) -> Phrase:
    """A text that is looked up when it is shown."""
    return Phrase(text, fields)


def nphrase(one: str, many: str, count: int, /, **fields: Any) -> Phrase:
    """The same with two forms, by ``count``."""
    return Phrase(one, fields, many, count)


def pphrase(context: str, text: str, /) -> Phrase:
    """The same, of a text that means different things elsewhere."""
    return Phrase(text, context=context)


def said(text: str) -> str:
    """A text in the language spoken now: a phrase, or a message that the catalogue knows; else as it is."""
    if isinstance(text, Phrase):
        return text.said()
    return _(text) if text else ""


def recognised(text: str, *templates: str, field: Callable[[str, str], str] = lambda name, value: value) -> str:
    """The phrase of one of ``templates`` that was kept as this English text, else the text itself. ``field`` makes
    phrases of the values, by name, that are some."""
    for template in templates:
        match = _pattern(template).fullmatch(text)
        if match is not None:
            return Phrase(template, {name: field(name, value) for name, value in match.groupdict().items()})
    return text


@lru_cache(maxsize=64)
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template)))


def kept(value: Any) -> Any:
    """``value`` with its phrases as JSON can keep them."""
    if isinstance(value, Phrase):
        return value.kept()
    if isinstance(value, Mapping):
        return {name: kept(one) for name, one in value.items()}
    return [kept(one) for one in value] if isinstance(value, list | tuple) else value


def revived(value: Any) -> Any:
    """What ``kept`` was given, with lists for tuples but in phrases."""
    if isinstance(value, Mapping):
        if "says" in value:
            fields = {name: tuple(one) if isinstance(one, list) else one for name, one in _each(value["fields"])}
            return Phrase(value["says"], fields, value.get("many", ""), value.get("count", 0), value.get("context", ""))
        return dict(_each(value))
    return [revived(one) for one in value] if isinstance(value, list) else value


def _each(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, revived(one)) for name, one in values.items())


def listed_and(words: Sequence[str]) -> str:
    """Words as a list of all of them: "a, b and c"."""
    return _listed_with(words, _("{words} and {last}"))


def listed_or(words: Sequence[str]) -> str:
    """Words as a choice: "a, b or c"."""
    return _listed_with(words, _("{words} or {last}"))


def _listed_with(words: Sequence[str], form: str) -> str:
    texts = [f"{word}" for word in words]
    return form.format(words=", ".join(texts[:-1]), last=texts[-1]) if len(texts) > 1 else "".join(texts)


def full_stop() -> str:
    """What ends a sentence in the language spoken now."""
    return STOPS.get(_spoken.get(), (".", ":"))[0]


def closed(text: str) -> str:
    """``text`` with a full stop, unless it ends like a sentence already."""
    return text if text.endswith((".", "!", "?", full_stop())) else f"{text}{full_stop()}"


def sentence(part: str) -> str:
    """A part of a sentence, such as a notice or a reason, as one of its own. Squares and files keep their small
    letters."""
    text = closed(said(part))
    first = text.partition(" ")[0].rstrip(":")
    return text if text[1:2].isdigit() or "." in first.rstrip(".") else text[:1].upper() + text[1:]


def labelled(label: str, text: str = "") -> str:
    """What ``text``, or what follows on the next lines, tells of ``label``: "White: king g7"."""
    return f"{label}{STOPS.get(_spoken.get(), ('.', ':'))[1]} {text}".rstrip()


def day(at: int | date) -> str:
    """A day, or that of a moment (UTC ms), as it is written in the language spoken now: "Nov 21, 2026"."""
    from babel.dates import format_date

    on = datetime.fromtimestamp(at / 1000, UTC).date() if isinstance(at, int) else at
    return format_date(on, "medium", locale=_spoken.get())


def clock(at: time) -> str:
    """A time of the day as it is written in the language spoken now: "8:00 PM", "20:00"."""
    from babel.dates import format_time

    return _spaced(format_time(at, "short", locale=_spoken.get()))


def decimal(value: float, places: int = 3) -> str:
    """A number with at most so many ``places``, as it is written in the language spoken now: "2.5", "2,5"."""
    from babel.numbers import format_decimal

    return _spaced(format_decimal(round(value, places), format=f"#,##0.{'#' * places}", locale=_spoken.get()))


def percent(value: float) -> str:
    """A share of 1 as whole percents, as it is written in the language spoken now: "53%", "53 %"."""
    from babel.numbers import format_percent

    return _spaced(format_percent(value, locale=_spoken.get()))


def _spaced(text: str) -> str:
    # People type an ordinary space, and fonts have it.
    return text.replace("\u202f", " ").replace("\xa0", " ")


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> NullTranslations:
    """The texts of one of LANGUAGES, read once."""
    if language == ENGLISH:
        return NullTranslations()
    return GNUTranslations(BytesIO(compiled(catalogue_text(language))))


def catalogue_text(language: str) -> str:
    """The texts of one of LANGUAGES but English, as ``make texts`` writes them."""
    return files("data").joinpath("locales", f"{language}.po").read_text("utf-8")


def compiled(source: str) -> bytes:
    """A catalogue as ``make texts`` writes it, in gettext's compiled form. Babel, which reads any, takes five times as
    long, in which nobody is answered."""
    texts = dict(sorted(_translated(source)))
    ids, translations = (b"".join(text + b"\0" for text in side) for side in (texts, texts.values()))
    table: list[int] = []
    at = first = 7 * 4 + 2 * 8 * len(texts)
    for text in (*texts, *texts.values()):
        table += len(text), at
        at += len(text) + 1
    header = 0x950412DE, 0, len(texts), 7 * 4, 7 * 4 + 8 * len(texts), 0, first
    return struct.pack(f"<{7 + len(table)}I", *header, *table) + ids + translations


def _translated(source: str) -> Iterator[tuple[bytes, bytes]]:
    """The messages of a catalogue and what they are translated as, with context and forms as gettext joins them."""
    for entry in source.split("\n\n"):
        parts: dict[str, str] = {}
        name = ""
        for line in entry.splitlines():
            if not line.startswith("#"):
                keyword, _quote, text = line.removesuffix('"').partition('"')
                name = keyword.rstrip() or name
                parts[name] = parts.get(name, "") + text
        forms = [text for name, text in parts.items() if name.startswith("msgstr")]
        if forms and all(forms):
            context = f"{parts['msgctxt']}\x04" if "msgctxt" in parts else ""
            many = f"\0{parts['msgid_plural']}" if "msgid_plural" in parts else ""
            yield _unescaped(f"{context}{parts['msgid']}{many}"), _unescaped("\0".join(forms))


def _unescaped(text: str) -> bytes:
    if "\\" in text:
        text = re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[1]), text)
    return text.encode()


_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r"}
