"""Contents of the zip file of `pack`: texts, and files with their names in it."""

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from harness.commands.experiments import stated
from harness.commands.run import add_arguments
from harness.model.digests import digest
from harness.model.errors import BadUsage
from harness.model.log_files import log_file
from harness.model.release import DISTRIBUTION
from harness.storing.journal import Journal
from puzzles.corpora import shipped_name
from puzzles.readers.claims import claim_files
from puzzles.readers.folder import instance_files, is_collection, name_in, root_of

JOURNAL, EXPERIMENT, PAGE, SCRIPT = "journal.sqlite", "experiment.toml", "page.html", "run-again.sh"
OUTPUTS = {"output": "again.sqlite", "keep_logs": "again-logs", "html": "again.html", "json": "again.json"}
LOGS, INSTANCES = "logs", "instances"
README = """\
{title}

journal.sqlite     all times and answers: python -m harness report journal.sqlite
experiment.toml    the run: corpora, contenders, limits
page.html          the report as a page; open it in a browser{parts}
environment.json   machine, versions, commands and digests of programs
requirements.txt   versions of the Python packages that were measured
run-again.sh       runs the experiment again, into again.sqlite

run-again.sh needs Crosscheck in the Python that the variable PYTHON names (default python3), the programs of the
experiment, and the folder from which it names files, {folder}: set EXPERIMENT_FOLDER for another one.
Where that is gone it runs in its own folder.{instances}{programs}
Further arguments are those of `run`. Then compare:

    python -m harness compare journal.sqlite again.sqlite
"""
PROGRAMS = "\nPrograms are not in this file. Those of the run, with their digests (SHA-256):\n"
WITHOUT = "\nThe instances are not in this file (--instances packs them)."


class PackedFile(NamedTuple):
    """A file, and its name in the zip file."""

    path: Path
    name: str


def log_name(contender: int, repeat: int, path: str) -> str:
    """Return the name of a log in the zip file."""
    return f"{LOGS}/{contender:02}/r{repeat + 1}/{Path(path).name}"


def log_files(journal: Journal, stated: str | None) -> tuple[list[PackedFile], int]:
    """Return the kept logs that are in the folder which is stated, and the number of the others."""
    found, elsewhere = list[PackedFile](), 0
    for contender in range(len(journal.contenders.all())):
        for (repeat, _), log in journal.logs.of(contender).items():
            for text in filter(None, log):
                path = log_file(text, journal.path, stated)
                fits = path is not None and path.is_file() and log_file(log.out, journal.path, stated)
                elsewhere += not fits
                if path and fits:
                    found.append(PackedFile(path, log_name(contender, repeat, text)))
    return found, elsewhere


def copy_journal(journal: Journal, path: Path, stated: str | None) -> None:
    """Copy a journal to `path`, with the names that its logs have in the zip file. Raises BadUsage."""
    journal.copy(path)

    def renamed(contender: int, repeat: int, text: str) -> str | None:
        return log_name(contender, repeat, text) if log_file(text, journal.path, stated) else None

    with Journal.open(path, write=True) as copy:
        copy.logs.rename(renamed)


def environment(journal: Journal) -> dict[str, Any]:
    """Return the facts about the machines, versions and programs of a run."""
    facts = journal.facts.all()
    kept = ("host", "versions", "executables", "started", "folder", "settings", "sources")
    places = [{"host": p.host, "core": p.core, "versions": p.versions} for p in journal.places.all()]
    contenders = [{"name": c.name, "version": c.version} for c in journal.contenders.all()]
    corpora = [{"path": path, "digest": digest} for path, digest in journal.corpora.files().items()]
    return {k: facts[k] for k in kept if k in facts} | {
        "places": places,
        "contenders": contenders,
        "corpora": corpora,
    }


