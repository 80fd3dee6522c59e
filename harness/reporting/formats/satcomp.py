"""Table of a SAT competition: seconds or PAR-2 value by instance and contender, then `vresult`."""

import csv
from typing import TextIO

import numpy as np

from backends.contract.answer import Status
from harness.model.file_names import distinct
from harness.reporting.formats.instances import instance_ids, instance_names, known_status
from harness.reporting.frame.results import aggregate
from harness.reporting.statistics.estimates import penalised
from harness.reporting.writing.printable import csv_cell, printable
from harness.storing.journal import Journal

RESULTS = {Status.SATISFIABLE: "sat", Status.UNSATISFIABLE: "unsat", Status.UNKNOWN: "unknown"}


def write_satcomp(journal: Journal, file: TextIO) -> None:
    """Write wall times, the median over repeats, and twice the limit where a contender is undecided or wrong.

    `vresult` is the known status, else the status of the answers if these agree.
    """
    results = aggregate(journal)
    known = known_status(journal)
    for yes, status in ((False, Status.SATISFIABLE), (True, Status.UNSATISFIABLE)):
        says = np.zeros(results.size + 1, np.bool_)
        other = says.copy()
        for c in results.contenders:
            says |= c.decided & (c.unsatisfiable == yes)
            other |= c.decided & (c.unsatisfiable != yes)
        known[(known == Status.UNKNOWN) & says & ~other] = status
    limit = results.limits.of("wall")
    times = [penalised(c.seconds_by_instance(), limit).tolist() for c in results.contenders]
    writer = csv.writer(file)
    writer.writerow(["instance", *map(csv_cell, distinct(map(printable, results.by_name))), "vresult"])
    names = instance_names(journal)
    for i in instance_ids(journal):
        writer.writerow([csv_cell(names[i]), *(column[i] for column in times), RESULTS[Status(int(known[i]))]])
