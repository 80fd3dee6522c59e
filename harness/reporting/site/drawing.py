"""Line of a contender over time as SVG: steps where a comparison of neighbours is called, dotted where it is open."""

from dataclasses import dataclass
from html import escape
from math import log
from typing import Any

from harness.reporting.site.facts import moment, report_of
from harness.reporting.site.history import History, levels
from harness.reporting.writing.printable import printable

WIDTH, HEIGHT, EDGE = 640, 72, 10
LEAST = log(1.3)  # half of the height stands for this change at least
OPEN = ("", "inconclusive", "different machines")
COLOURS = {"regressed": "worse", "improved": "better"}


@dataclass(frozen=True)
class Line:
    """Line of a contender: logarithms of its levels by journal, None where it is absent."""

    of: History
    name: str

    @property
    def logs(self) -> list[float | None]:
        return [None if level is None else log(level) for level in levels(self.of, self.name)]

    def change(self, i: int) -> dict[str, Any]:
        """Return the change from journal i - 1 to journal i, {} if unknown."""
        known = self.of.changes.get(self.of.journals[i]["id"])
        found: dict[str, Any] = known["contenders"].get(self.name, {}) if known else {}
        return found

    def svg(self) -> str:
        """Return the drawing; up is slower."""
        logs = self.logs
        most = max([LEAST, *(abs(y) for y in logs if y is not None)])
        step = (WIDTH - 2 * EDGE) / max(1, len(logs) - 1)
        places = [(EDGE + i * step, None if y is None else self.height(y / most)) for i, y in enumerate(logs)]
        parts = []
        for i, (x, y) in enumerate(places):
            before = places[i - 1] if i else (0.0, None)
            if y is not None and before[1] is not None:
                kind = "open" if self.change(i).get("call", "") in OPEN else "known"
                parts.append(f'<path class="{kind}" d="M{before[0]:.1f} {before[1]:.1f}H{x:.1f}V{y:.1f}"/>')
        parts += [self.point(i, x, y) for i, (x, y) in enumerate(places) if y is not None]
        label = escape(printable(f"Times of {self.name} relative to its first run: {self.words()}"), quote=True)
        return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'

    def height(self, share: float) -> float:
        """Return the distance from the top of a share of the largest change, from -1 to 1."""
        return HEIGHT / 2 - share * (HEIGHT / 2 - EDGE)

    def point(self, i: int, x: float, y: float) -> str:
        """Return the mark of a journal, which leads to its page, with its date and change as a title."""
        journal, change = self.of.journals[i], self.change(i)
        failed = "worse" if change.get("exit") in (1, 3) else COLOURS.get(change.get("call", ""), "")
        title = escape(printable(f"{moment(journal)}: {change.get('verdict', 'first')}"))
        return (
            f'<a href="{escape(report_of(journal), quote=True)}"><circle class="{failed}" cx="{x:.1f}"'
            f' cy="{y:.1f}" r="{4 if failed else 2.5}"><title>{title}</title></circle></a>'
        )

    def words(self) -> str:
        """Return the number of calls in words."""
        calls = [self.change(i).get("call", "") for i in range(1, len(self.of.journals))]
        known = [f"{calls.count(call)} {call}" for call in dict.fromkeys(calls) if call]
        return ", ".join(known) or "one run"
