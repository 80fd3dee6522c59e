"""Extractors of minimal unsatisfiable subsets: our search with an oracle, and other people's programs.

A program `mus:NAME` gets the clauses of the members in the place of {cnf}, as DIMACS, or `p gcnf` if members are groups
of clauses (SAT competition 2011), and in that of {wcnf} with a soft clause for each member; or the file of an instance
that is no clauses. It prints the numbers of the members, from 1, in lines that begin with `v` or `c mus:`, or alone.
`mus:musx` and `mus:optux` are those of python-sat; `mus:cpmpy`, `mus:quickxplain` and `mus:smus` are CPMpy's tools with
CP-SAT, and `mus:exact` is its `mus` with the assumptions of Exact.
"""

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.explaining.members import ClauseGroups, Divided
from harness.explaining.oracles import ByClauses, ByContender, known, sat_solver_of, with_cores
from harness.explaining.subsets import Subset, SubsetOracle, Undecided, minimal
from harness.model.errors import BadUsage
from harness.model.settings import RunSettings
from puzzles.processes.child import ChildLimits, finished

PREFIX = "mus:"
PACKAGED = {  # commands of known extractors, for this interpreter
    "musx": "-m pysat.examples.musx {wcnf}",
    "optux": "-m pysat.examples.optux {wcnf}",
    "cpmpy": "-m backends.cpmpy.extractors mus ortools {cnf}",
    "quickxplain": "-m backends.cpmpy.extractors quickxplain ortools {cnf}",
    "smus": "-m backends.cpmpy.extractors smus ortools {cnf}",
    "exact": "-m backends.cpmpy.extractors mus exact {cnf}",
}
MEMORY, FILE, PRINTED = 4 << 30, 1 << 30, 1 << 26


def oracle_of(name: str, divided: Divided, settings: RunSettings) -> ByClauses | ByContender:
    """Return the oracle of a contender. Raises BadUsage if the name is unknown."""
    solver = sat_solver_of(name)
    if solver and divided.groups is not None:
        return ByClauses(solver, divided, settings.limit)
    found = known(name, settings.programs)
    if not found:
        raise BadUsage(f"explain: no contender {name}: `list` shows their names; mus:NAME is a program")
    return with_cores(found[0], divided, settings) or ByContender(found[0], divided, settings)


def extracted(name: str, divided: Divided, settings: RunSettings) -> Subset:
    """Return the subset that an extractor names. Raises Undecided, BadUsage."""
    if name.startswith(PREFIX):
        return by_program(name.removeprefix(PREFIX), divided, settings)
    oracle = oracle_of(name, divided, settings)
    try:
        return from_all(oracle, divided)
    finally:
        oracle.close()


def from_all(oracle: SubsetOracle, divided: Divided) -> Subset:
    """Return a minimal subset of all members. Raises Undecided, also if there is a solution."""
    answer = oracle.ask(divided.all)
    if answer.satisfiable:
        raise Undecided("finds a solution")
    return minimal(oracle, answer.core)


def by_program(name: str, divided: Divided, settings: RunSettings) -> Subset:
    """Return the members that a program prints. Raises Undecided if it fails, BadUsage if it is unknown."""
    command = command_of(name, settings.programs)
    seconds = settings.limit
    limits = ChildLimits(int(seconds) + 1, seconds * 4, MEMORY, 8 << 20, FILE, PRINTED)
    with tempfile.TemporaryDirectory(prefix="crosscheck-mus-") as folder:
        words = [placed(word, divided, Path(folder)) for word in command]
        try:
            done = finished(words, b"", limits, {"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": folder})
        except OSError as e:
            raise BadUsage(f"mus:{name}: {words[0]} can't be run: {e.strerror}") from None
    if done.beyond:
        raise Undecided(f"met its limit of {done.beyond}")
    return numbers_of(done.printed.decode("utf-8", "replace"), done.code)


def command_of(name: str, programs: Mapping[str, str]) -> list[str]:
    """Return the words of a program's command, with a place for its file. Raises BadUsage if it is unknown."""
    words = shlex.split(programs.get(name, "")) or [sys.executable, *PACKAGED.get(name, "").split()]
    if len(words) == 1 and name not in programs:
        raise BadUsage(f"mus:{name} has no command: --program {name}='COMMAND', or one of {', '.join(PACKAGED)}")
    return words if any(word in FILES for word in words) else [*words, "{cnf}"]


def placed(word: str, divided: Divided, folder: Path) -> str:
    """Return a word of a command, the path of the file in its place. Raises Undecided if there are no clauses."""
    if word not in FILES:
        return word
    if divided.groups is None:
        if divided.instance.source is None:
            raise Undecided("a program needs clauses, or the file of the instance")
        return str(divided.instance.source.path)
    path = folder / f"instance.{word[1:-1]}"
    path.write_text("\n".join([*FILES[word](divided.groups), ""]))
    return str(path)


def group_lines(groups: ClauseGroups) -> Iterator[str]:
    """Yield the clauses as DIMACS, or as groups where the members are more than clauses."""
    single = not groups.background and all(len(own) == 1 for own in groups.of)
    size = len(groups.background) + sum(map(len, groups.of))
    yield f"p cnf {groups.variables} {size}" if single else f"p gcnf {groups.variables} {size} {len(groups.of)}"
    for i, own in enumerate([groups.background, *groups.of]):
        yield from (" ".join(map(str, (*([] if single else [f"{{{i}}}"]), *clause, 0))) for clause in own)


def weighted_lines(groups: ClauseGroups) -> Iterator[str]:
    """Yield a WCNF with a soft clause for each member; the clauses of a member that has several hold with a literal."""
    first = groups.variables + 1
    hard = [list(clause) for clause in groups.background]
    hard += [[*c, -first - i] for i, own in enumerate(groups.of) if len(own) != 1 for c in own]
    soft = [own[0] if len(own) == 1 else [first + i] for i, own in enumerate(groups.of)]
    top = len(soft) + 1
    yield f"p wcnf {groups.variables + len(soft)} {len(hard) + len(soft)} {top}"
    for weight, rows in ((top, hard), (1, soft)):
        yield from (" ".join(map(str, (weight, *clause, 0))) for clause in rows)


FILES = {"{cnf}": group_lines, "{wcnf}": weighted_lines}  # places of a command for the file, and its lines


def numbers_of(printed: str, code: int) -> Subset:
    """Return the members that a program names. Raises Undecided if it names none."""
    lines = printed.splitlines()
    named = [found[1] for line in lines if (found := re.fullmatch(r"(?:v|c mus:)((?:\s+-?\d+)*)\s*", line))]
    named = named or [line for line in lines if re.fullmatch(r"\s*\d+(\s+\d+)*\s*", line)]
    if not named:
        raise Undecided(f"names no members (exit code {code})")
    return frozenset(int(word) - 1 for line in named for word in line.split() if int(word))
