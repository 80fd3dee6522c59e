"""Contenders that support some layouts only: left out, rejected or unsupported, never errors."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import ChoosyBackend, Unsupported
from encoders.direct import alldifferent
from encoders.formula import Cnf
from encoders.linear import LINEAR, PINDAKAAS
from encoders.registry import ENCODINGS, spec
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.selection.fitting import select_supported, without_copies
from harness.storing.problems import Outline
from puzzles.boards.families import layout
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.constraints.unsupported import UnsupportedParts
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Problem
from puzzles.problem.values import Integers
from tests.boards import EASY, SOLVED
from tests.conftest import ROOT, WITHOUT_NUMBA, Harness

ECHO = "import sys; input(); print(sys.argv[1])"
NINE, FOUR = (layout("sudoku 3x3"), 3), (layout("sudoku 2x2"), 2)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "mixed.txt"
    path.write_text(f"#: sudoku 3x3\n{EASY}\n#: sudoku 2x2\n1...............\n12..............\n")
    return path


def names(pattern: str, *layouts: object) -> tuple[list[str], tuple[str, ...]]:
    kept, notes = select_supported(resolve([pattern])[0], [pattern], layouts)  # type: ignore[arg-type]
    return [c.name for c in kept], notes


def test_a_glob_leaves_out_contenders_that_support_no_layout_with_a_note() -> None:
    assert names("native:[kp]*", NINE) == (["native:python", "native:kernel"], ())
    kept, (note,) = names("native:[kp]*", FOUR)
    assert kept == ["native:python"]
    assert note.startswith("left out: native:kernel takes 9x9 Sudoku only")


def test_a_glob_never_drops_a_contender_for_the_sake_of_one_instance() -> None:
    kept, (note,) = names("native:[kp]*", NINE, FOUR)
    assert kept == ["native:python", "native:kernel"]
    assert re.fullmatch("native:kernel takes 9x9 Sudoku only: .*; unsupported: 2 of 5 instances", note)


def test_an_instance_that_nobody_can_read_keeps_no_contender_of_a_glob() -> None:
    unread = Problem("unread", (), Integers(range(1)), (UnsupportedParts(("quantifiers",)),)), 1
    kept, (note,) = names("native:[kp]*", FOUR, unread)
    assert kept == ["native:python"]
    assert note.startswith("left out: native:kernel takes 9x9 Sudoku only")
    assert names("native:[kp]*", unread) == (["native:python", "native:kernel"], ())


def test_optimisers_are_left_out_or_refused_where_there_is_no_objective() -> None:
    plain = (Problem("plain", ("x",), Integers(range(2)), (Clauses.of([(1,)]),)), 1)
    kept, notes = names("pysat:[rc]*", plain)
    assert kept
    assert all(name.startswith("pysat:cadical") for name in kept)
    assert "left out: pysat:rc2 takes instances with an objective only; likewise pysat:rc2-stratified" in notes[0]
    _, every = names("pysat:[rc]*/*", plain)
    assert len(set(every)) == len(every), "a note for a backend, not for each encoding"
    with pytest.raises(BadUsage, match="pysat:rc2 takes instances with an objective only"):
        names("pysat:rc2", plain)


def test_a_named_contender_runs_on_supported_layouts_or_is_bad_usage() -> None:
    kept, (note,) = names("native:kernel", NINE, FOUR)
    assert kept == ["native:kernel"]
    assert "unsupported: 2 of 5 instances" in note
    with pytest.raises(BadUsage, match="native:kernel takes 9x9 Sudoku only: use native"):
        names("native:kernel", FOUR)
    with pytest.raises(BadUsage, match="no contender is left to run"):
        names("native:[k]*", FOUR)


@pytest.mark.parametrize("name", ["native", "native:python", "native:kernel", "native:batch"])
@pytest.mark.parametrize("board", ["sudoku 3x3", "sudoku 2x2", "latin 9"])
def test_refuses_agrees_with_open(name: str, board: str) -> None:
    backend, formula = registry.find(name), alldifferent(layout(board))
    assert isinstance(backend, ChoosyBackend)
    why = backend.refuses(formula)
    if why is None:
        backend.open(formula).close()
    else:
        with pytest.raises(Unsupported, match=re.escape(why)):
            backend.open(formula)


def test_unsupported_puzzles_are_neither_errors_nor_a_failed_run(harness: Harness, mixed: Path) -> None:
    done = harness("run", mixed, "-b", "native:kernel", "-b", "native:python")
    assert done.code == 0, done.err
    (line,) = [line for line in done.out.splitlines() if line.startswith("native:kernel")]
    assert line.split()[1] == "1/3"
    why = "native:kernel takes 9x9 Sudoku only: use native, which takes any layout"
    assert f"unsupported: {why} (and 1 more outcome)" in done.out
    assert "Unsupported" not in done.out
    for patterns in (["-b", "native:kernel", "-b", "native:python"], ["-b", "native:[kp]*"]):
        done = harness("run", mixed, *patterns, "--json", "-")
        entry = done.contender("native:kernel")
        assert (entry["solved"], entry["unsupported"], entry["error"], entry["unknown"]) == (1, 2, 0, 0)


@pytest.mark.parametrize("verb", ["run", "solve", "count"])
def test_a_run_without_a_supported_layout_is_bad_usage(harness: Harness, verb: str) -> None:
    done = harness(verb, "latin", *(("-n", 1) if verb != "run" else ()), "-b", "native:batch")
    assert done.code == 2
    assert "contender 'native:batch' is not supported: native:batch takes 9x9 Sudoku only: use native" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_contender_that_supports_no_puzzle_makes_the_run_exit_4(harness: Harness, tmp_path: Path) -> None:
    corpus = tmp_path / "open.txt"
    corpus.write_text("#: sudoku 2x2\n................\n")
    done = harness("run", corpus, "-b", "bad:picky/reduced", "--json", "-")
    assert done.code == 4
    assert done.contender("bad:picky/reduced")["unsupported"] == 1


def test_a_program_is_not_run_on_values_without_a_character(harness: Harness, tmp_path: Path) -> None:
    corpus = tmp_path / "large.txt"
    corpus.write_text("#: latin 36\n" + " ".join(["."] * 36**2) + "\n")
    done = harness("run", corpus, "-b", "lines:x", "--program", "x=cat")
    assert done.code == 2
    assert "'lines:x' is not supported: values of latin 36 can't be written as one character each" in done.err


def test_a_program_is_asked_about_the_layouts_that_its_command_states_alone(harness: Harness, mixed: Path) -> None:
    mine = f"mine='{sys.executable}' -c \"{ECHO}\" '{SOLVED}' {{layouts: sudoku 3x3}}"
    done = harness("run", mixed, "-b", "lines:mine", "-b", "native:python", "--program", mine, "--json", "-")
    entry = done.contender("lines:mine")
    assert (entry["solved"], entry["unsupported"], entry["error"]) == (1, 2, 0)
    (trouble,) = entry["trouble"]
    assert trouble["why"] == "unsupported: lines:mine takes sudoku 3x3, not sudoku 2x2"
    done = harness("run", mixed, "-b", "lines:mine", "--program", mine.replace("3x3}", "4x4}"))
    assert done.code == 2
    assert "contender 'lines:mine' is not supported: lines:mine takes sudoku 4x4, not sudoku 3x3" in done.err


def test_without_numba_compiled_backends_name_the_package_to_install() -> None:
    script = WITHOUT_NUMBA + (
        "from harness.cli import main\n"
        "print(main(['run', 'hardest', '-n', '1', '-b', 'native:batch']))\n"
        "from harness.model.contender import resolve\n"
        "found, notes = resolve(['native:*'])\n"
        "print(len(found), *notes, sep='; ')\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert run.stderr == "harness: backend 'native:batch': not installed: pip install numba\n"
    code, rest = run.stdout.splitlines()
    assert code == "2"
    assert rest == "7; " + "; ".join(
        f"native:{name} left out: not installed: pip install numba"
        for name in ("engine", "dlx", "cdcl", "lazy", "kernel", "batch")
    )


CNF = Problem("cnf", ("x", "y"), Integers(range(2)), (Clauses.of([(1, 2), (-1,)]),))
OPB = Problem("opb", tuple("wxyz"), Integers(range(2)), (Linear.of([((3, 2, 2, 1), (0, 1, 2, 3), ">=", 4)]),))


@pytest.mark.parametrize("problem", [CNF, OPB], ids=["cnf", "opb"])
def test_encodings_with_the_same_choices_on_a_problem_make_the_same_formula(problem: Problem) -> None:
    made = dict[tuple[str, ...], list[bytes]]()
    for name, encoding in ENCODINGS.items():
        for choice in ("", "+ladder", "+linear=mdd", "+table=conflict") if encoding.formula is Cnf else ():
            formula = spec(name + choice).formula(problem)
            assert isinstance(formula, Cnf)
            content = formula.clauses.tobytes() + str(list(formula.literal)).encode()
            made.setdefault(spec(name + choice).choices_on(Outline.of(problem)), []).append(content)
    assert {key: len(set(contents)) for key, contents in made.items()} == dict.fromkeys(made, 1)
    assert len(made) == (1 if problem is CNF else 4)


def test_a_glob_makes_one_contender_per_solver_on_a_cnf_file_and_a_named_one_stays() -> None:
    patterns = ["pysat:minisat22/*", "pysat:minisat22/order"]
    kept, (note,) = without_copies(resolve(patterns)[0], patterns, [Outline.of(CNF)])
    assert [c.name for c in kept] == ["pysat:minisat22/order"]
    assert note == "pysat:minisat22/extended and 5 more left out: here its formula is that of /order"
    kept, _ = without_copies(resolve(["pysat:glucose[34]/*+ladder"])[0], ["*"], [Outline.of(CNF), Outline.of(CNF)])
    assert [c.name for c in kept] == ["pysat:glucose3/extended+ladder", "pysat:glucose4/extended+ladder"]
    kept, notes = without_copies(resolve(patterns)[0], patterns, [Outline.of(CNF), Outline.of(NINE[0])])
    assert (len(kept), notes) == (7, ())


def test_encodings_of_sums_are_choices_on_soft_clauses_only_of_solvers_that_bound_them() -> None:
    soft = replace(CNF, objective=SoftClauses.of([(3, [1]), (2, [-2])]))
    for name, left in (("pysat:rc2", 1), ("pysat:glucose4-linear", len([*LINEAR, *PINDAKAAS]))):
        patterns = [f"{name}/direct+linear=*"]
        kept, _ = without_copies(resolve(patterns)[0], patterns, [Outline.of(soft)])
        assert len(kept) == left, name
