"""Progress of a long verb: a bar in a terminal, lines in a log."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

LOG_S = 60.0  # seconds between lines
UNITS = (("d", 86400), ("h", 3600), ("min", 60))


class ProgressBar(Protocol):
    """Function that takes a number of outcomes, and how far the next one is in words."""

    def __call__(self, outcomes: int, at: str = "", /) -> object: ...


def silent(outcomes: int, at: str = "", /) -> None:
    """Show nothing."""


@contextmanager
def progress_bar(total: int, logged: bool = False, unit: str = "outcomes") -> Iterator[ProgressBar]:
    """Yield the function to call; a terminal shows outcomes as a bar, a notebook only in long runs.

    Without either, `logged` prints a line a minute.
    """
    notebook = "ipykernel" in sys.modules  # runs in a kernel, whose streams are no terminals
    if not notebook and not sys.stderr.isatty():
        yield progress_lines(total, unit) if logged else silent
        return
    from tqdm import tqdm

    delay = 1.0 if notebook else 0.0
    with tqdm(total=total, unit=f" {unit}", file=sys.stderr, leave=False, delay=delay, miniters=0) as bar:

        def add(outcomes: int, at: str = "", /) -> None:
            bar.set_postfix_str(at, refresh=False)
            bar.update(outcomes)

        yield add


def progress_lines(total: int, unit: str) -> ProgressBar:
    """Return a function that prints a line once in LOG_S."""
    import time

    from harness.commands.given import print_note

    began = last = time.monotonic()
    done = 0

    def add(outcomes: int, at: str = "", /) -> None:
        nonlocal last, done
        done, now = done + outcomes, time.monotonic()
        if now - last >= LOG_S:
            last = now
            elapsed = now - began
            left = elapsed * (total - done) / done if done else None
            share = f" ({done / total:.0%})" if total else ""
            when = f", about {duration(left)} left" if left else ""
            print_note(f"progress: {done:,} of {total:,} {unit}{share} in {duration(elapsed)}{when}{at and f'; {at}'}")

    return add


def duration(seconds: float) -> str:
    """Return a duration in whole units, the largest two of days, hours, minutes and seconds."""
    for at, (unit, size) in enumerate(UNITS):
        if seconds >= size:
            below, part = (UNITS[at + 1] if at + 1 < len(UNITS) else ("s", 1)), seconds % size
            rest = int(part // below[1])
            return f"{int(seconds // size)} {unit}" + (f" {rest} {below[0]}" if rest else "")
    return f"{int(seconds)} s"
