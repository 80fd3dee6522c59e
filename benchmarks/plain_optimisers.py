"""Plain use of packages that optimise: a script of a few lines for each, which solves a WCNF file.

    python benchmarks/plain_optimisers.py PACKAGE FILE

prints JSON: the CPU seconds before the search, those in all, and the cost; the import of the package is in neither.
Each script reads the file, builds the package's own objects and calls its solver once, without reports.
"""

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

Row = list[int]
Softs = list[tuple[int, Row]]


class Cost(NamedTuple):
    """CPU seconds outside the search, and in all, and the value that was reached."""

    outside: float
    total: float
    value: int


class Package(NamedTuple):
    """Plain use of a package: its contender, the module that it imports, and the function that solves a file."""

    contender: str
    module: str
    solve: Callable[[str], tuple[float, int]]


def read(path: str) -> tuple[int, list[Row], Softs]:
    """Return the number of variables, hard clauses and soft ones of a WCNF file whose hard clauses begin by `h`."""
    hard, soft, last = [], [], 0
    for line in Path(path).read_text().splitlines():
        words = line.split()
        if not words or words[0] == "c":
            continue
        row = [int(word) for word in words[1:-1]]
        last = max(last, *(abs(k) for k in row), 0)
        if words[0] == "h":
            hard.append(row)
        else:
            soft.append((int(words[0]), row))
    return last, hard, soft


def by_rc2(path: str, algorithm: str = "RC2Stratified") -> tuple[float, int]:
    """Solve by RC2 of python-sat; return when the search began, and the cost."""
    from pysat.examples import rc2
    from pysat.formula import WCNF

    with getattr(rc2, algorithm)(WCNF(from_file=path)) as solver:
        began = time.process_time()
        solver.compute()
        return began, solver.cost


def by_lsu(path: str) -> tuple[float, int]:
    from pysat.examples.lsu import LSU
    from pysat.formula import WCNF

    solver = LSU(WCNF(from_file=path), solver="g4")
    began = time.process_time()
    assert solver.solve()
    return began, solver.cost


def by_fm(path: str) -> tuple[float, int]:
    from pysat.examples.fm import FM
    from pysat.formula import WCNF

    solver = FM(WCNF(from_file=path), solver="m22")
    began = time.process_time()
    assert solver.compute()
    return began, solver.cost


