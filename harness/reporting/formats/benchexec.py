"""BenchExec's result files (`result.dtd`): one for each contender and repeat, which `table-generator` reads.

`true` stands for satisfiable and `false` for unsatisfiable. Times have all their digits; unknown values are left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO
from xml.sax.saxutils import quoteattr

from backends.contract.answer import COUNTERS, Reason, Status
from backends.contract.cores import cores_of
from harness.model.contender import Contender
from harness.model.outcome import NANO, Verdict
from harness.model.settings import Limits
from harness.reporting.formats.instances import file_stems, instance_names, known_status, seconds
from harness.reporting.formats.tidy import objectives
from harness.reporting.writing.printable import printable
from harness.storing.journal import Journal
from harness.storing.outcomes.table import OutcomeRow
from harness.storing.schema import MEASURED
from puzzles.files import replacing_text
from puzzles.problem.arrays import Int8Array
from puzzles.readers.malformed import MalformedFile

DOCTYPE = (
    '<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN"'
    ' "https://www.sosy-lab.org/benchexec/result-3.12.dtd">'
)
GENERATOR = "Crosscheck"
PROPERTY = "satisfiable"  # name of the property that `true` and `false` refer to
COLUMNS = ("status", "category", "cputime", "walltime", "memory", "terminationreason", "score", *COUNTERS)
WORDS = {Status.SATISFIABLE: "true", Status.UNSATISFIABLE: "false"}
REASONS = {
    Reason.TIMEOUT: "TIMEOUT",
    Reason.MEMORY: "OUT OF MEMORY",
    Reason.CRASH: "CRASH",
    Reason.ERROR: "ERROR",
    Reason.UNSUPPORTED: "unknown (unsupported)",
}


def write_benchexec(journal: Journal, folder: Path) -> None:
    """Write a file for each contender and repeat; `r2` in its name stands for the second repeat."""
    names, known, contenders = instance_names(journal), known_status(journal), journal.contenders.all()
    stems = dict(zip((c.name for c in contenders), file_stems(c.name for c in contenders), strict=True))
    by_name, numbers = {c.name: c for c in contenders}, {c.name: i for i, c in enumerate(contenders)}
    several, goals = journal.outcomes.repeats() > 1, objectives(journal)
    limits, more = journal.facts.settings().limits, journal.logs.statistic_names()
    for (name, repeat), rows in groupby(journal.outcomes.rows(), lambda row: (row.who[2], row.who[4])):
        path = folder / f"{stems[name]}{f'.r{repeat + 1}' if several else ''}.results.xml"
        with replacing_text(path, newline="\n") as file:
            begin(file, journal, by_name[name], repeat if several else None, more)
            printed = journal.logs.statistics(numbers[name])
            for row in rows:
                goal = goals.get((name, repeat, row.number))
                file.write(run(names[row.number], row, known, limits, goal, printed.get((repeat, row.number), {})))
            for _, bad in journal.corpora.malformed():
                file.write(malformed_run(bad))
            file.write("</result>\n")


def element(tag: str, attributes: Mapping[str, object], end: str = "/>") -> str:
    """Return an element's start tag, without the attributes that are None."""
    stated = ((key, str(value)) for key, value in attributes.items() if value is not None)
    return f"<{tag}{''.join(f' {key}={quoteattr(printable(text))}' for key, text in stated)}{end}"


def begin(file: TextIO, journal: Journal, contender: Contender, repeat: int | None, more: Sequence[str]) -> None:
    """Write the beginning of a file: the contender, its limits, columns with `more` ones, and machine."""
    settings, host = journal.facts.settings(), journal.facts.all()["host"]
    began = datetime.fromtimestamp(journal.leases.began() / NANO, UTC)
    memory = settings.memory_limit
    attributes = {
        "benchmarkname": ", ".join(name for name, _ in journal.corpora.sizes()),
        "name": None if repeat is None else f"repeat {repeat + 1}",
        "date": began.strftime("%Y-%m-%d %H:%M:%S UTC"),
        "starttime": began.isoformat(),
        "tool": contender.name,
        "toolmodule": "crosscheck",
        "version": contender.version,
        "options": stated_wall_limit(settings.limits),
        "timelimit": None if settings.cpu is None else f"{settings.cpu!r}s",
        "memlimit": f"{memory}B" if memory else None,
        "cpuCores": cores_of(contender.backend),
        "generator": GENERATOR,
    }
    system = " ".join(str(host[key]) for key in ("system", "release") if host.get(key)) or "unknown"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        DOCTYPE,
        element("result", attributes, ">"),
        f"  <columns>{''.join(element('column', {'title': title}) for title in (*COLUMNS, *more))}</columns>",
        "  <systeminfo>",
        f"    {element('os', {'name': system})}",
        f"    {element('cpu', {'cores': host['cores'], 'model': host['cpu']})}",
        f"    {element('ram', {'size': '' if host.get('memory') is None else str(host['memory']) + 'B'})}",
        "    <environment/>",
        "  </systeminfo>",
    ]
    file.write("\n".join(lines) + "\n")


