"""Start of a run: create a journal with everything that the run depends on, or open one to resume.

The file is long because a run that begins and one that resumes look at the same things, in the same order.
"""

import hashlib
import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from backends.contract.catalogue import describe, takes_seed
from backends.contract.cores import THREADS, cores_of
from backends.contract.options import split_options
from backends.programs import threads
from backends.programs.backend import chosen_program, command, format_of, program_of
from backends.programs.protocols import WRITTEN_TO_PROVE
from harness.judging.queries import scripts_of
from harness.model.consent import Commands, commands_of, masked
from harness.model.contender import Contender, resolve
from harness.model.digests import digest
from harness.model.errors import BadUsage, NameTaken
from harness.model.host import MEMORY_BY, cores, executables, host, versions
from harness.model.lease import EXPERIMENT, SEEDLESS, SHARD
from harness.model.outcome import FLATTENED, SOURCES
from harness.model.reading import file_and_line, read_corpus
from harness.model.selection.fitting import check_count, select_supported, without_copies
from harness.model.selection.provers import provers_of
from harness.model.settings import (
    DEFAULT_CONTENDERS,
    DEFAULT_COUNTERS,
    DEFAULT_OPTIMISERS,
    DEFAULT_QUERIES,
    DEFAULT_SOFT_QUERIES,
    RunSettings,
    differences,
)
from harness.reporting.frame.sampling import as_fact
from harness.running.blocks import worker_capacity
from harness.running.control_groups import kept_by
from harness.running.cores import usable_cores
from harness.running.environment import SLOW_DIGEST, check_passed, recorded_variables
from harness.running.programs import with_version
from harness.running.sources import Origins, files_by_format, noted, recorded
from harness.running.workers.run_context import Notify
from harness.storing.facts import FAMILIES
from harness.storing.journal import Journal
from harness.storing.problems import Outline
from puzzles.errors import BadInput, plural, printable_path
from puzzles.formats import ReaderOptions
from puzzles.identity.duplicates import CONTENT, MOST_NAMED, Duplicate, Duplicates, notes
from puzzles.readers.folder import LIST, absolute, listing_of
from puzzles.readers.malformed import MalformedFile, shown
from puzzles.readers.source import STDIN

if TYPE_CHECKING:
    from harness.running.workers.sandboxes import Sandboxes

WILDCARDS = re.compile(r"[*?\[\]]+")
TOO_MANY = (
    "{contenders} contenders, but at most {limit} workers stay open: each contender solves everything in one go, so"
    " machine drift is not spread over contenders; run fewer contenders to resolve small differences"
)


@dataclass(frozen=True)
class Request:
    """Run that a user requests.

    corpora   files, or names of bundled corpora       first   instances to take of each corpus, None for all
    patterns  contenders, globs allowed                output  journal to write, None for the next free name
    command   words of the command line, to be stored  shard   number and number of shards, None for a whole run
    defaults  contenders if no pattern is given        mixed   with an objective one solution is asked for, not `count`
    cores     cores of contenders that state none       experiment  text of the file that states the run, or ''
    cluster   places are those of other machines         families  field or file of the families that rankings resample
    """

    corpora: Sequence[str]
    patterns: Sequence[str]
    settings: RunSettings
    options: ReaderOptions = field(default_factory=ReaderOptions)
    first: int | None = None
    output: Path | None = None
    command: Sequence[str] = ()
    shard: tuple[int, int] | None = None
    defaults: Sequence[str] = DEFAULT_CONTENDERS
    mixed: bool = False
    cores: int = 1
    experiment: str = ""
    cluster: bool = False
    families: str | None = None


