"""`harness.open` and the results that it and `harness.run` return."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

from harness.interface.display import Drawing, TableData, TableText, page
from harness.interface.drawing import draw
from harness.interface.errors import as_bad_usage
from harness.interface.frame import frame, values_frame
from harness.interface.words import Clock, Library, Plot, Rows, Score, TableFormat, require
from harness.model.errors import BadUsage
from harness.reporting.frame.entries import Summary
from harness.reporting.frame.proofs import with_proofs_required
from harness.reporting.frame.reading import JudgedJournal, open_judged
from harness.reporting.frame.results import CLOCKS
from harness.reporting.frame.results import Results as Aggregate
from harness.reporting.frame.summary import summarise
from harness.reporting.plots.request import DEFAULT_WIDTH_CM, Look, parse_width
from harness.reporting.statistics.calls import Thresholds
from harness.reporting.views import run_lines, summary_table
from harness.reporting.views.comparing import comparison, comparison_text
from harness.reporting.views.ranking.rank_text import rank_table
from harness.reporting.views.ranking.ranks import rank
from harness.reporting.views.ranking.result import of_results
from harness.reporting.writing.printable import terminal_width
from harness.reporting.writing.writers import written
from harness.storing.journal import open_journal
from puzzles.errors import plural

if TYPE_CHECKING:
    import pandas
    import polars


def open(journal: str | os.PathLike[str]) -> "Results":  # noqa: A001
    """Return the results of a journal, as `report` does: without running a solver, and with every answer judged again.

    The journal is closed when this returns. Raises BadUsage if it is missing, damaged, or not a journal.
    """
    with as_bad_usage(), open_judged(os.fspath(journal)) as this_run:
        return Results(this_run.results())


class Results:
    """Results of a journal, which is read once and closed: no connection is kept.

    journal     absolute path of the journal
    summary     JSON-compatible data, the same as `report --json` writes (docs/reference/summary.md)
    contenders  names, in the order of the run

    `frame`, `plot` and `compare` read the journal again, and raise BadUsage if it has changed or is gone.
    Times are seconds of wall time if not stated otherwise, medians over repeats.
    """

    def __init__(self, aggregate: Aggregate) -> None:
        """Take results with an agreement, of a journal that is open now."""
        self.journal = aggregate.journal.path.absolute()
        self._headlines = {clock: of_results(aggregate, clock) for clock in CLOCKS}
        self.summary: Summary = summarise(aggregate) | {"headline": self._headlines["wall"]}
        self.contenders: tuple[str, ...] = tuple(aggregate.by_name)
        self._aggregate = aggregate
        self._leases = aggregate.journal.connection.max_id("leases")
        self._header = run_lines.header(aggregate.journal)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the results as the path of their journal, which is opened anew."""
        return open, (self.journal,)

    def __repr__(self) -> str:
        counts = f"{plural(len(self.contenders), 'contender')}, {plural(self._aggregate.size, 'instance')}"
        return f"<Results of {str(self.journal)!r}: {counts}{', interrupted' * self.summary['interrupted']}>"

    def _repr_html_(self) -> str:
        return self.table().html

    @contextmanager
    def _opened(self) -> Iterator[Aggregate]:
        """Open the journal again; yield the results with it. Raises BadUsage if the journal has changed."""
        with open_journal(self.journal) as journal:
            if journal.facts.all() != self._aggregate.facts or journal.connection.max_id("leases") != self._leases:
                raise BadUsage(f"{self.journal}: has changed since it was read: call harness.open again")
            yield replace(self._aggregate, journal=journal)

    def table(self, format: TableFormat = "table", time: Clock = "wall") -> TableText:  # noqa: A002
        """Return the report as text: ranking by PAR-2, agreement, trouble and warnings; as csv the ranking alone.

        `time` is the clock of its times and of the result. In a notebook it is shown as an HTML table.
        """
        require("format", format, get_args(TableFormat))
        require("time", time, CLOCKS)
        summary = self.summary | {"headline": self._headlines[time]}
        text = summary_table.report(summary, format, time)
        if format == "table":
            text = f"{self._header}\n\n{text}"
        html = written(summary_table.contender_table(self.summary, time), "html")
        ends = [*summary_table.headline_lines(summary), *summary_table.partial_lines(summary)]
        return TableText(text, page(html, [self._header, *summary_table.lines_below(self.summary, time), *ends]))

    @overload
    def frame(self, of: Rows = "outcomes", *, library: Literal["pandas"]) -> "pandas.DataFrame": ...
    @overload
    def frame(self, of: Rows = "outcomes", *, library: Literal["polars"]) -> "polars.DataFrame": ...
    @overload
    def frame(self, of: Rows = "outcomes", library: None = None) -> "pandas.DataFrame | polars.DataFrame": ...
    def frame(self, of: Rows = "outcomes", library: Library | None = None) -> "pandas.DataFrame | polars.DataFrame":
        """Return every outcome, one row per contender, repeat and instance, with the columns of `export --to csv`.

        Of `improvements`, every improvement and bound of instances with an objective. Times are integers of
        nanoseconds, as measured; unknown values are missing, never -1. `library` None: pandas, or polars if only that
        is installed. Raises BadUsage if the library is missing.
        """
        with as_bad_usage(), self._opened() as aggregate:
            return frame(JudgedJournal(aggregate.journal).rejudge().journal, library, of)

    @overload
    def values(self, instance: str | None = None, *, library: Literal["pandas"]) -> "pandas.DataFrame": ...
    @overload
    def values(self, instance: str | None = None, *, library: Literal["polars"]) -> "polars.DataFrame": ...
    @overload
    def values(self, instance: str | None = None, library: None = None) -> "pandas.DataFrame | polars.DataFrame": ...
    def values(
        self, instance: str | None = None, library: Library | None = None
    ) -> "pandas.DataFrame | polars.DataFrame":
        """Return every solution, one row each, with a column for each variable by its name in the model.

        `instance` is the name of one instance; None: all, with missing values for the variables of others. Columns are
        integers where all values are numbers, else text. Raises BadUsage if the library is missing, or the instance.
        """
        with as_bad_usage(), self._opened() as aggregate:
            return values_frame(JudgedJournal(aggregate.journal).rejudge().journal, library, instance)

    def compare(
        self,
        old: str | None = None,
        new: str | None = None,
        other: "Results | None" = None,
        threshold: float = 5.0,
        require_proofs: bool = False,
        shift: float = 0.0,
    ) -> TableData:
        """Compare two contenders, or with the results of a newer journal, as the verb `compare` does.

        old, new   names of contenders; without them NAME@ENV with NAME, the only two, or between journals equal names
        other      results of the newer journal, to which `new` belongs; None: this one
        threshold  smallest change that counts, in percent
        shift      seconds added to times before their ratio is formed: shifted geometric means
        require_proofs  an unsatisfiable answer counts only with a proof that holds

        The data is that of `compare --json` (docs/ci-gate.md): `comparisons`, each with its `call` and the `ratio` of
        times after / before with the ends of its 99 % interval; `warnings` and `exit`. Raises BadUsage.
        """
        if (old is None) != (new is None):
            raise BadUsage("compare takes two names of contenders, or none")
        if not 0 < threshold < float("inf"):
            raise BadUsage(f"threshold {threshold}: not a percentage above 0")
        if not 0 <= shift < float("inf"):
            raise BadUsage(f"shift {shift}: not a number of seconds, 0 or more")
        names = [] if old is None or new is None else [old, new]
        with as_bad_usage(), self._opened() as before, (other or self)._opened() as after:
            a, b = (with_proofs_required(side) if require_proofs else side for side in (before, after))
            _, found = comparison.compared(a, b if other else a, names, Thresholds(threshold / 100), shift=shift)
        html = page(written(comparison_text.table(found), "html"), comparison_text.lines_below(found))
        return TableData(found, TableText(comparison_text.text(found, "table"), html))

    def rank(
        self,
        by: Score = "par2",
        time: Clock = "wall",
        require_proofs: bool = False,
        *,
        percent: float | None = None,
        shift: float | None = None,
        number: str | None = None,
        contribution: Literal["vbs", "shapley"] | None = None,
    ) -> TableData:
        """Rank the contenders as `report --rank` does, with 95 % intervals of scores and ranks.

        by            score: par2, par10, sgm, solved, borda, vbs, shapley, shapley-solved, those of objectives
                      (docs/reference/optimisation.md), conflicts or decisions
        percent       of `target`, in percent of the best known value (default 1)
        shift         of `sgm`, in seconds (default 10)
        number        name of a number that programs print, in place of `by`
        contribution  rank by what a contender adds to the best of all by this score
        require_proofs  an unsatisfiable answer counts only with a proof that holds

        The data is `ranking` of docs/reference/summary.md: `contenders`, the best first, each with `name`, `rank` and
        `score`, and the `groups` that do not differ. Raises BadUsage.
        """
        require("time", time, CLOCKS)
        text = by if number is None else f"number:{number}"
        text += "".join(f":{value:g}" for value in (percent, shift) if value is not None)
        text = text if contribution is None else f"{contribution}:{text}"
        with as_bad_usage():
            found = with_proofs_required(self._aggregate) if require_proofs else self._aggregate
            ranking = rank(found, text, time)
        table = rank_table(ranking)
        text = written(table, "table", terminal_width())
        return TableData(ranking.as_dict(), TableText(text, page(written(table, "html"), table.notes)))

    def plot(
        self,
        kind: Plot = "cactus",
        *contenders: str,
        output: str | os.PathLike[str] | None = None,
        width: str = f"{DEFAULT_WIDTH_CM:g}cm",
        log: bool | None = None,
        vbs: bool = False,
        time: Clock = "wall",
    ) -> Drawing:
        """Draw a plot as `report --plot` does; in a notebook it is shown. Needs matplotlib (the extra `plots`).

        kind        cactus, score, ecdf, par2, matrix, scaling, or scatter or compare of two `contenders`
        output      file to write it to as well: .svg, .pdf or .png
        width       1 or 2 columns of text, or a length such as 12cm
        log         logarithmic times or not; None: the default of the kind      vbs  add the virtual best solver

        Raises BadUsage.
        """
        require("time", time, CLOCKS)
        named = f"{kind}:{','.join(contenders)}" if contenders else kind
        with as_bad_usage(), self._opened() as aggregate:
            return draw(aggregate, self.summary, named, Look(time, log, vbs, parse_width(width)), output)
