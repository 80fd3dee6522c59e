"""Session of the solver: a fresh one per ask, loaded with the domains and the formula."""

from dataclasses import dataclass
from functools import cache, cached_property
from time import monotonic_ns
from time import perf_counter_ns as now

import numpy as np

from backends.contract.answer import Answer, Ask
from backends.native.cdcl import state as at
from backends.native.cdcl.rules import ClausesAndRules
from backends.native.cdcl.search import NO_ROOM, PAUSE, SATISFIABLE, TIME_OUT, load, search
from backends.native.cdcl.state import COUNTED, Memory, new_solver, watch_words
from backends.native.cdcl.walk import Walk, new_walk, walk
from backends.native.compiling import announce_compilation
from backends.native.memory import words
from backends.shared.enumeration import enumerate_solutions
from backends.shared.literal_map import LiteralMap
from encoders.formula import Cnf, Formula, Unsupported, kinds_of
from puzzles.problem.arrays import Int32Array, Int64Array

ROOM = 1 << 16  # words of the arena and the log beyond what is needed at once
TINY = ClausesAndRules(np.array([1, 0], np.int32), 1)
NOTHING = np.zeros(0, np.int32)


@dataclass(frozen=True)
class Clausal:
    """One formula, a fresh solver per ask."""

    formula: Cnf

    @cached_property
    def literals(self) -> LiteralMap:
        return LiteralMap(self.formula.literal)

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        program = ClausesAndRules(self.formula.clauses, self.formula.variables)
        models = CdclModels(program, self.literals.true(ask.domains), ask.seconds, ask.proof)
        found = enumerate_solutions(models, self.literals, ask, now() - begin)
        proof = models.proof() if ask.proof and found.complete else None
        return found.answer(models.counters(), proof)

    def close(self) -> None:
        """Do nothing: the session holds only memory."""


@cache
def compile_kernels() -> None:
    """Compile the kernels, or load them from the cache, so that no ask pays for it."""
    with announce_compilation("native:cdcl"):
        models = CdclModels(TINY, [], 1.0, False)
        models.solve()
        models.forbid([-1])
        walk(words(new_walk(TINY.clauses, TINY.variables)), words(models.state))


def open(formula: Formula) -> Clausal:  # noqa: A001 - every variant's module has this name
    """Return a session on clauses; its code is compiled now or loaded from the cache. Raises Unsupported."""
    if not isinstance(formula, Cnf):
        raise Unsupported(f"native:cdcl takes clauses, not {kinds_of(formula)}")
    if formula.at_most:
        raise Unsupported("native:cdcl takes no cardinality constraints")
    compile_kernels()
    return Clausal(formula)


class CdclModels:
    """The models of one ask, a ModelSource. `lemmas` are the parts of the proof so far."""

    def __init__(self, program: ClausesAndRules, units: list[int], seconds: float, proving: bool) -> None:
        self.deadline = monotonic_ns() + int(min(seconds, 1e9) * 1e9)
        flat = np.ascontiguousarray(program.clauses, np.int32)
        clauses = int(np.count_nonzero(flat == 0))
        self.state = new_solver(program.variables, clauses, program.groups, program.sums)
        self.margin = program.variables + at.LITERALS + 1 + ROOM
        self.arena = np.empty(len(flat) + at.LITERALS * clauses + self.margin, np.int32)
        self.log = np.empty(self.margin if proving else 0, np.int32)
        self.lemmas: list[Int32Array] = []
        own = np.zeros(2 * len(units), np.int32)
        own[::2] = units
        self.given = flat
        self.walk: Walk | None = None
        self.contradictory = not self.load(own) or not self.load(flat)

    def memory(self, clauses: Int32Array = NOTHING) -> Int64Array:
        """Return the memory that a kernel gets beside the state."""
        arena, log = self.arena, self.log
        return words(Memory(arena, len(arena), log, len(log), clauses, len(clauses)))

    def load(self, clauses: Int32Array) -> bool:
        """Add clauses for which there is room. False if a clause is false at once."""
        return bool(load(words(self.state), self.memory(clauses)) == SATISFIABLE)

    def solve(self) -> bool | None:
        """Search for a model: None once the time is over."""
        if self.contradictory:
            return False
        while True:
            result = search(words(self.state), self.memory(), self.deadline)
            if result == PAUSE:
                self.walk = self.walk or new_walk(self.given, self.state.variables)
                walk(words(self.walk), words(self.state))
                continue
            if result != NO_ROOM:
                return None if result == TIME_OUT else bool(result == SATISFIABLE)
            self.flush()
            self.enlarge(len(self.arena) + self.margin)

    def enlarge(self, room: int) -> None:
        """Make the arena at least `room` long, and at least half as long again, with room for one more clause."""
        if int(self.state.counts[at.TOP]) + self.margin > len(self.arena):
            larger = np.empty(max(room, len(self.arena) * 3 // 2), np.int32)
            larger[: len(self.arena)] = self.arena
            self.arena = larger
        if self.state.counts[at.CLAUSES] == self.state.counts[at.CAPACITY]:
            self.state.counts[at.CAPACITY] += self.state.counts[at.CAPACITY] // 2
            watches = np.empty(watch_words(len(self.state.level), int(self.state.counts[at.CAPACITY])), np.int32)
            watches[: len(self.state.watches)] = self.state.watches
            self.state = self.state._replace(watches=watches)

    def flush(self) -> None:
        """Take the lemmas out of the log."""
        if len(self.log):
            self.lemmas.append(self.log[: int(self.state.counts[at.LOGGED])].copy())
            self.state.counts[at.LOGGED] = 0

    def model(self) -> list[int]:
        """Return the true literals."""
        true = np.flatnonzero(self.state.value == 1)
        literals: list[int] = np.where(true & 1, -(true >> 1) - 1, (true >> 1) + 1).tolist()
        return literals

    def forbid(self, clause: list[int]) -> None:
        """Add a clause."""
        self.enlarge(len(self.arena) + len(clause) + self.margin)
        self.contradictory = not self.load(np.array([*clause, 0], np.int32))

    def counters(self) -> dict[str, int]:
        """Return the effort so far."""
        return {name: int(self.state.counts[i]) for name, i in COUNTED.items()}

    def proof(self) -> bytes:
        """Return the lemmas and the empty clause as DRUP."""
        self.flush()
        text = " ".join(map(str, np.concatenate([*self.lemmas, NOTHING]).tolist()))
        return (text.replace(" 0 ", " 0\n") + "\n0\n").lstrip().encode()
