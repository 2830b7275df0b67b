"""What is mine: `/export`, and what the bot keeps of a person."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import answering, tell
from bot.chat.commands.lists import GameId
from bot.chat.desk import Desk
from bot.chat.pages import visible
from bot.engine import pdn, transcript, variants
from bot.engine.transcript import Transcript
from bot.games.refused import Refused

Form = Literal["pdn", "json"]


class Mine(commands.Cog):
    """Files that a person takes along. All answers are private."""

    export = app_commands.Group(name="export", description="Take games along as a file")

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @export.command(name="game", description="One game: this channel's, or one by its number")
    @app_commands.describe(number="The game's number, as /history shows it", form="PDN (draughts) or JSON (every game)")
    async def _game(
        self, interaction: discord.Interaction[Any], number: GameId | None = None, form: Form | None = None
    ) -> None:
        async with answering(interaction, self.desk):
            if number is None:
                game = await self.desk.here(interaction.channel_id)
            else:
                game = await visible(self.desk, number, interaction)
            found = [await self.desk.games.transcript(game.id)]
            await _send(interaction, found, form, f"damero-{game.id}")

    @export.command(name="mine", description="All games in which you have played, wherever that was")
    @app_commands.describe(form="PDN (draughts) or JSON (every game)")
    async def _mine(self, interaction: discord.Interaction[Any], form: Form | None = None) -> None:
        async with answering(interaction, self.desk):
            found = await self.desk.in_time(interaction, self.desk.games.transcripts(interaction.user.id))
            if not found:
                raise Refused("You have not played a game yet.")
            await _send(interaction, found, form, "damero-mine")


async def _send(interaction: discord.Interaction[Any], found: list[Transcript], form: Form | None, name: str) -> None:
    draughts = [one for one in found if variants.load(one.variant_id).family == "draughts"]
    if form is None:
        form = "pdn" if len(draughts) == len(found) else "json"
    if form == "pdn" and not draughts:
        raise Refused("PDN is for draughts. Take `json` for this game.")
    chosen = draughts if form == "pdn" else found
    text = pdn.write(chosen) if form == "pdn" else transcript.write(chosen)
    content = text.encode()
    if len(content) > interaction.filesize_limit:
        raise Refused("These games are too many for one file here. Ask whoever runs this bot for `damero export`.")
    file = discord.File(BytesIO(content), f"{name}.{'pdn' if form == 'pdn' else 'jsonl'}")
    left_out = len(found) - len(chosen)
    more = f" {left_out} games are no draughts: take `json` for them." if left_out else ""
    await tell(interaction, f"{len(chosen)} game{'' if len(chosen) == 1 else 's'}.{more}", file=file)
