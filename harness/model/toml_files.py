"""Files of TOML, which may be somebody else's: regular ones of limited size, with mistakes of any kind as one line."""

import tomllib
from pathlib import Path
from typing import Any

from harness.model.errors import BadUsage
from puzzles.files import read_text

MOST_BYTES = 1 << 20


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a file and its data. Raises BadUsage."""
    try:
        text = read_text(path, MOST_BYTES)
        return text, tomllib.loads(text)
    except OSError as e:
        raise BadUsage(f"{path}: {(e.strerror or 'can not be read').lower()}") from e
    except RecursionError as e:
        raise BadUsage(f"{path}: nested too deeply") from e
    except ValueError as e:  # of TOML and UTF-8, and a number of too many digits
        why = "a number of too many digits" if "integer string conversion" in str(e) else e
        raise BadUsage(f"{path}: {why}") from e
