"""Backends of external programs, found on the PATH or named by --program NAME='COMMAND ARGS'.

    dimacs:NAME       one process per solution: reads a DIMACS file, prints 's' and 'v' lines (SAT competition format)
    lines:NAME        one process per puzzle: reads it as a line on standard input, prints one line: the solution,
                      'unsatisfiable' or 'unknown'
    lines:NAME:batch  one process per batch: reads one line per puzzle, prints one line for each

A command is split as a shell would, but never run by one. In a command for `dimacs`, {cnf} stands for the formula file
(appended if missing), {proof} for the file to write the proof to, as text, and {out} for the file to write the answer
to, as minisat does. The environment variable CROSSCHECK_PROGRAMS passes the commands to workers, as JSON.
"""

import json
import os
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from backends.answer import Backend, Session
from backends.registry import NoBackend
from encoders.formula import Cnf, Formula, Text, Unsupported

VARIABLE = "CROSSCHECK_PROGRAMS"
PROGRAM_BASES = ("dimacs", "lines")
# Commands of solvers that distributions package.
KNOWN = {
    "cadical": "cadical -q --no-binary {cnf} {proof}",
    "kissat": "kissat -q --no-binary {cnf} {proof}",
    "minisat": "minisat -verb=0 {cnf} {out}",
    "glucose": "glucose -verb=0 -model {cnf}",
    "cryptominisat5": "cryptominisat5 --verb 0 {cnf}",
    "picosat": "picosat {cnf}",
}


def name_programs(commands: Mapping[str, str]) -> None:
    """Register these commands in this process and its children."""
    os.environ[VARIABLE] = json.dumps(dict(commands))


def named_programs() -> tuple[str, ...]:
    """Return the names of the commands that the user has registered."""
    return tuple(json.loads(os.environ.get(VARIABLE, "{}")))


def command(name: str) -> tuple[str, ...] | None:
    """Return a program's command: the user's, else KNOWN's, else its name; None if not on the PATH.

    Raises NoBackend if the user's command can't be split, or its program can't be run.
    """
    text = json.loads(os.environ.get(VARIABLE, "{}")).get(name)
    if text is None:
        return tuple(shlex.split(KNOWN.get(name, name))) if shutil.which(name) else None
    try:
        words = tuple(shlex.split(text))
    except ValueError as e:
        raise NoBackend(f"--program {name}={text}: {str(e).lower()}") from None
    if not words or not shutil.which(words[0]):
        what = f"{words[0]!r} is not an executable program" if words else "the command is empty"
        raise NoBackend(f"--program {name}={text}: {what}")
    return words


@dataclass(frozen=True)
class Dimacs:
    """Backend of a program that reads DIMACS."""

    name: str
    command: tuple[str, ...]
    version: str = "program"
    accepts: frozenset[type] = frozenset({Cnf})

    @property
    def can(self) -> frozenset[str]:
        return frozenset({"count", "domains"} | ({"proof"} if "{proof}" in self.command else set()))

    def open(self, formula: Formula) -> Session:
        from backends.dimacs import DimacsSession

        if not isinstance(formula, Cnf) or formula.at_most:
            raise Unsupported(f"{self.name} takes only clauses")
        return DimacsSession(self.command, formula)


@dataclass(frozen=True)
class Lines:
    """Backend of a program that reads one puzzle per line."""

    name: str
    command: tuple[str, ...]
    version: str = "program"
    accepts: frozenset[type] = frozenset({Text})

    @property
    def can(self) -> frozenset[str]:
        return frozenset({"batch"} if self.name.endswith(":batch") else ())

    def open(self, formula: Formula) -> Session:
        from backends.lines import BatchLinesSession, LinesSession

        if not isinstance(formula, Text):
            raise Unsupported(f"{self.name} takes text")
        return (BatchLinesSession if "batch" in self.can else LinesSession)(self.command, formula)


@dataclass(frozen=True)
class Programs:
    """Factory of program backends of one kind: a call returns the installed known ones, `named` any."""

    kind: Callable[[str, tuple[str, ...]], Backend]
    known: tuple[str, ...] = ()

    def __call__(self) -> tuple[Backend, ...]:
        found = ((f"dimacs:{name}", command(name)) for name in self.known)
        return tuple(self.kind(name, argv) for name, argv in found if argv)

    def named(self, name: str) -> Backend | None:
        """Return the backend BASE:PROGRAM or lines:PROGRAM:batch; None for a BASE alone. Raises NoBackend."""
        base, *rest = name.split(":")
        if not rest:
            return None
        if rest[1:] and (base, rest[1:]) != ("lines", ["batch"]):
            raise NoBackend(f"unknown backend {name!r}: programs are dimacs:NAME, lines:NAME and lines:NAME:batch")
        argv = command(rest[0])
        if argv is None:
            raise NoBackend(
                f"{name}: no program {rest[0]!r} on the PATH: define it with --program {rest[0]}='COMMAND ARGS'"
            )
        return self.kind(name, argv)


dimacs = Programs(Dimacs, tuple(KNOWN))
lines = Programs(Lines)
