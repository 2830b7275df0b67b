"""`/tournament`: an event from its announcement to its podium."""

from __future__ import annotations

from bot.chat.tournaments.commands.ask import Asking
from bot.chat.tournaments.commands.create import Creating
from bot.chat.tournaments.commands.direct import Directing
from bot.chat.tournaments.commands.group import GROUP
from bot.chat.tournaments.commands.manual import Mending
from bot.chat.tournaments.commands.schedule import Terms
from bot.chat.tournaments.commands.tables import Placing


class TournamentCommands(Creating, Directing, Terms, Mending, Asking, Placing):
    """Events: the parts of the commands, in one group."""

    tournament = GROUP
