"""mkplot's JSON: a file for each contender, with the time of each instance and its success."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from harness.reporting.formats.instances import file_stems, instance_names
from harness.reporting.frame.results import ContenderResults, aggregate
from harness.reporting.statistics.estimates import penalised
from harness.storing.journal import Journal
from puzzles.files import replacing_text


def write_mkplot(journal: Journal, folder: Path) -> None:
    """Write wall times, the median over repeats; instances that are not solved have the limit as their time."""
    results, names = aggregate(journal), instance_names(journal)
    benchmark = ", ".join(name for name, _ in journal.corpora.sizes())
    for stem, c in zip(file_stems(results.by_name), results.contenders, strict=True):
        preamble = {
            "program": c.contender.name,
            "prog_args": "",
            "prog_alias": c.contender.name,
            "benchmark": benchmark,
        }
        found = {"preamble": preamble, "stats": stats(c, names, results.limits.of("wall"))}
        with replacing_text(folder / f"{stem}.json", newline="\n") as file:
            json.dump(found, file, indent=1)
            file.write("\n")


def stats(c: ContenderResults, names: list[str], limit: float) -> dict[str, dict[str, Any]]:
    """Return the entry of each instance that the contender was asked for."""
    seconds = penalised(c.seconds_by_instance(), limit, 1).tolist()
    decided = c.decided.tolist()
    return {names[i]: {"status": decided[i], "rtime": seconds[i]} for i in np.flatnonzero(c.asked).tolist()}
