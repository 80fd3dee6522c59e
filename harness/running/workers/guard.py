"""Guards: two small processes between a worker and its parent, which end all processes that the worker started.

`python -m harness.running.workers.guard COMMANDS REPLIES BATCH FOLDER [BOUNDARY]` forks the worker and waits for its
end, or for the end of the command pipe, which the kernel signals however the parent closes it or dies. A worker in C
code that holds the GIL can watch nothing, and the orphans of a worker that dies would be lost. A guard kills the worker
and everything below it, in any group or session, and then ends as the worker ended (puzzles/processes). Without Linux
there is no guard, and this process is the worker. BOUNDARY is the descriptor of a file that says what the worker sees.
"""

import contextlib
import gc
import os
import resource
import signal
import sys
from pathlib import Path

from puzzles.processes.guarding import fork_guarded

TYPE_CHECKING = False  # constant of `typing`, which takes longer to load than everything else
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puzzles.processes.sandbox import Sandbox

GROUP = "CROSSCHECK_GROUP"  # environment variable with the folder of its control group
OOM_SCORE = "500"  # score out of 1000: as if it had half of the machine's memory


def reset_signals() -> None:
    """Restore the signals of a terminal: no signal is blocked, or ignored as under nohup or in the background."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def prefer_to_be_killed() -> None:
    """Let the kernel kill this process, or its descendants, rather than its parent if memory runs out (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE)


def sandbox_of(words: "Sequence[str]") -> "Sandbox | None":
    """Return the sandbox in the file of the first of these descriptors, None without one."""
    if not words:
        return None
    from puzzles.processes.sandbox import Sandbox

    return Sandbox.load(int(words[0]))


def main() -> None:
    """Start the worker and guard it."""
    reset_signals()
    prefer_to_be_killed()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    commands, *others = map(int, sys.argv[1:4])
    if GROUP in os.environ:
        from harness.running.control_groups import join

        join(os.environ.pop(GROUP))
    try:
        fork_guarded(commands, others, sandbox_of(sys.argv[5:]))
    except OSError as e:
        sys.exit(f"the sandbox can't be entered: {e.strerror}")
    gc.disable()  # until the worker has opened a session: what it loads is no garbage
    from harness.running.workers import worker as serving

    serving.main()


if __name__ == "__main__":
    main()
