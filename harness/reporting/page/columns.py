"""Results of a journal as columns of the page's container, one value per instance; index 0 is the first instance."""

from collections.abc import Iterable
from datetime import date
from typing import Any

import numpy as np

from harness.model.log_files import log_file
from harness.model.observing.clocks import mistimed
from harness.model.outcome import Verdict
from harness.reporting.frame.advice import advised_clock
from harness.reporting.frame.entries import Summary
from harness.reporting.frame.results import CLOCKS, ContenderResults, Results
from harness.reporting.page.commands import command, places, reading_options
from harness.reporting.page.container import Container, zigzag
from harness.reporting.page.drawings import Draw, drawings
from harness.reporting.page.trust import trust
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.ranking.ranks import blocks_of, timed_columns
from harness.reporting.views.ranking.result import of_results
from harness.reporting.writing.labels import common_start, short_names
from puzzles.errors import plural
from puzzles.problem.arrays import Int64Array

VERDICTS = ("none", *(verdict.name.lower() for verdict in Verdict))
# Bits of the column `evidence`, from the lowest.
EVIDENCE = ("certified", "certified_formula", "refused", "unchecked", "uncertified", "confirmed")
UNKNOWN = "unknown"  # the processor of imported results that do not name it
MAX_HALVES = 1 << 52  # half nanoseconds, 26 days: a number that JavaScript holds, also doubled


def half_nanoseconds(seconds: Floats) -> Int64Array:
    """Return times in half nanoseconds: the median of an even number of repeats may lie between two integers.

    0 stands for no time. Exact below 13 days, where a double of seconds still identifies the nanoseconds.
    """
    halves: Int64Array = np.nan_to_num(np.minimum(np.rint(seconds * 2e9), MAX_HALVES)).astype(np.int64)
    return halves


def contender_columns(c: ContenderResults, into: Container) -> dict[str, Any]:
    """Add the columns of a contender; return their indices by name. CPU time is stored less wall time."""
    wall, cpu = half_nanoseconds(c.wall[1:]), half_nanoseconds(c.cpu[1:])
    evidence = sum(getattr(c, name)[1:].astype(np.int64) << bit for bit, name in enumerate(EVIDENCE))
    return {
        "state": into.add(c.state[1:]),
        "unsatisfiable": into.add(c.unsatisfiable[1:]),
        "proofless": into.add(c.proofless[1:]),
        "verdict": into.add(c.verdict[1:] + 1),
        "wall": into.add(wall),
        "cpu": into.add(zigzag(cpu - wall)),
        "found": into.add(c.found[1:]),
        "evidence": into.add(evidence),
    }


def effects_of(c: ContenderResults) -> dict[str, list[float | None]]:
    """Return by clock the effects of a contender's workers, None where unknown."""
    each = {clock: c.times[clock].mean_effects.tolist() for clock in CLOCKS}
    return {clock: [None if np.isnan(e) else e for e in effects] for clock, effects in each.items()}


def without_drift(results: Results, into: Container) -> dict[str, dict[str, Any]]:
    """Add times without drift; return, by contender and clock, their indices, the noise, and the deviation of workers.

    They are stored as differences from the times themselves, which take few bytes.
    """
    found: dict[str, dict[str, Any]] = {c.contender.name: {} for c in results.contenders}
    for clock in CLOCKS:
        timed = results.once(timed_columns, clock)
        for name, level in zip(timed.names, timed.steady, strict=bool(timed.steady)):
            own = half_nanoseconds(results.by_name[name].times[clock].seconds[1:])
            seconds = into.add(zigzag(half_nanoseconds(level.seconds) - own))
            found[name][clock] = {"seconds": seconds, "noise": level.noise, "deviation": level.deviation}
    return found


def reasons(results: Results, number: int, into: Container) -> dict[str, Any]:
    """Add a column with the number, from 1, of each text on a contender's failure; return its index and the texts."""
    texts: dict[str, int] = {}
    which = np.zeros(results.size, np.int64)
    for puzzle, why in explanations(results, number):
        which[puzzle - 1] = texts.setdefault(why, len(texts) + 1)
    return {"why": into.add(which), "texts": list(texts)}