def create_run(request: Request, notify: Notify) -> Journal:
    """Create a journal with everything that the run depends on. Raises BadInput, BadUsage.

    `notify` receives each note for the user, one line each.
    """
    if not request.corpora:
        raise BadUsage("run needs a corpus: a file, or a name that `list --corpora` shows")
    settings = replace(request.settings, certify=provers_of(request.settings, notify))
    check_interpreters(settings.pythons)
    check_passed(settings.pass_env)
    if settings.checkers:
        from harness.judging.checking_process import try_checkers

        try_checkers(settings)
    named = request.patterns or request.defaults
    asked = replace(settings, count=1) if request.mixed else settings  # with an objective
    resolved = partial(resolve, envs=settings.pythons, proof=settings.proof, programs=settings.programs)
    contenders, notes = resolved(named, asked.count, cores=request.cores)
    if not request.cluster:
        check_cores(contenders, settings)
        notes = *notes, *unenforced(settings, contenders)
    for note in (*notes, *exposed(settings)):
        notify(note)
    places = [file_and_line(text) for text in request.corpora]
    journal = new_journal(request.output, places[0][0].name or places[0][0].resolve().name)
    try:
        sources = store_corpora(journal, request, places, notify)
        check_count(
            settings.count, [(problem.name, problem.variables) for problem, _ in journal.instances.problem_counts()]
        )
        programs = settings.programs
        patterns = request.patterns
        if settings.proof and settings.count == 1 and any(p.shared for p, _ in journal.instances.problem_counts()):
            notify("with --count 1 only unsatisfiability can be proved; --count 2 proves uniqueness too")
        if journal.instances.has_objectives:
            check_objectives(journal, asked, contenders if patterns else ())
            patterns = patterns or (DEFAULT_COUNTERS if settings.count_models else default_optimisers(journal))
            contenders, _ = resolved(patterns, asked.count, cores=request.cores)
        elif request.mixed:
            contenders, _ = resolved(named, settings.count, cores=request.cores)
        problems = journal.instances.counted_problems()
        contenders, notes = select_supported(contenders, patterns, problems, programs, journal.instances.has_objectives)
        contenders, copies = without_copies(contenders, patterns, kinds_of(journal), programs)
        for note in (*notes, *copies):
            notify(note)
        if len(contenders) > worker_capacity():
            notify(TOO_MANY.format(contenders=len(contenders), limit=worker_capacity()))
        files = recorded(sources.files, [c.backend for c in contenders])
        sandboxes = required_sandboxes(settings, {SOURCES: files}, contenders, journal.path)
        contenders = tuple(with_version(c, settings, sandboxes) for c in contenders)
        journal.contenders.add(contenders)
        if settings.pass_env:
            settings = replace(settings, salt=salt_of(journal, settings))
        seedless = [c.name for c in contenders if settings.draw_seeds and not takes_seed(c.backend, settings.programs)]
        if seedless:
            notify(f"--draw-seeds: no random seed to draw of {', '.join(seedless)}")
        threaded = several_threads(contenders, settings)
        for note in (
            *programs_taken(contenders, settings),
            *threaded,
            *files_given(files, contenders, journal.instances.size(), settings.proof),
        ):
            notify(note)
        journal.facts.put(
            **({SOURCES: files} if files else {}),
            **({FLATTENED: {str(i): ns for i, ns in sources.flattened.items()}} if sources.flattened else {}),
            **({SHARD: request.shard} if request.shard else {}),
            **({SEEDLESS: seedless} if seedless else {}),
            **({EXPERIMENT: request.experiment} if request.experiment else {}),
            **({FAMILIES: as_fact(journal, request.families)} if request.families else {}),
            folder=os.getcwd(),
            command=list(request.command),
            settings=settings.as_dict(),
            host=host() | ({MEMORY_BY: by} if (by := kept_by(settings.memory, settings.peak)) else {}),
            versions=versions(),
            executables=executables(
                settings.programs, settings.pythons, [c.backend for c in contenders], settings.checkers
            ),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            state="running",
        )
    except BaseException:
        journal.discard()
        raise
    return journal


def required_sandboxes(
    settings: RunSettings, meta: Mapping[str, Any], contenders: Sequence[Contender], path: Path
) -> "Sandboxes | None":
    """Return the sandboxes of --sandbox, None without it. Raises BadUsage if they are not to be had."""
    if not settings.sandbox:
        return None
    from harness.running.workers.sandboxes import Sandboxes, require_sandbox

    sandboxes = Sandboxes(settings, files_by_format(meta))
    require_sandbox(sandboxes, contenders, path)
    return sandboxes


