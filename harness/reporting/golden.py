"""Golden files: what is known of each puzzle, one JSON line each, sorted, without times, to be read in a diff.

{"count": "1", "hash": "4f0c...", "puzzle": "hardest.txt:3", "solution": "812753...", "status": "satisfiable"}

count     0, 1, 2+ (several), 1+ (solved, not counted), ? (undecided): each a set of what the truth may be
hash      of the puzzle's content: puzzles are matched by it, so that moving a line in a corpus changes no answer
solution  where it is the only one: as text, or its hash where that would be long
"""

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from harness.judging.judge import Evidence
from harness.model.errors import BadUsage
from harness.reporting.exporting import shown
from harness.storing.hashes import hashes
from harness.storing.journal import Journal

POSSIBLE = {"0": {0}, "1": {1}, "2+": {2}, "1+": {1, 2}, "?": {0, 1, 2}}
STATUS = {"0": "unsatisfiable", "?": "undecided"}
LONGEST = 100  # characters of a solution
Entry = dict[str, str]


def counts(evidence: Evidence) -> list[str]:
    """What is known of the number of solutions, by puzzle id."""
    found = []
    for some, claimed in zip(evidence.shown.tolist(), evidence.complete_count.tolist(), strict=True):
        if some >= 2:
            found.append("2+")
        elif claimed == some:
            found.append(str(some))
        else:
            found.append("1+" if some else "?")
    return found


def only_solutions(journal: Journal) -> dict[int, str]:
    """A right solution of each instance that has one, as text or as a hash."""
    texts = {i: shown(journal.problem_of(i).values, solution) for i, solution in journal.right_solutions()}
    return {
        i: text if len(text) <= LONGEST else "blake2b:" + hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        for i, text in texts.items()
    }


def entries(journal: Journal, evidence: Evidence) -> list[Entry]:
    """What is known of every puzzle, in the order in which people read their names."""
    known, texts = counts(evidence), only_solutions(journal)
    found = []
    for i, name, content in hashes(journal):
        entry = {"puzzle": name, "hash": content, "count": known[i], "status": STATUS.get(known[i], "satisfiable")}
        found.append(entry | ({"solution": texts[i]} if known[i] == "1" else {}))
    return sorted(found, key=natural_key)


def natural_key(entry: Entry) -> list[tuple[str, int]]:
    """Sorts line 10 behind line 9."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", entry["puzzle"])]


def read(path: Path) -> list[Entry]:
    """The entries of a golden file. Raises BadUsage."""
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise BadUsage(f"{path}: {e.strerror if isinstance(e, OSError) else 'not a text file'}") from e
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            usable = {"puzzle", "hash"} <= entry.keys() and entry["count"] in POSSIBLE
        except (ValueError, AttributeError, KeyError, TypeError):
            usable = False
        if not usable:
            raise BadUsage(f"{path}:{number}: not an entry of a golden file: make it anew with --update")
        found.append(entry)
    return found


def write(path: Path, found: list[Entry]) -> None:
    """Write a golden file. Raises BadUsage."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(e, sort_keys=True) + "\n" for e in found), encoding="utf-8")
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}") from e


@dataclass
class Difference:
    """What sets the answers of today apart from a golden file, a line each.

    changed  contradict it, or are of puzzles that only one side has
    weaker   not known today          stronger  known today for the first time
    kept     what to write: today's entries, or the older one where it knew more       same  how many are as before
    """

    changed: list[str] = field(default_factory=list)
    weaker: list[str] = field(default_factory=list)
    stronger: list[str] = field(default_factory=list)
    kept: list[Entry] = field(default_factory=list)
    same: int = 0


def difference(golden: list[Entry], today: list[Entry]) -> Difference:
    """Compare entries by content."""
    old, found = {e["hash"]: e for e in golden}, Difference()
    for entry in today:
        name, before = entry["puzzle"], old.get(entry["hash"])
        kept = entry
        if before is None:
            found.changed.append(f"{name}: not in the golden file")
        else:
            was, now = POSSIBLE[before["count"]], POSSIBLE[entry["count"]]
            if not was & now:
                found.changed.append(f"{name}: number of solutions {before['count']} -> {entry['count']}")
            elif was < now:
                found.weaker.append(f"{name}: number of solutions {before['count']}, not known this time")
                kept = before | {"puzzle": name}
            elif now < was:
                found.stronger.append(f"{name}: number of solutions {before['count']} -> {entry['count']}")
            elif before.get("solution") != entry.get("solution"):
                found.changed.append(f"{name}: solution {before.get('solution')} -> {entry.get('solution')}")
            else:
                found.same += 1
        found.kept.append(kept)
    here = {e["hash"] for e in today}
    found.changed += [f"{e['puzzle']}: only in the golden file" for e in golden if e["hash"] not in here]
    return found
