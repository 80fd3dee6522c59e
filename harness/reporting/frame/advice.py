"""Warnings about measurements: a closed list. Each states an observation and what to do about it."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Literal

import numpy as np

from backends.contract.cores import cores_of
from backends.programs import threads
from backends.programs.backend import program_of
from harness.model.lease import CHANGED, Sample
from harness.model.observing.clocks import CPU_RATIO, PUZZLE_SLACK_NS, Clocks, mistimed
from harness.model.observing.observed import SPEED_UP, Observed
from harness.model.outcome import NANO
from harness.model.settings import differences
from harness.reporting.frame.pairing import Side, on_other_machines
from harness.reporting.frame.results import CLOCKS, ContenderResults, Results
from harness.reporting.statistics.estimates import median, quantile
from harness.reporting.statistics.times import speed_up, speed_up_after_first
from harness.reporting.writing.numbers import format_seconds
from puzzles.errors import plural
from puzzles.problem.arrays import BoolArray

MAX_NOISE = 0.10  # relative difference between the quartiles of the reference work's time
MIN_SECONDS = 5e-7  # 15 times what it takes a compiled loop to read its clock
MAX_WAIT = 0.20  # share of waiting in wall time
MIN_REPEATS = 3


class Advice(Enum):
    """Templates of all warnings."""

    CHANGED = (
        "{path} was written, deleted or replaced by another program while its run wrote it: trust neither its times nor"
        " that every answer is there; run it again"
    )
    NOISY = "noisy host: machine speed varied by {percent:.0f} % during the run: stop other programs, or raise -r"
    WAITED = (
        "{names} waited for {percent} % of wall time: unless intended, the machine was busy; trust CPU times"
        " (--time cpu)"
    )
    THREADS = (
        "{name} used {cores:.1f} s of CPU time per second: it has several threads; run it alone, with that many cores"
    )
    ONE_CORE = (
        "{name} has more threads ({option}) than cores: state those, as in cpsat[cores=4], or run it with --no-pin"
    )
    CROWDED = (
        "{name} ran more threads at once than it has cores, so they waited for each other: state as many, as in"
        " cpsat[cores=4]"
    )
    COARSE = "{name} takes {time} per instance, little more than reading the clock: compare it on harder ones"
    REPEATS = "only {runs} of each instance: detecting small changes needs -r 5 or more"
    MISTIMED = (
        "{name}: its reported times do not match the parent's clock ({reported} reported, {waited} waited for):"
        " it is not ranked; do not trust its times"
    )
    IMPOSSIBLE = (
        "{name}: its reported times are impossible ({wall} of wall time and {cpu} of CPU time reported; the kernel"
        " counted {counted} of CPU time): it is not ranked; do not trust its times"
    )
    TOO_SHORT = (
        "{name}: its wall times are impossible ({cpu} of CPU time in {wall}, on {cores}): do not trust its times"
    )
    UNCHECKED = (
        "{name}: this process was stopped for {time} while it was asked, so the times of {puzzles} were not checked"
        " against the parent's clock{ranked}: run it again, and if that recurs, do not trust its times"
    )
    STOPPED = (
        "{name}: its processes were found stopped by a signal {times}, which another contender or user may have sent:"
        " do not trust its times and timeouts; run it alone"
    )
    BUSY = (
        "{name} used {cpu} of CPU time while others were asked ({percent:.0f} % of a core): their times may be too"
        " long; run it alone"
    )
    KEPT = (
        "{name} took {factor:.0f} times as long in its first repeat as in the later ones: it seems to keep answers"
        " between its processes, such as a cache on disk; remove that before each run, and trust the first repeat"
    )
    RECALLED = (
        "{name} took {factor:.0f} times as long when {puzzles} were asked first ({first}) as when the same worker was"
        " asked again ({again}), and its times are those of the second ask: it seems to keep answers; run it with -w 0"
    )
    KEPT_BETWEEN = (
        "{name} is of the same version in both journals, and took {factor:.0f} times as long in {path}: it seems to"
        " keep answers between runs, such as a cache on disk; remove that before each run"
    )
    UNMEASURED = "{path} holds no reference work, so the drift of machine speed is unknown: run it again"
    IMPORTED = (
        "{path} was imported, so the speed of its machine is unknown: no change of times between journals is called"
    )
    ONE_WORKER = (
        "{path} does not say which worker ran what: all repeats of a contender count as those of one, and show nothing"
        " of how workers differ; import a file with a column worker, as `export --format csv` writes it"
    )
    MACHINES = "the journals come from different machines ({a}; {b}): compare times from one machine only"
    MACHINE_TYPES = (
        "the journals come from different machines ({a}; {b}): their times are no regression or improvement, and lost"
        " and gained instances may be due to that; run both on one machine"
    )
    MIXED = (
        "mixed hosts ({types}): sums and means of times mix machines: trust ratios, which are by machine type, or show"
        " one type with `report --host 1`"
    )
    UNBACKED = (
        "{certificates} not counted, since the journal names no proof that was checked: run it again with --proof"
    )
    LIMITS = "the time limits differ ({a} and {b}): lost and gained instances may be due to that"
    SETTINGS = "the runs differ in {settings}: compare runs of the same settings"
    RESUMED = "resumed with other settings ({settings}): times before and after are not alike; run it again to compare"
    UNMATCHED = "{puzzles} in one journal only, not compared: run both on the same corpora"
    PARTIAL = "{path} is incomplete: resume it with `run --resume {path}`"

    def text(self, **facts: object) -> str:
        """Return the warning with its facts filled in."""
        return self.value.format(**facts)


def noise(samples: Sequence[Sample]) -> float:
    """Return the relative difference between the quartiles of the reference work's wall time."""
    if not samples:
        return 0.0
    wall = np.array(samples)[:, 0]
    return quantile(wall, 0.75) / quantile(wall, 0.25) - 1


