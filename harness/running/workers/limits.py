"""Limits of a worker, as its parent enforces them from outside.

    opening  seconds of CPU time to open a contender, since a busy machine makes wall time long
    limit    seconds of wall time per puzzle; KILL_GRACE_S later the worker is killed
    cpu      seconds of CPU time per puzzle, of the worker and all that it started
    memory   bytes that these hold together; checked as soon as they could be exceeded

A watch is made for each opening and each batch: it tells when a look is due, and which limit has been exceeded.
"""

import math
import sys
import time
from typing import NamedTuple

from backends.contract.answer import Reason
from harness.model.settings import RunSettings
from harness.running.workers.cpu_limit import CpuLimit
from harness.running.workers.descendants import descendants, group_memory
from harness.running.workers.running_threads import several_running
from harness.running.workers.shared_memory import BatchProgress
from harness.running.workers.worker_process import WorkerProcess

KILL_GRACE_S = 0.1
BLOCKS = 4  # blocks of harness work in an ask, for each of its solutions
START_S = 5.0  # seconds for a worker to begin a batch, or its next ask: no limit counts the time before
FILL_RATE = 4 << 30  # bytes per second that a process can hardly exceed
PEAK_LOOK_S = 0.05  # seconds between looks at the memory with --peak
STATE_LOOK_S = 1.0  # seconds between looks for processes stopped by a signal, in a long ask
MIN_LOOK_S, MAX_LOOK_S = 0.02, 5.0
OPENING_LOOK_SHARE = 0.25  # between looks whether the asks have begun, of the time since the batch was sent
LOOK_SHARE, PEAK_LOOK_SHARE = 0.002, 0.05  # share of a core's time for looks; the second with --peak


class Breach(NamedTuple):
    """Limit that a worker has exceeded: the reason of the outcome, and a text.

    cpu  nanoseconds of CPU time that the ask had taken, -1 if they were not looked at
    """

    reason: Reason
    text: str
    cpu: int = -1


class OpeningWatch:
    """Watch over an opening."""

    def __init__(self, child: WorkerProcess, settings: RunSettings, before: float | None = None) -> None:
        self.child, self.cpu = child, CpuLimit(child.cpu, settings.opening, before)
        self.sent = self.cpu.began
        self.stopped = 0  # an opening is not watched for that

    @property
    def due(self) -> float:
        """Monotonic time of the next look."""
        return self.cpu.due

    def breach(self) -> Breach | None:
        """Return the limit that the opening has exceeded, if any."""
        if used := self.cpu.exceeded():
            return Breach(Reason.TIMEOUT, f"not open after {used}: raise --open-limit if it needs more")
        return None


