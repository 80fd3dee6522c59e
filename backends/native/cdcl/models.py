"""The solver of one ask: its memory, which grows, and calls of the kernels. Literals are those of DIMACS."""

from collections.abc import Sequence
from functools import cache
from time import monotonic_ns

import numpy as np

from backends.native.cdcl import state as at
from backends.native.cdcl.eliminate import Elimination, eliminate, extend, new_elimination
from backends.native.cdcl.rules import ClausesAndRules, external, internal
from backends.native.cdcl.search import ENOUGH, FAILED, NO_ROOM, PAUSE, SATISFIABLE, TIME_OUT, load, search
from backends.native.cdcl.state import COUNTED, Memory, new_solver, resized, watch_words, widened
from backends.native.cdcl.walk import Walk, new_walk, walk
from backends.native.compiling import announce_compilation
from backends.native.memory import words
from puzzles.problem.arrays import Int32Array, Int64Array

ROOM = 1 << 16  # words of the arena and the log beyond what is needed at once
TINY = ClausesAndRules(np.array([1, 0], np.int32), 1)
NOTHING = np.zeros(0, np.int32)
FOREVER = 1 << 62  # conflicts
BINARY = 0.7  # share of binary clauses above which a search stays in stable mode (modes.py)
MORE = 100  # variables, beyond half as many again, that memory is made for at once


@cache
def compile_kernels() -> None:
    """Compile the kernels, or load them from the cache, so that no ask pays for it."""
    with announce_compilation("native:cdcl"):
        models = CdclModels(TINY, [], 1.0, False)
        models.solve()
        models.forbid([-1])
        memory = new_walk(TINY.clauses, TINY.variables)
        walk(words(memory), words(models.state))
        models.eliminate()
        models.model()


