"""Facts of a journal and of a comparison of two, as the site keeps them: plain data from which pages are made."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.model.release import installed
from harness.reporting.frame.advice import advised_clock
from harness.reporting.frame.entries import ComparisonEntry, field_of
from harness.reporting.frame.results import CLOCK_NAMES, Results
from harness.reporting.views.comparing.comparison_text import verdict
from harness.reporting.views.comparing.headline import decisive
from harness.reporting.views.ranking.ranks import rank
from harness.reporting.views.ranking.result import of_results
from puzzles.errors import plural

SCHEMA = 1
Facts = dict[str, Any]
COMMIT = re.compile(r"(?<![0-9a-f])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}(?![0-9a-f])")
DAY = re.compile(r"(?<!\d)20\d\d-\d\d-\d\d(?!\d)")


def identity(name: str, digest: str) -> str:
    """Return a name for the files of a journal: of its path in the folder, with a part of its digest."""
    return f"{re.sub('[^A-Za-z0-9._-]+', '-', name.removesuffix('.sqlite'))}-{digest[:8]}"


def report_of(journal: Facts) -> str:
    """Return the address of the report page of a journal."""
    return f"journals/{journal['id']}.html"


def moment(journal: Facts) -> str:
    """Return the date of a journal, and its commit if that is known."""
    return " ".join(filter(None, (journal["date"], journal["commit"])))


def date_of(started: str | None, name: str, path: Path) -> str:
    """Return when a journal was made: as it states, as its name states, else the time of the file."""
    if started:
        return started[:19].replace("T", " ")
    if day := DAY.search(name):
        return day.group()
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(" ", "seconds")[:19]


def journal_facts(results: Results, summary: Mapping[str, Any], name: str, digest: str) -> Facts:
    """Return the facts of a journal: what it is about, and its ranking by PAR-2 on the clock to trust."""
    clock, journal = advised_clock(results), results.journal
    ranking = rank(results, "par2", clock).as_dict()
    by_name = {c["name"]: c for c in summary["contenders"]}
    corpora = [source.name for source in journal.corpora.sources()]
    commit = COMMIT.search(name.rpartition("/")[2].removesuffix(".sqlite"))
    return {
        "schema": SCHEMA,
        "crosscheck": installed() or "",
        "digest": digest,
        "file": name,
        "id": identity(name, digest),
        "date": date_of(results.facts.get("started"), name, journal.path),
        "commit": commit.group() if commit else "",
        "version": results.facts["versions"].get("crosscheck", ""),
        "series": f"{', '.join(corpora)} | {results.limits} | {plural(results.settings.count, 'solution')}",
        "puzzles": results.size,
        "machine": "; ".join(map(str, results.machines)),
        "state": results.facts["state"],
        "clock": CLOCK_NAMES[clock],
        "sentence": of_results(results, clock)["sentence"],
        "contenders": [standing(c, by_name[c["name"]]) for c in ranking["contenders"]],
    }


def standing(ranked: Mapping[str, Any], entry: Mapping[str, Any]) -> Facts:
    """Return the place of a contender: rank, score, and what it decided."""
    asked = sum(entry[k] for k in ("solved", "proofless", "timeout", "memory", "unknown", "unsupported", "error"))
    return {
        **{key: ranked[key] for key in ("name", "rank", "score")},
        "version": entry["version"],
        "solved": entry["solved"],
        "wrong": entry["wrong"],
        "asked": asked + entry["wrong"],
    }


def comparison_facts(before: str, after: str, result: Mapping[str, Any] | None, why: str = "") -> Facts:
    """Return the facts of a comparison of two journals, by contender; of one that is not possible, why not."""
    entries = result["comparisons"] if result else []
    return {
        "schema": SCHEMA,
        "before": before,
        "after": after,
        "why": why,
        "exit": result["exit"] if result else 4,
        "contenders": {c["after"]["contender"]: change(c) for c in entries},
    }


def change(c: ComparisonEntry) -> Facts:
    """Return the change of one contender, by the clock that shows its call most."""
    times = decisive(dict(c))
    return {
        "call": "different machines" if "other_machines" in c else c["call"],
        "verdict": verdict(c),
        **{key: times.get(key) for key in ("ratio", "low", "high", "clock")},
        **{key: len(field_of(c, key)) for key in ("lost", "gained", "wrong", "conflict")},
        "exit": c["exit"],
    }
