"""What the commands of ``damero`` do that need no store: each reads its arguments and calls one function elsewhere.

Each takes what was asked and the parser, to complain with, and returns the exit status: 0 done, 1 refused, 2 not
understood.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.ruleset import MOST_BYTES, Ruleset
from bot.support.complaints import complain, of_file

REFUSED, MISUSED = 1, 2


def options(asked: argparse.Namespace) -> dict[str, str]:
    values: dict[str, str] = {}
    for pair in asked.option:
        name, equals, value = pair.partition("=")
        if not equals:
            raise VariantError(f"write an option as name=value, not {pair!r}")
        values[name.strip()] = value
    return values


def _game(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> str | Ruleset:
    """The game that is asked about: the id of one that is shipped, or the rules of a file of one's own."""
    if asked.variant and asked.variant_file:
        parser.error(f"{asked.command} takes a variant or --variant-file, not both")
    if asked.variant:
        return str(asked.variant)
    if not asked.variant_file:
        parser.error(f"{asked.command} needs a variant ({', '.join(variants.names())}) or --variant-file")
    return _own_game(asked.variant_file)


def _own_game(file: Path) -> Ruleset:
    """The game of a variant file of one's own, called as the file is. Raises VariantError."""
    return Ruleset(file.stem, rules_in(file))


def rules_in(file: Path) -> str:
    """The text of a variant file of one's own. Raises VariantError."""
    try:
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise VariantError(f"the file {of_file(error, 'read')}") from error
    except UnicodeDecodeError as error:
        raise VariantError(f"{file}: not UTF-8") from error
    if len(text) > MOST_BYTES:
        raise VariantError(f"{file}: longer than {MOST_BYTES} bytes")
    return text


def _lines_given() -> Iterable[str]:
    """The lines of standard input; none where it has been closed."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Bytes that are no text spoil their own line, not the lines after it.
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    given: Iterable[str] | None = sys.stdin
    return given or ()


def moves(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import positions

    _check_source(asked, parser, "moves", "variant, position and options")
    if asked.jsonl:
        return _answer_lines(positions.moves_of_request)
    for line in positions.moves(_game(asked, parser), asked.position, options(asked)):
        print(line)
    return 0


def _check_source(
    asked: argparse.Namespace, parser: argparse.ArgumentParser, command: str, takes: str, *more: object
) -> None:
    """A command takes what it is about from its arguments or, with ``--jsonl``, from lines of JSON, not from both."""
    if asked.jsonl and any((asked.variant, asked.variant_file, asked.position, asked.option, *more)):
        parser.error(f"{command} --jsonl takes {takes} from its lines, not from the command")
    if not asked.jsonl and not asked.variant and not asked.variant_file:
        parser.error(f"{command} needs a variant ({', '.join(variants.names())}), --variant-file or --jsonl")


def _answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    from bot.cli import positions

    for line in positions.answers(_lines_given(), answer):
        print(line, flush=True)
    return 0


def endgames(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot import settings
    from bot.cli import making

    if asked.option and not asked.variant:
        parser.error("endgames needs a variant where options are given")

    def act() -> str:
        folder = asked.folder or settings.load().endgames()
        progress = partial(print, file=sys.stderr)
        if asked.until_input_ends:
            making.until_input_ends()
        return "\n".join(making.endgames(asked.variant, options(asked), folder, asked.pieces, progress))

    return reported(act)


def best(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot import settings
    from bot.cli import positions, thinking
    from bot.computer.endgames.lookup import look_in

    # What else is wrong with the bot's settings is no matter here.
    with contextlib.suppress(settings.SettingsError):
        look_in(settings.load().endgames())
    budget = {"seconds": asked.seconds, "nodes": asked.nodes, "level": asked.level}
    _check_source(asked, parser, "best", "variant, position, moves, options and budget", asked.moves, *budget.values())
    if asked.jsonl:
        return _answer_lines(thinking.best_of_request)
    if not any(budget.values()):
        parser.error("best needs a budget: --seconds, --nodes or --level")
    moves = positions.moves_of(asked.moves)
    print(thinking.best(_game(asked, parser), asked.position, options(asked), moves=moves, **budget))
    return 0


def perft(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import positions

    for line in positions.perft(_game(asked, parser), asked.depth, asked.position, options(asked)):
        print(line, flush=True)
    return 0


def explain(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import positions

    print(positions.explain(_game(asked, parser), asked.move, asked.position, options(asked)))
    return 0


def picture(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import positions, terminal_board

    game = _game(asked, parser)
    try:
        terminal_board.picture(game, asked.position, positions.moves_of(asked.moves), options(asked), asked.out)
    except OSError as error:
        complain(of_file(error, "written"))
        return REFUSED
    return 0


def play(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import terminal_board, thinking

    opponent = None if asked.level is None else partial(thinking.of_level, level=asked.level)
    terminal_board.play(_game(asked, parser), asked.position, options(asked), input, print, opponent)
    return 0


def hub(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot import settings
    from bot.cli.hub import HubSession
    from bot.computer.endgames.lookup import look_in

    with contextlib.suppress(settings.SettingsError):
        look_in(settings.load().endgames())
    game = _own_game(asked.variant_file) if asked.variant_file else None
    HubSession(partial(print, flush=True), game).run(_lines_given())
    return 0


def pair(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import tournaments

    return _of_report(asked.file, lambda: tournaments.pair(asked.file))


def standings(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import tournaments

    return _of_report(asked.file, lambda: tournaments.standings(asked.file, asked.tiebreaks))


def _of_report(file: Path, answer: Callable[[], tuple[Iterable[str], Iterable[str]]]) -> int:
    from bot.tournaments.errors import TournamentError, TrfError

    try:
        lines, remarks = answer()
    except TrfError as error:
        complain(f"{file}: {error.message.rstrip('.')}.")
        return MISUSED
    except TournamentError as error:
        complain(f"{error}".rstrip(".") + ".")
        return REFUSED
    except OSError as error:
        complain(of_file(error, "read"))
        return REFUSED
    for remark in remarks:
        complain(remark)
    for line in lines:
        print(line)
    return 0


def reported(act: Callable[[], str]) -> int:
    """Do ``act`` and say how it went."""
    from bot.cli.database import MISUSES, REFUSALS

    try:
        print(act())
    except MISUSES as error:
        complain(error)
        return MISUSED
    except REFUSALS as error:
        complain(error)
        return REFUSED
    except OSError as error:
        complain(of_file(error, "used"))
        return REFUSED
    return 0


def puzzles(asked: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import making

    silent = True
    if asked.check is not None:
        return _check(lambda: making.wrong_puzzles(asked.variant, asked.check, asked.processes))
    found = making.puzzles(asked.variant, options(asked), asked.games, asked.seed, asked.into, asked.processes)
    try:
        for line in found:
            print(line, flush=True)
            silent = False
    except OSError as error:
        complain(of_file(error, "used"))
        return REFUSED
    if silent:
        complain(f"There was no new puzzle in {asked.games} games. Play more of them, or others with --seed.")
    return 0


def _check(wrong: Callable[[], Iterable[str]]) -> int:
    """Print the lines of what is wrong: refused, if there is anything."""
    status = 0
    try:
        for line in wrong():
            print(line, flush=True)
            status = REFUSED
    except OSError as error:
        complain(of_file(error, "read"))
        return REFUSED
    return status
