"""Automaton: the numbers of variables, in order, are a word that a finite automaton accepts.

It may be nondeterministic, and its states may form layers: XCSP3's `regular` and `mdd` are both automata.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from puzzles.constraints.checks import check_indices, check_number, check_numbers, check_tuple
from puzzles.constraints.numbers import Numbers, batches, names_text, numbers_of, tuples
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Solutions

Transition = tuple[int, int, int]  # state, number, next state


@dataclass(frozen=True)
class Automaton:
    """For each scope, its numbers lead from `start` to a state of `finals`. States are numbered from 0."""

    scopes: tuple[tuple[int, ...], ...]
    transitions: tuple[Transition, ...]
    start: int
    finals: tuple[int, ...]
    kind: ClassVar[str] = "automaton"

    @cached_property
    def order(self) -> dict[int, int]:
        """Position of each state among the states that the automaton mentions."""
        mentioned = [self.start, *self.finals, *(s for a, _, b in self.transitions for s in (a, b))]
        return {state: i for i, state in enumerate(dict.fromkeys(mentioned))}

    @cached_property
    def steps(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """Pairs of a state and a next state, by their positions, for each number."""
        found: dict[int, list[tuple[int, int]]] = {}
        for state, number, following in self.transitions:
            found.setdefault(number, []).append((self.order[state], self.order[following]))
        return {number: tuple(dict.fromkeys(pairs)) for number, pairs in found.items()}

    def accepted(self, numbers: Numbers, scope: Sequence[int]) -> BoolArray:
        """Return bool[m]: True if the automaton accepts the numbers of a scope."""
        reached: BoolArray = np.zeros((len(numbers), len(self.order)), np.bool_)
        reached[:, self.order[self.start]] = True
        for x in scope:
            following: BoolArray = np.zeros(reached.shape, np.bool_)
            for number, pairs in self.steps.items():
                rows = np.flatnonzero(numbers[:, x] == number)
                for state, after in pairs if len(rows) else ():
                    following[rows, after] = following[rows, after] | reached[rows, state]
            reached = following
        accepted: BoolArray = np.any(reached[:, [self.order[state] for state in self.finals]], axis=1)
        return accepted

    def check(self, problem: Problem) -> None:
        check_number(self.start)
        check_numbers(self.finals)
        check_tuple(self.scopes)
        for scope in self.scopes:
            check_indices(scope, len(problem.variables))
        check_tuple(self.transitions)
        for transition in self.transitions:
            check_tuple(transition, 3)
            check_numbers(transition)

    def satisfied(self, solutions: Solutions, problem: Problem) -> BoolArray:
        ok = np.ones(len(solutions), np.bool_)
        for part, numbers in batches(solutions, problem):
            for scope in self.scopes:
                ok[part] &= self.accepted(numbers, scope)
        return ok

    def explain(self, solution: Sequence[int], problem: Problem) -> list[str]:
        numbers = numbers_of(np.array([solution], np.uint64), problem)
        broken = [scope for scope in self.scopes if not self.accepted(numbers, scope)[0]]
        words = [", ".join(str(numbers[0, x]) for x in scope) for scope in broken]
        return [
            f"the automaton rejects {word} of {names_text(s, problem)}" for s, word in zip(broken, words, strict=True)
        ]

    def data(self) -> dict[str, Any]:
        return {"scopes": self.scopes, "transitions": self.transitions, "start": self.start, "finals": self.finals}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(tuples(data["scopes"]), tuples(data["transitions"]), data["start"], tuples(data["finals"]))


KIND = Automaton
