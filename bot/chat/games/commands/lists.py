"""Many games: `/me games`, `next` and `history`; `/game show`, `replay` and `continue`. All answers are private."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.games.commands.game_numbers import GameId, games_offered, running_offered
from bot.chat.games.paging import game_text, list_page, show_from_start
from bot.chat.games.room_checks import board_view_of, check_allowed, looked
from bot.chat.posting.deleted_channels import is_gone
from bot.chat.responses import act, defer_if_slow, reply_privately, source_of
from bot.chat.services import services_of
from bot.chat.visibility import visible
from bot.chat.wording.dates import until
from bot.chat.wording.links import channel_text
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.i18n import _, ngettext


@app_commands.command(description="Your games in this server, the most urgent first")
async def games(interaction: Press) -> None:
    text, view = await list_page(services_of(interaction), interaction, "games", interaction.user.id, 0)
    await reply_privately(interaction, text, view=view)


@app_commands.command(name="next", description="A link to the game that needs your move next")
async def next_game(interaction: Press) -> None:
    services = services_of(interaction)
    me = interaction.user.id
    running = await services.games.lists.games_of(me, guild_id=interaction.guild_id)
    waiting = [game for game in running if game.to_move == me]
    if not waiting:
        raise Refused(_("No game here is waiting for your move."))
    game = await services.games.game(waiting[0].id)
    link = await services.links.board(game, me) or channel_text(game.place, game.channel_id)
    others = len(waiting) - 1
    template = ngettext("{count} more is waiting: `/me games`.", "{count} more are waiting: `/me games`.", others)
    parts = [link, until(waiting[0].due), template.format(count=others) if others else ""]
    await reply_privately(interaction, " ".join(part for part in parts if part))


@app_commands.command(description="Finished games on this server: yours, or another player's")
@app_commands.describe(player="Whose games (default: yours)")
async def history(interaction: Press, player: discord.Member | discord.User | None = None) -> None:
    person = interaction.user.id if player is None else player.id
    text, view = await list_page(services_of(interaction), interaction, "history", person, 0)
    await reply_privately(interaction, text, view=view)


@app_commands.command(description="A game of this server by its number: who played, how it stands")
@app_commands.describe(number="The game's number, as /me history shows it")
@app_commands.autocomplete(number=games_offered)
async def show(interaction: Press, number: GameId) -> None:
    services = services_of(interaction)
    game = await visible(interaction, number)
    view = await board_view_of(interaction, game)
    file = await defer_if_slow(interaction, services.pictures.board(game, f"g{game.id}-m{game.ply}.png", view))
    told, entered = game_text(game, await services.games.timeouts.due(game.id)), services.tournaments.results.entered
    text = "\n".join(filter(None, (told, await entered(game))))
    steps = _("Step by step: {command}").format(command=f"`/game replay {game.id}`")
    await reply_privately(interaction, f"{text}\n{steps}", file=file)
    await looked(interaction, game)


@app_commands.command(name="continue", description="Continue a game here when its channel is gone")
@app_commands.describe(number="The game's number, as a reminder or /me games shows it")
@app_commands.autocomplete(number=running_offered)
async def go_on(interaction: Press, number: GameId) -> None:
    check_allowed(interaction)
    games, person, source = services_of(interaction).games, interaction.user.id, source_of(interaction)
    place = Place(interaction.guild_id, interaction.channel_id or 0)
    game = await games.game(number)
    gone = None
    channel = game.channel_on(interaction.guild_id) if game.place.has_threads else None
    if channel is not None and game.seat_of(person) is not None:
        # Nobody tells the bot of a channel that was deleted while it was away.
        unknown = interaction.client.get_channel(channel) is None
        gone = channel if unknown and await is_gone(interaction.client, channel) else None
    await act(interaction, games.channels.move_here(number, person, place, source, gone=gone))
    await reply_privately(interaction, _("The game continues in this channel."))


@app_commands.command(description="Replay a game of this server, step by step")
@app_commands.describe(number="The game's number, as /me history shows it")
@app_commands.autocomplete(number=games_offered)
async def replay(interaction: Press, number: GameId) -> None:
    await show_from_start(interaction, await visible(interaction, number))
