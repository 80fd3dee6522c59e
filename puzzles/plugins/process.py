"""Process that imports plug-ins, as its parent sees it. It calls functions of ours and returns plain data, or fails.

Requests and replies are JSON lines. A call has a time limit, and the process a memory limit. It has the
environment of a worker, and the guards of a worker, which end all processes that it started. Its output is discarded.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from threading import Lock
from typing import Any

from puzzles.closing import Closing
from puzzles.plugins.text import ROOT, PluginFailed, one_line
from puzzles.processes.child import ServingChild
from puzzles.processes.environment import inherited

CALL_SECONDS = 20.0  # seconds for importing a plug-in and answering
MAX_REPLY = 1 << 26  # bytes
EXIT_SECONDS = 5.0  # seconds from the end of the replies to the exit
STARTING = Lock()  # held while a process that threads share is started


class PluginProcess(Closing):
    """Context manager of a process that imports plug-ins. `ended` says how the process ended, '' while it runs.

    Each call may take `seconds` (default: CALL_SECONDS), and its reply `max_reply` bytes. Calls of several threads take
    turns.
    """

    def __init__(self, seconds: float | None = None, max_reply: int = MAX_REPLY) -> None:
        self.seconds = CALL_SECONDS if seconds is None else seconds
        path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        # Set by the child itself: in PYTHONPATH, a module named like one of Python's own would keep it from starting.
        paths = json.dumps([str(ROOT), *(entry or os.getcwd() for entry in sys.path)])
        words = [sys.executable, "-P", "-m", "puzzles.plugins.child", paths]
        self.child = ServingChild(words, inherited(True) | {"PYTHONPATH": os.pathsep.join(path)}, max_reply)
        self.ended = ""
        self.calls = 0
        self.turn = Lock()

    def call(self, function: str, *args: Any) -> Any:
        """Call 'module:function' with plain data and return plain data. Raises PluginFailed."""
        with self.turn:
            if self.ended:
                raise PluginFailed(self.ended)
            return self.asked(function, args)

    def asked(self, function: str, args: Sequence[Any]) -> Any:
        """Send a call and return its value. Raises PluginFailed."""
        self.calls += 1
        request = {"id": self.calls, "function": function, "args": args, "seconds": self.seconds}
        end = time.monotonic() + self.seconds
        self.child.send(json.dumps(request).encode() + b"\n", end)
        try:
            reply = json.loads(self.reply(end))
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict) or reply.get("id") != self.calls:  # a plug-in wrote it
            self.end("its process sent an invalid reply")
            raise PluginFailed(self.ended)
        if "value" not in reply:
            raise PluginFailed(one_line(str(reply.get("error"))))
        return reply["value"]

    def reply(self, end: float) -> bytes:
        """Return the next line of the replies. Raises PluginFailed if none arrives in time."""
        try:
            if (line := self.child.awaited(end)) is not None:
                return line
            self.end("it did not answer in time")
        except EOFError:
            self.end("its process closed its replies", EXIT_SECONDS)
        except OverflowError:
            self.end("its process sent too long a reply")
        raise PluginFailed(self.ended)

    def end(self, why: str, seconds: float = 0) -> None:
        """Kill the process unless it ends by itself within `seconds`; record the reason, or how it ended."""
        if self.ended:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.child.process.wait(seconds)
            killer = next((s.name for s in signal.Signals if s == -code), f"signal {-code}")
            why = f"its process exited with {code}" if code >= 0 else f"its process died of {killer}"
        self.child.end(EXIT_SECONDS)  # its guards end it, with all that it has started
        self.ended = why

    def close(self) -> None:
        """End the process."""
        self.end("it is closed")
