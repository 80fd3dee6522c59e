"""Expressions as SMT-LIB. An undefined part breaks the whole constraint (decision 21), so each must be defined."""

from collections.abc import Callable
from functools import partial, reduce

from encoders.smt.arithmetic import absolute, extreme, minus, power, product, quotient, remainder, total
from encoders.smt.script import Script, Term, conjunction, disjunction, negation
from puzzles.constraints.expression import Expression, Tree


def expression(script: Script, constraint: Expression) -> None:
    for tree in constraint.trees:
        script.require(true(script, term_of(script, tree)))


def true(script: Script, a: Term) -> str:
    """Return the formula for: a term is not 0."""
    return a.formula or script.compare(a, "!=", script.number(0))


def term_of(script: Script, tree: Tree) -> Term:
    name, *parts = tree
    if name == "var":
        return script.variable(parts[0])
    if name == "number":
        return script.number(parts[0])
    if name == "in":
        return member(script, term_of(script, parts[0]), parts[1][1:])
    return OPERATORS[name](script, *[term_of(script, part) for part in parts])


def member(script: Script, a: Term, numbers: tuple[int, ...]) -> Term:
    a = script.named(a)
    return script.truth(disjunction(script.compare(a, "=", script.number(n)) for n in numbers))


def compared(comparison: str) -> Callable[..., Term]:
    return lambda script, a, b: script.truth(script.compare(a, comparison, b))


def equal(script: Script, *parts: Term) -> Term:
    first, *others = map(script.named, parts)
    return script.truth(conjunction(script.compare(first, "=", other) for other in others))


def minimum(comparison: str) -> Callable[..., Term]:
    return lambda script, *parts: extreme(script, comparison, parts)


def connective(connect: Callable[[list[str]], str]) -> Callable[..., Term]:
    """Return an operator that connects the truth values of its parts by `connect`."""
    return lambda script, *parts: script.truth(connect([true(script, part) for part in parts]))


def parity(formulas: list[str]) -> str:
    return f"(xor {' '.join(formulas)})" if len(formulas) > 1 else formulas[0]


def subtracted(script: Script, a: Term, b: Term) -> Term:
    return total(script, [a, minus(script, b)])


def squared(script: Script, a: Term) -> Term:
    found = power(script, a, script.number(2))
    return found._replace(low=max(found.low, 0))


OPERATORS: dict[str, Callable[..., Term]] = {
    "neg": minus,
    "abs": absolute,
    "sqr": squared,
    "add": lambda script, *parts: total(script, parts),
    "sub": subtracted,
    "mul": lambda script, *parts: reduce(partial(product, script), parts),
    "div": quotient,
    "mod": remainder,
    "pow": power,
    "dist": lambda script, a, b: absolute(script, subtracted(script, a, b)),
    "min": minimum("<="),
    "max": minimum(">="),
    "lt": compared("<"),
    "le": compared("<="),
    "gt": compared(">"),
    "ge": compared(">="),
    "ne": compared("!="),
    "eq": equal,
    "not": connective(lambda formulas: negation(formulas[0])),
    "and": connective(conjunction),
    "or": connective(disjunction),
    "xor": connective(parity),
    "iff": connective(lambda formulas: f"(= {' '.join(formulas)})"),
    "imp": connective(lambda formulas: disjunction([negation(formulas[0]), formulas[1]])),
    "if": lambda script, a, b, c: script.choice(true(script, a), b, c),
}
