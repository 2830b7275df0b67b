"""The command line ``damero``: it reads arguments and calls one function elsewhere for each command."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from bot.cli import commands
from bot.engine import variants
from bot.engine.errors import EngineError, MoveError
from bot.support.complaints import complain, of_file
from bot.support.imports import certificates_for_who_looks, lasting_imports


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status: 0 done, 1 refused or failed, 2 for an argument or setting to change."""
    parser = _parser()
    words = _words_first(_one_option_each(sys.argv[1:] if arguments is None else arguments))
    if not words:
        parser.print_help()
        return 0
    given = parser.parse_args(words)
    try:
        status: int = given.run(given, parser)
    except EngineError as error:
        complain(error.sentence)
        return commands.REFUSED if isinstance(error, MoveError) else commands.MISUSED
    except BrokenPipeError:
        # The reader (head, less) has had enough; nothing is left to be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def _one_option_each(arguments: Sequence[str]) -> Iterator[str]:
    """``--option a=b c=d`` as ``--option a=b --option c=d``, so that what follows the last is not taken for one."""
    listing = waiting = False
    for argument in arguments:
        if argument in ("--option", "-o"):
            listing = waiting = True
        elif listing and ("=" in argument or waiting) and not argument.startswith("-"):
            yield f"--option={argument}"
            waiting = False
        else:
            # Where no value came, argparse says so.
            yield from ["--option"] * waiting
            listing = waiting = False
            yield argument
    yield from ["--option"] * waiting


def _words_first(arguments: Iterable[str]) -> list[str]:
    """``export tournament 3 --format pdn FILE`` with its words before its options: argparse wants them together."""
    given = list(arguments)
    if given[:1] != ["export"]:
        return given
    words: list[str] = []
    options: list[str] = []
    for argument in given:
        waiting = bool(options) and options[-1].startswith("--") and "=" not in options[-1]
        (options if waiting or argument.startswith("-") else words).append(argument)
    return [*words, *options]


