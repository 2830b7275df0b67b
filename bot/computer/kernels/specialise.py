"""The search with one game's tables written into it: the same functions, with numbers for what was looked up.

Of each function of ``movegen``, ``move_counts``, ``patterns``, ``learned_worth``, ``pruning`` and ``alphabeta`` a copy
is made for either side, in which the fields of ``t``, the entries of its ``data`` and the side to move are numbers,
what follows from them is reckoned out, and loops over directions are written out. It is the same search, position for
position, and Python runs it much faster.

What is to be compiled is still handed ``t``, for what endgame tables add to it, so that one form does with them and
without, and there are two copies only of what is worth it: compiling takes its time.

The functions may do what they like, but three names have their meaning in all of them: ``t`` is the tables, ``data``
their list and ``side`` the side to move.
"""

from __future__ import annotations

import ast
import inspect
import operator
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple, cast

from bot.computer.kernels import alphabeta, learned_worth, move_counts, movegen, patterns, pruning
from bot.computer.kernels.lookup_tables import LookupTables, signed
from bot.computer.kernels.search_room import Work

MODULES = (movegen, move_counts, patterns, learned_worth, pruning, alphabeta)
SIDES = (0, 1)
MOST_COPIES = 8
"""A loop with more turns than this stays a loop."""

_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_UNARY: dict[type[ast.AST], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.Invert: operator.invert, ast.Not: operator.not_
}  # fmt: skip
_NOTHING_TO_DO = {ast.LShift: 0, ast.RShift: 0, ast.Add: 0, ast.Sub: 0, ast.BitOr: 0, ast.BitAnd: -1}
"""What changes nothing on the right."""


class _Form(NamedTuple):
    """``twice``: the functions of which there is a copy for either side, None for all that know one; ``kept``: the
    fields of ``t`` that are looked up as before."""

    twice: frozenset[str] | None
    kept: frozenset[str]

    def sides(self, function: ast.FunctionDef) -> tuple[int | None, ...]:
        """The sides for which there is a copy of a function; None: one for both."""
        known = "side" in _parameters(function)
        return SIDES if known and (self.twice is None or function.name in self.twice) else (None,)

    def parameters(self, function: ast.FunctionDef) -> list[str]:
        """What the copies of a function are handed."""
        written = {"side"} if self.sides(function) == SIDES else set()
        return [name for name in _parameters(function) if name not in (written if self.kept else written | {"t"})]


_PLAIN = _Form(None, frozenset())
_FOR_COMPILER = _Form(
    frozenset(("capturers", "quiets", "can_step")), frozenset(("data", "ends", "most", "widest", "outcomes"))
)


def specialise(tables: LookupTables) -> Callable[..., int]:
    """The function ``alphabeta.negamax`` for these tables alone; it is called as that one is."""
    names = {**names_of_modules(), "t": tables, "_data": tables.data}
    # Made of this package's own source and of integers, nothing else.
    exec(compile(_written(tables, _PLAIN), "<the search, written for one game>", "exec"), names)  # noqa: S102
    first, second = (names[f"negamax_{side}"] for side in SIDES)

    def negamax(_: LookupTables, w: Work, side: int, *rest: int) -> int:
        value: int = (second if side else first)(w, *rest)
        return value

    return negamax


def source_to_compile(tables: LookupTables) -> str:
    """The functions for these tables, and for those with other endgame tables, as a compiler is to have them."""
    return ast.unparse(_Signed().visit(_written(tables, _FOR_COMPILER)))


def names_of_modules() -> dict[str, Any]:
    """What the functions may call and read."""
    return {name: value for module in MODULES for name, value in vars(module).items()}


def _written(tables: LookupTables, form: _Form) -> ast.Module:
    functions, body = _functions(), list[ast.stmt]()
    for module in MODULES:
        for name in _own(module):
            # By its own module: two modules may call different numbers alike.
            of_one = tables, form, functions, vars(module), functions[name]
            body.extend(_Writer(*of_one, side).whole() for side in form.sides(functions[name]))
    return ast.fix_missing_locations(ast.Module(body, []))


@lru_cache(maxsize=1)
def _functions() -> dict[str, ast.FunctionDef]:
    return {name: node for module in MODULES for name, node in _own(module).items()}


@lru_cache(maxsize=len(MODULES))
def _own(module: ModuleType) -> dict[str, ast.FunctionDef]:
    body = ast.parse(inspect.getsource(module)).body
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [parameter.arg for parameter in function.args.args]


