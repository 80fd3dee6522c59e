"""Versions of programs: the first line that a program prints when it is asked, and a digest of its files.

A program is started once with --version, without input, within limits of time, memory and output. Many do not know that
option, so only an answer that looks like a version counts.
"""

import contextlib
import hashlib
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from backends.programs import command, program_of
from harness.model.contender import Contender
from harness.model.host import command_files, digest
from harness.running.environment import variables

SECONDS = 2.0
MEMORY = 1 << 30  # bytes of data memory
OUTPUT = 1 << 16  # bytes of each file that it writes, its output included
MAX_LINE = 100  # characters of a version


def with_version(contender: Contender) -> Contender:
    """Return the contender with the version of its program, if it is one."""
    name = program_of(contender.backend)
    known = command(name) if name else None
    return replace(contender, version=version(known.words)) if known else contender


def version(words: Sequence[str]) -> str:
    """Return the version of a command: 'LINE (sha256 DIGEST)', or 'program (sha256 DIGEST)' if it tells none."""
    digests = [digest(path) or "" for path in command_files(words)]
    combined = digests[0] if len(digests) == 1 else hashlib.sha256(" ".join(digests).encode()).hexdigest()
    return f"{told_version(words) or 'program'} (sha256 {combined[:12]})"


def told_version(words: Sequence[str]) -> str:
    """Return the first line that a program prints with --version, or '' if it is no version."""
    script = [word for word in words[1:2] if Path(word).is_file()]
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                [words[0], *script, "--version"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                env=variables(),
                start_new_session=True,
                preexec_fn=limit,
            )
        except (OSError, subprocess.SubprocessError):
            return ""
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            code = -1
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        first, *_ = output.read(OUTPUT).decode(errors="replace").strip().split("\n")
    line = " ".join(first.split())
    fits = code == 0 and line.isprintable() and len(line) <= MAX_LINE and any(c.isdigit() for c in line)
    return line if fits else ""


def limit() -> None:
    """Limit the memory and the output of this process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))
