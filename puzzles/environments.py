"""Environments that `get` made: a solver of PyPI, or another version of one, apart from what is installed here.

Each is a virtual environment below the user's data folder. Its record, written last, says what was installed: a folder
without one is none.
"""

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from puzzles.caches import data_home

RECORD = "got.json"


@dataclass(frozen=True)
class Installed:
    """A distribution of an environment; `sha256` is the digest of the file that was installed."""

    distribution: str
    version: str
    sha256: str


@dataclass(frozen=True)
class Environment:
    """Environment of one distribution; `packages` has that and all others installed with it, `made` is a date."""

    folder: str
    distribution: str
    version: str
    interpreter: str
    made: str
    packages: tuple[Installed, ...]

    @property
    def python(self) -> str:
        """Path of its interpreter."""
        return str(Path(self.folder, "bin", "python"))

    def has(self, version: str) -> bool:
        """Return True if this is the version, or one that begins with its numbers."""
        return f"{self.version}.".startswith(f"{version}.")


def environments_root() -> Path:
    """Return the folder of the environments."""
    return data_home() / "environments"


def write_record(folder: Path, made: Environment) -> None:
    """Write the record of an environment, which is complete then."""
    data = {name: value for name, value in asdict(made).items() if name != "folder"}
    (folder / RECORD).write_text(json.dumps(data, indent=1) + "\n")


@cache
def environments() -> tuple[Environment, ...]:
    """Return all environments in the order of their folders; what has no valid record is left out."""
    found = []
    for path in sorted(environments_root().glob(f"*/{RECORD}")):
        try:
            data = json.loads(path.read_text())
            packages = tuple(Installed(**one) for one in data.pop("packages"))
            found.append(Environment(str(path.parent), **data, packages=packages))
        except (OSError, ValueError, TypeError, KeyError):
            continue
    return tuple(found)


def environments_of(distribution: str, version: str = "") -> list[Environment]:
    """Return the environments of a distribution, '' for any, whose version is this or begins with its numbers."""
    return [e for e in environments() if distribution in ("", e.distribution) and (not version or e.has(version))]
