"""Telling Discord which commands there are, only when that has changed: Discord counts the times."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.chat.wording.languages import foreign
from bot.i18n import catalogue_text
from data.queries import key_values
from data.store import Store

log = structlog.get_logger(__name__)


def digest(tree: app_commands.CommandTree[Any]) -> str:
    """A hash of all that what Discord is told of the commands is made of: the commands in English, the catalogues of
    the languages that Discord has, and its library. To make it, with 22,000 texts, takes a tenth of a start."""
    commands = sorted((command.to_dict(tree) for command in tree.get_commands()), key=_kind_and_name)
    made_of = hashlib.sha256(json.dumps([discord.__version__, commands], sort_keys=True).encode())
    for language in sorted({language for locale in discord.Locale if (language := foreign(locale)) is not None}):
        made_of.update(catalogue_text(language).encode())
    return made_of.hexdigest()


def _kind_and_name(command: dict[str, Any]) -> tuple[int, str]:
    return command["type"], command["name"]


async def payload_of(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """What Discord is told about the commands, in all languages."""
    translator = tree.translator
    if translator is None:
        return [command.to_dict(tree) for command in tree.get_commands()]
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


async def sync(tree: app_commands.CommandTree[Any], store: Store, application_id: int) -> bool:
    """Register the commands if they differ from what this application was last told, or if Discord no longer has
    them. Says whether it did. Reading what Discord has is free; registering is not."""
    key, now = f"commands:{application_id}", digest(tree)
    async with store.read() as tx:
        before = await key_values.get(tx, key)
    if before == now:
        registered = {(command.type, command.name) for command in await tree.fetch_commands()}
        slash = discord.AppCommandType.chat_input
        if registered == {(getattr(command, "type", slash), command.name) for command in tree.get_commands()}:
            return False
    payload = await payload_of(tree)
    await tree.client.http.bulk_upsert_global_commands(application_id, payload=payload)
    async with store.write() as tx:
        await key_values.put(tx, key, now)
    log.info("commands registered", count=len(payload))
    return True
