"""Progress of a long verb: a bar in a terminal, lines in a log."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOG_S = 60.0  # seconds between lines


@contextmanager
def progress_bar(total: int, logged: bool = False, unit: str = "outcomes") -> Iterator[Callable[[int], object]]:
    """Yield a function that takes numbers of outcomes; a terminal shows them as a bar, a notebook only in long runs.

    Without either, `logged` prints a line a minute.
    """
    notebook = "ipykernel" in sys.modules  # runs in a kernel, whose streams are no terminals
    if not notebook and not sys.stderr.isatty():
        yield progress_lines(total, unit) if logged else int
        return
    from tqdm import tqdm

    delay = 1.0 if notebook else 0.0
    with tqdm(total=total, unit=f" {unit}", file=sys.stderr, leave=False, delay=delay) as bar:
        yield bar.update


def progress_lines(total: int, unit: str) -> Callable[[int], object]:
    """Return a function that takes numbers of outcomes, and prints a line on them once in LOG_S."""
    import time

    from harness.commands.given import print_note
    from harness.reporting.machines.status_text import progress

    began = last = time.monotonic()
    done = 0

    def add(outcomes: int) -> None:
        nonlocal last, done
        done, now = done + outcomes, time.monotonic()
        if now - last >= LOG_S:
            last = now
            elapsed = now - began
            left = elapsed * (total - done) / done if done else None
            print_note(progress("progress", done, total, elapsed, left, unit))

    return add
