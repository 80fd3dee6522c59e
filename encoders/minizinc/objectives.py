"""Every kind of objective as MiniZinc text, as its source states it."""

from collections.abc import Callable, Sequence

from encoders.formula import Unsupported
from encoders.minizinc.text import Lines, clause_text, integer, tree_lines
from encoders.rewriting import definitions
from puzzles.constraints import by_kind
from puzzles.constraints.expression import largest
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective


def goal_text(objective: Objective, numbers: Sequence[int], limit: int) -> tuple[str, list[str]]:
    """Return what is to be least, or greatest, and the constraints under which it is defined.

    Raises Unsupported, also for numbers above a limit.
    """
    write = GOALS.get(objective.kind)
    if write is None:
        raise Unsupported(f"MiniZinc takes no objectives of the kind {objective.kind}")
    if reach(objective, max((abs(n) for n in (*numbers[:1], *numbers[-1:])), default=0)) > limit:
        raise Unsupported(f"MiniZinc takes no numbers above {limit}")
    text, needed = write(objective)
    return f"{'maximize' if objective.maximise else 'minimize'} {text}", list(needed)


def linear_goal(objective: LinearObjective) -> tuple[str, Lines]:
    sign = -1 if objective.maximise else 1
    terms = [f"{sign * a}*v{x + 1}" for a, x in objective.terms]
    return f"sum([{', '.join([*terms, str(sign * objective.offset)])}])", iter(())


def soft_goal(objective: SoftClauses) -> tuple[str, Lines]:
    costs = [f"{weight}*bool2int(not ({clause_text(row)}))" for weight, row in objective.rows]
    return f"sum([{', '.join([*costs, '0'])}])", iter(())


def expression_goal(objective: ExpressionObjective) -> tuple[str, Lines]:
    tree = objective.source_tree
    return integer(tree), (line for needed in definitions(tree) for line in tree_lines(needed))


def reach(objective: Objective, most: int) -> float:
    """Return a bound of the sizes of an objective's numbers, where variables are at most `most`."""
    if isinstance(objective, LinearObjective):
        return sum(abs(a) * most for a, _ in objective.terms) + abs(objective.offset)
    if isinstance(objective, SoftClauses):
        return objective.total
    return largest(objective.tree, most) if isinstance(objective, ExpressionObjective) else 0


GOALS: dict[str, Callable[..., tuple[str, Lines]]] = by_kind(globals())