def store_corpora(journal: Journal, request: Request, places: Sequence[tuple[Path, int]], notify: Notify) -> Origins:
    """Store the corpora of a run with their malformed files; return where instances come from. Raises BadInput."""
    sources = Origins()
    every: list[MalformedFile] = []
    before, equal = Duplicates(), list[Duplicate]()
    for (path, line), name in zip(places, corpus_names(places), strict=True):
        refused: list[MalformedFile] = []
        puzzles = read_corpus(path, line, replace(request.options, refuse=refused.append), request.first)
        file, content = (None, None) if path == STDIN else (str(absolute(path)), digest(path))
        puzzles = noted(puzzles, journal.instances.size() + 1, sources, before, equal)
        journal.corpora.add(name, puzzles, file, content, refused)
        every += refused
    if not journal.instances.size():
        raise BadInput("--only and --exclude leave no instance")
    again, name_of = [*journal.corpora.repeated()], journal.instances.name
    equal += [Duplicate(name_of(i), name_of(first), CONTENT) for i, first in again[:MOST_NAMED]]
    for text in (
        *(f"malformed: {text}" for text in shown(list(map(str, every)))),
        *request.options.selection.unmatched(),
        *notes(equal, left_out=False, unnamed=max(0, len(again) - MOST_NAMED)),
    ):
        notify(text)
    return sources


def new_journal(output: Path | None, corpus: str) -> Journal:
    """Create the journal at a path, by default a free one in results/. Raises BadUsage."""
    if output:
        return Journal.create(output)
    for path in free_paths(corpus):
        try:
            return Journal.create(path)
        except NameTaken:
            continue  # by a run that started since the name was free
        except BadUsage as e:
            raise BadUsage(f"{e}: write the journal to another folder, with -o FILE") from None
    raise AssertionError  # there is always a next number


def check_objectives(journal: Journal, settings: RunSettings, contenders: Sequence[Contender]) -> None:
    """Raise BadUsage if a run has options for decisions only, and instances with an objective."""
    warm = next((c.name for c in contenders if c.warm), "")
    asked = {
        f"--count {settings.count}": settings.count > 1 and bool(journal.instances.with_objective[1:].all()),
        "--scramble": settings.scramble,
        warm: bool(warm),
    }
    if wrong := next((text for text, given in asked.items() if given), ""):
        name = journal.instances.name(int(np.flatnonzero(journal.instances.with_objective)[0]))
        raise BadUsage(f"{name} has an objective, which does not go with {wrong}: leave it out, or --ignore-objective")


def default_optimisers(journal: Journal) -> tuple[str, ...]:
    """Return the default contenders for objectives, and those for decisions if some instances have no objective."""
    if journal.instances.scripts[1:].all():
        weighted = {script.weighted for _, script in scripts_of(journal)}
        return (*(DEFAULT_QUERIES if False in weighted else ()), *(DEFAULT_SOFT_QUERIES if True in weighted else ()))
    if journal.instances.with_objective[1:].all():
        return DEFAULT_OPTIMISERS
    return tuple(dict.fromkeys((*DEFAULT_CONTENDERS, *DEFAULT_OPTIMISERS)))


def kinds_of(journal: Journal) -> list[Outline]:
    """Return an outline of each kind of problem of a journal."""
    return list({(o.shared, o.kinds, o.values): o for o, _ in journal.instances.problem_counts()}.values())


def several_threads(contenders: Sequence[Contender], settings: RunSettings) -> Iterator[str]:
    """Yield notes on contenders that state more threads than they have cores, or are not told of their cores."""
    for c in contenders if settings.pin and cores() else ():
        known = command(c.backend, settings.programs) if program_of(c.backend) else None
        has = cores_of(c.backend)
        if option := threads.stated(c.backend, known.words if known else ()):
            number = "one core" if has == 1 else f"{has} cores"
            yield f"{c.name}: {option}, but its worker has {number}: state [cores=N] too (--no-pin: all cores)"
        elif has > 1 and not takes_cores(c.backend, known.words if known else None, settings.programs):
            how = "{cores} in its command" if known else "an option for threads"
            yield f"{c.name}: it has {has} cores, but not {how}: it starts the threads that it always does"


def takes_cores(backend: str, words: Sequence[str] | None, programs: Mapping[str, str]) -> bool:
    """Return True if a solver is told its number of cores, by an option or in its command."""
    if words is not None:
        return any("{cores}" in word for word in words)
    return any(THREADS.fullmatch(option.name) for option in describe(backend, programs).options)


