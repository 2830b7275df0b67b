"""What the posts of a team match say, on both servers: line-ups, boards, the score."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.chat.tournaments.texts import rules_of_play
from bot.chat.tournaments.thread_links import LINKS
from bot.chat.wording.amounts import amount
from bot.chat.wording.message_text import LONGEST
from bot.chat.wording.names import Names
from bot.engine import variants
from bot.i18n import N_, _, labelled, ngettext
from bot.tournaments.formats.format import marks_text
from bot.tournaments.model.events import Substituted
from bot.tournaments.persistence.stored_competition import Competition
from bot.tournaments.persistence.stored_tournament import StoredTournament, nameless
from bot.tournaments.team_matches.model import TeamMatch, match_points, score
from bot.tournaments.team_matches.service import TeamMatches, points_of

Teams = tuple[str, str]
"""What the two servers are called, the home team first."""

_ANY = "\0"

_WHAT_IS_LOST = N_(
    "If both teams agree, games in progress are called off and are not rated; games that are over keep their results "
    "and ratings."
)


async def match_text(
    client: discord.Client,
    team_matches: TeamMatches,
    known: Names,
    competition: Competition[TeamMatch],
    guild_id: int | None,
) -> str:
    """How a match stands, for those who read it on the server ``guild_id``: with people's names, as they may not be on
    both, and links to the threads there."""
    state, teams = competition.state, _teams(client, competition)
    variant = variants.load(competition.ruleset, competition.options)
    lines = [_heading(competition, teams)]
    lines += rules_of_play(competition, variant, _("Rated, in the pool of all servers."))
    tournament = await team_matches.tournament_of(competition)
    if tournament is None:
        return "\n".join([*lines, *([_cancelled(state, teams)] if state.called_off else _before(state, teams))])
    names = {}
    for number, entrant in tournament.state.by_number.items():
        own = competition.guild_id if number % 2 else competition.other_guild_id
        name = await known.of(own, entrant.person) if entrant.person > 0 else nameless(number)
        names[number] = discord.utils.escape_markdown(name)
    below = _("The match's directors correct results on {home}: `/tournament manage`.").format(home=teams[0])
    if state.called_off:
        below = _cancelled(state, teams, tournament)
    elif state.asking is not None:
        below = f"{below}\n{_waits_for_an_answer(state, teams)}"
    end = [_score(tournament, state, teams), below]
    threads = await team_matches.threads(tournament, away=guild_id == competition.other_guild_id)
    text = ""
    for link in LINKS:
        links = {seats: f" · {shown}" for seats, thread in threads.items() if (shown := link(guild_id, thread, ""))}
        text = "\n".join([*lines, *_boards(tournament, names, links), *end])
        if len(text) <= LONGEST:
            break
    return text


def start_of_match(competition: Competition[TeamMatch]) -> str:
    """What the post of a match begins with, whoever accepts it and whatever the servers are called by then."""
    return _heading(competition, (_ANY, _ANY)).split(_ANY)[0]


def _heading(competition: Competition[TeamMatch], teams: Teams) -> str:
    variant = variants.load(competition.ruleset, competition.options)
    count = competition.state.plan.boards
    boards = ngettext("{count} board", "{count} boards", count).format(count=count)
    text = _("**{name}** (team match): {game}, {boards}, {home} against {away}.")
    fields = {"name": competition.name, "game": variant.name, "boards": boards}
    return text.format(**fields, home=teams[0], away=teams[1])


def _before(state: TeamMatch, teams: Teams) -> list[str]:
    if not state.captain:
        text = _(
            "It is open: a manager of the other server gets the code from the challenger and accepts "
            "with `/teams accept` in the channel where that team will play."
        )
        return [text]
    lines = [
        _("{team}: lineup is in.").format(team=team) if there else _("{team}: no lineup yet.").format(team=team)
        for team, there in zip(teams, state.lined_up, strict=True)
    ]
    text = _(
        "Each side names its players with `/teams lineup`. The match begins when both have; until then neither sees"
        " the other's."
    )
    return [*lines, text]


def news_text(
    client: discord.Client,
    competition: Competition[TeamMatch],
    tournament: StoredTournament | None = None,
    *,
    begun: bool,
) -> str:
    """That a match begins, or that it does not take place. ``tournament``: its games, where they began."""
    return _news(competition, _teams(client, competition), tournament, begun=begun)


def start_of_news(competition: Competition[TeamMatch], *, begun: bool) -> str:
    """What the same begins with, whatever the servers are called by then."""
    return _news(competition, (_ANY, _ANY), begun=begun).split(_ANY)[0]


def _news(
    competition: Competition[TeamMatch], teams: Teams, tournament: StoredTournament | None = None, *, begun: bool
) -> str:
    if not begun:
        return labelled(f"**{competition.name}**", _cancelled(competition.state, teams, tournament))
    text = _(
        "**{name}** has begun: {home} against {away}. Every board has its own thread here; find yours with `/me games`."
    )
    return text.format(name=competition.name, home=teams[0], away=teams[1])


def cancel_question(client: discord.Client, competition: Competition[TeamMatch], *, home: bool) -> str:
    """What is lost where a match is cancelled, for those who speak for the home team or for the guests."""
    state, (one, other) = competition.state, _teams(client, competition)
    lines = [
        _("Cancel the match **{name}** against {team}?"),
        _("It will not be played, and both servers will be told."),
    ]
    if not state.captain:
        lines = [_("Cancel the match **{name}**?"), _("Nobody has accepted it yet, and its code will stop working.")]
    if any(state.lined_up):
        lines.append(_("The lineups will be lost."))
    lines.append(_("This cannot be undone."))
    return " ".join(lines).format(name=competition.name, team=other if home else one)


def ask_question(client: discord.Client, competition: Competition[TeamMatch], *, home: bool) -> str:
    """What it means to ask the other side to cancel a match that runs, or that it has been asked."""
    state, teams = competition.state, _teams(client, competition)
    if state.asking is not None:
        return labelled(f"**{competition.name}**", _waits_for_an_answer(state, teams))
    lines = [
        _("**{name}** has begun, so cancelling it takes a yes from {team}. Ask for it?"),
        _(_WHAT_IS_LOST),
        _("Until they answer, the match goes on."),
    ]
    return " ".join(lines).format(name=competition.name, team=teams[1 if home else 0])


def request_text(client: discord.Client, competition: Competition[TeamMatch], number: int) -> str:
    """The question of one side to the other whether a match is to be cancelled, or what has become of it."""
    state, request = competition.state, competition.state.requests[number - 1]
    teams = _teams(client, competition)
    first = _request(competition, teams[0 if request.home else 1])
    if request.dropped is not None:
        return f"{first} {_('They took it back.') if request.dropped == request.home else _('It was declined.')}"
    if state.called_off:
        return f"{first} {_('It was agreed to, and the match is cancelled.')}"
    if state.is_over:
        return f"{first} {_('The match is over.')}"
    people = ", ".join(f"<@{person}>" for person in asked(competition, number))
    who = _("{people} can answer, as can whoever manages events on this server.").format(people=people)
    if not people:
        who = _("Whoever manages events on this server can answer.")
    return "\n".join([first, f"{_('Do you agree?')} {_(_WHAT_IS_LOST)} {_('This cannot be undone.')}", who])


def asked(competition: Competition[TeamMatch], number: int) -> list[int]:
    """Who is to answer a request while it is open: who directs the match for the other side."""
    state = competition.state
    if state.asking is None or number != len(state.requests):
        return []
    return [person for person in ([state.captain] if state.asking else competition.directors) if person > 0]


def start_of_request(competition: Competition[TeamMatch]) -> str:
    """What the same begins with, whatever the servers are called by then."""
    return _request(competition, _ANY).split(_ANY)[0]


def _request(competition: Competition[TeamMatch], team: str) -> str:
    return _("Request to cancel **{name}**, from {team}.").format(name=competition.name, team=team)


def declined_text(client: discord.Client, competition: Competition[TeamMatch], number: int) -> str:
    """That the other side does not agree."""
    teams = _teams(client, competition)
    return _declined(competition, teams[1 if competition.state.requests[number - 1].home else 0])


def start_of_declined(competition: Competition[TeamMatch]) -> str:
    """What the same begins with, whatever the servers are called by then."""
    return _declined(competition, _ANY).split(_ANY)[0]


def _declined(competition: Competition[TeamMatch], team: str) -> str:
    return _("**{name}** goes on: {team} declined to cancel it.").format(name=competition.name, team=team)


def _waits_for_an_answer(state: TeamMatch, teams: Teams) -> str:
    one, other = teams if state.asking else teams[::-1]
    text = _("The match goes on. A request from {team} to cancel it waits for an answer from {other}.")
    return text.format(team=one, other=other)


def named(client: discord.Client, competition: Competition[TeamMatch], *, home: bool) -> str:
    """A match with those it is against, for those on the home team's server or on the guests'."""
    if competition.other_guild_id is None:
        return f"**{competition.name}**"
    one, other = _teams(client, competition)
    return _("**{name}** against {team}").format(name=competition.name, team=other if home else one)


async def substitute_text(
    client: discord.Client, team_matches: TeamMatches, known: Names, competition: Competition[TeamMatch], number: int
) -> str:
    """Who plays for whom on which board, by the event of that number of the match's games."""
    tournament = await team_matches.tournament_of(competition)
    assert tournament is not None
    action = tournament.events[number - 1].action
    assert isinstance(action, Substituted)
    seat = next(each.number for each in tournament.state.entrants if action.person in (each.person, *each.before))
    home = seat % 2 == 1
    own = competition.guild_id if home else competition.other_guild_id
    people = (action.substitute, action.person)
    named = [await known.of(own, person) if person > 0 else nameless(seat) for person in people]
    substitute, player = map(discord.utils.escape_markdown, named)
    text = _("**{name}**, board {board}: {substitute} plays for {player} ({team}). The game begins anew.")
    fields = {"name": competition.name, "board": (seat + 1) // 2, "substitute": substitute, "player": player}
    return text.format(**fields, team=_teams(client, competition)[0 if home else 1])


def _cancelled(state: TeamMatch, teams: Teams, tournament: StoredTournament | None = None) -> str:
    if state.tournament:
        agreed = _("The match was cancelled, as both teams agreed.")
        has_results = tournament is not None and bool(tournament.state.results)
        return f"{agreed} {_('Games that were over count as they ended.')}" if has_results else agreed
    if state.by_home is None:
        return _("The match was cancelled.")
    return _("{team} cancelled the match.").format(team=teams[0 if state.by_home else 1])


def _boards(tournament: StoredTournament, names: Mapping[int, str], links: Mapping[tuple[int, int], str]) -> list[str]:
    lines = []
    for board, (white, black) in enumerate(tournament.state.paired[1].games, start=1):
        marks = tournament.state.results.get((1, white, black))
        result = "-" if marks is None else marks_text(*marks)
        lines.append(f"{board}. {names[white]} {result} {names[black]}{links.get((white, black), '')}")
    return lines


def _score(tournament: StoredTournament, state: TeamMatch, teams: Teams) -> str:
    home, away = state.score or score(points_of(tournament))
    return _("Score: {home} **{points} : {others}** {away} (tournament {number})").format(
        home=teams[0], away=teams[1], points=amount(home), others=amount(away), number=tournament.id
    )


def result_text(client: discord.Client, competition: Competition[TeamMatch]) -> str:
    """The end of a match."""
    return _result(competition, _teams(client, competition))


def start_of_result(competition: Competition[TeamMatch]) -> str:
    """What the end of a match begins with, whatever the servers are called by then."""
    return _result(competition, (_ANY, _ANY)).split(_ANY)[0]


def _result(competition: Competition[TeamMatch], teams: Teams) -> str:
    assert competition.state.score is not None
    home, away = competition.state.score
    ours, theirs = match_points(competition.state.score)
    fields = {"name": competition.name, "points": f"{amount(home)} : {amount(away)}"}
    text = _("**{name}** is over: a draw, {points}.").format(**fields)
    if ours != theirs:
        winner = teams[0 if ours > theirs else 1]
        text = _("**{name}** is over, won by {team}, {points}.").format(**fields, team=winner)
    return f"{text} {_('A result was corrected after the end.')}" if competition.state.corrected else text


def _teams(client: discord.Client, competition: Competition[TeamMatch]) -> Teams:
    names = []
    for guild_id in (competition.guild_id, competition.other_guild_id):
        guild = None if guild_id is None else client.get_guild(guild_id)
        names.append(_("another server") if guild is None else discord.utils.escape_markdown(guild.name))
    return names[0], names[1]
