"""The warnings that a user can get, a closed list: each says what was seen, and what to do about it."""

from collections.abc import Iterator, Sequence
from enum import Enum

import numpy as np

from backends.answer import BoolArray
from harness.model.lease import Sample
from harness.reporting.results import ContenderResults, Results
from harness.reporting.tables import seconds

NOISE = 0.10  # of the reference work's time, between its quartiles
COARSE = 5e-7  # seconds: a compiled loop that times each puzzle reads its clock in a fifteenth of this
WAITED = 0.20  # of the wall time
REPEATS = 3


class Advice(Enum):
    """Every warning there is."""

    NOISY = "noisy host: the same work took {percent:.0f} % longer now than then: stop other programs, or raise -r"
    WAITED = "{names} waited for {percent} % of wall time: unless by intent, the machine was busy; trust CPU times"
    THREADS = "{name} took {cores:.1f} s of CPU time a second: it uses several threads, so give it as many cores alone"
    COARSE = "{name} takes {time} a puzzle, little more than reading the clock: compare it on harder puzzles"
    REPEATS = "only {runs} of each puzzle by fresh workers: small changes need -r 5 or more"
    UNMEASURED = "{path} holds no reference work, so nothing is known of the machine's drift: run it anew"
    MACHINES = "the journals come from different machines ({a}; {b}): compare times of one machine only"
    LIMITS = "the time limits differ ({a:g} s and {b:g} s): what is lost or gained may be due to that"
    UNMATCHED = "{number} puzzles are in one journal only and were left out: run both on the same corpora"
    PARTIAL = "{path} is not complete: go on with it by `run --resume`"
    MANY = (
        "{contenders} contenders, more than the {kept} whose workers are kept: each solves everything in one turn, so"
        " what drifts on the machine is not shared out; take fewer to tell small differences apart"
    )

    def say(self, **facts: object) -> str:
        """The warning in full."""
        return self.value.format(**facts)


def noise(samples: Sequence[Sample]) -> float:
    """By how much the slow quarter of the reference work took longer than the fast one."""
    if not samples:
        return 0.0
    low, high = np.quantile(np.array(samples)[:, 0], [0.25, 0.75])
    return float(high / low - 1)


def contender_warnings(name: str, c: ContenderResults) -> Iterator[str]:
    """What is doubtful about one contender's times."""
    both = timed(c)
    if not c.wall[both].sum():
        return
    share = waited(c)
    if -share > WAITED:
        yield Advice.THREADS.say(name=name, cores=1 - share)
    median = float(np.median(c.wall[both]))
    if median < COARSE and not c.amortised:
        yield Advice.COARSE.say(name=name, time=seconds(median))


def timed(c: ContenderResults) -> BoolArray:
    """The puzzles of which both times are known."""
    return c.decided & ~np.isnan(c.wall) & ~np.isnan(c.cpu)


def waited(c: ContenderResults) -> float:
    """The share of its wall time for which a contender used no CPU; below zero where it used several cores."""
    both = timed(c)
    wall, cpu = float(c.wall[both].sum()), float(c.cpu[both].sum())
    return 1 - cpu / wall if wall else 0.0


def waiting_warning(shares: dict[str, float]) -> Iterator[str]:
    """Who waited for how long, all in one line."""
    names = [name for name, share in shares.items() if share > WAITED]
    if names:
        low, high = (f"{100 * f(shares[n] for n in names):.0f}" for f in (min, max))
        shown = ", ".join(names[:2]) + (f" and {len(names) - 2} others" if len(names) > 2 else "")
        yield Advice.WAITED.say(names=shown, percent=low if low == high else f"{low} to {high}")


def run_warnings(results: Results) -> list[str]:
    """What is doubtful about a run's times."""
    found, hosts = [], results.journal.hosts()
    varied = noise(results.samples)
    if varied > NOISE:
        found.append(Advice.NOISY.say(percent=100 * varied))
    found += [Advice.MACHINES.say(a=hosts[0]["cpu"], b=other["cpu"]) for other in hosts[1:]]
    found += waiting_warning({name: waited(c) for name, c in results.by_name.items()})
    for name, c in results.by_name.items():
        found += contender_warnings(name, c)
    return found


def comparison_warnings(a: Results, b: Results, common: int) -> list[str]:
    """What is doubtful about comparing these journals on so many common instances; a may be b."""
    found = []
    for results in (a,) if a is b else (a, b):
        path = results.journal.path
        if results.facts["state"] != "complete":
            found.append(Advice.PARTIAL.say(path=path))
        if a is not b and not results.samples:
            found.append(Advice.UNMEASURED.say(path=path))
        runs = max((len(c.states) for c in results.contenders), default=0)
        if 0 < runs < REPEATS:
            found.append(Advice.REPEATS.say(runs="one run" if runs == 1 else f"{runs} runs"))
    x, y = a.facts["host"], b.facts["host"]
    if x != y:
        found.append(Advice.MACHINES.say(a=x["cpu"], b=y["cpu"]))
    if a.settings.limit != b.settings.limit:
        found.append(Advice.LIMITS.say(a=a.settings.limit, b=b.settings.limit))
    if left := a.size + b.size - 2 * common:
        found.append(Advice.UNMATCHED.say(number=left))
    return list(dict.fromkeys(found))
