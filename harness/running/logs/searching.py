"""Search for the patterns of a user in what programs print, in a process with limits.

A regular expression may take time that grows exponentially with the text. In the process each pattern has a limit of
CPU time for an output; one that meets it is left out from then on, with a note.
"""

import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.model.outcome import Number
from harness.running.logs.columns import Patterns, compiled, last_number
from puzzles.plugins import processes, serving
from puzzles.plugins.text import PluginFailed

SECONDS = 2.0  # of CPU time for a pattern and an output
WALL = 20  # times this, for all patterns of an output together
SEARCH = f"{__name__}:search"


class TookTooLong(Exception):
    """A pattern met its limit."""


def search(patterns: Mapping[str, Sequence[str]], texts: Sequence[str], seconds: float) -> dict[str, Any]:
    """Return the number of each pattern (None: not found) and the names of the patterns that met the time limit.

    Texts are bytes as Latin-1.
    """

    def stop(*_: object) -> None:
        raise TookTooLong

    signal.signal(signal.SIGVTALRM, stop)
    found, late, printed = {}, [], [text.encode("latin-1") for text in texts]
    for name, some in patterns.items():
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            found[name] = last_number(map(compiled, some), printed)
        except (TookTooLong, MemoryError):
            late.append(name)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return {"numbers": found, "late": late}


class PatternSearch:
    """Search for the patterns of one contender; `notify` learns which are left out."""

    def __init__(self, name: str, patterns: Patterns, notify: Callable[[str], None]) -> None:
        self.name, self.notify = name, notify
        self.patterns = {name: [p.pattern.decode() for p in some] for name, some in patterns.items()}

    def numbers(self, printed: Sequence[bytes]) -> dict[str, Number]:
        """Return the numbers in what a program has printed, standard output first."""
        if not self.patterns:
            return {}

        key = "log columns", self.name
        process = serving(*key, SECONDS * WALL * len(self.patterns))
        try:
            reply = process.call(SEARCH, self.patterns, [text.decode("latin-1") for text in printed], SECONDS)
        except PluginFailed as e:
            processes.pop(key).close()
            self.leave_out(list(self.patterns), f"{e}")
            return {}
        self.leave_out(reply["late"], f"more than {SECONDS:g} s of CPU time")
        return {name: number for name, number in reply["numbers"].items() if number is not None}

    def leave_out(self, names: Sequence[str], why: str) -> None:
        """Stop searching for these patterns."""
        for name in names:
            self.patterns.pop(name, None)
            self.notify(f"--log-columns: {name} is left out from here on, for what {self.name} printed: {why}")
