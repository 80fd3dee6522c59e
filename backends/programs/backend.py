"""Backends of external programs, known by name or named by --program NAME='COMMAND ARGS'.

The protocols are in protocols.py. A file takes one process per solution, a line one per puzzle, and lines:NAME:batch
one per batch.

A command is split as a shell would, but never run by one. In a command for a file, {cnf}, {wcnf}, {opb}, {xcsp3},
{fzn}, {lp} or {mps} stands for the file (appended if missing), {seconds} for the whole seconds left, {out} for the file
to write the answer to, as minisat does, {proof} for the file to write the proof to, of DRAT or LRAT (`dimacs`), of sums
(`opb`, `wcnf`) or a circuit (`mcc`), also as a part of a word, as --proof-log={proof}, which is left out if no proof is
wanted; and {lrat} for --lrat, if the program's --help names that option and a proof is wanted. In a command for
`lines`, {count} stands for the number of solutions wanted: such a program lists up to so many on its line. In any
command {cores} stands for the number of cores, and {seed} for a random seed: the option `seed`, or one that the run
draws; without one a word with {seed} is left out, and in a script it is 0.
At the end of a command, {layouts: NAME, ...} names the layouts that the program takes, globs allowed; the program does
not get this word.

programs   the commands of --program by name, which callers pass, since a process may have several runs at once;
           `backends/programs/worker_programs.py` passes the command of its contender to a worker

A run asks programs for their versions (`harness/running/programs.py`); here they have none.
"""

import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Self

from backends.contract.answer import COUNTS_ALONE, OPTIMISE, Backend, Session
from backends.contract.description import Missing
from backends.contract.options import ARGUMENTS, Option, Value, arguments, split_options
from backends.contract.registry import NO_PROGRAMS, NONE_FOUND, NONE_KNOWN, NoBackend
from backends.contract.seeds import SEED
from backends.programs.known_programs import Known, known_for
from encoders.formula import (
    AllDifferent,
    Cnf,
    Constraints,
    CountedCnf,
    Formula,
    Text,
    Unsupported,
    Wcnf,
    constraints_of,
)

if TYPE_CHECKING:
    from backends.programs.opb import OpbNotation
    from backends.programs.xcsp3 import XcspNotation

LAYOUTS = re.compile(r"\{layouts:([^{}]*)\}\s*$")  # layouts at the end of a command
PROGRAM_BASES = ("dimacs", "wcnf", "opb", "xcsp3", "fzn", "lp", "mps", "mcc", "lines")
FORMATS = {  # files that programs read, by base; no original file has the format fzn: that of readers is flatzinc
    "dimacs": "cnf",
    "mcc": "cnf",
    "wcnf": "wcnf",
    "opb": "opb",
    "xcsp3": "xcsp3",
    "fzn": "fzn",
    "lp": "lp",
    "mps": "mps",
}
QUIET = re.compile(r" -q(?= |$)|( (?:-v|-verb=|--verb |-verbosity=|--verbosity=))0(?= |$)")  # in known commands
SEED_WORD = "{seed}"
WIDE = frozenset({"linear", "clauses"})  # kinds whose variables may be wide ranges in LP and MPS
OPTIMISERS_CAN = frozenset({"count", "domains", OPTIMISE})


def format_of(backend: str) -> str:
    """Return the format of files that a backend's program reads, such as cnf; '' if it reads none."""
    return FORMATS.get(backend.partition(":")[0], "")


def program_of(backend: str) -> str:
    """Return the NAME of the program of BASE:NAME, or '' for any other backend."""
    base, _, rest = split_options(backend)[0].partition(":")
    return rest.partition(":")[0] if base in PROGRAM_BASES else ""


def known_program(backend: str, programs: Mapping[str, str] = NO_PROGRAMS) -> Known | None:
    """Return the known program of a backend. None if the program is unknown, or if --program defines it."""
    known = known_for(backend.partition(":")[0]).get(name := program_of(backend))
    return known if name not in programs else None


