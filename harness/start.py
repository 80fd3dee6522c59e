"""The start of a run: a new journal filled with all that the run depends on, or an old one to continue."""

import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import count
from pathlib import Path

from backends.programs import name_programs
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.fitting import fitting
from harness.model.host import cores, digest, executables, host, versions
from harness.model.reading import corpus
from harness.model.settings import RunSettings
from harness.running.dealer import MAX_WORKERS
from harness.running.worker_pool import Notify
from harness.storing.journal import Journal
from puzzles.corpora import find
from puzzles.formats import ReaderOptions
from puzzles.readers.source import printable_path

MANY = (
    "{contenders} contenders, more than the {kept} whose workers are kept: each solves everything in one turn, so what"
    " drifts on the machine is not shared out; take fewer to tell small differences apart"
)


@dataclass(frozen=True)
class Request:
    """A run as a user asks for it.

    corpora  files, or names of corpora that ship      first   only so many instances of each
    patterns contenders, globs allowed                 output  the journal to write; None for the next free name
    command  the words of the command line, to be stored
    """

    corpora: Sequence[str]
    patterns: Sequence[str]
    settings: RunSettings
    options: ReaderOptions = field(default_factory=ReaderOptions)
    first: int | None = None
    output: Path | None = None
    command: Sequence[str] = ()


def create_run(request: Request, notify: Notify) -> Journal:
    """A new journal with everything in it that the run depends on. Raises BadInput, BadUsage before anything is solved.

    `notify` is told what the user should know, a line each.
    """
    if not request.corpora:
        raise BadUsage("run needs a corpus: a file, or a name that `list --corpora` shows")
    settings = request.settings
    check_interpreters(settings.pythons)
    name_programs(settings.programs)
    contenders, notes = resolve(request.patterns, settings.count, settings.pythons, settings.proof)
    for note in (*notes, *unenforced(settings)):
        notify(note)
    if settings.proof and settings.count == 1:
        notify("with --count 1 a proof can only be of no solution; --count 2 proves uniqueness too")
    corpora = [(path, corpus(path, request.options, request.first)) for path in map(find, request.corpora)]
    journal = Journal.create(request.output or free_path(corpora[0][0].name))
    try:
        names = told_apart([path for path, _ in corpora])
        for (path, puzzles), name in zip(corpora, names, strict=True):
            journal.add_corpus(name, puzzles, str(path.resolve()), digest(path))
        contenders, notes = fitting(contenders, request.patterns, journal.problem_counts())
        for note in notes:
            notify(note)
        if len(contenders) > MAX_WORKERS:
            notify(MANY.format(contenders=len(contenders), kept=MAX_WORKERS))
        journal.add_contenders(contenders)
        journal.put(
            command=list(request.command),
            settings=settings.stored(),
            host=host(),
            versions=versions(),
            executables=executables(settings.programs, settings.pythons),
            state="running",
        )
    except BaseException:
        journal.discard()
        raise
    return journal


def told_apart(paths: Sequence[Path]) -> list[str]:
    """Names of corpora for people: those of their files, with the folder where several have the same."""
    names = Counter(path.name for path in paths)
    return [printable_path(path.name if names[path.name] == 1 else str(path)) for path in paths]


def resume_run(path: Path, jobs: int, pin: bool, force: bool) -> Journal:
    """The journal to continue, its settings as stored but for jobs and pinning. Raises BadUsage on what has changed."""
    journal = Journal.open(path, write=True)
    meta = journal.meta()
    if "state" not in meta:
        raise BadUsage(f"{path}: interrupted while loading puzzles: run it anew")
    if journal.version == 1 or "merged" in meta:
        made = "by an older version" if journal.version == 1 else "by merging"
        raise BadUsage(f"{path}: it was made {made}, so it can be read but not resumed: run it anew")
    settings = journal.settings()
    check_interpreters(settings.pythons)
    name_programs(settings.programs)
    changed = list(changes(journal))
    if changed and not force:
        raise BadUsage(f"{path}: {'; '.join(changed)}: run it anew, or go on with --force")
    journal.put(state="running", settings=replace(settings, jobs=jobs, pin=pin).stored())
    return journal


def changes(journal: Journal) -> Iterator[str]:
    """What a resumed run would do otherwise than the run that made the journal."""
    now = versions()
    for name, old in journal.meta()["versions"].items():
        if now.get(name) != old:
            yield f"{name} {old} is now {now.get(name)}"
    for path, old in journal.files().items():
        if digest(Path(path)) not in (old, None):
            yield f"{path} has changed"
    settings, before = journal.settings(), journal.named()
    today = executables(settings.programs, settings.pythons)
    for what, old in journal.meta()["executables"].items():
        if today.get(what) != old:
            yield f"{what} has changed"
    again, _ = resolve([c.name for c in before], settings.count, settings.pythons, settings.proof)
    yield from (f"{c.name} has changed" for c, d in zip(before, again, strict=True) if c != d)


def check_interpreters(pythons: Mapping[str, str]) -> None:
    """Raise BadUsage where the interpreter of an environment can't be run."""
    for name, python in pythons.items():
        if not shutil.which(python):
            raise BadUsage(f"--env {name}={python}: that is no interpreter that can be run")


def unenforced(settings: RunSettings) -> Iterator[str]:
    """What the user asked for, or would expect, that this system does not enforce."""
    if settings.pin and not cores():
        yield "this system can't pin workers to cores: times vary more"
    elif settings.jobs > len(cores()) > 0:
        yield f"{settings.jobs} jobs on {len(cores())} cores disturb each other: trust no time of this run"
    if sys.platform != "linux" and (settings.memory or settings.cpu):
        yield "this system enforces neither --memory nor --cpu: only the wall time is kept"


def free_path(corpus: str) -> Path:
    """The next free name of a journal in results/ of the working directory."""
    stem = f"{date.today().isoformat()}-{corpus.rpartition('.')[0] or corpus}"
    paths = (Path("results") / f"{stem}-{i}.sqlite" for i in count(1))
    return next(path for path in paths if not path.exists())
