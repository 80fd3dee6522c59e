"""Summary of a run: the dictionary that `--json` writes and docs/reference/summary.md describes."""

from collections.abc import Container, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from backends.contract.answer import Reason
from backends.contract.cores import cores_of
from harness.judging.agreement import Agreement
from harness.judging.alarms import Alarm, Disagreement, is_grave
from harness.model.consent import commands_of, masked, masked_words, words_of
from harness.model.host import MEMORY_BY
from harness.model.lease import CHANGED
from harness.model.observing.clocks import mistimed
from harness.model.outcome import FLATTENED, NANO
from harness.model.settings import Limits
from harness.reporting.frame.advice import run_warnings
from harness.reporting.frame.certifications import certify_entry
from harness.reporting.frame.entries import (
    AgreementEntry,
    ClockEntry,
    ContenderEntry,
    DisagreementEntry,
    FlattenedEntry,
    Summary,
    field_of,
)
from harness.reporting.frame.log_statistics import names_of, statistics_entry
from harness.reporting.frame.objectives import objective_entry
from harness.reporting.frame.results import ContenderResults, Results, State
from harness.reporting.statistics.estimates import Floats, describe, par
from harness.storing.outcomes.answers import Trouble
from puzzles.labels import unit_of

SCHEMA = 2
NO_TIMES: ClockEntry = {  # values of an entry for a clock without times
    "seconds": dict.fromkeys(("total", "median", "mean", "p95", "max")),
    "puzzles_per_second": None,
    "par2": None,
    "par10": None,
}


def exit_code(summary: Summary) -> int:
    """Return the first exit code that applies, in the order 130, 1, 2, 4 (docs/reference/exit-codes.md)."""
    if summary["interrupted"]:
        return 130
    if any(map(is_grave, summary["agreement"]["disagreements"])):
        return 1
    if any(c["wrong"] or c["refused"] for c in summary["contenders"]):
        return 1
    alarms = (Alarm.INCONSISTENT.name.lower(), Alarm.CONFLICT.name.lower())
    if any(d["alarm"] in alarms for d in summary["agreement"]["disagreements"]):
        return 1
    if any("corpus" in d for d in summary["agreement"]["disagreements"]):
        return 2
    if summary.get("changed") or summary.get("malformed"):
        return 2
    unfinished = ("timeout", "memory", "unknown", "error", "proofless")
    if any(field_of(c, k) for c in summary["contenders"] for k in unfinished):
        return 4
    idle = (c for c in summary["contenders"] if c["unsupported"])
    return 4 if any(not c["solved"] for c in idle) else 0


def contender_summary(c: ContenderResults, limits: Limits) -> ContenderEntry:
    """Return one contender's entry."""
    asked = int(c.asked.sum())
    wall, cpu = (
        NO_TIMES if clock in c.unmeasured else clock_summary(c.seconds(clock), asked, limits.of(clock), c.amortised)
        for clock in ("wall", "cpu")
    )

    def count(state: State) -> int:
        return int((c.state == state).sum())

    def mean(phase: Floats) -> float | None:
        return float(phase[c.decided].mean()) if c.decided.any() else None

    both = c.decided & ~np.isnan(c.wall) & ~np.isnan(c.cpu)
    spent, took = (float(seconds[both].sum()) for seconds in (c.cpu, c.wall))
    entry: Any = asdict(c.contender) | {
        "cores": cores_of(c.contender.backend),
        "cores_used": spent / took if took else None,
        "solved": int(c.decided.sum()),
        "satisfiable": int((c.decided & ~c.unsatisfiable).sum()),
        "unsatisfiable": int(c.unsatisfiable.sum()),
        **{state.name.lower(): count(state) for state in State if state > State.DECIDED},
        "uncertified": int(c.uncertified.sum()),
        "confirmed": int(c.confirmed.sum()),
        "certified": int(c.certified.sum()),
        "certified_formula": int(c.certified_formula.sum()),
        "refused": int(c.refused.sum()),
        "unchecked": int(c.unchecked.sum()),
        "shown": int(c.found.sum()),
        "verified": int(c.verified.sum()),
        **wall,
        "phases": {"setup": None if c.setup is None else c.setup / NANO} | {p: mean(s) for p, s in c.phases.items()},
        "outside": {phase: ns / NANO for phase, ns in c.outside.items()} if c.outside else None,
        "cpu": cpu,
        "amortised": c.amortised,
        "peak": c.peak,
        "peak_of": c.peak_of if c.peak is not None else {},
        "counters": c.counters,
        "trouble": [{"puzzle": t.puzzle, "why": trouble_text(t), "times": t.times, "log": t.log} for t in c.trouble],
    }
    found: ContenderEntry = entry
    return found


