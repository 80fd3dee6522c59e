"""Integer programs as LP or MPS files: bounded integer columns, rows, and an objective.

A problem of sums over ranges of integers keeps its variables, with their names where the format takes them; any other
is a zero-one program over Booleans x1, x2, ... Columns stand in the order of the variables, terms too: a file that is
read again is the same problem. Neither format has a constant that all readers take: one is a column fixed to 1.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from encoders.formula import Constraints, Unsupported
from encoders.lp import LARGEST, ON_A_LINE
from encoders.opb import maximises, opb_programme
from encoders.zero_one.rows import literal_table
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear, clause_as_row, merged
from puzzles.objectives.linear import LinearObjective
from puzzles.problem.values import Domains

LP_NAME = re.compile(r"(?![eE][0-9.])[A-Za-z_][A-Za-z0-9_.#]{0,99}")
MPS_NAME = re.compile(r"[!-)+-~][!-~]{0,99}")
RESERVED = re.compile(
    r"max(imi[zs]e|imum)?|min(imi[zs]e|imum)?|st|s\.t\.|st\.|bounds?|general?s?|gens?|integers?|int|binar(y|ies)|bins?"
    r"|semis?|sos[12]?|pwlobj|end|free|inf(inity)?"
)
ONE = "constant_one"  # it may be the name of a variable too: then no name is kept
KINDS = {"<=": "L", ">=": "G", "=": "E"}
ProgramRow = tuple[list[tuple[int, int]], str, int]  # coefficients with columns, comparison, bound


class IntegerProgram(NamedTuple):
    """Columns with their bounds, rows, and terms to be minimised, or maximised; `own`: columns are the variables."""

    names: list[str]
    bounds: list[tuple[int, int]]
    rows: list[ProgramRow]
    goal: list[tuple[int, int]]
    maximise: bool
    own: bool


def integer_program(form: Constraints, domains: Domains, names: re.Pattern[str] | None) -> IntegerProgram:
    """Return a problem as an integer program; names that do not match are x1, x2, ... Raises Unsupported."""
    bounds = [interval(form, domain) for domain in domains]
    own = has_own_columns(form, domains)
    found = own_columns(form, [b for b in bounds if b]) if own else zero_one(form, domains)
    usable = names is not None and found.own and len({*form.names, ONE}) == len(domains) + 1
    if usable and names and all(names.fullmatch(n) and not RESERVED.fullmatch(n.lower()) for n in form.names):
        found.names[: len(domains)] = form.names
    for terms, bound in [(found.goal, 0), *((terms, bound) for terms, _, bound in found.rows)]:
        largest = sum(abs(a) * max(1, *map(abs, found.bounds[x])) for a, x in terms) + abs(bound)
        if largest > LARGEST:
            raise Unsupported("LP and MPS take no sums above 2^53, since their readers compute with floats")
    return found


def has_own_columns(form: Constraints, domains: Domains) -> bool:
    """Return True if constraints are rows, or clauses of 0 and 1, the objective is a sum, and domains have no gaps."""
    if not all(interval(form, domain) for domain in set(domains)):
        return False
    sums = all(isinstance(part, Linear | Clauses) for part in form.constraints)
    clauses = [np.unique(np.abs(part.flat)) for part in form.constraints if isinstance(part, Clauses)]
    stated = {domains[k - 1] for part in clauses for k in part.tolist() if k}  # of variables that clauses name
    if any(not set(interval(form, domain) or ()) <= {0, 1} for domain in stated):
        return False
    unequal = any(row[2] == "!=" for part in form.constraints if isinstance(part, Linear) for row in part.rows)
    return sums and not unequal and (form.objective is None or isinstance(form.objective, LinearObjective))


def interval(form: Constraints, domain: int) -> tuple[int, int] | None:
    """Return the bounds of a domain, None if it has gaps or no numbers."""
    numbers = form.members(domain)
    whole = len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1
    return (numbers[0], numbers[-1]) if whole else None


def own_columns(form: Constraints, bounds: list[tuple[int, int]]) -> IntegerProgram:
    """Return the program whose columns are the variables."""
    goal, names = form.objective, [f"x{x + 1}" for x in range(len(bounds))]
    terms = list[tuple[int, int]]()
    if isinstance(goal, LinearObjective):
        sign = -1 if goal.maximise else 1
        terms = by_column((sign * a, x) for a, x in goal.terms)
        if goal.offset:
            terms.append((sign * goal.offset, len(names)))
            names, bounds = [*names, ONE], [*bounds, (1, 1)]
    return IntegerProgram(names, bounds, [*own_rows(form)], terms, maximises(form), own=True)


def own_rows(form: Constraints) -> Iterator[ProgramRow]:
    """Yield the rows of a problem that has columns of its own."""
    for part in form.constraints:
        stated = part.rows if isinstance(part, Linear) else map(clause_as_row, getattr(part, "rows", ()))
        for coefficients, xs, sign, bound in stated:
            yield by_column(zip(coefficients, xs, strict=True)), sign, bound


def by_column(terms: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return terms in the order of their columns, one for each."""
    return [(a, x) for x, a in sorted(merged(terms).items())]