class CdclModels:
    """The models of one ask, a ModelSource. `lemmas` are the parts of the proof so far.

    variables  in use; there is memory for some more
    core       assumptions of the last search that can't all hold, if it failed; empty if the clauses have no model
    """

    def __init__(
        self, program: ClausesAndRules, units: list[int], seconds: float, proving: bool, eliminating: bool = False
    ) -> None:
        self.deadline = monotonic_ns() + int(min(seconds, 1e9) * 1e9)
        flat = np.ascontiguousarray(program.clauses, np.int32)
        clauses = int(np.count_nonzero(flat == 0))
        self.variables = program.variables
        self.state = new_solver(program.variables, clauses, program.groups, program.sums, proving)
        if np.count_nonzero(np.diff(np.flatnonzero(flat == 0)) == 3) > BINARY * clauses:  # two literals and the 0
            self.state.counts[at.TURN] = at.NEVER
        self.arena = np.empty(len(flat) + at.LITERALS * clauses + self.margin, np.int32)
        self.log = np.empty(self.margin if proving else 0, np.int32)
        self.lemmas: list[Int32Array] = []
        own = np.zeros(2 * len(units), np.int32)
        own[::2] = units
        self.given = flat
        self.walk: Walk | None = None
        self.eliminating = eliminating
        self.elimination: Elimination | None = None
        self.core: list[int] = []
        self.contradictory = not self.load(own) or not self.load(flat)
        self.queue_open()

    def queue_open(self) -> None:
        """Put the open variables alone into the heap, in order, so that known ones do not turn it round."""
        s, known = self.state, self.state.value[::2] != 0
        found = np.flatnonzero(~known)
        s.heap[: len(found)], s.counts[at.HEAP] = found, len(found)
        s.slot[known], s.slot[found] = at.NONE, np.arange(len(found))

    @property
    def margin(self) -> int:
        """Words of the arena and of the log that the next clause may take, and some more."""
        return len(self.state.level) + at.LITERALS + 1 + ROOM

    @property
    def conflicts(self) -> int:
        return int(self.state.counts[at.CONFLICTS])

    @property
    def lost(self) -> bool:
        """True if a reason was too long to be kept for a proof."""
        return bool(self.state.counts[at.LOST])

    @property
    def late(self) -> bool:
        """True after the deadline."""
        return monotonic_ns() > self.deadline

    def memory(self, clauses: Int32Array = NOTHING, assumed: Int32Array = NOTHING, until: int = FOREVER) -> Int64Array:
        """Return the memory that a kernel gets beside the state."""
        arena, log = self.arena, self.log
        given = clauses, len(clauses), assumed, len(assumed), until
        return words(Memory(arena, len(arena), log, len(log), *given))

    def load(self, clauses: Int32Array) -> bool:
        """Undo decisions and add clauses for which there is room. False if a clause is false at once."""
        return bool(load(words(self.state), self.memory(clauses)) == SATISFIABLE)

    def solve(self, assumptions: Sequence[int] = (), until: int = FOREVER) -> bool | None:
        """Search for a model in which the assumptions hold, literals of distinct variables.

        None once the time is over, or when there have been `until` conflicts, of all searches together.
        """
        self.core = []
        if self.contradictory:
            return False
        assumed = internal(np.array(assumptions, np.int32))
        if self.state.counts[at.LEVELS]:
            self.load(NOTHING)
        while True:
            result = search(words(self.state), self.memory(assumed=assumed, until=until), self.deadline)
            if result == PAUSE:
                self.walk = self.walk or new_walk(self.given, self.state.variables)
                if walk(words(self.walk), words(self.state)) and self.eliminating:
                    self.eliminate()
            elif result == NO_ROOM:
                self.flush()
                self.enlarge()
            else:
                return self.found(result)

    def found(self, result: int) -> bool | None:
        """Return the result of a search as `solve` does, and keep its core."""
        if result in (TIME_OUT, ENOUGH):
            return None
        if result == FAILED:
            failed = self.state.learned[: int(self.state.counts[at.CORE])]
            self.core = external(failed).tolist()
        else:
            self.contradictory = result != SATISFIABLE
        return bool(result == SATISFIABLE)

    def enlarge(self, more: int = 0, clauses: int = 1) -> None:
        """Make room for `clauses` more clauses of `more` words in all, and for what a search needs at once."""
        top, counts = int(self.state.counts[at.TOP]), self.state.counts
        if (least := top + more + self.margin) > len(self.arena):
            self.arena = resized(self.arena[:top], max(least + self.margin, len(self.arena) * 3 // 2))
        if counts[at.CLAUSES] + clauses > counts[at.CAPACITY]:
            counts[at.CAPACITY] += max(clauses, int(counts[at.CAPACITY]) // 2)
            counts[at.ROOM] = watch_words(len(self.state.level), int(counts[at.CAPACITY]))
            self.state = self.state._replace(watches=resized(self.state.watches, int(counts[at.ROOM])))

    def eliminate(self) -> None:
        """Eliminate variables, at the root, once; `add` brings their clauses back."""
        self.flush()
        self.enlarge(int(self.state.counts[at.TOP]) // 2, int(self.state.counts[at.CLAUSES]) // 2)
        self.log = np.empty(len(self.arena) if len(self.log) else 0, np.int32)
        memory = new_elimination(self.variables, len(self.arena))
        eliminate(words(self.state), self.memory(), words(memory))
        self.eliminating, self.elimination = False, memory._replace(link=NOTHING, owner=NOTHING)

    def flush(self) -> None:
        """Take the lemmas out of the log, after the reasons that they need."""
        if len(self.log):
            counts = self.state.counts
            self.lemmas.append(self.state.reasons[: int(counts[at.EXPLAINED])].copy())
            self.lemmas.append(self.log[: int(counts[at.LOGGED])].copy())
            counts[at.LOGGED] = counts[at.EXPLAINED] = 0

    def model(self) -> list[int]:
        """Return the true literals."""
        if self.elimination:
            extend(words(self.state), words(self.elimination))
        true = np.flatnonzero(self.state.value == 1)
        literals: list[int] = external(true).tolist()
        return literals

    def forbid(self, clause: list[int]) -> None:
        """Add a clause."""
        self.add([*clause, 0])

    def add(self, clauses: Sequence[int]) -> None:
        """Add clauses, each ended by 0."""
        flat = np.array(clauses, np.int32)
        if self.elimination:
            flat, self.elimination = np.concatenate([self.given, flat]), None
        ended = int(np.count_nonzero(flat == 0))
        self.enlarge(len(flat) + at.LITERALS * ended, ended)
        self.contradictory = not self.load(flat) or self.contradictory

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        if self.variables > len(self.state.level):
            self.load(NOTHING)
            self.state = widened(self.state, self.variables * 3 // 2 + MORE)
            self.enlarge()
        x, counts = self.variables - 1, self.state.counts
        self.state.heap[counts[at.HEAP]], self.state.slot[x] = x, counts[at.HEAP]
        counts[at.HEAP] += 1
        self.queue(x)
        return self.variables

    def queue(self, x: int) -> None:
        """Put a new variable to the front of the queue."""
        s, counts = self.state, self.state.counts
        front = counts[at.FRONT]
        s.older[x], s.newer[x] = front, at.NONE
        if front != at.NONE:
            s.newer[front] = x
        counts[at.STAMPED] += 1
        counts[at.FRONT], counts[at.SOUGHT], s.stamp[x] = x, x, counts[at.STAMPED]

    def prefer(self, literals: Sequence[int]) -> None:
        """Make searches try these literals first as true."""
        wanted = internal(np.array(literals, np.int32))
        self.load(NOTHING)  # or else the phases of what is decided would be saved later
        self.state.phase[wanted >> 1] = wanted & 1

    def loosen(self, row: int, least: int) -> None:
        """Set the sum that a row can lose, from the sum that it has while all literals are open."""
        self.load(NOTHING)
        s = self.state
        s.slack[row] += least - s.whole[row]
        s.whole[row] = least
        if not s.queued[row]:
            s.queue[s.counts[at.QUEUED]], s.queued[row] = row, 1
            s.counts[at.QUEUED] += 1

    def counters(self) -> dict[str, int]:
        """Return the effort so far."""
        return {name: int(self.state.counts[i]) for name, i in COUNTED.items()}

    def proof(self) -> bytes:
        """Return the lemmas and the empty clause as DRUP."""
        self.flush()
        text = " ".join(map(str, np.concatenate([*self.lemmas, NOTHING]).tolist()))
        return (text.replace(" 0 ", " 0\n") + "\n0\n").lstrip().encode()