def told_to_print(backend: str, programs: Mapping[str, str] = NO_PROGRAMS) -> dict[str, str]:
    """Return the command of a backend's known program with its usual messages, by name; nothing for other backends."""
    known = known_program(backend, programs)
    words = known.words() if known else None
    text = shlex.join(words or ())
    loud = QUIET.sub(lambda found: f"{found[1]}1" if found[1] else "", text)
    return {} if loud == text else {program_of(backend): loud}


def chosen_program(backend: str, programs: Mapping[str, str] = NO_PROGRAMS) -> str:
    """Return the installed program that a backend uses if there is a choice of two, else ''."""
    known = known_program(backend, programs)
    return known.choice() if known else ""


def found_program(backend: str, programs: Mapping[str, str] = NO_PROGRAMS) -> str:
    """Return the folder or wheel of a backend's program, '' if the program is not known."""
    known = known_program(backend, programs)
    return known.found_in() if known else ""


class Command(NamedTuple):
    """Words of a program's command; the layouts that it takes, () for all; `largest` and `plain` of Known."""

    words: tuple[str, ...]
    layouts: tuple[str, ...] = ()
    largest: int | None = None
    plain: bool = False


def command_of(known: Known) -> Command | None:
    """Return the command of a known program, None if it is not installed."""
    words = known.words()
    return Command(words, largest=known.largest, plain=known.plain) if words else None


def command(backend: str, programs: Mapping[str, str] = NO_PROGRAMS) -> Command | None:
    """Return the command of a backend's program: the user's, else the known one, else its name. None if there is none.

    Raises NoBackend if the user's command can't be split, or its program can't be run.
    """
    name = program_of(backend)
    text = programs.get(name)
    if text is None:
        if known := known_program(backend):
            return command_of(known)
        return Command((name,)) if shutil.which(name) else None
    stated = LAYOUTS.search(text)
    try:
        words = tuple(shlex.split(LAYOUTS.sub("", text)))
    except ValueError as e:
        raise NoBackend(f"--program {name}={text}: {str(e).lower()}") from None
    if not words or not shutil.which(words[0]):
        what = f"{words[0]!r} is not an executable program" if words else "the command is empty"
        raise NoBackend(f"--program {name}={text}: {what}")
    return Command(words, tuple(pattern.strip() for pattern in stated[1].split(",")) if stated else ())


@dataclass(frozen=True)
class ProgramBackend:
    """Backend of a program; its options are arguments, which follow its command."""

    name: str
    command: Command
    version: str = ""

    @property
    def options(self) -> tuple[Option, ...]:
        return (ARGUMENTS, SEED) if any(SEED_WORD in word for word in self.command.words) else (ARGUMENTS,)

    @property
    def words(self) -> tuple[str, ...]:
        """Words of the command without a seed that is not stated."""
        found = (word.replace(SEED_WORD, "0") if " " in word else word for word in self.command.words)
        return tuple(word for word in found if SEED_WORD not in word)

    def on_cores(self, cores: int) -> Self:
        words = tuple(word.replace("{cores}", str(cores)) for word in self.command.words)
        return replace(self, command=self.command._replace(words=words))

    def configured(self, options: Mapping[str, Value]) -> Self:
        given = {name: value for name, value in options.items() if name != SEED.name}
        seeded = (word.replace(SEED_WORD, str(options.get(SEED.name, SEED_WORD))) for word in self.command.words)
        words = (*seeded, *arguments(given))
        return replace(self, command=self.command._replace(words=words))


def proves(command: Command) -> frozenset[str]:
    """Return the capability to write proofs, if a word of a command names the file of one."""
    return frozenset({"proof"}) if any("{proof}" in word for word in command.words) else frozenset()