def logs_by_position(results: Results, number: int, folder: str | None = None) -> dict[int, list[str]]:
    """Return the files of what a contender's programs have printed in the first repeat, by position of the instance.

    Only logs in the folder that the user states are linked (harness/model/log_files.py).
    """
    found: dict[int, list[str]] = {}
    for (_, puzzle), log in results.journal.logs.of(number).items():
        paths = [path for path in log if path is not None and log_file(path, results.journal.path, folder)]
        found.setdefault(puzzle - 1, paths)
    return {position: paths for position, paths in found.items() if paths}


def explanations(results: Results, number: int) -> Iterable[tuple[int, str]]:
    """Yield instances with texts: error messages, then the reasons of wrong answers, which replace error messages."""
    c = results.contenders[number]
    if c.trouble:
        yield from results.journal.answers.failures(number)
    for d in results.agreement.disagreements if results.agreement else ():
        if c.contender.name in d.contenders:
            yield d.id, d.why


def instance_columns(results: Results, into: Container) -> dict[str, Any]:
    """Add the columns that all contenders share; return their indices and the texts that the columns number."""
    names, corpora, problems = results.listed
    known: dict[str, int] = {}
    number = {problem: known.setdefault(family, len(known)) for problem, family in results.families.items()}
    return {
        "names": into.add_texts(names),
        "corpus": into.add(corpora),
        "corpora": [c.name for c in results.journal.corpora.sources()],
        "places": places(results, names, corpora),
        "family": into.add([number[p] for p in problems.tolist()]),
        "families": list(known),
    }


def journal_columns(
    results: Results, summary: Summary, draw: Draw, into: Container, logs: str | None = None
) -> dict[str, Any]:
    """Add a journal and its summary; return its part of the header. `logs` is the folder whose logs are linked."""
    untimed, reading = mistimed(results.facts), reading_options(results.facts["command"])
    texts, which = drawings(results, draw)
    contenders, levels = [], without_drift(results, into)
    for c in results.contenders:
        name = c.contender.name
        timed = {clock: name not in untimed and clock not in c.unmeasured for clock in ("wall", "cpu")}
        entry: dict[str, Any] = {
            "name": name,
            "timed": timed,
            "effects": effects_of(c),
            "steady": levels[name],
        }
        entry["command"] = command(c.contender, results.settings, reading)
        if kept := logs_by_position(results, c.number, logs):
            entry["logs"] = kept
        contenders.append(entry | contender_columns(c, into) | reasons(results, c.number, into))
    return {
        "path": str(results.journal.path),
        "limits": {clock: results.limits.of(clock) for clock in ("wall", "cpu")},
        **instance_columns(results, into),
        "block": into.add(blocks_of(results)),
        "resampled": results.sampled and [results.sampled.by, results.sampled.number],
        "verdicts": VERDICTS,
        "contenders": contenders,
        "drawings": into.add_texts(texts),
        "drawing": into.add(which),
        "summary": summary,
    }


def first_screen(results: Results, summary: Summary) -> dict[str, Any]:
    """Return what the first screen says: facts, short names, the headline by clock, and the trust strip."""
    labels, left_out = short_names(list(results.by_name))
    clock = advised_clock(results)
    headlines = {each: of_results(results, each, labels) for each in CLOCKS}
    return {
        "clock": clock,
        "facts": facts(results, summary),
        "labels": list(labels.values()),
        "left_out": left_out,
        "start": common_start(results.listed.names),
        "headlines": headlines,
        "trust": trust(results, summary, clock),
    }


def facts(results: Results, summary: Summary) -> list[str]:
    """Return the run in a few words: sizes, limit, repeats, machine and date."""
    repeats = max((len(c.states) for c in results.contenders), default=1)
    host, started = summary["host"], results.facts.get("started")
    machine = [] if host.get("cpu", UNKNOWN) == UNKNOWN else [host["cpu"]]
    machine += [plural(host["cores"], "core")] if host.get("cores") else []
    return [
        plural(len(results.contenders), "contender"),
        plural(results.size, summary["unit"]),
        f"limit {results.limits}",
        plural(repeats, "repeat"),
        *([", ".join(machine)] if machine else []),
        *([f"{date.fromisoformat(started[:10]):%d %b %Y}".removeprefix("0")] if started else []),
    ]
