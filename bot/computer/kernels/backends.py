"""The same search, plain or compiled: where numba is installed, the modules of integers are compiled on first
use, which takes some seconds in each process.

``DAMERO_PLAIN=1`` in the environment keeps to plain Python.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple, cast

from bot.computer.kernels import (
    alphabeta,
    endgame_index,
    endgame_worth,
    learned_worth,
    move_counts,
    movegen,
    net_words,
    outcome_blocks,
    outcome_packing,
    outcome_solver,
    patterns,
    pruning,
    retrograde,
)
from bot.computer.kernels.by_address import ByAddress
from bot.computer.kernels.lookup_tables import WORD, Ints, LookupTables, signed
from bot.computer.kernels.net import joined
from bot.computer.kernels.search_room import fetch
from bot.computer.kernels.specialise import names_of_modules, source_to_compile, specialise
from bot.computer.kernels.star import best_reply, peg_moves


class Backend(NamedTuple):
    """``search``: the function ``alphabeta.negamax`` for given tables; ``room``: so many zeros; ``fitted``: a list in
    the form that it takes; ``zeros``: so many bytes; ``mapped``: bytes that are
    there, not copied; ``weights``: a table of patterns in the form that it takes; ``net``: the rows of
    a net; ``handed``: likewise a named tuple of
    integers and such lists."""

    name: str
    search: Callable[[LookupTables], Callable[..., int]]
    room: Callable[[int], Ints]
    fitted: Callable[[Ints], Ints]
    zeros: Callable[[int], bytearray]
    mapped: Callable[[Any], bytearray]
    weights: Callable[[array[int]], Sequence[int]]
    net: Callable[[Sequence[Sequence[int]]], Sequence[int]]
    handed: Callable[[Any], Any]


class StarKernel(NamedTuple):
    """The functions of ``best_reply`` and ``peg_moves`` that others call, plain or compiled."""

    best_reply: Callable[..., int]
    decided: Callable[..., int]
    set_up: Callable[..., None]
    turns_of: Callable[..., int]
    weigh: Callable[..., None]


def backend_for(size: int) -> Backend:
    """What searches a board of ``size`` squares: compiled if it can be, else plain."""
    if not can_compile(size) or _plainly.get():
        return PLAIN
    return _of_one_game() if _one_game.get() else _fastest()


def can_compile(size: int) -> bool:
    """Whether what searches a board of ``size`` squares can be compiled. Loads nothing."""
    plain = os.environ.get("DAMERO_PLAIN", "") not in ("", "0")
    return size <= WORD and not plain and _has_numba()


@lru_cache(maxsize=1)
def _has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None


_plainly: ContextVar[bool] = ContextVar("plainly", default=False)


@contextmanager
def plainly() -> Iterator[None]:
    """Within it searches are made ready as plain Python: compiling takes longer than a short one."""
    before = _plainly.set(True)
    try:
        yield
    finally:
        _plainly.reset(before)


_one_game: ContextVar[bool] = ContextVar("one_game", default=False)


@contextmanager
def for_one_game() -> Iterator[None]:
    """Within it searches are compiled for one game each, which makes them a sixth faster than the one for all games;
    each takes two thirds of the time to compile."""
    before = _one_game.set(True)
    try:
        yield
    finally:
        _one_game.reset(before)


def fitted(tables: LookupTables, backend: Backend) -> LookupTables:
    """The tables in the backend's form."""
    numbers = {name: value for name, value in tables._asdict().items() if name != "data"}
    if backend is not PLAIN:
        numbers = {name: signed(value) for name, value in numbers.items()} | {"compiled": 1}
    return cast(LookupTables, backend.handed(LookupTables(backend.fitted(tables.data), **numbers)))


PLAIN = Backend(
    "plain", specialise, lambda count: [0] * count, list, bytearray, lambda b: b, lambda w: w, joined, lambda t: t
)


def solver_for(backend: Backend) -> Any:
    """``retrograde``, which solves endgames, with its functions in the backend's form."""
    return retrograde if backend is PLAIN else _solving()


def star_kernel(backend: Backend) -> StarKernel:
    """The functions that search on a star, in the backend's form."""
    return _star_kernel({**vars(peg_moves), **vars(best_reply)}) if backend is PLAIN else _compiled_star()


@lru_cache(maxsize=1)
def _compiled_star() -> StarKernel:
    moves = _twin(peg_moves, {})
    return _star_kernel({**moves, **_twin(best_reply, moves)})


def _star_kernel(functions: dict[str, Any]) -> StarKernel:
    return StarKernel(**{name: functions[name] for name in StarKernel._fields})


@lru_cache(maxsize=1)
def _fastest() -> Backend:
    # Through names, so that the types hold with and without it.
    np = importlib.import_module("numpy")
    search = _twin(alphabeta, _moves())

    def of(values: Ints) -> Ints:
        return cast(Ints, np.array([signed(value) for value in values], dtype=np.int64))

    def room(count: int) -> Ints:
        return cast(Ints, np.zeros(count, dtype=np.int64))

    def zeros(count: int) -> bytearray:
        return cast(bytearray, np.zeros(count, dtype=np.uint8))

    def mapped(there: Any) -> bytearray:
        return cast(bytearray, np.frombuffer(there, dtype=np.uint8))

    def weights(values: array[int]) -> Sequence[int]:
        return cast(Sequence[int], np.frombuffer(values, dtype=np.int32))

    def net(rows: Sequence[Sequence[int]]) -> Sequence[int]:
        return of(net_words.words(rows))

    negamax = _for_many_calls(cast(Any, search["negamax"]))
    return Backend("compiled", lambda tables: negamax, room, of, zeros, mapped, weights, net, ByAddress)


