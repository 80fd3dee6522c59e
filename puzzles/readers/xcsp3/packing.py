"""Constraints of tasks, boxes, bins and circuits: cumulative, noOverlap, binPacking, knapsack, circuit."""

from collections.abc import Sequence
from typing import Any

from puzzles.constraints.circuit import Circuit
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.expression import Tree
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.errors import ParseError
from puzzles.readers.building import Scope, numbers_of, size_of, values_of
from puzzles.readers.refusal import Refusal
from puzzles.readers.xcsp3.conditions import as_tree, parse_condition
from puzzles.readers.xcsp3.counting import add_count_of, add_linear, add_sum, is_number, is_plain
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.ordering import compare, rectangle
from puzzles.readers.xcsp3.parts import Parts, Value, check_size, listed


def plain_variables(model: Xcsp3Model, name: str, operands: Sequence[Value]) -> Scope:
    """Return variables and numbers as variables. Raises ParseError, Refusal for expressions."""
    if not all(map(is_plain, operands)):
        raise Refusal([f"{name} of expressions"])
    return model.variables(operands)


def add_cumulative(model: Xcsp3Model, parts: Parts) -> None:
    names = ("origins", "lengths", "heights")
    starts, durations, heights = (plain_variables(model, parts.name, parts.items_of(part)) for part in names)
    ends = parts.items_of("ends") if "ends" in parts else []
    if not len(starts) == len(durations) == len(heights) == (len(ends) or len(starts)):
        raise ParseError(f"cumulative of {len(starts)} origins, {len(durations)} lengths and {len(heights)} heights")
    for x, duration, end in zip(parts.items_of("origins"), parts.items_of("lengths"), ends, strict=False):
        compare(model, x, "eq", end, duration)
    model.add(Cumulative, (starts, durations, heights, upper_limit(model, parts, "cumulative")))


def upper_limit(model: Xcsp3Model, parts: Parts, name: str) -> int:
    """Return the variable that is the greatest number of a condition. Raises ParseError, Refusal."""
    operator, operand = parse_condition(parts.one("condition"))
    if operator == "lt" and is_number(operand):
        return model.variable(operand - 1)
    if operator != "le" or not is_plain(operand):
        raise Refusal([f"{name} with condition {operator}"])
    return model.variable(operand)


def add_no_overlap(model: Xcsp3Model, parts: Parts) -> None:
    """Add tasks that exclude each other if there is one dimension and zeros are ignored, else boxes."""
    origins, lengths = (boxes(parts.one(part)) for part in ("origins", "lengths"))
    if len(origins) != len(lengths) or len(origins[0]) != len(lengths[0]):
        raise ParseError(f"noOverlap of {len(origins)} origins with {len(lengths)} lengths, or of other dimensions")
    check_size(len(origins) ** 2)
    corners, sizes = (tuple(plain_variables(model, "noOverlap", box) for box in found) for found in (origins, lengths))
    ignored = parts.own.get("zeroIgnored", True)
    if len(origins[0]) == 1 and ignored:
        one = model.constant(1)
        starts, durations = (tuple(x for (x,) in found) for found in (corners, sizes))
        model.add(Cumulative, (starts, durations, (one,) * len(starts), one))
    else:
        model.add(NoOverlap, (corners, sizes, ignored))


def boxes(value: Value) -> list[list[Value]]:
    """Return lists of one item for each dimension. Raises ParseError if their lengths differ."""
    if isinstance(value, list) and isinstance(value[1], list) and value[1][:1] == ["list"]:
        return rectangle(value)
    return [[item] for item in listed(value)]


def add_bin_packing(model: Xcsp3Model, parts: Parts) -> None:
    """Add for each bin: the sizes of its items add up to no more than its limit, or to its load."""
    items, sizes = parts.items_of("list"), parts.items_of("sizes")
    if len(items) != len(sizes):
        raise ParseError(f"binPacking of {len(items)} items with {len(sizes)} sizes")
    if "condition" in parts:
        variables = plain_variables(model, "binPacking", items)
        limit = equal_limits(model, parts)
        check_size(sum(size_of(model.domains[x]) for x in variables))
        bins = list(numbers_of(values_of(model.domains[x] for x in variables)))
        loads = [(n, ["condition", "le", limit]) for n in bins]
    else:
        name, operator = ("loads", "eq") if "loads" in parts else ("limits", "le")
        bounds, start = parts.items_of(name), parts.attribute(name, "startIndex", 0)
        loads = [(n, ["condition", operator, bound]) for n, bound in enumerate(bounds, start)]
        for x in items:
            compare(model, x, "ge", start)
            compare(model, x, "lt", start + len(bounds))
        if name == "loads" and all(map(is_number, sizes)) and all(map(is_plain, bounds)):
            add_linear(model, [(1, load) for load in bounds], "=", sum(sizes))
    check_size(len(loads) * len(items))
    for n, condition in loads:
        add_load(model, items, sizes, n, condition)


def equal_limits(model: Xcsp3Model, parts: Parts) -> Value:
    """Return the limit of every bin, a variable or a number. Raises ParseError, Refusal."""
    operator, operand = parse_condition(parts.one("condition"))
    if operator not in ("le", "lt") or (operator == "lt" and not is_number(operand)):
        raise Refusal([f"binPacking with condition {operator}"])
    return operand - 1 if operator == "lt" else operand


def add_load(model: Xcsp3Model, items: Sequence[Value], sizes: Sequence[Value], n: int, condition: Value) -> None:
    """Compare the sizes of the items in bin n: a count where all are 1."""
    if all(size == 1 for size in sizes):
        add_count_of(model, items, [n], condition)
        return
    terms: list[Tree] = []
    for x, size in zip(items, sizes, strict=True):
        inside: Tree = ("eq", model.tree(x), ("number", n))
        terms.append(inside if size == 1 else ("mul", model.tree(size), inside))
    model.require(as_tree(model, ("add", *terms), condition))


def add_knapsack(model: Xcsp3Model, parts: Parts) -> None:
    """Add two sums: of weights and of profits."""
    conditions = parts.of("condition")
    if len(conditions) != 2:
        raise ParseError(f"knapsack with {len(conditions)} conditions: expected one of the weights, one of the profits")
    for name, condition in zip(("weights", "profits"), conditions, strict=True):
        rows: list[tuple[str, dict[str, Any], Value]] = [
            ("list", {}, parts.one("list")),
            ("coeffs", {}, parts.one(name)),
            ("condition", {}, condition),
        ]
        add_sum(model, Parts("sum", rows))


def add_circuit(model: Xcsp3Model, parts: Parts) -> None:
    """Add a circuit of two nodes or more, and of a size if one is stated."""
    operands = parts.items_of("list")
    variables, start = plain_variables(model, "circuit", operands), parts.attribute("list", "startIndex", 0)
    if "size" not in parts:
        model.add(Circuit, (variables, start, ">", model.constant(1)))
        return
    size = parts.one("size")
    add_linear(model, [(1, size)], ">", 1)
    model.add(Circuit, (variables, start, "=", plain_variables(model, "circuit", [size])[0]))
