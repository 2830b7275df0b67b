"""A game in one message, where the bot may only answer: what has happened since it was shown last, the board, and all
that may be pressed. It is made anew with each press, of the game as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.components import view_of
from bot.chat.games.buttons import board_view, challenge_view, offer_buttons
from bot.chat.games.offer_texts import offer_text
from bot.chat.games.posts import Post, begun_text, board_text, challenge_text, post_of, turn_text
from bot.chat.wording.players import mention
from bot.games.model.announcements import BoardPosted, Note, OfferClosed, Offered
from bot.games.model.computer_seats import is_computer
from bot.games.model.game import Game, Offer
from bot.games.persistence.outbox import Announcement
from bot.i18n import N_, _, listed_and

NOT_READ = N_("I cannot read messages here: press *Move*, or use `/move`. `/board` shows the board again.")

# Below all other buttons.
_LAST_ROW = 4


def screen(
    game: Game,
    due: Sequence[tuple[Announcement, Game]],
    *,
    deadline: int | None = None,
    unreached: Sequence[int] = (),
    to_all: bool = True,
    huffed: Game | None = None,
) -> Post:
    """``game`` as it stands. ``due``: what is to be said of it, each with the game as it stood then; ``deadline``: when
    the player to move must have moved; ``unreached``: those whom no reminder can reach; ``to_all``: who are there,
    and not to one person alone, so that it may notify somebody; ``huffed``: the game as it stood after the huff that
    came before the last turn, whose board may have stood here for a moment only."""
    if game.started_at is None:
        if due:
            return post_of(due[-1][0], game, mirrored=False)
        return Post(challenge_text(game), challenge_view(game), picture=game.from_position)
    posts = [(each.content, post_of(each, then, mirrored=False, notifies=to_all), then) for each, then in due]
    boards = [content for content, _post, _then in posts if isinstance(content, BoardPosted)]
    lines, is_over = list[str](), game.status != "running"
    told = {then.ply for content, _post, then in posts if isinstance(content, BoardPosted)}
    if huffed is not None and huffed.ply not in told:
        lines.append(turn_text(huffed))
    for content, post, then in posts:
        if isinstance(content, BoardPosted) and content is not boards[-1]:
            # Who is to move has changed since.
            lines += begun_text(then, content) if content.event == "start" else post.content.splitlines()[:1]
        elif isinstance(content, OfferClosed) and (content.how != "lapsed" or is_over):
            # The board says what came of it, or a note that it was declined.
            continue
        elif isinstance(content, BoardPosted | Note | OfferClosed):
            lines.append(post.content)
    if not boards and not (game.status == "aborted" and any(isinstance(content, Note) for content, *_rest in posts)):
        # By whom it was called off stands in a note.
        lines.append(board_text(game, BoardPosted(event="turn", due=deadline)))
    lines += [offer_text(game, _offered(game, offer)) for offer in game.offers]
    if any(board.event == "start" for board in boards):
        lines += [] if is_over else _how_it_goes(unreached)
    elif not is_over and all(is_computer(game.players[entry.seat]) for entry in game.line):
        # What was said of the beginning was shown for a moment only: the computer has moved since.
        lines[:0] = begun_text(game, BoardPosted(event="start"))
        lines += _how_it_goes(())
    named = len(game.offers) > 1
    buttons = [
        button for offer in game.offers for button in offer_buttons(game, offer.kind, offer.id, _LAST_ROW, named=named)
    ]
    view = board_view(game)
    for button in view_of(buttons).children:
        view.add_item(button)
    ping = next((post.ping for content, post, _then in reversed(posts) if isinstance(content, BoardPosted)), ())
    text = "\n".join(lines)
    return Post(text, view, tuple(person for person in ping if mention(person) in text), picture=True)


def _offered(game: Game, offer: Offer) -> Offered:
    return Offered(offer_kind=offer.kind, by=game.players[offer.seat], back_to=offer.back_to, offer=offer.id)


def _how_it_goes(unreached: Sequence[int]) -> list[str]:
    """What is different here, said once."""
    lines = [_(NOT_READ), _("Nobody is notified here when it is their turn: check the board now and then.")]
    if unreached:
        template = _(
            "I cannot send reminders to {players}: they do not accept direct messages. Please check in now and then."
        )
        lines.append(template.format(players=listed_and([mention(person) for person in unreached])))
    return lines
