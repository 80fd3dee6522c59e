"""Text from plug-ins: names and reasons on one line, printable and bounded."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_TEXT = 300  # characters of a reason
BACKENDS = f"{ROOT / 'backends'}{os.sep}"
OURS = tuple(f"{ROOT / folder}{os.sep}" for folder in ("puzzles", "encoders", "harness", "backends/contract"))
STDLIB = f"{Path(os.__file__).parent}{os.sep}"


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
    """Return an exception in one line, with the file and line of the plug-in's or backend's code that raised it."""
    return one_line(raised(error, error.msg if isinstance(error, SyntaxError) else str(error)))


def raised(error: BaseException, text: str | None = None) -> str:
    """Return an exception's type and text, and on the first line where the plug-in or backend raised it."""
    first, end, rest = (str(error) if text is None else text).partition("\n")
    return f"{type(error).__name__}: {first}{raised_at(error)}{end}{rest}"


def raised_at(error: BaseException) -> str:
    """Return ' (FILE:LINE)' of the innermost frame in the code of a plug-in or backend; '' if there is none.

    Exceptions that `backends` defines say themselves what failed, such as an answer of bad form.
    """
    if type(error).__module__.startswith("backends."):
        return ""
    if isinstance(error, SyntaxError):
        return f" ({error.filename}:{error.lineno})"
    frames = list[tuple[str, int | None]]()
    trace = error.__traceback__
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    theirs = [frame for frame in frames if is_theirs(frame[0])]
    if not theirs:
        return ""
    built_in = theirs[0][0].startswith(BACKENDS)
    file, line = [frame for frame in theirs if frame[0].startswith(BACKENDS) == built_in][-1]
    return f" ({file.removeprefix(f'{ROOT}{os.sep}')}:{line})"


def is_theirs(file: str) -> bool:
    """Return True for a file of a plug-in, of what it imports, or of a built-in backend."""
    standard = file.startswith((STDLIB, "<frozen")) and f"{os.sep}site-packages{os.sep}" not in file
    return not standard and not file.startswith(OURS)
