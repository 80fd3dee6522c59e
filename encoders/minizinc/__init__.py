"""MiniZinc text of a problem: every kind of constraint and objective, over v1, v2, ... with their own domains."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from encoders.clause_text import ClauseStyle, clause_lines, without_clauses
from encoders.formula import Constraints, Unsupported
from encoders.minizinc.constraints import INCLUDES
from encoders.minizinc.constraints import TO_MINIZINC as TO_MINIZINC
from encoders.minizinc.objectives import goal_text
from encoders.minizinc.text import exists, number_set
from encoders.reach import reach
from puzzles.constraints.cumulative import Cumulative
from puzzles.problem.values import Domains

LARGEST = (1 << 31) - 2  # Gecode's integers
FILE_LARGEST = (1 << 62) - 1  # MiniZinc's own, with room for a sum
CLAUSE = ClauseStyle(
    *("constraint ", ";\n", "constraint false;\n", "v", "v", " \\/ "), after_true=" = 1", after_false=" != 1"
)


def minizinc(form: Constraints, domains: Domains, forbidden: Sequence[Sequence[int]] = ()) -> bytes:
    """Return a MiniZinc model of a problem under these domains, none empty. Each of `forbidden` is a solution, in value
    indices.

    It prints a line of `v` and the values. Raises Unsupported.
    """
    more = [exists(f"v{x + 1} != {form.numbers[v]}" for x, v in enumerate(found)) for found in forbidden]
    shown = "".join(f', " ", show(v{x + 1})' for x in range(form.variables))
    lines = [*model_lines(form, domains, more), "solve satisfy;", f'output ["v"{shown}, "\\n"];', ""]
    return "\n".join(lines).encode()


def model_blocks(form: Constraints, domains: Domains) -> Iterator[bytes]:
    """Return a MiniZinc model block by block, with its objective, as people write it. Raises Unsupported."""
    rest, flat = without_clauses(replace(form, objective=None))
    if why := unsupported(rest, "MiniZinc", FILE_LARGEST):
        raise Unsupported(why)
    goal, more = ("satisfy", []) if form.objective is None else goal_text(form.objective, form.numbers, FILE_LARGEST)
    more += [] if all(domains) else ["false"]
    lines = model_lines(rest, tuple(mask or form.first for mask in domains), more)
    head = "".join(f"{line}\n" for line in lines)
    return chain([head.encode()], clause_lines(flat, CLAUSE), [f"solve {goal};\n".encode()])


def model_lines(form: Constraints, domains: Domains, more: Sequence[str]) -> list[str]:
    """Return the lines of the variables and constraints, with the constraints `more`."""
    form = form.expressed(TO_MINIZINC)
    constraints = [line for part in form.constraints for line in TO_MINIZINC[part.kind](part)]
    domains, kept = not_negative(form, domains)
    constraints += [*([] if kept else ["false"]), *more]
    lines = [f'include "{name}.mzn";' for name in INCLUDES if any(f"{name}(" in line for line in constraints)]
    for x, mask in enumerate(domains):
        lines.append(f"var {number_set(form.members(mask))}: v{x + 1};")
    return [*lines, *(f"constraint {line};" for line in constraints)]


def not_negative(form: Constraints, domains: Domains) -> tuple[Domains, bool]:
    """Return domains without negative durations, heights and limits, as MiniZinc needs them, and if none is empty."""
    rows = [row for part in form.constraints if isinstance(part, Cumulative) for row in part.rows]
    xs = {x for _, durations, heights, limit in rows for x in (*durations, *heights, limit)}
    found = [form.at_least(mask, 0) if x in xs else mask for x, mask in enumerate(domains)]
    return tuple([kept or mask for kept, mask in zip(found, domains, strict=True)]), all(found)


def unsupported(form: Constraints, reader: str, limit: int = LARGEST) -> str | None:
    """Return the reason why a problem can't be written, a kind of constraint or too large a number; else None."""
    form = form.expressed(TO_MINIZINC)
    if kinds := [kind for kind in form.kinds() if kind not in TO_MINIZINC]:
        return f"{reader} takes no constraints of the kind {', '.join(kinds)}"
    size = reach(form)
    return f"{reader} takes no numbers above {limit}, such as {size:g}" if size > limit else None
