"""Mutated replies of workers, fed to a real worker pool by workers that are no processes.

A scripted worker writes what an honest one would: messages into its pipe, its progress, rows and solutions into its
shared memory. Up to three mutations of bytes, fields, order or memory come on top; then it ends, hangs, or writes
without end. Each batch must give one outcome per puzzle, of legal values, with words where it is an error, within
SECONDS.
"""

import contextlib
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Status
from encoders.direct import alldifferent
from harness.judging.judge import check
from harness.model.contender import Contender
from harness.model.observing.clocks import Scheduled
from harness.model.outcome import ROW, Batch, Outcomes
from harness.model.settings import RunSettings
from harness.running.place import wait
from harness.running.workers import limits, open_workers, worker_pool
from harness.running.workers.descendants import Usage
from harness.running.workers.replies import Replies, row_faults
from harness.running.workers.run_context import OpenState, RunContext
from harness.running.workers.shared_memory import SharedBatch, create_file
from puzzles.boards.families import layout
from puzzles.problem.columns import pack

SECONDS, MEMORY = 10.0, 1 << 30  # of one batch; by which this process grows
COUNT = 2
BOARD = layout("latin 3")
GIVEN = tuple(1 << v for v in (0, 1, 2, 1, 2, 0, 2, 0, 1))
BOARDS = [BOARD.open, GIVEN, (1, 1, *BOARD.open[2:]), (1, *BOARD.open[1:])]
SESSION = registry.find("native:python").open(alldifferent(BOARD))
SOLUTIONS = [SESSION.ask(Ask(domains, COUNT)).solutions for domains in BOARDS]
EDGES = (
    -(1 << 63),
    -(1 << 31),
    -2,
    -1,
    0,
    1,
    2,
    3,
    5,
    77,
    127,
    1 << 15,
    1 << 31,
    1 << 40,
    1 << 53,
    1 << 62,
    (1 << 63) - 1,
)
VALUES: tuple[Any, ...] = (
    *(
        -1,
        0,
        1,
        3,
        4,
        1 << 31,
        1 << 63,
        10**400,
        1.5,
        float("nan"),
        float("inf"),
        True,
        None,
        "",
        "4",
        "\ud800",
        "\0\x1b[2J",
    ),
    *("x" * 70_000, [], [[]] * 9, {}, {"done": 4}, ["done"]),
)
NAMES = ("version", "setup", "reason", "refused", "at", "error", "done", "usage", "")