def contender_warnings(name: str, c: ContenderResults, cores: int) -> Iterator[str]:
    """Yield warnings about the times of one contender on machines of at most so many cores."""
    both = timed(c)
    if not c.wall[both].sum():
        return
    share, wall, cpu = wait_share(c), float(c.wall[both].sum()), float(c.cpu[both].sum())
    beyond = cpu - CPU_RATIO * cores * wall
    if beyond > PUZZLE_SLACK_NS / NANO * np.count_nonzero(both):
        times = {"wall": format_seconds(wall), "cpu": format_seconds(cpu)}
        yield Advice.TOO_SHORT.text(name=name, cores=plural(cores, "core"), **times)
    elif beyond <= 0 and -share > cores_of(c.contender.backend) - 1 + MAX_WAIT:
        yield Advice.THREADS.text(name=name, cores=1 - share)
    middle = median(c.wall[both])
    if middle < MIN_SECONDS and not c.amortised:
        yield Advice.COARSE.text(name=name, time=format_seconds(middle))


def threaded_warnings(results: Results) -> Iterator[str]:
    """Yield a warning for each contender that states more threads than it had cores."""
    if not results.settings.pin or all(place.core is None for place in results.journal.places.all()):
        return
    for name, c in results.by_name.items():
        text = results.settings.programs.get(program_of(c.contender.backend), "")
        if option := threads.stated(c.contender.backend, text.split()):
            yield Advice.ONE_CORE.text(name=name, option=option)


def timed(c: ContenderResults) -> BoolArray:
    """Return bool[n], true for decided puzzles whose wall and CPU times are known."""
    return c.decided & ~np.isnan(c.wall) & ~np.isnan(c.cpu)


def wait_share(c: ContenderResults) -> float:
    """Return the share of wall time without CPU use; negative where a contender used several cores."""
    both = timed(c)
    wall, cpu = float(c.wall[both].sum()), float(c.cpu[both].sum())
    return 1 - cpu / wall if wall else 0.0


