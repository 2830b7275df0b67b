"""Study: analyses of games that are over, puzzles, the puzzle of the day."""

from __future__ import annotations

import discord

from bot.chat.features import Feature
from bot.chat.services import Services
from bot.chat.study import analysis_commands, puzzle_buttons, puzzle_commands
from bot.chat.study.daily_puzzle import MINE, DailyPuzzle
from bot.study.puzzles import DAILY


def setup(client: discord.Client, services: Services) -> Feature:
    """The feature; new puzzles are looked for each night."""
    puzzles, pictures, languages = services.puzzles, services.pictures, services.languages
    daily = DailyPuzzle(client, puzzles, pictures, languages, services.store, services.clock)
    return Feature(
        commands=(analysis_commands.analysis, puzzle_commands.puzzle),
        of_server=(puzzle_commands.puzzle_daily,),
        buttons=(analysis_commands.press, puzzle_buttons.press, puzzle_buttons.menu),
        forms=(puzzle_buttons.form,),
        typed=puzzle_buttons.typed,
        timers={DAILY: daily.due, MINE: daily.mine_due},
        nightly=(MINE,),
        parts=(daily,),
    )