class Scripted:
    """Worker without a process: it replies to each command at once, with mutations."""

    random: Random  # set before a batch, as is `mutate`
    mutate = True

    def __init__(self, context: RunContext, contender: Contender, *ignored: object) -> None:
        self.contender, self.problem, self.repeat, self.pid, self.pidfd = contender, None, 0, 0, -1
        self.source, self.reads_file, self.prints_late = None, False, False
        self.asked = False
        read, self.pipe = os.pipe()
        os.set_blocking(self.pipe, False)
        self.replies, self.shared = Replies(read), SharedBatch(create_file())
        self.left, self.printed, self.inherited_peak = b"", b"", 0
        self.rested, self.worker_pid = None, 0
        self.cpus, self.group, self.killed_for_memory, self.highest = (), None, 0, 0
        self.ending = self.random.choice(("ends", "hangs", "writes"))
        self.process = self
        self.returncode: int | None = None

    def restore_folder(self) -> None:
        """Do nothing: it has no folder."""

    def opens_quickly(self, batch: Batch) -> bool:
        """Take the batch with every other opening."""
        return self.random.random() < 0.5

    def open(self, file: Any, batch: Batch, memory: int, warmup: int, order: dict[str, Any] | None) -> bool:
        self.problem = file.problem
        self.say([{"version": "1.0", "setup": 5_000}])
        return order is None or self.send_command(order)

    def send_command(self, command: dict[str, Any]) -> bool:
        """Answer the batch in shared memory, then the messages that an honest worker sends."""
        n, shared = command["n"], self.shared
        boards = [tuple(board) for board in shared.domains[:, :, 0].tolist()]
        for i, found in enumerate(SOLUTIONS[BOARDS.index(board)] for board in boards):
            status = Status.SATISFIABLE if found else Status.UNSATISFIABLE
            answer, times = (status, 0, len(found) < COUNT, 0, len(found)), (900, 800, 100, 0, 700, 100)
            shared.rows[i] = (*answer, *times, 3, 2, 1, 0, -1, 0, 0)
            for k, solution in enumerate(found):
                shared.solutions[i, k] = solution
        done = n if not self.mutate or self.random.random() < 0.7 else self.random.randrange(n)
        size = 1 if done == n else self.random.randint(1, n - done)
        shared.progress[:] = 0
        shared.progress[:4] = min(done, n - 1), size, time.monotonic_ns(), done
        if self.mutate and self.random.random() < 0.6:
            for _ in range(self.random.randint(1, 3)):
                self.forge(n)
        self.say([*({"error": "no luck", "at": i} for i in range(0, done, 2)), *([{"done": n}] if done == n else [])])
        return True

    def forge(self, n: int) -> None:
        """Write anything into the shared memory."""
        random, shared = self.random, self.shared
        place = random.randrange(4)
        if place == 0:
            shared.progress[random.randrange(7)] = random.choice(EDGES)
        elif place == 1:
            name = random.choice(ROW.names or ())
            edges = [x for x in EDGES if np.iinfo(ROW[name]).min <= x <= np.iinfo(ROW[name]).max]
            shared.rows[name][random.randrange(n)] = random.choice(edges)
        elif place == 2:
            shared.solutions[random.randrange(n), :, random.randrange(9)] = random.choice((0, 2, 3, 9, 65_534, 65_535))
        else:
            with contextlib.suppress(OSError):
                os.ftruncate(shared.fd, random.randrange(200))

    def say(self, messages: list[dict[str, Any]]) -> None:
        """Send messages, mutated first as data, then as bytes."""
        random = self.random
        if self.mutate and messages and random.random() < 0.5:
            for _ in range(random.randint(1, 3)):
                random.choice(CHANGES)(messages, random)
        text = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
        if self.mutate and text and random.random() < 0.3:
            text = changed_bytes(text, random)
        self.left += text
        self.pump()

    def pump(self) -> None:
        """Write as much as the pipe takes; a worker that writes without end has always more."""
        if not self.left and self.mutate and self.ending == "writes":
            self.left = self.random.choice((b"{}\n", b"x", b'{"done": 4}\n', b"\n")) * 10_000
        with contextlib.suppress(BlockingIOError, OSError):
            while self.left:
                self.left = self.left[os.write(self.pipe, self.left) :]

    def dead(self) -> bool:
        self.pump()
        return self.mutate and self.ending == "ends" and not self.left

    def end(self) -> tuple[str, int]:
        if self.returncode is None:
            self.returncode = 0
            for fd in (self.pipe, self.replies.fd, self.shared.fd):
                os.close(fd)
        return "exited with code 0", 0

    def open_fds(self) -> list[int]:
        return [self.replies.fd]

    def drain(self) -> None:
        self.pump()

    def next_notice(self) -> str:
        return ""

    def telling_line(self) -> str:
        return ""

    def scheduled(self, usage: Usage) -> Scheduled:
        return Scheduled()

    def usage(self) -> Usage:
        return Usage()

    def recent_usage(self) -> Usage:
        return Usage()

    def cpu(self) -> float:
        return 0.0


def change_value(messages: list[dict[str, Any]], random: Random) -> None:
    message = random.choice(messages)
    if message:
        message[random.choice(list(message))] = random.choice(VALUES)


def change_name(messages: list[dict[str, Any]], random: Random) -> None:
    message = random.choice(messages)
    if message:
        message[random.choice(NAMES)] = message.pop(random.choice(list(message)))


def add_field(messages: list[dict[str, Any]], random: Random) -> None:
    random.choice(messages)[random.choice(NAMES)] = random.choice(VALUES)


def change_order(messages: list[dict[str, Any]], random: Random) -> None:
    random.shuffle(messages)


def repeat_message(messages: list[dict[str, Any]], random: Random) -> None:
    messages.insert(random.randrange(len(messages) + 1), dict(random.choice(messages)))


