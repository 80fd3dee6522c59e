"""Hands batches to slots and gives on what comes of them: Outcomes."""

import secrets
import select
import time
from collections.abc import Iterator, Sequence

from harness.model.contender import Contender
from harness.model.outcome import Batch, Outcomes
from harness.running.plan import MAX_WORKERS
from harness.running.reaper import Reaper
from harness.running.worker_pool import Limits, Notify, Opened, WorkerPool, ignore

NAP = 0.05  # seconds between looks where the system can't tell of a death


def supervise(
    batches: Iterator[Batch],
    contenders: Sequence[Contender],
    limits: Limits,
    opened: list[Opened],
    cores: Sequence[int | None] = (None,),
    notice: Notify = ignore,
) -> Iterator[Outcomes]:
    """Run all batches, one at a time on each core (None: wherever). Whatever ends this generator ends every worker.

    `notice` is told in a line what keeps an opening so long.
    """
    reaper = Reaper(secrets.token_hex(8))
    kept = max(1, MAX_WORKERS // len(cores))
    slots = [WorkerPool(contenders, limits, opened, reaper, core, notice, kept) for core in cores]
    try:
        while True:
            ready: list[Outcomes] = []
            for slot in slots:
                while True:
                    if not slot.busy() and (batch := next(batches, None)) is not None:
                        slot.waiting.append(batch)
                    came = list(slot.advance())
                    ready += came
                    if slot.busy() or not came:
                        break
            yield from ready
            if not any(slot.busy() for slot in slots):
                return
            if not ready:
                wait(slots)
    finally:
        for slot in slots:
            slot.close()
        reaper.close()


def wait(slots: Sequence[WorkerPool]) -> None:
    """Sleep until a worker says or prints something, dies, or is due."""
    for slot in slots:
        slot.reap_idle()
    children = [child for slot in slots for child in slot.children.values()]
    due = min(slot.deadline() for slot in slots) - time.monotonic()
    timeout = max(0.0, due) + 0.001
    if any(child.death < 0 for child in children) or any(slot.limits.cpu is not None for slot in slots):
        timeout = min(timeout, NAP)
    poll = select.poll()
    for child in children:
        for fd in child.watched():
            poll.register(fd, select.POLLIN)
    poll.poll(timeout * 1000)
    for child in children:
        child.drain()
