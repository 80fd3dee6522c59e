"""`site`: pages of many journals, as static files in one folder."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.reporting.site.facts import Facts

SUFFIX = ".sqlite"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="folder of journals (*.sqlite), with its folders, or one journal"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="SITE", help="folder of the pages")


def run(args: argparse.Namespace) -> int:
    import sys

    from harness.model.errors import BadUsage
    from harness.reporting.site import history, pages
    from harness.storing.schema import as_bad_usage
    from puzzles.errors import plural

    alone = args.folder.is_file()
    folder, paths = (args.folder.parent, [args.folder]) if alone else (args.folder, args.folder.rglob(f"*{SUFFIX}"))
    if not folder.is_dir():
        raise BadUsage(f"{args.folder}: no journal, and no folder of journals")
    site, bad = args.output, list[str]()
    with as_bad_usage(site):
        for part in ("data", "journals"):
            (site / part).mkdir(parents=True, exist_ok=True)
    journals = list(known_journals(folder, paths, site, bad))
    if not journals:
        raise BadUsage(bad[0] if bad else f"{args.folder}: no journals (*{SUFFIX}) in it")
    kept = [comparison(folder, site, *pair) for pair in history.neighbours(j for j, _ in journals)]
    every = history.series((j for j, _ in journals), (c for c, _ in kept))
    written = [write(site / "index.html", pages.front_page(every))]
    written += [write(site / of.page, pages.series_page(of)) for of in every]
    remove_others(site, [j["id"] for j, _ in journals], [of.page for of in every])
    new, compared = sum(new for _, new in journals), sum(new for _, new in kept)
    print(
        f"{site / 'index.html'}: {plural(len(journals), 'journal')} ({new} new),"
        f" {plural(len(kept), 'comparison')} ({compared} new),"
        f" {len(every)} series, {sum(written)} of {len(written)} pages changed"
    )
    for line in bad:
        print(f"left out: {line}", file=sys.stderr)
    return 2 if bad else 0


def known_journals(folder: Path, paths: Iterable[Path], site: Path, bad: list[str]) -> "Iterator[tuple[Facts, bool]]":
    """Yield the facts of journals in a folder, and True if they are new; add a line to `bad` for each bad one."""
    from harness.model.digests import file_digest
    from harness.model.errors import BadUsage
    from harness.reporting.site.facts import identity
    from harness.storing.schema import as_bad_usage
    from puzzles.files import NOT_REGULAR

    for path in sorted(paths):
        name = path.relative_to(folder).as_posix()
        try:
            with as_bad_usage(path):
                if not path.is_file():
                    raise BadUsage(f"{path}: {NOT_REGULAR}")
                digest = file_digest(path)
            facts = read(site / "data" / f"{identity(name, digest)}.json")
            if facts is not None and (site / "journals" / f"{facts['id']}.html").exists():
                yield facts, False
            else:
                yield add_journal(path, site, name, digest), True
        except BadUsage as e:
            bad.append(str(e))


def add_journal(path: Path, site: Path, name: str, digest: str) -> "Facts":
    """Write the page and the facts of a journal, and return the facts. Raises BadUsage."""
    from harness.commands.html import write_page
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.frame.summary import summarise
    from harness.reporting.site.facts import journal_facts
    from harness.storing.schema import opening

    with opening(path), open_judged(path) as judged:
        results = judged.results()
        summary = summarise(results)
        facts = journal_facts(results, summary, name, digest)
        write_page(str(site / "journals" / f"{facts['id']}.html"), [results], [summary])
    store(site / "data" / f"{facts['id']}.json", facts)
    return facts


def comparison(folder: Path, site: Path, before: "Facts", after: "Facts") -> "tuple[Facts, bool]":
    """Return the facts of a comparison of two journals, and True if it was made now."""
    from harness.model.errors import BadUsage
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.site.facts import comparison_facts
    from harness.reporting.views.comparing.comparison import compared

    path = site / "data" / f"{before['id']}..{after['id']}.json"
    if (known := read(path)) is not None:
        return known, False
    try:
        with open_judged(folder / before["file"]) as a, open_judged(folder / after["file"]) as b:
            _, result = compared(a.results(), b.results())
        facts = comparison_facts(before["id"], after["id"], result)
    except BadUsage as e:
        facts = comparison_facts(before["id"], after["id"], None, str(e))
    store(path, facts)
    return facts, True


def read(path: Path) -> "Facts | None":
    """Return kept facts, None if there are none of this schema."""
    import json

    from harness.reporting.site.facts import SCHEMA
    from puzzles.files import read_text

    try:
        found = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("schema") == SCHEMA else None


def store(path: Path, facts: dict[str, Any]) -> None:
    """Keep facts. Raises BadUsage."""
    import json

    write(path, json.dumps(facts, indent=1) + "\n")


def write(path: Path, text: str) -> bool:
    """Write a file unless it has this text already; return True if written. Raises BadUsage."""
    from harness.storing.schema import write_text

    if path.is_file() and path.read_bytes() == text.encode("utf-8", "backslashreplace"):
        return False
    write_text(str(path), text)
    return True


def remove_others(site: Path, ids: Iterable[str], pages: Iterable[str]) -> None:
    """Remove the pages and facts of journals and series that are gone; other files of the folder stay."""
    known, shown = set(ids), set(pages)
    for path in (site / "data").glob("*.json"):
        if not set(path.stem.split("..")) <= known:
            path.unlink()
    for path in (site / "journals").glob("*.html"):
        if path.stem not in known:
            path.unlink()
    for path in site.glob("series-*.html"):
        if path.name not in shown:
            path.unlink()
