"""Endings of programs: exit codes that the protocols know, and messages of errors.

    0    any result            10   SATISFIABLE            20   UNSATISFIABLE
    30   OPTIMUM FOUND         40   UNKNOWN, of Open-WBO and what derives from it

A program that ends with another code has failed, whatever it has printed; so has one that gives up beside a message of
an error. Where the code stands for another result than the stated one, the answer has a note.
"""

import re
import signal
from contextlib import suppress

from backends.programs.process import ProgramResult
from backends.programs.telling import comments, lines_of, shown

SATISFIABLE, UNSATISFIABLE = 10, 20  # exit codes
UNDECIDED = 0
CODES = {
    SATISFIABLE: (SATISFIABLE, "SATISFIABLE"),
    UNSATISFIABLE: (UNSATISFIABLE, "UNSATISFIABLE"),
    30: (SATISFIABLE, "OPTIMUM FOUND"),
    40: (UNDECIDED, "UNKNOWN"),
}
OF_SHELL = 128  # a shell adds it to the number of the signal that ended its command
ERROR = re.compile(rb"\bERROR\b|(?:^|[\s:])(?i:error)\s*[:!]")


def in_order(code: int) -> bool:
    """Return True if a program has ended by itself with a code that the protocols know."""
    return code == 0 or code in CODES


def exited(program: str, code: int) -> str:
    """Return the message for a program that has ended with a code that the protocols do not know."""
    name = ""
    with suppress(ValueError):
        name = f" ({signal.Signals(code - OF_SHELL).name})"
    return f"{program} exited with code {code}{name}"


def error_of(result: ProgramResult) -> str:
    """Return the first line of a program's outputs that states an error, '' without any."""
    lines = (*lines_of(result.stderr), *comments(lines_of(result.output)))
    return next((shown(line) for line in lines if ERROR.search(line)), "")


def other_code(code: int, status: int | None) -> str:
    """Return a note on an exit code that stands for another result than the stated one, '' if it does not."""
    stands, word = CODES.get(code, (status or UNDECIDED, ""))
    return "" if stands == (status or UNDECIDED) else f"the exit code is {code}, which stands for {word}"
