"""One run of a program: its input, its time, what it said, and how it ended."""

import signal
import subprocess
from collections.abc import Sequence


class Failed(RuntimeError):
    """The program ended as no answer does; the text says how."""


class OutOfTime(Exception):
    """The program was killed at its deadline."""


def run(argv: Sequence[str], text: bytes = b"", seconds: float | None = None) -> tuple[int, bytes]:
    """Exit code and standard output. Its standard error is ours. Raises Failed, OutOfTime.

    The process stays in our process group, so that whoever kills us kills it too.
    """
    try:
        done = subprocess.run(argv, input=text, stdout=subprocess.PIPE, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise OutOfTime from None
    except OSError as e:
        raise Failed(f"{argv[0]} can't be run: {e.strerror}") from None
    if done.returncode < 0:
        raise Failed(f"{argv[0]} died of {signal.Signals(-done.returncode).name}")
    return done.returncode, done.stdout
