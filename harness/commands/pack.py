"""`export --to zip`: put a run into one file, with all that shows what was run, and a script that runs it again."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from zipfile import ZipFile

    from harness.commands.packing import PackedFile
    from harness.storing.journal import Journal

DATE = (1980, 1, 1, 0, 0, 0)  # of every file, so that the same run gives the same bytes


def pack(path: str, to: str, instances: bool, logs: str | None) -> int:
    """Write the zip file of a journal. Raises BadUsage."""
    import tempfile
    from pathlib import Path

    from harness.commands.given import print_note
    from harness.model.errors import BadUsage
    from harness.reporting.frame.reading import open_judged

    output = Path(to)
    if output.exists():
        raise BadUsage(f"{output}: already exists: choose another with -o")
    with open_judged(path) as judged, tempfile.TemporaryDirectory() as folder:
        journal, part = judged.journal, output.with_name(output.name + ".part")
        if journal.facts.get("state") != "complete":
            print_note(f"{journal.path} is not complete")
        texts, files = contents(journal, Path(folder), instances, logs)
        try:
            write(part, texts, files)
            part.rename(output)
        finally:
            part.unlink(missing_ok=True)
    return 0


def contents(
    journal: "Journal", folder: "Path", packed: bool, stated: str | None
) -> "tuple[dict[str, str], list[PackedFile]]":
    """Return the texts by name, and the files; `folder` receives those that are made. Raises BadUsage.

    Logs are packed that lie in the folder which is stated; a note tells how many lie elsewhere.
    """
    import json
    from contextlib import chdir

    from harness.commands import packing
    from harness.commands.experiments import experiment_of
    from harness.commands.given import print_note
    from harness.commands.html import write_page
    from harness.commands.run import add_arguments as of_run
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.frame.summary import summarise

    experiment, words = experiment_of(journal, of_run), journal.facts.get("command")[1:]
    corpora = list(packing.instances(journal)) if packed else []
    logs, elsewhere = packing.log_files(journal, stated)
    if elsewhere:
        print_note(
            f"{elsewhere} logs are left out, which are gone, or not in {stated or 'the folder of the journal'}:"
            " --logs FOLDER takes those of a folder"
        )
    packing.copy_journal(journal, folder / packing.JOURNAL, stated)
    with chdir(folder), open_judged(packing.JOURNAL) as judged:
        results = judged.results()
        write_page(packing.PAGE, [results], [summarise(results)])
    texts = {
        "README.txt": packing.readme(journal, bool(logs), packed),
        packing.EXPERIMENT: experiment,
        "environment.json": json.dumps(packing.environment(journal), indent=1) + "\n",
        "requirements.txt": packing.requirements(journal),
        packing.SCRIPT: packing.script(journal, words, [word for word, _ in corpora]),
    }
    made = [packing.PackedFile(folder / name, name) for name in (packing.JOURNAL, packing.PAGE)]
    return texts, [*made, *logs, *(file for _, some in corpora for file in some)]


def write(path: "Path", texts: "Mapping[str, str]", files: "Sequence[PackedFile]") -> None:
    """Write the zip file. Raises OSError."""
    from zipfile import ZIP_DEFLATED, ZipFile

    with ZipFile(path, "w", ZIP_DEFLATED) as into:
        for name, text in texts.items():
            add(into, name, text.encode("utf-8", "surrogateescape"))
        for file in files:
            add(into, file.name, file.path.read_bytes())


def add(into: "ZipFile", name: str, content: bytes) -> None:
    """Add a file; a script can be executed."""
    from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipInfo

    entry = ZipInfo(name, DATE)
    entry.external_attr = (0o100755 if name.endswith(".sh") else 0o100644) << 16
    entry.compress_type = ZIP_STORED if name.endswith(".gz") else ZIP_DEFLATED
    into.writestr(entry, content)