class _Writer(ast.NodeTransformer):
    """Writes one function for one side (None: it knows no side)."""

    def __init__(
        self,
        tables: LookupTables,
        form: _Form,
        functions: dict[str, ast.FunctionDef],
        names: dict[str, Any],
        function: ast.FunctionDef,
        side: int | None,
    ) -> None:
        self.tables, self.form, self.functions, self.function, self.side = tables, form, functions, function, side
        stored = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and _stores(node)]
        own = {*stored, *_parameters(function)}
        self.known: dict[str, Any] = {n: v for n, v in names.items() if isinstance(v, int) and n not in own}
        """What is a number: the modules' own, and names of the function that are given one."""
        # Only what is assigned in one place: there it has one value until that place is passed again.
        self.once = {name for name, times in Counter(stored).items() if times == 1} - {*_parameters(function), "data"}

    def whole(self) -> ast.FunctionDef:
        name = self.function.name
        if self.side is not None:
            self.known["side"] = self.side
            name = f"{name}_{self.side}"
        parameters = [ast.arg(name) for name in self.form.parameters(self.function)]
        arguments = ast.arguments(posonlyargs=[], args=parameters, kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.FunctionDef(name, arguments, self.block(self.function.body[1:]) or [ast.Pass()], [])

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """The same with its parts rewritten, as a new node: the one given is read again for the other side."""
        parts: dict[str, Any] = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                parts[name] = [self.visit(one) for one in value]
            else:
                parts[name] = self.visit(value) if isinstance(value, ast.AST) else value
        return type(node)(**parts)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for statement in body:
            result = self.visit(statement)
            statements += result if isinstance(result, list) else [] if result is None else [result]
        return statements

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        value, (target,) = self.visit(node.value), node.targets
        if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
            return self.assigned([(target, value)])
        pairs = list(zip(target.elts, value.elts, strict=True))
        if any(isinstance(one, ast.Name) and one.id in self.once and _is_number(v) for one, v in pairs):
            return self.assigned(pairs)
        return [ast.Assign([self.visit(target)], value)]

    def assigned(self, pairs: list[tuple[ast.expr, Any]]) -> list[ast.stmt]:
        remaining: list[tuple[ast.expr, Any]] = []
        for target, value in pairs:
            if isinstance(target, ast.Name) and target.id in self.once and _is_number(value):
                self.known[target.id] = value.value
            else:
                remaining.append((self.visit(target), value))
        if not remaining:
            return []
        targets, values = [t for t, _ in remaining], [v for _, v in remaining]
        if len(remaining) == 1:
            return [ast.Assign(targets, values[0])]
        return [ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple(values, ast.Load()))]

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        over = self.visit(node.iter)
        assert isinstance(over, ast.Call)
        bounds = [one.value for one in over.args if isinstance(one, ast.Constant) and isinstance(one.value, int)]
        if isinstance(node.target, ast.Name) and len(bounds) == len(over.args) and not _leaps(node.body):
            turns = range(*bounds)
            if len(turns) <= MOST_COPIES:
                unrolled: list[ast.stmt] = []
                for turn in turns:
                    self.known[node.target.id] = turn
                    unrolled += self.block(node.body)
                self.known.pop(node.target.id, None)
                return unrolled
        return [ast.For(node.target, over, self.block(node.body), [])]

    def visit_While(self, node: ast.While) -> ast.stmt:
        return ast.While(self.visit(node.test), self.block(node.body), [])

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        test = self.visit(node.test)
        if _is_number(test):
            return self.block(node.body if test.value else node.orelse)
        return [ast.If(test, self.block(node.body) or [ast.Pass()], self.block(node.orelse))]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self.visit(node.test)
        if _is_number(test):
            chosen: ast.AST = self.visit(node.body if test.value else node.orelse)
            return chosen
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not _stores(node) and node.id in self.known:
            return ast.Constant(self.known[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "t":
            if node.attr in self.form.kept:
                return node
            if node.attr == "data":
                return ast.Name("_data", ast.Load())
            return ast.Constant(getattr(self.tables, node.attr))
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        index = self.visit(node.slice)
        if isinstance(node.value, ast.Name) and node.value.id == "data" and _is_number(index):
            return ast.Constant(int(self.tables.data[index.value]))
        return ast.Subscript(self.visit(node.value), index, node.ctx)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        left, right = self.visit(node.left), self.visit(node.right)
        if _is_number(right):
            if _is_number(left):
                return ast.Constant(_BINARY[type(node.op)](left.value, right.value))
            if _NOTHING_TO_DO.get(type(node.op)) == right.value:
                return cast(ast.AST, left)
        return ast.BinOp(left, node.op, right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        value = self.visit(node.operand)
        if _is_number(value):
            return ast.Constant(_UNARY[type(node.op)](value.value))
        return ast.UnaryOp(node.op, value)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        left, rights = self.visit(node.left), [self.visit(one) for one in node.comparators]
        if len(rights) == 1 and _is_number(left) and _is_number(rights[0]):
            return ast.Constant(_BINARY[type(node.ops[0])](left.value, rights[0].value))
        return ast.Compare(left, node.ops, rights)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        decides = isinstance(node.op, ast.Or)
        values: list[Any] = []
        for one in node.values:
            value = self.visit(one)
            if not _is_number(value):
                values.append(value)
            elif bool(value.value) == decides:
                values.append(value)
                break
        if not values:
            return ast.Constant(not decides)
        return values[0] if len(values) == 1 else ast.BoolOp(node.op, values)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        arguments = [self.visit(one) for one in node.args]
        called = self.functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if called is None:
            return ast.Call(self.visit(node.func), arguments, node.keywords)
        given = dict(zip(_parameters(called), arguments, strict=True))
        passed = [given[name] for name in self.form.parameters(called)]
        copies = [called.name if side is None else f"{called.name}_{side}" for side in self.form.sides(called)]
        calls = [ast.Call(ast.Name(name, ast.Load()), passed, []) for name in copies]
        if len(calls) == 1:
            return calls[0]
        side = given["side"]
        return calls[side.value] if _is_number(side) else ast.IfExp(side, calls[1], calls[0])


class _Signed(ast.NodeTransformer):
    """Numbers as compiled integers hold them."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(signed(node.value)) if isinstance(node.value, int) else node


def _stores(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _is_number(node: Any) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _leaps(body: list[ast.stmt]) -> bool:
    """Whether a loop's body ends its turn or the loop early."""
    for statement in body:
        if isinstance(statement, ast.Break | ast.Continue):
            return True
        if isinstance(statement, ast.If) and (_leaps(statement.body) or _leaps(statement.orelse)):
            return True
    return False
