"""Scripts of findings that need one package, or a program, and nothing of Crosscheck; and files of their instances."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from backends.contract.objective_cases import least
from harness.fuzzing.assignments import solutions_of
from harness.fuzzing.exporting.exporting import to_dimacs, to_python, without
from harness.fuzzing.findings.finding import Case, Finding, read, write
from harness.fuzzing.rounds import objectives
from harness.model.errors import BadUsage
from puzzles.boards.families import layout
from puzzles.constraints.linear import Linear
from puzzles.formats import read as read_instances
from puzzles.generating.problems import KINDS, random_problem
from puzzles.problem import Instance, Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Integers
from tests.conftest import ROOT, Done, Harness
from tests.fuzzing.test_exporting import body, finding

HUGE = 1 << 70
NEEDS = {"cpmpy": "cpmpy", "z3": "z3"}
EXAMPLE = ROOT / "docs" / "findings" / "cpmpy-choco-too-few.finding"


def needs(contender: str) -> str:
    """Skip the test unless the package of a contender is installed."""
    package = NEEDS.get(contender.partition(":")[0])
    if package and not find_spec(package):
        pytest.skip(f"needs {package}")
    return contender


def run(script: str) -> Done:
    """Run a script in an isolated process, which sees nothing of Crosscheck."""
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=100)
    return Done(done.returncode, done.stdout, done.stderr)


SEVERAL = """
import contextlib, io, json, sys, traceback
found = []
for script in json.load(sys.stdin):
    out, code = io.StringIO(), 0
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(script, "script", "exec"), {"__name__": "__main__"})
        except SystemExit as e:
            code = int(e.code or 0)
        except BaseException:
            code = 99
            traceback.print_exc(file=out)
    found.append((code, out.getvalue()))
