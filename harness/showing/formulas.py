"""Formulas, and solutions of any problem, as text; boards are drawn."""

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import fill

from puzzles.boards.board import Board
from puzzles.boards.families import draw
from puzzles.boards.layout import Layout
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Expression
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.errors import plural
from puzzles.labels import label
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Constraint, Problem
from puzzles.problem.declared import assignment, equation
from puzzles.readers.boards.sizes import by_size
from puzzles.readers.boards.stated_family import DRAWN

WIDTH = 78  # width of the lines of a solution
ROWS = ("scopes", "rows", "units", "trees")  # fields of a constraint object that hold many constraints
WORDS = {  # nouns of kinds whose name says too little
    Clauses.kind: "clause",
    Expression.kind: "expression",
    Lex.kind: "lexicographic constraint",
    MinMax.kind: "minimum or maximum constraint",
    NValues.kind: "number-of-values constraint",
}


def solution_text(problem: Problem, solution: Sequence[int]) -> str:
    """Draw a solution of a board; write a solution of a formula as lines `v x1 -x2`, as in competitions."""
    if isinstance(problem, Layout):
        return draw(problem, [problem.values[v] if v < len(problem.values) else "?" for v in solution])
    if isinstance(problem, Board):
        return problem.draw([problem.symbols[v] if v < len(problem.values) else "?" for v in solution])
    words = " ".join(assignments(problem, solution))
    return fill(words, WIDTH, initial_indent="v ", subsequent_indent="v ", break_on_hyphens=False) or "v"


def stated_layout(problem: Problem) -> str:
    """Return the line that states the layout of a drawn board where its size and its walls do not, else ''."""
    if isinstance(problem, Board) and problem.name.partition(" ")[0] in DRAWN:
        loose = len(set(problem.grid.regions)) > sum(map(bool, problem.grid.labels))
        return f"#: {problem.name}\n" if loose else ""
    if not isinstance(problem, Layout) or problem.name.partition(" ")[0] in ("colouring", "jigsaw"):
        return ""
    guessed = by_size(len(problem.squares), None)
    return "" if guessed is not None and guessed.name == problem.name else f"#: {problem.name}\n"


def assignments(problem: Problem, solution: Sequence[int]) -> Iterator[str]:
    """Yield each name with its value: x1 or -x1 if all variables are Boolean, else x1=3; x1=? without a value.

    A set is {1,3}, and an option that is absent <>, as MiniZinc writes them.
    """
    values, boolean = problem.values, problem.values == BOOLEAN and not problem.declared
    if max(solution, default=0) >= len(values):
        pairs = zip(problem.variables, solution, strict=True)
        yield from (f"{x}={values[v] if v < len(values) else '?'}" for x, v in pairs)
        return
    for name, value in assignment(problem, solution):
        yield ("-", "")[value] + name if boolean else equation(name, value)


def description(problem: Problem) -> str:
    """Return the kind of an instance, its size, and its constraints by kind; or why it was not read."""
    if parts := unsupported_parts(problem):
        return f"{label(problem)}, not supported: {parts}"
    sizes = Counter[str]()
    for constraint in problem.constraints:
        sizes[constraint.kind] += size(constraint)
    variables = plural(len(problem.variables), "variable")
    if problem.values != BOOLEAN and problem.values:
        variables += f" between {problem.values[0]} and {problem.values[-1]}"
    soft = [plural(len(goal), "soft clause")] if isinstance(goal := problem.objective, SoftClauses) else []
    return ", ".join([label(problem), variables, *(plural(n, words(kind)) for kind, n in sizes.items()), *soft])


def goal_text(problem: Problem) -> str:
    """Return the objective in words, as the source states it; '' without one."""
    goal = problem.objective
    return "" if goal is None else f"{'maximise' if goal.maximise else 'minimise'} {goal.words(problem)}"


def size(constraint: Constraint) -> int:
    """Return the number of constraints that one object holds."""
    if isinstance(constraint, Clauses):
        return int((constraint.flat == 0).sum())
    if isinstance(constraint, Linear):
        return len(constraint)
    rows = next((getattr(constraint, name) for name in ROWS if hasattr(constraint, name)), (constraint,))
    return len(rows)


def words(kind: str) -> str:
    """Return the noun for a constraint of a kind."""
    return WORDS.get(kind, f"{kind.replace('_', '-')} constraint")
