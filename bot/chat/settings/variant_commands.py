"""`/server variant`: the variants of a server's own. Its managers send their files in, or write them in a form."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any, Final

import discord
from discord import app_commands

from bot.chat.components import LONGEST_CHOICE, CustomId, Press
from bot.chat.features import Handlers
from bot.chat.games.variant_option import VariantOption
from bot.chat.responses import defer_if_slow, open_form, reply_privately
from bot.chat.services import Services, services_of
from bot.engine.own_variants import LONGEST_ID
from bot.engine.ruleset import MOST_BYTES
from bot.engine.variants import Variant
from bot.games.model.errors import Refused
from bot.games.persistence.server_variant_cache import ServerVariant
from bot.games.use_cases.server_variants import MOST_VARIANTS
from bot.i18n import _, decimal, labelled
from bot.support.frozen import frozen

_BOX: Final = "rules"
_LONGEST_TEXT: Final = 4000
"""What Discord takes in a box of a form."""

ShortName = app_commands.Range[str, 1, LONGEST_ID]

VARIANT_GROUP = app_commands.Group(name="variant", description="Games with this server's own rules")


@frozen
class VariantForm(CustomId):
    """The form in which a variant is written. ``act``: "add" or "edit"; ``arg``: its short name."""

    prefix = "damero-rules"
    act: str
    arg: str = ""


HANDLERS = Handlers(VariantForm)


@VARIANT_GROUP.command(name="add", description="Offer a game with your own rules on this server")
@app_commands.describe(
    name="What it is called in lists and commands, such as house-dama",
    file="Its rules as a file; `show` gives you one to start from",
    like="A game to start from: you change its rules in a form",
)
async def add(
    interaction: Press,
    name: ShortName,
    file: discord.Attachment | None = None,
    like: VariantOption | None = None,
) -> None:
    guild_id = managed(interaction)
    if (file is None) == (like is None):
        raise Refused(_("Send a `file` with the rules, or choose with `like` the game that yours resembles."))
    if like is not None:
        await _open_form(interaction, VariantForm("add", name), _copied(like))
    elif file is not None:
        await _put(interaction, guild_id, VariantForm("add", name), await _text_of(interaction, file))


@VARIANT_GROUP.command(name="edit", description="Change the rules of one of this server's own games, for new games")
@app_commands.describe(name="Which game", file="Its rules as a file (default: a form)")
async def edit(interaction: Press, name: ShortName, file: discord.Attachment | None = None) -> None:
    guild_id = managed(interaction)
    if file is None:
        found = await services_of(interaction).games.variants.find(guild_id, name)
        await _open_form(interaction, VariantForm("edit", name), found.ruleset.text)
    else:
        await _put(interaction, guild_id, VariantForm("edit", name), await _text_of(interaction, file))


@VARIANT_GROUP.command(name="remove", description="Stop offering one of this server's own games")
@app_commands.describe(name="Which game")
async def remove(interaction: Press, name: ShortName) -> None:
    await services_of(interaction).games.variants.remove(managed(interaction), name)
    text = _("{name} is no longer offered here. Games and events that have begun go on.")
    await reply_privately(interaction, text.format(name=f"`{name}`"))


@VARIANT_GROUP.command(name="list", description="This server's own games")
async def list_variants(interaction: Press) -> None:
    own = await services_of(interaction).games.variants.of(managed(interaction))
    if not own:
        raise Refused(_("This server has no games of its own yet. Add one with `/server variant add`."))
    head = _("**This server's own games** ({count} of {most})").format(count=len(own), most=MOST_VARIANTS)
    await reply_privately(interaction, "\n".join([head, *map(_line, own)]))


@VARIANT_GROUP.command(name="show", description="The rules of a game as a file")
@app_commands.describe(variant="The game: one of this server's own, or any other")
async def show(interaction: Press, variant: VariantOption) -> None:
    managed(interaction)
    text = _("The rules of {game}. Change the file, and send it in with `/server variant add` or `edit`.")
    name = variant.id.partition("@")[0]
    await reply_privately(interaction, text.format(game=variant.name), file=_file(name, variant.ruleset.text))


@edit.autocomplete("name")
@remove.autocomplete("name")
async def _names(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    own = await services_of(interaction).games.variants.of(interaction.guild_id)
    typed = current.strip().casefold()
    return [
        app_commands.Choice(name=f"{each.name} · {_title(each)}"[:LONGEST_CHOICE], value=each.name)
        for each in own
        if typed in f"{each.name} {_title(each)}".casefold()
    ]


@HANDLERS.on("add", "edit")
async def _sent_in(form: VariantForm, interaction: Press, _services: Services) -> None:
    await _put(interaction, managed(interaction), form, _typed(interaction))


async def _put(interaction: Press, guild_id: int, form: VariantForm, text: str) -> None:
    """Keep what was sent in. What cannot be kept is given back, so that nothing that somebody wrote is lost."""
    own = services_of(interaction).games.variants
    try:
        put = own.add if form.act == "add" else own.edit
        variant: Variant = await defer_if_slow(interaction, put(guild_id, form.arg, text))
    except Refused as refused:
        await reply_privately(interaction, refused.sentence, file=_file(form.arg, text))
        return
    added = _("**{game}** is offered on this server now: `/play variant:{name}`.")
    edited = _("**{game}**: new games here use these rules. Games that have begun keep theirs.")
    template = added if form.act == "add" else edited
    await reply_privately(interaction, template.format(game=variant.name, name=form.arg))


async def _open_form(interaction: Press, form: VariantForm, text: str) -> None:
    if len(text) > _LONGEST_TEXT:
        refusal = _("These rules are too long for a form. Get the file with `/server variant show`, and send it in.")
        raise Refused(refusal)
    modal = discord.ui.Modal(title=_("Rules"), custom_id=form.encode())
    box: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=_BOX, style=discord.TextStyle.paragraph, default=text, min_length=1, max_length=_LONGEST_TEXT
    )
    about = _("Give it a name of its own, and change the rules that differ.")
    modal.add_item(discord.ui.Label(text=_("The file"), description=about, component=box))
    # As all forms of the bot: what is sent in arrives by its custom id.
    modal.stop()
    await open_form(interaction, modal)


def managed(interaction: Press) -> int:
    """The server, if whoever asks may manage it. Raises Refused."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Refused(_("Only people who can manage this server can change that."))
    return interaction.guild_id


