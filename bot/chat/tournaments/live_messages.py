"""Keeps the messages of tournaments as they are wanted: each is posted once, and edited when there is news."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import discord

from bot.chat.board_pictures import BoardPictures
from bot.chat.components import view_of
from bot.chat.posting.cards import Card
from bot.chat.posting.find_posted import custom_ids, words_of
from bot.chat.posting.live_messages import Content, LiveMessages
from bot.chat.tournaments import pictures, schedule_texts, texts
from bot.chat.tournaments.buttons import (
    announcement_rows,
    announcement_view,
    check_in_view,
    podium_rows,
    round_rows,
    text_button,
)
from bot.chat.tournaments.format_texts import round_beginning
from bot.chat.tournaments.standings_cards import beginning, picture_card, podium_card, round_card, text_card
from bot.chat.wording.languages import Languages
from bot.chat.wording.message_text import fitting
from bot.chat.wording.names import Names
from bot.i18n import speaking
from bot.support.in_turn import InTurn
from bot.support.signals import Signal
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.service import Tournaments
from bot.tournaments.use_cases.work import TournamentChanged
from data.queries.live_messages import LiveMessage


@dataclass(eq=False)
class TournamentMessages(LiveMessages):
    """The announcement, the rounds, the standings, the calls and the podium of each tournament, in its channel."""

    owner = "tournament"
    tournaments: Tournaments
    languages: Languages
    names: Names
    pictures: BoardPictures
    games_may_be_posted: Signal[[int, Sequence[int]]]
    _changes: dict[int, TournamentChanged] = field(init=False, default_factory=dict)
    # Games that are posted after what their tournament says of them, and the channel of that.
    _games: dict[int, tuple[int, list[int]]] = field(init=False, default_factory=dict)
    _turns: InTurn = field(init=False, default_factory=InTurn)

    def changed(self, change: TournamentChanged) -> None:
        """A tournament has changed: its messages may have something to say, and then its games."""
        owner, tournament = change.tournament_id, change.tournament
        self._changes[owner] = change
        if tournament is not None:
            if tournament.format.pairs_who_waits:
                # Their time is short.
                self.games_may_be_posted.send(tournament.channel_id, change.games)
            else:
                self._games.setdefault(owner, (tournament.channel_id, []))[1].extend(change.games)
            if owner not in self.tasks:
                # The divisions of a league speak in their order; one that waits for Discord holds up no other.
                self._turns.line_up(tournament.channel_id, [owner])
        self.wake(owner)

    async def _say_all(self, owner: int) -> None:
        await self._turns.come(owner)
        try:
            await self._say_pending(owner)
        finally:
            # Whether or not Discord takes what the tournament says: its games are not to wait.
            if owner in self._games:
                self.games_may_be_posted.send(*self._games.pop(owner))
            self._turns.leave(owner)

    async def _say_pending(self, owner: int) -> None:
        change = self._changes.pop(owner, None)
        for post in await self.posts.pending(owner):
            tournament = None if change is None else change.shown_by(post)
            if tournament is None:
                tournament = await self.tournaments.load(owner)
            with speaking(await self.languages.of_server(tournament.guild_id)):
                content = await self._content(tournament, post)
                # A card is put into words as it is shown.
                await self._show(post, tournament.guild_id, tournament.channel_id, content)

    async def _content(self, tournament: StoredTournament, post: LiveMessage) -> Content:
        marked: schedule_texts.Marks = {}
        if post.kind == "announcement":
            marked = await self.tournaments.registration.marked(tournament.state.by_person)
        text, view, beginnings = content_of(tournament, post, marked)

        def is_it(message: discord.Message) -> bool:
            ids = [custom_id for custom_id in custom_ids(message) if custom_id.startswith("tournament:")]
            return words_of(message).startswith(beginnings) and all(int(i.split(":")[2]) == tournament.id for i in ids)

        people = await self.posts.awake(schedule_texts.called(tournament, post.kind, post.number))
        card = None
        if post.kind == "standings":
            card = await self._standings(tournament)
        elif post.kind == "round" and texts.has_long_rounds(tournament):
            card = round_card(tournament, post.number, round_rows(tournament, post.number))
        elif post.kind == "podium":
            drawn = await pictures.drawn(self.names, self.pictures, tournament, pictures.podium)
            card = podium_card(tournament, drawn, podium_rows(tournament))
        return Content(text, view, is_it, card, people)

    async def _standings(self, tournament: StoredTournament) -> Card:
        """The standings in pictures, and in words where the server wants them or nothing is drawn. Under those of a
        running arena stands the same as under its announcement, which is far above by then."""
        drawn = await pictures.posted(self.names, self.pictures, tournament)
        if drawn:
            words = await self.languages.written_out(tournament.guild_id)
            return picture_card(tournament, drawn, text_button(tournament), words=words)
        arena = tournament.format.pairs_who_waits and tournament.state.phase is Phase.RUNNING
        return text_card(tournament, announcement_rows(tournament) if arena else ())


def content_of(
    tournament: StoredTournament, post: LiveMessage, marked: schedule_texts.Marks
) -> tuple[str, discord.ui.View, tuple[str, ...]]:
    """Words and buttons of a message, and what it may begin with, whatever has happened since it was posted; of the
    standings, which are a card, the words that stand for it. ``marked``: who did not come to games lately."""
    view = discord.ui.View(timeout=None)
    match post.kind:
        case "announcement":
            text, view = texts.announcement(tournament, marked), announcement_view(tournament)
            return text, view, (texts.announcement_beginning(tournament),)
        case kind if kind in schedule_texts.CALLS:
            text, beginnings = schedule_texts.call(tournament, kind, post.number)
            return fitting(text), check_in_view(tournament) if kind == "checkin" else view, beginnings
        case "round":
            text = texts.round_text(tournament, post.number)
            view = view_of(chain(*round_rows(tournament, post.number)))
            return text, view, (round_beginning(tournament, post.number),)
        case "podium":
            return texts.podium(tournament), view, texts.podium_beginnings(tournament)
        case _:
            # The former is a card, the latter is what it was before there were any, and where none is taken.
            return texts.standings(tournament), view, (beginning(tournament), f"**{tournament.name}: ")
