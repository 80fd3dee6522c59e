"""Version of this project as installed; on PyPI the name `crosscheck` belongs to another project."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "crosscheck-solvers"


@cache  # since the metadata of a distribution are parsed as e-mail
def installed(distribution: str = DISTRIBUTION) -> str | None:
    """Return the version of a distribution, or None if it is not installed: a clone of this project may not be."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
