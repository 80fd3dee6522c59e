"""Plug-in process: calls functions that load plug-ins, and replies with plain data.

`python -m puzzles.plugins.child PATHS` with the parent's `sys.path` as JSON. Requests come by standard input, and
replies go by standard output, of which a plug-in sees neither.
"""

import importlib
import json
import os
import resource
import signal
import sys
from typing import Any

from puzzles.plugins import allow_imports
from puzzles.plugins.text import reason
from puzzles.processes.guarding import fork_guarded

MEMORY = 2 << 30  # bytes of data memory
ALARM_LATER = 10  # seconds after the time at which the parent, if there is one, ends the call


def answer(request: dict[str, Any]) -> str:
    """Call the function of a request; return the reply as JSON."""
    try:
        module, _, name = request["function"].partition(":")
        function = getattr(importlib.import_module(module), name)
        return json.dumps({"id": request["id"], "value": function(*request["args"])})
    except BaseException as e:  # sys.exit included
        return json.dumps({"id": request["id"], "error": reason(e)})


def main() -> None:
    """Serve requests until the pipe is closed; an alarm ends a call that outlives the parent process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    requests, replies = os.dup(0), os.dup(1)
    fork_guarded(requests, [replies])
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):  # so that no plug-in reads requests, or prints into the replies
        os.dup2(null, fd)
    sys.path[:] = json.loads(sys.argv[1])
    allow_imports()
    for line in os.fdopen(requests, "rb"):
        request = json.loads(line)
        signal.alarm(int(request["seconds"]) + ALARM_LATER)
        reply = answer(request).encode() + b"\n"
        signal.alarm(0)
        with open(replies, "wb", closefd=False) as pipe:
            pipe.write(reply)


if __name__ == "__main__":
    main()
