"""Python code of CPMpy expressions as they are posted. CPMpy's own text of an expression is no code."""

from collections.abc import Mapping
from typing import Any

INFIX = {"mul": "*", "div": "//", "mod": "%", "pow": "**", "sub": "-"}
LISTED = ("Minimum", "Maximum", "NValue", "Xor")  # globals that take a list and keep its items as their arguments


def code(part: Any, names: Mapping[int, str]) -> str:
    """Return the code of an expression, a list, or a number; `names` are those of variables, by identity."""
    if id(part) in names:
        return names[id(part)]
    if hasattr(part, "tolist"):
        return code(part.tolist(), names)
    if isinstance(part, list | tuple):
        return f"[{listed(part, names)}]" if isinstance(part, list) else f"({listed(part, names)},)"
    if isinstance(part, bool | int):
        return repr(part)
    name = type(part).__name__
    if name == "BoolVal":
        return f"BoolVal({bool(part.value())})"
    if name == "NegBoolView":
        return f"~{code(part._bv, names)}"
    if name == "Comparison":
        return f"({code(part.args[0], names)} {part.name} {code(part.args[1], names)})"
    return operator(part, names) if name == "Operator" else function(part, names)


def listed(parts: Any, names: Mapping[int, str]) -> str:
    return ", ".join(code(part, names) for part in parts)


def operator(part: Any, names: Mapping[int, str]) -> str:
    """Return the code of a sum or a logical connective."""
    args = part.args
    match part.name:
        case "and" | "or":
            return f"cp.{'all' if part.name == 'and' else 'any'}([{listed(args, names)}])"
        case "->":
            return f"{code(args[0], names)}.implies({code(args[1], names)})"
        case "not":
            return f"(~{code(args[0], names)})"
        case "-":
            return f"(-{code(args[0], names)})"
        case "sum":
            return f"cp.sum([{listed(args, names)}])"
        case "wsum":
            terms = (f"{a} * {code(x, names)}" for a, x in zip(*args, strict=True))
            return f"cp.sum([{', '.join(terms)}])"
    return f"({f' {INFIX[part.name]} '.join(code(x, names) for x in args)})"


def function(part: Any, names: Mapping[int, str]) -> str:
    """Return the code of a global constraint or function."""
    name, args = type(part).__name__, part.args
    if part.name in INFIX:
        return f"({code(args[0], names)} {INFIX[part.name]} {code(args[1], names)})"
    if part.name == "abs":
        return f"abs({code(args[0], names)})"
    if name in LISTED:
        return f"cp.{name}([{listed(args, names)}])"
    closed = ", closed=True" if getattr(part, "closed", False) else ""
    return f"cp.{name}({listed(args, names)}{closed})"
