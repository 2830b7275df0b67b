"""What a director does with `/tournament`: what is done most. All else stands behind *Manage*."""

from __future__ import annotations

from discord import app_commands

from bot.chat.components import LONGEST_CHOICE, MOST_CHOICES, Press
from bot.chat.responses import defer_if_slow, reply_privately
from bot.chat.services import services_of
from bot.chat.tournaments.bracket_texts import match_line
from bot.chat.tournaments.buttons import confirm_view, result_of
from bot.chat.tournaments.group import (
    GROUP,
    WHICH,
    Person,
    TournamentOption,
    TournamentTransformer,
    asked,
    chosen_tournament,
    listed,
)
from bot.chat.tournaments.manage.decisions import Decision, ask, decide, not_here, warning
from bot.chat.tournaments.manage.manage_panel import show_panel
from bot.chat.tournaments.preview_texts import preview
from bot.chat.wording.message_text import fitting
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.formats.format import RESULTS
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored import Stored
from bot.tournaments.use_cases.direction import check_players

_RESULTS = [app_commands.Choice(name=name, value=name) for name in RESULTS]


@GROUP.command(name="start", description="Close entries and begin (director)")
@app_commands.describe(tournament=WHICH)
async def start(interaction: Press, tournament: TournamentOption | None = None) -> None:
    meant = await chosen_tournament(interaction, tournament)
    meant.check_directed(interaction.user.id)
    check_players(meant)
    others = [row for row in await listed(interaction, 25) if _is_open(row, meant.channel_id)]
    if warning(meant) or (tournament is None and len(others) > 1):
        await ask(interaction, meant, Decision("start"))
        return
    await decide(interaction, meant, Decision("start"))


def _is_open(row: Stored, channel: int) -> bool:
    return row.channel_id == channel and row.status == Phase.ENTRIES


@GROUP.command(name="pair", description="Pair and begin the next round (director)")
@app_commands.describe(tournament=WHICH)
async def pair(interaction: Press, tournament: TournamentOption | None = None) -> None:
    meant = await chosen_tournament(interaction, tournament)
    if meant.is_director(interaction.user.id) and (gone := await not_here(interaction, meant)):
        await ask(interaction, meant, Decision("pair"), gone)
        return
    await decide(interaction, meant, Decision("pair"))


@GROUP.command(name="manage", description="Times, limits, players, rounds, undo and everything else (director)")
@app_commands.describe(tournament=WHICH)
async def manage(interaction: Press, tournament: TournamentOption | None = None) -> None:
    await show_panel(interaction, await chosen_tournament(interaction, tournament))


@GROUP.command(name="result", description="Enter or correct a result, with a preview (director)")
@app_commands.describe(
    player="Whose result it is",
    result="What the player did",
    round="The round, or the number of an arena's game (default: the last one)",
    match="In a knockout, which match; with two games a round, 1 or 2 (default: the current one)",
    tournament=WHICH,
)
@app_commands.choices(result=_RESULTS)
async def result(
    interaction: Press,
    player: Person,
    result: str,
    round: app_commands.Range[int, 1, 10_000] | None = None,
    match: app_commands.Range[str, 1, 10] | None = None,
    tournament: TournamentOption | None = None,
) -> None:
    tournaments, meant, _asker = await asked(interaction, tournament)
    if match and not (meant.format.has_bracket or meant.settings.both):
        raise Refused(_("This tournament has no matches. Leave `match` out."), event=meant.name)
    if round and meant.format.has_bracket:
        raise Refused(_("A knockout has no rounds here. Choose the match with `match`."), event=meant.name)
    key = match.upper() if match else None
    work = tournaments.results.preview(meant.id, interaction.user.id, player.id, result, round, key)
    shown = await defer_if_slow(interaction, work)
    view = confirm_view(meant, shown, result_of(meant, player.id, result, shown.action))
    await reply_privately(interaction, fitting(f"**{meant.name}**\n{preview(meant, shown)}"), view=view)


@result.autocomplete("match")
async def _matches(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    """The matches of a knockout that the chosen player has come to."""
    given = interaction.namespace
    name, player = getattr(given, "tournament", None), getattr(given, "player", None)
    try:
        number = await TournamentTransformer().transform(interaction, name) if name else None
        meant = await chosen_tournament(interaction, number)
    except Refused:
        return []
    entrant = meant.state.by_person.get(player.id) if player else None
    if entrant is None or not meant.format.has_bracket or meant.state.phase is Phase.ENTRIES:
        return []
    choices, typed = [], current.strip().casefold()
    for match in meant.state.bracket.matches.values():
        if entrant.number in match.players and all(match.players):
            people = {number: meant.state.by_number[number].person for number in match.players if number}
            names = {n: await services_of(interaction).names.of(meant.guild_id, one) for n, one in people.items()}
            line = match_line(meant, match, names)
            if typed in line.casefold():
                choices.append(app_commands.Choice(name=line[:LONGEST_CHOICE], value=match.match.key))
    return choices[-MOST_CHOICES:]
