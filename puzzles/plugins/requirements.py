"""Distributions that a plug-in's own distribution requires."""

import re
from importlib.metadata import EntryPoint

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def required(entry: EntryPoint) -> set[str]:
    """Return the names of the required distributions, normalised."""
    texts = (entry.dist.requires or []) if entry.dist else []
    return {normalised(match[0]) for text in texts if (match := NAME.match(text))}


def normalised(name: str) -> str:
    """Return a distribution's name in the form in which equal names are equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def package_of(module: str, entry: EntryPoint) -> str | None:
    """Return the required distribution that has the name of a missing module, or None."""
    name = normalised(module.partition(".")[0])
    return name if name in required(entry) else None
