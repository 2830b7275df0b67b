"""Pictures of tournaments as files for messages: drawn off the event loop, each with its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO

import discord

from bot.chat.responses import fitting
from bot.chat.services import Services
from bot.chat.tournaments import scenes
from bot.i18n import _
from bot.tournaments.formats.open_games import open_games
from bot.tournaments.model.events import Kind
from bot.tournaments.model.state import Phase
from bot.tournaments.use_cases.base import StoredTournament
from render.charts.brackets import bracket_picture
from render.charts.tables import cross_pages, page_count, table_pages

MOST = 4
"""Pictures in one message of a channel. Discord takes ten; more than four are not looked at."""
FILES = 10


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG file, its name and its words."""

    name: str
    png: bytes
    words: str

    def file(self) -> discord.File:
        """A new file of it: each can be sent once."""
        return discord.File(BytesIO(self.png), self.name, description=self.words)


def digest(pictures: list[Picture]) -> bytes:
    """The same for the same pictures, words included."""
    return sha256(b"\0".join(part for each in pictures for part in (each.png, each.words.encode()))).digest()


def brief(held: StoredTournament) -> str:
    """What stands above the pictures: what they show, and the matches of an elimination that are played now."""
    lines = [f"**{held.row.name}: {scenes.heading(held)}**"]
    if held.plan.kind.knocks_out:
        lines += [f"{pair.match}: {held.call(pair.white)} - {held.call(pair.black)}" for pair in open_games(held.state)]
    return fitting("\n".join(lines))


class TournamentPictures:
    """One for each running bot."""

    def __init__(self, desk: Services) -> None:
        self._desk = desk

    async def language(self, held: StoredTournament) -> str:
        """What is read where it is held."""
        return await self._desk.speech.of_server(held.row.guild_id)

    async def names(self, held: StoredTournament) -> Mapping[int, str]:
        """What the players are called where it is held."""
        found = {}
        for number, entrant in held.state.by_number.items():
            if entrant.person > 0:
                found[number] = await self._desk.names.of(held.row.guild_id, entrant.person)
            else:
                found[number] = _("No {number}").format(number=number)
        return found

    async def posted(self, held: StoredTournament) -> list[Picture]:
        """What the message of the standings shows: of an elimination the parts of the bracket that are being played,
        else the standings. Nothing before the start, and of a running arena, which changes with every game."""
        if not held.state.by_number or (held.plan.kind is Kind.ARENA and held.state.phase is not Phase.OVER):
            return []
        if held.plan.kind.knocks_out:
            return await self.bracket(held, playing=True)
        return await self.standings(held, MOST)

    async def standings(self, held: StoredTournament, most: int = FILES) -> list[Picture]:
        """The standings, page by page, the first ``most`` of them."""
        names = await self.names(held)

        def draw() -> list[Picture]:
            pages = table_pages(scenes.standings(held, names), most)
            return _numbered("standings", held, pages, scenes.standings_words(held, names))

        return await self._desk.drawn(draw)

    async def crosstable(self, held: StoredTournament) -> list[Picture]:
        """Who played whom; nothing for kinds without a cross-table, and before the first round."""
        names = await self.names(held)

        def draw() -> list[Picture]:
            table = scenes.cross_table(held, names)
            if table is None or not table.headings:
                return []
            return _numbered("crosstable", held, cross_pages(table, FILES), scenes.cross_words(held, names))

        return await self._desk.drawn(draw)

    async def bracket(self, held: StoredTournament, *, playing: bool = False) -> list[Picture]:
        """The bracket, part by part; nothing for kinds without one. ``playing``: only what is being played, up to
        MOST parts, and when all is over the last part."""
        names = await self.names(held)

        def draw() -> list[Picture]:
            parts = list(enumerate(scenes.brackets(held, names), start=1))
            if playing:
                parts = [part for part in parts if scenes.is_live(part[1])][:MOST] or parts[-1:]
            return [
                Picture(f"bracket-{held.row.id}-{i}.png", bracket_picture(part), scenes.bracket_words(part))
                for i, part in parts
            ]

        return await self._desk.drawn(draw)


def _numbered(name: str, held: StoredTournament, pages: tuple[bytes, ...], words: str) -> list[Picture]:
    """Pages as pictures; the words of all stand with the first."""
    more = _("Page {page} of {pages}; the first tells it all in words.")
    count = page_count(len(held.state.by_number))
    return [
        Picture(f"{name}-{held.row.id}-{i}.png", png, words if i == 1 else more.format(page=i, pages=count))
        for i, png in enumerate(pages, start=1)
    ]
