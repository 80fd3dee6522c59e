"""Backends of a table by the wheel that each needs: a solver of a wheel that is not installed is named as missing."""

from importlib.metadata import PackageNotFoundError

from backends.contract.description import Missing
from puzzles.packages import distribution_of, version


def wheel_of(name: str, package: str) -> str | Missing:
    """Return the wheel of a package with its version, here or in an environment of `get`; or the backend as missing."""
    wheel = distribution_of(package) or ""
    try:
        return f"{wheel} {version(wheel)}"
    except PackageNotFoundError:
        return Missing(name, f"needs {wheel}: pip install {wheel}, or `get {name}`")
