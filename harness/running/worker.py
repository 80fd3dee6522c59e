"""Worker process: opens a contender on a problem, takes batches, returns outcomes.

`python -m harness.running.worker COMMANDS REPLIES BATCH` with three file descriptors: JSON lines in, JSON lines out,
and shared memory for bulk data. The parent redirects stdout and stderr of the solver.
"""

import gc
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from backends import registry
from backends.answer import COUNTERS, Answer, Ask, Asks, Backend, Phases, Reason, Session, Status, accepted
from encoders.formula import Unsupported
from encoders.registry import Spec, combined
from harness.model.outcome import PHASES, no_value, unknown_row
from harness.running.shared_memory import AGAIN, DONE, FIRST, SINCE, SIZE, SPENT, SharedBatch
from puzzles.columns import index_type, unpack
from puzzles.constraints.clauses import Clauses
from puzzles.problem import Domains, Integers, Problem, load

LONG_CHUNK_NS = 100_000_000  # slower asks of several puzzles make the next chunk smaller
SHORT_CHUNK_NS = 20_000_000  # faster ones make it larger
WARMUP_NS = 250_000_000  # longer asks are not repeated: a cold process adds 10 to 20 ms


ONE_VARIABLE = Problem("one variable", ("x",), Integers(range(2)), (Clauses.of([(1,)]),))


class Refused(Exception):
    """Formula of one puzzle that its backend does not support."""


class PerPuzzle:
    """Session for an encoding that depends on the domains: asks encode, open, close. Raises Refused."""

    def __init__(self, backend: Backend, encode: Callable[[Domains], Any]) -> None:
        self.backend, self.encode = backend, encode

    def ask(self, ask: Ask) -> Answer:
        start = time.perf_counter_ns()
        try:
            formula = accepted(self.backend, self.encode(ask.domains))
            encoded = time.perf_counter_ns()
            session = self.backend.open(formula)
        except Unsupported as e:
            raise Refused(str(e)) from None
        opened = time.perf_counter_ns()
        answer = session.ask(ask)
        p = answer.phases or Phases(solve=time.perf_counter_ns() - opened)
        session.close()
        phases = Phases(p.encode + encoded - start, p.load + opened - encoded, p.solve, p.decode)
        return Answer(
            answer.status, answer.solutions, answer.complete, answer.reason, answer.counters, phases, answer.proof
        )

    def close(self) -> None:
        """Do nothing: no state is kept between asks."""


REASONS = {Refused: Reason.UNSUPPORTED, MemoryError: Reason.MEMORY}  # by exception of an ask; else ERROR


def open_session(backend: Backend, problem: Problem, command: dict[str, Any]) -> Session:
    """Open the contender's session on a problem. Raises Unsupported, and any exception of the backend."""
    chosen = combined(command["encoding"], command["at_most_one"])
    if chosen.sees_domains(problem):
        chosen.formula(problem, problem.open)  # warm caches of the problem before timing
        return PerPuzzle(backend, lambda domains: chosen.formula(problem, domains))
    if not problem.shared:
        return PerPuzzle(backend, lambda _: chosen.formula(problem))
    formula = accepted(backend, chosen.formula(problem))
    session: Session = backend.open_warm(formula) if command["warm"] else backend.open(formula)  # type: ignore[attr-defined]
    return session


def load_code(backend: Backend, chosen: Spec) -> None:
    """Solve a problem of one variable, so that imports and compilation are charged to no instance."""
    session = backend.open(accepted(backend, chosen.formula(ONE_VARIABLE)))
    session.ask(Ask(ONE_VARIABLE.open))
    session.close()


