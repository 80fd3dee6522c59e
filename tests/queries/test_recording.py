"""Query scripts recorded from programs, which run as they do without a recorder."""

import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from puzzles.formats import read
from puzzles.objectives.queries import QueryScript
from tests.conftest import Harness
from tests.queries.test_queries import statuses

PYSAT = """
from pysat.solvers import Glucose4, Solver
with Solver("m22", bootstrap_with=[[1, 2], [-1, 2]]) as s:
    print(s.solve(assumptions=[-2]), s.get_core())
    s.append_formula([[-2, 3]])
    print(s.solve_limited(), type(s.solver).__name__)
other = Glucose4()
other.add_clause([1])
print(other.solve([-1]))
"""
Z3 = """
import z3
a, b, c = z3.Bools("a b c")
s = z3.Solver()
s.add(z3.Xor(a, b) == c, z3.Or(a, z3.And(b, c)))
for term in (a, b, c):
    s.push()
    s.add(z3.Implies(term, z3.If(a, z3.Not(b), c)))
    print(s.check(term), s.check(z3.Not(term), c))
    s.pop()
s.assert_and_track(z3.Not(c), "t")
print(s.check(), s.check(b), s.check(z3.Not(b)))
"""
CPSAT = """
from ortools.sat.python import cp_model
m, s = cp_model.CpModel(), cp_model.CpSolver()
s.parameters.num_workers, s.parameters.cp_model_presolve = 1, False
x = [m.new_bool_var(f"x{i}") for i in range(4)]
m.add_exactly_one(x[:3])
m.add(2 * x[0] + x[1] - x[3] <= 1)
for i in range(4):
    m.clear_assumptions()
    m.add_assumptions([x[i], ~x[i - 1]])
    print(s.status_name(s.solve(m)))
    m.add_bool_or([~x[i], x[i - 2]]).only_enforce_if(x[i - 1])
y = m.new_int_var(0, 9, "y")
m.clear_assumptions()
print(s.status_name(s.solve(m)))
"""


def recorded(folder: Path, harness: Harness, text: str, *options: str) -> tuple[list[QueryScript], str]:
    """Record a program; return its scripts and what `record` printed. The program prints the same as without it."""
    (folder / "app.py").write_text(text)
    command = [sys.executable, str(folder / "app.py")]
    done = harness("record", *options, "-o", folder / "out", "--", *command)
    assert done.code == 0, done.err
    found = [next(iter(read(path))).problem.objective for path in sorted((folder / "out").glob("*.trace"))]
    return [script for script in found if isinstance(script, QueryScript)], done.out + done.err


def answers(script: QueryScript) -> list[bool]:
    """Return the answers of the application, all of which are known."""
    assert set(script.expected.tolist()) <= {1, 2}
    return [answer == 1 for answer in script.expected.tolist()]


def test_pysats_solvers_are_recorded(tmp_path: Path, harness: Harness) -> None:
    (first, second), said = recorded(tmp_path, harness, PYSAT)
    assert [(ask.clauses, ask.assumptions) for ask in first.asks] == [([[1, 2], [-1, 2]], [-2]), ([[-2, 3]], [])]
    assert (answers(first), answers(second)) == ([False, True], [False])
    assert "app-1.trace: 2 asks, 1 satisfiable, Minisat22" in said


def test_another_solver_of_pysat_takes_the_place_of_all(tmp_path: Path, harness: Harness) -> None:
    (first, second), said = recorded(tmp_path, harness, PYSAT, "--with", "pysat:cadical195")
    assert (answers(first), answers(second)) == ([False, True], [False])
    assert said.count("satisfiable, Cadical195") == 2
    assert "closed loop" in said
    assert harness("record", "--with", "pysat:nothing", "--", "python").code == 2


@pytest.mark.slow
@pytest.mark.parametrize(("package", "text", "asks"), [("z3", Z3, 9), ("ortools", CPSAT, 4)])
def test_boolean_terms_of_z3_and_models_of_cpsat_become_clauses(
    package: str, text: str, asks: int, tmp_path: Path, harness: Harness
) -> None:
    """Brute force gives the script the answers that the application got."""
    pytest.importorskip(package)
    (script,), _ = recorded(tmp_path, harness, text)
    assert len(script) == asks
    assert answers(script) == statuses(script)
    assert len(set(answers(script))) == 2
    assert len(list((tmp_path / "out").glob("*.fzn"))) == (package == "ortools")