def stated_wall_limit(limits: Limits) -> str | None:
    """Return the limit of wall time as an option of `run`: the document type has an attribute only for CPU time."""
    return None if limits.wall is None else f"-t {limits.wall!r}"


def run(
    name: str,
    row: OutcomeRow,
    known: Int8Array,
    limits: Limits,
    goal: Mapping[str, Any] | None,
    printed: Mapping[str, float],
) -> str:
    """Return one outcome as an element; `goal` has its columns on the objective, `printed` those out of logs.

    Of an instance with an objective an answer is decided as satisfiable if it is an optimum. The value is the score.
    """
    expected = WORDS.get(Status(int(known[row.number])))
    numbers = ((title, str(number)) for title, number in printed.items())
    columns = ((title, value) for title, value in (*values(row, limits, goal), *numbers) if value is not None)
    lines = [f"    {element('column', {'title': title, 'value': value})}\n" for title, value in columns]
    start = element("run", {"name": name, "properties": PROPERTY, "expectedVerdict": expected}, ">")
    return f"  {start}\n{''.join(lines)}  </run>\n"


def malformed_run(file: MalformedFile) -> str:
    """Return a file that could not be read as an element: an error."""
    columns = (("status", "ERROR (malformed)"), ("category", "error"))
    lines = [f"    {element('column', {'title': title, 'value': value})}\n" for title, value in columns]
    return f"  {element('run', {'name': file.name, 'properties': PROPERTY}, '>')}\n{''.join(lines)}  </run>\n"


def values(row: OutcomeRow, limits: Limits, goal: Mapping[str, Any] | None) -> Iterator[tuple[str, str | None]]:
    """Yield titles and values of an outcome's columns, None for unknown."""
    measured = dict(zip(MEASURED, row.measured, strict=True))
    status, reason = Status(measured["status"]), Reason(measured["reason"])
    if goal is not None and not measured["complete"]:
        status = Status.UNKNOWN
    yield "status", WORDS.get(status) or REASONS.get(reason, "unknown")
    yield "category", category(row, status, reason)
    yield "cputime", None if measured["cpu"] is None else f"{seconds(measured['cpu'])}s"
    yield "walltime", f"{seconds(measured['wall'])}s" if measured["wall"] else None
    yield "memory", None if measured["peak"] is None else f"{measured['peak']}B"
    if status == Status.UNKNOWN and reason in (Reason.TIMEOUT, Reason.MEMORY):
        yield "terminationreason", "memory" if reason == Reason.MEMORY else exceeded(measured, limits)
    if goal is not None and goal["objective"] is not None:
        yield "score", str(goal["objective"])
    yield from ((counter, None if measured[counter] is None else str(measured[counter])) for counter in COUNTERS)


def exceeded(measured: Mapping[str, int | None], limits: Limits) -> str | None:
    """Return the exceeded time of a run in BenchExec's words; None if its times show no excess."""
    for clock, word in (("cpu", "cputime"), ("wall", "walltime")):
        limit, spent = getattr(limits, clock), measured[clock]
        if limit is not None and spent is not None and spent > limit * NANO:
            return word
    return None


def category(row: OutcomeRow, status: Status, reason: Reason) -> str:
    """Return the category of an outcome: `missing` where nothing confirms an answer."""
    verdict, valid = Verdict(row.who[5]), row.who[6]
    if verdict == Verdict.WRONG:
        return "wrong"
    if status == Status.UNKNOWN:
        failed = verdict == Verdict.ERROR or reason in (Reason.TIMEOUT, Reason.MEMORY)
        return "error" if failed else "unknown"
    confirmed: Any = verdict == Verdict.CORRECT or valid > 0
    return "correct" if confirmed else "unknown" if verdict == Verdict.UNKNOWN else "missing"
