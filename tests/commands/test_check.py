"""`check` with a golden file."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.reporting.formats.golden import read
from tests.boards import NORVIG
from tests.conftest import Harness

BOARDS = [NORVIG[2], "." * 81]
ONE_JOB = ("-j", 1)  # each job starts a worker for each contender
QUICK = ("-b", "native:python", *ONE_JOB)


def test_check_writes_a_golden_file_and_reports_differences_to_it(tmp_path: Path, harness: Harness) -> None:
    corpus, golden = tmp_path / "few.txt", tmp_path / "golden.jsonl"
    corpus.write_text("\n".join(["#: sudoku 3x3", *BOARDS, ""]))
    words = ("check", str(corpus), "-b", "native:python", "-b", "pysat:minisat22", "--golden", str(golden))
    assert harness(*words).code == 2
    assert "--update" in harness(*words).err
    assert harness(*words, "--update").code == 0  # on all cores
    one_job = (*words, *ONE_JOB)
    entries = read(golden)
    assert [(e["puzzle"], e["count"]) for e in entries] == [("few.txt:2", "1"), ("few.txt:3", "2+")]
    assert len(entries[0]["solution"]) == 81
    assert "wall" not in golden.read_text()
    assert harness(*one_job).code == 0
    corpus.write_text("\n".join(["# moved down a line", "#: sudoku 3x3", *BOARDS, ""]))
    assert harness(*one_job).code == 0
    golden.write_text("".join(json.dumps(e | {"count": "0"}) + "\n" for e in entries[:1]))
    done = harness(*one_job)
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


def two_corpora(tmp_path: Path) -> tuple[str | int, ...]:
    """Write two corpora; return the words that check both with two contenders."""
    (tmp_path / "few.txt").write_text("\n".join(["#: sudoku 3x3", *BOARDS, ""]))
    (tmp_path / "more.txt").write_text("\n".join(["#: sudoku 3x3", *NORVIG[:2], ""]))
    return ("-b", "native:python,pysat:minisat22", "--golden", "golden.jsonl", *ONE_JOB)


@pytest.mark.slow
def test_a_subset_of_the_corpora_is_compared_with_its_part_of_the_golden_file(tmp_path: Path, harness: Harness) -> None:
    words = two_corpora(tmp_path)
    assert harness("check", "few.txt", "more.txt", *words, "--update").code == 0
    for subset in (["few.txt"], ["more.txt", "-n", 1], ["few.txt:3"], ["few.txt", "more.txt:2"]):
        done = harness("check", *subset, *words)
        assert (done.code, "only in" in done.out) == (0, False), done.out
    (tmp_path / "few.txt").write_text("\n".join(["#: sudoku 3x3", BOARDS[0], ""]))
    done = harness("check", "few.txt", *words)
    assert done.code == 1
    assert done.out.count("only in the golden file") == 1
    assert harness("check", "few.txt", "-n", 1, *words).code == 0


@pytest.mark.slow
def test_update_of_a_subset_keeps_the_rest_of_the_golden_file(tmp_path: Path, harness: Harness) -> None:
    words = two_corpora(tmp_path)
    assert harness("check", "few.txt", "more.txt", *words, "--update").code == 0
    before = (tmp_path / "golden.jsonl").read_text()
    assert harness("check", "more.txt", "-n", 1, *words, "--update").code == 0
    assert (tmp_path / "golden.jsonl").read_text() == before


@pytest.mark.slow
def test_check_takes_programs_and_writes_json(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "sat.py").write_text(
        "import sys\nfrom pysat.formula import CNF\nfrom pysat.solvers import Solver\n"
        "with Solver('minisat22', bootstrap_with=CNF(from_file=sys.argv[1])) as s:\n"
        "    print('s SATISFIABLE' if s.solve() else 's UNSATISFIABLE')\n"
        "    print('v', *(s.get_model() or ()), 0)\n"
    )
    words = two_corpora(tmp_path)
    program = f"mine={sys.executable} {tmp_path / 'sat.py'}"
    assert harness("check", "more.txt", *words, "--update").code == 0
    done = harness("check", "more.txt", *words, "-b", "dimacs:mine", "--program", program, "-t", 60, "--json", "-")
    assert done.code == 0, done.err
    assert done.contender("dimacs:mine/extended")["solved"] == 2
    golden = {"file": "golden.jsonl", "puzzles": 2, "same": 2, "written": False}
    assert done.summary["golden"] == golden | {"changed": [], "weaker": [], "stronger": []}
    assert harness("check", "more.txt", *QUICK, "--json", "-").summary["golden"] is None


@pytest.mark.slow
def test_check_writes_markdown_and_junit(tmp_path: Path, harness: Harness) -> None:
    words = two_corpora(tmp_path)
    assert harness("check", "few.txt", *words, "--update").code == 0
    golden = tmp_path / "golden.jsonl"
    golden.write_text(golden.read_text().replace('"1"', '"0"'))
    done = harness("check", "few.txt", *words, "--format", "markdown")
    assert done.code == 1
    assert done.out.startswith("| contender ")
    assert "\n- changed: few.txt:2: number of solutions 0 -> 1\n" in done.out
    done = harness("check", "few.txt", *words, "--format", "junit")
    suite = ElementTree.fromstring(done.out)
    assert suite.attrib == {"name": "crosscheck check", "tests": "2", "failures": "1", "errors": "0", "skipped": "0"}
    failed = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert failed == ["few.txt:2"]


def test_junit_skips_what_nobody_decided_and_escapes_what_programs_say(tmp_path: Path, harness: Harness) -> None:
    two_corpora(tmp_path)
    done = harness("check", "few.txt:3", "-b", "bad:raising", "--format", "junit")
    assert done.code == 4
    suite = ElementTree.fromstring(done.out)
    assert suite.get("skipped") == "1"
    assert "trouble: bad:raising: few.txt:3:" in (suite.findtext("system-out") or "")


@pytest.mark.slow
def test_the_word_of_one_contender_is_not_written_as_the_number_of_solutions(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "few.txt").write_text("\n".join(["#: sudoku 3x3", *BOARDS, ""]))
    words = ("check", "few.txt", "--golden", "golden.jsonl", *ONE_JOB)
    assert harness(*words, "-b", "native:python", "--update").code == 0
    assert [e["count"] for e in read(tmp_path / "golden.jsonl")] == ["1+", "2+"]
    both = ("-b", "native:python", "-b", "pysat:minisat22")
    assert "stronger: few.txt:2: number of solutions 1+ -> 1" in harness(*words, *both).out
    assert harness(*words, *both, "--update").code == 0
    alone = harness(*words, "-b", "native:python")
    assert (alone.code, alone.out.splitlines()[-1]) == (0, "golden:    2 of 2 instances as in golden.jsonl")
    liar = harness(*words, "-b", "bad:unsatisfiable")
    assert liar.code == 1
    assert "changed: few.txt:3: number of solutions 2+ -> 0, by unconfirmed answers" in liar.out
    harness(*words, "-b", "bad:unsatisfiable", "--update")
    assert [e["count"] for e in read(tmp_path / "golden.jsonl")] == ["1", "2+"]


def test_a_count_that_the_corpus_claims_and_one_contender_confirms_is_written(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "few.txt").write_text("\n".join(["#: sudoku 3x3, count 1", BOARDS[0], ""]))
    assert harness("check", "few.txt", "-b", "native:python", "--golden", "golden.jsonl", "--update").code == 0
    assert [e["count"] for e in read(tmp_path / "golden.jsonl")] == ["1"]


@pytest.mark.slow
def test_check_asks_for_as_many_solutions_as_all_contenders_find(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "latin.txt").write_text("#: latin 3\n12.23.31.\n")
    words = ("check", "latin.txt", "-b", "lines:mine,native:python", "--program")
    done = harness(*words, "mine=sh -c 'echo 123231312' {count}")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("agreement: 1 of 1 puzzle | 2 of 2 solutions verified | 1 unique")
    done = harness(*words, "mine=sh -c 'echo 123231312'")
    assert done.code == 0
    assert done.out.startswith("agreement: 1 of 1 puzzle | 2 of 2 solutions verified")
    assert "note: one solution is asked for, so uniqueness is not checked: contender 'lines:mine'" in done.err
    assert "a program that counts has {count} in its command" in done.err