@dataclass(frozen=True)
class Dimacs(ProgramBackend):
    """Backend of a program that reads DIMACS."""

    accepts: frozenset[type] = frozenset({Cnf})

    @property
    def can(self) -> frozenset[str]:
        return frozenset({"count", "domains"} | proves(self.command))

    def open(self, formula: Formula) -> Session:
        from backends.programs.dimacs import DimacsNotation
        from backends.programs.program_session import ProgramSession

        if not isinstance(formula, Cnf) or formula.at_most:
            raise Unsupported(f"{self.name} takes only clauses")
        return ProgramSession(self.words, DimacsNotation(formula), self.command.plain)


@dataclass(frozen=True)
class MaxsatProgram(ProgramBackend):
    """Backend of a program that reads WCNF: clauses, with soft ones if there is an objective."""

    accepts: frozenset[type] = frozenset({Cnf, Wcnf})

    @property
    def can(self) -> frozenset[str]:
        return OPTIMISERS_CAN | proves(self.command)

    def open(self, formula: Formula) -> Session:
        from backends.programs.optimising import opened
        from backends.programs.wcnf import WcnfNotation

        if not isinstance(formula, Cnf | Wcnf) or (formula.hard if isinstance(formula, Wcnf) else formula).at_most:
            raise Unsupported(f"{self.name} takes only clauses")
        return opened(self.words, WcnfNotation(formula), isinstance(formula, Wcnf))


@dataclass(frozen=True)
class ConstraintProgram(ProgramBackend):
    """Backend of a program that reads constraints and objectives of every kind; `notation` loads that of its format."""

    notation: "Callable[[], type[OpbNotation | XcspNotation]]" = field(kw_only=True)
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    proofs: bool = field(default=False, kw_only=True)  # proofs of the format's programs are read

    @property
    def can(self) -> frozenset[str]:
        return OPTIMISERS_CAN | (proves(self.command) if self.proofs else frozenset())

    def form_of(self, formula: Formula) -> Constraints:
        return constraints_of(formula, self.name, ranges=self.notation().ranges)

    def refuses(self, formula: Formula) -> str | None:
        return self.notation().refused(self.form_of(formula), self.name)

    def open(self, formula: Formula) -> Session:
        from backends.programs.optimising import opened

        if why := self.refuses(formula):
            raise Unsupported(why)
        form, largest = self.form_of(formula), self.command.largest
        if largest is not None:
            self.notation().check_size(form, largest, self.name)
        return opened(self.words, self.notation()(form), form.objective is not None, self.command.plain)


@dataclass(frozen=True)
class FlatZincProgram(ProgramBackend):
    """Backend of a program that reads FlatZinc; every kind of constraint and objective is flattened."""

    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = OPTIMISERS_CAN

    def open(self, formula: Formula) -> Session:
        from backends.flat import RANGES
        from backends.programs.fzn.answers import opened

        return opened(self.words, constraints_of(formula, self.name, ranges=RANGES), self.name)


@dataclass(frozen=True)
class IntegerProgramSolver(ProgramBackend):
    """Backend of a program that reads LP or MPS; `notation` is the name of its format's."""

    notation: str = field(kw_only=True)
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"domains", OPTIMISE})

    def refuses(self, formula: Formula) -> str | None:
        from encoders.integer_program import has_own_columns
        from encoders.zero_one import unsupported

        form = constraints_of(formula, self.name, ranges=WIDE)
        if form.ranged and has_own_columns(form, form.known):
            return None
        return unsupported(constraints_of(formula, self.name), self.name)

    def open(self, formula: Formula) -> Session:
        from backends.programs import integer_programs

        if why := self.refuses(formula):
            raise Unsupported(why)
        form = constraints_of(formula, self.name, ranges=WIDE)
        notation = getattr(integer_programs, self.notation)(form)
        if form.domains is not None:
            notation.program(form.domains)  # refuses what has too large sums
        return integer_programs.opened(self.words, notation, form.objective is not None, self.command.plain)


