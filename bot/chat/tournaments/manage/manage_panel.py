"""The private panel in which a director does all that a tournament may need. Everything stands in its buttons and
menus, so that it works after a restart; who may, and whether anything has happened meanwhile, is asked anew."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import discord

from bot.chat.components import MOST_CHOICES, ActionButton, ActionMenu, ButtonStyle, CustomId, Press, chosen, view_of
from bot.chat.features import OLDER, Handlers
from bot.chat.responses import replace, reply_privately
from bot.chat.services import Services
from bot.chat.tournaments import schedule_texts
from bot.chat.tournaments.buttons import STEPS, TournamentAction, take_over_view
from bot.chat.tournaments.buttons import press as presses
from bot.chat.tournaments.format_texts import texts_of
from bot.chat.tournaments.group import NO_BOTS
from bot.chat.visibility import visible_tournament
from bot.chat.wording.message_text import fitting
from bot.games.model.errors import Refused
from bot.i18n import N_, _, ngettext, pgettext
from bot.support.frozen import frozen
from bot.tournaments.model.state import Entrant, Phase
from bot.tournaments.persistence.stored_tournament import StoredTournament

MOST_LISTED: Final = MOST_CHOICES
"""How many a menu lists."""


@frozen
class PanelAction(CustomId):
    """A button or menu of the panel. ``arg``: what was chosen before."""

    prefix = "damero-manage"
    act: str
    tournament: int
    arg: str = ""


press = Handlers(PanelAction)

_ORDER: Final = (
    *("result", "undo", "byhand", "withdraw", "substitute", "bye", "forbid", "seed"),
    *("times", "rounds", "limits", "settings", "late", "openings", "director", "dismiss", "finish", "cancel"),
)
"""The tasks in the order in which the menu lists them."""

_OF_DIVISIONS: Final = ("result", "undo", "withdraw", "substitute")

Step: TypeAlias = Callable[[PanelAction, Press, Services, StoredTournament], Awaitable[None]]
_TASKS: dict[str, tuple[str, str, Callable[[StoredTournament], bool]]] = {}


def task(name: str, label: str, about: str, applies: Callable[[StoredTournament], bool]) -> Callable[[Step], Step]:
    """Put a task into the panel's menu, where it ``applies``; ``label`` and ``about`` are translated there."""

    def register(step: Step) -> Step:
        _TASKS[name] = (label, about, applies)
        return on(name)(step)

    return register


def on(*acts: str, arg: str = ".*") -> Callable[[Step], Step]:
    """Register what a button or menu of the panel does, for directors alone."""

    def register(step: Step) -> Step:
        @press.on(*acts, arg=arg)
        async def directed(action: PanelAction, interaction: Press, services: Services) -> None:
            await step(action, interaction, services, await directed_by(interaction, action.tournament))

        return step

    return register


async def directed_by(interaction: Press, number: int) -> StoredTournament:
    """A tournament that whoever asks directs. Raises Refused."""
    tournament = await visible_tournament(interaction, number)
    tournament.check_directed(interaction.user.id)
    return tournament


def in_entries(tournament: StoredTournament) -> bool:
    """Whether it has not begun."""
    return tournament.state.phase is Phase.ENTRIES


def is_running(tournament: StoredTournament) -> bool:
    """Whether it is being played."""
    return tournament.state.phase is Phase.RUNNING


def takes_results(tournament: StoredTournament) -> bool:
    """Whether results can be entered and corrected."""
    return tournament.takes_results


def is_not_over(tournament: StoredTournament) -> bool:
    """Whether there is anything left to direct."""
    return tournament.state.phase is not Phase.OVER


def _applies(name: str, tournament: StoredTournament) -> bool:
    """Whether a task can be done now; a league or a team match pairs and ends its tournaments itself."""
    allowed: tuple[str, ...] = _ORDER
    if tournament.competition_id is not None:
        allowed = ("result", "undo", "director") if tournament.is_team_match else _OF_DIVISIONS
    return name in allowed and _TASKS[name][2](tournament)


