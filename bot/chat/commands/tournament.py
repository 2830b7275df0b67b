"""`/tournament`: an event from its announcement to its podium."""

from __future__ import annotations

from bot.chat.commands.event_asking import Asking
from bot.chat.commands.event_create import Creating
from bot.chat.commands.event_directing import Directing
from bot.chat.commands.event_group import GROUP
from bot.chat.commands.event_mending import Mending
from bot.chat.commands.event_tables import Placing
from bot.chat.commands.event_terms import Terms


class Tournament(Creating, Directing, Terms, Mending, Asking, Placing):
    """Events: the parts of the commands, in one group."""

    tournament = GROUP
