"""A finding for a solver's maintainer, who has never heard of us: a .cnf file, or a script on python-sat or ortools."""

from encoders import dimacs as cnf_file
from encoders.formula import Cnf
from harness.fuzzing.clausal import rows_of
from harness.fuzzing.finding import Case, Finding, on_a_line
from harness.fuzzing.ground_formulas import contender_of, extended, formula_of, placed, units_of
from harness.fuzzing.scripts import ortools, pysat
from harness.fuzzing.trial import truth
from harness.model.errors import BadUsage
from puzzles.problem import Solution


def dimacs(finding: Finding) -> str:
    """What the contender was told of the last ask, as DIMACS. Raises BadUsage where that is not clauses."""
    case = finding.case
    formula = formula_of(case, case.asks[-1])
    if not isinstance(formula, Cnf):
        other = "export it --to python" if contender_of(case).backend == "cpsat" else "replay the finding itself"
        raise BadUsage(f"{case.contender} takes no clauses: {other}")
    if formula.at_most:
        raise BadUsage(f"{case.contender} is told cardinality constraints, which DIMACS lacks: export it --to python")
    lines = [*story(finding), *numbering(finding, formula)]
    lines += [f"a model of it: {' '.join(map(str, model))} 0" for model in models_of(case)[:1]]
    return cnf_file.dimacs(formula, cnf_file.body(formula), units_of(formula, case.asks[-1]), lines).decode()


def numbering(finding: Finding, formula: Cnf) -> list[str]:
    """What the variables mean, and what of the case a file of clauses can't hold."""
    case, problem = finding.case, finding.case.problem
    lines = ["run: SOLVER THIS_FILE; 's SATISFIABLE' and a model that breaks no clause, or 's UNSATISFIABLE', is right"]
    if len(case.asks) > 1:
        lines.append(f"this is the last of {len(case.asks)} asks of one session: it may not fail alone")
    if case.count > 1:
        lines.append(f"asked for {case.count} models that differ on the literals below, each forbidden by a clause")
    if rows_of(problem) is not None:
        return lines
    lines.append(f"each square, and the literals that place {' '.join(problem.values)} there")
    return lines + [f"{s} {' '.join(map(str, row))}" for s, row in zip(problem.variables, formula.literal, strict=True)]


def python(finding: Finding) -> str:
    """A script that asks the same without us; it exits 1 while it fails. Raises BadUsage where there is no such."""
    case = finding.case
    base, _, variant = contender_of(case).backend.partition(":")
    if base == "pysat":
        script = pysat(finding, variant, models_of(case))
    elif base == "cpsat":
        script = ortools(finding, solutions(case))
    elif isinstance(formula_of(case, case.asks[-1]), Cnf):
        raise BadUsage(f"{case.contender} is neither python-sat nor ortools: export it --to dimacs")
    else:
        raise BadUsage(f"{case.contender} is neither python-sat nor ortools: replay the finding itself")
    return "".join(f"# {line}".rstrip() + "\n" for line in story(finding)) + script


def solutions(case: Case) -> list[Solution]:
    """Right solutions of the last ask, enough of them to refute who says that there are fewer than were asked for."""
    every = dict.fromkeys((*truth(case, case.asks[-1]).solutions, *case.witnesses))
    return list(every)[: case.count + 1]


def models_of(case: Case) -> list[list[int]]:
    """The same as models of all that a CNF contender is told of the last ask."""
    formula = placed(case)
    assert formula is not None
    found = [extended(formula, solution).model for solution in solutions(case)]
    return [model for model in found if model is not None]


def story(finding: Finding) -> list[str]:
    """What is wrong, in lines for a comment."""
    versions = finding.story.get("versions", {})
    lines = [
        f"{finding.case.contender}: {finding.signature}",
        f"expected: {finding.expected}",
        f"seen: {finding.seen}",
        *([f"to blame: {finding.blame}"] if finding.blame else []),
        *([", ".join(f"{k} {v}" for k, v in versions.items() if v)] if versions else []),
    ]
    return [on_a_line(line) for line in lines]


EXPORTS = {"dimacs": dimacs, "python": python}
