"""Problems as FlatZinc files with builtins alone: v1, v2, ... are the variables, `objective` the value as it is stated.

Clauses come last, block by block, over a Boolean of each variable.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from backends.flat import flatten
from backends.flat.lowering import TO_SIMPLER_POSTS
from backends.flat.program import FlatProgram, NumberLimits
from backends.programs.fzn.writing import Dialect, FlatZincText
from encoders.clause_text import ClauseStyle, clause_lines, without_clauses
from encoders.formula import Constraints
from puzzles.problem.values import Domains

LARGEST = (1 << 62) - 1  # MiniZinc's own integers, with room for a sum
CLAUSE = ClauseStyle(
    *("constraint bool_clause([", "]);\n", "constraint bool_clause([],[]);\n", "b", "b", ","), split=True, middle="],["
)
GOAL, SHOWN = "objective", " :: output_var"


def flatzinc_blocks(form: Constraints, domains: Domains) -> Iterator[bytes]:
    """Return a FlatZinc file of a problem under these domains block by block. Raises Unsupported."""
    rest, flat = without_clauses(form)
    maximise = form.objective is not None and form.objective.maximise
    program = flatten(rest, NumberLimits("FlatZinc", LARGEST, LARGEST), TO_SIMPLER_POSTS)
    goal = goal_of(program, maximise)
    asked = program.asked(domains)
    written = FlatZincText([domain or (0,) for domain in asked], Dialect())
    if program.refused or not all(asked):
        written.add("int_lin_le", "[1]", f"[{written.new(0, 0)}]", -1)
    else:
        for name, arguments in program.posts:
            getattr(written, name)(*arguments)
    for x in np.unique(np.abs(flat)).tolist():
        if x:
            written.boolean(x - 1)
    solve = "satisfy" if goal is None else f"{'maximize' if maximise else 'minimize'} {GOAL}"
    head = "".join(f"{line};\n" for line in statements(written, len(domains), goal))
    return chain([head.encode()], clause_lines(flat, CLAUSE), [f"solve {solve};\n".encode()])


def goal_of(program: FlatProgram, maximise: bool) -> int | None:
    """Return a variable that takes the value of a solution, as the source states it; None without an objective."""
    if program.goal is None:
        return None
    sign = -1 if maximise else 1
    terms, constant = {x: sign * a for x, a in program.goal.items()}, sign * program.constant_cost
    low, high = program.span(terms)
    made = program.new(low + constant, high + constant)
    program.compare([*terms.items(), (made, -1)], "=", -constant)
    return made


def statements(written: FlatZincText, shown: int, goal: int | None) -> Iterator[str]:
    """Yield the declarations, of which the first variables and the goal are shown, and the constraints."""
    for x, variable in enumerate(written.variables):
        yield f"{variable}{SHOWN}" if x < shown else variable
    yield from (f"var bool: {name}" for name in written.booleans.values())
    if goal is not None:
        domain = written.domains[goal]
        yield f"var {domain[0]}..{domain[-1]}: {GOAL}{SHOWN}"
        yield f"constraint int_eq({GOAL},v{goal + 1})"
    yield from (f"constraint {text}" for text in written.constraints)
