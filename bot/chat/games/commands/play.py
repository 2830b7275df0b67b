"""`/play`: a challenge, with its variant, opponent, side and rules."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot.chat.components import Press
from bot.chat.games import choices
from bot.chat.games.buttons import COLOURS
from bot.chat.games.opening_challenges import check_person, is_here, open_challenge
from bot.chat.games.room_checks import act_here
from bot.chat.games.variant_option import VariantOption, typed_variant
from bot.chat.reach import alone_with_me
from bot.chat.responses import reply_privately
from bot.chat.services import services_of
from bot.engine import typed_positions, variants
from bot.engine.errors import BadPosition, echoed
from bot.engine.registry import rules_for
from bot.engine.rules import Rules
from bot.engine.typed_positions import LONGEST
from bot.games.model.computer_seats import GUEST, LEVELS, USUAL_LEVEL
from bot.games.model.errors import Refused
from bot.games.model.game import Side
from bot.i18n import _, ngettext, said

_LOT = ("lot", "random", "any")


@app_commands.command(description="Challenge someone, or anyone, to a game in this channel")
@app_commands.describe(
    variant="The game to play",
    opponent="Your opponent (default: anyone may accept)",
    side="Your side: first, second or random",
    rules="House rules such as quiet_moves=40; they are listed as you type",
    players="Number of players, in games for more than two",
    clock="Time to move (default: this server's clock)",
    rated="Whether the result changes ratings (default: no)",
    level="The computer's level, 1 to 8, if it is your opponent",
    computers="How many seats the computer takes at a table (default: all free ones)",
    position="A position to begin from, as a FEN or in words; or a handicap, such as -c1 -e1, or white 2",
)
@app_commands.choices(clock=choices.CLOCK_CHOICES)
@app_commands.choices(players=choices.PLAYERS_CHOICES)
async def play(
    interaction: Press,
    variant: VariantOption,
    opponent: discord.Member | discord.User | None = None,
    side: app_commands.Range[str, 1, 40] | None = None,
    rules: app_commands.Range[str, 1, 200] | None = None,
    players: int | None = None,
    clock: str | None = None,
    rated: bool = False,
    level: app_commands.Range[int, 1, GUEST] | None = None,
    computers: app_commands.Range[int, 1, 5] | None = None,
    position: app_commands.Range[str, 1, LONGEST] | None = None,
) -> None:
    against = False
    if opponent is not None:
        against = opponent.id == interaction.application_id or opponent == interaction.client.user
        # Damero plays wherever it is asked to; whoever plays themselves is told so by the challenge.
        seen = against or opponent == interaction.user or is_here(interaction, opponent)
        check_person(is_member=seen, is_bot=opponent.bot and not against)
        services_of(interaction).names.learn(opponent)
    options = choices.options_of(rules or "", variant)
    if players is not None and "players" in variant.option_specs:
        if str(options.setdefault("players", players)) != str(players):
            template = _("You chose {chosen} players, but your rules say {ruled}. Which is it?")
            raise Refused(template.format(chosen=players, ruled=options["players"]))
    elif players not in (None, 2):
        raise Refused(_("{game} is a game for two. Leave the number of players out.").format(game=variant.name))
    chosen = choices.variant_of(variant, options)
    if level == GUEST and not services_of(interaction).engines.plays(chosen):
        refusal = _("No guest engine plays {game} by these rules here. The levels are {first} to {last}.")
        raise Refused(refusal.format(game=chosen.name, first=LEVELS[0], last=LEVELS[-1]))
    wanted = side_of(side, chosen)
    invited = None if opponent is None or against else opponent.id
    played_by = rules_for(chosen.ruleset, chosen.options)
    start, giver = await asyncio.to_thread(start_of, played_by, position)
    seats = len(played_by.seats)
    levels = computers_of(seats, against=against, invited=invited is not None, level=level, computers=computers)
    if side is None and giver is not None:
        # Who offers odds gives them; of the computer, the only opponent in direct messages, they are taken.
        takes = bool(levels) or alone_with_me(interaction)
        wanted = "first" if bool(giver) is takes else "second"
    text = await open_challenge(
        interaction,
        chosen,
        opponent=invited,
        side=wanted,
        computers=levels,
        clock=clock,
        rated=rated,
        start=start,
    )
    await reply_privately(interaction, text)


@app_commands.command(description="Pick the colour of your pegs in this channel's game")
@app_commands.describe(colour="A colour that is still free")
@app_commands.choices(colour=choices.COLOUR_CHOICES)
async def colour(interaction: Press, colour: int) -> None:
    await act_here(interaction, services_of(interaction).games.lobby.choose_colour, colour)
    template = _("Your pegs will be {colour}, starting with the next board.")
    await reply_privately(interaction, template.format(colour=COLOURS[colour].said.casefold()))


@play.autocomplete("side")
async def _sides(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    typed = current.strip().casefold()
    variant = await typed_variant(interaction)
    return [
        app_commands.Choice(name=title, value=value)
        for value, title in _side_titles(variant)
        if typed in title.casefold() or typed in value
    ]


@play.autocomplete("position")
async def _handicaps(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    variant = await typed_variant(interaction)
    if variant is None:
        return []
    sides = [said(seat.name) for seat in rules_for(variant.ruleset).seats]
    less = [(side, count, _less(count, pegs=variant.family == "star")) for count in (1, 2, 3) for side in sides]
    return [
        app_commands.Choice(name=template.format(side=side, count=count), value=f"{side.casefold()} {count}")
        for side, count, template in less
        if f"{side} {count}".casefold().startswith(current.strip().casefold())
    ]


@play.autocomplete("level")
async def _levels(interaction: Press, current: str) -> list[app_commands.Choice[int]]:
    variant = await typed_variant(interaction)
    guest = variant is not None and services_of(interaction).engines.plays(variant)
    # Who has typed a level and presses Enter takes the first of what is offered.
    typed = str(current).strip()
    return [
        app_commands.Choice(name=name, value=level)
        for level, name in choices.level_names(variant, guest=guest).items()
        if str(level).startswith(typed)
    ]


@play.autocomplete("rules")
async def _rules(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    texts = choices.suggest_options(await typed_variant(interaction), current)
    return [app_commands.Choice(name=text, value=text) for text in texts]


def start_of(rules: Rules, position: str | None) -> tuple[str | None, int | None]:
    """The position string that a position or a handicap means; and the seat that gives the handicap, which it makes
    weaker. Raises Refused."""
    if position is None:
        return None, None
    try:
        state = typed_positions.read(rules, position)
    except BadPosition as error:
        raise Refused(error.sentence) from error
    given = typed_positions.handicap_of(rules, state)
    return rules.position(state), None if given is None else given.giver


def computers_of(
    seats: int, *, against: bool, invited: bool, level: int | None, computers: int | None
) -> tuple[int, ...]:
    """The levels of the computers that `/play` asks for. ``against``: the bot is named as the opponent; ``invited``: a
    person is. Left out, the computer takes every seat that is free. Raises Refused."""
    if not against and level is None and computers is None:
        return ()
    free = seats - 1 - invited
    if free == 0:
        raise Refused(
            _("You are challenging a person. Leave `level` and `computers` out, or choose me as your opponent.")
        )
    if computers is not None and computers > free:
        refusal = _("The computer cannot take {count} seats: only {free} are free.")
        raise Refused(refusal.format(count=computers, free=free))
    return (level or USUAL_LEVEL,) * (computers or free)


def _less(count: int, *, pegs: bool) -> str:
    if pegs:
        return ngettext("{side}: {count} peg fewer", "{side}: {count} pegs fewer", count)
    return ngettext("{side}: {count} piece fewer", "{side}: {count} pieces fewer", count)


def side_of(text: str | None, variant: variants.Variant) -> Side | None:
    """The side that a text names: first, second or lot, or a side by its colour. Raises Refused."""
    if text is None:
        return None
    word = text.strip().casefold()
    if word in _LOT:
        return "lot"
    seats = rules_for(variant.ruleset, variant.options).seats[:2]
    # In English, as of old, and in the language of whoever asks.
    names = [(seat.name.casefold(), said(seat.name).casefold()) for seat in seats]
    if word in ("first", *names[0]):
        return "first"
    if word in ("second", *names[1]):
        return "second"
    template = _("There is no side {side}. Choose `first` ({first}), `second` ({second}) or `random`.")
    raise Refused(template.format(side=repr(echoed(text.strip())), first=names[0][1], second=names[1][1]))


def _side_titles(variant: variants.Variant | None) -> list[tuple[str, str]]:
    seats = () if variant is None else rules_for(variant.ruleset).seats[:2]
    names = [said(seat.name) for seat in seats] or [_("First"), _("Second")]
    first = _("{side}: you begin").format(side=names[0])
    return [("first", first), ("second", names[1]), ("lot", _("Random"))]
