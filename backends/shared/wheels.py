"""Backends of a table by the wheel that each needs: a solver of a wheel that is not installed is named as missing."""

from importlib.metadata import PackageNotFoundError, version

from backends.contract.description import Missing
from puzzles.packages import distribution_of


def wheel_of(name: str, package: str) -> str | Missing:
    """Return the wheel of a package with its version; or the backend of a name as missing."""
    wheel = distribution_of(package) or ""
    try:
        return f"{wheel} {version(wheel)}"
    except PackageNotFoundError:
        return Missing(name, f"needs {wheel}: pip install {wheel}")
