"""A finding for a solver's maintainer, who has never heard of us: a .cnf file, or a script on python-sat or ortools."""

import json

from harness.contender import resolve
from harness.errors import BadUsage
from harness.fuzzing.blame import clauses_of
from harness.fuzzing.clausal import Clausal
from harness.fuzzing.finding import Case, Finding
from puzzles.layout import bits

PYSAT = """\
from pysat.solvers import Solver

clauses = {clauses}
with Solver({solver!r}, bootstrap_with=clauses) as solver:
    for _ in range({asks}):
        print(solver.solve())
        model = set(solver.get_model() or ())
        print("breaks", [c for c in clauses if model and not model & set(c)])
"""
ORTOOLS = """\
from ortools.sat.python import cp_model

for domains in {asks}:
    model = cp_model.CpModel()
    x = [model.new_int_var_from_domain(cp_model.Domain.from_values(d), f"x{{i}}") for i, d in enumerate(domains)]
    for unit in {units}:
        model.add_all_different([x[s] for s in unit])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    print(solver.status_name(status))
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        print([solver.value(v) for v in x])
"""


def dimacs(finding: Finding) -> str:
    """What the contender was told of the last ask, as DIMACS. Raises BadUsage where it takes no clauses."""
    clauses = clauses_of(finding.case)
    if clauses is None:
        raise BadUsage(f"{finding.case.contender} takes no clauses: export it --to python")
    lines = [f"c {line}" for line in story(finding)]
    lines.append(f"p cnf {max((abs(x) for c in clauses for x in c), default=0)} {len(clauses)}")
    return "\n".join([*lines, *(" ".join(map(str, (*c, 0))) for c in clauses)]) + "\n"


def python(finding: Finding) -> str:
    """A script that shows it without us. Raises BadUsage where the solver is not one that others can install."""
    case = finding.case
    backend = resolve([case.contender], case.count)[0][0].backend
    base, _, variant = backend.partition(":")
    head = "".join(f"# {line}\n" for line in story(finding))
    if base == "pysat":
        clauses = json.dumps(clauses_of(case))
        return head + PYSAT.format(clauses=clauses, solver=variant or "cadical195", asks=len(case.asks))
    if base == "cpsat" and not isinstance(case.layout, Clausal):
        return head + ORTOOLS.format(asks=values(case), units=json.dumps(case.layout.units))
    raise BadUsage(f"{case.contender} is neither python-sat nor ortools: replay the finding itself")


def values(case: Case) -> list[list[list[int]]]:
    """The values of each square of each ask."""
    return [[list(bits(mask)) for mask in domains] for domains in case.asks]


def story(finding: Finding) -> list[str]:
    """What is wrong, in lines for a comment."""
    where = ", ".join(f"{k} {v}" for k, v in finding.story.get("versions", {}).items() if v)
    return [
        f"{finding.case.contender}: {finding.signature}",
        f"expected: {finding.expected}",
        f"seen: {finding.seen}",
        where,
    ]


EXPORTS = {"dimacs": dimacs, "python": python}
