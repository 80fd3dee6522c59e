"""Automata: made deterministic by subsets of states, then written in layers."""

from collections.abc import Mapping

from encoders.integers import Variables
from encoders.kinds.layers import lower_words
from puzzles.constraints.automaton import Automaton


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
