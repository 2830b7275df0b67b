"""The modules of the project, and what each of them imports."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ("bot", "render", "data")


def modules() -> Iterator[tuple[str, Path]]:
    """Each module's dotted name and file."""
    for package in PROJECT:
        for file in sorted((ROOT / package).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


MODULES = dict(modules())


@functools.cache
def parsed(source: str) -> ast.Module:
    """A module's tree, found once for all tests that look through it."""
    return ast.parse(source)


def imports(module: str, file: Path) -> list[tuple[int, str]]:
    """Line and dotted name of everything that a module imports, also inside functions and for types alone.

    `from a import b` counts as a.b where that is a module of the project.
    """
    return list(_imports(module, file.name == "__init__.py", file.read_text(encoding="utf-8")))


@functools.cache
def _imports(module: str, is_package: bool, source: str) -> tuple[tuple[int, str], ...]:
    return tuple(_found(module if is_package else module.rpartition(".")[0], source))


def _found(package: str, source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield node.lineno, name if name in MODULES else base
