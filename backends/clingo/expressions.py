"""Expressions as logic programs: a node has a value for each combination of values of its parts.

A part that is undefined breaks the whole constraint (decision 21): a rule forbids it.
"""

from collections.abc import Callable, Sequence

from backends.clingo.rules import LARGEST, LogicProgram, check_size
from puzzles.constraints.expression import Expression, Tree, largest

COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}
OPPOSITE = {"lt": ">=", "le": ">", "gt": "<=", "ge": "<", "eq": "!=", "ne": "="}
FOLDED = ("add", "mul", "min", "max", "xor")  # operators on any number of parts that two parts at a time determine
# The value of an operator on A and B, and its conditions.
VALUES: dict[str, tuple[tuple[str, ...], ...]] = {
    "neg": (("-A",),),
    "abs": (("|A|",),),
    "sqr": (("A*A",),),
    "add": (("A+B",),),
    "sub": (("A-B",),),
    "mul": (("A*B",),),
    "div": (
        ("|A|/|B|", "A >= 0", "B > 0"),
        ("|A|/|B|", "A < 0", "B < 0"),
        ("-(|A|/|B|)", "A >= 0", "B < 0"),
        ("-(|A|/|B|)", "A < 0", "B > 0"),
    ),
    "mod": (("A\\|B|", "A >= 0", "B != 0"), ("-(|A|\\|B|)", "A < 0", "B != 0")),
    "pow": (("1", "B = 0"), ("A**B", "B > 0")),
    "dist": (("|A-B|",),),
    "min": (("A", "A <= B"), ("B", "B < A")),
    "max": (("A", "A >= B"), ("B", "B > A")),
    "not": (("1", "A = 0"), ("0", "A != 0")),
    "xor": (("1", "A = 0", "B != 0"), ("1", "A != 0", "B = 0"), ("0", "A = 0", "B = 0"), ("0", "A != 0", "B != 0")),
}


def expression(program: LogicProgram, constraint: Expression) -> None:
    for tree in constraint.trees:
        check_size("expressions", largest(tree, float(program.limit)))
        require(program, tree)


def require(program: LogicProgram, tree: Tree) -> None:
    """Require that a tree is true; comparisons of two and conjunctions need no value of their own."""
    name, *parts = tree
    if name == "and":
        for part in parts:
            require(program, part)
    elif name in OPPOSITE and len(parts) == 2:
        a, b = (value(program, part) for part in parts)
        program.forbid(a("A"), b("B"), f"A {OPPOSITE[name]} B")
    else:
        program.forbid(value(program, tree)("A"), "A = 0")


Value = Callable[[str], str]  # the name of a variable of a rule -> the atom in which that is the value


def value(program: LogicProgram, tree: Tree) -> Value:
    """Add the rules for the value of a tree."""
    name, *parts = tree
    if name == "var":
        return lambda variable: f"at({parts[0]},{variable})"
    if name == "number":
        check_size("numbers", abs(parts[0]))
        return lambda variable: f"{variable} = {parts[0]}"
    if name == "in":
        return any_of(program, [(value(program, parts[0]), f"A = {n}") for n in parts[1][1:] if abs(n) <= LARGEST])
    operands = [value(program, part) for part in parts]
    if name == "if":
        return choice(program, *operands)
    if name == "eq":
        return negated(program, any_pair(program, operands, [("A != B",)]))
    if name == "iff":
        return negated(program, any_pair(program, operands, [("A = 0", "B != 0"), ("A != 0", "B = 0")]))
    if name == "or":
        return any_of(program, [(operand, "A != 0") for operand in operands])
    if name == "and":
        return negated(program, any_of(program, [(operand, "A = 0") for operand in operands]))
    if name == "imp":
        return any_of(program, [(operands[0], "A = 0"), (operands[1], "A != 0")])
    if name in FOLDED:
        return folded(program, name, operands)
    return applied(program, name, operands)


def node(program: LogicProgram) -> tuple[int, Value]:
    k = program.new()
    return k, lambda variable: f"val({k},{variable})"


def applied(program: LogicProgram, name: str, operands: Sequence[Value]) -> Value:
    """Add a node for an operator on one or two operands."""
    k, made = node(program)
    body = [operand(variable) for operand, variable in zip(operands, "AB", strict=False)]
    rules = VALUES.get(name) or (("1", f"A {COMPARISONS[name]} B"), ("0", f"A {OPPOSITE[name]} B"))
    for held, *conditions in rules:
        program.define(f"val({k},{held})", *body, *conditions)
    if name in ("div", "mod"):
        program.forbid(operands[1]("B"), "B = 0")
    if name == "pow":
        program.forbid(operands[1]("B"), "B < 0")
    return made


def folded(program: LogicProgram, name: str, operands: Sequence[Value]) -> Value:
    found, *others = operands
    for other in others:
        found = applied(program, name, [found, other])
    if name == "xor" and not others:
        return applied(program, "ne", [found, lambda variable: f"{variable} = 0"])
    return found


def any_of(program: LogicProgram, options: Sequence[tuple[Value, str]]) -> Value:
    """Add a node that is 1 if a condition on A holds for some A in `options`, else 0."""
    k, made = node(program)
    for operand, condition in options:
        program.define(f"val({k},1)", operand("A"), condition)
    program.define(f"val({k},0)", f"not val({k},1)")
    return made


def any_pair(program: LogicProgram, operands: Sequence[Value], options: Sequence[tuple[str, ...]]) -> Value:
    """Add a node that is 1 if all conditions of one option hold, for the first operand and another one."""
    k, made = node(program)
    for other in operands[1:]:
        for conditions in options:
            program.define(f"val({k},1)", operands[0]("A"), other("B"), *conditions)
    program.define(f"val({k},0)", f"not val({k},1)")
    return made


def negated(program: LogicProgram, operand: Value) -> Value:
    return applied(program, "not", [operand])


def choice(program: LogicProgram, condition: Value, a: Value, b: Value) -> Value:
    k, made = node(program)
    program.define(f"val({k},N)", condition("A"), "A != 0", a("N"))
    program.define(f"val({k},N)", condition("A"), "A = 0", b("N"))
    return made
