"""Versions of programs: the first line printed for --version, and a digest of the program's files.

A program is started once with --version (asking.py). Many do not know that option, so only an answer that looks like a
version counts.
"""

import hashlib
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from backends.programs.backend import command, program_of
from harness.model.contender import Contender
from harness.model.digests import digest
from harness.model.origins.command_files import command_files
from harness.model.settings import RunSettings
from harness.running.environment import import_flags, variables
from harness.running.reaper import MARK, kill_marked

SECONDS = 2.0  # seconds for an answer
SLACK = 3.0  # seconds more for the process that asks
MAX_LINE = 100  # characters of a version


def with_version(contender: Contender, settings: RunSettings) -> Contender:
    """Return the contender; if it is a program, with the version of the program."""
    known = command(contender.backend, settings.programs) if program_of(contender.backend) else None
    return replace(contender, version=version(known.words, settings.pass_env)) if known else contender


def version(words: Sequence[str], pass_env: Sequence[str] = ()) -> str:
    """Return the version of a command: 'LINE (sha256 DIGEST)', or 'program (sha256 DIGEST)' if it prints no version.

    `pass_env` names variables that the program inherits, as workers do.
    """
    digests = [digest(path) or "" for path in command_files(words)]
    combined = digests[0] if len(digests) == 1 else hashlib.sha256(" ".join(digests).encode()).hexdigest()
    return f"{printed_version(words, pass_env) or 'program'} (sha256 {combined[:12]})"


def printed_version(words: Sequence[str], pass_env: Sequence[str]) -> str:
    """Return the first line that a program prints with --version, or '' if the line is no version."""
    script = [word for word in words[1:2] if Path(word).is_file()]
    asking = [sys.executable, *import_flags(), "-m", "harness.running.asking", str(SECONDS), words[0], *script]
    mark = secrets.token_hex(8)
    try:
        done = subprocess.run(
            asking,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**variables(pass_env=pass_env), MARK: mark, "TMPDIR": tempfile.gettempdir()},
            start_new_session=True,
            timeout=SECONDS + SLACK,
            check=False,
        )
        told = done.stdout if done.returncode == 0 else b""
    except subprocess.TimeoutExpired:  # the program has stopped the process that asks it
        told = b""
    if not told:
        kill_marked(mark)
        for folder in Path(tempfile.gettempdir()).glob(f"crosscheck-{mark}-*"):
            shutil.rmtree(folder, ignore_errors=True)
    line = " ".join(told.decode(errors="replace").split())
    fits = line.isprintable() and len(line) <= MAX_LINE and any(c.isdigit() for c in line)
    return line if fits else ""
