"""`/tournament`: an event from its announcement to its podium."""

from __future__ import annotations

import asyncio
import json
from io import BytesIO
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat import event_texts as texts
from bot.chat.answers import answering, tell
from bot.chat.commands.play import CLOCK_CHOICES, VARIANT_CHOICES, options_of
from bot.chat.desk import Desk
from bot.chat.event_buttons import carried, confirm_view, need_text, why_text
from bot.chat.presses import check_allowed, source_of
from bot.engine import variants
from bot.engine.refusals import VariantError
from bot.games.clock import NONE
from bot.games.game import Place
from bot.games.refused import Refused
from bot.tournaments import exports
from bot.tournaments.desk import Held
from bot.tournaments.events import ByeAsked, Forbade, Kind, Plan, Substituted
from bot.tournaments.record import CHESS, DRAUGHTS, Mark
from bot.tournaments.refused import TournamentError
from bot.tournaments.service import KINDS, MOST_ROUNDS, RESULTS, SEEDINGS
from bot.tournaments.state import Phase
from bot.tournaments.tiebreaks import parse
from bot.tournaments.trf_writing import Format, write

Press = discord.Interaction[Any]
Number = app_commands.Range[int, 1, 2**53 - 1]
Round = app_commands.Range[int, 1, MOST_ROUNDS]

_KINDS = [app_commands.Choice(name=str(kind).capitalize(), value=str(kind)) for kind in KINDS]
_SEEDINGS = [app_commands.Choice(name=f"By {name}", value=name) for name in SEEDINGS]
_RESULTS = [app_commands.Choice(name=name, value=name) for name in RESULTS]
_CLOCKS = [choice for choice in CLOCK_CHOICES if choice.value != NONE]
_WHICH = "The tournament's number; left out, the one of this channel"


