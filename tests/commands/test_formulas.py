"""CNF and OPB files at every verb that takes a puzzle: a useful answer, or one line that says what the verb takes."""

import sys
from pathlib import Path

import pytest

from tests.conftest import Harness

SATISFIABLE = "p cnf 4 4\n1 -2 0\n2 3 0\n-3 4 0\n-1 0\n"  # one solution: x1 to x4 are 0 0 1 1
OPB = "* #variable= 4 #constraint= 2\n3 x1 4 x2 5 x3 6 x4 >= 10 ;\n-1 x1 -1 x2 -1 x3 -1 x4 >= -2 ;\n"
OPB_SOLUTIONS = ["-x1 -x2 x3 x4", "-x1 x2 -x3 x4"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a satisfiable and an unsatisfiable CNF file, and an OPB file."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "sat.cnf").write_text(SATISFIABLE)
    (folder / "unsat.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    (folder / "sums.opb").write_text(OPB)
    return folder


def test_solve_writes_a_solution_of_a_formula_as_literals(harness: Harness, files: Path) -> None:
    done = harness("solve", files / "sat.cnf", "-b", "cpsat")
    assert (done.code, done.err) == (10, "")
    assert done.out.startswith("v -x1 -x2 x3 x4\n\nsat.cnf: cpsat: satisfiable")
    done = harness("solve", files / "sums.opb", "-b", "pysat:minisat22", "--count", 9)
    assert done.code == 10
    assert sorted(line[2:] for line in done.out.splitlines() if line[:2] == "v ") == OPB_SOLUTIONS
    done = harness("solve", files / "unsat.cnf", "-b", "cpsat")
    assert (done.code, done.err.startswith("note: nothing has confirmed it: ")) == (20, True)
    assert done.out.startswith("unsat.cnf: cpsat: unsatisfiable, unconfirmed")


def test_long_solutions_are_wrapped_between_literals(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "long.cnf").write_text("p cnf 60 60\n" + "".join(f"-{x} 0\n" for x in range(1, 61)))
    lines = [line for line in harness("solve", "long.cnf", "-b", "pysat:minisat22").out.splitlines() if line[:1] == "v"]
    assert " ".join(line[2:] for line in lines) == " ".join(f"-x{x}" for x in range(1, 61))
    assert len(lines) > 1
    assert max(map(len, lines)) <= 78


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("sat.cnf", "CNF formula, 4 variables, 4 clauses"),
        ("unsat.cnf", "CNF formula, 1 variable, 2 clauses"),
        ("sums.opb", "OPB instance, 4 variables, 2 linear constraints"),
    ],
)
def test_show_states_the_size_of_a_formula(harness: Harness, files: Path, name: str, size: str) -> None:
    done = harness("show", files / name)
    assert (done.code, done.out, done.err) == (0, f"{name}: {size}\n", "")


@pytest.mark.parametrize("words", [("trace",), ("trace", "-b", "native:norvig"), ("show", "--candidates")])
def test_verbs_of_boards_say_that_they_take_no_formula(harness: Harness, files: Path, words: tuple[str, ...]) -> None:
    for name, kind in (("sat.cnf", "CNF formulas"), ("sums.opb", "OPB instances")):
        done = harness(words[0], files / name, *words[1:])
        assert (done.code, done.out) == (2, "")
        assert done.err.endswith(f"takes boards, not {kind}: use solve, count or run\n")
        assert done.err.count("\n") == 1


def test_a_formula_has_no_layout_to_state(harness: Harness, files: Path) -> None:
    for name, kind in (("sat.cnf", "CNF"), ("sums.opb", "OPB")):
        done = harness("solve", files / name, "--as", "latin 3")
        assert (done.code, done.out) == (2, "")
        assert f"{kind} file has no layout: leave out --as 'latin 3'" in done.err


def test_count_counts_the_solutions_of_a_formula(harness: Harness, files: Path) -> None:
    done = harness("count", files / "sums.opb", "-b", "pysat:minisat22")
    assert (done.code, done.out) == (0, "sums.opb: pysat:minisat22/extended: 2 solutions, and no others\n")


