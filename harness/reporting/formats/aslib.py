"""ASLib scenario: a folder for studies of algorithm selection, as its specification 2.0 describes it.

Performance is wall time. The features are the numbers of variables and of values.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random

from harness.model.file_names import distinct
from harness.model.settings import Limits
from harness.reporting.formats.instances import instance_ids, instance_names, seconds
from harness.reporting.frame.results import State, state_table
from harness.reporting.writing.printable import printable
from harness.storing.journal import Journal
from harness.storing.schema import MEASURED
from puzzles.files import replacing_text, write_file

FOLDS = 10
FEATURES = ("variables", "values")
STEP = "size"  # name of the step that computes features
STATUSES = {
    State.DECIDED: "ok",
    State.TIMEOUT: "timeout",
    State.MEMORY: "memout",
    State.UNSUPPORTED: "not_applicable",
    State.ERROR: "crash",
}  # all others are `other`
KEY = ("instance_id STRING", "repetition NUMERIC")
PLAIN = re.compile(r"[A-Za-z0-9_./:+@=*-]+")
README = """\
Written by Crosscheck from a journal of a run. Each algorithm is a configuration of a solver; its performance is the
wall time in seconds of one instance, with a cutoff of {limit}. A run that gave no answer has the time until it ended,
or the cutoff where that is unknown, and one of these states:

timeout         time limit                      memout  memory limit
not_applicable  the algorithm does not support  crash   crash or error
other           it gave up, was interrupted, or its answer was refuted

The features are the numbers of variables and values of an instance. They cost nothing and are missing (runstatus other)
for instances whose text is not known.
"""


def write_aslib(journal: Journal, folder: Path) -> None:
    """Write the files of a scenario, named after the corpora."""
    scenario = ascii_text(", ".join(name for name, _ in journal.corpora.sizes()))
    every = instance_names(journal)
    names = {i: quoted(ascii_text(every[i])) for i in instance_ids(journal)}
    algorithms = [ascii_text(name) for name in distinct(printable(c.name) for c in journal.contenders.all())]
    write_description(journal, folder, scenario, algorithms)
    limit = cutoff_text(journal.facts.settings().limits)
    write_file(folder / "readme.txt", README.format(limit=limit), newline="\n")
    values, states = features(journal, names)
    statuses = "{ok, timeout, memout, presolved, crash, other}"
    rows = list(zip(names.values(), values, states, strict=True))
    files = {
        "feature_values": ([f"{name} NUMERIC" for name in FEATURES], ([name, "1", *v] for name, v, _ in rows)),
        "feature_runstatus": ([f"{STEP} {statuses}"], ([name, "1", state] for name, _, state in rows)),
        "algorithm_runs": (
            ["algorithm STRING", "runtime NUMERIC", "runstatus {ok, timeout, memout, not_applicable, crash, other}"],
            runs(journal, names, list(map(quoted, algorithms))),
        ),
        "cv": (["fold NUMERIC"], ([name, "1", str(fold)] for name, fold in folds(journal, names))),
    }
    for stem, (attributes, lines) in files.items():
        write_arff(folder / f"{stem}.arff", f"{stem.upper()}_{scenario}", [*KEY, *attributes], lines)


def cutoff_text(limits: Limits) -> str:
    """Return the cutoff for the readme: the limit of wall time, with the limit of CPU time beside it."""
    if limits.wall is None:
        return f"{limits.cpu:g} s of CPU time"
    return f"{limits.wall:g} s" + (f", and with a limit of {limits.cpu:g} s of CPU time" if limits.cpu else "")


def ascii_text(text: str) -> str:
    """Return a text in ASCII with other characters escaped, as the specification requires for names."""
    return text.encode("ascii", "backslashreplace").decode()


def quoted(text: str) -> str:
    """Return a text as a value of ARFF, in quotes unless it is plain."""
    return text if PLAIN.fullmatch(text) else "'" + re.sub(r"[\\']", r"\\\g<0>", text) + "'"


def write_arff(path: Path, relation: str, attributes: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a table."""
    with replacing_text(path, encoding="ascii", newline="\n") as file:
        file.write(f"@RELATION {quoted(relation)}\n\n")
        file.writelines(f"@ATTRIBUTE {attribute}\n" for attribute in attributes)
        file.write("\n@DATA\n")
        file.writelines(f"{','.join(row)}\n" for row in rows)


