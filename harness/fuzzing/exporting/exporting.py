"""Export a finding for a solver's maintainers: a file of a standard format, a script, or a shell command."""

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from backends.programs.lines import to_line as board_line
from backends.shared.literal_map import literal_map
from encoders import dimacs as cnf_file
from encoders.formula import Cnf, Text, Unsupported
from encoders.registry import encoding
from harness.fuzzing.clausal import clauses_of_problem
from harness.fuzzing.exporting import packages
from harness.fuzzing.exporting.scripts import ortools, pysat
from harness.fuzzing.findings.finding import Case, Finding
from harness.fuzzing.ground_formulas import extend_to_model, formula_of, ground, unit_clauses
from harness.fuzzing.round_judge import SHOWN
from harness.fuzzing.trial import truth
from harness.model.errors import BadUsage
from harness.model.patterns import parse
from harness.reporting.formats.instance_files import ENCODING, instance_text
from harness.reporting.writing.printable import printable
from puzzles.boards.layout import Layout
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.table import Table
from puzzles.errors import plural
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Solution

REPLAY = "replay the finding itself"
OTHERS = {
    "cpsat": "export it --to python",
    "pysat": "export it --to dimacs or python",
    "dimacs": "export it --to dimacs",
    "lines": "export it --to line",
}


def to_dimacs(finding: Finding) -> str:
    """Return the formula of the last ask as DIMACS. Raises BadUsage if the contender takes no clauses."""
    case = finding.case
    formula = formula_of(case, case.asks[-1])
    if not isinstance(formula, Cnf):
        raise BadUsage(f"{case.contender} takes no clauses: {OTHERS.get(base_of(case), REPLAY)}")
    if formula.at_most:
        raise BadUsage(f"{case.contender} takes cardinality constraints, which DIMACS lacks: export it --to python")
    blocked, source = blocked_solutions(finding)
    lines = [*summary(finding), *variable_lines(finding, formula)]
    models = [
        model
        for model, solution in zip(known_models(case), known_solutions(case), strict=False)
        if solution not in blocked
    ]
    if blocked:
        still = "; the formula is still satisfiable" if models else ""
        lines.append(f"{plural(len(blocked), 'clause')} after the givens forbid {source}{still}")
    lines += [f"a model of it: {' '.join(map(str, model))} 0" for model in models[:1]]
    own = (*unit_clauses(formula, case.asks[-1]), *map(literal_map(formula.literal).forbid, blocked))
    return cnf_file.dimacs(formula, cnf_file.body(formula), own, lines).decode()


def blocked_solutions(finding: Finding) -> tuple[list[Solution], str]:
    """Return the solutions that are forbidden in the search that fails, and where they come from.

    They are those that the solver showed before, if the finding has them, else as many known ones.
    """
    case = finding.case
    if shown := shown_solutions(finding):
        return shown, "the solutions that it showed"
    if finding.signature != "too few":
        return [], ""
    number = re.search(r"with (\d+) solution", finding.seen)
    return known_solutions(case)[: int(number[1]) if number else 0], "as many solutions as it showed"


def shown_solutions(finding: Finding) -> list[Solution]:
    """Return the solutions that a finding records as shown, up to the first one that is wrong or shown again."""
    case, found = finding.case, list[Solution]()
    entry = finding.provenance.get(SHOWN)
    for shown in entry if isinstance(entry, list) else ():
        row = tuple(shown) if isinstance(shown, list) else ()
        fits = len(row) == len(case.problem.variables) and all(
            type(v) is int and 0 <= v < len(case.problem.values) for v in row
        )
        if not fits or row in found or violations(case.problem, case.asks[-1], row):
            break
        found.append(row)
    return found


def to_instance(finding: Finding, to: str) -> str:
    """Return the last ask as a file of a format that `encode` writes. Raises BadUsage if the format can't state it."""
    case = finding.case
    problem = without(case.problem, blocked_solutions(finding)[0])
    instance = Instance(problem.name, problem, case.asks[-1])
    chosen = parse(case.contender).encoding or ENCODING
    makes_clauses = encoding(chosen).formula is Cnf
    try:
        text, _ = instance_text(instance, to, chosen if makes_clauses else ENCODING, [*summary(finding), *asked(case)])
    except Unsupported as e:
        raise BadUsage(str(e)) from None
    return text.decode()


def without(problem: Problem, blocked: list[Solution]) -> Problem:
    """Return a problem that forbids these solutions; a board stays as it is."""
    if not blocked or isinstance(problem, Layout):
        return problem
    rule: Constraint
    if len(problem.values) == 2:
        rule = Clauses.of([[-x if v else x for x, v in enumerate(row, 1)] for row in blocked])
    else:
        rows = [[int(problem.values[v]) for v in row] for row in blocked]
        rule = Table.of([range(len(problem.variables))], rows, positive=False)
    return replace(problem, constraints=(*problem.constraints, rule))


