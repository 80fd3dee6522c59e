"""`check` with a golden file."""

import json
from pathlib import Path

import pytest

from harness.reporting.golden import Entry, difference, natural_key, read
from tests.boards import NORVIG
from tests.conftest import Harness

BOARDS = [NORVIG[2], "." * 81]


def entry(name: str, count: str, solution: str = "") -> Entry:
    return {"puzzle": name, "hash": name, "count": count} | ({"solution": solution} if solution else {})


@pytest.mark.parametrize(
    ("golden", "today", "kind"),
    [
        ("1", "2+", "changed"),
        ("0", "1+", "changed"),
        ("1", "?", "weaker"),
        ("2+", "1+", "weaker"),
        ("?", "0", "stronger"),
        ("1+", "1", "stronger"),
    ],
)
def test_only_a_contradiction_is_a_change(golden: str, today: str, kind: str) -> None:
    found = difference([entry("a", golden)], [entry("a", today)])
    assert {k for k in ("changed", "weaker", "stronger") if getattr(found, k)} == {kind}


def test_an_undecided_answer_keeps_the_older_entry() -> None:
    assert difference([entry("a", "1", "12")], [entry("a", "?")]).kept == [entry("a", "1", "12")]


def test_another_solution_of_a_unique_puzzle_is_a_change() -> None:
    assert difference([entry("a", "1", "12")], [entry("a", "1", "21")]).changed == ["a: solution 12 -> 21"]


def test_new_and_missing_puzzles_are_named() -> None:
    found = difference([entry("a", "1")], [entry("b", "1")])
    assert found.changed == ["b: not in the golden file", "a: only in the golden file"]
    assert found.same == 0
    assert difference([entry("a", "1"), entry("b", "?")], [entry("a", "1"), entry("b", "0")]).same == 1


def test_line_10_sorts_after_line_9() -> None:
    names = ["c.txt:10", "c.txt:9", "b.txt:11"]
    assert sorted(names, key=lambda n: natural_key(entry(n, "1"))) == ["b.txt:11", "c.txt:9", "c.txt:10"]


def test_check_writes_a_golden_file_and_reports_differences_to_it(tmp_path: Path, harness: Harness) -> None:
    corpus, golden = tmp_path / "few.txt", tmp_path / "golden.jsonl"
    corpus.write_text("\n".join(["#: sudoku 3x3", *BOARDS, ""]))
    words = ("check", str(corpus), "-b", "native:python", "-b", "pysat:minisat22", "--golden", str(golden))
    assert harness(*words).code == 2
    assert "--update" in harness(*words).err
    assert harness(*words, "--update").code == 0
    entries = read(golden)
    assert [(e["puzzle"], e["count"]) for e in entries] == [("few.txt:2", "1"), ("few.txt:3", "2+")]
    assert len(entries[0]["solution"]) == 81
    assert "wall" not in golden.read_text()
    assert harness(*words).code == 0
    corpus.write_text("\n".join(["# moved down a line", "#: sudoku 3x3", *BOARDS, ""]))
    assert harness(*words).code == 0
    golden.write_text("".join(json.dumps(e | {"count": "0"}) + "\n" for e in entries[:1]))
    done = harness(*words)
    assert done.code == 1
    assert "few.txt:3: number of solutions 0 -> 1" in done.out
    assert "few.txt:4: not in the golden file" in done.out


def test_a_damaged_golden_file_is_reported_with_its_line(tmp_path: Path, harness: Harness) -> None:
    golden = tmp_path / "golden.jsonl"
    golden.write_text('{"puzzle": "a", "hash": "b", "count": "1"}\n[]\n')
    done = harness("check", "hardest", "--golden", str(golden))
    assert done.code == 2
    assert f"{golden}:2:" in done.err


def test_update_without_a_file_is_bad_usage(harness: Harness) -> None:
    assert harness("check", "hardest", "--update").code == 2