def without_times(entry: ContenderEntry) -> ContenderEntry:
    """Return the entry of a contender with untrusted times, so that nothing ranks it by them."""
    return {**entry, **NO_TIMES, "phases": dict.fromkeys(entry["phases"]), "outside": None, "cpu": NO_TIMES}


def clock_summary(seconds: Floats, asked: int, limit: float, amortised: bool) -> ClockEntry:
    """Return the part of an entry about one clock, from the seconds of the decided instances."""
    times = describe(seconds)
    total = times["total"]
    if amortised:
        times |= dict.fromkeys(("median", "p95", "max"))
    return {
        "seconds": times,
        "puzzles_per_second": len(seconds) / total if total else None,
        "par2": par(seconds, asked, limit, 2),
        "par10": par(seconds, asked, limit, 10),
    }


def on_clock(entry: ContenderEntry, clock: str) -> ContenderEntry:
    """Return a contender's entry with the times of a clock, 'wall' or 'cpu', in place of wall times."""
    return {**entry, **entry["cpu"]} if clock == "cpu" else entry


def trouble_text(trouble: Trouble) -> str:
    """Return the reason in the form shown to users: for unsupported layouts, only the backend's own text."""
    if trouble.reason == Reason.UNSUPPORTED:
        return f"unsupported: {trouble.why.removeprefix('could not be opened: ')}"
    return trouble.why.rstrip(": ")


def disagreement_entry(d: Disagreement) -> DisagreementEntry:
    """Return the entry of one disagreement."""
    entry: Any = {"alarm": d.alarm.name.lower(), "id": d.id, "puzzle": d.puzzle, "contenders": list(d.contenders)}
    marks = {Alarm.CONFLICT: {"conflict": True}, Alarm.CORPUS: {"corpus": True}}
    found: DisagreementEntry = entry | {"why": d.why} | marks.get(d.alarm, {}) | dict(d.facts)
    return found


def agreement_entry(a: Agreement, contenders: list[ContenderEntry]) -> AgreementEntry:
    """Return the entry of the agreement."""
    shown, verified = (sum(field_of(c, key) for c in contenders) for key in ("shown", "verified"))
    disagreements = [disagreement_entry(d) for d in a.disagreements]
    return {**a.counts, "shown": shown, "verified": verified, "disagreements": disagreements}


def score_limit(limits: Limits, clock: str) -> dict[str, Any]:
    """Return the limit that applies to scores by a clock: seconds, and the clock that it limits."""
    return {"seconds": limits.of(clock), "clock": limits.clock_for(clock)}


def contender_entries(results: Results, untimed: Container[str]) -> list[ContenderEntry]:
    """Return the entries of all contenders, without times of those in `untimed`."""
    entries = [contender_summary(c, results.limits) for c in results.contenders]
    for entry, c in zip(entries, results.contenders, strict=True):
        entry["objective"] = None
        if c.best is not None and results.best_known is not None and (c.asked & c.best.of).any():
            goal = objective_entry(c.best, results.best_known, c.asked, c.decided, results.settings.count_models)
            goal["refuted_bounds"] = sum(r.contender == c.number for r in results.refuted_bounds)
            entry["objective"] = goal
    return [without_times(c) if c["name"] in untimed else c for c in entries]


