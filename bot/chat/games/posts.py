"""What the channels are told: an announcement and its game -> the words, buttons and pings of one message.

People are written as mentions, which Discord shows as their names; whom a message pings is said apart, and is at most
the player to move, or whoever a challenge is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.chat.components import view_of
from bot.chat.games.buttons import COLOURS, board_view, challenge_view, offer_view
from bot.chat.games.offer_texts import closed_text, offer_text, taken_back_text
from bot.chat.wording.dates import minutes, until
from bot.chat.wording.links import plays_away
from bot.chat.wording.message_text import LONGEST
from bot.chat.wording.players import mention, player_at
from bot.engine import typed_positions
from bot.engine.outcomes import AGREED, ALL_HOME
from bot.engine.variants import Variant, in_own_words, show
from bot.games.model import announcements
from bot.games.model.computer_seats import is_computer, persons
from bot.games.model.game import Game
from bot.games.model.places import places_of
from bot.games.persistence.outbox import Announcement
from bot.i18n import N_, _, labelled, listed_and, listed_or, ngettext, said, sentence
from bot.presentation.alt_text import with_swaps, written_out
from bot.presentation.questions import moves_in_words
from bot.support.frozen import frozen


@frozen
class Post:
    """One message. ``ping`` are the ids of those it notifies; ``picture`` says whether the board goes with it,
    ``told`` whether all that this shows stands in the ``content`` too."""

    content: str
    view: discord.ui.View
    ping: tuple[int, ...] = ()
    picture: bool = False
    told: bool = False

    @property
    def allowed_mentions(self) -> discord.AllowedMentions:
        """What Discord may notify of: ``ping`` and nobody else."""
        people = [discord.Object(person) for person in self.ping]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=people)


def post_of(announcement: Announcement, game: Game, *, mirrored: bool, notifies: bool = True) -> Post:
    """What ``announcement`` says of ``game`` as it stood then. For kinds that edit, the whole new text of the message
    that is edited. ``mirrored``: on the second server of a game of two, of which each notifies its own player alone;
    ``notifies``: whether it pings anybody at all."""
    post = _post(announcement.content, game)
    if not notifies:
        post = replace(post, ping=())
    if game.mirror is not None:
        post = replace(post, ping=tuple(person for person in post.ping if plays_away(game, person) is mirrored))
    # Discord notifies nobody whom the text does not mention.
    unnamed = [mention(person) for person in post.ping if mention(person) not in post.content]
    return replace(post, content="\n".join([post.content, " ".join(unnamed)]) if unnamed else post.content)


def _post(content: announcements.Content, game: Game) -> Post:
    match content:
        case announcements.Challenged() as challenge:
            return Post(challenge_text(game), challenge_view(game), challenge.notify, picture=game.from_position)
        case announcements.ChallengeChanged():
            return Post(challenge_text(game), challenge_view(game))
        case announcements.ChallengeClosed(how, by):
            # Who opened a table and starts it early accepts nothing.
            early = how == "accepted" and by == game.opener
            outcome = _(_CLOSED["started" if early else how]).format(by=mention(by))
            between = "\n\n" if game.rules.variant.chosen else "\n"  # else it would be part of the list of rules
            return Post(f"{challenge_text(game)}{between}{outcome}", view_of([]))
        case announcements.BoardPosted() as board:
            return Post(board_text(game, board), board_view(game), _notified(game, board), picture=True)
        case announcements.Offered() as offered:
            view = offer_view(game, offered.offer_kind, offered.offer)
            return Post(offer_text(game, offered), view, _notified(game, offered))
        case announcements.OfferClosed() as closed:
            return Post(closed_text(game, closed), view_of([]))
        case announcements.Note() as note:
            return Post(said(note.sentence), view_of([]), _notified(game, note))
        case announcements.Reminder(to=to) | announcements.Digest(to=to):
            # Where the person takes no direct messages; the rest of the text comes with the delivery.
            return Post(f"{mention(to)}: ", view_of([]), (to,))
        case announcements.PlayersChanged():
            return Post("", view_of([]))  # it is not posted


def _notified(game: Game, content: announcements.Notifying) -> tuple[int, ...]:
    """Of those whom an announcement would notify, the player to move: nobody else is notified during a game, and a
    computer never; and those who are told besides."""
    to_move = (person for person in content.notify if person == game.to_move)
    return persons((*to_move, *(content.tell or ())))


# Challenges

_CLOSED = {
    "accepted": N_("Accepted by {by}."),
    "started": N_("Started by {by}."),
    "declined": N_("Declined by {by}."),
    "withdrawn": N_("Withdrawn."),
}


def challenge_text(game: Game) -> str:
    """Who challenges whom to what, under which rules."""
    name = f"**{game.rules.variant.name}**"
    if len(game.players) > 2:
        return "\n".join([*_table_text(game, name), *_conditions_text(game)])
    # Once both sit, nobody is invited any more.
    asked = game.invited if game.status in ("open", "declined", "withdrawn") else game.players
    invited = [mention(person) for person in asked if person is not None and person != game.opener]
    if game.rematch_of is not None:
        template = _("{player} offers {others} a rematch at {game}.")
    elif invited and is_computer(game.opponent):
        template = _("{player} plays {others} at {game}.")
    elif invited:
        template = _("{player} challenges {others} to {game}.")
    else:
        template = _("{player} is looking for an opponent at {game}. Anyone may accept.")
    first = template.format(player=mention(game.opener), others=listed_and(invited), game=name)
    return "\n".join([first, _side_text(game), *_conditions_text(game)])


def _table_text(game: Game, name: str) -> list[str]:
    """A table for more than two: who sits, for whom seats are kept, whether there is room."""
    invited = [mention(person) for person in game.invited if person is not None and person not in game.players]
    template = _("{player} opens a table for {count} at {game}.")
    line = [template.format(player=mention(game.opener), count=len(game.players), game=name)]
    if invited:
        template = ngettext("A seat is kept for {players}.", "Seats are kept for {players}.", len(invited))
        line.append(template.format(players=listed_and(invited)))
    if game.status == "open" and len(invited) < game.players.count(None):
        line.append(_("Anyone may join."))
    # Who has a seat, with the colour of the pegs where one was picked.
    pairs = zip(game.players, game.colours, strict=True)
    sitting = [f"{mention(p)}{'' if c is None else ' ' + COLOURS[c].sign}" for p, c in pairs if p is not None]
    return [" ".join(line), _("At the table: {players}.").format(players=listed_and(sitting))]


def _side_text(game: Game) -> str:
    own, first = int(game.side == "second"), game.state.seat
    if game.rules.variant.toss and not game.from_position:
        if game.side == "lot":
            return _("Seats are drawn at random; a toss decides who begins.")
        template = _("{player} plays {side}; a toss decides who begins.")
    elif game.side == "lot":
        template = _("{first} begins. Sides are drawn at random.")
    elif own == first:
        template = _("{player} plays {side} and begins.")
    else:
        template = _("{player} plays {side}; {first} begins.")
    return template.format(player=mention(game.opener), side=game.seat_name(own), first=game.seat_name(first))


def _conditions_text(game: Game) -> list[str]:
    """What whoever accepts agrees to: the clock, that it is rated, the rules chosen."""
    lines = [*start_text(game), *_given_again(game)]
    if game.control is not None:
        lines.append(_("Clock: {clock} (`{name}`).").format(clock=game.control.text, name=game.control.id))
    if game.rated:
        lines.append(_("**Rated**: the result changes ratings, and moves cannot be taken back."))
    if game.status == "open" and any(seat.sets for seat in game.rules.seats):
        lines.append(_("Your pegs: once you have a seat, pick their colour with the coloured buttons."))
    if chosen := chosen_rules(game.rules.variant):
        lines += [_("Rules chosen:"), *chosen]
    return lines


def start_text(game: Game) -> list[str]:
    """From which position the game begins, or with which handicap; nothing where it begins as ever."""
    if game.start is None or not game.from_position:
        return []
    start = game.rules.start(game.start)
    if (given := game.handicap) is not None:
        places = listed_and([game.rules.board.names[place] for place in given.places])
        template = _("Handicap: {side} begins without {places}.")
        if typed_positions.fewer_is_better(game.rules):
            template = _("Handicap: {side} begins without {places}, which is an advantage in this game.")
        return [template.format(side=game.seat_name(given.seat), places=places)]
    template = _("From a position, {side} to move: `{position}`")
    return [template.format(side=game.seat_name(start.seat), position=game.rules.position(start))]


def _given_again(game: Game) -> list[str]:
    """Of a rematch with a handicap, who gives it: whoever gave it before."""
    given = game.handicap
    if game.rematch_of is None or given is None or given.giver is None:
        return []
    player = game.players[given.giver] or game.invited[given.giver]
    return [_("The sides stay as they were: {player} gives the handicap again.").format(player=mention(player))]


def chosen_meanings(variant: Variant) -> list[str]:
    """A line in words for each rule that was chosen, where nobody is to type it."""
    return [f"- {variant.meaning(name)}" for name in variant.chosen if name != "players"]


def chosen_rules(variant: Variant) -> list[str]:
    """A line for each rule that was chosen; how many play is said elsewhere."""
    chosen = variant.chosen.items()
    return [labelled(f"- `{name}={show(value)}`", variant.meaning(name)) for name, value in chosen if name != "players"]


# Boards


@in_own_words
def board_text(game: Game, board: announcements.BoardPosted) -> str:
    """What happened, what counts run, and who is to move or how it ended."""
    lines = begun_text(game, board) if board.event == "start" else [_event_text(game, board)]
    if game.result is None:
        lines += [sentence(notice) for notice in game.state.notices]
        lines += _remedies_text(game)
    if game.status == "running":
        seat = game.state.seat
        turn = _("{player}, it is your turn ({side}).")
        if is_computer(game.players[seat]):
            turn = _("{player} is thinking about a move ({side}) …")
        turn = turn.format(player=mention(game.players[seat]), side=game.seat_name(seat))
        lines.append(f"{turn} {until(board.due)}".rstrip())
        lines.append(clocks_text(game))
    else:
        lines += [result_text(game), *_rating_lines(board)]
    return "\n".join(line for line in lines if line)


def begun_text(game: Game, board: announcements.BoardPosted) -> list[str]:
    """That the game begins, who plays which side, and what is not as ever."""
    rated = [_("This game is rated.")] if game.rated else []
    return [_event_text(game, board), *start_text(game), *rated]


def clocks_text(game: Game, remaining: int | None = None) -> str:
    """What each player still has on a live clock; nothing in other games. ``remaining``: what the player to move has
    by now, in milliseconds; else what they had when their time began to run."""
    clock = game.clock
    if clock is None or not clock.control.live:
        return ""
    shown = []
    for seat in game.playing:
        left = clock.left[seat]
        has = (
            remaining if seat == clock.seat and remaining is not None else clock.control.bank if left is None else left
        )
        shown.append(f"{game.seat_name(seat)} {minutes(has)}")
    return _("Clocks: {clocks}.").format(clocks=", ".join(shown))


def with_board(text: str, game: Game) -> str:
    """A post with all that the picture of the board shows, and the moves that there are where these fit too."""
    board = written_out(game, text)
    moves = moves_in_words(game.rules, game.state) if game.status == "running" else ""
    whole = "\n".join(part for part in (text, board, moves) if part)
    return whole if len(whole) <= LONGEST else f"{text}\n{board}"


def _event_text(game: Game, board: announcements.BoardPosted) -> str:
    # By the record: whoever did it may have been forgotten since.
    side = said(game.seat_name(game.entries[-1].seat)) if game.entries else ""
    match board.event:
        case "start":
            plays = _("{player} plays {side}")
            seats = enumerate(game.players)
            sides = listed_and([plays.format(player=mention(p), side=game.seat_name(at)) for at, p in seats])
            begins = _("**{game}** begins. Drawn at random: {sides}.")
            if not board.seats_drawn:
                begins = _("**{game}** begins. {sides}.")
            text = begins.format(game=game.rules.variant.name, sides=sides)
            if game.rules.variant.toss and not game.from_position:
                begins_with = game.seat_name(game.state.seat)
                template = _("{side} moves first.") if board.heading else _("The toss: {side} moves first.")
                text = f"{text} {template.format(side=begins_with)}"
            return labelled(f"**{said(board.heading)}**", text) if board.heading else text
        case "turn":
            planned = board.played_ahead
            first = game.entries[planned[0] - 2 :] if planned else ()
            before = [labelled(game.seat_name(e.seat), f"**{e.text}**{_as_planned(e.number, planned)}") for e in first]
            return "\n".join([*before[:-1], turn_text(game) + _as_planned(game.ply, planned)])
        case "takeback":
            return taken_back_text(game)
        case "moved":
            if not (last := turn_text(game)):
                return _("The game goes on here.")
            return f"{_('The game goes on here. The last move was:')}\n{last}"
        case "undo":
            return _("{side} has undone a slip; the board is as it was before.").format(side=side)
        case "resign" if game.status == "running":
            return _("{side} resigns; the others play on.").format(side=side)
        case "timeout" if game.status == "running":
            return _("{side} has run out of time; the others play on.").format(side=side)
    return ""


def _as_planned(number: int, planned: Sequence[int]) -> str:
    return f" {_('(as planned)')}" if number in planned else ""


def turn_text(game: Game) -> str:
    """The last turn in words: "White: **c3-d4**"."""
    turn, entries = game.state.last, [entry for entry in game.line if entry.kind == "turn"]
    if turn is None or not entries:
        return ""
    side = game.seat_name(entries[-1].seat)
    if turn.kind == "huff":
        square = game.rules.board.names[turn.path[0]]
        return _("{side} huffs (soplar): the piece on **{square}** is removed.").format(side=side, square=square)
    if turn.kind == "oblige":
        return _("{side} obliges: the last move is taken back, and the capture must be played.").format(side=side)
    template = _("{side}: **{move}**, crowned.") if turn.crowns else labelled("{side}", "**{move}**")
    return with_swaps(game.rules, game.state, template.format(side=side, move=turn.text))


def _remedies_text(game: Game) -> list[str]:
    remedies = game.rules.remedies(game.state) if game.status == "running" else ()
    huffs = [f"`{turn.text}`" for turn in remedies if turn.kind == "huff"]
    player, other = game.players[game.state.seat], game.seat_name(1 - game.state.seat)
    if not remedies or is_computer(player):
        return []
    template = _("{side} could have captured. Before moving, {player} may huff ({huffs}) or `oblige`.")
    return [template.format(side=other, player=mention(player), huffs=listed_or(huffs))]


@in_own_words
def result_text(game: Game) -> str:
    """How a game ended."""
    result = game.result
    if result is None and game.status == "aborted":
        if game.casual:
            return _("The game was called off; it does not count.")
        return _("The game was called off. The tournament's standings say whether it counts.")
    if result is None:
        return ""
    late = game.entries[-1]
    if late.kind == "timeout" and len(game.players) == 2 and result.winner is not None:
        # Who is told that they were late stands in the sentence.
        template = _("{late} ({side}) ran out of time. **{player} ({other}) wins.**")
        names = {"late": player_at(game, late.seat), "player": player_at(game, result.winner)}
        return template.format(side=game.seat_name(late.seat), other=game.seat_name(result.winner), **names)
    if result.reason == AGREED:
        return _agreed_text(game)
    if result.winner is None:
        return _("**Drawn.** {reason}").format(reason=sentence(result.reason))
    player, side = player_at(game, result.winner), game.seat_name(result.winner)
    home = _("All of {side}'s pegs are home.").format(side=side)
    reason = home if result.reason == ALL_HOME else sentence(result.reason)
    text = _("{reason} **{player} ({side}) wins.**").format(reason=reason, player=player, side=side)
    if len(game.players) > 2:
        text += _places_text(game)
    return text


def _places_text(game: Game) -> str:
    # Who shares a place has its number; Discord would count a list on.
    order = sorted(zip(places_of(game), game.players, strict=True), key=lambda each: each[0])
    return "".join(f"\n{place}\\. {mention(person)}" for place, person in order)


def _agreed_text(game: Game) -> str:
    """Who has agreed to a draw, and who had left before."""
    if not game.left:
        return _("**Drawn by agreement.**")
    ways = {"resign": _("{player} ({side}) resigned."), "timeout": _("{player} ({side}) ran out of time.")}
    told = [
        ways[entry.kind].format(player=player_at(game, entry.seat), side=game.seat_name(entry.seat))
        for entry in game.line
        if entry.kind in ways
    ]
    if all(is_computer(game.players[seat]) for seat in game.present):
        told.append(_("Only computers are left, so the game ends here."))
    else:
        told.append(_("**The others agreed to a draw.**"))
    return " ".join(told) + _places_text(game)


def _rating_lines(board: announcements.BoardPosted) -> list[str]:
    """Under the last board: how ratings have changed, or why they have not."""
    note = board.rating or announcements.RatingNote()
    if note.why_not is not None:
        return [_("Ratings have not changed. {reason}").format(reason=_(note.why_not))]
    changes = []
    for person, before, after in note.ratings:
        change = int(after.rstrip("?")) - int(before.rstrip("?"))
        # While a rating is being found, a difference of hundreds tells of the search and not of the player.
        difference = "" if before.endswith("?") else f" ({f'{change:+d}' if change else '±0'})"
        changes.append(f"<@{person}> {before} → **{after}**{difference}")
    lines = [_("Ratings: {changes}.").format(changes=", ".join(changes))] if changes else []
    if any(after.endswith("?") for _person, _before, after in note.ratings):
        lines.append(_("A rating with a `?` is still settling: it moves a lot at first."))
    return lines
