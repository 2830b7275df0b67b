"""`/teams`: matches by boards between two servers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.chat.competitions import league_commands
from bot.chat.competitions.creation_forms import CreationForm
from bot.chat.competitions.league_commands import CompetitionAction, press
from bot.chat.competitions.team_texts import ask_question, cancel_question, match_text, named, request_text
from bot.chat.components import ActionButton, ButtonStyle, Press, view_of
from bot.chat.games.choices import TIMED_CHOICES
from bot.chat.games.variant_option import TypedShippedVariant
from bot.chat.responses import defer_if_slow, replace, reply_privately, source_of
from bot.chat.services import Services, services_of
from bot.chat.tournaments.group import NO_BOTS, manages_events
from bot.chat.tournaments.new_tournament import whole
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.i18n import _, labelled
from bot.tournaments.persistence.stored import Stored
from bot.tournaments.persistence.stored_competition import Competition
from bot.tournaments.team_matches.model import MOST_BOARDS, TeamMatch
from bot.tournaments.team_matches.service import TEAM_MATCHES, check_not_over
from bot.tournaments.use_cases.work import Overtaken

_WHICH = "The match (default: the one in this channel)"


class MatchTransformer(league_commands.CompetitionTransformer):
    none = TEAM_MATCHES.none_on_server

    async def listed(self, interaction: Press) -> Sequence[Stored]:
        return await league_commands.listed(services_of(interaction).team_matches.competitions, interaction)


MatchOption: TypeAlias = app_commands.Transform[int, MatchTransformer]

TEAMS = app_commands.Group(name="teams", description="Team matches against another server, board by board")


@TEAMS.command(name="challenge", description="Challenge another server; its manager accepts with your code")
@app_commands.describe(
    name="What the match is called",
    variant="The game",
    clock="How much time there is to move",
    boards="How many play on each side",
    server="The other server's id, so that nobody else can accept",
    rules="House rules such as quiet_moves=40",
    rated="Whether games change the ratings of all servers (default: yes)",
)
@app_commands.choices(clock=TIMED_CHOICES)
async def challenge(
    interaction: Press,
    name: app_commands.Range[str, 1, 60],
    variant: TypedShippedVariant,
    clock: str,
    boards: app_commands.Range[int, 1, MOST_BOARDS],
    server: app_commands.Range[str, 1, 20] | None = None,
    rules: app_commands.Range[str, 1, 200] | None = None,
    rated: bool | None = None,
) -> None:
    await _CHALLENGE.begin(interaction, locals())


async def _challenge(interaction: Press, typed: Mapping[str, str]) -> str:
    server = typed.get("server", "").strip()
    if server and not re.fullmatch("[0-9]{1,20}", server):
        raise Refused(_("A server's id is a number: with Discord's developer mode, *Copy Server ID*."))
    new = await league_commands.new_competition(interaction, typed, own=False)
    boards = whole(typed, "boards", 1, MOST_BOARDS) or 0
    to = int(server) if server else None
    competition = await services_of(interaction).team_matches.challenge(new, boards, to, source_of(interaction))
    text = _(
        "**{name}** is announced below. Give this code to a manager of the other server, who accepts"
        " with `/teams accept code:{code}`."
    )
    return text.format(name=competition.name, code=competition.code)


_CHALLENGE: Final = CreationForm(
    "challenge",
    ("name", "variant", "clock", "boards", "server"),
    ("rules", "rated"),
    league_commands.check_may_create,
    _challenge,
)


@TEAMS.command(name="accept", description="Accept another server's challenge; your games are played in this channel")
@app_commands.describe(code="The code that the other server has given you")
async def accept(interaction: Press, code: app_commands.Range[str, 1, 20]) -> None:
    league_commands.check_may_create(interaction)
    place = Place(interaction.guild_id, interaction.channel_id or 0)
    team_matches = services_of(interaction).team_matches
    competition = await team_matches.accept(code, interaction.user.id, place, source_of(interaction))
    text = _("**{name}** is accepted. Name your {count} players with `/teams lineup`, the first board first.")
    await reply_privately(interaction, text.format(name=competition.name, count=competition.state.plan.boards))


@TEAMS.command(name="lineup", description="Name your team, the first board first")
@app_commands.describe(players="Mention them in board order: @one @two @three", match=_WHICH)
async def lineup(
    interaction: Press, players: app_commands.Range[str, 1, 1000], match: MatchOption | None = None
) -> None:
    team_matches = services_of(interaction).team_matches
    competition = await league_commands.chosen_competition(team_matches.competitions, interaction, match)
    people = [int(person) for person in re.findall(r"<@!?([0-9]{1,20})>", players)]
    await _check_members(interaction, people)
    assert interaction.guild_id is not None
    me, source, manages = interaction.user.id, source_of(interaction), manages_events(interaction)
    work = team_matches.line_up(competition.id, interaction.guild_id, me, people, source, manages=manages)
    before, competition = competition.state, await defer_if_slow(interaction, work)
    now = competition.state
    if before.tournament and (now.home, now.away) == (before.home, before.away):
        text = _("**{name}**: your lineup is in, as it was.")
    elif before.tournament:
        text = _("**{name}**: your lineup is changed. The games of those who are new begin anew.")
    elif now.tournament:
        text = _("**{name}**: both lineups are in, and the match has begun.")
    else:
        text = _("**{name}**: your lineup is in. The match begins when the other team's is in too.")
    boards = (f"{board}. <@{person}>" for board, person in enumerate(people, start=1))
    await reply_privately(interaction, "\n".join([text.format(name=competition.name), *boards]))


async def _check_members(interaction: Press, people: list[int]) -> None:
    """Raises Refused where somebody is not on this server, or is a bot."""
    assert interaction.guild is not None
    for person in people[:MOST_BOARDS]:
        try:
            member = await interaction.guild.fetch_member(person)
        except discord.NotFound:
            text = _("<@{person}> is not on this server. A team's players are members of its server.")
            raise Refused(text.format(person=person)) from None
        if member.bot:
            raise Refused(_(NO_BOTS))
        services_of(interaction).names.learn(member)


@TEAMS.command(name="standings", description="The score of a team match (only you see it)")
@app_commands.describe(match=_WHICH)
async def standings(interaction: Press, match: MatchOption | None = None) -> None:
    services = services_of(interaction)
    competition = await league_commands.chosen_competition(services.team_matches.competitions, interaction, match)
    text = await match_text(
        interaction.client, services.team_matches, services.names, competition, interaction.guild_id
    )
    state = competition.state
    if competition.is_director(interaction.user.id) and not (state.captain or state.called_off):
        template = _("The other server accepts with this code, which only you see: `/teams accept code:{code}`")
        text = f"{text}\n{template.format(code=competition.code)}"
    await reply_privately(interaction, text)


@TEAMS.command(name="cancel", description="Cancel a match; once it has begun, the other team must agree")
@app_commands.describe(match=_WHICH)
async def cancel(interaction: Press, match: MatchOption | None = None) -> None:
    competitions = services_of(interaction).team_matches.competitions
    competition = await league_commands.chosen_competition(competitions, interaction, match)
    text, view = _asked_to_cancel(interaction, competition)
    await reply_privately(interaction, text, view=view)


def _asked_to_cancel(interaction: Press, match: Competition[TeamMatch]) -> tuple[str, discord.ui.View]:
    """What is lost, and the buttons that decide it: once the match has begun, both sides must want it. Raises
    Refused."""
    assert interaction.guild_id is not None
    client, state = interaction.client, match.state
    home = check_not_over(match, interaction.guild_id, interaction.user.id, manages=manages_events(interaction))
    if not state.tournament:
        carried = CompetitionAction("calloff", match.id, match.last)
        button = ActionButton.of(carried, _("Cancel the match"), ButtonStyle.danger)
        return cancel_question(client, match, home=home), view_of([button])
    number = len(state.requests)
    if state.asking == (not home):
        return request_text(client, match, number), request_view(match, number)
    button = ActionButton.of(CompetitionAction("askoff", match.id, match.last), _("Ask to cancel"), ButtonStyle.danger)
    if state.asking is not None:
        button = ActionButton.of(CompetitionAction("playon", match.id, number), _("Take the request back"))
    return ask_question(client, match, home=home), view_of([button])


def request_view(match: Competition[TeamMatch], number: int) -> discord.ui.View:
    """Under the question whether a match is to be cancelled, while that is open."""
    agree = ActionButton.of(CompetitionAction("agree", match.id, number), _("Agree and cancel"), ButtonStyle.danger)
    decline = ActionButton.of(CompetitionAction("playon", match.id, number), _("Play on"))
    is_open = match.state.asking is not None and number == len(match.state.requests)
    return view_of([agree, decline] if is_open else [])


@press.on("calloff")
async def _press_cancel(button: CompetitionAction, interaction: Press, services: Services) -> None:
    number, guild_id, me, source = await _presser(button, interaction, services)
    manages, team_matches = manages_events(interaction), services.team_matches
    try:
        match = await team_matches.call_off(number, guild_id, me, source, manages=manages, last=button.number)
    except Overtaken:
        await _ask_again(interaction, services, number)
    else:
        await replace(interaction, _("**{name}** is cancelled.").format(name=match.name))


@press.on("askoff")
async def _press_ask(button: CompetitionAction, interaction: Press, services: Services) -> None:
    number, guild_id, me, source = await _presser(button, interaction, services)
    manages, team_matches = manages_events(interaction), services.team_matches
    try:
        match = await team_matches.ask_to_cancel(number, guild_id, me, source, manages=manages, last=button.number)
    except Overtaken:
        await _ask_again(interaction, services, number)
    else:
        text = _("**{name}**: the other team is asked. `/teams cancel` takes it back.")
        await replace(interaction, text.format(name=match.name))


@press.on("agree")
async def _press_agree(button: CompetitionAction, interaction: Press, services: Services) -> None:
    match = await _answer(button, interaction, services, agreed=True)
    await reply_privately(interaction, _("**{name}** is cancelled.").format(name=match.name))


@press.on("playon")
async def _press_play_on(button: CompetitionAction, interaction: Press, services: Services) -> None:
    match = await _answer(button, interaction, services, agreed=False)
    await reply_privately(interaction, _("**{name}** goes on.").format(name=match.name))


async def _answer(
    button: CompetitionAction, interaction: Press, services: Services, *, agreed: bool
) -> Competition[TeamMatch]:
    number, guild_id, me, source = await _presser(button, interaction, services)
    manages, request = manages_events(interaction), button.number
    work = services.team_matches.answer_to_cancel(
        number, guild_id, me, source, manages=manages, request=request, agreed=agreed
    )
    return await defer_if_slow(interaction, work)


async def _ask_again(interaction: Press, services: Services, number: int) -> None:
    text, view = _asked_to_cancel(interaction, await services.team_matches.competitions.load(number))
    await replace(interaction, f"{_('The match has moved on since you were asked.')} {text}", view)


async def _presser(button: CompetitionAction, interaction: Press, services: Services) -> tuple[int, int, int, str]:
    """The match of a button, the server where it was pressed, by whom, and the source of that. Raises Refused."""
    await league_commands.chosen_competition(services.team_matches.competitions, interaction, button.competition)
    assert interaction.guild_id is not None
    return button.competition, interaction.guild_id, interaction.user.id, source_of(interaction)


@TEAMS.command(name="list", description="The team matches of this server")
async def team_match_list(interaction: Press) -> None:
    rows = await league_commands.listed(services_of(interaction).team_matches.competitions, interaction)
    lines = [
        labelled(
            f"- {named(interaction.client, row, home=row.guild_id == interaction.guild_id)}",
            _("cancelled") if row.state.called_off else _(league_commands.STATUSES[row.status]),
        )
        for row in rows
    ]
    await reply_privately(interaction, "\n".join(lines) or _("There has been no team match here yet."))
