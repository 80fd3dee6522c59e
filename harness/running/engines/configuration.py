"""Configuration of Dask in the processes of a cluster: forbidden features, and its log as notes."""

import logging
import math
import warnings
from collections.abc import Callable
from typing import Any

Notify = Callable[[str], None]
SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,  # a lease that lost its place is dealt again by the dealer
    "distributed.scheduler.work-stealing": False,  # a lease has the place that the dealer chose
    "distributed.scheduler.worker-ttl": "30s",
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.contact-address": None,
    "distributed.scheduler.preload": [],
    "distributed.scheduler.http.routes": [],
    "distributed.worker.preload": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.diagnostics.nvml": False,
    "distributed.admin.system-monitor.disk": False,
}
LEVELS = {
    "distributed": logging.WARNING,
    "distributed.scheduler": logging.ERROR,  # its warnings tell of tasks that the dealer deals again
    "distributed.worker": logging.CRITICAL,  # a failed task is an answer, and a lost scheduler is said once
    "tornado": logging.CRITICAL,
    "asyncio": logging.ERROR,
}
REPEAT_S = 60.0  # seconds between equal notes


def configure(notify: Notify) -> None:
    """Configure Dask in a process that is a scheduler or a place; its warnings become notes."""
    import dask

    warnings.filterwarnings("ignore", "Creating scratch directories")  # of a machine that is busy
    log_as_notes(notify)
    dask.config.set(SETTINGS)


def log_as_notes(notify: Notify) -> None:
    """Turn warnings of Dask into notes of one line."""
    import distributed  # noqa: F401  # sets its defaults and log handlers on import

    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logger = logging.getLogger(name)
            logger.handlers.clear()
            logger.propagate = True
            logger.setLevel(logging.NOTSET)
    for name, level in LEVELS.items():
        logger = logging.getLogger(name)
        logger.handlers[:] = [Notes(notify)]
        logger.propagate = False
        logger.setLevel(level)


class Notes(logging.Handler):
    """Filter that passes on the first line of each message, and a repeated message only once a minute."""

    def __init__(self, notify: Notify) -> None:
        super().__init__()
        self.notify = notify
        self.last: dict[tuple[str, int], float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        source = (record.pathname, record.lineno)
        line = record.getMessage().strip().partition("\n")[0]
        if line and record.created - self.last.get(source, -math.inf) >= REPEAT_S:
            self.last[source] = record.created
            self.notify(f"Dask: {line}")


def without_http(kind: type[Any]) -> type[Any]:
    """Return a class of Dask's nodes without HTTP server, which Dask starts even without a dashboard."""
    return type(kind.__name__, (kind,), {"start_http_server": lambda *_, **__: None})
