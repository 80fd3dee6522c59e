"""Words of numbers that a layered automaton accepts: the form of automata, and of tables as decision diagrams.

The automaton is made deterministic and minimal, one layer per variable, and each of its states gets a literal: the
numbers of the variables so far lead there. (Quimper & Walsh 2006 for `regular`; Abio et al. 2012 for diagrams.)

    layer   {state: {number: state of the next layer}}; states that lead to no accepted word are left out
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from encoders.integers import TooLarge, Variables
from puzzles.constraints.automaton import Automaton

LARGEST = 1_000_000  # edges
Layer = dict[int, dict[int, int]]
Steps = Callable[[int, Any], Mapping[int, Hashable]]


def lower_automaton(automaton: Automaton, v: Variables) -> None:
    """Add clauses for each scope. Raises TooLarge."""
    out: dict[int, dict[int, set[int]]] = {}
    for state, n, after in automaton.transitions:
        out.setdefault(state, {}).setdefault(n, set()).add(after)
    finals = frozenset(automaton.finals)

    def steps(_: int, states: frozenset[int]) -> Mapping[int, frozenset[int]]:
        found: dict[int, set[int]] = {}
        for state in states:
            for n, after in out.get(state, {}).items():
                found.setdefault(n, set()).update(after)
        return {n: frozenset(after) for n, after in found.items()}

    for scope in automaton.scopes:
        lower_words(v, scope, frozenset([automaton.start]), steps, lambda states: not finals.isdisjoint(states))


def lower_words(
    v: Variables, scope: Sequence[int], start: Hashable, steps: Steps, accepts: Callable[[Any], bool]
) -> None:
    """Add clauses for: the numbers of a scope are an accepted word. Raises TooLarge.

    steps(i, state) gives the state after each number of variable i of the scope; numbers may be missing.
    """
    if scope:
        write(v, scope, minimal(reached(v, scope, start, steps), start, accepts))
    elif not accepts(start):
        v.add(())


def reached(v: Variables, scope: Sequence[int], start: Hashable, steps: Steps) -> list[dict[Hashable, Any]]:
    """Return the layers that the start can reach, with states in the order in which they are found. Raises TooLarge."""
    layers: list[dict[Hashable, Any]] = []
    states: dict[Hashable, None] = {start: None}
    edges = 0
    for i, x in enumerate(scope):
        domain, layer = set(v.domains[x]), {}
        for state in states:
            layer[state] = {n: after for n, after in steps(i, state).items() if n in domain}
            edges += len(layer[state])
            if edges > LARGEST:
                raise TooLarge(f"an automaton of more than {LARGEST:,} transitions")
        layers.append(layer)
        states = dict.fromkeys(after for below in layer.values() for after in below.values())
    return layers


def minimal(layers: list[dict[Hashable, Any]], start: Hashable, accepts: Callable[[Any], bool]) -> list[Layer]:
    """Merge states of a layer that accept the same words, from the last layer up; no layer if no word is accepted."""
    found: list[Layer] = []
    number: dict[Hashable, int] = {}
    for layer in reversed(layers):
        own: dict[tuple[tuple[int, int], ...], int] = {}
        numbers: dict[Hashable, int] = {}
        for state, below in layer.items():
            if found:
                alive = {n: number[after] for n, after in below.items() if after in number}
            else:
                alive = {n: 0 for n, after in below.items() if accepts(after)}
            if alive:
                numbers[state] = own.setdefault(tuple(sorted(alive.items())), len(own))
        found.append({name: dict(edges) for edges, name in own.items()})
        number = numbers
    return found[::-1] if start in number else []


def write(v: Variables, scope: Sequence[int], layers: list[Layer]) -> None:
    """Add clauses: a state and a number imply the next state; a state implies a number and a state before it."""
    if not layers:
        v.add(())
        return
    start = next(iter(layers[0]))
    before = {start: v.true}
    # Only states that the start reaches in the minimal automaton are written.
    for x, layer in zip(scope, layers, strict=True):
        edges = {state: layer[state] for state in before}
        targets = dict.fromkeys(after for below in edges.values() for after in below.values())
        single = len(targets) == 1
        after = {state: v.true if single else v.new() for state in targets}
        write_layer(v, x, edges, before, after)
        if not single:
            v.add(list(after.values()))
        before = after


def write_layer(v: Variables, x: int, edges: Layer, before: dict[int, int], after: dict[int, int]) -> None:
    """Add the clauses of one variable."""
    sources: dict[tuple[int, int], list[int]] = {}
    for state, below in edges.items():
        for n in v.domains[x]:
            if n in below:
                v.add((-before[state], -v.eq(x, n), after[below[n]]))
                sources.setdefault((n, below[n]), []).append(before[state])
            else:
                v.add((-before[state], -v.eq(x, n)))
    for n in v.domains[x]:
        v.add([-v.eq(x, n), *(reached for state in after for reached in sources.get((n, state), ()))])
        for state, literal in after.items():
            v.add([-literal, -v.eq(x, n), *sources.get((n, state), ())])
