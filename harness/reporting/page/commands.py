"""Shell commands that run a contender on an instance again, each in three parts: verb, instance, and contender.

python -m harness solve | hardest.txt:3 | -b cpsat -t 10.0
"""

import os
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from backends.programs.backend import program_of
from harness.model.consent import masked
from harness.model.contender import Contender
from harness.model.invocation import called
from harness.model.settings import RunSettings
from harness.reporting.frame.results import Results
from harness.storing.corpora import StoredCorpus
from puzzles.corpora import shipped_name
from puzzles.problem.arrays import Int64Array
from puzzles.readers.folder import root_of

READING = ("--as", "--alphabet")


def command(contender: Contender, settings: RunSettings, reading: Sequence[str]) -> list[str]:
    """Return the words before and after the instance. `run` stands in where `solve` lacks an option."""
    words = ["-b", contender.name, "-t", f"{settings.limit:g}", "--count", f"{settings.count}", *reading]
    program = program_of(contender.backend)
    if program in settings.programs:
        words += ["--program", masked(f"{program}={settings.programs[program]}")]
    more = list(run_options(contender, settings))
    return [called("run" if more else "solve"), shlex.join([*words, *more])]


def run_options(contender: Contender, settings: RunSettings) -> Iterator[str]:
    """Yield the words of options that only `run` has."""
    if contender.env:
        yield from ("--env", f"{contender.env}={settings.pythons.get(contender.env, 'python')}")
    if settings.cpu:
        yield from ("--cpu", f"{settings.cpu:g}")
    if settings.memory:
        yield from ("-m", f"{max(1, settings.memory >> 20)}")
    if settings.proof:
        yield from ("--proof", "--proof-limit", f"{settings.proof_limit:g}")
    for name in settings.pass_env:
        yield from ("--pass-env", name)


def reading_options(command: Sequence[str]) -> list[str]:
    """Return the words of a run's command that state how boards are read."""
    found: list[str] = []
    for word, following in pairwise([*command, ""]):
        if word in READING:
            found += [word, following]
        elif word.partition("=")[0] in READING:
            found.append(word)
    return found


def instance_place(corpus: StoredCorpus, names: Sequence[str]) -> dict[str, Any] | None:
    """Return the rule to get FILE or FILE:LINE from a name: a text that replaces its first `drop` UTF-16 units.

    None if the corpus came from standard input, or its path can't be written.
    """
    if corpus.path is None or not corpus.path.isprintable():
        return None
    path = Path(corpus.path)
    own = path.name
    lines = [name for name in names if name != own]
    ends = [min(lines), max(lines)] if lines else []  # if these begin alike, all between them do
    if all(name.startswith(f"{own}:") for name in ends):
        return {"start": word_of(path), "drop": len(own.encode("utf-16-le")) // 2}
    return {"start": f"{word_of(root_of(path))}/", "drop": 0}


def word_of(path: Path) -> str:
    """Return a path for the command line: a shipped corpus by its name, a file below the working directory from it."""
    if name := shipped_name(path):
        return name
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else f"./{near}" if near.startswith("-") else near


def places(results: Results, names: Sequence[str], corpora: Int64Array) -> list[dict[str, Any] | None]:
    """Return `instance_place` of each corpus; `corpora` is the position of each instance's."""
    found, known = results.journal.corpora.sources(), np.array(names, object)
    return [instance_place(corpus, known[corpora == i].tolist()) for i, corpus in enumerate(found)]
