"""File names of findings, one for each kind of failure, and the shell commands that take them."""

import re
import shlex
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from backends.programs.backend import program_of
from backends.programs.known_programs import KNOWN
from harness.fuzzing.findings.finding import Finding, read
from harness.model.errors import BadUsage
from harness.model.invocation import called
from harness.model.reading import parse_assignments


def slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:60]


def path_of(finding: Finding, folder: Path) -> Path:
    """Return the file of the finding's kind of failure: the existing file, or the first free name."""
    stem = f"{slug(finding.case.contender)}--{slug(finding.signature)}"
    names = (f"{stem}{f'-{i}' if i > 1 else ''}.finding" for i in count(1))
    return next(path for path in (folder / name for name in names) if not path.exists() or is_of_kind(path, finding))


def is_of_kind(path: Path, finding: Finding) -> bool:
    """Return True if the file is a finding of the same kind of failure."""
    try:
        kept = read(path)
    except BadUsage:
        return False
    return (kept.case.contender, kept.signature) == (finding.case.contender, finding.signature)


def command(verb: str, path: Path, finding: Finding) -> str:
    """Return the shell command that runs `verb` on a finding's file."""
    programs = (w for program in finding.provenance.get("program", ()) for w in ("--program", program))
    words = verb, str(path), *programs
    python = finding.provenance.get("python")  # of an environment, in which alone the contender exists
    return shlex.join([python, "-m", "harness", *words]) if python else called(*words)


def program_entry(contender: str, programs: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the entry for a contender's program, NAME=COMMAND; empty if it is no program."""
    name = program_of(re.split(r"[/+@]", contender)[0])
    known = not name or (name in KNOWN and name not in programs)
    return {} if known else {"program": [f"{name}={programs.get(name, name)}"]}


def recorded(finding: Finding) -> dict[str, str]:
    """Return the commands of programs that a finding names."""
    return parse_assignments(finding.provenance.get("program", ()))
