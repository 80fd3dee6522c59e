"""Trust strip of the page: what a reader has to know before believing a time, each with a link to what it is about."""

from collections.abc import Callable, Sequence

import numpy as np

from harness.reporting.frame.advice import MAX_NOISE, noise
from harness.reporting.frame.entries import Summary
from harness.reporting.frame.results import CLOCK_NAMES, Results
from puzzles.errors import plural
from puzzles.problem.arrays import BoolArray, Int64Array

Tile = dict[str, str]
NOBODY, ALONE = "*=nobody", "*=alone"  # conditions of the page's filter: no contender, one contender decided it


def tile(mark: str, head: str, text: str, where: str = "", at: str = "") -> Tile:
    """Return a tile: `mark` is bad, doubt, good or open; it links to a condition `where`, or to a section `at`."""
    return {"mark": mark, "head": head, "text": text, "where": where, "at": at}


def trust(results: Results, summary: Summary, clock: str) -> list[Tile]:
    """Return the tiles of a journal; `clock` is the one that its page opens with."""
    makers: Sequence[Callable[[Results, Summary], list[Tile]]] = (
        alarms,
        wrong,
        malformed,
        bounds,
        checked,
        proved,
        undecided,
    )
    first, *rest = (made for make in makers for made in make(results, summary))
    return [first, machine(results, summary, clock), *rest]


def alarms(results: Results, summary: Summary) -> list[Tile]:
    """Return a tile if a checked solution contradicts a certificate."""
    found = plural(len(summary["alarms"]), "false certificate")
    return [tile("bad", found, "a checked solution contradicts a proof", at="agreement")] if summary["alarms"] else []


def wrong(results: Results, summary: Summary) -> list[Tile]:
    """Return a tile on refuted answers."""
    blamed = [c for c in summary["contenders"] if c["wrong"]]
    if blamed:
        names = ", ".join(f"{c['name']} on {plural(c['wrong'], 'instance')}" for c in blamed[:2])
        more = f" and {len(blamed) - 2} more" if len(blamed) > 2 else ""
        head = f"{plural(len(blamed), 'contender')} wrong"
        return [tile("bad", head, names + more, f"{blamed[0]['name'] if len(blamed) == 1 else '*'}=wrong")]
    if found := summary["agreement"]["disagreements"]:
        return [tile("bad", plural(len(found), "contradiction"), "between answers, or with a corpus", at="agreement")]
    two = len(results.contenders) > 1
    return [tile("good" if two else "open", "no answer refuted", "by solutions, proofs or others", at="agreement")]


def malformed(results: Results, summary: Summary) -> list[Tile]:
    """Return a tile if files of the corpora could not be read."""
    number = len(summary["malformed"])
    return [tile("bad", plural(number, "malformed file"), "not run", at="agreement")] if number else []


def bounds(results: Results, summary: Summary) -> list[Tile]:
    """Return a tile if a solution is better than a bound allows."""
    number = len(results.refuted_bounds)
    return [tile("bad", f"{plural(number, 'bound')} refuted", "by a better solution", at="courses")] if number else []


def machine(results: Results, summary: Summary, clock: str) -> Tile:
    """Return the tile on noise and other warnings."""
    varied = max(noise(part.samples) for part in results.strata or (results,))
    others = len(summary["warnings"]) - (varied > MAX_NOISE)
    more = f"; {plural(others, 'more warning' if varied > MAX_NOISE else 'warning')}" if others else ""
    opens = "CPU time opens, as advised" if clock == "cpu" else f"{CLOCK_NAMES[clock]} opens"
    if varied > MAX_NOISE:
        return tile("doubt", "noisy machine", f"speed varied by {100 * varied:.0f} %; {opens}{more}", at="agreement")
    if not results.samples:
        return tile("open", "noise not known", f"no reference work; {opens}{more}", at="agreement")
    mark = "doubt" if others else "good"
    return tile(mark, "quiet machine", f"speed varied by {100 * varied:.0f} %; {opens}{more}", at="agreement")


def checked(results: Results, summary: Summary) -> list[Tile]:
    """Return the tile on solutions."""
    if summary["imported"]:
        return [tile("open", "no solution checked", "imported results hold none", at="agreement")]
    a = summary["agreement"]
    bad, head = a["shown"] - a["verified"], f"{plural(a['shown'], 'solution')} checked"
    if not a["shown"]:
        return [tile("open", "no solution given", "nothing to check", at="agreement")]
    if not bad:
        return [tile("good", head, "all hold", at="agreement")]
    honest = all(c["verified"] == c["shown"] for c in summary["contenders"] if not c["wrong"])
    rest = "; those of all others hold" if honest else ""
    return [tile("bad", head, f"{bad:,} {'does' if bad == 1 else 'do'} not hold{rest}", at="agreement")]


def proved(results: Results, summary: Summary) -> list[Tile]:
    """Return the tile on unsatisfiable instances and their proofs."""
    unsatisfiable = any_of([c.unsatisfiable & c.decided for c in results.contenders])
    with_proof = any_of([c.unsatisfiable & c.certified for c in results.contenders])
    number, proofs = int(unsatisfiable.sum()), int((unsatisfiable & with_proof).sum())
    if not number:
        return []
    known = "all" if proofs == number else f"{proofs:,}" if proofs else "none"
    agreed = number_deciding([c.unsatisfiable & c.decided for c in results.contenders])[unsatisfiable].min() > 1
    opinion = "two or more say so" if agreed else "some by one alone"
    advice = "" if summary["imported"] else "; --proof certifies"
    text = "by checked proofs" if proofs else f"{opinion}{advice}"
    return [tile("good" if proofs == number else "open", f"{number:,} unsat, {known} proved", text, "*=unsatisfiable")]


def undecided(results: Results, summary: Summary) -> list[Tile]:
    """Return the tile on instances that no contender, or only one, decided."""
    deciding = number_deciding([c.decided for c in results.contenders])[1:]
    asked = any_of([c.asked for c in results.contenders])[1:]
    nobody, alone = int((asked & (deciding == 0)).sum()), int((deciding == 1).sum())
    single = f"{alone:,} by one contender alone" if alone and len(results.contenders) > 1 else ""
    if not nobody:
        where = ALONE if single else ""
        return [tile("good", "none left undecided", single or f"all {results.size:,} decided", where, "instances")]
    return [tile("open", f"{nobody:,} decided by nobody", single or "the others by two or more", NOBODY)]


def any_of(flags: Sequence[BoolArray]) -> BoolArray:
    """Return bool[n], true where one of some columns is."""
    found: BoolArray = np.any(flags, axis=0)
    return found


def number_deciding(flags: Sequence[BoolArray]) -> Int64Array:
    """Return int64[n], how many of some columns are true."""
    found: Int64Array = np.sum(flags, axis=0, dtype=np.int64)
    return found