def zero_one(form: Constraints, domains: Domains) -> IntegerProgram:
    """Return the program over Booleans. Raises Unsupported."""
    rows, goal = opb_programme(form, domains, literal_table(form, domains))
    sign, count = -1 if maximises(form) else 1, max(rows.last, 1)
    found = [([(a, k - 1) for k, a in row.terms.items()], "=" if row.equal else ">=", row.bound) for row in rows.rows]
    terms = [(sign * a, k - 1) for k, a in (goal or {}).items()]
    names = [f"x{k}" for k in range(1, count + 1)]
    return IntegerProgram(names, [(0, 1)] * count, found, terms, maximises(form), own=False)


def minimised(program: IntegerProgram) -> IntegerProgram:
    """Return a program that minimises: some readers of MPS ignore a maximum."""
    if not program.maximise:
        return program
    return program._replace(goal=[(-a, x) for a, x in program.goal], maximise=False)


def lp_lines(program: IntegerProgram) -> Iterator[str]:
    """Yield the lines of an LP file."""
    names = program.names
    goal = {x: a for a, x in program.goal}
    yield "Maximize" if program.maximise else "Minimize"
    yield " obj: " + sum_text([(goal.get(x, 0), x) for x in range(len(names))], names)  # all, for their order
    yield "Subject To"
    rows = program.rows or [([(1, 0)], ">=", program.bounds[0][0])] * bool(names)  # some readers need a row
    for i, (terms, sign, bound) in enumerate(rows, 1):
        yield f" c{i}: {sum_text(terms or [(0, 0)], names)} {sign} {bound}"
    yield "Bounds"
    yield from (f" {low} <= {name} <= {high}" for name, (low, high) in zip(names, program.bounds, strict=True))
    yield "Generals"
    yield from (" " + " ".join(names[i : i + ON_A_LINE]) for i in range(0, len(names), ON_A_LINE))
    yield "End"


def sum_text(terms: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    words = [f"{'-' if a < 0 else '+'} {abs(a)} {names[x]}" for a, x in terms]
    return "\n  ".join(" ".join(words[i : i + ON_A_LINE]) for i in range(0, len(words), ON_A_LINE))


def mps_lines(program: IntegerProgram) -> Iterator[str]:
    """Yield the lines of an MPS file in the free format."""
    entries: list[list[tuple[str, int]]] = [[] for _ in program.names]
    for a, x in program.goal:
        entries[x].append(("obj", a))
    for i, (terms, _, _) in enumerate(program.rows, 1):
        for a, x in terms:
            entries[x].append((f"c{i}", a))
    yield "NAME instance"
    yield from ("OBJSENSE", "    MAX") if program.maximise else ()
    yield from ("ROWS", " N obj", *(f" {KINDS[sign]} c{i}" for i, (_, sign, _) in enumerate(program.rows, 1)))
    yield from ("COLUMNS", "    M1 'MARKER' 'INTORG'")
    for name, own in zip(program.names, entries, strict=True):
        yield from (f"    {name} {row} {a}" for row, a in own or [("obj", 0)])
    yield from ("    M2 'MARKER' 'INTEND'", "RHS")
    yield from (f"    rhs c{i} {bound}" for i, (_, _, bound) in enumerate(program.rows, 1) if bound)
    yield "BOUNDS"
    for name, (low, high) in zip(program.names, program.bounds, strict=True):
        yield from (f" LO bnd {name} {low}", f" UP bnd {name} {high}")
    yield "ENDATA"
