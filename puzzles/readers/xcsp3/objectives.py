"""Objectives of every type, as a linear row where they are a sum of variables, else as a tree.

    <minimize type="sum"> <list> x y </list> <coeffs> 2 3 </coeffs> </minimize>        2 x + 3 y
    <minimize type="lex"> <list> x y </list> </minimize>        10 x + y, if y has ten values from least to greatest

The operands of each type but `expression` are multiplied by their coefficients first. A tree with a part that may be
undefined comes with the constraint that this part equals itself, which is true only where it is defined.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import prod

from puzzles.constraints.expression import Tree
from puzzles.constraints.ranges import range_of
from puzzles.errors import ParseError, brief
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.readers.building import numbers_of, size_of
from puzzles.readers.refusal import Refusal
from puzzles.readers.xcsp3.counting import distinct_values, products, weighted
from puzzles.readers.xcsp3.document import XmlElement
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.parts import Parts, check_size
from puzzles.readers.xcsp3.structure import check_text
from puzzles.readers.xcsp3.tokens import Names

CONSTANT = -1  # stands for a variable in the terms of a sum


def check_objective(goal: XmlElement, names: Names) -> None:
    """Check the element of an objective. Raises ParseError, Refusal."""
    kind = goal.attributes.get("type", "expression")
    if goal.tag not in ("minimize", "maximize") or kind not in COMBINE:
        types = ", ".join(COMBINE)
        raise ParseError(f"<{goal.tag}> of type {brief(kind)}: expected <minimize> or <maximize> of {types}", goal.line)
    tags = sorted(child.tag for child in goal)
    if tags and (kind == "expression" or tags not in (["list"], ["coeffs", "list"])):
        raise ParseError(f"<{goal.tag}> of type {kind} with {', '.join(map('<{}>'.format, tags))}", goal.line)
    for part in goal.children or [goal]:
        if others := part.attributes.keys() - {"id", "class", "note", "type"}:
            raise Refusal([f"{part.tag} with {name}" for name in sorted(others)])
        try:
            check_text(part, names, part.tag if part is not goal else "function" if kind == "expression" else "list")
        except ParseError as e:
            raise ParseError(str(e), part.line) from None


def objective_of(model: Xcsp3Model, parts: Parts, maximise: bool) -> LinearObjective | ExpressionObjective:
    """Return the objective that a part of an instance states. Raises ParseError, Refusal."""
    tree = COMBINE[parts.name](model, operands_of(model, parts))
    for part in perhaps_undefined(tree):
        model.require(("eq", part, part))
    terms = Counter[int]()
    if is_sum(tree, 1, terms):
        offset = terms.pop(CONSTANT, 0)
        return LinearObjective.of(terms, offset, maximise)
    return ExpressionObjective.of(tree, maximise)


def operands_of(model: Xcsp3Model, parts: Parts) -> list[Tree]:
    """Return the operands of an objective, multiplied by their coefficients. Raises ParseError."""
    if parts.name == "expression":
        return [model.tree(parts.one("function"))]
    return products(model, *weighted(parts, "an objective"))


def combined(operator: str) -> Callable[[Xcsp3Model, list[Tree]], Tree]:
    """Return the function that makes a tree of an operator."""
    return lambda model, trees: (operator, *trees)


def number_of_values(model: Xcsp3Model, trees: list[Tree]) -> Tree:
    """Return the number of distinct values: of each value, 1 if an operand equals it."""
    takers: defaultdict[int, list[Tree]] = defaultdict(list)
    for tree in trees:
        terms = Counter[int]()
        if not is_sum(tree, 1, terms) or len(terms.keys() - {CONSTANT}) > 1:
            return distinct_values(trees, ())
        constant = terms.pop(CONSTANT, 0)
        check_size(sum(size_of(model.domains[x]) for x in terms))
        taken = [a * number for x, a in terms.items() for number in numbers_of(model.domains[x])] or [0]
        for number in set(taken):
            takers[number + constant].append(("eq", tree, ("number", number + constant)))
        check_size(sum(map(len, takers.values())))
    return ("add", *(("or", *equal) for equal in takers.values()))


def radix(model: Xcsp3Model, trees: list[Tree]) -> Tree:
    """Return a sum that orders its operands lexicographically: each weighs more than all after it can differ."""
    spans = [(domain[0][0], domain[-1][1]) for domain in model.domains]
    weight, terms = 1, list[Tree]()
    for tree in reversed(trees):
        low, high = range_of(tree, spans.__getitem__)
        terms.append(("mul", ("number", weight), tree))
        weight *= high - low + 1
    return ("add", *reversed(terms))


COMBINE: dict[str, Callable[[Xcsp3Model, list[Tree]], Tree]] = {
    "expression": lambda model, trees: trees[0],
    "sum": combined("add"),
    "product": combined("mul"),
    "minimum": combined("min"),
    "maximum": combined("max"),
    "nValues": number_of_values,
    "lex": radix,
}


def is_sum(tree: Tree, factor: int, terms: Counter[int]) -> bool:
    """Add `factor` times a tree to terms, if the tree is a sum of variables; return False if it is not."""
    name, *parts = tree
    if name == "var":
        terms[parts[0]] += factor
    elif name == "number":
        terms[CONSTANT] += factor * parts[0]
    elif name in ("neg", "add", "sub"):
        signs: Sequence[int] = {"neg": (-1,), "sub": (1, -1)}.get(name, (1,) * len(parts))
        return all(is_sum(part, sign * factor, terms) for sign, part in zip(signs, parts, strict=True))
    elif name == "mul":
        others = [part for part in parts if part[0] != "number"]
        known = prod(part[1] for part in parts if part[0] == "number")
        return len(others) <= 1 and is_sum(others[0] if others else ("number", 1), factor * known, terms)
    else:
        return False
    return True


def perhaps_undefined(tree: Tree) -> Iterator[Tree]:
    """Yield the largest parts of a tree that are undefined for some numbers: divisions and powers."""
    name, *parts = tree
    if name in ("var", "number", "set"):
        return
    if name in ("div", "mod", "pow"):
        kind, *right = parts[1]
        if kind != "number" or (right[0] < 0 if name == "pow" else right[0] == 0):
            yield tree
            return
    for part in parts:
        yield from perhaps_undefined(part)
