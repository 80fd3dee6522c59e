"""The summary of a run, from its journal alone: the dictionary that docs/summary.md describes, and `--json` writes."""

from dataclasses import asdict
from typing import Any

import numpy as np

from backends.answer import COUNTERS, Reason, Status
from harness.judging.judge import Evidence, corpus_wrong
from harness.model.claims import CorpusClaims
from harness.model.outcome import CERTIFIED, PHASES, REFUSED, Verdict
from harness.reporting.advice import on_journal
from harness.reporting.statistics import NANO, any_by_puzzle, median_by, par, spread
from harness.storing.journal import Journal
from puzzles.check import violations

SCHEMA = 1
COLUMNS = ("puzzle", "verdict", "proof", "peak", "status", "reason", "complete", "found", "valid", "amortised", "wall")


def exit_code(summary: dict[str, Any]) -> int:
    """The contract's code for a batch verb: the first that holds in the order 130, 1, 2, 3, 4."""
    if summary["interrupted"]:
        return 130
    if any(c["wrong"] or c["refused"] for c in summary["contenders"]):
        return 1
    if any("corpus" in d for d in summary["agreement"]["disagreements"]):
        return 2
    unfinished = ("timeout", "memory", "unknown", "error")
    if any(c[k] for c in summary["contenders"] for k in unfinished):
        return 4
    idle = (c for c in summary["contenders"] if c["unsupported"])
    return 4 if any(not c["solved"] + c["unsatisfiable"] for c in idle) else 0


def contender_summary(
    journal: Journal, number: int, puzzles: int, limit: float, votes: "np.ndarray[tuple[int], np.dtype[np.int32]]"
) -> dict[str, Any]:
    """One contender's entry; adds one to `votes` at each puzzle that it decided rightly."""
    c = journal.columns(number, *COLUMNS)
    run = any_by_puzzle(c["puzzle"], np.ones(len(c["puzzle"]), bool), puzzles)

    def puzzles_with(flags: Any) -> Any:
        return any_by_puzzle(c["puzzle"], flags, puzzles)

    wrong = puzzles_with(c["verdict"] == Verdict.WRONG)
    error = puzzles_with(c["verdict"] == Verdict.ERROR) & ~wrong
    unknown = puzzles_with(c["verdict"] == Verdict.UNKNOWN) & ~wrong & ~error
    memory = unknown & puzzles_with(c["reason"] == Reason.MEMORY)
    timeout = unknown & ~memory & puzzles_with(c["reason"] == Reason.TIMEOUT)
    unsupported = unknown & ~memory & ~timeout & puzzles_with(c["reason"] == Reason.UNSUPPORTED)
    decided = run & ~wrong & ~error & ~unknown
    votes[decided] += 1
    unsatisfiable = decided & puzzles_with(c["status"] == Status.UNSATISFIABLE)
    keep = decided[c["puzzle"]]
    seconds = median_by(c["puzzle"][keep], c["wall"][keep]) / NANO
    amortised = bool(c["amortised"].any())
    times = spread(seconds)
    total = times["total"]
    if amortised:
        times |= dict.fromkeys(("median", "p95", "max"))
    best = np.zeros(puzzles + 1, np.int64)
    np.maximum.at(best, c["puzzle"], c["valid"])
    shown = np.zeros(puzzles + 1, np.int64)
    np.maximum.at(shown, c["puzzle"], c["found"])
    return {
        "solved": int((decided & ~unsatisfiable).sum()),
        "unsatisfiable": int(unsatisfiable.sum()),
        "unknown": int((unknown & ~memory & ~timeout & ~unsupported).sum()),
        "unsupported": int(unsupported.sum()),
        "timeout": int(timeout.sum()),
        "memory": int(memory.sum()),
        "error": int(error.sum()),
        "wrong": int(wrong.sum()),
        "uncertified": int((puzzles_with(c["verdict"] == Verdict.UNCERTIFIED) & decided).sum()),
        "certified": int(puzzles_with(c["proof"] == CERTIFIED).sum()),
        "refused": int(puzzles_with(c["proof"] == REFUSED).sum()),
        "shown": int(shown.sum()),
        "verified": int(best.sum()),
        "seconds": times,
        "phases": phases(journal, number, decided),
        "puzzles_per_second": len(seconds) / total if total else None,
        "par2": par(seconds, int(run.sum()), limit, 2),
        "par10": par(seconds, int(run.sum()), limit, 10),
        "amortised": amortised,
        "peak": int(c["peak"].max()) if (c["peak"] >= 0).any() else None,
        "counters": counters(journal, number),
        "trouble": trouble(journal, number),
    }


def trouble(journal: Journal, number: int) -> list[dict[str, Any]]:
    """What went wrong in words, each way once with the first puzzle that it befell and how many it did in all."""
    found = journal.db.execute(
        "select min(p.id), p.name, o.reason, o.detail, count(*) from outcomes o join puzzles p on p.id = o.puzzle"
        " where o.contender = ? and o.detail is not null group by o.detail order by 1",
        (number,),
    )
    return [{"puzzle": name, "why": plainly(reason, why), "times": times} for _, name, reason, why, times in found]


def plainly(reason: int, why: str) -> str:
    """Why, for people: of what is unsupported no more than the backend's own words."""
    if reason == Reason.UNSUPPORTED:
        return f"unsupported: {why.removeprefix('could not be opened: ')}"
    return why.rstrip(": ")


def phases(journal: Journal, number: int, decided: Any) -> dict[str, float | None]:
    """Mean seconds a decided puzzle by phase, and the setup that was paid once."""
    c = journal.columns(number, "puzzle", *PHASES)
    keep = decided[c["puzzle"]]
    setup = journal.setups()[number]
    result: dict[str, float | None] = {"setup": None if setup is None else setup / NANO}
    return result | {p: float(c[p][keep].mean()) / NANO if keep.any() else None for p in PHASES}