def check_cores(contenders: Sequence[Contender], settings: RunSettings) -> None:
    """Raise BadUsage if a contender is to have more cores than this machine gives."""
    most = sum(len(core.threads) for core in usable_cores()) if settings.pin else 0
    for c in contenders:
        if 0 < most < cores_of(c.backend):
            raise BadUsage(f"{c.name}: this machine has {most} cores for it (--no-pin: threads share them)")


def programs_taken(contenders: Sequence[Contender], settings: RunSettings) -> Iterator[str]:
    """Yield notes on contenders with two installed programs: which one runs."""
    for backend in dict.fromkeys(split_options(c.backend)[0] for c in contenders):
        if chosen := chosen_program(backend, settings.programs):
            yield f"{backend}: {chosen}"


def files_given(
    files: Mapping[str, Mapping[str, str]], contenders: Sequence[Contender], instances: int, proof: bool
) -> Iterator[str]:
    """Yield a note for each format of files that programs get: the instances' own files, or written ones."""
    for kind in sorted({format_of(c.backend) for c in contenders} - {""}):
        names = ", ".join(c.name for c in contenders if format_of(c.backend) == kind)
        same = sum(file["format"] == kind for file in files.values())
        if same:
            written = "else written ones" if same < instances else ""
            written = "written ones for proofs" if proof and kind in WRITTEN_TO_PROVE else written
            given = f"{names}: the original files of {same} of {plural(instances, 'instance')}"
            yield ", ".join(filter(None, [given, written]))


def corpus_names(places: Sequence[tuple[Path, int]]) -> list[str]:
    """Return display names of corpora: file names, or paths where several files have equal names, and lines."""
    names = Counter(map(short_name, {path for path, _ in places}))
    return [
        printable_path(short_name(path) if names[short_name(path)] == 1 else str(path)) + (f":{line}" if line else "")
        for path, line in places
    ]


def short_name(path: Path) -> str:
    """Return the name of a corpus without its folder."""
    file = listing_of(path)
    return (path.name or path.resolve().name) if file is None else f"{LIST}{file.name}"


def resume_run(
    path: Path, jobs: int, pin: bool, force: bool, consent: Callable[[Commands], None], notify: Notify
) -> Journal:
    """Open a journal for a resume, with its settings but for jobs and pinning. Raises BadUsage on changes.

    `consent` receives the commands in the journal, and raises BadUsage if they may not be run. `notify` receives a note
    if jobs, pinning or the machine differ from before.
    """
    with ExitStack() as stack:
        journal = stack.enter_context(Journal.open(path, write=True))
        meta = journal.facts.all()
        if "state" not in meta:
            raise BadUsage(f"{path}: interrupted while loading puzzles: start a new run")
        origins = {"merging": "merged" in meta, "importing": journal.facts.imported}
        if made := next((origin for origin, applies in origins.items() if applies), None):
            raise BadUsage(f"{path}: made by {made}, so it can be read but not resumed: start a new run")
        settings = journal.facts.settings()
        whole = meta["state"] == "complete" and not journal.leases.missing(journal.leases.whole())
        if whole and not settings.certify:
            stack.pop_all()
            return journal  # nothing is left to run, so nothing can differ from before
        backends = [c.backend for c in journal.contenders.named()]
        consent(commands_of(backends, settings.programs, settings.pythons, settings.checkers))
        check_interpreters(settings.pythons)
        check_passed(settings.pass_env)
        if settings.checkers:
            from harness.judging.checking_process import try_checkers

            try_checkers(settings)
        changed = list(changes(journal))
        if changed and not force:
            raise BadUsage(f"{path}: {'; '.join(changed)}: start a new run, or resume with --force")
        again = replace(settings, jobs=jobs, pin=pin)
        if other := [*differences(settings, again), *other_machine(meta["host"]), *other_values(journal, again)]:
            notify(f"resumed with other {', '.join(other)}: times before and after are not alike")
        sessions = [*meta.get("sessions", [session(settings)]), session(again)]
        journal.facts.put(state="running", settings=again.as_dict(), sessions=sessions)
        stack.pop_all()
    return journal


def exposed(settings: RunSettings) -> Iterator[str]:
    """Yield warnings about secrets that the journal would hold."""
    for option, commands in (("--program", settings.programs), ("--checker", settings.checkers)):
        for name, text in commands.items():
            if masked(text) != text:
                yield (
                    f"{option} {name}: the journal keeps the command, and a word looks like a secret ({masked(text)}):"
                    " let the command read a variable, and name that with --pass-env"
                )


