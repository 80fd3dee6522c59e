"""Any other solver: a program, named on the PATH or by --program NAME='COMMAND ARGS', a process a puzzle.

    dimacs:NAME       reads a formula as the SAT competitions write it, answers as they ask: 's' and 'v' lines on stdout
    lines:NAME        reads one puzzle as a line on its standard input, answers with a line: the solution,
                      'unsatisfiable' or 'unknown'
    lines:NAME:batch  the same program reads all puzzles of a batch, and answers with a line each

A command is split as a shell would, and never given to one. In a command for `dimacs`, {cnf} stands for the file with
the formula (put last if left out), {proof} for a file that it writes its proof to, as text, and {out} for one with its
answer, as minisat's. Programs are kept in the environment, CROSSCHECK_PROGRAMS, as JSON, where workers find them too.
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
# What distributions install, and how it is asked for what we read.
KNOWN = {
    "cadical": "cadical -q --no-binary {cnf} {proof}",
    "kissat": "kissat -q --no-binary {cnf} {proof}",
    "minisat": "minisat -verb=0 {cnf} {out}",
    "glucose": "glucose -verb=0 -model {cnf}",
    "cryptominisat5": "cryptominisat5 --verb 0 {cnf}",
    "picosat": "picosat {cnf}",
}


def name_programs(commands: Mapping[str, str]) -> None:
    """Make these commands known, to this process and to those that it starts."""
    os.environ[VARIABLE] = json.dumps(dict(commands))


def command(name: str) -> tuple[str, ...] | None:
    """The command of a program: named by the user, known to us, or simply on the PATH; None if there is none.

    Raises NoBackend where the user's command can't be split, or names no program.
    """
    text = json.loads(os.environ.get(VARIABLE, "{}")).get(name)
    if text is None:
        return tuple(shlex.split(KNOWN.get(name, name))) if shutil.which(name) else None
    try:
        words = tuple(shlex.split(text))
    except ValueError as e:
        raise NoBackend(f"--program {name}={text}: {str(e).lower()}") from None
    if not words or not shutil.which(words[0]):
        raise NoBackend(f"--program {name}={text}: {words[0] if words else 'nothing'!r} is no program that can be run")
    return words


@dataclass(frozen=True)
class Dimacs:
    """A program that reads DIMACS."""

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
            raise Unsupported(f"{self.name} takes clauses alone")
        return DimacsSession(self.command, formula)


@dataclass(frozen=True)
class Lines:
    """A program that reads puzzles, one a line."""

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
    """A kind of program: calling it gives those that are known and installed, `named` any other."""

    kind: Callable[[str, tuple[str, ...]], Backend]
    known: tuple[str, ...] = ()

    def __call__(self) -> tuple[Backend, ...]:
        found = ((f"dimacs:{name}", command(name)) for name in self.known)
        return tuple(self.kind(name, argv) for name, argv in found if argv)

    def named(self, name: str) -> Backend | None:
        """The backend that BASE:PROGRAM or lines:PROGRAM:batch names; None for a BASE alone. Raises NoBackend."""
        base, *rest = name.split(":")
        if not rest:
            return None
        if rest[1:] and (base, rest[1:]) != ("lines", ["batch"]):
            raise NoBackend(f"unknown backend {name!r}: programs are dimacs:NAME, lines:NAME and lines:NAME:batch")
        argv = command(rest[0])
        if argv is None:
            raise NoBackend(
                f"{name}: no program {rest[0]!r} on the PATH: name it by --program {rest[0]}='COMMAND ARGS'"
            )
        return self.kind(name, argv)


dimacs = Programs(Dimacs, tuple(KNOWN))
lines = Programs(Lines)
