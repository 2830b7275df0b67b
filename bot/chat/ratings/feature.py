"""`/me rating` and `/leaderboard`: how strong people are here. Answers are private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import discord
from discord import app_commands

from bot.chat.components import ActionButton, Press
from bot.chat.features import Feature
from bot.chat.games.paging import ListPage
from bot.chat.games.variant_option import VariantOption
from bot.chat.posting.cards import Card, Gallery, Section
from bot.chat.posting.picture_files import Picture
from bot.chat.reach import on_server
from bot.chat.responses import defer_if_slow, reply_privately, reply_with_card, wants_words
from bot.chat.services import Services, services_of
from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.ruleset import OF_SERVER
from bot.engine.variants import Variant
from bot.games.model.errors import Refused
from bot.i18n import _, day, labelled, ngettext, pgettext
from bot.presentation.board_scene import accent
from bot.ratings.glicko2 import RANKED_BELOW, RANKED_GAMES
from bot.ratings.leaderboards import RatingEntry
from bot.ratings.pools import EVERYWHERE, RatingPool
from render import charts
from render.charts.contents import Line, RatingCurve, RatingPoint, Table

_MOST = 20

OwnVariants: TypeAlias = Mapping[str, Variant]


@app_commands.command(description="Your ratings, or another player's")
@app_commands.describe(
    player="Whose ratings (default: yours)",
    everywhere="On all servers, not just this one",
    variant="The game for the graph (default: the one played most)",
)
async def rating(
    interaction: Press,
    player: discord.Member | discord.User | None = None,
    everywhere: bool = False,
    variant: VariantOption | None = None,
) -> None:
    services, guild_id = services_of(interaction), interaction.guild_id
    # Only servers that have the bot have ratings of their own.
    everywhere = everywhere or not on_server(interaction)
    person = interaction.user.id if player is None else player.id
    ratings = await services.ratings.of_person(person, EVERYWHERE if everywhere else guild_id or EVERYWHERE)
    if not ratings:
        raise Refused(
            _("No rated games yet. Games started with `/play rated:True` and games of rated events are rated.")
        )
    own = await _own_variants(services, guild_id)
    template = _("Ratings of {player} on all servers:") if everywhere else _("Ratings of {player} on this server:")
    lines = [
        labelled(f"- {_pool_text(each.pool, own)}", f"**{each.shown}** (±{each.spread}, {_games_text(each.games)})")
        for each in ratings
    ]
    head = template.format(player=f"<@{person}>")
    of_game = [each for each in ratings if variant is None or variant.id == each.pool.variant]
    most = max(of_game or ratings, key=lambda each: each.games)
    drawn = await defer_if_slow(interaction, _graph(services, guild_id, own, most)) if of_game else None
    finished = ActionButton.of(ListPage("history", person, 0), pgettext("button", "Finished games"))
    # Of one game the line above says it all.
    told = most.games == 1 and wants_words(interaction)
    gallery = [] if drawn is None else [Gallery([drawn], told)]
    drawn_game = _variant(most.pool, own)
    colour = None if drawn_game is None else accent(drawn_game)
    await reply_with_card(interaction, Card([Section("\n".join([head, *lines]), finished), *gallery], colour))


async def _graph(services: Services, guild_id: int | None, own: OwnVariants, entry: RatingEntry) -> Picture | None:
    """How a rating has changed, game by game; nothing where no game of it is kept."""
    points = await services.ratings.history(entry.person, entry.pool)
    if not points:
        return None
    name = await services.names.of(guild_id, entry.person)
    pool, games = _pool_text(entry.pool, own), _games_text(entry.games)
    curve = RatingCurve(
        tuple(RatingPoint(float(point.at), point.value, point.deviation or 0.0) for point in points),
        name,
        labelled(f"{pool}, {_where(entry.pool)}", games),
        day(points[0].at),
        day(points[-1].at) if len(points) > 1 else "",
        entry.shown,
    )
    png = await services.pictures.drawn(lambda: charts.draw(curve))
    values = [round(point.value) for point in points]
    words = _("{player}, {pool}: rating {now} after {games}, {first}.")
    if len(points) > 1:
        words = _("{player}, {pool}: rating {now} after {games}, between {least} and {most}, from {first} to {last}.")
    fields = {"player": name, "pool": pool, "now": entry.shown, "games": games}
    extremes = {"least": min(values), "most": max(values), "first": day(points[0].at), "last": day(points[-1].at)}
    return Picture("rating.png", png, words.format(**fields, **extremes))


@app_commands.command(description="The strongest players of a game here")
@app_commands.describe(
    variant="The game",
    live="Live games (default: correspondence games)",
    table="Tables of three to six (default: games for two)",
    everywhere="On all servers",
)
async def leaderboard(
    interaction: Press, variant: VariantOption, live: bool = False, table: bool = False, everywhere: bool = False
) -> None:
    services, guild_id = services_of(interaction), interaction.guild_id
    if table and "players" not in variant.option_specs:
        raise Refused(_("{game} is a game for two. Leave `table` out.").format(game=variant.name))
    pool = RatingPool(variant.id, not live, table, EVERYWHERE if everywhere else guild_id or EVERYWHERE)
    ratings = await services.ratings.in_pool(pool)
    own = await _own_variants(services, guild_id)
    ranked = [each for each in ratings if each.ranked]
    if not ranked:
        nobody = _(
            "Nobody is ranked yet: you need {games} rated games, and a rating that is sure to less than ±{spread}."
        )
        if table:
            nobody = _("Nobody is ranked yet: you need {games} rated games.")
        nobody = nobody.format(games=RANKED_GAMES, spread=round(RANKED_BELOW))
        await reply_privately(interaction, f"**{_pool_text(pool, own)}**\n{nobody}")
        return
    lines = [
        f"{place}. <@{each.person}> **{each.shown}** ({_games_text(each.games)})"
        for place, each in enumerate(ranked[:_MOST], start=1)
    ]
    if unranked := len(ratings) - len(ranked):
        template = ngettext("{count} more is not ranked yet.", "{count} more are not ranked yet.", unranked)
        lines.append(template.format(count=unranked))
    text = "\n".join([f"**{_pool_text(pool, own)}**", *lines])
    drawn = await defer_if_slow(interaction, _table(services, guild_id, own, pool, ranked[:_MOST]))
    await reply_privately(interaction, text, file=drawn.file())


async def _table(
    services: Services, guild_id: int | None, own: OwnVariants, pool: RatingPool, ranked: Sequence[RatingEntry]
) -> Picture:
    """The ranked of a pool, the strongest first."""
    lines = []
    for place, each in enumerate(ranked, start=1):
        name = await services.names.of(guild_id, each.person)
        medal = place if place <= 3 else 0
        lines.append(Line(place, name, (each.shown, f"±{each.spread}", str(each.games)), medal=medal))
    title, where = _pool_text(pool, own), _where(pool)
    table = Table(title, where, _("Player"), (_("Rating"), "", _("Games")), tuple(lines))
    pages = await services.pictures.drawn(lambda: charts.pages(table))
    best = "; ".join(f"{line.rank}. {line.name} {line.values[0]}" for line in lines)
    return Picture("leaderboard.png", pages[0], labelled(f"{title}, {where}", best)[:1000])


def _where(pool: RatingPool) -> str:
    return _("all servers") if pool.server == EVERYWHERE else _("this server")


def _games_text(count: int) -> str:
    return ngettext("{count} game", "{count} games", count).format(count=count)


def _pool_text(pool: RatingPool, own: OwnVariants) -> str:
    slow = pool.correspondence
    if pool.table:
        text = _("{game}, three or more, correspondence") if slow else _("{game}, three or more, live")
    else:
        text = _("{game}, correspondence") if slow else _("{game}, live")
    variant = _variant(pool, own)
    return text.format(game=pool.variant.partition(OF_SERVER)[0] if variant is None else variant.name)


def _variant(pool: RatingPool, own: OwnVariants) -> Variant | None:
    """The game of a pool; None where it is not there any more."""
    try:
        return own.get(pool.variant) or variants.load(pool.variant)
    except VariantError:
        return None


async def _own_variants(services: Services, guild_id: int | None) -> OwnVariants:
    """The variants of a server's own, by id."""
    own = await services.games.variants.of(guild_id)
    return {each.ruleset.id: each.variant for each in own if each.variant is not None}


def setup(_client: discord.Client, _services: Services) -> Feature:
    """The feature: commands, and no more."""
    return Feature(commands=(leaderboard,), of_me=(rating,))
