"""The group `/tournament`, into which its modules put their commands, and what they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.chat.components import LONGEST_CHOICE, MOST_CHOICES, Press
from bot.chat.responses import source_of
from bot.chat.services import Services, services_of
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.visibility import sees, visible_tournament
from bot.engine.errors import echoed
from bot.games.model.errors import Refused
from bot.i18n import N_, _
from bot.tournaments.errors import NO_RETURN
from bot.tournaments.formats.format import MOST_ROUNDS
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored import CANCELLED, Stored
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.service import Tournaments

Person = discord.Member | discord.User
Number = app_commands.Range[int, 1, 2**53 - 1]
Round = app_commands.Range[int, 1, MOST_ROUNDS]
Asker = tuple[int, int, str]
"""What a use case is told first: the number of what it is about, who asks, and what names the interaction."""
WHICH = "The tournament (default: this channel's newest)"
NO_BOTS = N_("Bots do not play. Choose a person.")

GROUP = app_commands.Group(name="tournament", description="Swiss, round robin, elimination, arena and table events")


STATUSES: Final = {
    "entries": N_("entries are open"),
    "running": N_("running"),
    "over": N_("over"),
    CANCELLED: N_("cancelled"),
}
_MOST_OFFERED: Final = 100


class EventTransformer(app_commands.Transformer):
    """An event of the server by its name, chosen from a list or typed; its value is its number. ``statuses``: how one
    stands, in words; ``none``: what is said where there is none of a {name}."""

    statuses: Mapping[str, str]
    none: str

    async def listed(self, interaction: Press) -> Sequence[Stored]:
        """The newest that this person may know of."""
        raise NotImplementedError

    def told_apart(self, row: Stored) -> str:
        """What tells one from others of its name: the number that its announcement has too."""
        return _("number {number}").format(number=row.id)

    @property
    def max_value(self) -> int:
        return LONGEST_CHOICE

    async def transform(self, interaction: discord.Interaction[Any], value: str, /) -> int:
        """Its number; whether this person may know of it is asked later. Raises Refused."""
        typed = value.strip()
        if re.fullmatch("[0-9]{1,15}", typed):
            return int(typed)
        named = [row for row in await self.listed(interaction) if row.title.casefold() == typed.casefold()]
        meant = [row for row in named if not row.is_over] or named[:1]
        if len(meant) == 1:
            return meant[0].id
        template = _("There are several called **{name}**. Choose one from the list.") if meant else _(self.none)
        raise Refused(template.format(name=discord.utils.escape_markdown(echoed(typed))))

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: int | float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """The newest of those that this person may know of, by what is typed of their names. Where names are equal,
        with what tells them apart."""
        typed, listed = str(value).strip().casefold(), await self.listed(interaction)
        count = Counter(row.title.casefold() for row in listed)
        choices: list[app_commands.Choice[int | float | str]] = []
        for row in [row for row in listed if typed in row.title.casefold()][:MOST_CHOICES]:
            template = _("{event} ({status})")
            if count[row.title.casefold()] > 1:
                template = _("{event} ({mark}, {status})")
            name = template.format(event=row.title, mark=self.told_apart(row), status=_(self.statuses[row.status]))
            choices.append(app_commands.Choice(name=name[:LONGEST_CHOICE], value=str(row.id)))
        return choices


class TournamentTransformer(EventTransformer):
    statuses = STATUSES
    none = N_("There is no tournament **{name}** on this server. Choose one from the list.")

    async def listed(self, interaction: Press) -> Sequence[Stored]:
        return await listed(interaction, _MOST_OFFERED)


TournamentOption: TypeAlias = app_commands.Transform[int, TournamentTransformer]


async def listed(interaction: Press, most: int) -> list[Stored]:
    """The newest tournaments of the server, of those that whoever asks directs or whose channel they see."""
    rows = await services_of(interaction).tournaments.of_server(interaction.guild_id or 0, most)
    return [row for row in rows if row.is_director(interaction.user.id) or sees(interaction, row.channel_id)]


async def chosen_tournament(interaction: Press, number: int | None) -> StoredTournament:
    """The tournament that a command is about, of this server: by its number, or the one of the channel. Who directs it
    each command asks itself. Raises Refused."""
    tournaments = services_of(interaction).tournaments
    if number is None:
        number = await tournaments.newest_in(channel_of_posts(interaction))
    return await visible_tournament(interaction, number)


async def asked(interaction: Press, number: int | None) -> tuple[Tournaments, StoredTournament, Asker]:
    """What a command that changes a tournament begins with: the use cases, the tournament that is meant, and whoever
    asks. Raises Refused."""
    tournament = await chosen_tournament(interaction, number)
    asker = (tournament.id, interaction.user.id, source_of(interaction))
    return services_of(interaction).tournaments, tournament, asker


def manages_events(interaction: Press) -> bool:
    """Whether somebody may hold events on this server."""
    return interaction.permissions.manage_guild or interaction.permissions.manage_events


def channel_of_posts(interaction: Press) -> int:
    """The channel in which an interaction happens; within a thread the one above it."""
    channel = interaction.channel
    return (channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id) or 0


def number_of(tournament: StoredTournament, person: int) -> int:
    """A player's starting number. Raises Refused."""
    entrant = tournament.state.by_person.get(person)
    if entrant is None or not entrant.number:
        template = _("{player} is not playing in this tournament.")
        if tournament.state.phase is Phase.ENTRIES:
            template = _("It has not begun.")
        elif tournament.state.cancelled is not None:
            template = _("The tournament is cancelled.")
        raise Refused(template.format(player=f"<@{person}>"), event=tournament.name)
    return entrant.number


