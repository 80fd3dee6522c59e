"""Errors of readers and of the command line's parser as exceptions of the Python interface."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from harness.interface.settings import ResumeSettings, Settings, Solving
from harness.model.errors import BadUsage
from puzzles.errors import BadInput, BadLayout

OPTION = re.compile(r"(?<![\w-])-(?:-[a-z][a-z-]*[a-z]|[a-z])(?![\w-])")
ARGUMENT = re.compile(r"^argument (?:[a-z_]+=/)?([a-z_]+=):? ")  # of the parser
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
    """Return a message with options of the command line written as settings: `output=` for --output and -o."""
    known = {*Settings.__annotations__, *ResumeSettings.__annotations__, *Solving.__annotations__}

    def setting(found: re.Match[str]) -> str:
        name = SHORT.get(found[0], found[0].lstrip("-").replace("-", "_"))
        return f"{name}=" if name in known else WHOLE.get(found[0], found[0])

    return ARGUMENT.sub(r"\1 ", OPTION.sub(setting, text))