class BatchWatch:
    """Watch over the asks of a batch.

    `opening` watches over an opening that was sent with the batch, until the first ask is seen, at `began`. `peaks` are
    the highest sums of memory seen of the worker and its descendants, by position in the batch; `peaks_below` the
    highest sums of the descendants alone, where there were several. `stopped` counts processes that were found stopped
    by a signal.
    """

    def __init__(
        self, child: WorkerProcess, settings: RunSettings, puzzles: int, opening: OpeningWatch | None = None
    ) -> None:
        self.child, self.settings, self.puzzles, self.sent = child, settings, puzzles, time.monotonic()
        self.opening, self.began = opening, self.sent
        looks = sys.platform == "linux" and (settings.memory_limit > 0 or settings.peak)
        self.next_look = self.sent + MIN_LOOK_S if looks else float("inf")
        self.peaks: dict[int, int] = {}
        self.peaks_below: dict[int, int] = {}
        self.stopped, self.next_state = 0, self.sent + STATE_LOOK_S
        self.looks = self.parallel = 0  # while an ask ran; those at which several threads could run
        self.kills = child.group.kills() if child.group else 0
        self.last_seen = self.starved = -1  # starts of asks: of the last look, and of one that lost a process

    @property
    def patience(self) -> float:
        """Seconds after which an ask is overdue."""
        return self.settings.limit + KILL_GRACE_S + (self.settings.grace if self.child.prints_late else 0.0)

    def deadline(self, progress: BatchProgress) -> float:
        """Return the monotonic time at which the running ask is overdue, or all asks that the batch can need."""
        asks = 1 + 2 * self.puzzles + self.settings.warmup  # at most, as failing asks of several puzzles are halved
        apart = self.settings.opening if self.child.reads_file else 0.0  # for each block of harness work
        since = max(self.sent, progress.since / 1e9) if progress.since else self.began
        overdue = since + self.patience + (0.0 if progress.asking else START_S)
        longest = asks * (self.patience + BLOCKS * self.settings.count * apart)
        return min(overdue + (apart if progress.paused else 0.0), self.began + max(longest, START_S))

    def progress(self) -> BatchProgress:
        """Return the progress of the worker, clamped to possible values."""
        return self.child.shared.read_progress(self.puzzles)

    def opens(self, progress: BatchProgress) -> bool:
        """Return True during an opening that was sent with the batch."""
        if self.opening is not None and progress.since:
            self.asks()
        return self.opening is not None

    def asks(self) -> None:
        """Begin to watch over the asks: the opening is over."""
        self.opening, self.began = None, time.monotonic()
        if math.isfinite(self.next_look):
            self.next_look = min(self.next_look, self.began + MIN_LOOK_S)

    @property
    def due(self) -> float:
        """Monotonic time of the next look: a deadline, that of an ask that begins now, or a look at the memory."""
        progress = self.progress()
        begins_now = float("inf") if progress.asking else time.monotonic() + self.patience
        if self.opens(progress):
            assert self.opening is not None
            return min(self.opening.due, begins_now, self.next_look)
        return min(self.deadline(progress), begins_now, self.next_look)

    def breach(self) -> Breach | None:
        """Return the limit that the running ask has exceeded, if any."""
        now, settings, progress = time.monotonic(), self.settings, self.progress()
        if self.opening is not None and self.opens(progress):
            self.next_look = max(self.next_look, now + max(MIN_LOOK_S, OPENING_LOOK_SHARE * (now - self.sent)))
            return self.opening.breach()
        overdue, paused = now > self.deadline(progress), progress.paused and self.child.reads_file
        if paused and overdue:
            text = f"our own work on its file or output took over {settings.opening:g} s: raise --open-limit"
            return Breach(Reason.ERROR, text)
        limited = settings.cpu is not None and progress.asking and not paused
        if overdue or limited or now >= self.next_state:
            usage = self.child.usage()
            spent = max(0, int(1e9 * usage.cpu) - progress.spent)
        if overdue or now >= self.next_state:
            self.stopped, self.next_state = self.stopped + len(usage.stopped), now + STATE_LOOK_S
        if overdue:
            found = ", found stopped by a signal" if usage.stopped else ""
            return Breach(Reason.TIMEOUT, f"killed after {settings.limit:g} s{found}", spent if progress.asking else -1)
        if settings.cpu is not None and limited and spent > (settings.cpu + KILL_GRACE_S) * 1e9:
            return Breach(Reason.TIMEOUT, f"killed after {settings.cpu:g} s of CPU time", spent)
        if now >= self.next_look and self.child.group and self.lost_process(progress):
            return Breach(Reason.MEMORY, "killed: the kernel had ended a process of it for lack of memory")
        if now >= self.next_look and 0 < settings.memory_limit < (bytes_used := self.look(now)):
            text = f"killed at {bytes_used >> 20} MiB of memory, shared memory and child processes included"
            return Breach(Reason.MEMORY, text)
        return None

    def look(self, now: float) -> int:
        """Return the bytes that the worker and its descendants hold, and set the time of the next look."""
        at, limit = self.progress().first, self.settings.memory_limit
        group = set(descendants(self.child.pid))
        bytes_used, programs = (0, 0) if self.child.group else self.summed(group)
        if self.progress().asking:
            self.looks += 1
            self.parallel += several_running(self.child.worker_pid, group, max(1, len(self.child.cpus)))
        if at == self.progress().first and not self.child.group:
            self.peaks[at] = max(self.peaks.get(at, 0), bytes_used)
            self.peaks_below[at] = max(self.peaks_below.get(at, 0), programs)
        fill = PEAK_LOOK_S if self.settings.peak else (limit - bytes_used) / FILL_RATE
        share = PEAK_LOOK_SHARE if self.settings.peak else LOOK_SHARE
        done = time.monotonic()
        self.next_look = done + min(MAX_LOOK_S, max(MIN_LOOK_S, fill, (done - now) / share))
        return bytes_used

    def lost_process(self, progress: BatchProgress) -> bool:
        """Return True if the running ask goes on although the kernel had ended a process of it before the last look.

        A worker whose program was ended answers by itself. A process that ended between two asks is of neither.
        """
        assert self.child.group
        goes_on = progress.asking and self.starved == progress.since
        kills = self.child.group.kills()
        if kills > self.kills and (self.puzzles == 1 or progress.since == self.last_seen):
            self.starved = progress.since
        self.kills, self.last_seen = kills, progress.since
        return goes_on

    def summed(self, group: set[int]) -> tuple[int, int]:
        """Return the bytes of the worker with its descendants, and of the descendants alone if there are several."""
        below = group - {self.child.worker_pid} if self.settings.peak else set()
        programs = group_memory(below, 0) if len(below) > 1 else 0
        rest = group - below if programs else group
        return programs + group_memory(rest, 0 if self.settings.peak else self.settings.memory_limit), programs