@lru_cache(maxsize=1)
def _of_one_game() -> Backend:
    return _fastest()._replace(search=lambda tables: _compiled_from(source_to_compile(tables)))


@lru_cache(maxsize=64)
def _compiled_from(source: str) -> Callable[..., int]:
    name = f"search_{hashlib.sha256(source.encode()).hexdigest()}"
    module = sys.modules[name] = ModuleType(name)
    functions = vars(module)
    functions |= {**names_of_modules(), **_moves(), "__name__": name}
    exec(compile(source, f"<{name}>", "exec"), functions)  # noqa: S102 - this package's own source and integers
    for item in list(functions.values()):
        if isinstance(item, FunctionType) and item.__module__ == name:
            functions[item.__name__] = _compiled(item)
    return _for_many_calls(functions["negamax"])


def _for_many_calls(negamax: Any) -> Callable[..., int]:
    """A compiled ``negamax`` without numba's look at the types of what it is handed, which takes longer at each call
    than a search of a hundred positions: they are always the same."""
    int64 = importlib.import_module("numba").int64
    integers = [int64] * (negamax.py_func.__code__.co_argcount - 2)
    compiled = lru_cache(maxsize=4)(lambda tables, work: negamax.compile((tables, work, *integers)))

    @wraps(negamax)
    def search(tables: Any, work: Any, *rest: int) -> int:
        return cast(int, compiled(tables.type, work.type)(tables, work, *rest))

    return search


@lru_cache(maxsize=1)
def _moves() -> dict[str, object]:
    _teach_bits()
    _teach_fetching()
    moves = {**_twin(movegen, {}), **_twin(move_counts, {}), **_twin(patterns, {})}
    moves |= _twin(net_words, {})
    moves |= _twin(learned_worth, moves)
    moves = {**moves, **_twin(pruning, moves)}
    moves = {**moves, **_twin(endgame_index, moves)}
    return {**moves, **_twin(outcome_blocks, moves)}


def outcome_solver_for(backend: Backend) -> Any:
    """``outcome_solver`` and ``outcome_packing``, which solve who wins endgames and pack it, likewise."""
    if backend is PLAIN:
        return SimpleNamespace(**{**vars(outcome_solver), **vars(outcome_packing)})
    return _solving_outcomes()


@lru_cache(maxsize=1)
def _solving_outcomes() -> SimpleNamespace:
    solving = _twin(outcome_solver, _moves())
    return SimpleNamespace(**solving, **_twin(outcome_packing, _moves()))


@lru_cache(maxsize=1)
def _solving() -> SimpleNamespace:
    values = {**_moves(), **_twin(endgame_worth, _moves())}
    return SimpleNamespace(**_twin(retrograde, values))


def _twin(source: ModuleType, known: dict[str, object]) -> dict[str, object]:
    """The functions of a second copy of a module, compiled; ``known`` are compiled functions that it calls."""
    assert source.__file__ is not None
    spec = importlib.util.spec_from_file_location(f"{source.__name__}_compiled", source.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    compiled: dict[str, object] = {}
    for name, item in list(vars(module).items()):
        if name in known:
            setattr(module, name, known[name])
        elif isinstance(item, FunctionType) and item.__module__ == spec.name:
            compiled[name] = _compiled(item)
            setattr(module, name, compiled[name])
    return compiled


def _compiled(function: FunctionType) -> Any:
    # Not kept on disk: numba 0.68 breaks functions that call themselves when it loads them from there. Nothing is made
    # in them that would have to be counted, and counting who holds an array took a third of the time.
    return importlib.import_module("numba").njit(nogil=True, error_model="numpy", _nrt=False)(function)


def _teach_bits() -> None:
    """Let compiled integers count their bits as Python's do."""
    extending, types = (importlib.import_module(f"numba.{name}") for name in ("extending", "types"))

    def counted(name: str) -> Any:
        def typed(context: Any, value: Any) -> Any:
            def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                if name == "bit_count":
                    return builder.ctpop(arguments[0])
                kind = arguments[0].type
                zeros = builder.ctlz(arguments[0], importlib.import_module("llvmlite.ir").IntType(1)(0))
                return builder.sub(kind(WORD), zeros)

            return types.int64(types.int64), code

        return extending.intrinsic(typed)

    for name in ("bit_count", "bit_length"):
        extending.overload_method(types.Integer, name)(_method(counted(name)))


def _teach_fetching() -> None:
    """Let what is compiled ask for memory early."""
    extending, types = (importlib.import_module(f"numba.{name}") for name in ("extending", "types"))
    ir, cgutils = importlib.import_module("llvmlite.ir"), importlib.import_module("numba.core.cgutils")

    def typed(context: Any, table: Any, at: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(8).as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [place.type, *[ir.IntType(32)] * 3])
            asked = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(asked, [place, *(ir.IntType(32)(number) for number in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(table, types.int64), code

    instruction = extending.intrinsic(typed)

    def of(table: Any, at: Any) -> Any:
        def run(table: Any, at: Any) -> Any:
            instruction(table, at)

        return run

    extending.overload(fetch)(of)


def _method(instruction: Any) -> Any:
    def typed(value: Any) -> Any:
        def run(value: Any) -> Any:
            return instruction(value)

        return run

    return typed