def add_statistics(entries: list[ContenderEntry], results: Results) -> None:
    """Add the numbers that were read out of logs, and counters beside them, to the entries of contenders."""
    journal = results.journal
    names = names_of(journal) if journal.logs.count() or journal.logs.statistic_names() else []
    for entry, c in zip(entries, results.contenders, strict=True):
        entry["statistics"] = statistics_entry(results, c, names)


def machine_entry(part: Results, untimed: Container[str]) -> dict[str, Any]:
    """Return the entry of one machine type of a run on several."""
    (machines,) = part.machines
    asked = np.any([c.asked for c in part.contenders], axis=0)
    facts = {"places": list(machines.places), "instances": int(asked.sum())}
    return machines.as_dict() | facts | {"contenders": contender_entries(part, untimed)}


def flattened_entry(taken: Mapping[str, int]) -> FlattenedEntry | None:
    """Return the number of compiled instances, and the compiler's seconds for all and for the slowest."""
    if not taken:
        return None
    return {"instances": len(taken), "seconds": sum(taken.values()) / NANO, "longest": max(taken.values()) / NANO}


def resume_words(results: Results) -> list[str] | None:
    """Return the arguments that resume a run on this machine, with its commands; None if it can't be resumed."""
    if results.facts["state"] == "complete" or results.facts.keys() & {"merged", "imported"}:
        return None
    settings = results.settings
    backends = [c.backend for c in results.journal.contenders.named()]
    commands = words_of(commands_of(backends, settings.programs, settings.pythons, settings.checkers))
    words = ["run", "--resume", str(results.journal.path), *map(masked, commands)]
    words += ["--jobs", f"{settings.jobs}"] if settings.jobs > 1 else []
    return words if settings.pin else [*words, "--no-pin"]


def summarise(results: Results) -> Summary:
    """Return the summary of results with an agreement."""
    assert results.agreement is not None
    settings, facts = results.settings, results.facts
    untimed = mistimed(facts)
    contenders = contender_entries(results, untimed)
    add_statistics(contenders, results)
    agreed = agreement_entry(results.agreement, contenders)
    summary: Any = {
        "schema": SCHEMA,
        "alarms": list(filter(is_grave, agreed["disagreements"])),
        "command": masked_words(facts["command"]),
        **{key: getattr(settings, key) for key in ("seed", "count")},
        "limit": results.limits.wall,
        "cpu_limit": results.limits.cpu,
        "memory_limit": settings.memory_limit or None,
        "memory_by": facts["host"].get(MEMORY_BY),
        "score_limits": {clock: score_limit(results.limits, clock) for clock in ("wall", "cpu")},
        "ignore_objective": settings.ignore_objective,
        "count_models": settings.count_models,
        "sandbox": settings.sandbox,
        "proof": settings.proof,
        "proofs_required": results.proofs_required,
        "checkers": list(settings.checkers),
        "certify": certify_entry(results.journal),
        "journal": str(results.journal.path),
        "imported": facts.get("imported"),
        "state": facts["state"],
        "interrupted": facts["state"] != "complete",
        "changed": facts.get(CHANGED, 0),
        "resume": resume_words(results),
        "host": facts["host"],
        "versions": facts["versions"],
        "corpora": [{"name": name, "puzzles": n} for name, n in results.journal.corpora.sizes()],
        "malformed": [{"corpus": corpus} | file._asdict() for corpus, file in results.journal.corpora.malformed()],
        "logs": results.journal.logs.count(),
        "flattened": flattened_entry(facts.get(FLATTENED, {})),
        "unit": unit_of([problem.label for problem, _ in results.journal.instances.problem_counts()]),
        "contenders": contenders,
        "agreement": agreed,
        "warnings": run_warnings(results),
    }
    if results.strata:
        summary["machines"] = [machine_entry(part, untimed) for part in results.strata]
    if results.cut:
        summary["machine"] = results.cut.as_dict()
    whole: Summary = summary | {"exit": exit_code(summary)}
    return whole