def _try(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot import playground

    return playground.run(data=given.data, port=given.port, browser=not given.no_browser)


def _service(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``run``, and what is asked of the bot that runs, or of its store."""
    with lasting_imports(), certificates_for_who_looks():
        from bot import app
    if given.command == "run":
        return app.run(check_config=given.check_config)
    return app.health() if given.command == "health" else app.check_store()


def _with_file(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``backup`` and ``restore``: between the store and a file."""
    from bot.cli import database

    act = database.backup if given.command == "backup" else database.restore
    return commands.reported(lambda: act(given.file))


def _move(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import move_store

    return commands.reported(lambda: move_store.move(given.source, given.target))


def _import(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import database

    left_out: list[str] = []

    def act() -> str:
        own = commands.rules_in(given.variant_file) if given.variant_file else ""
        done = database.import_games(given.file, _now(), given.variant or "", own, strict=given.strict)
        left_out.extend(done.left_out)
        for why in left_out[:_TOLD]:
            complain(why)
        if len(left_out) > _TOLD:
            complain(f"{len(left_out) - _TOLD} more are wrong.")
        return done.told

    return commands.reported(act) or (commands.REFUSED if left_out else 0)


_TOLD = 20


def _now() -> int:
    return time.time_ns() // 1_000_000


def _export(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from bot.cli import database

    tournament, file = _what_to_export(given, parser)
    incomplete: list[bool] = []

    def act() -> str:
        if tournament is not None:
            exported = database.ExportFile(database.export_tournament(tournament, given.form))
        else:
            exported = database.export(given.form, given.player, given.game, _now())
        for remark in exported.remarks:
            complain(remark)
        if not exported.complete:
            incomplete.append(True)
        if file is None:
            return exported.text.removesuffix("\n")
        try:
            file.write_text(exported.text, "utf-8")
        except OSError as error:
            raise database.StoreRefused(of_file(error, "written")) from error
        return f"Written to {file}. {exported.told}".rstrip()

    return commands.reported(act) or (commands.REFUSED if incomplete else 0)


def _what_to_export(given: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[int | None, Path | None]:
    """The number of a tournament (None: games), and the file that it is written to (None: standard output)."""
    words = list(given.what)
    tournament = None
    if words and words[0] == "tournament":
        if len(words) == 1:
            parser.error("export tournament needs the tournament's number (for a file of that name: ./tournament)")
        if not re.fullmatch("[0-9]{1,18}", words[1]):
            parser.error(f"export tournament needs the tournament's number, not {words[1]!r}")
        tournament = int(words[1])
        del words[:2]
        if given.player is not None or given.game is not None:
            parser.error("export tournament takes all of its games: leave --player and --game out")
    elif given.form not in ("json", "pdn"):
        parser.error(f"{given.form} is for tournaments: export tournament ID --format {given.form}")
    if len(words) > 1:
        parser.error(f"export writes one file, not {len(words)}")
    return tournament, Path(words[0]) if words else None


def _whole(pattern: str, refusal: str) -> Callable[[str], int]:
    """Reads whole numbers of a pattern; of all else it says ``refusal``."""

    def read(text: str) -> int:
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(refusal)
        return int(text)

    return read


def _port(text: str) -> int:
    """A port, 0 for any that is free. Raises ArgumentTypeError."""
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def _seconds(text: str) -> float:
    """Seconds above 0, an hour at most. Raises ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 3600:
        raise argparse.ArgumentTypeError("S is a number above 0, at most 3600")
    return number


class _Parser(argparse.ArgumentParser):
    """Says what it does not understand as all else that is wrong is said."""

    def error(self, message: str) -> NoReturn:
        # What we say ourselves begins with the name of a command.
        said = _sentence(message) if re.match("argument |unrec|invalid|the follow", message) else f"{message}."
        complain(f"{said} `{self.prog} --help` tells more.")
        sys.exit(commands.MISUSED)


class _Version(argparse.Action):
    """Says the version, for which the machine's packages are only then looked through."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> NoReturn:
        sys.stdout.write(f"damero {version('damero')}\n")
        sys.exit(0)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def _png(text: str) -> Path:
    """A picture's file. Raises ArgumentTypeError."""
    if not text.lower().endswith(".png"):
        raise argparse.ArgumentTypeError("pictures are PNG: give it a name that ends in .png")
    return Path(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="damero", description="A Discord bot for draughts games and Chinese checkers.")
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    group = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    known = ", ".join(variants.names())

    def added(
        name: str, run: object, text: str, description: str | None = None, file: str = ""
    ) -> argparse.ArgumentParser:
        command = group.add_parser(name, help=text, description=_sentence(description or text))
        command.set_defaults(run=run)
        if file:
            command.add_argument("file", type=Path, metavar=file)
        return command

    def with_options(command: argparse.ArgumentParser) -> None:
        text = "a house rule, as often as needed; a name that is none is answered with those of the game"
        command.add_argument("--option", "-o", action="append", default=[], metavar="NAME=VALUE", help=text)

    def with_file(command: argparse.ArgumentParser, text: str) -> None:
        command.add_argument("--variant-file", type=Path, metavar="FILE", help=text)

    def of_position(name: str, run: object, text: str) -> argparse.ArgumentParser:
        command = added(name, run, text)
        command.add_argument("variant", nargs="?", metavar="VARIANT", help=known)
        with_file(command, "a variant file of one's own, instead of VARIANT")
        command.add_argument("--position", metavar="P", help="a position, such as W:Wc3,e3,Kd4:Bb8, or in words")
        with_options(command)
        return command

    command = of_position("moves", commands.moves, "list the legal moves and the position after each")
    command.add_argument("--jsonl", action="store_true", help="answer a JSON object for each line of standard input")
    command = of_position("best", commands.best, "find the best move: move score depth nodes seconds")
    spent = command.add_mutually_exclusive_group()
    spent.add_argument("--seconds", type=_seconds, metavar="S", help="how long to think")
    nodes = _whole("(?=.{1,18}$)0*[1-9][0-9]*", "N is a whole number from 1")
    spent.add_argument("--nodes", type=nodes, metavar="N", help="how many positions to look at")
    spent.add_argument("--level", type=int, choices=range(1, 9), metavar="L", help="as this level plays, 1 to 8")
    so_far = "moves to play first, with blanks between them"
    command.add_argument("--moves", default="", metavar="MOVES", help=so_far)
    command.add_argument("--jsonl", action="store_true", help="answer a JSON object for each line of standard input")
    command = added("endgames", commands.endgames, "make the tables of endgames that the computer and verdicts use")
    command.add_argument("variant", nargs="?", metavar="VARIANT", help=f"{known}; without it: those offered first")
    with_options(command)
    pieces = _whole("[2-6]", "N is a number from 2 to 6")
    up_to = "up to how many pieces, usually 4; of 5 and 6 only who wins"
    command.add_argument("--pieces", type=pieces, metavar="N", help=up_to)
    command.add_argument("--folder", type=Path, metavar="F", help="where to; usually `endgames` beside the database")
    command.add_argument("--until-input-ends", action="store_true", help="give up when standard input ends")
    command = added("puzzles", commands.puzzles, "find puzzles in games that the computer plays with itself")
    command.add_argument("variant", metavar="VARIANT", help=known)
    with_options(command)
    command.add_argument("--games", type=nodes, default=10, metavar="N", help="how many games to play, usually 10")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="another seed, other games")
    into = "a file of puzzles to add to; of the games of a seed it takes only those that it has not had"
    command.add_argument("--into", type=Path, metavar="FILE", help=into)
    check = "look for none, but search those of a file again and print those that do not hold"
    command.add_argument("--check", type=Path, metavar="FILE", help=check)
    processes = _whole("[1-9][0-9]?", "P is a number from 1 to 99")
    command.add_argument("--processes", type=processes, default=1, metavar="P", help="how many look at once, usually 1")
    command = of_position("perft", commands.perft, "count the positions that whole turns reach, depth by depth")
    command.add_argument("depth", type=_whole("0*[1-9][0-9]?", "DEPTH is a number from 1"), metavar="DEPTH")
    command = of_position("explain", commands.explain, "play a move, or say why it is not legal (exit status 1)")
    command.add_argument("move", metavar="MOVE")
    command = of_position("picture", commands.picture, "draw a position")
    command.add_argument("out", type=_png, metavar="OUT.png", help="the file to write")
    command.add_argument("--moves", default="", metavar="MOVES", help=so_far)
    command = of_position("play", commands.play, "play a game at this terminal: two people, or one and the computer")
    command.add_argument(
        "--level", type=int, choices=range(1, 9), metavar="L", help="the computer plays the other side: 1 to 8"
    )

    text = "play for a program that speaks the Hub protocol, line by line"
    command = added("hub", commands.hub, text)
    with_file(command, "a variant file of one's own, to play that game alone")
    added("pair", commands.pair, "pair the next round of a tournament report file (TRF16, TRF26)", file="FILE.trf")
    command = added(
        "standings", commands.standings, "rank the players of a tournament report file (TRF16, TRF26)", file="FILE.trf"
    )
    command.add_argument("--tiebreaks", default="PTS,BH-C1,BH,SB", metavar="LIST", help="such as PTS,BH,BH-C1,SB,DE")

    command = added("run", _service, "start the bot (needs DISCORD_TOKEN)")
    text = "check the settings, the token's form and the database, and exit"
    command.add_argument("--check-config", action="store_true", help=text)
    command = added("try", _try, "start the bot in a simulated Discord in the browser")
    text = "the port on this machine (usually 8765, or a free one if that is taken)"
    command.add_argument("--port", type=_port, default=None, help=text)
    command.add_argument("--no-browser", action="store_true", help="print the address only")
    command.add_argument("--data", type=Path, default=Path(".try"), metavar="FOLDER", help="where games are kept")
    added("check-store", _service, "replay every stored game and compare it with what is cached")
    added("backup", _with_file, "copy the database to a file, also while the bot runs", file="FILE")
    added("restore", _with_file, "put a copy in the database's place (stop the bot first)", file="FILE")
    text = "copy all that a database holds into another one, which is empty (stop the bot first)"
    command = added("move-store", _move, text, f"{text}; sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")
    command.add_argument("source", metavar="FROM", help="the URL of the database that there is")
    command.add_argument("target", metavar="TO", help="the URL of the database that it is to be in")
    command = added("export", _export, "write games as JSON (one a line) or PDN, or a tournament")
    command.add_argument(
        "what", nargs="*", metavar="FILE", help="where to (usually standard output). Before it: tournament ID, for one"
    )
    command.add_argument(
        "--format",
        "--form",
        dest="form",
        choices=("json", "pdn", "trf26", "trf16", "csv"),
        default="json",
        help="pdn is for draughts games; trf and csv are for a tournament",
    )
    identity = _whole("[0-8]?[0-9]{1,18}", "this is not an id: a whole number of at most 19 digits")
    command.add_argument("--player", type=identity, metavar="ID", help="only the games of this player")
    command.add_argument("--game", type=identity, metavar="NUMBER", help="only this game")
    text = "store games from a PDN or JSON file; those that cannot be kept are named and left out"
    command = added("import", _import, text, file="FILE")
    command.add_argument("--variant", metavar="VARIANT", help=f"which game it is where the file does not say: {known}")
    with_file(command, "the rules of a server's own game that are not kept here")
    command.add_argument("--strict", action="store_true", help="bring in all of the games, or none")
    added("health", _service, "ask whether the running bot is well (exit status 1 if not)")
    return parser
