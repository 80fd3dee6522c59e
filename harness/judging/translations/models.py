"""Translations that state constraints over more variables, as models: clauses, rows, tables, flat programs and files.

Files that programs read are read back by our readers, which share no code with what wrote them.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from backends.contract.options import base_of
from backends.flat import flatten
from backends.flat.lowering import TO_SIMPLER_POSTS
from backends.flat.program import NumberLimits
from backends.flat.tables import TO_TABLES
from backends.native.lazy.lowering import rewritten
from backends.shared.integer_columns import ColumnMap, column_rows
from encoders import direct
from encoders.cnf import BitTable
from encoders.formula import Booleans, Channelled, Cnf, Constraints, Wcnf
from encoders.integer_program import has_own_columns
from encoders.minizinc import minizinc
from encoders.registry import refuse_unread
from encoders.xcsp3 import xcsp3
from encoders.zero_one import programme_of
from encoders.zero_one.rows import Row, Terms, literal_table
from harness.judging.translations.extending import Domain, Model
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.expression import OPERATOR_OF, Expression, Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import Table
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Constraint, Instance
from puzzles.problem.values import WORD, Domains, Solution
from puzzles.readers.minizinc import read_minizinc
from puzzles.readers.source import from_text
from puzzles.readers.xcsp3 import read_xcsp3

BOOLEAN: Domain = (0, 1)
UNLIMITED = NumberLimits("", 1 << 300, 1 << 300)
LOWERED = {
    "pumpkin": TO_SIMPLER_POSTS,
    "toulbar2": TO_TABLES,
    "fzn": TO_SIMPLER_POSTS,
}  # posts that the solvers of a base lack


def placed(literals: Sequence[Sequence[int]], solution: Solution) -> dict[int, int]:
    """Return the Booleans that a solution makes true or false: variables of clauses and rows, from 0."""
    given: dict[int, int] = {}
    if isinstance(literals, BitTable):
        return {abs(k) - 1: int(k > 0) for k in literals.stated(solution)}
    for row, v in zip(literals, solution, strict=True):
        for value, literal in enumerate(row):
            if literal:
                given[abs(literal) - 1] = int((value == v) == (literal > 0))
    return given


def of_clauses(
    backend: str, formula: Cnf | Wcnf | Booleans | Channelled, domains: Domains, solution: Solution
) -> Model:
    """Return clauses; a false soft clause makes a variable of the goal true."""
    if isinstance(formula, Channelled):
        formula = formula.booleans
    if isinstance(formula, Booleans):
        literals = [range(1 + s * formula.values, 1 + (s + 1) * formula.values) for s in range(formula.squares)]
        groups = [(formula.exactly_one, "="), (formula.at_most_one, "<=")]
        rows = [([1] * len(group), group, sign, 1) for some, sign in groups for group in some]
        return Model([BOOLEAN] * (formula.squares * formula.values), [Linear.of(rows)], placed(literals, solution))
    hard = formula.hard if isinstance(formula, Wcnf) else formula
    soft = formula.soft_rows() if isinstance(formula, Wcnf) else []
    last = hard.variables
    clauses = [*hard.clause_lists(), *([*row, last + i] for i, (_, row) in enumerate(soft, 1))]
    at_most = [
        ([1 if k > 0 else -1 for k in group], [abs(k) - 1 for k in group], "<=", most - sum(k < 0 for k in group))
        for group, most in hard.at_most
    ]
    return Model(
        [BOOLEAN] * (last + len(soft)),
        [Clauses.of(clauses), Linear.of(at_most)],
        placed(hard.literal, solution),
        {last + i: weight for i, (weight, _) in enumerate(soft)} if isinstance(formula, Wcnf) else None,
        formula.offset if isinstance(formula, Wcnf) else 0,
    )


def of_rows(backend: str, form: Constraints, domains: Domains, solution: Solution) -> Model:
    """Return rows of Booleans. A value outside its domain has no Boolean, so no solution has it."""
    if form.ranged and base_of(backend) in ("highs", "scip") and has_own_columns(form, domains):
        columns = column_rows(replace(form, domains=domains))
        given = dict(enumerate(ColumnMap(domains).forbid(solution)))
        wide: list[Domain] = [range(most + 1) for most in columns.upper]
        return model_of_rows(columns.rows, columns.goal, wide, given)
    literals = literal_table(form, domains)
    rows, goal = programme_of(form, domains, literals)
    if form.ranged:
        outside = any(not mask & WORD <= v < mask >> 64 for mask, v in zip(domains, solution, strict=True))
    else:
        outside = any(not row[v] for row, v in zip(literals, solution, strict=True))
    booleans: list[Domain] = [() if outside else BOOLEAN] * max(rows.last, 1)
    return model_of_rows(rows.rows, goal, booleans, placed(literals, solution))


def model_of_rows(rows: Sequence[Row], goal: Terms | None, domains: list[Domain], given: dict[int, int]) -> Model:
    linear = [([*r.terms.values()], [k - 1 for k in r.terms], "=" if r.equal else ">=", r.bound) for r in rows]
    terms = None if goal is None else {k - 1: a for k, a in goal.items() if k}
    return Model(domains, [Linear.of(linear)], given, terms, (goal or {}).get(0, 0))


def of_tables(backend: str, form: Constraints, domains: Domains, solution: Solution) -> Model:
    """Return the tables, sums and clauses of native:lazy."""
    given = rewritten(replace(form, domains=domains) if form.ranged else form)
    numbers, goal = numbers_of(form, domains), given.objective
    placed = given_numbers(form, solution)
    for x, (terms, least) in given.digits.items():
        rest = placed[x] - least
        for digit, weight in reversed(terms.items()):
            placed[digit], rest = divmod(rest, weight)
    made = Model([*numbers, *given.more], given.formula.constraints, placed)
    return with_sum(made, goal) if isinstance(goal, LinearObjective) else made


def with_sum(model: Model, objective: LinearObjective) -> Model:
    return model._replace(goal={x: a for a, x in objective.terms}, constant=objective.offset)


def numbers_of(form: Constraints, domains: Domains) -> list[Domain]:
    return [form.members(mask) for mask in domains]


def given_numbers(form: Constraints, solution: Solution) -> dict[int, int]:
    return {x: form.numbers[v] for x, v in enumerate(solution)}


def of_flat(backend: str, form: Constraints, domains: Domains, solution: Solution) -> Model:
    """Return a flat program, as the solver of a base gets it."""
    program = flatten(form, UNLIMITED, LOWERED.get(base_of(backend), {}))
    posts = [POSTS[name](*arguments) for name, arguments in program.posts]
    false = [Clauses.of([[]])] if program.refused else []
    made = [*program.asked(domains)]
    return Model(made, [*false, *posts], given_numbers(form, solution), program.goal, program.constant_cost)


def var(x: int) -> Tree:
    return ("var", x)


def tree(*parts: Any) -> Expression:
    return Expression((parts,))


def total(terms: Mapping[int, int]) -> Tree:
    return ("add", *(("mul", ("number", a), var(x)) for x, a in terms.items()))


def linear(terms: Mapping[int, int], comparison: str, bound: int) -> Constraint:
    """Return a comparison of a sum with a number."""
    strict = {"<": ("<=", -1), ">": (">=", 1)}.get(comparison, (comparison, 0))
    return Linear.of([([*terms.values()], [*terms], strict[0], bound + strict[1])])


POSTS: dict[str, Callable[..., Constraint]] = {  # of `backends/flat/`, as its kinds and lowering post them
    "linear": linear,
    "reified": lambda p, terms, sign, bound: tree("eq", var(p), (OPERATOR_OF[sign], total(terms), ("number", bound))),
    "at_least": lambda terms, least: linear(terms, ">=", least),
    "clause": lambda literals: Clauses.of([literals]),
    "all_different": lambda xs: AllDifferent((tuple(xs),)),
    "product": lambda x, y, z: tree("eq", var(z), ("mul", var(x), var(y))),
    "quotient": lambda x, y, z: tree("eq", var(z), ("div", var(x), var(y))),
    "remainder": lambda x, y, z: tree("eq", var(z), ("mod", var(x), var(y))),
    "absolute": lambda x, z: tree("eq", var(z), ("abs", var(x))),
    "extreme": lambda which, xs, z: MinMax(((which, tuple(xs), "=", z),)),
    "table": lambda xs, rows: Table.of([xs], rows),
    "element": lambda items, index, start, value: Element(((tuple(items), index, start, value),)),
    "count": lambda xs, numbers, z: Count(((tuple(xs), tuple(numbers), "=", z),)),
    "distinct": lambda xs, z: NValues(((tuple(xs), (), "=", z),)),
    "cumulative": lambda starts, durations, heights, limit: Cumulative(
        ((tuple(starts), tuple(durations), tuple(heights), limit),)
    ),
    "rectangles": lambda x, y, width, height: NoOverlap(
        ((tuple(zip(x, y, strict=True)), tuple(zip(width, height, strict=True)), False),)
    ),
    "circuit": lambda xs, start, size: Circuit(((tuple(xs), start, "=", size),)),
    "lex": lambda left, right, strict: Lex(((tuple(left), tuple(right), "<" if strict else "<="),)),
    "regular": lambda xs, steps, finals: Automaton((tuple(xs),), tuple(steps), 0, tuple(finals)),
}


def of_instance(read: Instance[Any], given: Mapping[str, int]) -> Model:
    """Return what a reader found in a written file, where variables of these names have these numbers."""
    problem = read.problem
    refuse_unread(problem)
    goal, constraints, form = problem.objective, list(problem.constraints), direct.constraints(problem)
    domains: list[Domain] = [form.members(mask) for mask in read.domains]
    names = {name: x for x, name in enumerate(problem.variables)}
    made = Model(domains, constraints, {names[name]: n for name, n in given.items()})
    if isinstance(goal, LinearObjective):
        return with_sum(made, goal)
    if isinstance(goal, ExpressionObjective):
        low, high = goal.bounds(read.domains, problem)
        constraints.append(tree("eq", var(len(domains)), goal.tree))
        return made._replace(domains=[*domains, range(low, high + 1)], goal={len(domains): 1})
    return made


def of_xcsp3(backend: str, form: Constraints, domains: Domains, solution: Solution) -> Model:
    """Return an XCSP3 file, as it is read."""
    read = read_xcsp3(BytesIO(xcsp3(form, domains)), from_text("", "written"))
    return of_instance(read, {f"v{x + 1}": n for x, n in given_numbers(form, solution).items()})


def of_minizinc(backend: str, form: Constraints, domains: Domains, solution: Solution) -> Model:
    """Return a MiniZinc model with the numbers of a solution, as its compiler flattens it."""
    given = "".join(f"constraint v{x + 1} = {n};\n" for x, n in given_numbers(form, solution).items())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "written.mzn")
        path.write_bytes(minizinc(form, domains) + given.encode())
        return of_instance(read_minizinc(path, from_text("", "written")), {})
