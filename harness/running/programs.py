"""Versions of programs: the first line printed for --version, and a digest of the program's files.

A program is started once with --version (asking.py). Many do not know that option, so only an answer that looks like a
version counts.
"""

import hashlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from backends.programs.backend import command, program_of
from harness.model.contender import Contender
from harness.model.digests import digest
from harness.model.origins.command_files import command_files
from harness.model.settings import RunSettings
from harness.running.environment import import_flags, variables
from harness.running.reaper import MARK, kill_marked

if TYPE_CHECKING:
    from harness.running.workers.sandboxes import Sandboxes
    from puzzles.processes.sandbox import Sandbox

SECONDS = 5.0  # wall time for an answer, which takes a moment: a busy machine must not look like another version
SLACK = 3.0  # seconds more for the process that asks
MAX_LINE = 100  # characters of a version


def with_version(contender: Contender, settings: RunSettings, sandboxes: "Sandboxes | None" = None) -> Contender:
    """Return the contender; if it is a program, with the version of the program, which is asked within its sandbox."""
    known = command(contender.backend, settings.programs) if program_of(contender.backend) else None
    if known is None:
        return contender
    if sandboxes is None:
        return replace(contender, version=version(known.words, settings.pass_env))
    with tempfile.TemporaryDirectory(prefix="crosscheck-", ignore_cleanup_errors=True) as folder:
        around = sandboxes.of(contender, Path(folder))
        return replace(contender, version=version(known.words, settings.pass_env, around))


def version(words: Sequence[str], pass_env: Sequence[str] = (), around: "Sandbox | None" = None) -> str:
    """Return the version of a command: 'LINE (sha256 DIGEST)', or 'program (sha256 DIGEST)' if it prints no version.

    `pass_env` names variables that the program inherits, as workers do.
    """
    digests = [digest(path) or "" for path in command_files(words)]
    combined = digests[0] if len(digests) == 1 else hashlib.sha256(" ".join(digests).encode()).hexdigest()
    return f"{printed_version(words, pass_env, around) or 'program'} (sha256 {combined[:12]})"


def printed_version(words: Sequence[str], pass_env: Sequence[str], around: "Sandbox | None") -> str:
    """Return the first line that a program prints with --version, or '' if the line is no version."""
    script = [word for word in words[1:2] if Path(word).is_file()]
    within = [around.file()] if around else []
    flags = ["-P"] if around else import_flags()
    limits = ",".join(map(str, (SECONDS, *within)))
    asking = [sys.executable, *flags, "-m", "harness.running.asking", limits, words[0], *script]
    mark = secrets.token_hex(8)
    try:
        done = subprocess.run(
            asking,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**variables(pass_env=pass_env), MARK: mark, "TMPDIR": tempfile.gettempdir()},
            start_new_session=True,
            pass_fds=within,
            timeout=SECONDS + SLACK,
            check=False,
        )
        told = done.stdout if done.returncode == 0 else b""
    except subprocess.TimeoutExpired:  # the program has stopped the process that asks it
        told = b""
    finally:
        for fd in within:
            os.close(fd)
    if not told:
        kill_marked(mark)
        for folder in Path(tempfile.gettempdir()).glob(f"crosscheck-{mark}-*"):
            shutil.rmtree(folder, ignore_errors=True)
    line = " ".join(told.decode(errors="replace").split())
    fits = line.isprintable() and len(line) <= MAX_LINE and any(c.isdigit() for c in line)
    return line if fits else ""
