"""Standalone scripts that reproduce a finding with one package alone, or with a program: data, then code.

    cpmpy                  the expressions that our backend posts, as code of CPMpy
    cpsat                  the model that it posts, as text of OR-Tools, for problems other than boards
    z3                     the script that it asserts, of SMT-LIB
    pysat:rc2 and others   the WCNF file, for the algorithm of python-sat
    programs               the file that the program gets

A script asks once, as the last ask of the finding, prints what it gets, and ends with one line: FAILS and exit 1, or
"does not fail" and exit 0. It compares with solutions, and with an objective the least value, that are known.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from backends.contract.registry import find
from backends.cpsat import CpSat
from backends.programs.known_programs import KNOWN
from encoders.direct import constraints
from encoders.formula import OBJECTIVE, Constraints, Unsupported, Wcnf, constraints_of
from encoders.registry import spec
from harness.fuzzing.exporting.cpmpy_code import code
from harness.fuzzing.exporting.package_scripts import (
    BEST,
    CPMPY,
    CPMPY_BEST,
    CPSAT,
    CPSAT_ANY,
    MAXSAT,
    PROGRAM,
    SAT_RIGHT,
    Z3,
    Z3_VALUE,
)
from harness.fuzzing.exporting.scripts import END, head
from harness.fuzzing.findings.finding import Case, Finding
from harness.fuzzing.ground_formulas import contender_of
from harness.fuzzing.round_judge import best_first, values_of
from harness.model.errors import BadUsage
from harness.model.patterns import parse
from harness.reporting.formats.instance_files import ENCODING, instance_text, unit_clauses
from puzzles.objectives import stated
from puzzles.problem import Instance
from puzzles.problem.values import Solution


@dataclass(frozen=True)
class Facts:
    """A finding's last ask: its instance, and known solutions, with an objective the best one with its value."""

    finding: Finding
    instance: Instance[Any]
    known: tuple[Solution, ...]
    best: int | None

    @property
    def case(self) -> Case:
        return self.finding.case

    @property
    def form(self) -> Constraints:
        return constraints(self.instance.problem, self.instance.domains)

    def numbers(self) -> list[list[int]]:
        """Return the known solutions as numbers."""
        return [[self.form.numbers[v] for v in solution] for solution in self.known]


def facts_of(finding: Finding, known: Sequence[Solution]) -> Facts:
    problem = finding.case.problem
    instance = Instance(problem.name, problem, finding.case.asks[-1])
    ordered = best_first(problem, known)
    best = values_of(problem, ordered[:1])[0] if ordered and problem.objective is not None else None
    return Facts(finding, instance, tuple(ordered if problem.objective is None else ordered[:1]), best)


def cpmpy(facts: Facts) -> str:
    """Return a script of CPMpy."""
    from backends.cpmpy import SOLVERS, import_cpmpy
    from backends.cpmpy.model import TO_CPMPY, build
    from backends.cpmpy.objectives import goal_of
    from backends.cpmpy.optimising import WITHOUT_GAPS

    backend = find(parse(facts.case.contender).backend).name
    solver = backend.partition(":")[2]
    try:
        import_cpmpy(highs=solver == "highs")
    except ModuleNotFoundError as e:
        raise BadUsage(f"{backend} is not installed, and writes the script: pip install {e.name}") from None
    form = constraints_of(facts.form, backend, {*TO_CPMPY, OBJECTIVE})
    domains = [form.members(mask) for mask in facts.instance.domains]
    if not all(domains):
        raise BadUsage("a variable has no value, so the solver is not asked: replay the finding itself")
    xs, posted = build(form, domains)
    goal, constant, needed = goal_of(xs, form.objective, backend) if form.objective is not None else (0, 0, [])
    more = auxiliary(xs, [*posted, *needed, *([] if isinstance(goal, int) else [goal])])
    names = {id(x): f"x[{i}]" for i, x in enumerate(xs)} | {id(a): f"a[{i}]" for i, a in enumerate(more)}
    options = {**SOLVERS[solver][1], **(WITHOUT_GAPS.get(solver, {}) if form.objective is not None else {})}
    words = "".join(f", {name}={option!r}" for name, option in options.items())
    variables = [
        f"    cp.intvar({d[0]}, {d[-1]}, name={n!r}),"
        for d, n in zip(domains, facts.case.problem.variables, strict=True)
    ]
    lines = [
        "x = [",
        *variables,
        "]",
        f"a = [{', '.join(f'cp.intvar({a.lb}, {a.ub})' for a in more)}]",
        "def build():",
        "    return cp.Model([",
        *(f"        {code(c, names)}," for c in [*posted, *needed]),
    ]
    minimise = "" if isinstance(goal, int) else f", minimize={code(goal, names)}"
    lines += [f"    ]{minimise})"]
    fresh = f"solver = cp.SolverLookup.get({solver!r}, build())"
    ways = "(True, False)" if solver == "choco" else "(False,)"  # as our backend asks, and as a user of Choco would
    body = CPMPY_BEST if form.objective is not None else CPMPY
    return joined(
        facts,
        "import cpmpy as cp\nfrom cpmpy.expressions.core import BoolVal",
        [*lines, f"constant, best = {constant}, {facts.best}"],
        body.format(fresh=fresh, seconds=facts.case.seconds, options=words, ways=ways),
    )


def auxiliary(xs: Sequence[Any], posted: Sequence[Any]) -> list[Any]:
    """Return the variables of posted expressions that the problem does not have."""
    from cpmpy.transformations.get_variables import get_variables

    own = set(map(id, xs))
    return [x for x in get_variables(posted) if id(x) not in own]


