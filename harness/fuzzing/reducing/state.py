"""State of shrinking in a file: the smallest failing case so far, as a finding, with the cases that are known to pass.

The entry `shrinking` of the finding has the key of the original and those of the cases that passed; a finding that is
shrunk to the end has no such entry.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.fuzzing.findings.finding import PARTS, Case, Finding, read, write

ENTRY = "shrinking"
SHARE = 10  # the state is written if this many times the time of the last writing have passed


@dataclass
class ShrinkingState:
    """State of one call: `path` is its file if there is one, `best` the case of an earlier call."""

    finding: Finding
    path: Path | None = None
    of: str = ""  # key of the original case
    best: tuple[Case, ...] = ()
    passed: set[str] = field(default_factory=set)
    written: float = 0.0
    took: float = 0.0

    def keep(self, case: Case) -> None:
        """Write the smallest case, but not so often that it takes more than a tenth of the time."""
        now = time.monotonic()
        if self.path is None or now - self.written < SHARE * self.took:
            return
        write(self.unfinished(self.finding.with_case(case)), self.path)
        self.written = time.monotonic()
        self.took = self.written - now

    def begin(self, case: Case, parts: Sequence[str]) -> None:
        """Let shrinking begin with a case of a few parts of the source, in words."""
        self.best = (case,)
        self.finding = replace(self.finding, provenance={**self.finding.provenance, PARTS: list(parts)})
        self.keep(case)

    def is_unfinished(self, finding: Finding) -> bool:
        """Return True if a later call can continue with a finding."""
        return ENTRY in finding.provenance

    def unfinished(self, finding: Finding) -> Finding:
        """Return a finding with what a later call needs to continue."""
        entry = {"of": self.of, "passed": sorted(self.passed)}
        return replace(finding, provenance={**finding.provenance, ENTRY: entry})


def resumed(finding: Finding, of: str, path: Path) -> ShrinkingState:
    """Return the state that a file keeps of shrinking the finding whose case has this key, or that of a beginning."""
    own = dict(finding.provenance)
    entry = own.pop(ENTRY, None)
    bare = replace(finding, provenance=own)
    if entry is not None:  # the file of an unfinished call is to be shrunk on
        return ShrinkingState(bare, path, of, (), passed_of(entry))
    if path.exists():
        earlier = read(path)
        entry = earlier.provenance.get(ENTRY)
        if isinstance(entry, dict) and entry.get("of") == of and earlier.signature == finding.signature:
            own |= {PARTS: earlier.parts} if earlier.parts else {}
            return ShrinkingState(replace(bare, provenance=own), path, of, (earlier.case,), passed_of(entry))
    return ShrinkingState(bare, path, of)


def passed_of(entry: object) -> set[str]:
    """Return the keys in an entry, none if it is damaged."""
    passed = entry.get("passed") if isinstance(entry, dict) else None
    return {str(name) for name in passed} if isinstance(passed, list) else set()
