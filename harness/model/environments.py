"""Contenders of environments that `get` made: `cpsat@9.11` runs on the interpreter of the one with that version."""

from collections.abc import Iterable, Mapping

from backends.contract.options import split_options
from harness.model.errors import BadUsage
from harness.model.patterns import NamePattern, parse
from puzzles.environments import Environment, environments_of
from puzzles.packages import installed, solver_of


def interpreters(patterns: Iterable[str], stated: Mapping[str, str]) -> dict[str, str]:
    """Return the interpreters of --env by name, and those of environments that patterns of contenders name.

    Raises BadUsage if a name stands for several environments.
    """
    found = dict(stated)
    for pattern in patterns:
        try:
            wanted = parse(pattern)
        except BadUsage:  # `resolve` tells what is wrong with it
            continue
        if wanted.env in ("", *stated) or not (made := environments_named(wanted)):
            continue
        if len(made) > 1 or found.get(wanted.env, made[0].python) != made[0].python:
            known = ", ".join(f"{e.distribution} {e.version}" for e in environments_of("", wanted.env))
            raise BadUsage(f"contender {pattern!r}: @{wanted.env} may be any of {known}: state more numbers, or --env")
        found[wanted.env] = made[0].python
    return found


def environments_named(wanted: NamePattern) -> list[Environment]:
    """Return the environments that the version of a pattern names: of its solver, if that is one distribution."""
    return environments_of(solver_of(wanted.backend), wanted.env)


def elsewhere(name: str) -> str:
    """Return the reason why a backend needs @VERSION, or '': its solver is not installed here."""
    distribution = solver_of(split_options(name)[0])
    made = environments_of(distribution) if distribution else []
    if not made or installed(distribution):  # looking for packages takes 20 ms
        return ""
    versions = ", ".join(f"{name}@{e.version}" for e in made)
    return f"its solver is not installed here, but in an environment: {versions}"
