"""What is mine: `/game export`, `/me data`, `/me forget`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Literal

import discord
from discord import app_commands

from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, view_of
from bot.chat.features import Feature, Handlers
from bot.chat.games.commands.game_numbers import GameId, games_offered
from bot.chat.games.room_checks import running_here
from bot.chat.privacy.readable import in_words
from bot.chat.responses import defer_if_slow, replace, reply_privately, source_of
from bot.chat.services import Services, services_of
from bot.chat.visibility import visible
from bot.engine import transcript, variants
from bot.engine.pdn import pdn_writer
from bot.engine.transcript import Transcript
from bot.games.model.computer_seats import is_computer
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.i18n import _, ngettext, pgettext
from bot.support.frozen import frozen

Format = Literal["pdn", "json"]
_FORMATS = "PDN (draughts) or JSON (every game)"

_ASKED = 2
"""So many players' names are asked of Discord for a file."""

# How many damaged games are named, at most.
_NAMED = 20


@app_commands.command(name="export", description="A game as a file: this channel's, or one by its number")
@app_commands.describe(number="The game's number, as /me history shows it", format=_FORMATS)
@app_commands.autocomplete(number=games_offered)
async def export_game(interaction: Press, number: GameId | None = None, format: Format | None = None) -> None:
    game = await (running_here(interaction) if number is None else visible(interaction, number))
    services = services_of(interaction)
    found = await services.games.archive.transcript(game.id)
    taken = await services.tournaments.export.in_its_event(game.id, found)
    await _send(interaction, [taken], format, f"damero-{game.id}")


@app_commands.command(name="export", description="All games that you have played, on any server, as a file")
@app_commands.describe(format=_FORMATS)
async def export_mine(interaction: Press, format: Format | None = None) -> None:
    archive = await defer_if_slow(interaction, services_of(interaction).games.archive.transcripts(interaction.user.id))
    if not archive.games:
        raise Refused(_damaged(archive.damaged) or _("You have not played any games yet."))
    await _send(interaction, archive.games, format, "damero-mine", _damaged(archive.damaged))


@app_commands.command(name="data", description="Everything this bot keeps about you, as a file")
async def my_data(interaction: Press) -> None:
    data = await defer_if_slow(interaction, services_of(interaction).games.privacy.data_of(interaction.user.id))
    # The games stay as they are exported, so that they can be read in again.
    shown = in_words(data, _place_of(interaction))
    content = json.dumps(shown, ensure_ascii=False, indent=1).encode()
    if len(content) > interaction.filesize_limit:
        raise Refused(_("That is too much for one file here. Ask the person who runs this bot for it."))
    file = discord.File(BytesIO(content), "damero-my-data.json")
    sentences = [_("Everything I keep about you. `/me forget` deletes it."), _damaged(data["damaged_games"])]
    await reply_privately(interaction, "\n".join(part for part in sentences if part), file=file)


def _place_of(interaction: Press) -> Callable[[int], str | None]:
    """The name of a server or channel by its id, where it is known."""

    def name(place: int) -> str | None:
        found = interaction.client.get_guild(place) or interaction.client.get_channel(place)
        return getattr(found, "name", None)

    return name


@app_commands.command(
    name="forget", description="Delete everything this bot keeps about you (I will ask you to confirm)"
)
async def forget_me(interaction: Press) -> None:
    text = _(
        "This resigns all your running games, closes your challenges, leaves tournaments and leagues, takes your name"
        " off what is over, and deletes your settings, vacations, plans and reminders. It cannot be undone. `/me data`"
        " shows what there is."
    )
    if directed := await services_of(interaction).games.privacy.directed_alone(interaction.user.id):
        text += "\n" + _directs(directed)
    label = pgettext("button", "Forget me")
    view = view_of([ActionButton.of(Forget(interaction.user.id), label, ButtonStyle.danger)])
    await reply_privately(interaction, text, view=view)


@frozen
class Forget(CustomId):
    """Confirms a deletion."""

    prefix = "damero-forget"
    person: int


press = Handlers(Forget)


