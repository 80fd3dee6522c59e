"""Commands of a cluster for tests."""

import subprocess
import sys
from pathlib import Path


def started(environment: dict[str, str], folder: Path, *words: str) -> subprocess.Popen[str]:
    """A command that has printed its first line."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "harness", *words]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)
    assert process.stdout is not None
    assert process.stdout.readline()
    return process