def trusted(results: Results) -> dict[str, ContenderResults]:
    """Return the contenders by name whose reported times are possible."""
    return {name: c for name, c in results.by_name.items() if name not in mistimed(results.facts)}


def advised_clock(results: Results) -> Literal["wall", "cpu"]:
    """Return the clock to trust: CPU time if contenders waited and none has several cores, else wall time."""
    contenders = trusted(results).values()
    shares = list(map(wait_share, contenders))
    known = not any("cpu" in c.unmeasured for c in contenders)
    several = any(cores_of(c.contender.backend) > 1 for c in contenders)
    busy = any(share > MAX_WAIT for share in shares) and not any(-share > MAX_WAIT for share in shares)
    return "cpu" if known and busy and not several else "wall"


def waiting_warning(shares: dict[str, float]) -> Iterator[str]:
    """Yield one warning that names all contenders that waited."""
    names = [name for name, share in shares.items() if share > MAX_WAIT]
    if names:
        low, high = (f"{100 * f(shares[n] for n in names):.0f}" for f in (min, max))
        shown = ", ".join(names[:2]) + (f" and {plural(len(names) - 2, 'other')}" if len(names) > 2 else "")
        yield Advice.WAITED.text(names=shown, percent=low if low == high else f"{low} to {high}")


def clock_warnings(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield warnings about reported times that the parent's clock contradicts, or could not check."""
    for name, clocks in Clocks.stored(facts).items():
        if "counted" in clocks.faults:
            sums = (clocks.reported, clocks.spent, clocks.counted)
            wall, cpu, counted = (format_seconds(ns / NANO) for ns in sums)
            yield Advice.IMPOSSIBLE.text(name=name, wall=wall, cpu=cpu, counted=counted)
        elif clocks.faults:
            reported, waited = (format_seconds(ns / NANO) for ns in (clocks.reported, clocks.waited))
            yield Advice.MISTIMED.text(name=name, reported=reported, waited=waited)
        if clocks.unchecked:
            ranked = "" if clocks.checked else ", and it is not ranked"
            time, puzzles = format_seconds(clocks.stopped / NANO), plural(clocks.unchecked, "puzzle")
            yield Advice.UNCHECKED.text(name=name, time=time, puzzles=puzzles, ranked=ranked)


def harm_warnings(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield warnings about contenders that kept answers, were stopped, or computed while others were asked."""
    for name, seen in Observed.stored(facts).items():
        if seen.recalled:
            first, again = (format_seconds(ns / NANO / seen.recalled) for ns in (seen.first, seen.again))
            yield Advice.RECALLED.text(
                name=name,
                factor=seen.first / max(1, seen.again),
                first=first,
                again=again,
                puzzles=plural(seen.recalled, "puzzle"),
            )
        if seen.crowded:
            yield Advice.CROWDED.text(name=name)
        if seen.stopped:
            yield Advice.STOPPED.text(name=name, times=plural(seen.stopped, "time"))
        if seen.busy_while_idle:
            cpu, percent = format_seconds(seen.idle_cpu / NANO), 100 * seen.idle_cpu / seen.idle
            yield Advice.BUSY.text(name=name, cpu=cpu, percent=percent)


def kept_warnings(results: Results) -> Iterator[str]:
    """Yield warnings about contenders that became much faster after their first repeat, on both clocks."""
    for name, c in results.by_name.items():
        factor = min(speed_up_after_first(times) for times in c.times.values())
        if factor >= SPEED_UP:
            yield Advice.KEPT.text(name=name, factor=factor)


def kept_between_warnings(pairs: Sequence[tuple[Side, Side]]) -> Iterator[str]:
    """Yield warnings on contenders of equal version that became much faster in the second journal, on both clocks."""
    for a, b in pairs:
        alike = (a.name, a.version) == (b.name, b.version)
        if a.results is b.results or not alike or on_other_machines(a.results, b.results):
            continue
        factor = min(speed_up(a.times(clock).seconds, b.times(clock).seconds) for clock in CLOCKS)
        if factor >= SPEED_UP:
            yield Advice.KEPT_BETWEEN.text(name=a.name, factor=factor, path=a.results.journal.path)


def run_warnings(results: Results) -> list[str]:
    """Return warnings about the times of a run."""
    warnings, hosts = [], results.journal.places.hosts()
    if results.facts.get(CHANGED):
        warnings.append(Advice.CHANGED.text(path=results.journal.path))
    unchecked = any(c.unchecked.any() for c in results.contenders)  # which a certificate without a checked file is
    if unchecked and (number := results.journal.proofs.unbacked()):
        warnings.append(Advice.UNBACKED.text(certificates=plural(number, "stored certificate")))
    varied = max(noise(part.samples) for part in results.strata or (results,))
    if varied > MAX_NOISE:
        warnings.append(Advice.NOISY.text(percent=100 * varied))
    if results.strata:
        warnings.append(Advice.MIXED.text(types="; ".join(map(str, results.machines))))
    elif results.journal.facts.imported:  # where a lease ran is unknown
        warnings += [Advice.MACHINES.text(a=hosts[0]["cpu"], b=other["cpu"]) for other in hosts[1:]]
    if any(c.one_worker and len(c.states) > 1 for c in results.contenders):
        warnings.append(Advice.ONE_WORKER.text(path=results.journal.path))
    pins = {True: "", False: ", not pinned"}
    sessions = dict.fromkeys(plural(s["jobs"], "job") + pins[s["pin"]] for s in results.facts.get("sessions", ()))
    if len(sessions) > 1:
        warnings.append(Advice.RESUMED.text(settings="; ".join(sessions)))
    warnings += clock_warnings(results.facts)
    warnings += harm_warnings(results.facts)
    warnings += kept_warnings(results)
    warnings += waiting_warning({name: wait_share(c) for name, c in trusted(results).items()})
    warnings += threaded_warnings(results)
    cores = max(machine.get("cores") or sys.maxsize for machine in hosts)
    for name, c in trusted(results).items():
        warnings += contender_warnings(name, c, cores)
    return warnings


def comparison_warnings(a: Results, b: Results, common: int) -> list[str]:
    """Return warnings about comparing two journals on `common` instances; both may be the same journal."""
    warnings = []
    for results in (a,) if a is b else (a, b):
        path = results.journal.path
        warnings += [text if a is b else f"{path}: {text}" for text in run_warnings(results)]
        if results.facts["state"] != "complete":
            warnings.append(Advice.PARTIAL.text(path=path))
        if a is not b and not results.samples:
            unknown = Advice.IMPORTED if results.journal.facts.imported else Advice.UNMEASURED
            warnings.append(unknown.text(path=path))
        runs = max((len(c.states) for c in results.contenders), default=0)
        if 0 < runs < MIN_REPEATS:
            warnings.append(Advice.REPEATS.text(runs="one run" if runs == 1 else f"{runs} runs"))
    x, y = a.facts["host"], b.facts["host"]
    if on_other_machines(a, b):
        types = ("; ".join(str(machines.type) for machines in results.machines) for results in (a, b))
        warnings.append(Advice.MACHINE_TYPES.text(**dict(zip("ab", types, strict=True))))
    elif x != y:
        warnings.append(Advice.MACHINES.text(a=x["cpu"], b=y["cpu"]))
    if a.limits.wall != b.limits.wall:  # other limits of CPU time are settings, below
        warnings.append(Advice.LIMITS.text(a=a.limits, b=b.limits))
    differing = differences(a.settings, b.settings)
    pythons = [results.facts["versions"]["python"] for results in (a, b)]
    if pythons[0] != pythons[1]:
        differing.append(f"Python ({pythons[0]} and {pythons[1]})")
    if differing:
        warnings.append(Advice.SETTINGS.text(settings=", ".join(differing)))
    if left := a.size + b.size - 2 * common:
        warnings.append(Advice.UNMATCHED.text(puzzles=plural(left, "instance")))
    return list(dict.fromkeys(warnings))
