"""Short names: contenders without their common parts, and the folders that all instances have in common."""

import re
from collections import Counter
from collections.abc import Sequence

ENCODING = re.compile(r"/[^\[\]]*$")  # of BACKEND/ENCODING; a slash in brackets is part of an option
KIND = re.compile(r"^[\w.-]+:")
LEAST = 2  # contenders of a backend from which on its name is left out


def short_names(names: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return a name for each contender without common parts, and the parts that were left out.

    The encoding is left out if all contenders with an encoding share it, and so is the backend of most contenders,
    unless two names would then be equal.
    """
    shown, left = {name: name for name in names}, list[str]()
    encodings = {found[0] for name in names if (found := ENCODING.search(name))}
    kinds = Counter(found[0] for name in names if (found := KIND.match(name))).most_common(1)
    parts = [(ENCODING, next(iter(encodings)))] if len(encodings) == 1 else []
    parts += [(KIND, kind) for kind, number in kinds if number >= LEAST]
    for pattern, part in parts:
        shorter = {
            name: pattern.sub("", text) if (found := pattern.search(text)) and found[0] == part else text
            for name, text in shown.items()
        }
        if len(set(shorter.values())) == len(names) and all(shorter.values()):
            shown, left = shorter, [*left, part]
    return shown, left


def common_start(names: Sequence[str]) -> str:
    """Return the folders that the names of all instances begin with, up to the last slash; "" of one instance."""
    low, high = min(names, default=""), max(names, default="")
    shared = next((i for i, (x, y) in enumerate(zip(low, high, strict=False)) if x != y), len(low))
    return low[: low.rfind("/", 0, shared) + 1] if len(names) > 1 else ""
