"""Documents for users: links lead somewhere, commands parse, every verb is described, and the README is short.

What its first command prints is compared with what it prints here, but for times and the machine.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from harness.cli import make_parser
from harness.model.invocation import VERBS
from tests.conftest import ROOT, Harness

README = ROOT / "README.md"
GLOSSARY = ROOT / "docs/reference/glossary.md"
DOCUMENTS = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
DOCUMENTS += [ROOT / "benchmarks/README.md", ROOT / "puzzles/corpora/README.md"]
DOCUMENTS += sorted((ROOT / "benchmarks/diaries").glob("*.md"))
CURRENT = [
    path for path in DOCUMENTS if path.parent.name not in ("decisions", "diaries", "releases")
]  # they name files of their day
FOLDERS = "puzzles|encoders|backends|harness|tests|scripts|benchmarks|docs|web"
PLACEHOLDER = re.compile(r"\.\.\.|[\[|]")  # begins words of a synopsis, which is no command


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def outside_code(text: str) -> str:
    return re.sub(r"(?ms)^```.*?^```$|^    .*?$|`[^`\n]*`", "", text)


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as its host makes them."""
    headings = re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```$", "", path.read_text(encoding="utf-8")))
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {text.strip().replace(" ", "-") for text in plain}


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_links_lead_to_files_and_headings(path: Path) -> None:
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", outside_code(path.read_text(encoding="utf-8"))):
        if re.match(r"https?:", target):
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        if not found.exists() or (anchor and anchor not in anchors(found)):
            wrong.append(target)
    assert wrong == []


@pytest.mark.parametrize("path", CURRENT, ids=named)
def test_files_that_a_page_names_exist(path: Path) -> None:
    files = re.findall(rf"`((?:{FOLDERS})/[\w/.-]*)`", path.read_text(encoding="utf-8"))
    assert [file for file in files if not (ROOT / file).exists()] == []


def commands(text: str) -> Iterator[str]:
    """Yield the arguments of the harness in a page's blocks of code, a continued line as one."""
    blocks = re.findall(r"(?ms)^ *```sh\n(.*?)^ *```$", text) + re.findall(r"(?m)(?:^ {4,}\S.*\n?)+", text)
    for block in blocks:
        joined = re.sub(r"\\\n", "", re.sub(r"\s*\\\n\s+", " ", dedent(block)))
        for line in joined.splitlines():
            before, called, after = line.partition("python -m harness ")
            if called and not re.match(r"\s*[#|$-]", line):
                yield after.removesuffix("'") if before.count("'") % 2 else after


def arguments(command: str) -> list[str]:
    """Return the words of a command: two spaces or a sign of the shell end it."""
    plain = re.split(r" {2,}| [>&|]", re.sub(r"\$(\w+|\(.*?\))", "1", command))[0]
    return shlex.split(plain, comments=True)


EVERY = [
    (named(path), command)
    for path in DOCUMENTS
    for command in commands(path.read_text(encoding="utf-8"))
    if not any(map(PLACEHOLDER.match, arguments(command)))
]


def test_tables_of_extension_points_are_defined_where_they_are_said_to_be() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    stated = re.findall(r"`([A-Z_]{4,})` of `(\w+/[\w/.]+)`", text)
    stated += [(name, path) for path, name in re.findall(r"`(\w+/[\w/.]+\.py)` \| one name in its `([A-Z_]+)`", text)]
    assert len(stated) > 10
    for name, path in stated:
        assert re.search(rf"^{name}\b.* = ", (ROOT / path).read_text(), re.MULTILINE), (name, path)


def test_pages_have_commands() -> None:
    assert len(EVERY) > 100


@pytest.mark.parametrize(("page", "command"), EVERY)
def test_a_command_of_a_page_parses(page: str, command: str) -> None:
    make_parser().parse_args(arguments(command))


def test_the_command_line_is_described_by_its_page() -> None:
    page = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    table = page.partition("| verb |")[2].partition("\n\n")[0]
    verbs = re.findall(r"`([a-z]+)`", " ".join(row.split("|")[1] for row in table.splitlines()[2:]))
    assert sorted(verbs) == sorted(VERBS)
    synopsis = page.partition("<!-- synopsis of run -->")[2].partition("\n\n")[2].partition("\n\n")[0]
    parser = make_parser(["run"])
    (subparsers,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    options = {word for action in subparsers.choices["run"]._actions for word in action.option_strings[:1]}
    assert set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", synopsis)) - {"-m"} == options - {"-h", "-m"}


def test_every_page_is_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    ahead = [README]
    while ahead:
        page = ahead.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        links = re.findall(r"\]\(([^)\s#]+)", page.read_text(encoding="utf-8"))
        ahead += [(page.parent / link).resolve() for link in links if not link.startswith("http")]
    assert set(DOCUMENTS) <= reached


def test_the_readme_is_short_and_has_its_two_commands() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    marked = re.findall(r"(?m)^<!-- (\w+) -->\n```sh\n(.*)\n```$", text)
    assert [mark for mark, _ in marked] == ["run", "test"]
    assert marked[0][1].endswith(".venv/bin/python -m harness run hardest.txt")


def test_the_release_makes_the_links_of_the_readme_absolute(tmp_path: Path) -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text()
    (command,) = re.findall(r"run: (sed -i .* README\.md)$", workflow, re.MULTILINE)
    text = shutil.copy(README, tmp_path)
    variables = os.environ | {"AT": "https://host/project", "GITHUB_REF_NAME": "v1"}
    subprocess.run(["bash", "-c", command], cwd=tmp_path, env=variables, check=True)
    links = re.findall(r"(!?)\[[^]]*\]\(([^)]+)\)", Path(text).read_text())
    assert len(links) > 40
    for picture, target in links:
        at = f"https://host/project/{'raw' if picture else 'blob'}/v1/"
        assert target.startswith(at), target
        assert (ROOT / target.removeprefix(at).partition("#")[0]).exists(), target


def shape(printed: str) -> list[list[str]]:
    """Return what does not depend on the machine: the columns, contenders with what they solved, and the agreement."""
    lines = printed.splitlines()
    table = next(i for i, line in enumerate(lines) if line.startswith("contender"))
    rows = sorted(line.split()[:5] for line in lines[table + 2 : table + 5])
    agreement = next(line for line in lines if line.startswith("agreement: "))
    return [lines[0].split(",")[:1], lines[table].split(), *rows, [agreement]]


def test_the_readme_shows_what_the_first_command_prints(harness: Harness) -> None:
    shown = README.read_text(encoding="utf-8").partition("The first prints")[2].split("```\n")[1]
    done = harness("run", "hardest.txt")
    assert done.code == 0, done.err
    assert shape(shown) == shape(done.out)


def test_the_glossary_has_each_word_once_and_in_order() -> None:
    tables = re.findall(
        r"(?ms)^\| word \| meaning \|\n\|---\|---\|\n(.*?)\n(?:\n|\Z)", GLOSSARY.read_text(encoding="utf-8")
    )
    words = [[row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()] for table in tables]
    assert len(words) > 3
    assert len(words[0]) <= 40, "words of our own, which every reader must look up"
    for table in words:
        assert table == sorted(table)
    every = [word for table in words for entry in table for word in entry.split(", ")]
    assert len(every) == len(set(every)) > 60


def test_a_place_is_a_core_in_the_code_that_knows_no_cores() -> None:
    wrong = []
    for path in (path for layer in ("puzzles", "encoders", "backends") for path in (ROOT / layer).rglob("*.py")):
        with path.open("rb") as file:
            names = {t.string for t in tokenize.tokenize(file.readline) if t.type == tokenize.NAME}
        if names & {"place", "places"}:
            wrong.append(named(path))
    assert wrong == []
