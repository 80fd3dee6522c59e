"""Names that attack a page, a spreadsheet, LaTeX, Markdown or XML do no harm in any format."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from harness.reporting.writing.booktabs import latex_text
from harness.reporting.writing.printable import markdown_text
from tests.conftest import Harness
from tests.journals import make, noisy, puzzle

NAMES = [
    "</script><img src=x onerror=alert(1)>",
    "=cmd|' /C calc'!A0",
    "a\u202ecod.exe\u2066",
    "\x00\x1b[2J\x0b\ufffe\n# title",
    r"\input{/etc/passwd}$x^2_%&#~--",
    "`code` | cell ](javascript:x) <!--",
    "x" * 500,
    "]]>&amp;\"'",
]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal whose instances and contenders have these names, one answer wrong and one undecided."""
    puzzles = [replace(puzzle(i), name=name) for i, name in enumerate(NAMES)]
    times = {name: noisy(i, 1, len(NAMES)) for i, name in enumerate(NAMES)}
    odd = {NAMES[0]: {"unsatisfiable": range(len(NAMES))}, NAMES[5]: {"undecided": [1]}, NAMES[3]: {"crashed": [2]}}
    return make(tmp_path / "j.sqlite", times, puzzles, odd=odd)


REPORTS = ("markdown", "latex", "junit", "github")
COMPARISONS = ("junit", "github")
STREAMS = ("markdown", "satcomp", "csv", "latex")
FOLDERS = ("benchexec", "aslib", "mkplot")


def texts(harness: Harness, journal: Path, *forms: str) -> dict[str, str]:
    """Return what each verb writes in these formats."""
    sides = ("--contenders", NAMES[5], NAMES[0])
    found = {f"report {f}": harness("report", journal, "--format", f).out for f in REPORTS if f in forms}
    found |= {f"compare {f}": harness("compare", journal, *sides, "--format", f).out for f in COMPARISONS if f in forms}
    found |= {f"export {f}": harness("export", journal, "--format", f).out for f in STREAMS if f in forms}
    for form in FOLDERS:
        if form in forms:
            assert harness("export", journal, "--format", form, "-o", form).code == 0
            found |= {f"{form} {p.name}": p.read_text(encoding="utf-8") for p in Path(form).iterdir()}
    return found


@pytest.mark.slow
def test_no_format_shows_control_or_bidirectional_characters(journal: Path, harness: Harness) -> None:
    for where, text in texts(harness, journal, *REPORTS, *STREAMS, *FOLDERS).items():
        bad = [c for c in text if not c.isprintable() and c not in "\r\n"]
        assert not bad, (where, bad)


def test_xml_is_well_formed_and_names_come_in_again_as_shown(journal: Path, harness: Harness) -> None:
    for where, text in texts(harness, journal, "junit", "benchexec").items():
        assert Xml.fromstring(text.encode()).tag in ("testsuite", "result"), where
    files = sorted(Path("benchexec").iterdir())
    assert len(files) == len(NAMES)
    assert harness("import", "--format", "benchexec", *files, "-o", "k.sqlite").code == 0
    contenders = harness("report", "k.sqlite", "--json", "-").summary["contenders"]
    assert len(contenders) == len(NAMES)
    assert {NAMES[0], NAMES[1], NAMES[4], NAMES[6]} <= {c["name"] for c in contenders}


def test_markdown_has_no_html_code_or_link_and_every_row_as_many_cells(journal: Path, harness: Harness) -> None:
    for where, text in texts(harness, journal, "markdown", "github").items():
        ours = re.sub(r"<details><summary>[^<]*</summary>\n|</details>", "", text)
        assert not re.search(r"<[a-z!/]", ours), where
        assert not re.search(r"(?<!\\)`", ours), where
        assert "](" not in ours, where
        tables = re.findall(r"(?:^\|.*\n?)+", ours, re.MULTILINE)
        for table in tables:
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, where


def test_latex_has_no_command_but_ours(journal: Path, harness: Harness) -> None:
    table = harness("report", journal, "--format", "latex").out
    ours = {"begin", "label", "end", "toprule", "midrule", "bottomrule", "textbackslash", "textmu", "usepackage"}
    ours |= {
        "centering",
        "footnotesize",
        "setlength",
        "tabcolsep",
        "belowcaptionskip",
        "sisetup",
        "caption",
        "bfseries",
    }
    ours |= {f"text{name}" for name in ("asciitilde", "asciicircum", "less", "greater", "bar", "quotedbl")}
    assert set(re.findall(r"\\([a-zA-Z]+)", table)) <= ours
    widths = {len(re.findall(r"(?<!\\)&", line)) for line in table.splitlines() if line.endswith(r"\\")}
    assert len(widths) == 1
    assert latex_text(NAMES[4]) == (
        r"\textbackslash{}input\{/etc/passwd\}\$x\textasciicircum{}2\_\%\&\#\textasciitilde{}-{}-"
    )


def test_csv_starts_no_formula(journal: Path, harness: Harness) -> None:
    for where, text in texts(harness, journal, "csv", "satcomp").items():
        cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))], where


def test_markdown_text_is_shown_as_it_is() -> None:
    assert markdown_text("pysat:cadical195/extended+ladder, 1.0x [0.9, 1.1]") == (
        "pysat:cadical195/extended+ladder, 1.0x [0.9, 1.1]"
    )
    assert markdown_text("a|b`c\\d<e>&[x](y)") == r"a\|b\`c\\d&#60;e>&#38;[x]\(y)"
