"""What everybody can ask with `/tournament`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from io import BytesIO
from typing import Literal

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.responses import defer_if_slow, reply_privately, reply_with_card, wants_words
from bot.chat.services import Services, services_of
from bot.chat.tournaments import pictures, texts
from bot.chat.tournaments.buttons import standings_page, text_button
from bot.chat.tournaments.group import GROUP, STATUSES, WHICH, TournamentOption, chosen_tournament
from bot.chat.tournaments.history import audit
from bot.chat.tournaments.standings_cards import picture_card
from bot.chat.visibility import may_see
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.model.state import Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases import export as files

_DRAWN: Mapping[str, pictures.Draw] = {
    "standings": pictures.standings,
    "crosstable": pictures.crosstable,
    "bracket": pictures.bracket,
}


@GROUP.command(name="standings", description="The standings of a tournament (only you see them)")
@app_commands.describe(tournament=WHICH, shown="What to see (default: the bracket of a knockout, or the standings)")
async def standings(
    interaction: Press,
    tournament: TournamentOption | None = None,
    shown: Literal["standings", "crosstable", "bracket", "text"] | None = None,
) -> None:
    services = services_of(interaction)
    meant = await chosen_tournament(interaction, tournament)
    if meant.state.phase is Phase.ENTRIES or meant.state.cancelled is not None:
        await reply_privately(interaction, texts.announcement(meant))
        return
    if shown == "text":
        await reply_with_card(interaction, standings_page(meant, interaction))
        return
    shown = shown or ("bracket" if meant.format.has_bracket else "standings")
    drawing = pictures.drawn(services.names, services.pictures, meant, _DRAWN[shown])
    drawn = await defer_if_slow(interaction, drawing)
    if not drawn:
        why = _("Only a Swiss or a round robin has a cross-table, once round 1 is paired.")
        if shown == "bracket":
            why = _("Only an elimination has a bracket.")
        raise Refused(why, event=meant.name)
    words = shown != "crosstable" and wants_words(interaction)
    card = picture_card(meant, drawn, text_button(meant), shown=shown, words=words, person=interaction.user.id)
    await reply_with_card(interaction, card)


@GROUP.command(name="history", description="What has happened in a tournament, and who did it")
@app_commands.describe(before="Only what happened before the event of this number", tournament=WHICH)
async def history(
    interaction: Press,
    before: app_commands.Range[int, 1, 1_000_000] | None = None,
    tournament: TournamentOption | None = None,
) -> None:
    await reply_privately(interaction, audit(await chosen_tournament(interaction, tournament), before))


@GROUP.command(name="list", description="The tournaments of this server")
async def tournament_list(interaction: Press) -> None:
    found = await services_of(interaction).tournaments.of_server(interaction.guild_id or 0)
    rows = [row for row in found if row.is_director(interaction.user.id) or await may_see(interaction, row.channel_id)]
    template = _("{number} **{event}** in {channel}: {status}")
    lines = [
        template.format(number=number, event=row.name, channel=f"<#{row.channel_id}>", status=_(STATUSES[row.status]))
        for number, row in texts.numbered(rows, lambda row: row.id)
    ]
    await reply_privately(interaction, "\n".join(lines) or _("There has been no tournament here yet."))


@GROUP.command(name="export", description="A tournament as a file")
@app_commands.describe(form="The kind of file", tournament=WHICH)
@app_commands.rename(form="format")
async def export(
    interaction: Press,
    form: Literal["trf26", "trf16", "csv", "json", "pdn"],
    tournament: TournamentOption | None = None,
) -> None:
    services = services_of(interaction)
    meant = await chosen_tournament(interaction, tournament)
    content = await defer_if_slow(interaction, _content(services, meant, form))
    if len(content) > interaction.filesize_limit:
        raise Refused(_("This is too much for one file here. Ask the person who runs this bot for `damero export`."))
    file = discord.File(BytesIO(content), f"tournament-{meant.id}.{files.ENDINGS[form]}")
    template = _("**{event}** as `{form}`.")
    await reply_privately(interaction, template.format(event=meant.name, form=form), file=file)


async def _content(services: Services, tournament: StoredTournament, form: str) -> bytes:
    people = {person for one in tournament.state.entrants for person in (one.person, *one.before) if person > 0}
    names = {person: await services.names.of(tournament.guild_id, person) for person in people}
    games = await services.tournaments.export.games_of(tournament) if form in ("json", "pdn") else []
    return (await asyncio.to_thread(files.content, tournament, form, names.__getitem__, games)).encode()
