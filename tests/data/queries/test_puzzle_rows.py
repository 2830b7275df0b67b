"""Puzzles as they are kept and chosen, in each kind of database."""

from __future__ import annotations

from typing import Any

import pytest

from data.queries import study
from data.queries.study import PuzzleRow, TryRow
from data.store import Store
from tests.support.data.executed import note_statements


def row(position: str, value: float, variant_id: str = "spanish") -> PuzzleRow:
    """A puzzle, of which nobody asks whether it holds."""
    return PuzzleRow(
        variant_id=variant_id,
        options={},
        position=position,
        solution=["a1-b2"],
        game_id=None,
        made_at=1,
        value=value,
        deviation=150.0,
        volatility=0.06,
        games=0,
        rated_at=1,
    )


async def test_many_puzzles_are_added_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """By few statements; those whose position is known are left out, also where it comes twice, and counted."""
    async with store.write() as tx:
        assert 0 == await study.add_puzzles(tx, [])
        assert 2 == await study.add_puzzles(tx, [row("a", 1), row("b", 2), row("a", 3)])
    statements: list[str] = []
    note_statements(store, monkeypatch, lambda statement, _values: statements.append(statement))
    async with store.write() as tx:
        many = [row(str(number), number, "tama") for number in range(1200)]
        assert 1201 == await study.add_puzzles(tx, [row("b", 9), *many, row("a", 4, "pinoy")])
    assert len([each for each in statements if "INSERT" in each]) < 10
    async with store.read() as tx:
        first = await study.near(tx, 0, ["spanish"], 0)
        assert first is not None
        assert (1.0, {}, ["a1-b2"]) == (first.value, first.options, first.solution)


async def test_the_nearest_puzzle_is_found_from_both_sides(store: Store) -> None:
    """Of one game or of several, of those that a person has not tried; the first one where two are as near."""
    async with store.write() as tx:
        await study.add_puzzles(tx, [row("a", 1000), row("b", 1200), row("c", 1400), row("a", 1199, "tama")])

    async def nearest(value: float, *variant_ids: str, person: int = 0, beside: int = 0) -> str | None:
        async with store.read() as tx:
            found = await study.near(tx, person, variant_ids, value, beside=beside)
        return None if found is None else f"{found.variant_id} {found.position}"

    assert "spanish a" == await nearest(1099, "spanish")
    assert "spanish a" == await nearest(1100, "spanish")
    assert "spanish b" == await nearest(1101, "spanish")
    assert "spanish a" == await nearest(0, "spanish")
    assert "spanish c" == await nearest(9000, "spanish", "tama")
    assert "tama a" == await nearest(1190, "spanish", "tama", "pinoy")
    assert await nearest(1190, "pinoy") is None
    assert "spanish a" == await nearest(1200, "spanish", beside=2)
    async with store.write() as tx:
        for number in (1, 2):
            await study.put_attempt(tx, TryRow(7, number, "failed", 0, 1))
    assert "spanish c" == await nearest(1000, "spanish", person=7)
    assert "spanish a" == await nearest(1000, "spanish", person=8)
    async with store.write() as tx:
        await study.put_attempt(tx, TryRow(7, 3, "solved", 0, 1))
    assert await nearest(1000, "spanish", person=7) is None


async def test_the_nearest_puzzle_with_a_theme(store: Store) -> None:
    """Whole words count: one sacrifice is not several; an older row, whose themes nobody knows, has none."""
    themes = (None, " ", " sacrifices ", " sacrifice endgame ", " endgame ")
    async with store.write() as tx:
        rows = [row(str(number), 100.0 * number)._replace(themes=each) for number, each in enumerate(themes)]
        await study.add_puzzles(tx, rows)
        for theme, value, number in (("sacrifice", 0, 3), ("endgame", 0, 3), ("endgame", 390, 4), ("sacrifices", 0, 2)):
            found = await study.near(tx, 7, ["spanish"], value, theme=theme)
            assert found is not None
            assert str(number) == found.position
        assert await study.near(tx, 7, ["spanish"], 0, theme="crowning") is None
        await study.put_attempt(tx, TryRow(7, 3, "open", 0, 1))
        assert await study.open_attempt(tx, 7, None, "sacrifice") is None
        begun = await study.open_attempt(tx, 7, "spanish", "sacrifices")
        assert begun is not None
        assert [1] == [each.id for each in await study.without_themes(tx, 5)]
        await study.put_themes(tx, 1, " crowning ")
        assert [] == await study.without_themes(tx, 5)


@pytest.mark.only("sqlite")
async def test_the_next_puzzle_is_found_by_an_index(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, none is looked at but those next to the rating."""
    asked: list[tuple[str, Any]] = []
    note_statements(store, monkeypatch, lambda statement, values: asked.append((statement, values)))
    async with store.read() as tx:
        await study.near(tx, 7, ["spanish"], 1200)
    async with store.read() as tx:
        ((statement, values),) = [each for each in asked if "puzzles" in each[0]]
        plan = (await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)).all()
    steps = [str(step[-1]) for step in plan if "puzzles" in str(step[-1])]
    assert 2 == len([step for step in steps if "USING COVERING INDEX ix_puzzles_variant_id_value" in step]), steps
    assert not [step for step in steps if step.startswith("SCAN")], steps
