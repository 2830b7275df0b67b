"""What custom ids carry: buttons and forms that were posted by any version of the bot go on working."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest

from bot.chat.competitions.league_commands import CompetitionAction
from bot.chat.components import ActionButton, ActionMenu, CustomId, GameAction, view_of
from bot.chat.games.paging import GameStep, ListPage
from bot.chat.games.typed_moves import MoveForm
from bot.chat.onboarding.help import HelpAction
from bot.chat.onboarding.tutorial import TutorialAction, TutorialForm
from bot.chat.onboarding.welcome import WelcomeAction
from bot.chat.positions.set_up import SetUpAction
from bot.chat.positions.setup_form import SetUpForm
from bot.chat.privacy.feature import Forget
from bot.chat.settings.variant_commands import VariantForm
from bot.chat.sharding import create_bot
from bot.chat.study.analysis_commands import TurnsPage
from bot.chat.study.puzzle_buttons import PuzzleAction, PuzzleForm, PuzzleMenu
from bot.chat.tournaments.buttons import TournamentAction
from bot.chat.tournaments.commands.adjudicate import EndGame
from bot.chat.tournaments.kept_forms import KeptForm
from bot.chat.tournaments.manage.confirm_buttons import Confirmation
from bot.chat.tournaments.manage.manage_panel import PanelAction
from bot.settings import Settings
from tests.support.data.databases import url_of

KEPT = ("times", "late", "rounds", "limits", "settings", "openings", "pairings")
TASKS = (
    *("result", "undo", "byhand", "withdraw", "substitute", "bye", "forbid", "seed"),
    *("times", "late", "rounds", "limits", "settings", "openings", "director", "dismiss", "finish", "cancel"),
)
LESSONS = ("lesson", "move", "type", "solution", "play")
BUTTONS: tuple[tuple[CustomId, str], ...] = (
    (GameAction("accept", 7, 0), "damero:accept:7:0"),
    (GameAction("decline", 7, 0), "damero:decline:7:0"),
    (GameAction("withdraw", 7, 0), "damero:withdraw:7:0"),
    (GameAction("leave", 7, 0), "damero:leave:7:0"),
    (GameAction("begin", 7, 0), "damero:begin:7:0"),
    (GameAction("computer", 7, 0), "damero:computer:7:0"),
    (GameAction("level", 7, 0, "8"), "damero:level:7:0:8"),
    (GameAction("colour", 7, 0, "0"), "damero:colour:7:0:0"),
    (GameAction("rematch", 7, 31), "damero:rematch:7:31"),
    (GameAction("analyse", 7, 31), "damero:analyse:7:31"),
    (GameAction("replay", 7, 31), "damero:replay:7:31"),
    (GameAction("move", 7, 5), "damero:move:7:5"),
    (GameAction("choose", 7, 5), "damero:choose:7:5"),
    (GameAction("choose", 7, 5, "3-9"), "damero:choose:7:5:3-9"),
    (GameAction("listed", 7, 5, "0"), "damero:listed:7:5:0"),
    (GameAction("type", 7, 5), "damero:type:7:5"),
    (GameAction("undo", 7, 6), "damero:undo:7:6"),
    (GameAction("side", 7, 6), "damero:side:7:6"),
    (GameAction("side", 7, 6, "second"), "damero:side:7:6:second"),
    (GameAction("language", 7, 0, "hy"), "damero:language:7:0:hy"),
    (GameAction("show", 7, 5), "damero:show:7:5"),
    (GameAction("draw", 7, 5), "damero:draw:7:5"),
    (GameAction("resign", 7, 5), "damero:resign:7:5"),
    (GameAction("resignnow", 7, 5), "damero:resignnow:7:5"),
    (GameAction("abort", 7, 1), "damero:abort:7:1"),
    (GameAction("soplar", 7, 5, "c3"), "damero:soplar:7:5:c3"),
    (GameAction("oblige", 7, 5), "damero:oblige:7:5"),
    (GameAction("pick", 7, 5, "c3xe5xg7"), "damero:pick:7:5:c3xe5xg7"),
    (GameAction("pick", 7, 5, "#12"), "damero:pick:7:5:#12"),
    (GameAction("agree", 7, 5, "draw-3"), "damero:agree:7:5:draw-3"),
    (GameAction("refuse", 7, 5, "takeback-3"), "damero:refuse:7:5:takeback-3"),
    (ListPage("games", 100, 2), "damero-list:games:100:2"),
    (ListPage("history", 100, 0), "damero-list:history:100:0"),
    (GameStep(7, 0, "first"), "damero-step:7:0:first"),
    (GameStep(7, 4, "back"), "damero-step:7:4:back"),
    (Forget(100), "damero-forget:100"),
    (TournamentAction("join", 4), "tournament:join:4"),
    (TournamentAction("leave", 4), "tournament:leave:4"),
    (TournamentAction("leave", 4, "yes"), "tournament:leave:4:yes"),
    (TournamentAction("leave", 4, "no"), "tournament:leave:4:no"),
    (TournamentAction("direct", 4), "tournament:direct:4"),
    (TournamentAction("pause", 4), "tournament:pause:4"),
    (TournamentAction("here", 4), "tournament:here:4"),
    (TournamentAction("why", 4, "2"), "tournament:why:4:2"),
    (TournamentAction("need", 4), "tournament:need:4"),
    (TournamentAction("text", 4), "tournament:text:4"),
    (TournamentAction("keep", 4, "12.100.0.2."), "tournament:keep:4:12.100.0.2."),
    (TournamentAction("again", 4, "12.t1.231.2."), "tournament:again:4:12.t1.231.2."),
    *((TournamentAction(act, 4), f"tournament:{act}:4") for act in ("start", "pair", "finish", "result", "manage")),
    *((PanelAction(act, 4), f"damero-manage:{act}:4") for act in TASKS),
    (PanelAction("panel", 4), "damero-manage:panel:4"),
    (PanelAction("task", 4), "damero-manage:task:4"),
    (PanelAction("write", 4), "damero-manage:write:4"),
    (PanelAction("undoes", 4), "damero-manage:undoes:4"),
    (PanelAction("out", 4), "damero-manage:out:4"),
    (PanelAction("stops", 4), "damero-manage:stops:4"),
    (PanelAction("goeson", 4, "100"), "damero-manage:goeson:4:100"),
    (PanelAction("do", 4, "12.withdraw.100.0"), "damero-manage:do:4:12.withdraw.100.0"),
    (PanelAction("sits", 4), "damero-manage:sits:4"),
    (PanelAction("byeof", 4, "3"), "damero-manage:byeof:4:3"),
    (PanelAction("apart", 4), "damero-manage:apart:4"),
    (PanelAction("whose", 4), "damero-manage:whose:4"),
    (PanelAction("place", 4, "100"), "damero-manage:place:4:100"),
    (PanelAction("directs", 4), "damero-manage:directs:4"),
    (PanelAction("dismissed", 4), "damero-manage:dismissed:4"),
    (PanelAction("games", 4, "1"), "damero-manage:games:4:1"),
    (PanelAction("game", 4), "damero-manage:game:4"),
    (PanelAction("came", 4, "0.2.-.1.4"), "damero-manage:came:4:0.2.-.1.4"),
    (PanelAction("placed", 4, "2.0.0100"), "damero-manage:placed:4:2.0.0100"),
    (PanelAction("absent", 4, "2.0.0100"), "damero-manage:absent:4:2.0.0100"),
    (KeptForm("create", 0, "swiss"), "damero-form:create:0:swiss"),
    *((KeptForm(act, 4), f"damero-form:{act}:4") for act in KEPT),
    *((KeptForm(act, 0), f"damero-form:{act}:0") for act in ("challenge", "league")),
    *((KeptForm(act, 0, "rest"), f"damero-form:{act}:0:rest") for act in ("challenge", "league")),
    (CompetitionAction("join", 9), "contest:join:9"),
    (CompetitionAction("leave", 9), "contest:leave:9"),
    (CompetitionAction("close", 9), "contest:close:9"),
    (CompetitionAction("directs", 9), "contest:directs:9"),
    (CompetitionAction("dismiss", 9), "contest:dismiss:9"),
    (CompetitionAction("dismissed", 9, 100), "contest:dismissed:9:100"),
    (CompetitionAction("calloff", 9, 3), "contest:calloff:9:3"),
    (CompetitionAction("askoff", 9, 3), "contest:askoff:9:3"),
    (CompetitionAction("agree", 9, 1), "contest:agree:9:1"),
    (CompetitionAction("playon", 9, 1), "contest:playon:9:1"),
    (EndGame(7, 40), "damero-adjudicate:7:40"),
    (TurnsPage(7, 1), "damero-judged:7:1"),
    (PuzzleAction("answer", 3), "damero-puzzle:answer:3"),
    (PuzzleAction("solution", 3), "damero-puzzle:solution:3"),
    (PuzzleAction("reveal", 3), "damero-puzzle:reveal:3"),
    (PuzzleAction("next", 3), "damero-puzzle:next:3"),
    (Confirmation("keep", 4, 12, "event", 11), "mend:keep:4:12:event:11"),
    (Confirmation("again", 4, 12, "round", 3), "mend:again:4:12:round:3"),
    (Confirmation("cancel", 4, 12, "event", 11), "mend:cancel:4:12:event:11"),
    (SetUpAction("computer"), "damero-setup:computer"),
    (SetUpAction("level", "3"), "damero-setup:level:3"),
    (SetUpAction("challenge"), "damero-setup:challenge"),
    (SetUpAction("analyse"), "damero-setup:analyse"),
    (SetUpAction("change"), "damero-setup:change"),
    (SetUpAction("share"), "damero-setup:share"),
    *((TutorialAction(act, 2, "spanish"), f"damero-learn:{act}:2:spanish") for act in LESSONS),
    (TutorialAction("game", 0), "damero-learn:game:0"),
    (HelpAction("topic"), "damero-help:topic"),
    (WelcomeAction("computer"), "damero-welcome:computer"),
    (WelcomeAction("anyone"), "damero-welcome:anyone"),
    (WelcomeAction("learn", "chosen"), "damero-welcome:learn:chosen"),
)
FORMS: tuple[tuple[CustomId, str], ...] = (
    (KeptForm("create", 0, "swiss"), "damero-form:create:0:swiss"),
    *((KeptForm(act, 4), f"damero-form:{act}:4") for act in KEPT),
    *((KeptForm(act, 0), f"damero-form:{act}:0") for act in ("challenge", "league")),
    *((KeptForm(act, 0, "rest"), f"damero-form:{act}:0:rest") for act in ("challenge", "league")),
    (MoveForm(7, 5), "damero:say:7:5"),
    (PuzzleForm(3, 0), "damero-puzzle:3:0"),
    (PuzzleForm(3), "damero-puzzle:3"),
    (SetUpForm("position", "pinoy removal=at_end"), "damero-setup-form:position:pinoy removal=at_end"),
    (SetUpForm("challenge"), "damero-setup-form:challenge"),
    (VariantForm("add", "house-dama"), "damero-rules:add:house-dama"),
    (VariantForm("edit", "house"), "damero-rules:edit:house"),
    (TutorialForm(2, "spanish"), "damero-learned:2:spanish"),
)


@pytest.mark.parametrize(("carried", "custom_id"), [*BUTTONS, *FORMS])
def test_a_custom_id_is_written_as_ever_and_read_back(carried: CustomId, custom_id: str) -> None:
    """Each kind is written byte for byte as it always was, and what is read from it is what was written."""
    assert custom_id == carried.encode()
    assert carried == type(carried).decode(custom_id)


@pytest.mark.parametrize(("carried", "custom_id"), BUTTONS)
def test_a_button_is_of_one_kind(carried: CustomId, custom_id: str) -> None:
    """Discord's answer to a press leads to the one button class, and no other kind reads its custom id."""
    [button] = view_of([ActionButton.of(carried, "label")]).children
    assert isinstance(button, ActionButton)
    assert custom_id == button.custom_id
    kinds = {type(each) for each, _ in BUTTONS}
    assert [type(carried)] == [kind for kind in kinds if kind.decode(custom_id) is not None]


