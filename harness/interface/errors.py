"""Errors of readers and of the command line's parser as exceptions of the Python interface."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from harness.interface.settings import ResumeSettings, Settings, Solving
from harness.model.errors import BadUsage
from puzzles.errors import BadInput, BadLayout

VALUE = r"(?: (?=['\"0-9]|[A-Z]{2}))?"  # a blank before what looks like the value of an option
OPTION = re.compile(rf"(?<![\w-])(argument (?:-[a-z]/)?|with )?(-(?:-[a-z][a-z-]*[a-z]|[a-z]))(?![\w-])({VALUE})")
SHORT = {"-o": "output", "-t": "timeout", "-j": "jobs", "-n": "number", "--as": "as_"}
WHOLE = {"--resume": "harness.resume", "-b": "contenders"}


@contextmanager
def as_bad_usage() -> Iterator[None]:
    """Raise BadUsage in place of errors of readers, layouts and names of backends, in the words of a caller."""
    try:
        yield
    except BadUsage as e:
        raise type(e)(in_python(str(e))) from e.__cause__
    except (BadInput, BadLayout, LookupError) as e:
        if isinstance(e, KeyError | IndexError):
            raise  # a bug
        raise BadUsage(in_python(str(e))) from e


def in_python(text: str) -> str:
    """Return a message with options of the command line written as settings: `output=` for -o, `proof` for --proof."""
    known = {*Settings.__annotations__, *ResumeSettings.__annotations__, *Solving.__annotations__}

    def setting(found: re.Match[str]) -> str:
        before, option, blank = found[1] or "", found[2], found[3]
        name = SHORT.get(option, option.lstrip("-").replace("-", "_"))
        if name not in known:
            return f"{before}{WHOLE.get(option, option)}{blank}"
        before = "" if before.startswith("argument") else before
        return f"{before}{name}{'=' if before or blank else ''}"

    return OPTION.sub(setting, text)
