"""A club that holds tournaments on a simulated Discord."""

from __future__ import annotations

import asyncio

import discord
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.chat.games.delivery import Delivery
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.tournaments.persistence.stored_tournament import StoredTournament
from tests.support.discord.director_panel import Panel
from tests.support.discord.parts import part
from tests.support.discord.world import World, said, words_of

COMMANDS = {
    "swiss": ("swiss", False),
    "round robin": ("roundrobin", False),
    "double round robin": ("roundrobin", True),
    "single elimination": ("knockout", False),
    "double elimination": ("knockout", True),
    "arena": ("arena", False),
    "tables": ("tables", False),
}
"""The subcommand of `/tournament create` for each kind, and whether it is the double one."""

FORMS = {
    "Start and check-in": ("check_in",),
    "Rounds": ("break_minutes", "round_days", "unfinished"),
    "Who may enter": ("min_players", "min_rating", "max_rating", "min_games"),
    "Settings": ("late_join_until", "order", "scoring"),
    "Openings and tie-breaks": ("tie_breaks",),
}
"""The panel's forms with what they set, by the label under which the panel offers them."""

SET_LATER = tuple(name for names in FORMS.values() for name in names)
ASKED = {"swiss": ("break_minutes",), "roundrobin": (), "knockout": (), "arena": (), "tables": ("late_join_until",)}
"""What of these a subcommand of `/tournament create` asks for itself."""


class Club:
    """A director and players; games are decided by resignation: the higher starting number resigns."""

    def __init__(self, here: World, players: int) -> None:
        self.here = here
        role = here.guild.create_role("events", permissions=discord.Permissions(manage_events=True))
        self.director = here.guild.add_member(here.env.create_user("director"), roles=[role])
        self.players = [here.person(f"player{number}") for number in range(1, players + 1)]

    async def create(self, kind: str, **more: object) -> InteractionResult:
        """Create a tournament; what the command does not ask for, the panel's forms set."""
        command, doubled = COMMANDS[kind]
        options: dict[str, object] = {"name": "Autumn", "variant": "pinoy", "clock": "3d", **more}
        later = {name: str(options.pop(name)) for name in SET_LATER if name in options and name not in ASKED[command]}
        given = options | ({"double": True} if doubled else {})
        answer = await self.director.slash(self.here.channel, f"tournament create {command}", **given)
        for label, names in FORMS.items():
            if values := {name: later[name] for name in names if name in later}:
                panel = await Panel.opened(self.director, self.here.channel)
                await (await panel.choose(label)).send(**values)
        return answer

    @property
    def announcement(self) -> discord.Message:
        return next(m for m in self.here.posts() if m.content.startswith("**Autumn** (tournament"))

    def post(self, start: str) -> discord.Message:
        """The one message that begins so."""
        (found,) = [m for m in self.here.posts() if words_of(m).startswith(start)]
        return found

    @property
    def standings(self) -> discord.Message:
        """The message of the standings, a card."""
        return self.post("### Autumn\n")

    async def join(self, *people: MemberActor) -> None:
        for person in people:
            await person.click(self.announcement, label="Join")

    async def started(self, kind: str, **more: object) -> None:
        """A tournament that all players have joined is started."""
        await self.create(kind, **more)
        await self.join(*self.players)
        await self.direct("start")
        await self.quiet()

    async def direct(self, command: str, **options: object) -> str:
        return said(await self.director.slash(self.here.channel, f"tournament {command}", **options))

    # By taps

    async def manage(self, **options: object) -> Panel:
        """The director's panel."""
        return await Panel.opened(self.director, self.here.channel, **options)

    async def tap(self, task: str, *people: MemberActor) -> str:
        """Do a task of the panel, about a player if need be, and confirm it."""
        panel = await (await self.manage()).choose(task)
        for person in people:
            if panel.options:
                await panel.choose_values(person.id)
            else:
                await panel.choose_people(person)
        return (await panel.press("Confirm")).text if "Confirm" in panel.labels else panel.text

    async def finish(self) -> str:
        return await self.tap("Finish")

    async def withdraw(self, player: MemberActor) -> str:
        return await self.tap("Withdraw", player)

    async def give_bye(self, player: MemberActor, label: str) -> str:
        """``label``: the round and what it is worth, as the menu offers them."""
        panel = await (await self.manage()).choose("Give a bye")
        await panel.choose_values(player.id)
        return (await panel.choose(label)).text

    async def seed(self, player: MemberActor, place: int) -> str:
        panel = await (await self.manage()).choose("Order of the players")
        await panel.choose_values(player.id)
        return (await panel.choose_values(place)).text

    async def undo(self, event: int | None = None, label: str = "Confirm") -> str:
        """Take an event back, the newest or the one of a number, by the button of that label; "" only looks."""
        panel = await (await self.manage()).choose("Undo")
        await panel.choose_values(event or max(map(int, panel.options.values())))
        return (await panel.press(label)).text if label and label in panel.labels else panel.text

    async def by_hand(self, pairings: str, round: int, label: str = "Confirm") -> str:
        """Pair a round by hand, by the button of that label; "" only looks."""
        panel = await (await self.manage()).choose("Pair by hand")
        await (await panel.press("Write the pairings")).send(pairings=pairings, round=str(round))
        return (await panel.press(label)).text if label and label in panel.labels else panel.text

    async def set(self, form: str, **values: object) -> str:
        """Send in a form of the panel."""
        panel = await (await self.manage()).choose(form)
        return (await panel.send(**values)).text

    async def load(self) -> StoredTournament:
        return await self.here.bot.services.tournaments.load(1)

    async def quiet(self) -> None:
        """Until the bot has said all that there is to say."""
        bot = self.here.bot
        while tasks := {*part(bot, TournamentMessages).tasks, *part(bot, Delivery).tasks}:
            await asyncio.wait(tasks)
            await asyncio.sleep(0)

    async def play(self, *but: int) -> None:
        """Play all games that are going on but those of the numbers ``but``, each in its thread."""
        while True:
            tournament = await self.load()
            running = [g for g in tournament.games if g.status == "running" and not {g.white, g.black} & set(but)]
            if not running:
                return
            for link in running:
                games = self.here.bot.services.games
                for ply in range(3):
                    game = await games.game(link.game_id)
                    loser = tournament.state.by_number[max(link.white, link.black)].person
                    if ply < 2:
                        assert game.to_move is not None
                        text = game.rules.turns(game.state)[0].text
                        game = await games.moves.turn(game.id, game.to_move, text, f"t:{game.id}:{ply}")
                    else:
                        game = await games.moves.resign(game.id, loser, f"t:{game.id}:{ply}")
                    self.here.bot.services.games_changed.send(game)
                await self.quiet()


async def give_up(club: Club, game_id: int, person: int) -> None:
    """A player resigns in a game's thread, and is asked once."""
    game = await club.here.bot.services.games.game(game_id)
    thread = next(each for each in club.here.channel.threads if each.id == game.channel_id)
    player = next(each for each in club.players if each.id == person)
    asked = await player.slash(thread, "game resign")
    assert asked.response is not None
    await player.click(asked.response, label="Resign")