def drop_message(messages: list[dict[str, Any]], random: Random) -> None:
    if len(messages) > 1:
        messages.pop(random.randrange(len(messages)))


CHANGES: tuple[Callable[[list[dict[str, Any]], Random], None], ...] = (
    *(change_value, change_name, add_field, change_order, repeat_message, drop_message),
)


def changed_bytes(text: bytes, random: Random) -> bytes:
    """Return the text with a byte changed, a part lost, doubled or cut off, or noise put in."""
    a, b = sorted(random.randrange(len(text) + 1) for _ in range(2))
    noise = random.choice((random.randbytes(9), b"[" * 60_000, b"\n" * 9, b"\xff\xfe", b'{"done": 1}\n', b"9" * 5_000))
    return random.choice((text[:a] + text[b:], text[:b] + text[a:], text[:a], text[:a] + noise + text[a:]))


def solve(random: Random, mutate: bool = True) -> list[Outcomes]:
    """Return the outcomes of one batch of all boards, solved by scripted workers."""
    Scripted.random, Scripted.mutate = random, mutate
    contender = Contender("scripted", "scripted", "alldifferent", "pairwise", False, "", "")
    settings = RunSettings(limit=0.005, count=COUNT, opening=0.01)
    folder = tempfile.TemporaryDirectory()
    reaper: Any = SimpleNamespace(token="", groups=set(), folder=Path(folder.name))
    pool = worker_pool.WorkerPool(RunContext([contender], settings, [OpenState()], reaper))
    ids = np.arange(1, len(BOARDS) + 1)
    pool.waiting.append(Batch(0, 0, BOARD, ids, pack(BOARD, BOARDS), len(BOARDS)))
    found: list[Outcomes] = []
    try:
        while pool.busy():
            found += pool.advance()
            if pool.busy():
                wait([pool])
    finally:
        pool.close()
        folder.cleanup()
    return found


def faults_of(found: list[Outcomes]) -> list[str]:
    """Return what is wrong with the outcomes of one batch."""
    ids = [p for outcomes in found for p in outcomes.batch.puzzles.tolist()]
    faults = [f"outcomes of {ids}"] * (sorted(ids) != list(range(1, len(BOARDS) + 1)))
    for outcomes in found:
        rows = outcomes.rows
        faults += row_faults(rows[rows["reason"] != Reason.CRASH], COUNT, 1 << 60).values()
        check(BOARD, outcomes.batch.domains, rows["found"], outcomes.solutions)
        failed = np.isin(rows["reason"], (Reason.ERROR, Reason.CRASH)) & (rows["status"] == Status.UNKNOWN)
        faults += [f"no words for {i}" for i in np.flatnonzero(failed).tolist() if not outcomes.details.get(i)]
        for text in outcomes.details.values():
            text.encode()
    return faults


@contextlib.contextmanager
def scripted_workers() -> Iterator[None]:
    """Let worker pools start scripted workers."""
    patience = patch.multiple(limits, KILL_GRACE_S=0.005, START_S=0.0)
    with patch.object(open_workers, "WorkerProcess", Scripted), patience:
        yield


def peak() -> int:
    """Return the most bytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def attack(name: str, count: int, seed: int) -> list[str]:
    """Return the faults found in so many batches, each named by its seed; print a summary."""
    faults, longest, reasons, before = list[str](), 0.0, Counter[str](), peak()
    with scripted_workers():
        for number in range(seed, seed + count):
            began = time.monotonic()
            try:
                found = solve(Random(number))
                faults += [f"{number}: {fault}" for fault in faults_of(found)]
                reasons.update(Reason(r).name for outcomes in found for r in outcomes.rows["reason"].tolist())
            except Exception as e:
                faults.append(f"{number}: {type(e).__name__}: {e}")
            longest = max(longest, time.monotonic() - began)
    held = peak() - before
    faults += [f"one batch took {longest:.1f} s"] * (longest > SECONDS) + [f"{held >> 20} MiB held"] * (held > MEMORY)
    print(f"{count} batches, longest {longest:.2f} s, {held >> 20} MiB more, outcomes by reason: {dict(reasons)}")
    return faults
