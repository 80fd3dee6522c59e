"""Compressed copies of what programs print, for `--keep-logs`, and the numbers in it.

FOLDER/JOURNAL/CONTENDER/ID-INSTANCE.out.gz has standard output, .err.gz standard error, if there was some; of a later
repeat .r2.out.gz. An ask for several solutions starts several programs: their outputs follow one another.
"""

import gzip
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from backends.contract.answer import COUNTERS
from backends.programs.backend import told_to_print
from backends.programs.logs import ERR, OUT
from harness.model.contender import Contender
from harness.model.file_names import distinct, safe
from harness.model.outcome import KeptLog, Number, Outcomes
from harness.running.logs.columns import KNOWN, LogColumns, numbers
from harness.running.logs.searching import PatternSearch
from harness.running.logs.travelling import LEVEL, printed_here

LONGEST = 80  # characters of the name of an instance, from its end


class KeptLogs:
    """Folder that receives the files; None: only numbers are taken. After the first error no more files are kept.

    journal  of whose folder paths are relative      name    returns the name of an instance by its id
    notify   receives the error
    """

    def __init__(
        self,
        folder: Path | None,
        journal: Path,
        contenders: Sequence[Contender],
        columns: LogColumns,
        name: Callable[[int], str],
        notify: Callable[[str], None],
    ) -> None:
        self.folder, self.name, self.notify = folder, name, notify
        self.root = journal.resolve().parent
        stated = [columns.stated(c.name) for c in contenders]
        every = [(columns.of(c.name), own) for c, own in zip(contenders, stated, strict=True)]
        self.known = [{name: some for name, some in found.items() if name not in own} for found, own in every]
        self.stated = [PatternSearch(c.name, own, notify) for c, own in zip(contenders, stated, strict=True)]
        self.places = [Path(safe(journal.stem), stem) for stem in distinct((safe(c.name) for c in contenders), "{}-{}")]

    def keep(self, outcomes: Outcomes) -> Outcomes:
        """Return the outcomes with the positions of their logs, and the numbers in the logs as counters."""
        kept, statistics = dict[int, KeptLog](), dict[int, Mapping[str, Number]]()
        rows = outcomes.rows.copy() if outcomes.logs or outcomes.printed else outcomes.rows
        for i, printed, errors in texts(outcomes):
            which, both = outcomes.batch.contender, (printed, errors)
            found = numbers(self.known[which], both) | self.stated[which].numbers(both)
            for counter in (name for name in COUNTERS if isinstance(found.get(name), int)):
                if rows[counter][i] < 0:
                    rows[counter][i] = found.pop(counter)
            if found:
                statistics[i] = found
            if place := self.write(outcomes, i, printed, errors):
                kept[i] = place
        return replace(outcomes, rows=rows, logs={}, printed={}, kept=kept, statistics=statistics)

    def write(self, outcomes: Outcomes, at: int, printed: bytes, errors: bytes) -> KeptLog | None:
        """Write the files of an outcome; None if they are not kept."""
        if self.folder is None:
            return None
        batch, number = outcomes.batch, int(outcomes.batch.puzzles[at])
        again = f".r{batch.repeat + 1}" if batch.repeat else ""
        stem = f"{number:05}-{safe(self.name(number)[-LONGEST:])}{again}"
        paths = [self.folder / self.places[batch.contender] / f"{stem}{ending}.gz" for ending in (OUT, ERR)]
        try:
            paths[0].parent.mkdir(parents=True, exist_ok=True)
            paths[0].write_bytes(gzip.compress(printed, LEVEL))
            if errors:
                paths[1].write_bytes(gzip.compress(errors, LEVEL))
        except OSError as e:
            self.folder = None
            self.notify(f"{paths[0]}: {e.strerror}: this log and all later ones are not kept")
            return None
        out, err = (Path(os.path.relpath(path.resolve(), self.root)).as_posix() for path in paths)
        return KeptLog(out, err if errors else None)


def texts(outcomes: Outcomes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield position, standard output and error of each outcome whose programs have printed."""
    yield from printed_here(outcomes)
    for i, both in outcomes.printed.items():
        out, err = map(gzip.decompress, both)
        yield i, out, err


@dataclass(frozen=True)
class RequestedLogs:
    """Wishes of a run for the output of programs: the folder of --keep-logs, and the patterns of --log-columns.

    Without either, nothing is written.
    """

    folder: Path | None = None
    columns: LogColumns | None = None

    def may_have(self, name: str) -> bool:
        """Return True if numbers of this name are looked for in the output of some program."""
        columns = self.columns or LogColumns()
        return name in KNOWN or name in columns.everywhere or any(name in some for some in columns.some.values())

    def keeper(
        self,
        journal: Path,
        contenders: Sequence[Contender],
        name: Callable[[int], str],
        notify: Callable[[str], None],
        programs: Mapping[str, str],
    ) -> Callable[[Outcomes], Outcomes] | None:
        """Return the function that takes logs from outcomes, None if none are wanted.

        `notify` learns which known programs get another command then (told_to_print).
        """
        if self.folder is None and self.columns is None:
            return None
        if loud := [c.name for c in contenders if told_to_print(c.backend, programs)]:
            notify(f"{', '.join(loud)}: called without the option that keeps it quiet, so that it may print statistics")
        return KeptLogs(self.folder, journal, contenders, self.columns or LogColumns(), name, notify).keep