def write_description(journal: Journal, folder: Path, scenario: str, algorithms: list[str]) -> None:
    """Write the YAML that describes the scenario; texts are quoted as in JSON."""
    settings, repeated = journal.facts.settings(), journal.outcomes.repeats() > 1
    memory = settings.memory_limit // 10**6 or "?"
    names, none = json.dumps(algorithms), "[]"
    lines = {
        "scenario_id": json.dumps(scenario),
        "performance_measures": '["runtime"]',
        "maximize": "[false]",
        "performance_type": '["runtime"]',
        "algorithm_cutoff_time": f"{settings.limits.of('wall'):g}",
        "algorithm_cutoff_memory": json.dumps(memory),
        "features_cutoff_time": '"?"',
        "features_cutoff_memory": '"?"',
        "algorithms_deterministic": none if repeated else names,
        "algorithms_stochastic": names if repeated else none,
        "number_of_feature_steps": "1",
        "feature_steps": json.dumps({STEP: {"provides": FEATURES}}),
        "default_steps": json.dumps([STEP]),
        "features_deterministic": json.dumps(FEATURES),
        "features_stochastic": none,
    }
    text = "".join(f"{key}: {value}\n" for key, value in lines.items())
    write_file(folder / "description.txt", text, newline="\n")


def features(journal: Journal, ids: Iterable[int]) -> tuple[list[list[str]], list[str]]:
    """Return the FEATURES of each instance (? if unknown), and whether they could be computed."""
    sizes = [(o.variables, len(o.values)) for o in (journal.instances.outline_of(i) for i in ids)]
    known = [variables > 0 for variables, _ in sizes]
    values = [list(map(str, size)) if some else ["?"] * len(size) for size, some in zip(sizes, known, strict=True)]
    return values, ["ok" if some else "other" for some in known]


def runs(journal: Journal, names: Mapping[int, str], algorithms: list[str]) -> Iterator[list[str]]:
    """Yield a row for each algorithm, repeat and instance, even if the journal lacks the outcome."""
    states, limit = state_table(), repr(journal.facts.settings().limits.of("wall"))
    wall, reason = (MEASURED.index(name) for name in ("wall", "reason"))
    number = {c.name: i for i, c in enumerate(journal.contenders.all())}
    stored = journal.outcomes.rows()
    row = next(stored, None)
    repeats = [range(journal.outcomes.repeats_of(i)) for i in range(len(algorithms))]
    for c, algorithm in enumerate(algorithms):
        for repeat, i in product(repeats[c], names):
            key = [names[i], str(repeat + 1), algorithm]
            if row is None or (number[row.who[2]], row.who[4], row.number) != (c, repeat, i):
                yield [*key, limit, "other"]
                continue
            state = State(int(states[row.who[5], row.measured[reason]]))
            nanoseconds = row.measured[wall]
            known = nanoseconds or state == State.DECIDED
            yield [*key, seconds(nanoseconds) if known else limit, STATUSES.get(state, "other")]
            row = next(stored, None)


def folds(journal: Journal, names: Mapping[int, str]) -> Iterator[tuple[str, int]]:
    """Yield the name and fold of each instance, shuffled by the seed of the run."""
    size = len(names)
    found = [i % min(FOLDS, max(size, 1)) + 1 for i in range(size)]
    Random(journal.facts.settings().seed).shuffle(found)
    return zip(names.values(), found, strict=True)
