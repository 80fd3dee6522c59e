"""Sentence on what changed between two journals, from the calls and intervals of `compare --json`."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from harness.reporting.frame.entries import ComparisonResult
from harness.reporting.frame.results import CLOCK_NAMES, CLOCKS
from harness.reporting.statistics.calls import Call
from harness.reporting.writing.numbers import format_number
from puzzles.errors import plural

WORDS = {Call.REGRESSED: "slower", Call.IMPROVED: "faster"}
LOSSES = {"conflict": "contradicts the older answer on", "wrong": "is wrong on", "lost": "lost"}
MOST_NAMED = 3


def headline(result: ComparisonResult, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the sentence and further ones, with `labels` in the place of names of contenders."""
    known, names = labels or {}, [c["after"]["contender"] for c in result["comparisons"]]
    found = [c | {"label": known.get(name, name)} for c, name in zip(result["comparisons"], names, strict=True)]
    sentence = changed(found, result["threshold"]) if found else "No contender is in both journals"
    more = [f"{text}." for text in (*losses(found), *([intervals(found)] if any(c["times"] for c in found) else []))]
    return {"sentence": sentence, "details": more}


def changed(found: Sequence[dict[str, Any]], threshold: float) -> str:
    """Return which contenders became slower or faster, or that no change is shown."""
    if all("other_machines" in c for c in found):
        return "Different machines: times show no change of a contender"
    parts = [text for call, word in WORDS.items() if (text := called([c for c in found if c["call"] == call], word))]
    if parts:
        return "; ".join(parts)
    if all(c["call"] == Call.SAME for c in found):
        return f"No change: every ratio is within {100 * threshold:g} %"
    ratios = sorted(t["ratio"] for c in found if (t := decisive(c)))
    if not ratios:
        return "No change shown: no instance has times in both"
    ends = f"{ratios[0]:.2f}" if len(ratios) == 1 else f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
    return f"No change shown: {plural(len(ratios), 'contender')} at {ends} times the older time"


def called(some: Sequence[dict[str, Any]], word: str) -> str:
    """Return the contenders of one call, the largest change first."""
    known = sorted((c for c in some if decisive(c)), key=lambda c: -size(decisive(c)))
    names = [f"{c['label']} {factor(decisive(c)['ratio'])} times" for c in known[:MOST_NAMED]]
    more = [f"{len(known) - MOST_NAMED} more"] if len(known) > MOST_NAMED else []
    return f"{word.capitalize()}: {', '.join([*names, *more])}" if known else ""


def factor(ratio: float) -> str:
    """Return a ratio or its inverse, whichever is above 1."""
    return format_number(max(ratio, 1 / ratio))


def size(times: dict[str, Any]) -> float:
    """Return how far a ratio is from 1."""
    return abs(math.log(times["ratio"]))


def decisive(c: dict[str, Any]) -> dict[str, Any]:
    """Return the times that show the call of a comparison most, else CPU times, with their clock; {} without times."""
    known = [c["times"][clock] | {"clock": clock} for clock in CLOCKS if clock in c["times"]]
    agreeing = [times for times in known if times["call"] == c["call"]] or known
    return max(agreeing, key=size, default={}) if c["call"] in WORDS else next(iter(agreeing), {})


def losses(found: Sequence[dict[str, Any]]) -> list[str]:
    """Return a line for each contender that lost instances, is wrong, or contradicts its older answers."""
    return [
        f"{c['label']} {words} {plural(len(c[kind]), 'instance')}"
        for c in found
        for kind, words in LOSSES.items()
        if c[kind]
    ]


def intervals(found: Sequence[dict[str, Any]]) -> str:
    """Return the widest interval: a change within it can't be excluded."""
    known = [(c["label"], t) for c in found if (t := decisive(c))]
    open_ended = [name for name, t in known if t["high"] is None]
    if open_ended:
        return f"Too little data for an interval of {', '.join(open_ended[:MOST_NAMED])}"
    name, t = max(known, key=lambda pair: pair[1]["high"] / max(pair[1]["low"] or 0.0, 1e-9))
    return f"Widest interval (99 %): {t['low'] or 0:.2f} to {t['high']:.2f} times, {name}, {CLOCK_NAMES[t['clock']]}"
