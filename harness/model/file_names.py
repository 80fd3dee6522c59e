"""Names of instances and contenders: as parts of files' names, and told apart."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator


def safe(name: str) -> str:
    """Return a name as a part of a file's name."""
    return re.sub(r"[^A-Za-z0-9.+]+", "-", name).strip("-.") or "unnamed"


def distinct(names: Iterable[str], form: str = "{} ({})") -> Iterator[str]:
    """Yield names; a number is added, in a form, to a name that occurred before."""
    seen: Counter[str] = Counter()
    for name in names:
        shown = name
        while seen[shown]:
            seen[shown] += 1
            shown = form.format(shown, seen[shown])
        seen[shown] = 1
        yield shown
