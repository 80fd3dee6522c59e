"""MiniZinc text of sets, arrays, and expressions over variables v1, v2, ...

MiniZinc takes an undefined expression for false in the nearest Boolean one; here it breaks the whole constraint
(decision 21), so what has to hold for divisions and powers is a constraint of its own. `div` and `mod` truncate
towards zero.
"""

from collections.abc import Callable, Iterator, Sequence

from encoders.rewriting import LOGICAL, definitions
from puzzles.constraints.expression import Tree

COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}
Lines = Iterator[str]  # constraints, as Boolean expressions


def number_set(numbers: Sequence[int]) -> str:
    whole = numbers and len(numbers) == numbers[-1] - numbers[0] + 1
    return f"{numbers[0]}..{numbers[-1]}" if whole else f"{{{', '.join(map(str, numbers))}}}"


def array(xs: Sequence[int], less: int = 0) -> str:
    """Return the text of an array of variables, each less a number."""
    return f"[{', '.join(f'v{x + 1} - {less}' if less else f'v{x + 1}' for x in xs)}]"


def exists(parts: Iterator[str]) -> str:
    return " \\/ ".join(parts) or "false"


def forall(parts: Iterator[str]) -> str:
    return " /\\ ".join(parts) or "true"


def clause_text(clause: Sequence[int]) -> str:
    return exists(f"v{abs(k)} {'=' if k > 0 else '!='} 1" for k in clause)


def truth_text(truth: bool) -> str:
    return "true" if truth else "false"


def tree_lines(tree: Tree) -> Lines:
    """Yield the conditions under which a tree is defined, then the tree."""
    for needed in definitions(tree):
        yield from tree_lines(needed)
    yield boolean(tree)


def boolean(tree: Tree) -> str:
    """Return the text of a Boolean expression that is true where the tree is not 0."""
    name, *parts = tree
    if name not in LOGICAL:
        return f"{integer(tree)} != 0"
    if name == "in":
        return f"{integer(parts[0])} in {number_set(sorted(set(parts[1][1:])))}"
    if name in COMPARISONS:
        first, *rest = map(integer, parts)
        return forall(f"{first} {COMPARISONS[name]} {other}" for other in rest)
    truths = [f"({boolean(part)})" for part in parts]
    match name:
        case "not":
            return f"not {truths[0]}"
        case "and":
            return forall(iter(truths))
        case "or":
            return exists(iter(truths))
        case "imp":
            return " -> ".join(truths)
        case "xor":
            return " xor ".join(truths)
        case _:
            return forall(f"({truths[0]} <-> {other})" for other in truths[1:])


def integer(tree: Tree) -> str:
    """Return the text of an integer expression."""
    name, *parts = tree
    if name == "var":
        return f"v{parts[0] + 1}"
    if name == "number":
        return f"({parts[0]})"
    if name in LOGICAL:
        return f"bool2int({boolean(tree)})"
    if name == "if":
        return f"(if {boolean(parts[0])} then {integer(parts[1])} else {integer(parts[2])} endif)"
    return INTEGER[name](*map(integer, parts))


def infix(operator: str) -> Callable[..., str]:
    return lambda *parts: f"({f' {operator} '.join(parts)})"


INTEGER: dict[str, Callable[..., str]] = {
    "neg": lambda a: f"(-{a})",
    "abs": lambda a: f"abs({a})",
    "sqr": lambda a: f"({a} * {a})",
    "dist": lambda a, b: f"abs({a} - {b})",
    "pow": lambda a, b: f"pow({a}, {b})",
    "min": lambda *parts: f"min([{', '.join(parts)}])",
    "max": lambda *parts: f"max([{', '.join(parts)}])",
    "add": infix("+"),
    "sub": infix("-"),
    "mul": infix("*"),
    "div": infix("div"),
    "mod": infix("mod"),
}