class Tournament(commands.Cog):
    """Events. Who directs one is asked at each command."""

    tournament = app_commands.Group(name="tournament", description="Swiss, round robin and elimination events")

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def _which(self, interaction: Press, number: int | None) -> Held:
        """The tournament that is meant, of this server. Raises Refused."""
        if number is None:
            channel = interaction.channel
            here = channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id
            number = await self.desk.tournaments.here(here or 0)
        held = await self.desk.tournaments.held(number)
        if held.row.guild_id != interaction.guild_id:
            raise Refused(f"There is no tournament {number} on this server.")
        return held

    @tournament.command(name="create", description="Announce a tournament in this channel; you direct it")
    @app_commands.describe(
        name="What it is called",
        kind="Who meets whom",
        variant="The game that is played",
        clock="How much time there is for the moves",
        rounds="How many rounds (of a Swiss)",
        late_until="Late entries until this round is paired (of a Swiss)",
        rules="House rules such as quiet_moves=40",
        rated="Whether games change ratings; left out, they do",
        order="How the players are ordered at the start; left out, by rating",
        scoring="What a win is worth; left out, 1 point and ½ for a draw",
        most="How many can play; others wait",
        tie_breaks="In their order, as PTS,BH-C1,BH,SB,WIN,DE",
    )
    @app_commands.choices(kind=_KINDS, variant=VARIANT_CHOICES, clock=_CLOCKS, order=_SEEDINGS)
    async def create(
        self,
        interaction: Press,
        name: app_commands.Range[str, 1, 80],
        kind: str,
        variant: str,
        clock: str,
        rounds: Round | None = None,
        late_until: Round | None = None,
        rules: app_commands.Range[str, 1, 200] | None = None,
        rated: bool = True,
        order: str = "rating",
        scoring: Literal["1-½-0", "2-1-0"] = "1-½-0",
        most: app_commands.Range[int, 2, 256] | None = None,
        tie_breaks: app_commands.Range[str, 1, 100] | None = None,
    ) -> None:
        async with answering(interaction, self.desk):
            may = interaction.permissions
            if not (may.manage_guild or may.manage_events):
                raise Refused("To create a tournament you need the permission **Manage Events** on this server.")
            if not isinstance(interaction.channel, discord.TextChannel):
                raise Refused("A tournament needs a channel in which its games can have threads.")
            check_allowed(interaction, opens_thread=True)
            try:
                chosen = variants.load(variant, options_of(rules or "", variant))
                known: dict[str, Any] = {} if tie_breaks is None else {"tie_breaks": parse(tie_breaks.upper())}
                plan = Plan(
                    kind=next(one for one in KINDS if str(one) == kind),
                    rounds=rounds or 0,
                    points=DRAUGHTS if scoring == "2-1-0" else CHESS,
                    late_until=late_until or 0,
                    limit=most or 0,
                    **known,
                )
            except (VariantError, TournamentError) as error:
                raise Refused(error.message) from error
            if chosen.family == "star" and chosen.options.get("players", 2) not in (2, "2"):
                raise Refused("Tournaments are for games of two here.")
            held = await self.desk.tournaments.create(
                source=source_of(interaction),
                director=interaction.user.id,
                name=discord.utils.escape_markdown(name),
                plan=plan,
                variant_id=variant,
                options=chosen.chosen,
                clock=clock,
                rated=rated,
                seeding=order,
                place=Place(interaction.guild_id, interaction.channel_id or 0),
            )
            text = f"Tournament {held.row.id} is announced below. When all have joined: `/tournament start`."
            await tell(interaction, text)

    @tournament.command(name="start", description="Close the entries and begin (director)")
    @app_commands.describe(number=_WHICH)
    async def start(self, interaction: Press, number: Number | None = None) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            work = self.desk.tournaments.start(held.row.id, interaction.user.id, source_of(interaction))
            held = await self.desk.in_time(interaction, work)
            planned, players = held.plan.rounds, len(held.state.by_number)
            warning = ""
            if planned >= players:
                warning = f" Mind: {planned} rounds are many for {players} players; some will meet twice."
            await tell(interaction, f"It has begun with {players} players.{warning}")

    @tournament.command(name="pair", description="Pair and begin the next round (director)")
    @app_commands.describe(number=_WHICH)
    async def pair(self, interaction: Press, number: Number | None = None) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            work = self.desk.tournaments.pair(held.row.id, interaction.user.id, source_of(interaction))
            held = await self.desk.in_time(interaction, work)
            await tell(interaction, f"Round {held.state.rounds_paired} is paired; its games are open.")

    @tournament.command(name="finish", description="End the tournament and post the podium (director)")
    @app_commands.describe(number=_WHICH)
    async def finish(self, interaction: Press, number: Number | None = None) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            await self.desk.tournaments.finish(held.row.id, interaction.user.id, source_of(interaction))
            await tell(interaction, "The tournament is over; the standings are final.")

    @tournament.command(name="withdraw", description="Leave a tournament, or take a player out of it (director)")
    @app_commands.describe(player="Whom to take out; left out, yourself", number=_WHICH)
    async def withdraw(
        self, interaction: Press, player: discord.Member | discord.User | None = None, number: Number | None = None
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            me = interaction.user.id
            person = me if player is None else player.id
            await self.desk.tournaments.leave(held.row.id, person, me, source_of(interaction))
            text = f"<@{person}> is out of **{held.row.name}**."
            if held.state.phase is Phase.RUNNING:
                text += " A game that is going on is still to be played."
            await tell(interaction, text)

    @tournament.command(name="result", description="Write down or correct a result, with a preview (director)")
    @app_commands.describe(
        player="Whose result it is",
        result="What the player did",
        round="The round; left out, the last one",
        match="Of an elimination: the match, as W1-1; left out, the one that is played",
        number=_WHICH,
    )
    @app_commands.choices(result=_RESULTS)
    async def result(
        self,
        interaction: Press,
        player: discord.Member | discord.User,
        result: str,
        round: Round | None = None,
        match: app_commands.Range[str, 1, 10] | None = None,
        number: Number | None = None,
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            key = match.upper() if match else None
            work = self.desk.tournaments.preview(held.row.id, interaction.user.id, player.id, result, round, key)
            shown = await self.desk.in_time(interaction, work)
            view = confirm_view(held, shown, carried(player.id, result, round, key))
            await tell(interaction, texts.preview(held, shown), view=view)

    @tournament.command(name="director", description="Let somebody else direct the tournament too (director)")
    @app_commands.describe(person="Who is to direct it too", number=_WHICH)
    async def director(
        self, interaction: Press, person: discord.Member | discord.User, number: Number | None = None
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            if person.bot:
                raise Refused("A bot cannot direct a tournament.")
            manages = interaction.permissions.manage_guild
            source = source_of(interaction)
            await self.desk.tournaments.add_director(
                held.row.id, person.id, interaction.user.id, source, manages=manages
            )
            await tell(interaction, f"<@{person.id}> directs **{held.row.name}** too.")

    @tournament.command(name="substitute", description="Let somebody play on in a player's place (director)")
    @app_commands.describe(player="Who stops", substitute="Who plays on, with all that was scored", number=_WHICH)
    async def substitute(
        self,
        interaction: Press,
        player: discord.Member | discord.User,
        substitute: discord.Member | discord.User,
        number: Number | None = None,
    ) -> None:
        async with answering(interaction, self.desk):
            if substitute.bot:
                raise Refused("Bots do not play. Name a person.")
            held = await self._which(interaction, number)
            await self._decide(interaction, held, Substituted(player.id, substitute.id))
            text = f"<@{substitute.id}> plays on for <@{player.id}>; a game that is going on is still <@{player.id}>'s."
            await tell(interaction, text)

    @tournament.command(name="bye", description="Let a player sit out a round of a Swiss (director)")
    @app_commands.describe(player="Who sits out", round="A round that is not paired yet", worth="What it counts as")
    async def bye(
        self,
        interaction: Press,
        player: discord.Member | discord.User,
        round: Round,
        worth: Literal["half a point", "nothing"] = "half a point",
        number: Number | None = None,
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            mark = Mark.ZERO_BYE if worth == "nothing" else Mark.HALF_BYE
            if held.plan.kind is not Kind.SWISS or not held.state.rounds_paired < round <= held.plan.rounds:
                raise Refused("A bye is for a round of a Swiss that is not paired yet.")
            await self._decide(interaction, held, ByeAsked(_number(held, player.id), round, mark))
            await tell(interaction, f"<@{player.id}> sits out round {round}; it counts as {worth}.")

    @tournament.command(name="forbid", description="Two players of a Swiss shall not meet from now on (director)")
    @app_commands.describe(player="One of the two", other="The other", number=_WHICH)
    async def forbid(
        self,
        interaction: Press,
        player: discord.Member | discord.User,
        other: discord.Member | discord.User,
        number: Number | None = None,
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            if held.plan.kind is not Kind.SWISS:
                raise Refused("Only in a Swiss can a pairing be forbidden.")
            await self._decide(interaction, held, Forbade(_number(held, player.id), _number(held, other.id)))
            await tell(interaction, f"<@{player.id}> and <@{other.id}> are not paired from now on.")

    async def _decide(self, interaction: Press, held: Held, action: Substituted | ByeAsked | Forbade) -> None:
        await self.desk.tournaments.decide(held.row.id, interaction.user.id, source_of(interaction), action)

    @tournament.command(name="standings", description="How a tournament stands, for your eyes only")
    @app_commands.describe(number=_WHICH)
    async def standings(self, interaction: Press, number: Number | None = None) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            entries = held.state.phase is Phase.ENTRIES
            await tell(interaction, texts.announcement(held) if entries else texts.standings(held))

    @tournament.command(name="history", description="What has been done in a tournament, by whom")
    @app_commands.describe(number=_WHICH)
    async def history(self, interaction: Press, number: Number | None = None) -> None:
        async with answering(interaction, self.desk):
            await tell(interaction, texts.audit(await self._which(interaction, number)))

    @tournament.command(name="why", description="Why you meet this opponent")
    @app_commands.describe(round="The round; left out, the last one", number=_WHICH)
    async def why(
        self,
        interaction: Press,
        round: Round | None = None,
        number: Number | None = None,
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            await tell(interaction, why_text(held, interaction.user.id, round or 0))

    @tournament.command(name="need", description="Which places you can still reach")
    @app_commands.describe(number=_WHICH)
    async def need(self, interaction: Press, number: Number | None = None) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            await tell(interaction, need_text(held, interaction.user.id))

    @tournament.command(name="list", description="The tournaments of this server")
    async def list(self, interaction: Press) -> None:
        async with answering(interaction, self.desk):
            rows = await self.desk.tournaments.of_server(interaction.guild_id or 0)
            lines = [f"{row.id}. **{row.name}** in <#{row.channel_id}>: {row.status}" for row in rows]
            await tell(interaction, "\n".join(lines) or "There has been no tournament here yet.")

    @tournament.command(name="export", description="A tournament as a file")
    @app_commands.describe(form="The kind of file", number=_WHICH)
    @app_commands.rename(form="format")
    async def export(
        self, interaction: Press, form: Literal["trf26", "trf16", "csv", "json"], number: Number | None = None
    ) -> None:
        async with answering(interaction, self.desk):
            held = await self._which(interaction, number)
            content = await self.desk.in_time(interaction, self._content(held, form))
            ending = "trf" if form.startswith("trf") else form
            file = discord.File(BytesIO(content.encode()), f"tournament-{held.row.id}.{ending}")
            await tell(interaction, f"**{held.row.name}** as `{form}`.", file=file)

    async def _content(self, held: Held, form: str) -> str:
        state = held.state
        if not state.by_number:
            raise Refused("The tournament has not begun.")
        names = {
            number: await self.desk.names.of(held.row.guild_id, entrant.person) if entrant.person > 0 else "a player"
            for number, entrant in state.by_number.items()
        }

        def made() -> str:
            if form == "csv":
                return exports.as_csv(state, names.__getitem__)
            if form == "json":
                values = exports.as_values(state, held.events, names.__getitem__)
                return json.dumps({"name": held.row.name, "variant": held.row.variant_id} | values, indent=2)
            return write(exports.report(state, held.row.name, names.__getitem__), Format(form))

        try:
            return await asyncio.to_thread(made)
        except TournamentError as error:
            raise Refused(error.message) from error


def _number(held: Held, person: int) -> int:
    """A player's starting number. Raises Refused."""
    entrant = held.state.by_person.get(person)
    if entrant is None or not entrant.number:
        raise Refused(f"<@{person}> does not play in this tournament, or it has not begun.")
    return entrant.number