def counters(journal: Journal, number: int) -> dict[str, int]:
    """Sums over all outcomes, of the counters that the backend has."""
    c = journal.columns(number, *COUNTERS)
    return {name: int(c[name][c[name] >= 0].sum()) for name in COUNTERS if (c[name] >= 0).any()}


def why_wrong(journal: Journal, number: int, puzzle_id: int, evidence: Evidence) -> str:
    """In words, why an outcome is wrong."""
    puzzle = journal.puzzle(puzzle_id)
    row = journal.db.execute(
        "select status, found, valid, solutions from outcomes"
        f" where contender = ? and puzzle = ? and verdict = {int(Verdict.WRONG)} order by repeat limit 1",
        (number, puzzle_id),
    ).fetchone()
    status, found, valid, blob = row
    if valid < 0:
        kind = np.uint8 if len(blob) == found * len(puzzle.problem.squares) else np.uint16
        grids = np.frombuffer(blob, kind).reshape(found, -1).tolist()
        for grid in grids:
            if wrong := violations(puzzle.problem, puzzle.domains, grid):
                more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
                return f"its solution breaks the puzzle: {wrong[0]}{more}"
        return "it shows one solution twice"
    if status == Status.SATISFIABLE and not found:
        return "says satisfiable but shows no solution"
    if status == Status.UNSATISFIABLE and found:
        return "says unsatisfiable and shows a solution"
    says = "says there is no solution" if not found else f"says complete with {found} solution{'s' * (found > 1)}"
    shown = int(evidence.shown[puzzle_id])
    if shown > found:
        return f"{says}, but {shown} {'was' if shown == 1 else 'were'} shown and checked"
    return f"{says}, but the corpus claims {puzzle.count}{'+' if puzzle.at_least else ''}"


def disagreements(journal: Journal, names: list[str], known: CorpusClaims, evidence: Evidence) -> list[dict[str, Any]]:
    """Every puzzle with a wrong answer, contenders blamed, and every claim of a corpus that is refuted."""
    found: list[dict[str, Any]] = []
    query = "select distinct puzzle, contender from outcomes where verdict = ? order by puzzle, contender"
    for puzzle_id, number in journal.db.execute(query, (int(Verdict.WRONG),)).fetchall():
        why = why_wrong(journal, number, puzzle_id, evidence)
        name = journal.puzzle(puzzle_id).name
        if found and found[-1]["puzzle"] == name and found[-1]["why"] == why:
            found[-1]["contenders"].append(names[number])
        else:
            found.append({"id": puzzle_id, "puzzle": name, "contenders": [names[number]], "why": why})
    for puzzle_id in np.flatnonzero(corpus_wrong(known, evidence)).tolist():
        puzzle = journal.puzzle(puzzle_id)
        shown = int(evidence.shown[puzzle_id])
        claim = f"{known.count[puzzle_id]}{'+' if known.at_least[puzzle_id] else ''}"
        proof = (
            "shown and checked" if shown > known.count[puzzle_id] else "all there are, as independent contenders agree"
        )
        found.append(
            {
                "id": puzzle_id,
                "puzzle": puzzle.name,
                "contenders": [],
                "corpus": True,
                "why": f"the corpus claims {claim} solutions, {shown} {proof}",
            }
        )
    return found


def summarise(journal: Journal, known: CorpusClaims, evidence: Evidence) -> dict[str, Any]:
    """The whole summary; `evidence` is the judge's."""
    meta, puzzles = journal.meta(), journal.size()
    limit = meta["limit"]
    contenders, votes = [], np.zeros(puzzles + 1, np.int32)
    for number, contender in enumerate(journal.contenders()):
        entry = asdict(contender)
        contenders.append(entry | contender_summary(journal, number, puzzles, limit, votes))
    blamed = disagreements(journal, [c["name"] for c in contenders], known, evidence)
    conflict = np.zeros(puzzles + 1, np.bool_)
    wrong = journal.db.execute("select distinct puzzle from outcomes where verdict in (1, 5)")
    conflict[[p for (p,) in wrong]] = True
    heard = votes[1:] >= 2
    sure = (known.count == evidence.complete_count) & ~known.at_least
    closed = ((evidence.complete_count == evidence.shown) & sure) | evidence.agreed()
    several = int((evidence.shown[1:] >= 2).sum())
    unique = int((closed & (evidence.shown == 1))[1:].sum())
    none = int((closed & (evidence.shown == 0))[1:].sum())
    summary = {
        "schema": SCHEMA,
        **{key: meta[key] for key in ("command", "seed", "count", "limit")},
        "journal": str(journal.path),
        "interrupted": meta["state"] == "interrupted",
        "host": meta["host"],
        "versions": meta["versions"],
        "corpora": [{"name": name, "puzzles": n} for name, n in journal.corpora()],
        "contenders": contenders,
        "agreement": {
            "puzzles": puzzles,
            "agreed": int((heard & ~conflict[1:]).sum()),
            "unjudged": int((~heard & ~conflict[1:]).sum()),
            "shown": sum(c["shown"] for c in contenders),
            "verified": sum(c["verified"] for c in contenders),
            "certified": int((evidence.certified >= 0).sum()),
            "unique": unique,
            "several": several,
            "none": none,
            "uncounted": puzzles - unique - several - none,
            "disagreements": blamed,
        },
        "warnings": on_journal(journal),
    }
    return summary | {"exit": exit_code(summary)}
