"""Files of logs that a journal names: which of them a page may link, and `pack` may take.

A journal may be somebody else's, and name any file. So a log is a file named as ours are, in the folder that the user
states: that of --logs or --keep-logs, or else the journal's own.
"""

import re
from pathlib import Path

NAME = re.compile(r"[0-9]{5,}-[^/]*\.(?:out|err)\.gz", re.DOTALL)


def log_file(text: str, journal: Path, stated: Path | str | None = None) -> Path | None:
    """Return the file of a log that the journal at this path names, links resolved; None if it lies elsewhere."""
    folder = journal.resolve().parent
    try:
        path = (folder / text).resolve()
        within = path.is_relative_to(folder if stated is None else Path(stated).resolve())
    except (OSError, RuntimeError, ValueError):  # a circle of links, a null byte
        return None
    return path if within and NAME.fullmatch(path.name) and NAME.fullmatch(Path(text).name) else None