def _typed(interaction: Press) -> str:
    """What was written into the form that was sent in."""
    sent: dict[str, Any] = {**(interaction.data or {})}
    waiting: list[dict[str, Any]] = [*sent.get("components", [])]
    while waiting:
        component = waiting.pop()
        if component.get("custom_id") == _BOX:
            return str(component.get("value", ""))
        waiting += [*component.get("components", []), *([component["component"]] if "component" in component else [])]
    return ""


async def _text_of(interaction: Press, file: discord.Attachment) -> str:
    """The text of a file that was sent in. Raises Refused."""
    if file.size > MOST_BYTES:
        raise Refused(_("The file is too long: {most} bytes at most.").format(most=decimal(MOST_BYTES)))
    try:
        return (await defer_if_slow(interaction, file.read())).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(_("The file is not UTF-8 text. Save it as UTF-8, and send it again.")) from error
    except discord.HTTPException as error:
        raise Refused(_("The file could not be fetched. Please try again.")) from error


def _copied(variant: Variant) -> str:
    """The rules of a game, to be made rules of one's own: without what is about the file itself or that game alone, its
    other names, and its ballots, which fill a form."""
    text = re.sub(r"\A(#[^\n]*\n)+", "", variant.ruleset.text)
    text = re.sub(r"(?m)^(featured = [^\n]*|about = [^\n]*|aliases = \[[^\]]*\])\n", "", text)
    return re.sub(r"(?ms)^\[ballots\]\n.*?(?=^\[\w|\Z)", "", text)


def _file(name: str, text: str) -> discord.File:
    return discord.File(BytesIO(text.encode()), f"{name}.toml")


def _title(own: ServerVariant) -> str:
    return "?" if own.variant is None else f"{own.variant.name}"


def _line(own: ServerVariant) -> str:
    if own.variant is None:
        fault = _("this version cannot play it: {why}").format(why=own.why)
        return labelled(f"- `{own.name}`", fault)
    return labelled(f"- `{own.name}`", f"{own.variant.name}")
