"""What is offered in a game, in words: a draw, a takeback, what became of either."""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.model import announcements
from bot.games.model.computer_seats import called
from bot.games.model.game import Entry, Game
from bot.games.use_cases.offers import concerned
from bot.i18n import N_, _, listed_and, ngettext

_CLOSED = {
    ("draw", "agreed"): N_("Draw offer: agreed."),
    ("draw", "declined"): N_("Draw offer: declined by {by}."),
    ("draw", "lapsed"): N_("Draw offer: no longer open, as the game went on."),
    ("draw", "over"): N_("Draw offer: no longer open, as the game is over."),
    ("takeback", "agreed"): N_("Takeback: agreed."),
    ("takeback", "declined"): N_("Takeback: declined by {by}."),
    ("takeback", "lapsed"): N_("Takeback request: no longer open, as the game went on."),
    ("takeback", "over"): N_("Takeback request: no longer open, as the game is over."),
}


def offer_text(game: Game, offered: announcements.Offered) -> str:
    """What is offered, by whom to whom."""
    by = offered.by
    seats = concerned(game, offered.offer_kind)
    others = listed_and([f"{called(game.players[seat])}" for seat in seats if game.players[seat] != by])
    if offered.offer_kind == "draw":
        template = _("{player} offers a draw. {others}, do you accept? Making a move declines it.")
        return template.format(player=called(by), others=others)
    turns = _turns_after(game.line, offered.back_to or 0)
    template = ngettext(
        "{player} asks to take back the last turn, **{move}**. {others}, do you agree? Making a move declines it.",
        "{player} asks to take back the last {count} turns, from **{move}** ({side}) on. {others}, do you agree? "
        "Making a move declines it.",
        len(turns),
    )
    side = game.seat_name(turns[0].seat)
    return template.format(player=called(by), others=others, count=len(turns), move=turns[0].text, side=side)


def taken_back_text(game: Game) -> str:
    """What the takeback did that is the last entry of ``game``, and for whom: who asked, not who agreed last."""
    *before, takeback = game.entries
    standing: list[Entry] = []
    for entry in before:
        if entry.kind == "takeback":
            standing = [each for each in standing if each.number <= int(entry.text)]
        else:
            standing.append(entry)
    count, side = len(_turns_after(standing, int(takeback.text))), game.seat_name(takeback.seat)
    template = ngettext(
        "{side} takes back the last turn; the board is as it was before.",
        "At {side}'s request, the last {count} turns are taken back; the board is as it was before.",
        count,
    )
    return template.format(side=side, count=count)


def closed_text(game: Game, closed: announcements.OfferClosed) -> str:
    """What became of an offer."""
    over = closed.how == "lapsed" and game.status != "running"
    return _(_CLOSED[closed.offer_kind, "over" if over else closed.how]).format(by=called(closed.by))


def _turns_after(line: Iterable[Entry], number: int) -> list[Entry]:
    return [entry for entry in line if entry.number > number and entry.kind == "turn"]
