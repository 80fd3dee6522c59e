"""Settings of `harness.run` and `harness.resume`: the long flags of `python -m harness run`.

They are written as the words of the command line and parsed by its parser, so defaults and checks are the same, and the
journal records the command that repeats the run.
"""

import argparse
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from harness.commands import run as verb
from harness.commands.arguments import SettingsParser
from harness.interface.models import corpora_of
from harness.model.errors import BadUsage

Path = str | os.PathLike[str]
Names = str | Sequence[str]
LIMITS = ("timeout", "open_limit", "proof_limit", "grace")  # settings that have no None


class Settings(TypedDict, total=False):
    """Settings of a run (docs/reference/python.md). Names in mappings and sequences are as on the command line."""

    puzzles: int
    only: Names
    exclude: Names
    where: str
    sample: int
    by: str
    distinct: bool
    as_: str
    alphabet: str
    ignore_objective: bool
    program: Mapping[str, str]
    env: Mapping[str, str]
    pass_env: Names
    count: int | str  # "all" counts every model
    timeout: float
    open_limit: float
    proof: bool
    proof_limit: float
    checker: Mapping[str, str]
    keep_proofs: Path
    certify: bool
    certify_by: Names
    keep_logs: Path
    log_columns: Path
    cpu: float | None
    grace: float
    memory: int | None
    repeats: int
    warmup: int
    scramble: bool
    seed: int
    families: Path
    draw_seeds: bool
    peak: bool
    jobs: int
    cores: int
    shard: str
    no_pin: bool
    on: str
    same: str
    sandbox: bool
    expose: Names
    output: Path


class ResumeSettings(TypedDict, total=False):
    """Settings of `harness.resume`. All others are those of the journal."""

    jobs: int
    no_pin: bool
    force: bool
    yes: bool
    program: Mapping[str, str]
    env: Mapping[str, str]
    checker: Mapping[str, str]
    keep_proofs: Path
    keep_logs: Path
    log_columns: Path
    on: str
    same: str


class Reading(TypedDict, total=False):
    """Settings of reading a board: `number` of the puzzle in its file, and the long flags of the same names."""

    number: int
    as_: str
    alphabet: str
    ignore_objective: bool


class Asking(TypedDict, total=False):
    """Settings of an ask: the long flags of the verb `solve`, with its defaults."""

    count: int
    timeout: float
    open_limit: float
    program: Mapping[str, str]


class Solving(Reading, Asking, total=False):
    """Settings of `harness.solve`."""


def parsed(corpora: Any, contenders: Names, settings: Mapping[str, Any]) -> argparse.Namespace:
    """Return the arguments of the command equivalent to a call. Raises BadUsage, TypeError on unknown settings."""
    require_known("run", settings, Settings.__annotations__)
    paths, names = corpora_of(corpora)
    args = arguments([*paths, *flags({"backend": listed(contenders), **settings})])
    args.model_names = names
    return args


def parsed_resume(journal: Path, settings: Mapping[str, Any]) -> argparse.Namespace:
    """Return the arguments of the command that resumes a journal. Raises BadUsage, TypeError on unknown settings."""
    require_known("resume", settings, ResumeSettings.__annotations__)
    return arguments([f"--resume={os.fspath(journal)}", *flags(settings)])


def require_known(function: str, settings: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError if a setting is unknown."""
    if unknown := [name for name in settings if name not in known]:
        raise TypeError(f"{function}() has no setting {unknown[0]!r}: choose from {', '.join(known)}")


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments of `run` from words of a command line. Raises BadUsage."""
    parser = SettingsParser(add_help=False)
    verb.add_arguments(parser)
    args = parser.parse_args(words)
    args.command = ["run", *words]
    return args


def listed(values: Any) -> list[Any]:
    """Return the values of a sequence, or a single value as a tuple."""
    return [values] if isinstance(values, str | os.PathLike) else list(values)


def flags(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of settings: --name=value; --name alone for True; one word for each member; none for None.

    Raises BadUsage for a limit that is None.
    """
    for name, value in settings.items():
        if value is None and name in LIMITS:
            raise BadUsage(f"{name}=None: every ask has a limit; state seconds")
        flag = f"--{name.rstrip('_').replace('_', '-')}"
        if isinstance(value, bool):
            yield from [flag] * value
        elif isinstance(value, Mapping):
            yield from (f"{flag}={key}={text}" for key, text in value.items())
        elif isinstance(value, list | tuple):
            yield from (f"{flag}={text}" for text in value)
        elif value is not None:
            yield f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}"
