"""What a finding's file is called, its bucket, so that the same failure is not kept twice; and what to type with it."""

import re
import shlex
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from harness.fuzzing.finding import Finding, read
from harness.model.errors import BadUsage


def slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:60]


def path_of(finding: Finding, folder: Path) -> Path:
    """The file of the finding's bucket: there already, or the first name that no other bucket has."""
    stem = f"{slug(finding.case.contender)}--{slug(finding.signature)}"
    names = (f"{stem}{f'-{i}' if i > 1 else ''}.finding" for i in count(1))
    return next(path for path in (folder / name for name in names) if not path.exists() or holds(path, finding))


def holds(path: Path, finding: Finding) -> bool:
    """Whether a file is a finding of the same bucket."""
    try:
        there = read(path)
    except BadUsage:
        return False
    return (there.case.contender, there.signature) == (finding.case.contender, finding.signature)


def command(verb: str, path: Path, finding: Finding) -> str:
    """What a shell takes to do something with a finding's file."""
    python = finding.provenance.get("python", "python")
    words = [python, "-m", "harness", verb, str(path)]
    return shlex.join([*words, *(w for program in finding.provenance.get("program", ()) for w in ("--program", program))])


def program_entry(contender: str, programs: Mapping[str, str]) -> dict[str, list[str]]:
    """The program that a contender needs, as NAME=COMMAND in an entry of a finding's provenance; empty if it needs none."""
    backend = re.split(r"[/+@]", contender)[0]
    needed = [f"{name}={command}" for name, command in programs.items() if backend.split(":")[1:2] == [name]]
    return {"program": needed} if needed and backend.startswith(("dimacs:", "lines:")) else {}
