"""What can be wrong with what a person typed: the errors of the engine, each with a sentence for people."""

from __future__ import annotations

from collections.abc import Collection

from bot.engine.turns import Turn
from bot.i18n import N_, _, sentence


class EngineError(Exception):
    """Base of all refusals; ``message`` is a sentence for people."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def sentence(self) -> str:
        """The message as a sentence of its own."""
        return sentence(self.message)


class VariantError(EngineError):
    """A variant, an option or a variant file that does not hold."""


def echoed(typed: str) -> str:
    """What somebody typed, as a refusal repeats it: whatever its length, it leaves room for what is to be said, and
    whatever it says, it is neither a link, nor a mention, nor the end of what is quoted. Signs that mean something to
    Discord are told by others that look like them, as a backslash would be seen where it is quoted."""
    typed = " ".join(typed.split()).translate(_LIKE)
    return typed if len(typed) <= _ECHO else f"{typed[: _ECHO - 1]}…"


_ECHO = 40
# Each has a wide form, as East Asian keyboards write it.
_LIKE = {ord(sign): ord(sign) + 0xFEE0 for sign in "[]<>@`*|~/\\"}
_HUFFING = ("huff", "huffing", "soplar", "soplo")


def no_option(variant: str, name: str, options: Collection[str]) -> VariantError:
    """A variant has no option of that name, but only ``options``; who looks for that of huffing is told where it is."""
    if not options:
        return VariantError(_("{variant} has no options").format(variant=variant))
    template = _("{variant} has no option {name}; its options are: {names}")
    if name.casefold() in _HUFFING and "neglect" in options:
        template += "; " + _("huffing (soplar) is the rule in this game, unless you choose neglect=compulsory")
    elif name.casefold() in _HUFFING:
        template += "; " + _("there is no huffing (soplar) in this game: captures are compulsory")
    return VariantError(template.format(variant=variant, name=repr(echoed(name)), names=", ".join(sorted(options))))


class BadPosition(EngineError):
    """A position string that cannot be read or cannot stand on the board."""


class MoveError(EngineError):
    """Base of the three things that a typed move can be: no move, not legal, more than one."""


class NotAMove(MoveError):
    """The text is not written as a move at all."""


UNREADABLE = N_("I cannot read that as a move.")


class Unreadable(NotAMove):
    """Nothing more precise can be said of it than UNREADABLE, and how moves are written."""


class BadOrder(NotAMove):
    """A huff or an oblige that is not written as one."""


class IllegalMove(MoveError):
    """The text is a move that the rules forbid; the message gives the rule's reason."""


class AmbiguousMove(MoveError):
    """More than one legal move fits the text; ``candidates`` are all that fit, in the order of their notation. With one
    candidate ``message`` asks whether it is meant."""

    def __init__(self, message: str, candidates: tuple[Turn, ...]) -> None:
        super().__init__(message)
        self.candidates = candidates
