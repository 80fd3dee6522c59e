"""Standalone scripts that reproduce a finding with python-sat or ortools alone: data, then code.

A script repeats the finding's asks, in the same order and in the same way as our backend (cold, warm, or one solver
object per model), prints the answers, and ends with one line: FAILS and exit 1, or "does not fail" and exit 0. It
checks the answers by itself: models that break a clause, and known models that the solver misses. A timeout, a crash
and a memory-out end the script with an exit code other than 0.
"""

from collections.abc import Sequence
from textwrap import indent

from backends.contract.options import shown
from backends.contract.registry import find
from backends.cpsat import PARAMETERS, CpSat
from backends.pysat import SOLVERS, PySat
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Formula
from harness.fuzzing.campaign import PATIENCE
from harness.fuzzing.findings.finding import Finding
from harness.fuzzing.ground_formulas import clause_tuples, contender_of, formula_of, unit_clauses
from puzzles.problem.values import Solution, bits

NOTHING = ((1, -1),)  # given by our backend to solvers that crash on an empty formula
END = """\
print("FAILS: " + wrong[0] if wrong else "does not fail")
sys.exit(bool(wrong))
"""
BREAKS = """\
def breaks(model):  # a set of literals: the clauses and bounds that it violates
    return [c for c in loaded if not model & set(c)] + [a for a in at_most if sum(x in model for x in a[0]) > a[1]]
"""
SEE = """\
model = set(solver.get_model() or ())
true = [x for row in squares for x in row if x in model]
print(f"ask {number}: a model with", *true)
wrong += [f"ask {number}: its model breaks {b}" for b in breaks(model)[:1]]
loaded.append([-x for x in true])
"""
COUNT = """\
missed = [k for k in known if not more and not breaks(set(k))]
wrong += [f"ask {number}: it finds {found} and no more, but this is a model: {k}" for k in missed[:1]]
print(f"ask {number}: {found} found" + ("" if more else ", and no more"))
"""
COLD = """\
for number, (units, clauses, at_most, squares) in enumerate(asks, 1):
    loaded, found, more = units + clauses, 0, True
    with Solver({solver!r}) as solver:
{configure}        solver.append_formula(loaded)
        for literals, k in at_most:
            solver.add_atmost(literals, k)
        while found < count and (more := solver.solve()):
{see}
            found += 1
            if found < count:
                solver.add_clause(loaded[-1])
{counted}
"""
ANEW = """\
for number, (units, clauses, at_most, squares) in enumerate(asks, 1):
    loaded, found, more = units + clauses, 0, True
    while found < count and more:
        with Solver({solver!r}, bootstrap_with=loaded) as solver:
            more = solver.solve()
            if more:
{see}
                loaded.insert(len(units) + found, loaded.pop())  # before the formula
                found += 1
{counted}
"""
WARM = """\
_, clauses, at_most, squares = asks[0]
free = max(abs(x) for c in clauses + squares for x in c)
with Solver({solver!r}) as solver:
{configure}    solver.append_formula(clauses)
    for literals, k in at_most:
        solver.add_atmost(literals, k)
    for number, (units, *_) in enumerate(asks, 1):
        loaded, found, more = units + clauses, 0, True
        active = [free + number] if count > 1 else []  # assumed by this ask alone
        while found < count and (more := solver.solve(assumptions=[x for (x,) in units] + active)):
{see}
            found += 1
            if found < count:
                solver.add_clause([-x for x in active] + loaded[-1])
        if active:
            solver.add_clause([-x for x in active])
{counted}
"""


def pysat(finding: Finding, models: Sequence[Sequence[int]]) -> str:
    """Return the script for python-sat; `models` are of the last ask."""
    case = finding.case
    backend = find(contender_of(case).backend)
    assert isinstance(backend, PySat)
    solver = backend.solver
    warm = contender_of(case).warm
    loop, deep, at = (WARM, 12, 8) if warm else (COLD, 12, 4) if SOLVERS[solver].incremental else (ANEW, 16, 4)
    data, names = list[str](), dict[str, str]()
    asks = []
    for domains in case.asks:
        formula = formula_of(case, domains)
        assert isinstance(formula, Cnf)
        parts = {
            "clauses": clause_tuples(formula) or NOTHING,
            "at_most": formula.at_most,
            "squares": tuple(formula.literal),
        }
        for name, part in parts.items():
            text = lists(part)
            if text not in names:
                names[text] = name if name not in names.values() else f"{name}{len(names)}"
                data.append(f"{names[text]} = {text}")
        asks.append(
            ", ".join([lists(unit_clauses(formula, domains)), *(names[lists(part)] for part in parts.values())])
        )
    data.append("asks = [  # the domains as clauses, the formula, and the literals of each square's values")
    data += [*(f"    ({ask})," for ask in asks), "]"]
    data.append(f"known = {lists(models)}  # models of the last ask, which breaks() checks")
    calls = "".join(f"solver.configure({{{name!r}: {value!r}}})\n" for name, value in backend.chosen.items())
    body = loop.format(
        solver=solver,
        configure=indent(calls, " " * (4 if warm else 8)),
        see=indent(SEE, " " * deep).rstrip(),
        counted=indent(COUNT, " " * at).rstrip(),
    )
    return "\n".join([*head(finding, "from pysat.solvers import Solver"), "", *data, "", "", BREAKS, "", body + END])


