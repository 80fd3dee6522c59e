"""Backends for any number of values: each square gets its largest candidate, regardless of its peers.

`wide:batch` answers in columns. Both give a square with a single candidate a value outside the domain.
"""

from dataclasses import dataclass

import numpy as np

from backends.contract.answer import Answer, Answers, Ask, Asks, Session, Status
from encoders.formula import AllDifferent, Formula
from puzzles.problem.columns import unpack
from puzzles.problem.values import Domains, Solution

NONE = 1 << 20  # outside the values of every test problem


def largest(domains: Domains) -> Solution:
    return tuple(mask.bit_length() - 1 if mask & (mask - 1) else NONE for mask in domains)


class One:
    def ask(self, ask: Ask) -> Answer:
        return Answer(Status.SATISFIABLE, (largest(ask.domains),))

    def close(self) -> None:
        """Do nothing: the session holds no resources."""


class Many(One):
    def ask_many(self, asks: Asks) -> Answers:
        solutions = np.array([largest(domains) for domains in unpack(asks.domains)], np.uint32)
        n = len(solutions)
        return Answers(
            np.full(n, Status.SATISFIABLE, np.int8),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int8),
            np.ones(n, np.int32),
            solutions,
        )


@dataclass(frozen=True)
class Wide:
    name: str
    session: type[One]
    can: frozenset[str]
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({AllDifferent})

    def open(self, formula: Formula) -> Session:
        return self.session()


def backends() -> list[Wide]:
    return [
        Wide("wide:one", One, frozenset({"count", "domains"})),
        Wide("wide:batch", Many, frozenset({"count", "domains", "batch"})),
    ]
