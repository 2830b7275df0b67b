"""The best lines of a position, for whoever asks, in private."""

from __future__ import annotations

from bot.chat.components import Press
from bot.chat.positions.set_up import SetUp, set_up_buttons
from bot.chat.posting.cards import ButtonRow, Card, Gallery
from bot.chat.responses import defer_if_slow, reply_with_card
from bot.chat.services import services_of
from bot.computer.analysis import BestLine, chance
from bot.computer.kernels.outcome_blocks import SURE
from bot.i18n import _, labelled, ngettext
from bot.presentation.board_scene import accent


async def analyse(interaction: Press, set_up: SetUp) -> None:
    """Tell whoever made ``interaction`` the best lines of a position. Raises Refused, also where that would help in a
    game that nobody is helped in."""
    services = services_of(interaction)
    await services.games.fair_play.check(interaction.user.id, set_up.rules.variant.id, set_up.position)
    looking = services.analyses.best_lines(
        set_up.rules, set_up.position, interaction.user.id, interaction.guild_id or 0
    )
    lines = await defer_if_slow(interaction, looking)
    board, buttons = Gallery([await set_up.picture(services.pictures)]), ButtonRow(set_up_buttons(shared=False))
    card = Card([set_up.text(), board, lines_text(set_up, lines), buttons], accent(set_up.rules.variant))
    await reply_with_card(interaction, card)


def lines_text(set_up: SetUp, lines: tuple[BestLine, ...]) -> str:
    """What may be played, best first, each with what it promises."""
    side = set_up.rules.seats[set_up.state.seat].name
    depth = max(line.depth for line in lines)
    template = ngettext(
        "Best moves for {side}, with the expected score out of 100 ({count} move ahead):",
        "Best moves for {side}, with the expected score out of 100 ({count} moves ahead):",
        depth,
    )
    told = [template.format(side=side, count=depth)]
    for number, line in enumerate(lines, start=1):
        moves = " ".join(line.turns)
        told.append(labelled(f"{number}. **{_worth(line.score, set_up.rules.variant.family)}**", moves))
    return "\n".join(told)


def _worth(score: int, family: str) -> str:
    if abs(score) >= SURE:
        return _("wins") if score > 0 else _("loses")
    return str(round(100 * chance(score, family)))
