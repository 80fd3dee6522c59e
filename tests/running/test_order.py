"""Order of leases on a cluster: large instances first, and those that took long in an earlier repeat."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from harness.model.contender import resolve
from harness.model.lease import Block, Part
from harness.model.settings import RunSettings
from harness.running.blocks import Pace, deal, longest_first
from harness.storing.journal import Journal
from puzzles.formats import ReaderOptions, read
from puzzles.problem.columns import pack
from tests.journals import BOARD, HOST, puzzle


@pytest.mark.parametrize(
    ("expects", "parts"),
    [
        ({}, [(1, 9)]),
        ({3: 1.0, 7: 5.0}, [(7, 7), (3, 3), (1, 2), (4, 6), (8, 9)]),
        ({1: 2.0, 9: 2.0}, [(1, 1), (9, 9), (2, 8)]),
        (dict.fromkeys(range(1, 10), 1.0), [(i, i) for i in range(1, 10)]),
        ({5: 9.0, 20: 1.0}, [(1, 9)]),  # of a stored block, and of another shard
    ],
)
def test_expected_instances_come_first_and_all_others_in_order(expects: dict[int, float], parts: list[Part]) -> None:
    assert longest_first([(1, 9)], [(1, 5, 6)] if 20 in expects else [], expects) == parts


def block(number: int, first: int, last: int) -> Block:
    """Return a block of boards."""
    ids = np.arange(first, last + 1)
    return Block(number, BOARD, ids, pack(BOARD, [puzzle(int(i)).domains for i in ids]))


def test_blocks_that_took_long_begin_the_next_repeat_after_those_that_still_run() -> None:
    took = {1: 5, 2: 90, 3: 40}
    leases = deal(block, [(1, 4)], [], set(), RunSettings(repeats=2), Pace(4, 1), durations=lambda: took)
    assert [lease.block.number for lease in leases] == [1, 2, 3, 4, 4, 2, 3, 1]


def test_finished_turns_of_a_lease_are_not_run_again() -> None:
    finished = {(1, 0): {0, 2}, (2, 0): {0, 1, 2}}
    leases = list(deal(block, [(1, 3)], [], set(), RunSettings(), Pace(3, 3), finished))
    assert [(lease.block.number, sorted(lease.contenders)) for lease in leases] == [(1, [1]), (3, [0, 1, 2])]


def journal_of(path: Path, names: Sequence[str]) -> Journal:
    """Return a journal of formulas of growing size."""
    journal = Journal.create(path)
    for name in names:
        size = int(name)
        file = path.parent / f"{name}.cnf"
        file.write_text(f"p cnf {size} {size - 1}\n" + "".join(f"{i} {-i - 1} 0\n" for i in range(1, size)))
        journal.corpora.add(name, read(file, ReaderOptions()))
    journal.contenders.add(resolve(["native:python"])[0])
    journal.facts.put(
        command=[], settings=RunSettings().as_dict(), host=HOST, versions={"python": "3"}, state="running"
    )
    return journal


def test_large_formulas_come_first(tmp_path: Path) -> None:
    with journal_of(tmp_path / "j", ["20", "900", "300"]) as journal:
        sizes = journal.instances.sizes_of_lone_problems()
    assert sorted(sizes, key=lambda i: -sizes[i]) == [2, 3, 1]
