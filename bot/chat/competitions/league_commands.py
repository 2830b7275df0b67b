"""`/league`, and the buttons of its posts; at the end, what a new team match needs too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.chat.competitions import league_texts as texts
from bot.chat.competitions.creation_forms import CreationForm
from bot.chat.components import ActionButton, ActionMenu, ButtonStyle, CustomId, Press, view_of
from bot.chat.features import Handlers
from bot.chat.games.choices import TIMED_CHOICES, options_of
from bot.chat.games.room_checks import check_allowed
from bot.chat.games.variant_option import TypedVariant, VariantTransformer
from bot.chat.responses import defer_if_slow, replace, reply_privately, source_of
from bot.chat.services import Services, services_of
from bot.chat.tournaments.group import Asker, EventTransformer, Person, channel_of_posts, manages_events
from bot.chat.tournaments.manage.directors import directors_menu, directs_too, dismissal, dismissed
from bot.chat.tournaments.manage.manage_panel import chosen_person
from bot.chat.tournaments.new_tournament import whole
from bot.chat.tournaments.texts import person_text
from bot.chat.tournaments.typed_values import yes
from bot.chat.visibility import may_see
from bot.chat.wording.message_text import chosen_name
from bot.engine import variants
from bot.engine.errors import VariantError
from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Refused
from bot.games.model.game import Place
from bot.i18n import N_, _, day, labelled, ngettext, pgettext
from bot.support.frozen import frozen
from bot.tournaments.leagues.model import LEAST_SIZE, LONGEST, MOST_SIZE, League, LeaguePlan
from bot.tournaments.leagues.service import LEAGUES, Leagues
from bot.tournaments.model.action_codec import A
from bot.tournaments.persistence.stored import NewCompetition, Stored
from bot.tournaments.persistence.stored_competition import Competition, S
from bot.tournaments.use_cases.competitions import Competitions

STATUSES: Final = {"open": N_("not begun"), "running": N_("running"), "over": N_("over")}
_WHICH = "The league (default: the one in this channel)"
_CLOCKS = [choice for choice in TIMED_CHOICES if not CONTROLS[choice.value].live]


class CompetitionTransformer(EventTransformer):
    """A league or a team match. They are counted together, which nobody has to know: people tell them by their names,
    and those of one name by the day on which they were announced."""

    statuses = STATUSES

    def told_apart(self, row: Stored) -> str:
        return day(row.made_at) if isinstance(row, Competition) else ""


class LeagueTransformer(CompetitionTransformer):
    none = LEAGUES.none_on_server

    async def listed(self, interaction: Press) -> Sequence[Stored]:
        return await listed(services_of(interaction).leagues.competitions, interaction)


LeagueOption: TypeAlias = app_commands.Transform[int, LeagueTransformer]

LEAGUE = app_commands.Group(name="league", description="Leagues: divisions, and season after season")


async def _asked(interaction: Press, number: int | None) -> tuple[Leagues, Competition[League], Asker]:
    """The use cases, the league that is meant, and whoever asks, as ``group.asked`` of a tournament. Raises Refused."""
    leagues = services_of(interaction).leagues
    competition = await chosen_competition(leagues.competitions, interaction, number)
    return leagues, competition, (competition.id, interaction.user.id, source_of(interaction))


@LEAGUE.command(name="create", description="Announce a league in this channel; you direct it")
@app_commands.describe(
    name="Its name",
    variant="The game",
    clock="How much time there is to move",
    division_size="How many play in a division (default: 8)",
    promoted="How many go up from each division (default: 2, fewer in a small division)",
    relegated="How many go down from each division (default: as many as go up)",
    season_days="How many days a season lasts at most (default: 60)",
    break_days="Days between two seasons (default: 3)",
    rules="House rules such as quiet_moves=40",
    rated="Whether games change ratings (default: yes)",
)
@app_commands.choices(clock=_CLOCKS)
async def create(
    interaction: Press,
    name: app_commands.Range[str, 1, 60],
    variant: TypedVariant,
    clock: str,
    division_size: app_commands.Range[int, LEAST_SIZE, MOST_SIZE] | None = None,
    promoted: app_commands.Range[int, 0, MOST_SIZE] | None = None,
    relegated: app_commands.Range[int, 0, MOST_SIZE] | None = None,
    season_days: app_commands.Range[int, 1, LONGEST] | None = None,
    break_days: app_commands.Range[int, 0, LONGEST] | None = None,
    rules: app_commands.Range[str, 1, 200] | None = None,
    rated: bool | None = None,
) -> None:
    await _CREATE.begin(interaction, locals())


async def _create(interaction: Press, typed: Mapping[str, str]) -> str:
    new = await new_competition(interaction, typed)
    usual = LeaguePlan()
    size = whole(typed, "division_size", LEAST_SIZE, MOST_SIZE) or usual.size
    up, down = (whole(typed, name, 0, MOST_SIZE) for name in ("promoted", "relegated"))
    if up is None:
        up = min(usual.up, size // 2) if down is None else down
    down = up if down is None else down
    days, pause = whole(typed, "season_days", 1, LONGEST), whole(typed, "break_days", 0, LONGEST)
    plan = LeaguePlan(size, up, down, days or usual.days, usual.pause if pause is None else pause)
    competition = await services_of(interaction).leagues.create(new, plan, source_of(interaction))
    text = _("**{name}** is announced below. Begin it with `/league start` when all who want to play have joined.")
    return text.format(name=competition.name)


@LEAGUE.command(name="start", description="Begin a season: the first, or the next one early (director)")
@app_commands.describe(league=_WHICH)
async def start(interaction: Press, league: LeagueOption | None = None) -> None:
    leagues, _competition, asker = await _asked(interaction, league)
    competition = await defer_if_slow(interaction, leagues.start(*asker))
    season = competition.state.season
    assert season is not None
    divisions = len(season.divisions)
    text = ngettext(
        "**{name}**: season {number} has begun with {divisions} division.",
        "**{name}**: season {number} has begun with {divisions} divisions.",
        divisions,
    )
    answer = text.format(name=competition.name, number=season.number, divisions=divisions)
    await reply_privately(interaction, answer)


@LEAGUE.command(name="join", description="Join a league, starting with its next season")
@app_commands.describe(league=_WHICH)
async def join(interaction: Press, league: LeagueOption | None = None) -> None:
    leagues, _competition, asker = await _asked(interaction, league)
    await _join(interaction, leagues, asker)


async def _join(interaction: Press, leagues: Leagues, asker: Asker) -> None:
    competition = await leagues.join(*asker)
    text = _("You are in **{name}**, starting with its next season.")
    if competition.state.season is None:
        text = _("You are in **{name}**, starting with its first season.")
    await reply_privately(interaction, text.format(name=competition.name))


@LEAGUE.command(name="leave", description="Leave a league after the current season")
@app_commands.describe(league=_WHICH)
async def leave(interaction: Press, league: LeagueOption | None = None) -> None:
    await _take_out(interaction, league, interaction.user.id)


@LEAGUE.command(name="remove", description="Take a player out of the league after this season (director)")
@app_commands.describe(player="Who to remove", league=_WHICH)
async def remove(interaction: Press, player: Person, league: LeagueOption | None = None) -> None:
    await _take_out(interaction, league, player.id)


async def _take_out(interaction: Press, league: int | None, person: int) -> None:
    leagues, _competition, asker = await _asked(interaction, league)
    await _leave(interaction, leagues, asker, person)


async def _leave(interaction: Press, leagues: Leagues, asker: Asker, person: int) -> None:
    number, me, source = asker
    competition = await leagues.leave(number, person, me, source)
    text = _("<@{person}> will not play in any more seasons of **{name}**.")
    if person == me:
        text = _("You will not play in any more seasons of **{name}**.")
    sentences = [text.format(person=person, name=competition.name)]
    season = competition.state.season
    if competition.state.is_playing and season is not None and person in season.people:
        text = _("This season's games go on.")
        if person == me:
            text = _("Please finish your games of this season, or give them all up with `/tournament leave`.")
        sentences.append(text)
    await reply_privately(interaction, " ".join(sentences))


@LEAGUE.command(name="standings", description="The standings of a league's divisions (only you see them)")
@app_commands.describe(league=_WHICH)
async def standings(interaction: Press, league: LeagueOption | None = None) -> None:
    leagues, competition, _asker = await _asked(interaction, league)
    await reply_privately(interaction, texts.standings(competition, await leagues.divisions(competition)))


@LEAGUE.command(name="history", description="The seasons of a league and who has won them")
@app_commands.describe(league=_WHICH)
async def history(interaction: Press, league: LeagueOption | None = None) -> None:
    leagues, competition, _asker = await _asked(interaction, league)
    await reply_privately(interaction, texts.history(competition, await leagues.corrected(competition)))


@LEAGUE.command(name="list", description="The leagues of this server")
async def league_list(interaction: Press) -> None:
    rows = await listed(services_of(interaction).leagues.competitions, interaction)
    lines = [f"- **{row.name}** <#{row.channel_id}>: {_(STATUSES[row.status])}" for row in rows]
    await reply_privately(interaction, "\n".join(lines) or _("There has been no league here yet."))


@LEAGUE.command(name="directors", description="The league's directors: add one, remove one, or step down (director)")
@app_commands.describe(league=_WHICH)
async def directors(interaction: Press, league: LeagueOption | None = None) -> None:
    _leagues, competition, _asker = await _asked(interaction, league)
    if not interaction.permissions.manage_guild:
        competition.check_directed(interaction.user.id)
    text, view = await _directors(interaction, competition)
    await reply_privately(interaction, text, view=view)


async def _directors(
    interaction: Press, competition: Competition[League], done: str = ""
) -> tuple[str, discord.ui.View]:
    """Who directs a league, below what has just been ``done``, with menus that change it."""
    people = ", ".join(map(person_text, competition.directors))
    text = _("Directed by {people}.").format(people=people) if people else _("It no longer has a director.")
    menus = [ActionMenu.of_people(CompetitionAction("directs", competition.id), _("Add a director"))]
    if competition.is_director(interaction.user.id) and len(competition.directors) > 1:
        carried = CompetitionAction("dismiss", competition.id)
        menus.append(await directors_menu(services_of(interaction), competition, carried, _("Remove a director")))
    return "\n\n".join(filter(None, [done, labelled(f"**{competition.name}**", text)])), view_of(menus)


@LEAGUE.command(name="close", description="End the league after the current season (director)")
@app_commands.describe(league=_WHICH)
async def close(interaction: Press, league: LeagueOption | None = None) -> None:
    _leagues, competition, asker = await _asked(interaction, league)
    competition.check_directed(asker[1])
    if competition.state.closed:
        raise Refused(_("This league is already closed."), event=competition.name)
    text = _(
        "Close **{name}**? The current season will be played to its end, and there will not be another. This "
        "cannot be undone."
    )
    if not competition.state.is_playing:
        text = _("Close **{name}**? There will not be another season. This cannot be undone.")
    button = ActionButton.of(CompetitionAction("close", competition.id), _("Close the league"), ButtonStyle.danger)
    await reply_privately(interaction, text.format(name=competition.name), view=view_of([button]))


@frozen
class CompetitionAction(CustomId):
    """A button or menu about a league or a team match. ``number``: what is needed besides, a person, or that of its
    last event when that was shown."""

    prefix = "contest"
    act: str
    competition: int
    number: int = 0


press = Handlers(CompetitionAction)


@press.on("join")
async def _press_join(button: CompetitionAction, interaction: Press, services: Services) -> None:
    await _join(interaction, services.leagues, await _presser(button, interaction, services))


@press.on("leave")
async def _press_leave(button: CompetitionAction, interaction: Press, services: Services) -> None:
    asker = await _presser(button, interaction, services)
    await _leave(interaction, services.leagues, asker, interaction.user.id)


@press.on("close")
async def _press_close(button: CompetitionAction, interaction: Press, services: Services) -> None:
    competition = await services.leagues.close(*await _presser(button, interaction, services))
    text = _("**{name}** will have no more seasons.").format(name=competition.name)
    await replace(interaction, text)


@press.on("directs")
async def _press_directs(button: CompetitionAction, interaction: Press, services: Services) -> None:
    number, me, source = await _presser(button, interaction, services)
    person, manages = chosen_person(interaction), interaction.permissions.manage_guild
    competition = await services.leagues.competitions.add_director(number, person, me, source, manages=manages)
    text, view = await _directors(interaction, competition, directs_too(competition, person))
    await replace(interaction, text, view)


@press.on("dismiss")
async def _press_dismiss(button: CompetitionAction, interaction: Press, services: Services) -> None:
    competition = await chosen_competition(services.leagues.competitions, interaction, button.competition)
    competition.check_directed(interaction.user.id)
    person = chosen_person(interaction)
    competition.without_director(person)
    carried = CompetitionAction("dismissed", competition.id, person)
    button_of = ActionButton.of(carried, pgettext("button", "Confirm"), ButtonStyle.danger)
    await replace(interaction, dismissal(competition, person, interaction.user.id), view_of([button_of]))


@press.on("dismissed")
async def _press_dismissed(button: CompetitionAction, interaction: Press, services: Services) -> None:
    number, me, source = await _presser(button, interaction, services)
    competition = await services.leagues.competitions.remove_director(number, button.number, me, source)
    if not competition.is_director(me):
        await replace(interaction, dismissed(competition, button.number))
        return
    text, view = await _directors(interaction, competition, dismissed(competition, button.number))
    await replace(interaction, text, view)


async def _presser(button: CompetitionAction, interaction: Press, services: Services) -> Asker:
    await chosen_competition(services.leagues.competitions, interaction, button.competition)
    return button.competition, interaction.user.id, source_of(interaction)


def league_view(competition: Competition[League]) -> discord.ui.View:
    """Under a league: to join and to leave, until it is closed."""
    join = ActionButton.of(CompetitionAction("join", competition.id), _("Join"), ButtonStyle.success)
    leave = ActionButton.of(CompetitionAction("leave", competition.id), _("Leave"))
    return view_of([] if competition.state.closed else [join, leave])


async def listed(competitions: Competitions[S, A], interaction: Press) -> list[Competition[S]]:
    """The newest competitions of this server, of those that whoever made ``interaction`` takes part in or sees."""
    found = [await competitions.load(row.id) for row in await competitions.of_server(interaction.guild_id or 0)]
    return [competition for competition in found if await _is_open_to(interaction, competition)]


async def _is_open_to(interaction: Press, competition: Competition[S]) -> bool:
    places = {competition.guild_id: competition.channel_id, competition.other_guild_id: competition.other_channel_id}
    channel_id, me = places.get(interaction.guild_id), interaction.user.id
    if interaction.guild_id is None or channel_id is None:
        return False
    return competition.state.has(me) or competition.is_director(me) or await may_see(interaction, channel_id)


async def chosen_competition(
    competitions: Competitions[S, A], interaction: Press, number: int | None
) -> Competition[S]:
    """The one that a command is about, of this server: by its number, or the one of the channel. Raises Refused."""
    if number is None:
        number = await competitions.newest_in(channel_of_posts(interaction))
    competition = await competitions.load(number)
    if not await _is_open_to(interaction, competition):
        raise Refused(_(competitions.kind.none_on_server).format(name=number))
    return competition


async def new_competition(interaction: Press, typed: Mapping[str, str], *, own: bool = True) -> NewCompetition:
    """What is to be announced in this channel, with games of two; ``own``: whether of the server's own variants, too.
    Raises Refused."""
    variant = await VariantTransformer(own=own).transform(interaction, typed.get("variant", ""))
    name, rated = chosen_name(typed.get("name", "")), yes("rated", typed.get("rated", "yes"))
    try:
        chosen = variants.load(variant.ruleset, options_of(typed.get("rules", ""), variant))
    except VariantError as error:
        raise Refused(error.sentence) from error
    if chosen.family == "star" and chosen.options.get("players", 2) not in (2, "2"):
        raise Refused(_("This is only for two-player games."))
    return NewCompetition(
        director=interaction.user.id,
        name=name,
        ruleset=chosen.ruleset,
        options=dict(chosen.chosen),
        clock=typed.get("clock", ""),
        rated=rated,
        place=Place(interaction.guild_id, interaction.channel_id or 0),
    )


def check_may_create(interaction: Press) -> None:
    """Raises Refused unless the person may hold tournaments here, and the bot can open threads for their games."""
    if not manages_events(interaction):
        raise Refused(_("You need the **Manage Events** permission on this server for that."))
    if not isinstance(interaction.channel, discord.TextChannel):
        raise Refused(_("That needs a channel where games can have threads."))
    check_allowed(interaction, opens_thread=True)


_CREATE: Final = CreationForm(
    "league",
    ("name", "variant", "clock", "rules", "rated"),
    ("division_size", "promoted", "relegated", "season_days", "break_days"),
    check_may_create,
    _create,
)
