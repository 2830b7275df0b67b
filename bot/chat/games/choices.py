"""What a person may choose from in a command: clocks, colours, numbers of players, house rules, levels."""

from __future__ import annotations

import re
from collections.abc import Mapping

from discord import app_commands

from bot.chat.components import LONGEST_CHOICE, MOST_CHOICES
from bot.chat.games.buttons import COLOURS
from bot.chat.wording.languages import titled
from bot.computer.levels import ratings
from bot.engine import variants
from bot.engine.errors import VariantError, echoed
from bot.engine.variants import OptionSpec, OptionValue, Variant, show
from bot.games.model.clock import CONTROLS, NONE
from bot.games.model.computer_seats import GUEST, LEVELS
from bot.games.model.errors import Refused
from bot.i18n import _, labelled, phrase, pphrase

COLOUR_CHOICES = [
    app_commands.Choice(name=titled(phrase("{sign} {colour}", sign=c.sign, colour=pphrase("colour", c.name))), value=at)
    for at, c in enumerate(COLOURS)
]
PLAYERS_CHOICES = [app_commands.Choice(name=str(count), value=count) for count in (2, 3, 4, 6)]
CLOCK_CHOICES = [app_commands.Choice(name="No clock", value=NONE)] + [
    app_commands.Choice(name=titled(phrase("{name}: {clock}", name=control.id, clock=control.text)), value=control.id)
    for control in CONTROLS.values()
]
TIMED_CHOICES = [choice for choice in CLOCK_CHOICES if choice.value != NONE]


def variant_of(variant: Variant, options: Mapping[str, OptionValue]) -> Variant:
    """A game under the rules that were chosen. Raises Refused."""
    try:
        return variants.load(variant.ruleset, options)
    except VariantError as error:
        raise Refused(error.sentence) from error


def options_of(text: str, variant: Variant) -> dict[str, OptionValue]:
    """The options in a text such as ``removal=at_end quiet_moves=40``. Raises Refused with what there is."""
    options: dict[str, OptionValue] = {}
    # "quiet_moves = 40" and commas or semicolons between are as clear as the plain form.
    for word in re.sub(r"[,;]", " ", re.sub(r"\s*[=:]\s*", "=", text)).split():
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            specs = variant.option_specs
            there_is = "; ".join(f"`{spec.name}` = {spec.allowed}" for spec in specs.values()) or _("none")
            template = _("`{word}` is not a rule. Write rules like `name=value`. This game has: {rules}.")
            raise Refused(template.format(word=echoed(word), rules=there_is))
        if name.casefold() in options:
            raise Refused(_("`{name}` is there twice. Choose one value for it.").format(name=echoed(name)))
        options[name.casefold()] = value.casefold()
    return options


def suggest_options(variant: Variant | None, typed: str) -> list[str]:
    """Whole texts for the option `rules` that go on from what is typed."""
    specs = {} if variant is None else variant.option_specs
    words = re.sub(r"[,;]", " ", typed.casefold()).split()
    last = words.pop() if words and not typed.endswith((" ", ",", ";")) else ""
    taken = {word.partition("=")[0] for word in words}
    pairs = [
        f"{name}={show(value)}" for name, spec in specs.items() if name not in taken for value in _others_first(spec)
    ]
    fitting = [pair for pair in pairs if pair.startswith(last)] or [pair for pair in pairs if last in pair]
    texts = [" ".join([*words, pair]) for pair in fitting]
    return [text for text in texts if len(text) <= LONGEST_CHOICE][:MOST_CHOICES]


def _others_first(spec: OptionSpec) -> list[OptionValue]:
    """An option's values with the default, which need not be said, last."""
    return [*(value for value in spec.values if value != spec.default), spec.default]


def level_names(variant: Variant | None, *, guest: bool = False) -> dict[int, str]:
    """Each level for a list to choose from, with its rating where it was measured in this game; ``guest``: an engine of
    somebody else's plays, too."""
    told = {level: str(level) for level in LEVELS}
    told[LEVELS[0]] = _("{level}: easy to beat").format(level=LEVELS[0])
    told[LEVELS[-1]] = _("{level}: its best").format(level=LEVELS[-1])
    if rated := () if variant is None else ratings(variant):
        names = {level: _("{level}: about {rating}") for level in LEVELS}
        names[LEVELS[0]] = _("{level}: about {rating}, easy to beat")
        names[LEVELS[-1]] = _("{level}: about {rating}, its best")
        told = {
            level: name.format(level=level, rating=rating)
            for (level, name), rating in zip(names.items(), rated, strict=True)
        }
    if guest:
        told[GUEST] = labelled(f"{GUEST}", _("Guest engine"))
    return told