def requirements(journal: Journal) -> str:
    """Return the measured packages with their versions, as pip reads them."""
    versions = journal.facts.get("versions", {})
    names = {"crosscheck": DISTRIBUTION}
    lines = [
        f"{names.get(name, name)}=={version}" for name, version in versions.items() if version and name != "python"
    ]
    return "".join(f"{line}\n" for line in (f"# Python {versions.get('python', '')}", *sorted(lines)))


def instances(journal: Journal) -> Iterator[tuple[str, list[PackedFile]]]:
    """Yield each corpus of a run as a word of `run`, and its files, which are below `instances/`.

    A shipped corpus is a word alone. Raises BadUsage if files are gone, or a corpus was standard input.
    """
    for number, corpus in enumerate(journal.corpora.sources(), 1):
        if corpus.path is None:
            raise BadUsage(f"--instances: the instances of {corpus.name} came from standard input")
        path = Path(corpus.path)
        if name := shipped_name(path):
            yield name, []
            continue
        if digest(path) != journal.corpora.files()[corpus.path]:
            raise BadUsage(f"--instances: {path} has changed since the run, or is gone")
        folder = f"{INSTANCES}/{number:02}"
        if not is_collection(path):
            line = corpus.name.rpartition(":")[2] if corpus.name != path.name else ""
            yield (
                f"{folder}/{path.name}{f':{line}' if line.isdecimal() else ''}",
                [PackedFile(path, f"{folder}/{path.name}")],
            )
            continue
        files, root = instance_files(path), root_of(path)
        every = [*files, *claim_files(path, files)]
        folder = f"{folder}/{path.name.strip('@') or 'corpus'}" if path.is_dir() else folder
        yield folder, [PackedFile(file, f"{folder}/{name_in(root, file).replace('../', 'up/')}") for file in every]


def script(journal: Journal, words: Sequence[str], corpora: Sequence[str]) -> str:
    """Return the shell script that runs an experiment again; `words` are those of its command line.

    Files that the run wrote are written beside the script, and corpora that were packed are read from there.
    """
    given = vars(stated(words, add_arguments))
    options = [
        f'--{key.replace("_", "-")} "$here"/{name}' for key, name in OUTPUTS.items() if key in given or key == "output"
    ]
    here = [f'"$here"/{shlex.quote(name)}' if name.startswith(INSTANCES) else shlex.quote(name) for name in corpora]
    folder = shlex.quote(journal.facts.get("folder", os.getcwd()))
    lines = [
        "#!/bin/sh",
        "# Run the experiment of this folder again. Further arguments are those of `run`.",
        "set -eu",
        'here=$(cd "$(dirname "$0")" && pwd)',
        f"folder={folder}",
        'if [ -n "${EXPERIMENT_FOLDER:-}" ]; then',
        '    cd "$EXPERIMENT_FOLDER"',
        'elif ! cd "$folder" 2>/dev/null; then',
        '    echo "$folder is not here: files that the experiment names are sought in $here;'
        ' EXPERIMENT_FOLDER names another folder" >&2',
        '    cd "$here"',
        "fi",
        f'exec "${{PYTHON:-python3}}" -m harness run "$here"/{EXPERIMENT} {" ".join([*here, *options])} "$@"',
    ]
    return "\n".join(lines) + "\n"


def readme(journal: Journal, logs: bool, packed: bool) -> str:
    """Return the text that describes the packed file."""
    parts = [f"\n{LOGS + '/':19}what programs printed, compressed; journal and page name them"] if logs else []
    parts += [f"\n{INSTANCES + '/':19}the instances"] if packed else []
    folder = json.dumps(journal.facts.get("folder", "of the run"))
    files = journal.facts.get("executables", {})
    programs = "".join(f"    {name} {known}\n" for name, known in files.items() if known)
    title = f"A run of Crosscheck, started {journal.facts.get('started', 'at an unknown time')}"
    missing = "" if packed else WITHOUT
    listed = PROGRAMS + programs if programs else ""
    return README.format(title=title, parts="".join(parts), folder=folder, instances=missing, programs=listed)
