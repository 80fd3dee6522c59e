"""`check` with a golden file."""

import json
from pathlib import Path

from harness.reporting.golden import read
from tests.boards import NORVIG
from tests.conftest import Harness

BOARDS = [NORVIG[2], "." * 81]


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


def test_the_word_of_one_contender_is_not_written_as_the_number_of_solutions(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "few.txt").write_text("\n".join(["#: sudoku 3x3", *BOARDS, ""]))
    words = ("check", "few.txt", "--golden", "golden.jsonl")
    assert harness(*words, "-b", "native:python", "--update").code == 0
    assert [e["count"] for e in read(tmp_path / "golden.jsonl")] == ["1+", "2+"]
    both = ("-b", "native:python", "-b", "pysat:minisat22")
    assert "stronger: few.txt:2: number of solutions 1+ -> 1" in harness(*words, *both).out
    assert harness(*words, *both, "--update").code == 0
    alone = harness(*words, "-b", "native:python")
    assert (alone.code, alone.out.splitlines()[-1]) == (0, "golden:    2 of 2 puzzles as in golden.jsonl")
    liar = harness(*words, "-b", "bad:unsatisfiable")
    assert liar.code == 1
    assert "changed: few.txt:3: number of solutions 2+ -> 0, by unconfirmed answers" in liar.out
    harness(*words, "-b", "bad:unsatisfiable", "--update")
    assert [e["count"] for e in read(tmp_path / "golden.jsonl")] == ["1", "2+"]


def test_a_count_that_the_corpus_claims_and_one_contender_confirms_is_written(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "few.txt").write_text("\n".join(["#: sudoku 3x3, count 1", BOARDS[0], ""]))
    assert harness("check", "few.txt", "-b", "native:python", "--golden", "golden.jsonl", "--update").code == 0
    assert [e["count"] for e in read(tmp_path / "golden.jsonl")] == ["1"]
