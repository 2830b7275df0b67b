"""`/play`: a challenge, with its variant, opponent, side and rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import answering, tell
from bot.chat.buttons import COLOURS
from bot.chat.desk import Desk
from bot.chat.presses import check_allowed, check_channel, source_of
from bot.engine import variants
from bot.engine.catalogue import rules_for
from bot.engine.refusals import VariantError
from bot.engine.variants import OptionSpec, OptionValue, Variant, show
from bot.games.clock import CONTROLS, NONE
from bot.games.game import Place, Side
from bot.games.refused import Refused

_MOST = 25
_LONGEST_CHOICE = 100
_LOT = ("lot", "random", "any")

COLOUR_CHOICES = [app_commands.Choice(name=f"{c.sign} {c.name}", value=index) for index, c in enumerate(COLOURS)]
PLAYERS_CHOICES = [app_commands.Choice(name=str(count), value=count) for count in (2, 3, 4, 6)]
CLOCK_CHOICES = [app_commands.Choice(name="No clock", value=NONE)] + [
    app_commands.Choice(name=f"{control.id}: {control.says}", value=control.id) for control in CONTROLS.values()
]
VARIANT_CHOICES = [app_commands.Choice(name=variants.load(name).name, value=name) for name in variants.names()]


class Play(commands.Cog):
    """The command with which every game begins."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @app_commands.command(description="Challenge somebody, or anyone, to a game in this channel")
    @app_commands.describe(
        variant="The game to play",
        opponent="Whom you challenge; leave it out and anyone may accept",
        side="Your side: first, second or lot",
        rules="House rules such as quiet_moves=40; see what there is as you type",
        players="How many play, where a game is for more than two",
        clock="How much time there is for the moves; left out, what this server has chosen",
        rated="Whether the result changes ratings; left out, it does not",
    )
    @app_commands.choices(variant=VARIANT_CHOICES)
    @app_commands.choices(players=PLAYERS_CHOICES)
    @app_commands.choices(clock=CLOCK_CHOICES)
    async def play(
        self,
        interaction: discord.Interaction[Any],
        variant: str,
        opponent: discord.Member | discord.User | None = None,
        side: app_commands.Range[str, 1, 40] | None = None,
        rules: app_commands.Range[str, 1, 200] | None = None,
        players: int | None = None,
        clock: str | None = None,
        rated: bool = False,
    ) -> None:
        async with answering(interaction, self.desk):
            check_allowed(interaction)
            server = await self.desk.games.server(interaction.guild_id)
            check_channel(interaction, server)
            if opponent is not None:
                if isinstance(opponent, discord.User):
                    raise Refused("That person is not on this server. Invite them first, or challenge somebody else.")
                if opponent.bot:
                    raise Refused(
                        "Bots do not play. Challenge a person, or leave the opponent out for anyone to accept."
                    )
                self.desk.names.learn(opponent)
            options = options_of(rules or "", variant)
            if players is not None and "players" in variants.load(variant).option_specs:
                if str(options.setdefault("players", players)) != str(players):
                    raise Refused(f"Is it {players} players, as you chose, or {options['players']}, as your rules say?")
            elif players not in (None, 2):
                raise Refused(f"{variants.load(variant).name} is a game for two. Leave the players out.")
            chosen = _variant(variant, options)
            wanted = side_of(side, chosen)
            opening = self.desk.games.open_challenge(
                source=source_of(interaction),
                opener=interaction.user.id,
                opponent=None if opponent is None else opponent.id,
                variant_id=variant,
                options=chosen.chosen,
                side=wanted,
                place=Place(interaction.guild_id, interaction.channel_id or 0),
                clock=clock or server.clock,
                rated=rated,
            )
            game = await self.desk.act(interaction, opening)
            what = "challenge" if game.opponent is not None or len(game.players) == 2 else "table"
            await tell(interaction, f"Your {what} is posted below.")

    @app_commands.command(description="Pick the colour of your pegs in this channel's game")
    @app_commands.describe(colour="A colour that nobody has picked")
    @app_commands.choices(colour=COLOUR_CHOICES)
    async def colour(self, interaction: discord.Interaction[Any], colour: int) -> None:
        async with answering(interaction, self.desk):
            game = await self.desk.here(interaction.channel_id)
            picking = self.desk.games.choose_colour(game.id, interaction.user.id, colour, source_of(interaction))
            await self.desk.act(interaction, picking)
            await tell(interaction, f"Your pegs are {COLOURS[colour].name.casefold()} from the next board on.")

    @play.autocomplete("side")
    async def _sides(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        typed = current.strip().casefold()
        return [
            app_commands.Choice(name=title, value=value)
            for value, title in _side_titles(getattr(interaction.namespace, "variant", None))
            if typed in title.casefold() or typed in value
        ]

    @play.autocomplete("rules")
    async def _rules(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        texts = suggest_options(str(getattr(interaction.namespace, "variant", "")), current)
        return [app_commands.Choice(name=text, value=text) for text in texts]


def _variant(name: str, options: Mapping[str, OptionValue]) -> Variant:
    try:
        return variants.load(name, options)
    except VariantError as error:
        raise Refused(f"{error.message[:1].upper()}{error.message[1:]}.") from error


def options_of(text: str, variant: str) -> dict[str, OptionValue]:
    """The options in a text such as ``removal=at_end quiet_moves=40``. Raises Refused with what there is."""
    options: dict[str, OptionValue] = {}
    # "quiet_moves = 40" and commas between are as clear as the plain form.
    for word in re.sub(r"\s*[=:]\s*", "=", text).replace(",", " ").split():
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            specs = _variant(variant, {}).option_specs
            there_is = "; ".join(f"`{spec.name}` = {spec.allowed}" for spec in specs.values()) or "none"
            raise Refused(f"`{word}` is not a rule. Rules are written like `name=value`. There is: {there_is}.")
        options[name.casefold()] = value.casefold()
    return options


def suggest_options(variant: str, typed: str) -> list[str]:
    """Whole texts for the option `rules` that go on from what is typed."""
    try:
        specs = variants.load(variant).option_specs
    except VariantError:
        return []
    words = typed.casefold().replace(",", " ").split()
    last = words.pop() if words and not typed.endswith((" ", ",")) else ""
    taken = {word.partition("=")[0] for word in words}
    pairs = [
        f"{name}={show(value)}" for name, spec in specs.items() if name not in taken for value in _others_first(spec)
    ]
    fitting = [pair for pair in pairs if pair.startswith(last)] or [pair for pair in pairs if last in pair]
    texts = [" ".join([*words, pair]) for pair in fitting]
    return [text for text in texts if len(text) <= _LONGEST_CHOICE][:_MOST]


def _others_first(spec: OptionSpec) -> list[OptionValue]:
    """An option's values with the default, which need not be said, last."""
    return [*(value for value in spec.values if value != spec.default), spec.default]


def side_of(text: str | None, variant: Variant) -> Side | None:
    """The side that a text names: first, second or lot, or a side by its colour. Raises Refused."""
    if text is None:
        return None
    word = text.strip().casefold()
    if word in _LOT:
        return "lot"
    names = [seat.name.casefold() for seat in rules_for(variant.id, variant.options).seats[:2]]
    if word in ("first", names[0]):
        return "first"
    if word in ("second", names[1]):
        return "second"
    raise Refused(f"There is no side {text.strip()!r}. Take `first` ({names[0]}), `second` ({names[1]}) or `lot`.")


def _side_titles(variant: str | None) -> list[tuple[str, str]]:
    try:
        names = [seat.name for seat in rules_for(str(variant)).seats[:2]]
    except VariantError:
        return [("first", "First: you begin"), ("second", "Second"), ("lot", "Lot: let the lot decide")]
    return [("first", f"{names[0]}: you begin"), ("second", f"{names[1]}"), ("lot", "Lot: let the lot decide")]
