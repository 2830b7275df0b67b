"""Forms of tournaments, which lose nothing: where what was sent in is refused, it stands in the answer, and *Change*
opens the form again with it. Nothing is kept but that message."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import discord

from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, view_of
from bot.chat.features import Handlers
from bot.chat.responses import reply_privately, sentence_of
from bot.chat.tournaments.typed_values import WrongValue
from bot.chat.visibility import ABOUT
from bot.chat.wording.message_text import LONGEST
from bot.games.model.errors import Refused
from bot.i18n import LANGUAGES, _, pgettext, speaking
from bot.support.frozen import frozen

_TITLE = 45
_LABEL = 45
_ABOUT = 100
MOST_TYPED = 4000
_KEPT = r"(?s)```\n(.*)\n```"
_LINE = r"\s*(.+?)\s*[:=]\s*(.*?)\s*"


@frozen
class KeptForm(CustomId):
    """A form that was sent in, and the button that opens it again. ``tournament``: 0 for one that is to be created;
    ``arg``: what is needed besides."""

    prefix = "damero-form"
    act: str
    tournament: int
    arg: str = ""


forms = Handlers(KeptForm)
change = Handlers(KeptForm)


@frozen
class Field:
    """A box of a form; a list where there are ``choices`` (each by its value), or of roles. Texts are translated."""

    name: str
    label: str
    about: str = ""
    choices: Mapping[str, str] | None = None
    roles: bool = False
    long: bool = False

    def shown(self, value: str) -> str:
        """A value in one line: of a list what the choice is called."""
        return (self.choices or {}).get(value) or ", ".join(value.splitlines())


def form(carried: KeptForm, title: str, fields: Sequence[Field], values: Mapping[str, str]) -> discord.ui.Modal:
    """A form with these values in it."""
    modal = discord.ui.Modal(title=title[:_TITLE], custom_id=carried.encode())
    for field in fields:
        about = field.about[:_ABOUT] or None
        component = _component(field, values.get(field.name, ""))
        modal.add_item(discord.ui.Label(text=field.label[:_LABEL], description=about, component=component))
    modal.stop()  # as in bot.chat.components
    return modal


def _component(field: Field, value: str) -> discord.ui.Item[discord.ui.View]:
    if field.roles:
        given = [
            discord.SelectDefaultValue(id=int(role), type=discord.SelectDefaultValueType.role)
            for role in re.findall("[0-9]{1,20}", value)
        ]
        return discord.ui.RoleSelect(
            custom_id=field.name, min_values=0, max_values=5, default_values=given, required=False
        )
    if field.choices is not None:
        options = [
            discord.SelectOption(label=label[:100], value=key, default=key == value)
            for key, label in field.choices.items()
        ]
        return discord.ui.Select(custom_id=field.name, options=options, required=False, min_values=0)
    style = discord.TextStyle.paragraph if field.long else discord.TextStyle.short
    return discord.ui.TextInput(
        custom_id=field.name, style=style, default=value[:MOST_TYPED], max_length=MOST_TYPED, required=False
    )


def lines_of(values: Mapping[str, str], fields: Iterable[Field]) -> str:
    """Values as lines that ``values_of`` reads, each with what its box is called."""
    return "\n".join(f"{field.label}: {field.shown(values[field.name])}" for field in fields if values.get(field.name))


def values_of(text: str, fields: Callable[[], Iterable[Field]]) -> dict[str, str]:
    """The values in the lines of ``lines_of``, whatever language that was in; ``fields`` are made in the language
    spoken when it is called. Lines of other things are passed over."""
    boxes, choices = {}, {}
    for language in LANGUAGES:
        with speaking(language):
            for field in fields():
                boxes[field.label] = boxes[field.name] = field.name
                choices.update({(field.name, called): value for value, called in (field.choices or {}).items()})
    read = [found for line in text.splitlines() if (found := re.fullmatch(_LINE, line)) and found[1] in boxes]
    return {(name := boxes[line[1]]): choices.get((name, line[2]), line[2]) for line in read}


async def refuse(
    interaction: Press,
    error: Refused,
    values: Mapping[str, str],
    fields: Sequence[Field],
    buttons: Sequence[tuple[KeptForm, str]],
) -> None:
    """Say why what was sent in is refused, with all of it, and the buttons that open the form, or one of its parts,
    with it again."""
    if isinstance(error, WrongValue):
        error = next((Refused(error.called(field.label)) for field in fields if field.name == error.setting), error)
    error.told_of(interaction.extras.get(ABOUT, ""))
    sentence, typed = sentence_of(error), lines_of(values, fields).replace("`", "'")
    text = "\n".join([sentence, _("Nothing was changed. You wrote:"), f"```\n{typed}\n```"])
    if len(text) > LONGEST:
        # Too much for a message, and for the form too.
        file = discord.File(io.BytesIO(typed.encode()), "settings.txt")
        await reply_privately(interaction, f"{sentence}\n{_('What you wrote is in the file.')}", file=file)
        return
    styles = (ButtonStyle.primary, *(ButtonStyle.secondary for _button in buttons[1:]))
    shown = [ActionButton.of(carried, label, style) for (carried, label), style in zip(buttons, styles, strict=True)]
    await reply_privately(interaction, text, view=view_of(shown))


def again(carried: KeptForm) -> Sequence[tuple[KeptForm, str]]:
    """The one button under what is refused of a form."""
    return ((carried, pgettext("button", "Change")),)


def kept_in(interaction: Press) -> str:
    """What was sent in, of the message that ``refuse`` has made."""
    message = interaction.message
    found = None if message is None else re.search(_KEPT, message.content)
    return found[1] if found else ""