def by_cpsat(path: str) -> tuple[float, int]:
    """Solve by CP-SAT with one worker."""
    from ortools.sat.python import cp_model

    last, hard, soft = read(path)
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(last + 1)]
    literals = {k: x[k] if k > 0 else x[-k].negated() for k in range(-last, last + 1) if k}
    for row in hard:
        model.add_bool_or([literals[k] for k in row])
    broken = [model.new_bool_var("") for _ in soft]
    for b, (_, row) in zip(broken, soft, strict=True):
        model.add_bool_or([*(literals[k] for k in row), b])
    model.minimize(sum(weight * b for (weight, _), b in zip(soft, broken, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    began = time.process_time()
    solver.solve(model)
    return began, round(solver.objective_value)


def by_exact(path: str) -> tuple[float, int]:
    from exact import Exact

    last, hard, soft = read(path)
    solver = Exact([("verbosity", "0"), ("seed", "1")])
    names = [f"x{k}" for k in range(last + 1)]
    broken = [f"y{i}" for i in range(len(soft))]
    for name in (*names[1:], *broken):
        solver.addVariable(name)
    solver.setObjective([(weight, b) for (weight, _), b in zip(soft, broken, strict=True)])
    softened = [(row, [b]) for (_, row), b in zip(soft, broken, strict=True)]
    for row, extra in (*((row, list[str]()) for row in hard), *softened):
        terms = [(1 if k > 0 else -1, names[abs(k)]) for k in row] + [(1, b) for b in extra]
        solver.addConstraint(terms, True, 1 - sum(k < 0 for k in row), False, 0)
    began = time.process_time()
    solver.runFull(True, 0)
    return began, int(solver.getBestSoFar())


def by_highs(path: str) -> tuple[float, int]:
    """Solve by HiGHS with one thread and without a gap."""
    import highspy
    import numpy as np

    last, hard, soft = read(path)
    solver = highspy.Highs()
    solver.silent()
    for option, value in (("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.0)):
        solver.setOptionValue(option, value)
    for k in range(last + len(soft)):
        solver.addVar(0, 1)
        solver.changeColIntegrality(k, highspy.HighsVarType.kInteger)
    for i, (weight, _) in enumerate(soft):
        solver.changeColCost(last + i, float(weight))
    rows: list[tuple[Row, Row]] = [(row, []) for row in hard] + [(row, [last + i]) for i, (_, row) in enumerate(soft)]
    for row, extra in rows:
        columns = np.array([abs(k) - 1 for k in row] + extra, np.int32)
        values = np.array([1.0 if k > 0 else -1.0 for k in row] + [1.0 for _ in extra])
        solver.addRow(1.0 - sum(k < 0 for k in row), highspy.kHighsInf, len(columns), columns, values)
    began = time.process_time()
    solver.run()
    return began, round(solver.getInfo().objective_function_value)


def by_scip(path: str) -> tuple[float, int]:
    from pyscipopt import Model, quicksum

    last, hard, soft = read(path)
    solver = Model()
    solver.hideOutput()
    x = [solver.addVar(vtype="B") for _ in range(last)]
    broken = [solver.addVar(vtype="B") for _ in soft]
    literals = {k: x[k - 1] if k > 0 else 1 - x[-k - 1] for k in range(-last, last + 1) if k}
    for row in hard:
        solver.addCons(quicksum(literals[k] for k in row) >= 1)
    for b, (_, row) in zip(broken, soft, strict=True):
        solver.addCons(quicksum(literals[k] for k in row) + b >= 1)
    solver.setObjective(quicksum(weight * b for (weight, _), b in zip(soft, broken, strict=True)))
    began = time.process_time()
    solver.optimize()
    return began, round(solver.getObjVal())


def by_z3(path: str) -> tuple[float, int]:
    """Solve by the optimiser of Z3."""
    import z3

    last, hard, soft = read(path)
    x = z3.Bools(" ".join(f"x{k}" for k in range(last + 1)))
    solver = z3.Optimize()
    for row in hard:
        solver.add(z3.Or([x[k] if k > 0 else z3.Not(x[-k]) for k in row]))
    for weight, row in soft:
        cost = solver.add_soft(z3.Or([x[k] if k > 0 else z3.Not(x[-k]) for k in row]), str(weight))
    began = time.process_time()
    solver.check()
    return began, solver.lower(cost).as_long()


def by_clingo(path: str) -> tuple[float, int]:
    """Solve by clingo, a rule for each clause."""
    import clingo

    last, hard, soft = read(path)
    words = {k: f"not x({k})" if k > 0 else f"x({-k})" for k in range(-last, last + 1) if k}
    lines = [f"{{x(1..{last})}}.", *(f":- {', '.join(words[k] for k in row)}." for row in hard)]
    lines += [f":~ {', '.join(words[k] for k in row)}. [{weight},{i}]" for i, (weight, row) in enumerate(soft)]
    control = clingo.Control(["--models=0", "--opt-mode=opt"])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    began = time.process_time()
    costs: list[int] = []
    control.solve(on_model=lambda model: costs.append(sum(model.cost)))
    return began, costs[-1]


def by_choco(path: str) -> tuple[float, int]:
    from pychoco import Model

    last, hard, soft = read(path)
    model = Model()
    x = [model.boolvar() for _ in range(last)]
    broken = [model.boolvar() for _ in soft]
    softened = [(row, [b]) for (_, row), b in zip(soft, broken, strict=True)]
    for row, extra in (*((row, list[Any]()) for row in hard), *softened):
        model.add_clauses([x[k - 1] for k in row if k > 0] + extra, [x[-k - 1] for k in row if k < 0])
    weights = [weight for weight, _ in soft]
    cost = model.intvar(0, sum(weights))
    model.scalar([*broken, cost], [*weights, -1], "=", 0).post()
    model.set_objective(cost, maximize=False)
    solver = model.get_solver()
    began, value = time.process_time(), -1
    while solver.solve():
        value = cost.get_value()
    return began, value


def by_pumpkin(path: str) -> tuple[float, int]:
    from pumpkin_solver import Model, constraints, optimisation

    last, hard, soft = read(path)
    model = Model(seed=0)
    tag = model.new_constraint_tag()
    x = [model.new_boolean_variable() for _ in range(last)]
    broken = [model.new_boolean_variable() for _ in soft]
    softened = [(row, [b]) for (_, row), b in zip(soft, broken, strict=True)]
    for row, extra in (*((row, list[Any]()) for row in hard), *softened):
        literals = [x[k - 1] if k > 0 else x[-k - 1].negate() for k in row]
        model.add_constraint(constraints.Clause(literals + extra, tag))
    cost = model.new_integer_variable(0, sum(weight for weight, _ in soft))
    terms = [b.as_integer().scaled(weight) for (weight, _), b in zip(soft, broken, strict=True)]
    model.add_constraint(constraints.Equals([*terms, cost.scaled(-1)], 0, tag))
    began = time.process_time()
    result: Any = model.optimise(cost, direction=optimisation.Direction.Minimise)
    return began, result._0.int_value(cost)


def by_toulbar2(path: str) -> tuple[float, int]:
    """Solve by toulbar2, a cost function for each clause."""
    import pytoulbar2

    last, hard, soft = read(path)
    top = 1 + sum(weight for weight, _ in soft)
    network = pytoulbar2.CFN(top)
    for k in range(last):
        network.AddVariable(f"x{k}", range(2))
    for weight, row in (*((top, row) for row in hard), *soft):
        network.AddCompactFunction([abs(k) - 1 for k in row], 0, [[int(k < 0) for k in row]], [weight])
    began = time.process_time()
    found = network.Solve()
    return began, round(found[1])


PLAIN = {
    "rc2": Package("pysat:rc2", "pysat.examples.rc2", lambda path: by_rc2(path, "RC2")),
    "rc2-stratified": Package("pysat:rc2-stratified", "pysat.examples.rc2", by_rc2),
    "lsu": Package("pysat:lsu", "pysat.examples.lsu", by_lsu),
    "fm": Package("pysat:fm", "pysat.examples.fm", by_fm),
    "cpsat": Package("cpsat", "ortools.sat.python.cp_model", by_cpsat),
    "exact": Package("exact", "exact", by_exact),
    "highs": Package("highs", "highspy", by_highs),
    "scip": Package("scip", "pyscipopt", by_scip),
    "z3": Package("z3:int", "z3", by_z3),
    "clingo": Package("clingo", "clingo", by_clingo),
    "choco": Package("choco", "pychoco", by_choco),
    "pumpkin": Package("pumpkin", "pumpkin_solver", by_pumpkin),
    "toulbar2": Package("toulbar2", "pytoulbar2", by_toulbar2),
}


if __name__ == "__main__":
    package = PLAIN[sys.argv[1]]
    import_module(package.module)
    first = time.process_time()
    started, found = package.solve(sys.argv[2])
    ended = time.process_time()
    print(json.dumps(Cost(started - first, ended - first, found)))