_KEYS: Final[Mapping[Phase, str]] = {
    Phase.ENTRIES: N_("Entries are open."),
    Phase.RUNNING: N_("It is running."),
    Phase.OVER: N_("It is over."),
}


def panel(tournament: StoredTournament, said: str = "") -> tuple[str, discord.ui.View]:
    """The panel, below what has just been done."""
    state = tournament.state
    waiting = state.beyond if in_entries(tournament) else state.waiting
    count = sum(not entrant.is_gone and entrant.person not in waiting for entrant in state.entrants)
    template = ngettext(
        "**{event}**: {kind}, {count} player. {phase}", "**{event}**: {kind}, {count} players. {phase}", count
    )
    kind, phase = texts_of(tournament).kind(tournament), _(_KEYS[state.phase])
    if state.cancelled is not None:
        phase = _("It is cancelled.")
    lines = [template.format(event=tournament.name, kind=kind, count=count, phase=phase)]
    if waiting:
        text = ngettext("{count} player is waiting.", "{count} players are waiting.", len(waiting))
        lines.append(text.format(count=len(waiting)))
    if gone := sum(entrant.is_gone for entrant in state.entrants):
        lines.append(ngettext("{count} player has left.", "{count} players have left.", gone).format(count=gone))
    if tournament.competition_id is not None and not tournament.is_team_match:
        lines.append(_("Whoever directs its league directs it too: `/league directors`."))
    lines += schedule_texts.timing(tournament)
    items: list[ActionButton | ActionMenu] = []
    if options := [
        discord.SelectOption(label=_(_TASKS[name][0]), value=name, description=_(_TASKS[name][1])[:100])
        for name in _ORDER
        if _applies(name, tournament)
    ]:
        items.append(ActionMenu.of(PanelAction("task", tournament.id), _("What do you want to do?"), options))
    if step := tournament.step_by_hand:
        items.append(ActionButton.of(TournamentAction(step, tournament.id), _(STEPS[step]), ButtonStyle.success))
    if takes_results(tournament):
        items.append(ActionButton.of(TournamentAction("result", tournament.id), _("Enter a result")))
    return fitting("\n\n".join(filter(None, [said, "\n".join(lines)]))), view_of(items)


@presses.on("manage")
async def _manage(button: TournamentAction, interaction: Press, services: Services) -> None:
    await show_panel(interaction, await visible_tournament(interaction, button.tournament))


