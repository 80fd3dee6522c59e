"""Series of journals: those of the same corpora, limits and number of solutions, in the order of their dates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from harness.reporting.site.facts import Facts


@dataclass(frozen=True)
class History:
    """Journals of one kind, the oldest first, and comparisons of neighbours by the id of the newer one."""

    title: str
    journals: Sequence[Facts]
    changes: Mapping[str, Facts]

    @property
    def page(self) -> str:
        """Name of its page."""
        return f"series-{sha256(self.title.encode()).hexdigest()[:12]}.html"

    @property
    def names(self) -> list[str]:
        """Contenders, in the order of the latest ranking, then those that are gone."""
        every = (c["name"] for journal in reversed(self.journals) for c in journal["contenders"])
        return list(dict.fromkeys(every))


def neighbours(journals: Iterable[Facts]) -> list[tuple[Facts, Facts]]:
    """Return each journal with the next one of its series."""
    return [pair for some in grouped(journals).values() for pair in pairwise(some)]


def grouped(journals: Iterable[Facts]) -> dict[str, list[Facts]]:
    """Return journals by series, each by date."""
    found: dict[str, list[Facts]] = {}
    for journal in sorted(journals, key=lambda j: (j["date"], j["file"])):
        found.setdefault(journal["series"], []).append(journal)
    return found


def series(journals: Iterable[Facts], comparisons: Iterable[Facts]) -> list[History]:
    """Return all series, that with the latest journal first."""
    every = list(comparisons)
    found = []
    for title, some in grouped(journals).items():
        ids = {j["id"] for j in some}
        found.append(History(title, some, {c["after"]: c for c in every if c["after"] in ids}))
    return sorted(found, key=lambda s: str(s.journals[-1]["date"]), reverse=True)


def levels(of: History, name: str) -> list[float | None]:
    """Return the level of a contender's times at each journal, 1 at its first; None where it is absent.

    A level changes by the ratio of a comparison that is called, and by nothing else: noise draws no step.
    """
    found: list[float | None] = []
    level = 1.0
    for journal in of.journals:
        change = of.changes.get(journal["id"], {"contenders": {}})["contenders"].get(name)
        if change and change["call"] in ("regressed", "improved") and change["ratio"]:
            level *= change["ratio"]
        present = any(c["name"] == name for c in journal["contenders"])
        found.append(level if present else None)
    return found