MODELS = """
from ortools.sat.python import cp_model
m, s = cp_model.CpModel(), cp_model.CpSolver()
s.parameters.num_workers, s.parameters.cp_model_presolve = 1, False
x, y = [m.new_bool_var(f"x{i}") for i in range(3)], m.new_int_var(0, 20, "y")
m.add(y >= 6).only_enforce_if(x[0])
m.add(y <= 5).only_enforce_if(x[1], ~x[2])
m.add(3 * x[2] + y <= 9)
for given in [], [x[0]], [x[0], x[1]], [~x[2], x[1], x[0]], [x[0], x[2]]:
    m.clear_assumptions()
    m.add_assumptions(given)
    print(s.status_name(s.solve(m)))
m.clear_assumptions()
m.maximize(y)
print(s.status_name(s.solve(m)))
"""


@pytest.mark.slow
def test_other_models_of_cpsat_become_scripts_of_a_model(tmp_path: Path, harness: Harness) -> None:
    _, said = recorded(tmp_path, harness, MODELS)
    assert "app-1.fzn: 5 asks, 4 satisfiable, CpSolver" in said
    (script,) = (found.problem.objective for found in read(tmp_path / "out" / "app-1.fzn"))
    assert isinstance(script, QueryScript)
    assert answers(script) == [True, True, True, False, True]
    run = harness("run", tmp_path / "out" / "app-1.fzn", "-b", "queries:cpsat,queries:minisat22")
    assert (run.code, "1 of 1 optimum confirmed" in run.out) == (0, True), run.out + run.err
    (best,) = read(tmp_path / "out" / "app-2.fzn")
    assert best.problem.objective is not None
    assert best.problem.objective.maximise


def test_what_no_script_states_is_said(tmp_path: Path, harness: Harness) -> None:
    pytest.importorskip("z3")
    (tmp_path / "app.py").write_text("import z3\ns = z3.Solver()\ns.add(z3.Int('x') > 3)\nprint(s.check())\n")
    done = harness("record", "-o", tmp_path / "out", "--", sys.executable, tmp_path / "app.py")
    assert done.code == 4
    assert "app-1: is not recorded: a term of sort Bool: x > 3" in done.err
    assert "nothing was recorded" in done.err
    assert harness("record", "-o", tmp_path / "none", "--", tmp_path / "nothing").code == 2


SOLVER = r"""
#include <stdlib.h>
static int clauses[999], size, assumed[99], assumptions;
void *ipasir_init(void) { return malloc(1); }
void ipasir_add(void *s, int p) { clauses[size++] = p; }
void ipasir_assume(void *s, int p) { assumed[assumptions++] = p; }
static int is_true(int p, int model) { return p > 0 ? model >> p & 1 : !(model >> -p & 1); }
int ipasir_solve(void *s) {
    int found = 20;
    for (int model = 0; model < 16; model += 2) {
        int good = 1, some = 0;
        for (int i = 0; i < size; i++) {
            if (clauses[i]) some |= is_true(clauses[i], model);
            else { good &= some; some = 0; }
        }
        for (int i = 0; i < assumptions; i++) good &= is_true(assumed[i], model);
        if (good) found = 10;
    }
    assumptions = 0;
    return found;
}
void ipasir_release(void *s) { free(s); }
"""
APP = r"""
#include <stdio.h>
void *ipasir_init(void);
void ipasir_add(void *, int), ipasir_assume(void *, int), ipasir_release(void *);
int ipasir_solve(void *);
int main(void) {
    void *s = ipasir_init();
    int p[] = {1, 2, 0, -1, 2, 0};
    for (int i = 0; i < 6; i++) ipasir_add(s, p[i]);
    ipasir_assume(s, -2);
    printf("%d", ipasir_solve(s));
    printf("%d", ipasir_solve(s));
    ipasir_release(s);
}
"""


@pytest.mark.slow
def test_a_shared_library_of_ipasir_is_recorded(tmp_path: Path, harness: Harness) -> None:
    if which("cc") is None or sys.platform != "linux":
        pytest.skip("needs a C compiler")
    (tmp_path / "solver.c").write_text(SOLVER)
    (tmp_path / "app.c").write_text(APP)
    library, app = tmp_path / "libsolver.so", tmp_path / "app"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "solver.c"], check=True, timeout=60)
    rest = ["-L", str(tmp_path), "-lsolver", f"-Wl,-rpath,{tmp_path}"]
    subprocess.run(["cc", "-o", app, tmp_path / "app.c", *rest], check=True, timeout=60)
    done = harness("record", "--ipasir", "-o", tmp_path / "out", "--", app)
    assert done.code == 0, done.err
    (script,) = (instance.problem.objective for instance in read(tmp_path / "out" / "app-1.trace"))
    assert isinstance(script, QueryScript)
    assert answers(script) == [False, True]
