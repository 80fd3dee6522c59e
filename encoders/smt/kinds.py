"""Kinds of constraint as SMT-LIB, one function per kind. SMT solvers have only `distinct` and sums built in."""

from collections.abc import Iterable

from encoders.smt.arithmetic import extreme, scaled, total
from encoders.smt.script import Script, Term, conjunction, disjunction, negation
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table


def all_different(script: Script, constraint: AllDifferent) -> None:
    for unit in dict.fromkeys(constraint.units):
        if len(unit) > 1:
            script.require(f"(distinct {' '.join(term.text for term in script.variables(unit))})")


def clauses(script: Script, constraint: Clauses) -> None:
    true = [script.takes(x, 1) for x in range(len(script.domains))]
    false = [negation(formula) for formula in true]
    for row in constraint.rows:
        script.require(disjunction(true[p - 1] if p > 0 else false[-p - 1] for p in row))


def linear(script: Script, constraint: Linear) -> None:
    for coefficients, xs, comparison, bound in constraint.rows:
        parts = [scaled(script, a, script.variable(x)) for a, x in zip(coefficients, xs, strict=True)]
        script.require(script.compare(total(script, parts), comparison, script.number(bound)))


def table(script: Script, constraint: Table) -> None:
    rows = constraint.rows.tolist() if constraint.scopes else []
    for scope in constraint.scopes:
        listed = (conjunction(script.takes(x, n) for x, n in zip(scope, row, strict=True) if n != STAR) for row in rows)
        if constraint.positive:
            script.require(disjunction(listed))
        else:
            for row in listed:
                script.require(negation(row))


def element(script: Script, constraint: Element) -> None:
    for items, index, start, value in constraint.rows:
        result = script.variable(value)
        positions = (
            conjunction([script.takes(index, i), script.compare(script.variable(item), "=", result)])
            for i, item in enumerate(items, start)
        )
        script.require(disjunction(positions))


def any_of(script: Script, x: int, numbers: Iterable[int]) -> str:
    """Return the formula for: x takes one of the numbers."""
    return disjunction(script.takes(x, n) for n in numbers)


def count(script: Script, constraint: Count) -> None:
    for xs, numbers, comparison, bound in constraint.rows:
        found = total(script, [script.truth(any_of(script, x, numbers)) for x in xs])
        script.require(script.compare(found, comparison, script.variable(bound)))


def cardinality(script: Script, constraint: Cardinality) -> None:
    for xs, numbers, occurrences, closed in constraint.rows:
        for n, occurrence in zip(numbers, occurrences, strict=True):
            found = total(script, [script.truth(script.takes(x, n)) for x in xs])
            script.require(script.compare(found, "=", script.variable(occurrence)))
        for x in xs if closed else ():
            script.require(any_of(script, x, numbers))


def nvalues(script: Script, constraint: NValues) -> None:
    for xs, excepted, comparison, bound in constraint.rows:
        numbers = sorted({n for x in xs for n in script.domains[x]} - set(excepted))
        taken = (disjunction(script.takes(x, n) for x in xs) for n in numbers)
        found = total(script, [script.truth(formula) for formula in taken])
        script.require(script.compare(found, comparison, script.variable(bound)))


def minmax(script: Script, constraint: MinMax) -> None:
    for which, xs, comparison, bound in constraint.rows:
        found = extreme(script, "<=" if which == "minimum" else ">=", script.variables(xs))
        script.require(script.compare(found, comparison, script.variable(bound)))


def lex(script: Script, constraint: Lex) -> None:
    """Require of each row: the first pair is in order, or equal and the rest is in order."""
    for left, right, comparison in constraint.rows:
        in_order = "true" if comparison in ("<=", ">=") else "false"
        for a, b in reversed(list(zip(script.variables(left), script.variables(right), strict=True))):
            equal = conjunction([script.compare(a, "=", b), in_order])
            in_order = disjunction([script.compare(a, comparison[0], b), equal])
        script.require(in_order)


def automaton(script: Script, constraint: Automaton) -> None:
    """Define a Boolean for each position and state of an automaton: a run reaches the state there."""
    for scope in constraint.scopes:
        reached = {constraint.start: "true"}
        for x in scope:
            ways: dict[int, list[str]] = {}
            for state, n, following in constraint.transitions:
                if state in reached and (taken := script.takes(x, n)) != "false":
                    ways.setdefault(following, []).append(conjunction([reached[state], taken]))
            reached = {state: script.named_formula(disjunction(options)) for state, options in ways.items()}
        script.require(disjunction(reached.get(state, "false") for state in constraint.finals))


def circuit(script: Script, constraint: Circuit) -> None:
    for variables, start, comparison, bound in constraint.rows:
        nodes = range(len(variables))
        for x in variables:
            script.require(disjunction(script.takes(x, start + j) for j in nodes))
        if len(variables) > 1:
            script.require(f"(distinct {' '.join(term.text for term in script.variables(variables))})")
        own = [script.takes(x, start + i) for i, x in enumerate(variables)]
        size = script.named(total(script, [script.truth(negation(formula)) for formula in own]))
        script.require(script.compare(size, comparison, script.variable(bound)))
        walk(script, variables, start, own, size)


def walk(script: Script, variables: tuple[int, ...], start: int, own: list[str], size: Term) -> None:
    """Require that a walk from the first node that is not its own successor returns after all others on the circuit."""
    nodes = range(len(variables))
    first = script.number(start)
    for i in reversed(nodes):
        first = script.choice(negation(own[i]), script.number(start + i), first)
    first = at = script.named(first)
    for step in nodes[1:]:
        to = script.variable(variables[-1])
        for i in reversed(nodes[:-1]):
            to = script.choice(script.compare(at, "=", script.number(start + i)), script.variable(variables[i]), to)
        at = script.named(to)
        done = script.compare(size, "<=", script.number(step))
        script.require(disjunction([done, negation(script.compare(at, "=", first))]))