@pytest.mark.parametrize(
    ("kind", "custom_id"),
    [
        (GameAction, "damero:accept:7"),
        (GameAction, "damero:accept:7:x"),
        (GameAction, "damero-list:games:100:2"),
        (ListPage, "damero-list:others:100:2"),
        (Confirmation, "mend:keep:4:12:match:11"),
        (TurnsPage, "damero-judged:7:1:2"),
        (Forget, "damero-forget:-1"),
    ],
)
def test_what_is_no_custom_id_of_a_kind_is_not_read(kind: type[CustomId], custom_id: str) -> None:
    """A custom id that is not whole, or of another kind, carries nothing."""
    assert kind.decode(custom_id) is None


MENUS: tuple[CustomId, ...] = (PuzzleMenu(3, 1),)
"""What no button carries."""


async def test_every_button_and_form_has_its_handler(tmp_path: Path) -> None:
    """What may be posted is done by one feature, and nothing that is never posted has a handler."""
    bot = create_bot(Settings(database_url=url_of(tmp_path / "damero.sqlite3")))
    try:
        buttons = [handlers for feature in bot.features for handlers in feature.buttons]
        forms = [handlers for feature in bot.features for handlers in feature.forms]
        pressed = [*MENUS, *(each for each, _ in BUTTONS)]
        for posted, registered in ((pressed, buttons), ([each for each, _ in FORMS], forms)):
            carried = {(type(each), getattr(each, "act", "")) for each in posted}
            assert carried == {(handlers.kind, act) for handlers in registered for act in handlers._by_act}
            assert len(registered) == len({handlers.kind for handlers in registered})
    finally:
        await bot.services.close()


def test_a_menu_carries_what_a_button_would() -> None:
    """A menu's custom id is that of a button behind its own prefix: the same handlers are asked."""
    menu = ActionMenu.of(TournamentAction("leave", 4), "Which?", [discord.SelectOption(label="one", value="1")])

    assert "menu:tournament:leave:4" == menu.custom_id
    assert menu.template.fullmatch(menu.custom_id)
    assert not any(kind.decode(menu.custom_id) for kind in (TournamentAction, GameAction))


async def test_a_menu_says_how_many_it_leaves_out() -> None:
    """More than Discord lists are not dropped in silence: how many there are, and how the others are reached."""
    options = [discord.SelectOption(label=str(number)) for number in range(30)]
    menu = ActionMenu.of(Forget(100), "Choose a game", options, others="all: /play variant:").item
    assert isinstance(menu, discord.ui.Select)
    assert ("Choose a game (25 of 30; all: /play variant:)", 25) == (menu.placeholder, len(menu.options))
    few = ActionMenu.of(Forget(100), "Choose a game", options[:25], others="all: /play variant:").item
    assert isinstance(few, discord.ui.Select)
    assert "Choose a game" == few.placeholder
