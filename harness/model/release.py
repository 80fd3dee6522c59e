"""Version of this project as it is installed; on PyPI the name `crosscheck` belongs to another one."""

from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "crosscheck-solvers"


def installed(distribution: str = DISTRIBUTION) -> str | None:
    """Return the version of a distribution, or None if it is not installed, as a clone of this project may be."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
