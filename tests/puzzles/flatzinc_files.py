"""FlatZinc models as data, written as text and as JSON by a few lines each."""

import json
from typing import Any, NamedTuple

VARIABLES = {  # domains of integers, None for a Boolean
    "x": (-1, 0, 1, 3),
    "y": (-1, 0, 1, 2, 3),
    "z": (0, 1, 2, 3),
    "b": None,
    "c": None,
    "d": None,
}
Args = list[Any]


class Goal(NamedTuple):
    method: str = "satisfy"
    value: Any = None


SATISFY = Goal()


def ranges(domain: tuple[int, ...]) -> list[list[int]]:
    return [[n, n] for n in domain]


def text_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(text_value, value))}]"
    if isinstance(value, set):
        return "{" + ", ".join(map(str, sorted(value))) + "}"
    if isinstance(value, range):
        return f"{value.start}..{value.stop - 1}"
    return str(value)


def json_value(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(json_value, value))
    if isinstance(value, set):
        return {"set": ranges(tuple(sorted(value)))}
    if isinstance(value, range):
        return {"set": [[value.start, value.stop - 1]]}
    return value


def as_text(calls: list[tuple[str, Args]], goal: Goal = SATISFY, outputs: tuple[str, ...] = ()) -> str:
    lines = []
    for name, domain in VARIABLES.items():
        kind = "bool" if domain is None else text_value(set(domain))
        lines.append(f"var {kind}: {name}{' :: output_var' if name in outputs else ''};")
    lines += [f"constraint {name}({', '.join(map(text_value, args))});" for name, args in calls]
    stated = "" if goal.method == "satisfy" else f" {text_value(goal.value)}"
    return "\n".join([*lines, f"solve {goal.method}{stated};\n"])


def as_json(calls: list[tuple[str, Args]], goal: Goal = SATISFY, outputs: tuple[str, ...] = ()) -> str:
    types: dict[str, Any] = {
        name: {"type": "bool"} if domain is None else {"type": "int", "domain": ranges(domain)}
        for name, domain in VARIABLES.items()
    }
    solve = {"method": goal.method} | ({} if goal.method == "satisfy" else {"objective": goal.value})
    model = {
        "variables": types,
        "arrays": {},
        "constraints": [{"id": name, "args": list(map(json_value, args))} for name, args in calls],
        "output": list(outputs),
        "solve": solve,
        "version": "1.0",
    }
    return json.dumps(model, indent=2)
