"""What a finding's file is called: its bucket, so that the same failure is not kept twice."""

import re
from pathlib import Path

from harness.fuzzing.finding import Finding


def slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:60]


def path_of(finding: Finding, folder: Path) -> Path:
    """The file of the finding's bucket."""
    return folder / f"{slug(finding.case.contender)}--{slug(finding.signature)}.finding"
