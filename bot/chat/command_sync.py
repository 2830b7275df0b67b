"""Telling Discord which commands there are, only when that has changed: Discord counts the times."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import discord
import structlog
from discord import app_commands

from data.queries import key_values
from data.store import Store

log = structlog.get_logger(__name__)


def digest(payload: list[dict[str, Any]]) -> str:
    """A hash of all that Discord is told about the commands."""
    ordered = sorted(payload, key=lambda command: (command["type"], command["name"]))
    return hashlib.sha256(json.dumps(ordered, sort_keys=True).encode()).hexdigest()


async def payload_of(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """What Discord is told about the commands, in all languages."""
    translator = tree.translator
    if translator is None:
        return [command.to_dict(tree) for command in tree.get_commands()]
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


async def sync(tree: app_commands.CommandTree[Any], store: Store, application_id: int) -> bool:
    """Register the commands if they differ from what this application was last told, or if Discord no longer has
    them. Says whether it did. Reading what Discord has is free; registering is not."""
    payload = await payload_of(tree)
    key, now = f"commands:{application_id}", digest(payload)
    async with store.read() as tx:
        before = await key_values.get(tx, key)
    if before == now:
        registered = {(command.type, command.name) for command in await tree.fetch_commands()}
        slash = discord.AppCommandType.chat_input
        if registered == {(getattr(command, "type", slash), command.name) for command in tree.get_commands()}:
            return False
    # As tree.sync() does, which would translate all of it a second time.
    await tree.client.http.bulk_upsert_global_commands(application_id, payload=payload)
    async with store.write() as tx:
        await key_values.put(tx, key, now)
    log.info("commands registered", count=len(payload))
    return True