json.dump(found, sys.stdout)
"""


def run_all(scripts: Sequence[str]) -> list[Done]:
    """Run scripts one after the other, each with names of its own, in one isolated process: packages load once."""
    command = [sys.executable, "-I", "-c", SEVERAL]
    done = subprocess.run(command, input=json.dumps(scripts), capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return [Done(code, out, done.stderr) for code, out in json.loads(done.stdout)]


def found_on(instance: Instance[Problem], contender: str, signature: str = "not optimal", count: int = 1) -> Finding:
    case = Case(contender, instance.problem, (instance.domains,), count, seconds=20)
    return Finding(case, signature, "", "SATISFIABLE with 1 solution, complete")


def decided(*kinds: str, seed: int = 0) -> Instance[Problem]:
    """Return a problem with two solutions or more."""
    drawn = (random_problem(kinds, Random(f"{kinds} {n}")) for n in range(seed, 1000))
    return next(i for i in drawn if len(solutions_of(i.problem, i.domains, 2, 10**6).solutions) == 2)


OPTIMISERS = ("cpsat", "z3:int", "cpmpy:ortools", "pysat:rc2", "pysat:rc2-stratified", "pysat:fm")


def stated(contender: str) -> Instance[Problem]:
    """Return a small problem with an objective that a contender takes."""
    kinds = ("wcnf",) if contender.startswith("pysat") else ("opb-opt", "cop")
    for seed in range(300):
        instance = objectives.KINDS[kinds[seed % len(kinds)]](Random(seed))
        if is_small(instance) and least(instance.problem, instance.domains):
            return instance
    raise LookupError


def is_small(instance: Instance[Problem]) -> bool:
    """Return True if no value of the objective is large."""
    assert instance.problem.objective is not None
    return max(map(abs, instance.problem.objective.bounds(instance.domains, instance.problem))) < 1 << 20


@pytest.mark.parametrize("contender", OPTIMISERS)
def test_a_script_of_an_optimiser_fails_only_if_the_value_is_another(contender: str) -> None:
    instance = stated(needs(contender))
    script = to_python(found_on(instance, contender))
    best = least(instance.problem, instance.domains)
    assert f"best = {best}\n" in script or f", {best}\n" in script
    assert "import harness" not in script
    assert best is not None
    lied = script.replace(f", {best}\n", f", {best - 1}\n").replace(f"best = {best}\n", f"best = {best - 1}\n")
    done, wrong = run_all([script, lied])
    assert (done.code, done.out.splitlines()[-1]) == (0, "does not fail"), done.out + done.err
    assert (wrong.code, wrong.out.splitlines()[-1][:6]) == (1, "FAILS:"), wrong.out + wrong.err


@pytest.mark.parametrize("contender", ["cpsat", "z3:int", "cpmpy:ortools"])
def test_a_script_states_every_kind_of_constraint(contender: str) -> None:
    needs(contender)
    scripts = {kind: to_python(found_on(decided(kind), contender, "unsatisfiable")) for kind in sorted(KINDS)}
    for kind, done in zip(scripts, run_all(list(scripts.values())), strict=True):
        assert (done.code, done.out.splitlines()[-1]) == (0, "does not fail"), kind + done.out + done.err


def test_a_script_of_cpmpy_shows_solutions_that_are_missed() -> None:
    instance = decided("count", "linear")
    script = to_python(found_on(instance, needs("cpmpy:ortools"), "too few", 5))
    assert run(script).code == 0
    blind = script.replace("while len(found) < count:", "while len(found) < 1:").replace('"open"', '"complete"')
    done = run(blind)
    assert done.code == 1, done.err
    assert "FAILS: it finds 1 and no more, but this is a solution" in done.out


def test_the_shipped_finding_of_choco_fails_in_plain_cpmpy() -> None:
    if not find_spec("cpmpy") or not find_spec("pychoco"):
        pytest.skip("needs cpmpy and pychoco")
    done = run(to_python(read(EXAMPLE)))
    assert done.code == 1, done.err
    assert "FAILS: it finds 1 and no more, but this is a solution" in done.out


PROGRAM = """
import sys
text = open(sys.argv[1]).read()
print("o", {value})
print("s OPTIMUM FOUND")
"""


@pytest.mark.parametrize(("base", "kind"), [("wcnf", "wcnf"), ("opb", "opb-opt"), ("xcsp3", "cop")])
def test_a_script_of_a_program_runs_it_on_its_file(tmp_path: Path, base: str, kind: str) -> None:
    drawn = (objectives.KINDS[kind](Random(n)) for n in range(50))
    instance = next(i for i in drawn if abs(least(i.problem, i.domains) or HUGE) < 1000 and is_small(i))
    best = least(instance.problem, instance.domains)
    goal = instance.problem.objective
    assert goal is not None
    assert best is not None
    for value, code in ((best, 0), (best + 1, 1)):
        (tmp_path / "solver.py").write_text(PROGRAM.format(value=-value if goal.maximise else value))
        command = f"mine={sys.executable} {tmp_path / 'solver.py'}"
        made = replace(found_on(instance, f"{base}:mine"), provenance={"program": [command]})
        done = run(to_python(made))
        assert done.code == code, done.out + done.err


def test_what_has_no_script_is_refused_with_what_to_do() -> None:
    for contender in ("native", "pysat:glucose4-linear"):
        with pytest.raises(BadUsage, match="export it"):
            to_python(found_on(stated("pysat:rc2"), contender))


READ: dict[str, Callable[[Path], Instance[Problem]]] = {
    to: lambda path: next(iter(read_instances(path))) for to in ("wcnf", "opb", "xcsp3")
}


@pytest.mark.parametrize("to", sorted(READ))
@pytest.mark.parametrize("kind", sorted(objectives.KINDS))
def test_an_exported_instance_has_the_same_optimum(harness: Harness, tmp_path: Path, to: str, kind: str) -> None:
    compared = 0
    for seed in range(12):
        instance = objectives.KINDS[kind](Random(f"export {seed}"))
        write(found_on(instance, "native"), tmp_path / "a.finding")
        path = tmp_path / f"a.{'xml' if to == 'xcsp3' else to}"
        done = harness("export", "a.finding", "--to", to, "-o", path)
        if done.code == 2:
            assert done.err.count("\n") == 1
            continue
        if to == "wcnf":
            continue  # its variables are too many for trying all assignments
        again = READ[to](path)
        if sum(len(range(m.bit_length())) for m in again.domains) <= 40:
            compared += 1
            assert least(again.problem, again.domains) == least(instance.problem, instance.domains)
    assert compared or to == "wcnf"


def test_an_exported_enumeration_forbids_the_solutions_that_were_shown() -> None:
    made = finding("pysat:minisat22/extended", 2)
    made = replace(
        made, case=replace(made.case, asks=made.case.asks[-1:]), seen="SATISFIABLE with 1 solution, complete"
    )
    first, second = solutions_of(made.case.problem, made.case.asks[-1], 3, 10**6).solutions
    plain, _, _ = body(to_dimacs(replace(made, signature="unsatisfiable")))
    for shown, left in ((first, second), (second, first)):
        clauses, _, comments = body(to_dimacs(replace(made, provenance={"shown": [list(shown)]})))
        assert len(clauses) == len(plain) + 1
        assert any("1 clause after the givens forbid the solutions that it showed" in line for line in comments)
        model = next(line.split(":")[1].split()[:-1] for line in comments if line.startswith("a model of it: "))
        assert all(set(clause) & set(map(int, model)) for clause in clauses)
        assert left != shown
    guessed, _, _ = body(to_dimacs(made))
    assert len(guessed) == len(plain) + 1
    wrong = [0] * 9
    for rows, blocked in (([first, wrong], 1), ([wrong, first], 0), ([first, second, first], 2), ([second, second], 1)):
        lying = replace(made, signature="wrong solution", provenance={"shown": [list(row) for row in rows]})
        clauses, _, comments = body(to_dimacs(lying))
        assert len(clauses) == len(plain) + blocked
        assert any("still satisfiable" in line for line in comments) == (blocked == 1)


@pytest.mark.parametrize(
    ("values", "kinds"), [(("0", "1"), ["linear", "clauses"]), (("0", "1", "2"), ["linear", "table"])]
)
def test_an_exported_instance_forbids_the_solutions_that_were_shown(values: tuple[str, ...], kinds: list[str]) -> None:
    sum_of_two = Linear.of([([1, 1], [0, 1], ">=", 1)])
    problem = Problem("sum", ("x", "y"), Integers(map(int, values)), (sum_of_two,))
    left = without(problem, [(0, 1)])
    assert [c.kind for c in left.constraints] == kinds
    assert violations(left, left.open, (0, 1))
    assert not violations(left, left.open, (1, 0))


@pytest.mark.parametrize("shown", [5, [[0, 0]], [["a"] * 9], 3 * [[0] * 9], [5], "x"])
def test_solutions_that_a_foreign_finding_claims_were_shown_are_checked(shown: object) -> None:
    made = replace(finding("pysat:minisat22/extended", 2), provenance={"shown": shown}, seen="nothing")
    assert to_dimacs(made) == to_dimacs(replace(made, provenance={}))


@pytest.mark.slow
def test_a_recorded_program_is_run_if_the_user_agrees(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "liar.py").write_text("import sys\nfor line in sys.stdin: print('unsatisfiable', flush=True)\n")
    command = f"mine={sys.executable} {tmp_path / 'liar.py'}"
    four = layout("latin 2")
    case = Case("lines:mine:batch", four, (four.open,), 1, seconds=20)
    write(Finding(case, "unsatisfiable", provenance={"program": [command, "other=false"]}), tmp_path / "a.finding")
    refused = harness("replay", "a.finding")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert command in refused.err
    agreed = harness("replay", "a.finding", "--yes")
    assert agreed.code == 1, agreed.out + agreed.err
    assert command in agreed.err
    assert "other" not in agreed.err
    assert "still fails" in agreed.out
    honest = "import sys\nfor line in sys.stdin: print('1221', flush=True)\n"
    (tmp_path / "honest.py").write_text(honest)
    mine = f"mine={sys.executable} {tmp_path / 'honest.py'}"
    assert harness("replay", "a.finding", "--program", mine).code == 0
    assert harness("shrink", "a.finding", "--yes").code == 1