def test_an_encoded_formula_has_the_solutions_of_its_file(harness: Harness, files: Path, tmp_path: Path) -> None:
    done = harness("encode", files / "sat.cnf")
    assert (done.code, done.out) == (0, f"c sat.cnf: its variables are 1 to 4\n{SATISFIABLE}")
    done = harness("encode", files / "sums.opb", "-o", "sums.cnf")
    assert (done.code, done.err) == (0, "")
    first = (tmp_path / "sums.cnf").read_text().splitlines()[0]
    assert first == "c sums.opb: its variables are 1 to 4, those above are auxiliary"
    solved = harness("solve", "sums.cnf", "-b", "pysat:minisat22", "--count", 3).out.splitlines()
    assert sorted(" ".join(line.split()[1:5]) for line in solved if line.startswith("v -x1")) == OPB_SOLUTIONS


def test_a_comment_of_an_encoded_file_stays_one_line(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a\np cnf 9 9\n.cnf").write_text(SATISFIABLE)
    done = harness("encode", "a\np cnf 9 9\n.cnf")
    assert done.out == f"c a\\np cnf 9 9\\n.cnf: its variables are 1 to 4\n{SATISFIABLE}"


def test_the_header_of_a_run_counts_instances_by_kind(harness: Harness, files: Path) -> None:
    limits = ("-b", "pysat:minisat22", "-t", 5)
    assert harness("run", files, *limits).out.startswith("files: 3 instances, 2 CNF formulas, 1 OPB instance | 1 cont")
    assert harness("run", files / "sums.opb", *limits).out.startswith("sums.opb: 1 OPB instance | 1 contender")
    mixed = harness("run", "hardest", files / "sat.cnf", "-n", 1, *limits).out
    assert mixed.startswith("hardest.txt: 1 instance, sat.cnf: 1 instance, sudoku 3x3, 1 CNF formula | 1 contender")


def program(folder: Path, *lines: str) -> tuple[str, str]:
    """Return the arguments for a solver that prints these lines, whatever it is asked."""
    path = folder / "solver"
    path.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines))
    path.chmod(0o755)
    return "--program", f"mine={path}"


def test_solve_says_that_an_exit_code_contradicts_the_answer(harness: Harness, files: Path) -> None:
    mine = program(files, "s SATISFIABLE", "v -1 -2 3 4 0")
    (files / "solver").write_text((files / "solver").read_text() + "exit 20\n")
    done = harness("solve", files / "sat.cnf", "-b", "dimacs:mine", *mine)
    assert " ".join(done.out.split()).endswith("; the exit code is 20, which stands for UNSATISFIABLE")


def test_a_wrong_answer_on_a_small_formula_is_a_finding_that_replays(harness: Harness, files: Path) -> None:
    lying = program(files, "s UNSATISFIABLE")
    done = harness("run", files / "sat.cnf", "-b", "dimacs:mine,pysat:minisat22", *lying, "-o", "run.sqlite")
    assert done.code == 1, done.err
    finding = "findings/sat-cnf--dimacs-mine-extended.finding"
    assert f"harness shrink {finding}" in done.out
    assert harness("replay", finding, *lying).code == 1
    program(files, "s SATISFIABLE", "v -1 -2 3 4 0")
    assert harness("replay", finding, *lying).code == 0
    assert "p cnf 4 4" in harness("export", finding, "--to", "dimacs").out


@pytest.mark.slow
def test_a_wrong_answer_on_sums_is_a_finding(harness: Harness, files: Path) -> None:
    lying = program(files, "s UNSATISFIABLE")
    done = harness("run", files / "sums.opb", "-b", "dimacs:mine,pysat:minisat22", *lying)
    assert done.code == 1
    (finding,) = Path("results").rglob("*.finding")
    assert f"to shrink: python -m harness shrink {finding}" in done.out
    shrunk = harness("shrink", finding, *lying)
    assert shrunk.code == 1, shrunk.out + shrunk.err
    assert "expected: SATISFIABLE, 1 assignment" in shrunk.out