def cpsat(facts: Facts) -> str:
    """Return a script of OR-Tools with the model as text, for a problem of any kind."""
    from backends.cpsat.posting import Posted

    backend = find(contender_of(facts.case).backend)
    assert isinstance(backend, CpSat)
    if not all(facts.instance.domains):
        raise BadUsage("a variable has no value, so the solver is not asked: replay the finding itself")
    form = facts.form
    posted = Posted(form)
    posted.set_domains(facts.instance.domains)
    constant = posted.goal.constant if form.objective is not None else 0
    parameters = {"num_workers": 1, **backend.chosen, "max_time_in_seconds": facts.case.seconds}
    settings = "\n".join(f"solver.parameters.{name} = {value!r}" for name, value in parameters.items())
    data = [f'text = """\\\n{posted.cp.proto}"""', f"constant, best = {constant}, {facts.best}"]
    return joined(
        facts,
        "from ortools.sat.python import cp_model",
        data,
        CPSAT.format(settings=settings, every=facts.case.count > 1) + ("" if form.objective is not None else CPSAT_ANY),
    )


def z3(facts: Facts) -> str:
    """Return a script of Z3 on SMT-LIB."""
    text, _ = instance_text(facts.instance, "smt2")
    script = text.decode().replace("(check-sat)\n(get-model)\n", "")
    goal = facts.instance.problem.objective is not None
    return joined(
        facts,
        "import z3",
        [f'text = """\\\n{script}"""', f"best = {facts.best}"],
        Z3.format(
            kind="Optimize" if goal else "Solver",
            value=Z3_VALUE if goal else "",
            milliseconds=int(1000 * facts.case.seconds),
        ),
    )


ALGORITHMS = {
    "rc2": "from pysat.examples.rc2 import RC2 as Algorithm",
    "rc2-stratified": "from pysat.examples.rc2 import RC2Stratified as Algorithm",
    "fm": "from pysat.examples.fm import FM as Algorithm",
    "lsu": "from pysat.examples.lsu import LSU as Algorithm",
}


def maxsat(facts: Facts) -> str:
    """Return a script of an algorithm of python-sat on soft clauses."""

    named = parse(facts.case.contender)
    algorithm = named.backend.partition(":")[2]
    if algorithm not in ALGORITHMS:
        raise BadUsage(
            f"{facts.case.contender} is Crosscheck's search with a solver of python-sat: export it --to wcnf"
        )
    formula = spec(named.encoding or ENCODING).formula(facts.instance.problem, facts.instance.domains)
    assert isinstance(formula, Wcnf)
    hard = [*unit_clauses(facts.instance, formula.hard), *formula.hard.clause_lists()]
    soft = [(weight, row) for weight, row in formula.soft_rows() if row]
    constant = formula.offset + sum(weight for weight, row in formula.soft_rows() if not row)
    data = [f"hard = {hard}", f"soft = {soft}", f"constant, best = {constant}, {facts.best}"]
    return joined(facts, f"from pysat.formula import WCNF\n{ALGORITHMS[algorithm]}", data, MAXSAT)


ENDINGS = {"dimacs": ("dimacs", "cnf"), "wcnf": ("wcnf", "wcnf"), "opb": ("opb", "opb"), "xcsp3": ("xcsp3", "xcsp3")}


def program(facts: Facts) -> str:
    """Return a script that runs a program on its file; the command is the finding's, which is only shown, or a name."""

    base, name = parse(facts.case.contender).backend.split(":")[:2]
    to, ending = ENDINGS[base]
    recorded = dict(p.partition("=")[::2] for p in facts.finding.provenance.get("program", ()))
    known = KNOWN[name].command.split("|")[-1] if name in KNOWN else name
    encoding = parse(facts.case.contender).encoding or ENCODING
    text, _ = instance_text(facts.instance, to, encoding if base in ("dimacs", "wcnf") else ENCODING)
    goal = facts.instance.problem.objective
    best = facts.best if goal is None or facts.best is None else stated(goal, facts.best)
    data = [f"command = {recorded.get(name, known)!r}", f"text = {text.decode()!r}", f"best = {best}"]
    seconds = facts.case.seconds
    body = PROGRAM.format(ending=ending, seconds=seconds, patience=4 * seconds + 1)
    return joined(facts, "import pathlib\nimport shlex\nimport subprocess\nimport tempfile", data, body)


SCRIPTS: dict[str, Callable[[Facts], str]] = {
    "cpmpy": cpmpy,
    "cpsat": cpsat,
    "z3": z3,
    "pysat": maxsat,
    **dict.fromkeys(ENDINGS, program),
}


def script(finding: Finding, known: Sequence[Solution]) -> str:
    """Return the script of a finding by one of SCRIPTS, without its summary. Raises BadUsage."""
    facts = facts_of(finding, known)
    try:
        return SCRIPTS[parse(finding.case.contender).backend.partition(":")[0]](facts)
    except Unsupported as e:
        raise BadUsage(str(e)) from None


def joined(facts: Facts, imports: str, data: Sequence[str], body: str) -> str:
    """Return a script: imports, limits, data, body and end."""
    checks = "" if "def ask" in body else SAT_RIGHT
    checks += "" if facts.case.problem.objective is None else BEST
    known = f"known = {facts.numbers()}  # solutions, as numbers"
    return "\n".join([*head(facts.finding, imports), "", *data, known, "", body + checks + END])
