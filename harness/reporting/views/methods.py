"""Text on methods for a paper, from what a journal records, and BibTeX of the solvers' papers that are known here.

Each sentence is of one fact of the journal; what the journal does not record has no sentence.
"""

from collections.abc import Iterator
from pathlib import Path

from harness.model.host import machine_type
from harness.model.lease import SEEDLESS
from harness.reporting.frame.entries import Summary
from harness.reporting.frame.results import CLOCK_NAMES, Results
from harness.reporting.statistics.bootstrap import LEVEL
from harness.reporting.views.luck import cause
from puzzles.errors import plural

REFERENCES = Path(__file__).with_name("references.bib")
DIGITS = 12  # of a digest


def methods(results: Results, summary: Summary, event: str = "") -> str:
    """Return a paragraph and the entries of BibTeX of a journal's solvers that are known; `event` has the rules."""
    keys = known_papers(" ".join(f"{c['backend']} {c['version']}".lower() for c in summary["contenders"]))
    ruled = [f"Contenders are ranked by the rules of {event}."] if event else []
    text = " ".join([*sentences(results, summary), *ruled])
    return "\n\n".join([text, *keys])


def sentences(results: Results, s: Summary) -> Iterator[str]:
    """Yield the sentences of the paragraph."""
    corpora = ", ".join(f"{c['name']} ({plural(c['puzzles'], 'instance')})" for c in s["corpora"])
    yield f"The instances are those of {corpora}."
    if s["imported"]:
        yield f"Outcomes were imported from results in the format {s['imported']['format']}; no solution was checked."
    else:
        yield from of_a_run(results, s)
    yield from of_statistics(results, s)
    if unsupported := ", ".join(f"{c['name']} {c['unsupported']:,}" for c in s["contenders"] if c["unsupported"]):
        yield f"Instances that a contender does not support count as undecided: {unsupported}."
    if s["warnings"]:
        told = (text.rpartition(": ")[0] or text for text in s["warnings"])  # without advice
        yield f"Warnings of the run: {'; '.join(told)}."
    if s["malformed"]:
        yield f"Excluded, as it could not be read: {plural(len(s['malformed']), 'file')}."
    if s["state"] != "complete":
        yield f"The run is not complete ({s['state']})."


def of_a_run(results: Results, s: Summary) -> Iterator[str]:
    """Yield the sentences on machine, contenders, limits, order, repeats, seeds and checks."""
    settings = results.settings
    types = [str(m.type) for m in results.machines] or [str(machine_type(s["host"]))]
    release = s["versions"].get("crosscheck") or "of no release"
    yield f"They were run on {' and on '.join(types)} with Crosscheck {release}."
    yield f"Contenders: {'; '.join(contender(c['name'], c['version']) for c in s['contenders'])}."
    if digests := results.facts.get("executables"):
        files = (f"{executed(name)} {digest[:DIGITS]}" for name, digest in digests.items() if digest)
        if listed := "; ".join(files):
            yield f"Files that were executed, with their digests (SHA-256): {listed}."
    memory = f", and {s['memory_limit'] >> 20:,} MiB of memory" if s["memory_limit"] else ""
    yield f"The limit of an instance was {settings.limits}{memory}."
    pinned = ", each pinned to a core" if settings.pin and s["host"].get("system") == "Linux" else ""
    yield (
        f"At most {plural(settings.jobs, 'instance')} ran at a time{pinned}; neighbouring instances were run with all"
        f" contenders at one place, in an order drawn with seed {settings.seed}."
    )
    repeats = max((len(c.states) for c in results.contenders), default=0)
    fresh = "with new processes for each" if repeats > 1 else "so the variation between processes is assumed"
    part = [c.contender.name for c in results.contenders if not c.asked[1:].all()]
    but = f" ({', '.join(part)} only some)" if part else ""
    yield f"Each contender was asked each instance{but} {plural(repeats, 'time')}, {fresh}."
    if settings.scramble:
        yield "Each repeat had a random symmetry of the instance."
    if settings.draw_seeds:
        without = (
            f", but for {', '.join(seedless)}, which take none" if (seedless := results.facts.get(SEEDLESS)) else ""
        )
        yield f"Solvers got another random seed in each repeat{without}."
    a = s["agreement"]
    yield f"Of {plural(a['shown'], 'solution')}, {a['verified']:,} were verified against the instance and distinct."
    if s["proof"]:
        others = f" and by {', '.join(s['checkers'])}" if s["checkers"] else ""
        yield (
            f"Proofs were asked for, and checked by Crosscheck{others}: the answer to"
            f" {plural(a['certified'], 'instance')} is certified."
        )
    wrong = [c["name"] for c in s["contenders"] if c["wrong"]]
    if wrong:
        yield f"Wrong answers were given by {', '.join(wrong)}; these are undecided, and such contenders rank last."


def executed(name: str) -> str:
    """Return a file of a run's `executables` without its option and its folders, which are of nobody's interest."""
    option, _, path = name.partition(": ")
    return f"{option.rpartition(' ')[2]}: {Path(path).name}"


def contender(name: str, version: str) -> str:
    """Return a contender with its version, where it is known."""
    return f"{name} ({version})" if version else name


def of_statistics(results: Results, s: Summary) -> Iterator[str]:
    """Yield the sentences on scores and their statistics."""
    used = (f"{one['seconds']:g} s of {CLOCK_NAMES[one['clock']]}" for one in s["score_limits"].values())
    limits = " and ".join(dict.fromkeys(used))
    yield f"PAR-2 charges twice the limit ({limits}) for an undecided instance."
    yield (
        "Of repeats the median counts for times and the worst state for answers. Pairs of contenders are compared by"
        " t-tests of the mean difference of scores, corrected by Holm (1979) at 5 %."
    )
    over = "instances"
    if results.sampled:
        over = "families"
        yield f"Families ({results.sampled.by}, {results.sampled.number:,}) are resampled."
    yield (
        f"Intervals ({LEVEL:.0%}) of scores that are times are of the logarithm of the mean, by a jackknife over {over}"
        " with Student's t, up to the upper end for a lognormal mean (Zhou and Gao, 1997) where that is higher."
    )
    if not results.sampled:
        yield "Those of other scores, and ends that allow for failures that were not seen, are of Gaffke (2005)."
    if of := cause(results):
        yield f"Luck of {of} is the variance within instances by a one-way analysis of variance of log ratios."
    if results.proofs_required:
        yield "An unsatisfiable answer counts only with a proof that holds."
    if results.shown:
        yield f"Only some instances are shown:{results.shown}."


def known_papers(solvers: str) -> list[str]:
    """Return the entries of BibTeX whose `keywords` name a part of one of the solvers."""
    entries = REFERENCES.read_text(encoding="utf-8").strip().split("\n\n")
    return [entry for entry in entries if any(word in solvers for word in keywords(entry))]


def keywords(entry: str) -> list[str]:
    """Return the words by which an entry is found."""
    _, _, rest = entry.partition("keywords = {")
    return rest.partition("}")[0].split(", ")