@press.on()
async def _forget(button: Forget, interaction: Press, services: Services) -> None:
    if interaction.user.id != button.person:
        raise Refused(_("This button belongs to someone else."))
    source = source_of(interaction)
    for game in await defer_if_slow(interaction, _forget_all(services, button.person, source)):
        services.games_changed.send(game)
    services.names.forget(button.person)
    services.recent.forget(button.person)
    await replace(interaction, _("You are forgotten."))


async def _forget_all(services: Services, person: int, source: str) -> list[Game]:
    # What is left is paired no more; only then is it nobody's name that stands there.
    await services.leagues.leave_all(person, source)
    await services.tournaments.registration.leave_all(person, source)
    return await services.games.privacy.forget(person, source)


def _directs(names: Sequence[str]) -> str:
    """What becomes of events that nobody else directs."""
    template = ngettext(
        "Nobody but you directs {events}: name another director first (*Manage*; of a league `/league directors`), or"
        " whoever manages the server has to take it over.",
        "Nobody but you directs {events}: name other directors first (*Manage*; of a league `/league directors`), or"
        " whoever manages the server has to take them over.",
        len(names),
    )
    shown = [f"**{name}**" for name in names[:_NAMED]] + ["…"] * (len(names) > _NAMED)
    return template.format(events=", ".join(shown))


def _damaged(games: Sequence[int]) -> str:
    """That games are left out of a file; nothing where none is."""
    if not games:
        return ""
    template = ngettext(
        "The record of game {games} is damaged, so it is not in the file. Ask whoever runs this bot to look at it with "
        "`damero check-store`.",
        "The records of the games {games} are damaged, so they are not in the file. Ask whoever runs this bot to look "
        "at them with `damero check-store`.",
        len(games),
    )
    numbers = [str(number) for number in games[:_NAMED]] + ["…"] * (len(games) > _NAMED)
    return template.format(games=", ".join(numbers))


async def _names_of(interaction: Press, games: Sequence[Transcript]) -> dict[str, str]:
    """What the players of ``games`` are called, by their ids as texts; of many, those that are known already."""
    names, guild = services_of(interaction).names, interaction.guild_id
    people = {person for game in games for person in game.players if person is not None and not is_computer(person)}
    if len(people) <= _ASKED:
        return {str(person): await names.of(guild, person) for person in people}
    return {str(person): name for person in people if (name := names.known(guild, person)) != _("a player")}


async def _send(
    interaction: Press, games: list[Transcript], format: Format | None, name: str, besides: str = ""
) -> None:
    draughts = [game for game in games if variants.load(game.variant).family == "draughts"]
    if format is None:
        format = "pdn" if len(draughts) == len(games) else "json"
    if format == "pdn" and not draughts:
        raise Refused(_("PDN is for draughts. Use `json` for this game."))
    chosen, write, ending = (
        (draughts, pdn_writer.write, "pdn") if format == "pdn" else (games, transcript.write, "jsonl")
    )
    if format == "pdn":
        # Programs that show games show who played; the ids, by which we read them again, have tags of their own.
        names = await _names_of(interaction, chosen)
        chosen = [dataclasses.replace(game, tags={k: names.get(v, v) for k, v in game.tags.items()}) for game in chosen]
    content = write(chosen).encode()
    if len(content) > interaction.filesize_limit:
        raise Refused(
            _("These are too many games for one file here. Ask the person who runs this bot for `damero export`.")
        )
    file = discord.File(BytesIO(content), f"{name}.{ending}")
    sentences = [ngettext("{count} game.", "{count} games.", len(chosen)).format(count=len(chosen))]
    if left_out := len(games) - len(chosen):
        template = ngettext(
            "{count} game is not draughts; export it as `json`.",
            "{count} games are not draughts; export them as `json`.",
            left_out,
        )
        sentences.append(template.format(count=left_out))
    await reply_privately(interaction, " ".join([*sentences, besides]).rstrip(), file=file)


def setup(_client: discord.Client, _services: Services) -> Feature:
    """The feature: commands, and the button that confirms a deletion."""
    return Feature(of_game=(export_game,), of_me=(export_mine, my_data, forget_me), buttons=(press,))