def salt_of(journal: Journal, settings: RunSettings) -> str:
    """Return the salt for digests of secret variables, equal in journals that can be merged, such as shards."""
    parts = [journal.corpora.sizes(), sorted(journal.corpora.files().values(), key=str), settings.limit, settings.count]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def session(settings: RunSettings) -> dict[str, Any]:
    """Return the settings that may differ between sessions of an interrupted run; its places have the machines."""
    return {"jobs": settings.jobs, "pin": settings.pin}


def other_machine(before: Mapping[str, Any]) -> Iterator[str]:
    """Yield the processor of this machine if it is not the processor of the machine where the run began."""
    now = host()
    if (now["cpu"], now["cores"]) != (before["cpu"], before["cores"]):
        yield f"machine ({before['cpu']}, {before['cores']} cores and {now['cpu']}, {now['cores']} cores)"


def other_values(journal: Journal, settings: RunSettings) -> Iterator[str]:
    """Yield the variables of --pass-env whose value the run did not have before, by their digests."""
    now, before = (
        recorded_variables(settings.pass_env, settings.salt),
        [place.environment for place in journal.places.all()],
    )
    for name in settings.pass_env:
        known = {place[name] for place in before if place.get(name, "").startswith(SLOW_DIGEST)}
        if known and now.get(name) not in known:
            yield f"value of {name}"


def changes(journal: Journal) -> Iterator[str]:
    """Yield the changes since the journal was made that would affect a resumed run."""
    now = versions()
    for name, old in journal.facts.all()["versions"].items():
        if now.get(name) != old:
            yield f"{name} {old or 'not installed'} is now {now.get(name) or 'not installed'}"
    for path, old in journal.corpora.files().items():
        if digest(Path(path)) not in (old, None):
            yield f"{path} has changed"
    settings, before = journal.facts.settings(), journal.contenders.named()
    today = executables(settings.programs, settings.pythons, [c.backend for c in before], settings.checkers)
    for option, old in journal.facts.all().get("executables", {}).items():
        if today.get(option) != old:
            yield f"{option} has changed"
    found, _ = resolve([c.name for c in before], settings.count, settings.pythons, settings.proof, settings.programs)
    sandboxes = required_sandboxes(settings, journal.facts.all(), found, journal.path)
    again = [with_version(c, settings, sandboxes) for c in found]
    for c, d in zip(before, again, strict=True):
        now_known = d if c.origins else replace(d, origins="")
        if c != now_known:
            other = f"version {c.version!r} of {c.name} is now {d.version!r}"
            yield other if replace(c, version=d.version) == now_known else f"{c.name} has changed"


def check_interpreters(pythons: Mapping[str, str]) -> None:
    """Raise BadUsage if the interpreter of an environment can't be run."""
    for name, python in pythons.items():
        if not shutil.which(python):
            raise BadUsage(f"--env {name}={python}: not a Python interpreter that can be run")


def unenforced(settings: RunSettings, contenders: Sequence[Contender] = ()) -> Iterator[str]:
    """Yield warnings about settings that this system does not enforce."""
    if settings.pin and not cores():
        yield "this system can't pin workers to cores: expect times to vary more"
    elif settings.jobs * (width := max((cores_of(c.backend) for c in contenders), default=1)) > len(cores()) > 0:
        jobs = f"{settings.jobs} jobs" + (f" of {width} cores" if width > 1 else "")
        yield f"{jobs} on {len(cores())} cores slow each other down: times of this run are not reliable"
    if sys.platform != "linux" and (settings.memory or settings.cpu):
        yield "this system enforces neither --memory nor --cpu: only the wall-time limit applies"
    if sys.platform != "linux" and settings.programs:
        yield "this system can't find the processes that a program leaves running: they end with their worker"


def free_paths(corpus: str) -> Iterator[Path]:
    """Yield paths in results/ of the working directory that no journal has, in the order of their numbers."""
    name = corpus.rpartition(".")[0] or corpus
    stem = f"{date.today().isoformat()}-{WILDCARDS.sub('_', name)}"
    for i in count(1):
        path = Path("results") / f"{stem}-{i}.sqlite"
        if not path.exists():
            yield path
