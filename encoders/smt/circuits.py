"""Circuits as SMT-LIB: from the first node that is not its own successor, a walk returns after all others."""

from encoders.smt.arithmetic import total
from encoders.smt.script import Script, Term, disjunction, negation
from puzzles.constraints.circuit import Circuit


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
    """Require that a walk from the first node on the circuit is not back before all others are visited."""
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