class Worker:
    """Open session of this process, and the shared memory of its batch."""

    session: Session
    problem: Problem

    def __init__(self, shared: SharedBatch) -> None:
        self.shared = shared
        self.chunk = 1

    def open(self, command: dict[str, Any]) -> dict[str, Any]:
        """Open the contender on the problem in shared memory; return its version and nanoseconds of setup."""
        start = time.perf_counter_ns()
        self.problem = load(self.shared.read(command["problem"]))
        self.command = command
        self.backend = registry.find(command["backend"])
        if hasattr(self, "session"):
            self.session.close()
        else:
            self.warmup = command["warmup"]
            if not self.problem.shared:
                load_code(self.backend, combined(command["encoding"], command["at_most_one"]))
        self.session = open_session(self.backend, self.problem, command)
        self.amortised = "batch" in self.backend.can
        self.columnar = hasattr(self.session, "ask_many")
        gc.collect()
        gc.freeze()
        setup = time.perf_counter_ns() - start
        if command["memory"]:
            limit_memory(command["memory"])
        version = getattr(self.session, "version", None) or self.backend.version
        return {"opened": str(version), "setup": setup}

    def batch(self, command: dict[str, Any], error: Callable[[int, str], None]) -> None:
        """Solve the batch in shared memory and write every outcome there; report errors to `error`."""
        n = command["n"]
        variables, index = len(self.problem.variables), index_type(self.problem)
        self.shared.map_batch(n, variables, command["words"], command["count"], index)
        pulse = self.shared.pulse
        domains = None if self.columnar else unpack(self.shared.domains)
        i, cap, until = 0, command["cap"], n  # up to position `until` at most `cap` puzzles per ask
        while i < n:
            size = min(n - i, n if self.amortised else self.chunk, cap if i < until else n) if self.columnar else 1
            pulse[FIRST], pulse[SIZE] = i, size
            cpu, start = cpu_time_ns(), time.perf_counter_ns()
            pulse[SPENT], pulse[SINCE] = cpu, time.monotonic_ns()
            try:
                if domains is None:
                    self.ask_many(i, size, command, start, cpu)
                else:
                    self.ask(i, domains[i], command, start, cpu)
            except BaseException as e:  # any failure of a solver, sys.exit included, is an outcome
                self.session = open_session(
                    self.backend, self.problem, self.command
                )  # the old one is in an unknown state
                if pulse[AGAIN]:
                    self.warmup, pulse[AGAIN], i = 0, 0, int(pulse[DONE])
                    continue
                if size > 1:
                    cap, until = size // 2, i + size
                    continue
                reason = next((reason for kind, reason in REASONS.items() if isinstance(e, kind)), Reason.ERROR)
                self.record_failure(i, reason, start, cpu)
                error(i, str(e) if reason == Reason.UNSUPPORTED else f"{type(e).__name__}: {e}")
            else:
                pulse[DONE] = max(pulse[DONE], i + size)
                pulse[AGAIN] = self.repeats(time.perf_counter_ns() - start)
                if pulse[AGAIN]:
                    continue
            i += size
            pulse[DONE] = i

    def repeats(self, nanoseconds: int) -> bool:
        """Return True if the last ask, now answered, is to be repeated: a short one, among the first of the process.

        Its outcome is replaced by that of the repeated ask, and stays if that one fails. A warm session remembers the
        puzzle, so it is opened again.
        """
        if nanoseconds > WARMUP_NS:
            self.warmup = 0
        if not self.warmup:
            return False
        self.warmup -= 1
        if self.command["warm"]:
            self.session.close()
            self.session = open_session(self.backend, self.problem, self.command)
        return True

    def ask(self, i: int, domains: Domains, command: dict[str, Any], start: int, cpu: int) -> None:
        """Ask one puzzle, timed around the call; time outside the reported phases counts as solving."""
        if command["peak"]:
            reset_peak()
            cpu, start = cpu_time_ns(), time.perf_counter_ns()
        answer = self.session.ask(Ask(domains, command["count"], command["limit"], proof=bool(command["proofs"])))
        wall, spent = time.perf_counter_ns() - start, cpu_time_ns() - cpu
        if not isinstance(answer, Answer):
            raise TypeError(f"the backend returned {type(answer).__name__}, not an Answer")
        if answer.reason == Reason.UNSUPPORTED:
            raise ValueError("the backend answered UNSUPPORTED, which is valid only on opening")
        if command["proofs"] and answer.proof is not None:
            Path(command["proofs"], str(i)).write_bytes(answer.proof)
        solutions = answer.solutions[: command["count"]]
        for k, solution in enumerate(solutions):
            self.shared.solutions[i, k] = self.values(solution)
        p = answer.phases or Phases()
        rest = wall - p.encode - p.load - p.decode
        if min(p.encode, p.load, p.decode) < 0 or rest < 0:
            p, rest = Phases(), wall
        self.shared.rows[i] = (
            Status(answer.status),
            Reason(answer.reason),
            answer.complete or answer.status == Status.UNSATISFIABLE,
            False,
            len(solutions),
            wall,
            spent,
            *(p.encode, p.load, rest, p.decode),
            *(answer.counters.get(c, -1) for c in COUNTERS),
            peak_memory() if command["peak"] else -1,
        )

    def values(self, solution: Any) -> list[int]:
        """Return a solution with no_value for values out of range. Raises TypeError on its length."""
        if len(solution) != len(self.problem.variables):
            raise TypeError(f"a solution has {len(solution)} values, not {len(self.problem.variables)}")
        top, none = len(self.problem.values), no_value(self.shared.solutions)
        return [int(v) if 0 <= v < top else none for v in solution]

    def ask_many(self, i: int, size: int, command: dict[str, Any], start: int, cpu: int) -> None:
        """Ask several puzzles in one call, timed by the backend or else by an equal share of the call's time."""
        shared, count = self.shared, command["count"]
        domains = shared.domains[i : i + size]
        a = self.session.ask_many(Asks(domains, count, command["limit"]))  # type: ignore[attr-defined]
        wall, spent = time.perf_counter_ns() - start, cpu_time_ns() - cpu
        found = np.asarray(a.found)
        if len(a.status) != size or found.sum() != len(a.solutions) or found.max(initial=0) > count:
            raise TypeError("the backend's columns do not match the asks")
        if (np.asarray(a.reason) == Reason.UNSUPPORTED).any():
            raise ValueError("the backend answered UNSUPPORTED, which is valid only on opening")
        rows = shared.rows[i : i + size]
        rows["status"], rows["reason"], rows["found"] = a.status, a.reason, found
        rows["complete"] = a.complete | (np.asarray(a.status) == Status.UNSATISFIABLE)
        inside = a.nanoseconds
        believable = inside is not None and inside.min(initial=0) >= 0 and inside.sum() <= wall
        rows["amortised"] = not believable
        rows["wall"] = inside if believable else wall // size
        rows["cpu"] = rows["wall"] * (spent / max(wall, 1))
        for phase in PHASES:
            rows[phase] = rows["wall"] if phase == "solve" else 0
        for counter in COUNTERS:
            rows[counter] = a.counters.get(counter, -1)
        rows["peak"] = -1
        where = np.repeat(np.arange(i, i + size), found)
        nth = np.arange(len(where)) - np.repeat(np.cumsum(found) - found, found)
        solutions = np.asarray(a.solutions)
        there, none = solutions < len(self.problem.values), no_value(shared.solutions)
        shared.solutions[where, nth] = np.where(there, solutions.astype(shared.solutions.dtype), none)
        if wall < SHORT_CHUNK_NS:
            self.chunk = min(2 * self.chunk, 4096)
        elif wall > LONG_CHUNK_NS:
            self.chunk = max(1, self.chunk // 4)

    def record_failure(self, i: int, reason: Reason, start: int, cpu: int) -> None:
        """Write the outcome of an ask that raised."""
        wall, spent = time.perf_counter_ns() - start, cpu_time_ns() - cpu
        self.shared.rows[i] = unknown_row(reason, wall, spent)


def cpu_time_ns() -> int:
    """Return the nanoseconds of CPU time of this process and of its children that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time_ns() + int(1e9 * (ended.ru_utime + ended.ru_stime))


def reset_peak() -> None:
    """Reset the kernel's peak of this process's resident memory (Linux)."""
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")


def peak_memory() -> int:
    """Return the peak of resident memory since the reset in bytes, or -1 if the system can't tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return -1
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return 1024 * int(line.split()[1])


class LimitTooSmall(ValueError):
    """Memory limit below the current use of the opened worker."""


def limit_memory(limit: int) -> None:
    """Limit the bytes of data memory of this process, including what it has now. Raises LimitTooSmall."""
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        used = 1024 * int(fields["VmData"].split()[0])
        if used >= limit:
            raise LimitTooSmall(
                f"the memory limit is below the {-(-used >> 20)} MiB that the opened worker already uses"
            )
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def main() -> None:
    """Serve commands until their pipe is closed."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    commands_fd, replies_fd, shared_fd = map(int, sys.argv[1:4])
    for fd in (commands_fd, replies_fd, shared_fd):
        os.set_inheritable(fd, False)
    commands = os.fdopen(commands_fd, "rb")
    worker = Worker(SharedBatch(shared_fd))

    def reply(message: dict[str, Any]) -> None:
        os.write(replies_fd, json.dumps(message).encode() + b"\n")

    for line in commands:
        command = json.loads(line)
        if command["do"] == "open":
            try:
                message = worker.open(command)
            except LimitTooSmall as e:
                message = {"usage": str(e)}
            except Unsupported as e:
                message = {"refused": str(e)[:2000], "unsupported": True}
            except BaseException as e:
                message = {"refused": f"{type(e).__name__}: {e}"[:2000]}
            reply(message)
        else:
            worker.batch(command, lambda i, text: reply({"error": text[:2000], "at": i}))
            reply({"done": command["n"]})


if __name__ == "__main__":
    main()