KEEP = """\
class Keep(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        found.append(read(self.value))
        if len(found) >= count:
            self.stop_search()
"""
ASK = """\
for number, domains in enumerate(asks, 1):
    model, found = cp_model.CpModel(), []
{model}
    solver = cp_model.CpSolver()
{parameters}
    status = solver.solve(model{callback})
{read}
    print(f"ask {{number}}: {{solver.status_name(status)}}, {{len(found)}} found", *found, sep="\\n  ")
    wrong += [f"ask {{number}}: its solution breaks {{b}}" for s in found for b in breaks(s)[:1]]
    wrong += [f"ask {{number}}: a solution is found twice" for s in found if found.count(s) > 1]
    ended = status == cp_model.INFEASIBLE or (count > 1 and status == cp_model.OPTIMAL)
    missed = [k for k in known if ended and k not in found and not breaks(k)]
    wrong += [f"ask {{number}}: it finds {{len(found)}} and no more, but this is a solution: {{k}}" for k in missed[:1]]
    wrong += [f"ask {{number}}: no answer"] if not ended and len(found) < count else []
"""
ONE = """\
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found.append(read(solver.value))"""
RULES = """\
def breaks(solution):  # a value per square: the units with equal values, and the squares outside their domain
    equal = [u for u in units if len({solution[s] for s in u}) < len(u)]
    return equal + [(s,) for s, v in enumerate(solution) if v not in domains[s]]
"""
INTEGERS = """\
x = [model.new_int_var_from_domain(cp_model.Domain.from_values(d), "") for d in domains]
for unit in units:
    model.add_all_different([x[s] for s in unit])
"""
CANDIDATES = """\
y = [[model.new_int_var(int(d == [v]), int(v in d), "") for v in range(values)] for d in domains]
candidates = [b for row in y for b in row]
for group in exactly_one:
    model.add_exactly_one([candidates[p] for p in group])
for group in at_most_one:
    model.add_at_most_one([candidates[p] for p in group])
"""
CHANNEL = """\
for s, row in enumerate(y):
    for v, b in enumerate(row):
        model.add(x[s] == v).only_enforce_if(b)
        model.add(x[s] != v).only_enforce_if(~b)
"""
MODELS: dict[type, str] = {AllDifferent: INTEGERS, Booleans: CANDIDATES, Channelled: INTEGERS + CANDIDATES + CHANNEL}


def ortools(finding: Finding, solutions: Sequence[Solution]) -> str:
    """Return the script for CP-SAT; `solutions` are of the last ask. Skip boards with an empty domain."""
    case = finding.case
    formula = formula_of(case, case.asks[-1])
    boards = [[list(bits(mask)) for mask in domains] for domains in case.asks if all(domains)]
    data = [f"units = {lists(case.layout.units)}"]
    groups = formula.booleans if isinstance(formula, Channelled) else formula
    if isinstance(groups, Booleans):
        data += [f"values = {groups.values}", f"exactly_one = {lists(groups.exactly_one)}"]
        data.append(f"at_most_one = {lists(groups.at_most_one)}")
    data += ["asks = [  # the values that each square may take", *(f"    {lists(board)}," for board in boards), "]"]
    data.append(f"known = {lists(solutions)}  # solutions of the last ask, which breaks() checks")
    backend = find(contender_of(case).backend)
    assert isinstance(backend, CpSat)
    settings = PARAMETERS | {"max_time_in_seconds": case.seconds, "enumerate_all_solutions": case.count > 1}
    lines = [f"{name} = {value}" for name, value in settings.items()]
    lines += [f'merge_text_format("{name}: {shown(value)}")' for name, value in backend.chosen.items()]
    body = ASK.format(
        model=indent(MODELS[type(formula)], " " * 4).rstrip(),
        parameters="\n".join(f"    solver.parameters.{setting}" for setting in lines),
        callback=", Keep()" if case.count > 1 else "",
        read="" if case.count > 1 else ONE,
    )
    return "\n".join(
        [*head(finding, "from ortools.sat.python import cp_model"), "", *data, "", "", RULES, "", reader(formula), ""]
        + ([KEEP, ""] if case.count > 1 else [])
        + [body + END]
    )


def reader(formula: Formula) -> str:
    """Return the function of the script that reads a solution from the variables."""
    if isinstance(formula, Booleans):
        lines = "return [next((v for v, b in enumerate(row) if value(b)), None) for row in y]"
    else:
        lines = "return [value(v) for v in x]"
    return f"def read(value):\n    {lines}\n"


def head(finding: Finding, imports: str) -> list[str]:
    """Return imports and the limits that reproduce the failure."""
    case = finding.case
    lines = ["import sys"]
    limits = []
    if finding.signature == "timeout":
        lines.insert(0, "import faulthandler")
        limits = [
            f"faulthandler.dump_traceback_later({PATIENCE * case.seconds * len(case.asks):g}, exit=True)  # exits 1"
        ]
    if finding.signature == "memory" and case.memory:
        lines.insert(0, "import resource")
        limits = [f"resource.setrlimit(resource.RLIMIT_DATA, ({case.memory}, {case.memory}))"]
    return [*lines, "", imports, "", *limits, f"count = {case.count}", "wrong = []"]


def lists(things: object) -> str:
    """Format nested tuples as Python lists."""
    return repr(things).replace(",)", "]").replace("(", "[").replace(")", "]")
