"""Result files of other tools, written for tests."""

from collections.abc import Sequence
from pathlib import Path

RESULT = (
    '<result benchmarkname="bench" tool="{tool}" toolmodule="t" version="1.2" generator="BenchExec 3"'
    ' date="2026-01-01 00:00:00 UTC" starttime="2026-01-01T00:00:00+00:00" timelimit="60s" memlimit="1000000B">'
    '<systeminfo><os name="Linux"/><cpu cores="4" model="CPU X"/><ram size="8B"/><environment/></systeminfo>\n'
)


def run(name: str, status: str, expected: str = "", **columns: str) -> str:
    """Return a run of a result file."""
    stated = f' expectedVerdict="{expected}"' if expected else ""
    cells = "".join(f'<column title="{title}" value="{value}"/>' for title, value in columns.items())
    return f'<run name="{name}"{stated}><column title="status" value="{status}"/>{cells}</run>\n'


def result_file(path: Path, runs: Sequence[str], tool: str = "solver", prolog: str = "") -> Path:
    """Write a result file."""
    path.write_text(f'<?xml version="1.0"?>\n{prolog}{RESULT.format(tool=tool)}{"".join(runs)}</result>\n')
    return path
