"""`/server import`: brings in games that were played elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.games.variant_option import ShippedDraughtsOption
from bot.chat.responses import defer_if_slow, reply_privately
from bot.chat.services import services_of
from bot.chat.settings.variant_commands import managed
from bot.engine.pdn import pdn_reader
from bot.engine.ruleset import server_of
from bot.engine.transcript import Transcript, TranscriptError, UnnamedGameError
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.i18n import _, closed, decimal, ngettext

MOST_BYTES: Final = 131_072
MOST_GAMES: Final = 50
"""How much a file that is sent in may hold; more comes in at a terminal."""
_MOST_FAULTS: Final = 8


@app_commands.command(name="import", description="Import finished games from other programs, to replay and analyse")
@app_commands.describe(
    file="The games as PDN",
    variant="Which game they are, if the file does not say (most do not)",
)
async def import_games(
    interaction: Press, file: discord.Attachment, variant: ShippedDraughtsOption | None = None
) -> None:
    guild_id = managed(interaction)
    if file.size > MOST_BYTES:
        raise Refused(_("The file is too long: {most} bytes at most.").format(most=decimal(MOST_BYTES)))
    try:
        content = await defer_if_slow(interaction, file.read())
    except discord.HTTPException as error:
        raise Refused(_("The file could not be fetched. Please try again.")) from error
    archive = services_of(interaction).games.archive
    text = await asyncio.to_thread(pdn_reader.decoded, content)
    texts = await archive.rules_texts(pdn_reader.rules_named(text))
    read = asyncio.to_thread(_games_of, text, "" if variant is None else variant.id, texts)
    found = await defer_if_slow(interaction, read)
    if len(found) > MOST_GAMES:
        raise Refused(_("The file has too many games (at most {most}). Split it.").format(most=MOST_GAMES))
    # Whoever a file names as players has not been asked: the games are nobody's here.
    games = [replace(game, players=()) for game in found if isinstance(game, Transcript)]
    others = [game for game in games if server_of(game.variant_id) not in (None, guild_id)]
    wrong = [fault for fault in found if isinstance(fault, TranscriptError)]
    faults = [_told(fault) for fault in wrong]
    faults += [_("Line {line}: this game uses another server's own rules.").format(line=game.line) for game in others]
    place = Place(guild_id, interaction.channel_id or 0)
    done = await archive.import_games([game for game in games if game not in others], strict=False, place=place)
    lines = [_brought_in(done.games)] if done.games else []
    if done.known:
        known = ngettext("{count} game was here already.", "{count} games were here already.", done.known)
        lines.append(known.format(count=done.known))
    faults += done.refused
    if variant is None and any(isinstance(fault, UnnamedGameError) for fault in wrong):
        lines.append(_("It is not clear which game this is. Choose it with `variant:`."))
    lines += [f"- {discord.utils.escape_markdown(fault)[:200]}" for fault in faults[:_MOST_FAULTS]]
    await reply_privately(interaction, "\n".join(lines) or _("There is no game in this file."))


def _games_of(text: str, variant: str, texts: Mapping[str, str]) -> list[Transcript | TranscriptError]:
    """The games of a file, one more than it may hold at most."""
    return list(islice(pdn_reader.read(text, variant, texts), MOST_GAMES + 1))


def _told(fault: TranscriptError) -> str:
    why = closed(fault.why)
    if fault.column:
        template = _("Line {line}, column {column}: {why}")
        return template.format(line=fault.line, column=fault.column, why=why)
    return _("Line {line}: {why}").format(line=fault.line, why=why)


def _brought_in(numbers: tuple[int, ...]) -> str:
    template = ngettext(
        "Imported game {numbers}: `/game replay` shows it, `/analysis` analyses it.",
        "Imported games {numbers}: `/game replay` shows them, `/analysis` analyses them.",
        len(numbers),
    )
    return template.format(numbers=", ".join(map(str, numbers)))