@pytest.mark.slow
def test_a_wrong_answer_on_a_long_formula_is_shrunk(harness: Harness, files: Path) -> None:
    (files / "long.cnf").write_text("p cnf 2 2001\n" + "1 2 0\n" * 2001)
    lying = program(files, "s UNSATISFIABLE")
    done = harness("run", files / "long.cnf", "-b", "dimacs:mine,pysat:minisat22", *lying, "-o", "j.sqlite")
    assert done.code == 1
    assert "not to shrink" not in done.out
    (finding,) = Path().rglob("*.finding")
    shrunk = harness("shrink", finding, *lying)
    assert shrunk.code == 1, shrunk.out + shrunk.err
    assert " 1 clause, 1 instance" in shrunk.out


def test_a_program_that_fails_on_formulas_fails_at_an_instance(harness: Harness, files: Path) -> None:
    done = harness("run", files / "sat.cnf", "-b", "dimacs:mine", *program(files, "s SATISFIABLE"))
    assert "trouble: dimacs:mine/extended: sat.cnf: ProgramFailed: " in done.out
    assert "the output has 's SATISFIABLE' but no literals in 'v' lines" in done.out


@pytest.mark.slow
def test_every_verb_names_the_false_clause(harness: Harness, files: Path) -> None:
    (files / "f.cnf").write_text("p cnf 3 3\n1 2 0\n-1 -2 0\n-3 1 0\n")
    lying, why = program(files, "s SATISFIABLE", "v 1 2 3 0"), "clause 2 is false: not x1 or not x2"
    asked = (files / "f.cnf", "-b", "dimacs:mine", *lying)
    assert f"its solution is wrong: {why}" in harness("run", *asked, "-o", "j.sqlite").out
    assert f"the answer is wrong: {why}" in harness("solve", *asked).err
    assert f"a solution is wrong: {why}" in harness("count", *asked).err
    (finding,) = Path().rglob("*.finding")
    expected = "expected only assignments that satisfy every constraint"
    assert f"  {expected}; seen SATISFIABLE with 1 solution: {why}\n" in harness("replay", finding, "--yes").out
    shrunk = harness("shrink", *asked, "-o", "s.finding")
    assert "seen:     SATISFIABLE with 1 solution: clause " in shrunk.out


CAREFUL = """\
import sys
evil = open(sys.argv[1]).read().startswith("c evil")
print("s UNSATISFIABLE" if evil else "s SATISFIABLE\\nv 1 0")
"""


@pytest.mark.slow
def test_a_fault_that_needs_the_text_of_its_file_is_told(harness: Harness, files: Path) -> None:
    (files / "e.cnf").write_text("c evil\np cnf 1 1\n1 0\n")
    (files / "careful.py").write_text(CAREFUL)
    asked = ("-b", "dimacs:mine,pysat:minisat22", "--program", f"mine={sys.executable} {files / 'careful.py'}")
    assert harness("run", files / "e.cnf", *asked, "-o", "j.sqlite").code == 1
    assert harness("solve", files / "e.cnf", "-b", "dimacs:mine", *asked[2:]).code == 20  # it gets its file as in a run
    (finding,) = Path().rglob("*.finding")
    for words in (("replay", finding, "--yes"), ("shrink", finding, "--yes"), ("shrink", files / "e.cnf", *asked)):
        done = harness(*words)
        assert done.code == 0
        assert f"; it failed with {files / 'e.cnf'} itself, and gets here what was read of it" in done.out


@pytest.mark.parametrize("change", ["open(sys.argv[1], 'a').write('c\\n')", "os.remove(sys.argv[1])"])
def test_a_program_that_changes_its_instance_is_named(harness: Harness, files: Path, change: str) -> None:
    (files / "changes.py").write_text(f"import os, sys\n{change}\nprint('s SATISFIABLE\\\\nv 1 -2 0')\n")
    mine = ("--program", f"dimacs:mine={sys.executable} {files / 'changes.py'}")  # as -b names it
    done = harness("run", files / "sat.cnf", "-b", "dimacs:mine", *mine)
    assert done.code == 4
    assert f"{files / 'sat.cnf'} was changed while the program ran on it: restore it; --sandbox prevents" in done.out
