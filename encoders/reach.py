"""Greatest numbers that a problem makes a solver compute with, from the bounds of its variables."""

from encoders.formula import Constraints, Unsupported
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, largest, variables_of
from puzzles.constraints.linear import Linear
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table


def refuse_beyond(form: Constraints, most: int, reader: str) -> None:
    """Raise Unsupported if a problem over ranges makes its reader compute with larger numbers."""
    if form.ranged and (size := reach(form)) > most:
        raise Unsupported(f"{reader} does not support numbers above {most:,}, such as {size:g}")


def reach(form: Constraints) -> float:
    """Return a size that no variable, stated number, sum or part of an expression exceeds; it may be infinite."""
    sizes = [max(-low, high) for low, high in form.ends()]
    most = max(sizes, default=0)
    found = [float(most)]
    for part in form.constraints:
        if isinstance(part, Linear):
            for coefficients, xs, _, bound in part.rows:
                found.append(abs(bound) + sum(abs(a) * sizes[x] for a, x in zip(coefficients, xs, strict=True)))
        elif isinstance(part, Count | Cardinality | NValues):
            found += [abs(n) for row in part.rows for n in row[1]]
        elif isinstance(part, Circuit):
            found += [abs(row[1]) + len(row[0]) for row in part.rows]
        elif isinstance(part, Element):
            found += [abs(row[2]) + len(row[0]) for row in part.rows]
        elif isinstance(part, Table):
            found += [abs(n) for n in set(part.tuples.tolist()) - {STAR}]
        elif isinstance(part, Automaton):
            found += [abs(n) for _, n, _ in part.transitions]
        elif isinstance(part, Cumulative):
            found += [most * max(2, len(row[0])) for row in part.rows]
        elif isinstance(part, Expression):
            found += [largest(tree, max((sizes[x] for x in variables_of(tree)), default=0)) for tree in part.trees]
    return max(found)
