"""The start of a run: a new journal filled with all that the run depends on, or an old one to go on with."""

import argparse
import hashlib
import shutil
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import count
from pathlib import Path

from backends.programs import name_programs
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.fitting import fitting
from harness.model.host import cores, host, versions
from harness.model.reading import corpus, named
from harness.run import Settings
from harness.running.worker_pool import Limits
from harness.storing.journal import Journal
from puzzles.corpora import find
from puzzles.formats import Options
from puzzles.readers.source import spoken

# What a resumed run takes from the journal instead of the command line.
RESUMABLE = (
    *("count", "timeout", "cpu", "memory", "open_limit", "warmup", "runs", "seed", "scramble", "peak"),
    *("env", "program", "proof"),
)


def create_run(args: argparse.Namespace) -> Journal:
    """A new journal with everything in it that the run depends on; bad input ends here, before anything is solved."""
    if not args.corpus:
        raise BadUsage("run needs a corpus: a file, or a name that `list --corpora` shows")
    name_programs(named(args.program))
    contenders, notes = resolve(args.backend, args.count, environments(args.env), args.proof)
    for note in [*notes, *unenforced(args)]:
        print(f"note: {note}", file=sys.stderr)
    if args.proof and args.count == 1:
        print(
            "note: with --count 1 a proof can only be of no solution; --count 2 proves uniqueness too", file=sys.stderr
        )
    options = Options(args.as_, args.alphabet)
    corpora = [(path, corpus(path, options, args.puzzles)) for path in map(find, args.corpus)]
    journal = Journal.create(journal_path(args.output, corpora[0][0].name))
    try:
        for path, puzzles in corpora:
            journal.add_puzzles(spoken(path.name), puzzles)
        contenders, notes = fitting(contenders, args.backend, journal.layout_counts())
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
        journal.add_contenders(contenders)
        journal.put(
            command=args.command,
            limit=args.timeout,
            host=host(),
            versions=versions(),
            files={str(path.resolve()): digest(path) for path, _ in corpora},
            state="running",
            **{key: getattr(args, key) for key in RESUMABLE},
        )
    except BaseException:
        journal.discard()
        raise
    return journal


def resume_run(args: argparse.Namespace) -> Journal:
    """The journal to go on with; its settings replace those of the command line. Raises BadUsage on what changed."""
    if args.corpus or args.backend:
        raise BadUsage("--resume takes corpora and contenders from the journal: name neither")
    journal = Journal.open(Path(args.resume), write=True)
    meta = journal.meta()
    if "state" not in meta:
        raise BadUsage(f"{args.resume}: it was stopped before its puzzles were in: run it anew")
    for key in RESUMABLE:
        setattr(args, key, meta[key])
    name_programs(named(args.program))
    now, before = versions(), journal.named()
    changed = [f"{name} {old} is now {now.get(name)}" for name, old in meta["versions"].items() if now.get(name) != old]
    changed += [f"{path} has changed" for path, old in meta["files"].items() if digest(Path(path)) not in (old, None)]
    today, _ = resolve([c.name for c in before], args.count, environments(args.env), args.proof)
    changed += [f"{c.name} is another contender now" for c, d in zip(before, today, strict=True) if c != d]
    if changed and not args.force:
        raise BadUsage(f"{args.resume}: {'; '.join(changed)}: run it anew, or go on with --force")
    journal.put(state="running")
    return journal


def settings(args: argparse.Namespace) -> tuple[Limits, Settings]:
    """Limits and settings as the pipeline takes them."""
    limits = Limits(
        seconds=args.timeout,
        count=args.count,
        proof=args.proof,
        cpu=args.cpu,
        memory=args.memory << 20,
        peak=args.peak,
        opening=args.open_limit,
        warmup=args.warmup,
        pythons=environments(args.env),
    )
    return limits, Settings(args.runs, args.seed, args.scramble, args.jobs, not args.no_pin)


def environments(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=PYTHON by name. Raises BadUsage where the interpreter can't be run."""
    found = named(pairs)
    for name, python in found.items():
        if not shutil.which(python):
            raise BadUsage(f"--env {name}={python}: that is no interpreter that can be run")
    return found


def unenforced(args: argparse.Namespace) -> Iterator[str]:
    """What the user asked for, or would expect, that this system does not enforce."""
    if not args.no_pin and not cores():
        yield "this system can't pin workers to cores: times vary more"
    elif args.jobs > len(cores()) > 0:
        yield f"{args.jobs} jobs on {len(cores())} cores disturb each other: trust no time of this run"
    if sys.platform != "linux" and (args.memory or args.cpu):
        yield "this system enforces neither --memory nor --cpu: only the wall time is kept"


def digest(path: Path) -> str | None:
    """The content hash of a file, None where it is gone."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def journal_path(output: str | None, corpus: str) -> Path:
    """Where the journal goes: the named path, or the next free one in results/ of the working directory."""
    if output:
        return Path(output)
    stem = f"{date.today().isoformat()}-{corpus.rpartition('.')[0] or corpus}"
    paths = (Path("results") / f"{stem}-{i}.sqlite" for i in count(1))
    return next(path for path in paths if not path.exists())