def asked(case: Case) -> list[str]:
    """Return notes on the parts of a case that a file of its last ask can't state."""
    lines = []
    if len(case.asks) > 1:
        lines.append(f"this is the last of {len(case.asks)} asks of one session: it may not fail on its own")
    if case.count > 1:
        lines.append(f"asked for {case.count} solutions: each call after the first forbids those shown before")
    return lines


def variable_lines(finding: Finding, formula: Cnf) -> list[str]:
    """Describe the variables, and the parts of the case that a DIMACS file can't express."""
    case, problem = finding.case, finding.case.problem
    lines = ["run: SOLVER THIS_FILE; 's SATISFIABLE' and a model that breaks no clause, or 's UNSATISFIABLE', is right"]
    lines += asked(case)
    if clauses_of_problem(problem) is not None:
        return lines
    lines.append(f"each square, and the literals that place {' '.join(problem.values)} there")
    return lines + [f"{s} {' '.join(map(str, row))}" for s, row in zip(problem.variables, formula.literal, strict=True)]


def to_python(finding: Finding) -> str:
    """Return a script that asks without Crosscheck: all asks of python-sat and of boards of ortools, else the last one.

    The script exits with 1 while the failure remains. Raises BadUsage for contenders without a package or program.
    """
    case = finding.case
    base = base_of(case)
    if base == "pysat" and case.problem.objective is None:
        text = pysat(finding, known_models(case))
    elif base == "cpsat" and isinstance(case.problem, Layout):
        text = ortools(finding, known_solutions(case))
    elif base in packages.SCRIPTS:
        text = packages.script(finding, known_solutions(case))
    else:
        raise BadUsage(
            f"no script for {case.contender}: {OTHERS.get(base, REPLAY)}, or export its instance, as --to opb"
        )
    return "".join(f"# {line}".rstrip() + "\n" for line in summary(finding)) + text


def to_line(finding: Finding) -> str:
    """Return a shell command that pipes the boards into the program. Raises BadUsage for other contenders.

    The program is the command of the finding's origin, which is only shown, or its name. A `:batch` program reads all
    asks at once; others read one line, so that only the last ask matters.
    """
    case = finding.case
    formula = formula_of(case, case.asks[-1])
    if not isinstance(formula, Text):
        raise BadUsage(f"{case.contender} reads no lines: {OTHERS.get(base_of(case), REPLAY)}")
    name, *batch = parse(case.contender).backend.split(":")[1:]
    programs = {n: printable(c) for n, _, c in (p.partition("=") for p in finding.provenance.get("program", ()))}
    boards = [board_line(formula, domains) for domains in (case.asks if batch else case.asks[-1:])]
    lines = [*summary(finding), "right are a solution, 'unsatisfiable' or 'unknown', one line for each board"]
    echo = f"echo {shlex.quote(boards[0])}" if len(boards) == 1 else shlex.join(["printf", r"%s\n", *boards])
    return "".join(f"# {line}".rstrip() + "\n" for line in lines) + f"{echo} | {programs.get(name, name)}\n"


def base_of(case: Case) -> str:
    """Return the base name of the contender's backend."""
    return parse(case.contender).backend.partition(":")[0]


def known_solutions(case: Case) -> list[Solution]:
    """Return solutions of the last ask, up to one more than the case's count: enough to refute "no more"."""
    every = dict.fromkeys((*truth(case, case.asks[-1]).solutions, *case.witnesses))
    return list(every)[: case.count + 1]


def known_models(case: Case) -> list[list[int]]:
    """Return the known solutions of the last ask as models of its formula and domains."""
    formula = ground(case)
    assert formula is not None
    found = [extend_to_model(formula, solution).model for solution in known_solutions(case)]
    return [model for model in found if model is not None]


def summary(finding: Finding) -> list[str]:
    """Return the failure, expectation, blame and versions as comment lines."""
    versions = finding.provenance.get("versions", {})
    lines = [
        f"{finding.case.contender}: {finding.signature}",
        f"expected: {finding.expected}",
        f"seen: {finding.seen}",
        *([f"to blame: {finding.blame}"] if finding.blame else []),
        *([", ".join(f"{k} {v}" for k, v in versions.items() if v)] if versions else []),
    ]
    return [printable(line) for line in lines]


EXPORTS: dict[str, Callable[[Finding], str]] = {
    "dimacs": to_dimacs,
    "python": to_python,
    "line": to_line,
    **{to: partial(to_instance, to=to) for to in ("wcnf", "opb", "xcsp3", "mzn", "fzn", "smt2", "lp")},
    "cnf": partial(to_instance, to="dimacs"),
}
