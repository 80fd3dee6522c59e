"""Rankings of a journal under the rules of a competition (harness/model/rules/), and how the run departs from these."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from backends.contract.cores import cores_of
from harness.model.errors import BadUsage
from harness.model.observing.observed import Observed
from harness.model.quality import Quality
from harness.model.rules import Rules
from harness.reporting.frame.proofs import with_proofs_required
from harness.reporting.frame.results import Results
from harness.reporting.frame.sampling import pairs_of
from harness.reporting.views.comparing.measures import OBJECTIVE_SCORES
from harness.reporting.views.ranking.named import parsed
from harness.reporting.views.ranking.rank_text import rank_table
from harness.reporting.views.ranking.ranks import Ranking, instances_of, rank
from harness.reporting.writing.table import ResultTable
from puzzles.errors import plural
from puzzles.readers.compressed import ending

MEGABYTE = 10**6
WHOLE = re.compile(r"-?\d{1,4000}", re.ASCII)
LANGUAGE = {
    ".cnf": "cnf",
    ".dimacs": "cnf",
    ".wcnf": "wcnf",
    ".opb": "opb",
    ".wbo": "opb",
    ".fzn": "fzn",
    ".xml": "xcsp3",
}
UNSURE = {  # keys of a file of rules, in words
    "limits.seconds": "limit of time",
    "limits.memory_mb": "limit of memory",
    "limits.clock": "clock of the limit",
    "protocol.exit_codes": "exit codes",
    "protocol.grace": "time from SIGTERM to SIGKILL",
    "protocol.language": "language of the instances",
    "ranking.score": "score",
}


def under(results: Results, rules: Rules) -> Results:
    """Return results as the rules judge answers: with proofs, where these are required."""
    if rules.answers.proof != "required":
        return results
    return with_proofs_required(results, rules.answers.refuted_proof == "wrong")


def rankings(results: Results, rules: Rules) -> list[Ranking]:
    """Return each ranking of the rules that has instances. Raises BadUsage if none has."""
    found = []
    for placing in rules.ranking:
        valued = parsed(placing.score).base in OBJECTIVE_SCORES
        if instances_of(results, placing.of).any() and (results.best_known is not None or not valued):
            found.append(rank(results, placing.score, rules.limits.clock, placing))
    if not found:
        raise BadUsage(f"{rules.title} ranks instances with objectives, and no instance of this journal has one")
    return found


def tables(rules: Rules, found: Sequence[Ranking], notes: Sequence[str]) -> list[ResultTable]:
    """Return the rankings as tables; the last one has the sources, and the notes on the run."""
    of = {placing.name: placing.note for placing in rules.ranking}
    shown = [
        replace(
            table, title=f"{rules.title}: {ranking.event}", notes=(*table.notes, *filter(None, [of[ranking.event]]))
        )
        for ranking, table in ((ranking, rank_table(ranking)) for ranking in found)
    ]
    words = ", ".join(UNSURE.get(key, key) for key in rules.unsure)
    unsure = [f"not confirmed for {rules.year}, but of other years or assumed: {words}"] if words else []
    sources = [f"rules: {'; '.join(rules.source)}", *unsure, *notes]
    return [*shown[:-1], replace(shown[-1], notes=(*shown[-1].notes, *sources))]


def as_data(rules: Rules, found: Sequence[Ranking], notes: Sequence[str]) -> dict[str, Any]:
    """Return rules and rankings as JSON-compatible data."""
    return {"rules": asdict(rules), "rankings": [ranking.as_dict() for ranking in found], "notes": list(notes)}


def departures(results: Results, rules: Rules) -> list[str]:
    """Return where a run is not as the rules have it: language of the instances, limits of time and memory, cores."""
    limits, settings, lines = rules.limits, results.settings, foreign(results, rules)
    own, clock = results.limits.of(limits.clock), results.limits.clock_for(limits.clock)
    sure = {key: " (not confirmed)" * (f"limits.{key}" in rules.unsure) for key in ("seconds", "memory_mb")}
    if limits.seconds and (own, clock) != (limits.seconds, limits.clock):
        ruled = f"the rules limit {limits.clock} time to {limits.seconds:g} s{sure['seconds']}"
        lines.append(f"{ruled}, this run {clock} time to {own:g} s")
    memory = settings.memory if results.facts.get("imported") else settings.memory_limit
    if limits.memory_mb and memory and memory != limits.memory_mb * MEGABYTE:
        ruled = f"the rules limit memory to {limits.memory_mb:,} MB{sure['memory_mb']}"
        lines.append(f"{ruled}, this run to {memory / MEGABYTE:,.0f} MB")
    several = [c.contender.name for c in results.contenders if cores_of(c.contender.backend) > limits.cores]
    if several:
        lines.append(f"the rules give {limits.cores} cores: more have {', '.join(several)}")
    crowded = [name for name, seen in Observed.stored(results.facts).items() if seen.crowded]
    if crowded:
        lines.append(f"more threads at once than the cores stated: {', '.join(crowded)}")
    return lines


def foreign(results: Results, rules: Rules) -> list[str]:
    """Return a warning if endings of names tell that instances are of another language than those of the event."""
    own = rules.protocol.language
    languages = Counter(LANGUAGE.get(ending(Path(name)), own) for name in results.listed.names)
    others = ", ".join(f"{number:,} {language.upper()}" for language, number in languages.items() if language != own)
    if not others or "protocol.language" in rules.unsure:
        return []
    every = plural(results.size, "instance")
    return [f"warning: the event has {own.upper()} instances, and of these {every} are others: {others}"]


def with_best_known(results: Results, path: str) -> Results:
    """Return results with further best values, from lines `INSTANCE,VALUE` of a file: values that are minimised.

    A value counts where it is better than all that the journal has. Raises BadUsage.
    """
    known = results.best_known
    if known is None:
        raise BadUsage(f"--best-known {path}: no instance of this journal has an objective")
    ids = {name: i for i, name in enumerate(results.listed.names, 1)}
    values = known.values
    for number, name, text in pairs_of(path, "VALUE"):
        if not WHOLE.fullmatch(text):
            raise BadUsage(f"{path}:{number}: {text!r} is not a whole number: write INSTANCE,VALUE")
        at = ids.get(name, 0)
        if not results.journal.instances.with_objective[at]:
            raise BadUsage(f"{path}:{number}: {name!r} is no instance of this journal with an objective")
        best = values[at]
        values[at] = int(text) if best is None else min(best, int(text))
    return replace(results, best_known=Quality.of_values(values))