@dataclass(frozen=True)
class CountingProgram(ProgramBackend):
    """Backend of a program that counts models."""

    accepts: frozenset[type] = frozenset({Cnf, CountedCnf})

    @property
    def can(self) -> frozenset[str]:
        return COUNTS_ALONE | proves(self.command)

    def open(self, formula: Formula) -> Session:
        from backends.programs.mcc import McNotation, ProgramCounting

        if not isinstance(formula, CountedCnf) or formula.cnf.at_most:
            raise Unsupported(f"{self.name} counts models of clauses")
        return ProgramCounting(self.words, McNotation(formula), self.command.plain)


def opb_notation() -> "type[OpbNotation]":
    """Load the notation of OPB."""
    from backends.programs.opb import OpbNotation

    return OpbNotation


def xcsp3_notation() -> "type[XcspNotation]":
    """Load the notation of XCSP3."""
    from backends.programs.xcsp3 import XcspNotation

    return XcspNotation


@dataclass(frozen=True)
class LineProgram(ProgramBackend):
    """Backend of a program that reads one puzzle per line."""

    accepts: frozenset[type] = frozenset({Text})

    @property
    def can(self) -> frozenset[str]:
        counts = any("{count}" in word for word in self.command.words)
        return frozenset({"batch"} if self.name.endswith(":batch") else ()) | frozenset({"count"} if counts else ())

    def refuses(self, formula: Formula) -> str | None:
        if not isinstance(formula, Text):
            return f"{self.name} takes text"
        known = self.command.layouts
        if not known or any(fnmatchcase(formula.layout, pattern) for pattern in known):
            return None
        return f"{self.name} takes {', '.join(known)}, not {formula.layout}"

    def open(self, formula: Formula) -> Session:
        from backends.programs.lines import BatchLinesSession, LinesSession

        if (why := self.refuses(formula)) or not isinstance(formula, Text):
            raise Unsupported(why)
        return (BatchLinesSession if "batch" in self.can else LinesSession)(self.words, formula)


@dataclass(frozen=True)
class Programs:
    """Factory of the program backends of one base. A call returns the known ones; `named` returns any."""

    base: str
    kind: Callable[[str, Command], Backend]

    def __call__(self) -> tuple[Backend | Missing, ...]:
        parts = list[Backend | Missing]()
        for name, known in known_for(self.base).items():
            found = command_of(known)
            full = f"{self.base}:{name}"
            parts.append(self.kind(full, found) if found else Missing(full, f"not found: {known.install}"))
        if all(isinstance(part, Missing) for part in parts):
            return (Missing(self.base, NONE_FOUND if parts else NONE_KNOWN), *parts)
        return tuple(sorted(parts, key=lambda part: isinstance(part, Missing)))

    def named(self, name: str, programs: Mapping[str, str]) -> Backend | None:
        """Return the backend BASE:PROGRAM or lines:PROGRAM:batch; None for a BASE alone. Raises NoBackend."""
        base, *rest = name.split(":")
        if not rest:
            return None
        if rest[1:] and (base, rest[1:]) != ("lines", ["batch"]):
            raise NoBackend(
                f"unknown backend {name!r}: programs are {', '.join(f'{b}:NAME' for b in PROGRAM_BASES)} and"
                " lines:NAME:batch"
            )
        program = command(name, programs)
        if program is None:
            known = known_for(base).get(rest[0])
            install = f": {known.install}, or" if known else ":"
            raise NoBackend(
                f"{name}: no program {rest[0]!r} on the PATH{install} define it with --program {rest[0]}='COMMAND ARGS'"
            )
        return self.kind(name, program)


dimacs = Programs("dimacs", Dimacs)
wcnf = Programs("wcnf", MaxsatProgram)
opb = Programs("opb", partial(ConstraintProgram, notation=opb_notation, proofs=True))
xcsp3 = Programs("xcsp3", partial(ConstraintProgram, notation=xcsp3_notation))
fzn = Programs("fzn", FlatZincProgram)
lp = Programs("lp", partial(IntegerProgramSolver, notation="LpNotation"))
mps = Programs("mps", partial(IntegerProgramSolver, notation="MpsNotation"))
mcc = Programs("mcc", CountingProgram)
lines = Programs("lines", LineProgram)
