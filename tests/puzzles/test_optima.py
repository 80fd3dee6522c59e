"""Shipped instances with an objective: the claimed value of each is found by code that shares nothing with ours."""

from collections.abc import Iterator
from itertools import combinations
from math import prod
from pathlib import Path
from typing import Any

import pytest

from backends.programs.known_programs import KNOWN
from puzzles import corpora
from puzzles.generating.instance_files import OPTIMAL, UNSAT
from puzzles.generating.optimised import OPTIMISED
from puzzles.readers.folder import EXPECTED
from tests.optima import WAYS, best_of_opb, best_of_wcnf

NOT_OF_ACE = {"product-3-18.xml"}  # whose form of objective it does not read


def claims(folder: str) -> dict[str, tuple[str, int | None]]:
    """Return status and value by file, as expected.csv states them."""
    lines = (corpora.find(folder) / EXPECTED).read_text().splitlines()
    heading, *rows = [line.split(",") for line in lines if line[:1] != "#"]
    assert heading == ["file", "status", "value"]
    return {name: (status, int(*value) if value else None) for name, status, *value in rows}


def files() -> Iterator[Any]:
    """Yield the shipped instances; those that a program in Java solves are slow."""
    for folder in OPTIMISED:
        for name in claims(folder):
            marks = [pytest.mark.slow] if name.endswith(".xml") else []
            yield pytest.param(corpora.find(folder) / name, marks=marks, id=f"{folder}/{name}")


@pytest.mark.parametrize("path", list(files()))
def test_the_claimed_value_is_the_best(path: Path) -> None:
    if path.suffix == ".xml" and (KNOWN["ace"].words() is None or path.name in NOT_OF_ACE):
        pytest.skip("ACE is not installed, or does not read the file")
    status, value = claims(path.parent.name)[path.name]
    assert status == (UNSAT if value is None else OPTIMAL)
    assert WAYS[path.suffix](path) == value


def test_the_greatest_product_is_that_of_four_numbers_close_together() -> None:
    triples = (parts for parts in combinations(range(1, 18), 3) if sum(parts) == 18)
    assert max(map(prod, triples)) == claims("cop")["product-3-18.xml"][1]


def test_all_kinds_of_value_occur() -> None:
    values = [value for folder in OPTIMISED for _, value in claims(folder).values()]
    known = [value for value in values if value is not None]
    assert len(values) - len(known) >= 3, "no solution"
    assert min(known) < 0 in known
    assert {1 << 63, 1 << 64} == {limit for limit in (1 << 63, 1 << 64) if max(known) > limit}


@pytest.mark.parametrize(
    ("text", "best"),
    [("h 1 2 0\n3 -1 0\n2 -2 0\n5 0\n", 7), ("p wcnf 2 3 9\n9 1 0\n9 -1 0\n1 2 0\n", None), ("1 1 0\n4 -1 0\n", 1)],
)
def test_the_reference_of_wcnf(text: str, best: int | None, tmp_path: Path) -> None:
    (tmp_path / "x.wcnf").write_text(text)
    assert best_of_wcnf(tmp_path / "x.wcnf") == best


@pytest.mark.parametrize("most", [0, 16])
@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("max: +3 x1 x2 -1 x1 ;\n-1 x1 -1 x3 >= -1 ;\n", 2),
        ("min: +3 x1 -5 x2 ;\n+1 x1 -1 x2 = 0 ;\n", -2),
        ("soft: ;\n+1 x1 +1 x2 >= 1 ;\n[4] -1 x1 >= 0 ;\n[3] -1 x2 >= 0 ;\n", 3),
        ("soft: 3 ;\n+1 x1 +1 x2 >= 1 ;\n[4] -1 x1 >= 0 ;\n[3] -1 x2 >= 0 ;\n", None),
    ],
)
def test_the_references_of_opb(
    text: str, best: int | None, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.optima.EXHAUSTED", most)
    (tmp_path / "x.opb").write_text(text)
    assert best_of_opb(tmp_path / "x.opb") == best
