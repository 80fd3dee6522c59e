"""Journal whose unsatisfiable answers have proofs of every result: those that count are of status CERTIFIED alone."""

from pathlib import Path

import numpy as np

from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, NO_PROOF, REFUSED, UNCHECKED
from harness.storing.journal import open_journal
from tests.journals import make

INSTANCES, REPEATS, LIMIT, CPU_LIMIT = 12, 2, 10.0, 3.0
UNSATISFIABLE = (2, 5, 8, 11)  # positions
NAMES = ("one", "two", "three", "four")
PROOFS = {  # of the first and of the second repeat on each of UNSATISFIABLE
    "one": ((CERTIFIED, CERTIFIED),) * 4,
    "two": ((CERTIFIED, CERTIFIED), (REFUSED, REFUSED), (CERTIFIED, REFUSED), (UNCHECKED, UNCHECKED)),
    "three": ((FORMULA_CERTIFIED,) * 2, (CERTIFIED,) * 2, (NO_PROOF,) * 2, (CERTIFIED, UNCHECKED)),
    "four": ((NO_PROOF, NO_PROOF),) * 4,
}
COUNTED = {"one": {2, 5, 8, 11}, "two": {2}, "three": {5}, "four": set[int]()}  # unsatisfiable answers with a proof
LATE = {"one": [0, 6], "two": [3], "three": [], "four": [6]}  # positions without an answer
TIMES = {name: 0.1 + np.random.default_rng(k).random((REPEATS, INSTANCES)) * (1 + k) for k, name in enumerate(NAMES)}
CPU = {name: times * (0.9 - 0.2 * k) for k, (name, times) in enumerate(TIMES.items())}


def proved(path: Path) -> Path:
    """Write the journal."""
    odd = {name: {"unsatisfiable": list(UNSATISFIABLE), "undecided": LATE[name]} for name in NAMES}
    make(path, TIMES, odd=odd, cpu_times=CPU, proof=True, limit=LIMIT, cpu=CPU_LIMIT)
    with open_journal(path, write=True) as journal:
        for number, name in enumerate(NAMES):
            for position, by_repeat in zip(UNSATISFIABLE, PROOFS[name], strict=True):
                for repeat, status in enumerate(by_repeat):
                    where = (number, repeat, position + 1)
                    stored = None if status == NO_PROOF else status
                    update = "update outcomes set proof = ? where contender = ? and repeat = ? and puzzle = ?"
                    journal.db.execute(update, (stored, *where))
                    if status != NO_PROOF:
                        journal.db.execute("insert into proofs values (?, ?, ?, ?, 1)", (*where, "0" * 64))
    return path
