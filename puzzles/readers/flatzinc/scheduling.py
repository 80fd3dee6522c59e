"""Global constraints on tasks, boxes and circuits: cumulative, disjunctive, diffn, circuit, subcircuit.

In the strict forms a box with a length of 0 still has a position, which must not be inside another.
"""

from collections.abc import Sequence

from puzzles.constraints.circuit import Circuit
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.readers.building import united
from puzzles.readers.flatzinc.arguments import Arguments, same_length
from puzzles.readers.flatzinc.builtins import Post
from puzzles.readers.flatzinc.document import Value
from puzzles.readers.refusal import Refusal


def add_cumulative(at: Arguments, args: Sequence[Value]) -> None:
    parts = [at.operands(part) for part in args[:3]]
    same_length("cumulative", *parts)
    starts, durations, heights = map(at.model.variables, parts)
    at.model.add(Cumulative, (starts, durations, heights, at.model.variable(at.operand(args[3]))))


def add_disjunctive(at: Arguments, args: Sequence[Value]) -> None:
    """Add tasks that do not overlap; a task without duration takes no time."""
    starts, durations = map(at.operands, args)
    same_length("disjunctive", starts, durations)
    one = at.model.constant(1)
    row = at.model.variables(starts), at.model.variables(durations), (one,) * len(starts), one
    at.model.add(Cumulative, row)


def boxes(ignored: bool) -> Post:
    """Return the function that adds boxes, whose origins come first, then their lengths, a list for each dimension."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        parts = [at.operands(part) for part in args]
        same_length("diffn", *parts)
        half = len(parts) // 2
        if any(at.model.ends(length)[0] < 0 for part in parts[half:] for length in part):
            raise Refusal(["boxes with a length below 0"])
        columns = [at.model.variables(part) for part in parts]
        corners, sizes = (tuple(zip(*side, strict=True)) for side in (columns[:half], columns[half:]))
        at.model.add(NoOverlap, (corners, sizes, ignored))

    return post


def circuit(whole: bool) -> Post:
    """Return the function that adds a circuit of successors: of all nodes, or of those that have another successor."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        operands = at.operands(args[0])
        first = at.number(args[1]) if len(args) > 1 else 1
        for operand in operands:
            at.model.restrict(operand, united([(first, first + len(operands) - 1)]))
        if len(operands) < 2:
            return
        sign, size = ("=", len(operands)) if whole else (">=", 0)
        at.model.add(Circuit, (at.model.variables(operands), first, sign, at.model.constant(size)))

    return post


SCHEDULING: dict[str, tuple[int, Post]] = {  # number of arguments and function of each constraint
    "cumulative": (4, add_cumulative),
    "disjunctive": (2, add_disjunctive),
    "disjunctive_strict": (2, boxes(ignored=False)),
    "diffn": (4, boxes(ignored=False)),
    "diffn_nonstrict": (4, boxes(ignored=True)),
    "circuit": (1, circuit(whole=True)),
    "crosscheck_circuit": (2, circuit(whole=True)),
    "subcircuit": (1, circuit(whole=False)),
    "crosscheck_subcircuit": (2, circuit(whole=False)),
}
