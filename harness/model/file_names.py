"""Names of instances and contenders as parts of files' names."""

import re


def safe(name: str) -> str:
    """Return a name as a part of a file's name."""
    return re.sub(r"[^A-Za-z0-9.+]+", "-", name).strip("-.") or "unnamed"