def roles_of(person: discord.User | discord.Member) -> tuple[list[int], list[int] | None]:
    """The roles of a person, and those of the server; None where it is not known."""
    if not isinstance(person, discord.Member):
        return [], None
    return [role.id for role in person.roles], [role.id for role in person.guild.roles] or None


async def quiet_hours_lines(tournament: StoredTournament, person: int, services: Services) -> list[str]:
    """What somebody with quiet hours is told who joins an arena; nothing to others."""
    preferences = await services.games.preferences.load(person)
    if preferences.quiet is None or not tournament.format.pairs_who_waits:
        return []
    text = _(
        "While you are in **{event}**, I will notify you of its games in your quiet hours, too. *Pause* or *Leave* "
        "ends that."
    )
    return [text.format(event=tournament.name)]


def leaving_question(tournament: StoredTournament, me: int) -> list[str]:
    """Whether that is meant, and what it costs."""
    sentences = [_("Leave **{event}**?").format(event=tournament.name)]
    if member := tournament.gives_back_to(me):
        text = _(
            "Your place goes back to {player}: games in which nobody has moved begin anew with {player}, and the other "
            "games that you are playing are lost."
        )
        return [*sentences, text.format(player=f"<@{member}>")]
    sentences += texts_of(tournament).lost_by_leaving(tournament, me)
    if not tournament.format.has_returns:
        sentences.append(_(NO_RETURN))
    if _leaves_league(tournament, me):
        sentences.append(_("Then you will not play in any more seasons of the league."))
    return sentences


def leaving_answer(before: StoredTournament, after: StoredTournament, me: int) -> list[str]:
    """That somebody has left; the tournament ``before`` and ``after`` that."""
    sentences = [_("You have left **{event}**.").format(event=after.name)]
    if member := before.gives_back_to(me):
        return [*sentences, _("Your place goes back to {player}.").format(player=f"<@{member}>")]
    if after.state.phase is Phase.RUNNING and after.is_playing(me):
        sentences.append(_("Please finish the game you are playing."))
    if _leaves_league(before, me):
        sentences.append(_("You will not play in any more seasons of the league."))
    return sentences


def _leaves_league(tournament: StoredTournament, person: int) -> bool:
    """Whether whoever leaves a division leaves its league with it: a member for whom another plays on does not."""
    is_division = tournament.competition_id is not None and tournament.state.timing.at_once
    return is_division and person in tournament.state.by_person
