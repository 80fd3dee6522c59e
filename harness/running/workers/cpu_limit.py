"""Limit of CPU time for work without time measurement: on a busy machine wall time is long.

Wall time has a generous cap. Idle work, which waits for what may never come, ends when its limit has passed as wall
time: then, and later at each look, it must have had a share of a core.
"""

import time
from collections.abc import Callable

WALL = 20  # times the limit, as wall time
IDLE_SHARE = 0.005  # share of a core below which a process is idle: a computing one gets more, even if it is busy
MIN_IDLE_S = 1.0  # seconds of a look at idleness, and between looks


class CpuLimit:
    """Watch over the work of a process, whose seconds of CPU time `used` returns, from now on.

    before  its CPU time now, if it is known         due  monotonic time of the next look
    """

    def __init__(self, used: Callable[[], float], limit: float, before: float | None = None) -> None:
        self.used, self.limit = used, limit
        self.before, self.began = used() if before is None else before, time.monotonic()
        self.looked, self.seen = self.began, 0.0  # time and CPU time of the last look at idleness
        self.due = self.began + limit

    def exceeded(self) -> str:
        """Return the time that exceeds the limit in words, else '', and put off the next look to when it can be."""
        now = time.monotonic()
        if now < self.due:
            return ""
        cpu, wall, window = self.used() - self.before, now - self.began, now - self.looked
        idle = window >= MIN_IDLE_S and cpu - self.seen < IDLE_SHARE * window
        if cpu < self.limit and wall < WALL * max(self.limit, MIN_IDLE_S) and not idle:
            if window >= MIN_IDLE_S:
                self.looked, self.seen = now, cpu
            self.due = now + max(min(MIN_IDLE_S, self.limit), self.limit / 10, self.limit - cpu)
            return ""
        return f"{self.limit:g} s of CPU time" if cpu >= self.limit else f"{wall:.0f} s with {cpu:.1f} s of CPU time"
