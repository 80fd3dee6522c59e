"""Text from plug-ins: names and reasons on one line, printable and bounded."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_TEXT = 300  # characters of a reason
OURS = tuple(f"{ROOT / layer}{os.sep}" for layer in ("puzzles", "encoders", "backends", "harness"))


class PluginFailed(Exception):
    """A plug-in can't be used; the text is the reason, on one line."""


def one_line(text: str) -> str:
    """Return text as one printable line of bounded length."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split()))
    return line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 3]}..."


def checked_text(text: object, what: str, most: int = 100) -> str:
    """Return a printable text of at most `most` characters. Raises PluginFailed for anything else."""
    if isinstance(text, str) and text and text.isprintable() and len(text) <= most:
        return text
    raise PluginFailed(f"{what} is not a printable text of 1 to {most} characters: {one_line(repr(text))[:60]}")


def reason(error: BaseException) -> str:
    """Return an exception in one line, with the file and line of the plug-in's code that raised it."""
    import traceback

    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if not frame.filename.startswith((*OURS, "<frozen")) and f"{os.sep}importlib{os.sep}" not in frame.filename:
            where = f" ({frame.filename}:{frame.lineno})"
    if isinstance(error, SyntaxError):
        where = f" ({error.filename}:{error.lineno})"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return one_line(f"{type(error).__name__}: {text}{where}")
