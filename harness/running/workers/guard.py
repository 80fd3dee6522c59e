"""Guard: the small process between a worker and its parent, which ends everything that the worker started.

`python -m harness.running.workers.guard COMMANDS REPLIES BATCH FOLDER` forks the worker and waits for its end, or
for the end of the command pipe, which the kernel signals however the parent closes it or dies. A worker in C code that
holds the GIL can watch nothing, and the orphans of a worker that dies would be lost. The guard kills the worker and
whatever was started below it, in any group or session, and then ends as the worker ended. If the guard is killed, the
kernel kills the worker. Without Linux there is no guard, and this process is the worker.
"""

import contextlib
import gc
import os
import resource
import select
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from backends.descendants import adopt_orphans, die_with_parent, end_children

OOM_SCORE = "500"  # of 1000: as if it had half of the machine's memory


def watch(worker: int, commands: int) -> int:
    """Wait for the end of the worker or of the commands, kill what is left; return the worker's wait status."""
    pidfd = os.pidfd_open(worker)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.register(commands, 0)  # the end of the pipe alone
    poll.poll()
    os.kill(worker, signal.SIGKILL)
    _, status = os.waitpid(worker, 0)
    end_children()
    return status


def end_like(status: int) -> None:
    """End this process with a wait status."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def fork_guarded(commands: int, others: Sequence[int]) -> None:
    """Fork, and return in the child, which this process guards from now on (Linux; elsewhere do nothing).

    `commands` is the pipe whose end ends it, `others` are further descriptors of the child.
    """
    if not hasattr(os, "pidfd_open"):
        return
    adopt_orphans()
    guard = os.getpid()
    worker = os.fork()
    if worker:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2, *others):
            os.dup2(null, fd)  # so that a pipe ends when the worker closes it
        end_like(watch(worker, commands))
    die_with_parent(guard)
    adopt_orphans()


def reset_signals() -> None:
    """Restore what a solver finds in a terminal: no signal is blocked, or ignored as by nohup or in the background."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def prefer_to_be_killed() -> None:
    """Have the kernel kill this process, or what it starts, if memory runs out, rather than its parent (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE)


def main() -> None:
    """Start the worker and guard it."""
    reset_signals()
    prefer_to_be_killed()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    commands, *others = map(int, sys.argv[1:4])
    fork_guarded(commands, others)
    gc.disable()  # until the worker has opened a session: what it loads is no garbage
    from harness.running.workers import worker as serving

    serving.main()


if __name__ == "__main__":
    main()