def in_panel(interaction: Press) -> bool:
    """Whether what was pressed stands in a message that only the director sees, which can be shown anew."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def show_panel(interaction: Press, tournament: StoredTournament) -> None:
    """Open the panel; offer whoever manages the server to direct the tournament too. Raises Refused for anybody else
    who does not direct it."""
    if not tournament.is_director(interaction.user.id) and interaction.permissions.manage_guild:
        people = ", ".join(f"<@{person}>" for person in tournament.directors)
        text = _("**{event}** is directed by {people}. Because you manage this server, you can direct it, too.")
        if not people:
            text = _("**{event}** no longer has a director. Because you manage this server, you can direct it.")
        text = text.format(event=tournament.name, people=people)
        await reply_privately(interaction, text, view=take_over_view(tournament))
        return
    tournament.check_directed(interaction.user.id)
    text, view = panel(tournament)
    if in_panel(interaction):
        await replace(interaction, text, view)
    else:
        await reply_privately(interaction, text, view=view)


@on("panel")
async def back(_action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    """To the beginning."""
    text, view = panel(tournament)
    await replace(interaction, text, view)


@on("task")
async def _choose(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    name = chosen_value(interaction, "[a-z]+")
    if name not in _TASKS or not _applies(name, tournament):
        text, view = panel(tournament, _("That no longer applies. This is how it stands now:"))
        await replace(interaction, text, view)
        return
    await press.handle(PanelAction(name, tournament.id), interaction, services)


def back_button(tournament: StoredTournament) -> ActionButton:
    """To the beginning of the panel."""
    return ActionButton.of(PanelAction("panel", tournament.id), pgettext("button", "Back"), row=4)


async def show(
    interaction: Press, tournament: StoredTournament, text: str, items: Iterable[ActionButton | ActionMenu]
) -> None:
    """A step of the panel, with the way back."""
    head = f"**{tournament.name}**"
    await replace(interaction, fitting(f"{head}\n{text}"), view_of([*items, back_button(tournament)]))


async def done(interaction: Press, tournament: StoredTournament, text: str) -> None:
    """What was done, above the panel as it stands now."""
    shown, view = panel(tournament, text)
    await replace(interaction, shown, view)


def paging(tournament: StoredTournament, act: str, page: int, count: int) -> list[ActionButton]:
    """Under one of several pages of a menu, counted from 0, of ``count`` things in all: to the one before and the one
    after, where there are such."""
    pages = ((pgettext("button", "Previous"), page - 1), (pgettext("button", "Next"), page + 1))
    return [
        ActionButton.of(PanelAction(act, tournament.id, str(other)), label)
        for label, other in pages
        if 0 <= other * MOST_LISTED < count
    ]


async def people_menu(
    services: Services,
    tournament: StoredTournament,
    carried: PanelAction,
    people: Iterable[Entrant],
    *,
    count: int = 1,
) -> ActionMenu:
    """A menu of entrants, whose values are their persons; ``count``: how many are chosen. With more than a menu lists,
    it is anybody of the server."""
    listed = [entrant for entrant in people if entrant.person > 0]
    if not listed:
        raise Refused(_("There is nobody to choose."))
    asked = _("Choose a player") if count == 1 else _("Choose {count} players").format(count=count)
    if len(listed) > MOST_LISTED:
        return ActionMenu.of_people(carried, asked, count=count)
    options = []
    for entrant in listed:
        name = await services.names.of(tournament.guild_id, entrant.person)
        label = f"{entrant.number}. {name}" if entrant.number else name
        options.append(discord.SelectOption(label=label[:100], value=str(entrant.person)))
    return ActionMenu.of(carried, asked, options, least=min(count, len(options)), at_most=count)


async def ask_for_players(
    interaction: Press, services: Services, tournament: StoredTournament, act: str, question: str, *, count: int = 1
) -> None:
    """Ask in the panel which of the players is meant, or which ``count`` of them; ``act`` is what goes on with it."""
    menu = await people_menu(services, tournament, PanelAction(act, tournament.id), players(tournament), count=count)
    await show(interaction, tournament, question, [menu])


def chosen_value(interaction: Press, written: str = "[0-9]{1,20}") -> str:
    """The one value that was chosen, written so (a regular expression). Raises Refused."""
    values = chosen(interaction)
    if len(values) != 1 or not re.fullmatch(written, values[0]):
        raise Refused(_(OLDER))
    return values[0]


def chosen_people(interaction: Press) -> list[int]:
    """Who were chosen. Raises Refused."""
    values = chosen(interaction)
    if not all(re.fullmatch("[0-9]{1,20}", value) for value in values):
        raise Refused(_(OLDER))
    return [int(value) for value in values]


def chosen_person(interaction: Press) -> int:
    """Who was chosen. Raises Refused for a bot."""
    person = chosen_value(interaction)
    used: dict[str, Any] = {**(interaction.data or {})}
    if used.get("resolved", {}).get("users", {}).get(person, {}).get("bot"):
        raise Refused(_(NO_BOTS))
    return int(person)


def players(tournament: StoredTournament) -> list[Entrant]:
    """Those who play: before the start all who have entered; of an elimination who is not out."""
    entrants = [entrant for entrant in tournament.state.entrants if not entrant.is_gone]
    if tournament.format.has_bracket and is_running(tournament):
        to_play = tournament.state.bracket.to_play
        entrants = [entrant for entrant in entrants if entrant.number in to_play] or entrants
    return entrants if in_entries(tournament) else sorted(filter(_has_number, entrants), key=lambda each: each.number)


def _has_number(entrant: Entrant) -> bool:
    return entrant.number > 0
