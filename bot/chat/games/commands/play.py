"""`/play`: a challenge, with its variant, opponent, side and rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.games.button_handlers import check_allowed, check_channel, check_room, source_of
from bot.chat.games.buttons import COLOURS
from bot.chat.games.level_choice import computers_of, level_names
from bot.chat.languages import titled
from bot.chat.responses import reply_privately, responding
from bot.chat.services import Services
from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.registry import rules_for
from bot.engine.variants import OptionSpec, OptionValue, Variant, show
from bot.games.model.clock import CONTROLS, NONE
from bot.games.model.errors import Refused
from bot.games.model.game import Place, Side
from bot.i18n import _, phrase, pphrase, said
from bot.presentation.alt_text import sentence

_MOST = 25
_LONGEST_CHOICE = 100
_LOT = ("lot", "random", "any")

COLOUR_CHOICES = [
    app_commands.Choice(name=titled(phrase("{sign} {colour}", sign=c.sign, colour=pphrase("colour", c.name))), value=at)
    for at, c in enumerate(COLOURS)
]
PLAYERS_CHOICES = [app_commands.Choice(name=str(count), value=count) for count in (2, 3, 4, 6)]
CLOCK_CHOICES = [app_commands.Choice(name="No clock", value=NONE)] + [
    app_commands.Choice(name=titled(phrase("{name}: {clock}", name=control.id, clock=control.says)), value=control.id)
    for control in CONTROLS.values()
]
VARIANT_CHOICES = [app_commands.Choice(name=variants.load(name).name, value=name) for name in variants.names()]


class PlayCommands(commands.Cog):
    """The command with which every game begins."""

    def __init__(self, services: Services) -> None:
        self.services = services

    @app_commands.command(description="Challenge somebody, or anyone, to a game in this channel")
    @app_commands.describe(
        variant="The game to play",
        opponent="Whom you challenge; leave it out and anyone may accept",
        side="Your side: first, second or lot",
        rules="House rules such as quiet_moves=40; see what there is as you type",
        players="How many play, where a game is for more than two",
        clock="How much time there is for the moves; left out, what this server has chosen",
        rated="Whether the result changes ratings; left out, it does not",
        level="How strong the computer is, 1 to 8, where it is your opponent",
        computers="How many seats the computer takes at a table; left out, all that are free",
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
        level: app_commands.Range[int, 1, 8] | None = None,
        computers: app_commands.Range[int, 1, 5] | None = None,
    ) -> None:
        async with responding(interaction, self.services):
            check_allowed(interaction)
            server = await self.services.games.members.server(interaction.guild_id)
            check_channel(interaction, server)
            against = False
            if opponent is not None:
                if isinstance(opponent, discord.User):
                    raise Refused(
                        _("That person is not on this server. Invite them first, or challenge somebody else.")
                    )
                against = opponent.id == interaction.application_id or opponent == interaction.client.user
                if opponent.bot and not against:
                    raise Refused(
                        _("Bots do not play. Challenge a person, or leave the opponent out for anyone to accept.")
                    )
                self.services.names.learn(opponent)
            options = options_of(rules or "", variant)
            if players is not None and "players" in variants.load(variant).option_specs:
                if str(options.setdefault("players", players)) != str(players):
                    says = _("Is it {chosen} players, as you chose, or {ruled}, as your rules say?")
                    raise Refused(says.format(chosen=players, ruled=options["players"]))
            elif players not in (None, 2):
                says = _("{game} is a game for two. Leave the players out.")
                raise Refused(says.format(game=variants.load(variant).name))
            chosen = _variant(variant, options)
            wanted = side_of(side, chosen)
            invited = None if opponent is None or against else opponent.id
            seats = len(rules_for(variant, chosen.options).seats)
            levels = computers_of(seats, against=against, invited=invited is not None, level=level, computers=computers)
            if invited is None and len(levels) == seats - 1:
                # It begins at once.
                await check_room(interaction, self.services)
            opening = self.services.games.challenges.open(
                source=source_of(interaction),
                opener=interaction.user.id,
                opponent=invited,
                variant_id=variant,
                options=chosen.chosen,
                side=wanted,
                place=Place(interaction.guild_id, interaction.channel_id or 0),
                clock=clock or server.clock,
                rated=rated,
                computers=levels,
            )
            game = await self.services.act(interaction, opening)
            if game.status == "running":
                await reply_privately(
                    interaction, _("Your game begins. The board is posted below, or in a thread of its own.")
                )
                return
            challenge = any(game.invited) or len(game.players) == 2
            says = _("Your challenge is posted below.") if challenge else _("Your table is posted below.")
            await reply_privately(interaction, says)

    @app_commands.command(description="Pick the colour of your pegs in this channel's game")
    @app_commands.describe(colour="A colour that nobody has picked")
    @app_commands.choices(colour=COLOUR_CHOICES)
    async def colour(self, interaction: discord.Interaction[Any], colour: int) -> None:
        async with responding(interaction, self.services):
            game = await self.services.here(interaction.channel_id)
            picking = self.services.games.lobby.choose_colour(
                game.id, interaction.user.id, colour, source_of(interaction)
            )
            await self.services.act(interaction, picking)
            says = _("The colour of your pegs is {colour} from the next board on.")
            await reply_privately(interaction, says.format(colour=COLOURS[colour].said.casefold()))

    @play.autocomplete("side")
    async def _sides(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        typed = current.strip().casefold()
        return [
            app_commands.Choice(name=title, value=value)
            for value, title in _side_titles(getattr(interaction.namespace, "variant", None))
            if typed in title.casefold() or typed in value
        ]

    @play.autocomplete("level")
    async def _levels(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[int]]:
        try:
            family = variants.load(str(getattr(interaction.namespace, "variant", ""))).family
        except VariantError:
            family = "draughts"
        # Who has typed a level and presses Enter takes the first of what is offered.
        typed = str(current).strip()
        return [
            app_commands.Choice(name=name, value=level)
            for level, name in level_names(family).items()
            if str(level).startswith(typed)
        ]

    @play.autocomplete("rules")
    async def _rules(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        texts = suggest_options(str(getattr(interaction.namespace, "variant", "")), current)
        return [app_commands.Choice(name=text, value=text) for text in texts]


def _variant(name: str, options: Mapping[str, OptionValue]) -> Variant:
    try:
        return variants.load(name, options)
    except VariantError as error:
        raise Refused(sentence(error.message)) from error


def options_of(text: str, variant: str) -> dict[str, OptionValue]:
    """The options in a text such as ``removal=at_end quiet_moves=40``. Raises Refused with what there is."""
    options: dict[str, OptionValue] = {}
    # "quiet_moves = 40" and commas between are as clear as the plain form.
    for word in re.sub(r"\s*[=:]\s*", "=", text).replace(",", " ").split():
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            specs = _variant(variant, {}).option_specs
            there_is = "; ".join(f"`{spec.name}` = {spec.allowed}" for spec in specs.values()) or _("none")
            says = _("`{word}` is not a rule. Rules are written like `name=value`. There is: {rules}.")
            raise Refused(says.format(word=word, rules=there_is))
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
    seats = rules_for(variant.id, variant.options).seats[:2]
    # In English, as of old, and in the language of whoever asks.
    names = [(seat.name.casefold(), said(seat.name).casefold()) for seat in seats]
    if word in ("first", *names[0]):
        return "first"
    if word in ("second", *names[1]):
        return "second"
    says = _("There is no side {side}. Take `first` ({first}), `second` ({second}) or `lot`.")
    raise Refused(says.format(side=repr(text.strip()), first=names[0][1], second=names[1][1]))


def _side_titles(variant: str | None) -> list[tuple[str, str]]:
    try:
        names = [said(seat.name) for seat in rules_for(str(variant)).seats[:2]]
    except VariantError:
        names = [_("First"), _("Second")]
    first = _("{side}: you begin").format(side=names[0])
    return [("first", first), ("second", names[1]), ("lot", _("Lot: let the lot decide"))]
