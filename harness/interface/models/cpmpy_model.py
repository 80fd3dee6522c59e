"""Models of CPMpy as XCSP3 files: expressions as they are, the tables and all-different constraints too.

Other global constraints are decomposed by CPMpy, whose new variables are named IV and BV and a number; functions that
are not defined everywhere are made so by CPMpy, as it does for its own solvers.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from harness.model.errors import BadUsage

KEPT = {"alldifferent", "table", "abs", "min", "max", "mul", "div", "mod", "pow", "xor"}
OPERATORS = {
    **{name: name for name in ("and", "or", "not", "sub", "abs", "min", "max", "mul", "div", "mod", "pow", "xor")},
    "->": "imp",
    "sum": "add",
    "-": "neg",
    "==": "eq",
    "!=": "ne",
    "<=": "le",
    "<": "lt",
    ">=": "ge",
    ">": "gt",
}


class FileNames:
    """Names of variables in the file, by CPMpy's, in the order of their first use."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}
        self.domains: dict[str, tuple[int, int]] = {}

    def __call__(self, variable: Any) -> str:
        """Return the name of a variable in the file."""
        if variable.name not in self.of:
            plain = re.sub(r"\W+", "_", str(variable.name), flags=re.ASCII).strip("_")
            plain = plain if re.match(r"[A-Za-z]", plain) else f"v{plain}"
            taken = set(self.of.values())
            name = next(n for n in (plain, *(f"{plain}_{i}" for i in range(len(taken) + 1))) if n not in taken)
            self.of[variable.name] = name
            self.domains[name] = int(variable.lb), int(variable.ub)
        return self.of[variable.name]


def xcsp3_text(model: Any) -> tuple[str, dict[str, str]]:
    """Return a model as an XCSP3 file, and CPMpy's names of variables by their names in the file. Raises BadUsage."""
    names = FileNames()
    rows = [constraint(c, names) for c in plain_constraints(model)]
    objectives = list(objective(model, names))
    declared = [f'    <var id="{name}">{values(*names.domains[name])}</var>' for name in names.of.values()]
    if not declared:
        raise BadUsage("a model of CPMpy without variables")
    kind = "COP" if objectives else "CSP"
    lines = [f'<instance format="XCSP3" type="{kind}">', "  <variables>", *declared, "  </variables>"]
    lines += ["  <constraints>", *(f"    {text}" for text in rows), "  </constraints>", *objectives, "</instance>", ""]
    return "\n".join(lines), {name: original for original, name in names.of.items()}


def plain_constraints(model: Any) -> list[Any]:
    """Return the constraints of a model; global constraints without a form in the file are decomposed."""
    from cpmpy.transformations.decompose_global import decompose_in_tree
    from cpmpy.transformations.normalize import toplevel_list
    from cpmpy.transformations.safening import no_partial_functions

    found = no_partial_functions(toplevel_list(model.constraints), safen_toplevel=frozenset())
    kept = KEPT if all(is_plain_table(c) for c in found) else KEPT - {"table"}
    return list(decompose_in_tree(found, supported=kept, supported_reified=KEPT - {"alldifferent", "table"}))


def is_plain_table(expression: Any) -> bool:
    """Return False for a table whose scope has anything but variables, else True."""
    return getattr(expression, "name", "") != "table" or all(map(is_variable, expression.args[0]))


def is_variable(expression: Any) -> bool:
    return hasattr(expression, "lb") and hasattr(expression, "ub")


def constraint(expression: Any, names: FileNames) -> str:
    """Return the element of a constraint. Raises BadUsage."""
    match getattr(expression, "name", ""):
        case "alldifferent" if all(map(is_variable, expression.args)):
            listed = " ".join(names(x) for x in expression.args)
            return f"<allDifferent>{listed}</allDifferent>"
        case "alldifferent":
            return f"<allDifferent>{' '.join(tree(x, names) for x in expression.args)}</allDifferent>"
        case "table":
            variables, tuples = expression.args
            rows = "".join(f"({','.join(str(int(v)) for v in line)})" for line in tuples)
            listed = " ".join(map(names, variables))
            return f"<extension><list>{listed}</list><supports>{rows}</supports></extension>"
    return f"<intension>{tree(expression, names)}</intension>"


def tree(expression: Any, names: FileNames) -> str:
    """Return an expression in the functional form of XCSP3. Raises BadUsage."""
    if type(expression).__name__ == "NegBoolView":
        return f"not({names(expression._bv)})"
    if is_variable(expression):
        return names(expression)
    name = getattr(expression, "name", None)
    if name == "boolval" or not hasattr(expression, "args"):
        return number(expression.args[0] if name == "boolval" else expression)
    if name == "wsum":
        weights, terms = expression.args
        return call("add", [f"mul({int(w)},{tree(x, names)})" for w, x in zip(weights, terms, strict=True)])
    if name not in OPERATORS:
        raise BadUsage(f"the constraint {name} of CPMpy is not taken")
    return call(OPERATORS[name], [tree(x, names) for x in expression.args])


def number(value: Any) -> str:
    """Return an integer. Raises BadUsage for another value."""
    if int(value) != value:
        raise BadUsage(f"{value!r} in a model of CPMpy is not an integer")
    return str(int(value))


def call(operator: str, parts: Sequence[str]) -> str:
    """Return an operator with its operands; a sum or conjunction of one part is that part."""
    if len(parts) == 1 and operator in ("add", "and", "or", "min", "max", "mul", "xor"):
        return parts[0]
    return f"{operator}({','.join(parts)})"


def objective(model: Any, names: FileNames) -> Iterator[str]:
    """Yield the lines of the objective, if there is one."""
    if model.objective_ is not None:
        sense = "minimize" if model.objective_is_min else "maximize"
        yield f"  <objectives><{sense}>{tree(model.objective_, names)}</{sense}></objectives>"


def values(low: int, high: int) -> str:
    return f"{low}..{high}" if low < high else str(low)
