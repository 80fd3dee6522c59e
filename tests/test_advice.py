"""Advice of messages, tried: commands, options, packages, names and layouts that messages tell people to use."""

import ast
import difflib
import importlib.metadata
import re
import shlex
import shutil
import subprocess
import tomllib
from argparse import Action, _SubParsersAction
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

from backends.contract.registry import NoBackend, bases, find, known_base, load_base
from backends.programs.known_programs import KNOWN
from harness.cli import make_parser
from harness.model.invocation import VERBS
from puzzles.packages import DISTRIBUTIONS
from tests.conftest import ROOT, Harness

TRIED = {  # packages of systems and of other indexes that were installed by hand
    "coinor-cbc",
    "glpk-utils",
    *("cadical", "minisat", "cryptominisat", "picosat", "clasp", "minisat+", "flatzinc", "minizinc"),
    *("default-jre-headless", "cosoco", "passagemath-kissat", "passagemath-glucose"),
}
FOREIGN = {
    "--scheduler-file",
    "--lrat",
    "--version",
    "--fast",
    "--upgrade",
    "--completion",
    "--nworkers",
    "--nthreads",
}  # of other commands
SHORT_ELSEWHERE = {"-d", "-W", "-f", "-F"}  # of gzip, and of bash's compgen
OTHERS = {"gzip": "-d", "bzip2": "-d", "xz": "-d", "zstd": "-d", "dask": "", "npm": "", "aigtocnf": ""}
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OPEN = "1...2...3...4...\n"
REGIONS = "".join(c * 3 + d * 3 + e * 3 for c, d, e in ("abc",) * 3 + ("def",) * 3 + ("ghi",) * 3)
GRAPH = "p edge 3 2\ne 1 2\ne 2 3\n"


class Message(NamedTuple):
    """Text of a message, `{}` for what is filled in, and where it stands."""

    path: Path
    line: int
    text: str

    @property
    def verb(self) -> str:
        """The verb whose file the message stands in, else ''."""
        verb = self.path.stem.rstrip("_")
        return verb if self.path.parts[-2:-1] == ("commands",) and verb in VERBS else ""

    @property
    def commands(self) -> list[list[str]]:
        """The words of each command of ours in backticks."""
        found = (
            re.sub(r"^(?:python -m harness|\{\}) ", "", text).split() for text in re.findall("`([^`]+)`", self.text)
        )
        return [words for words in found if words and words[0] in VERBS]


def messages_of(path: Path) -> Iterator[Message]:
    """Yield the texts of a module with a space, but docstrings."""
    tree = ast.parse(path.read_bytes())
    nodes = list(ast.walk(tree))
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    parts |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            text = node.value
        else:
            continue
        if " " in text:
            yield Message(path.relative_to(ROOT), node.lineno, text)


@cache
def messages() -> tuple[Message, ...]:
    """Return all messages of the four packages; commands of known programs are none."""
    packages = ("puzzles", "encoders", "backends", "harness")
    files = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    return tuple(m for path in files for m in messages_of(path) if path.parent.name != "programs")


@cache
def options() -> dict[str, dict[str, Action]]:
    """Return the options of each verb."""
    verbs = next(a for a in make_parser()._actions if isinstance(a, _SubParsersAction))
    return {verb: dict(parser._option_string_actions) for verb, parser in verbs.choices.items()}


@pytest.mark.slow
def test_each_command_in_a_message_has_options_of_its_verb_and_values_that_they_take() -> None:
    tried = 0
    for message in messages():
        for verb, *words in message.commands:
            for word, value in zip(words, [*words[1:], ""], strict=False):
                if word.startswith("-"):
                    action = options()[verb].get(word)
                    assert action, (message, word)
                    assert not (action.choices and value.islower()) or value in action.choices, (message, value)
                    tried += 1
    assert tried > 15


def test_each_option_in_a_message_is_one_of_the_verb_that_says_so() -> None:
    tried, known = 0, set().union(*options().values())
    for message in messages():
        elsewhere = {word for _, *words in message.commands for word in words}
        for option in re.findall(r"(?<![\w\[-])--[a-z][a-z-]+\b", message.text):
            if option not in FOREIGN | elsewhere:
                tried += 1
                assert option in (options()[message.verb] if message.verb else known), message
    assert tried > 60


def test_each_short_option_in_a_message_is_one_of_a_verb() -> None:
    tried, known = 0, set().union(*options().values()) | SHORT_ELSEWHERE
    for message in messages():
        for option in re.findall(r"(?<![\w\[=/{.'-])-[a-zA-Z]\b(?![-=\w.])", message.text):
            tried += 1
            assert option in known, message
    assert tried > 60


@pytest.mark.parametrize(("ending", "program"), [("gz", "gzip"), ("bz2", "bzip2"), ("xz", "xz"), ("zst", "zstd")])
def test_each_program_that_unpacks_a_file_does(ending: str, program: str, tmp_path: Path, harness: Harness) -> None:
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    (tmp_path / "a.cnf").write_text("p cnf 1 1\n1 0\n")
    subprocess.run([program, "-q", tmp_path / "a.cnf"], check=True)
    packed = tmp_path / f"a.cnf.{ending}"
    (tmp_path / "a.cnf").unlink(missing_ok=True)
    refused = harness("show", packed)
    named = re.findall(r"`([^`]+)` unpacks it", refused.err)
    assert named == ([f"{program} -d a.cnf.{ending}"] if refused.code else [])
    subprocess.run(shlex.split(named[0] if named else f"{program} -d {packed.name}"), cwd=tmp_path, check=True)
    assert harness("show", tmp_path / "a.cnf").code == 0


def test_gzip_unpacks_what_compress_has_packed(tmp_path: Path, harness: Harness) -> None:
    text = b"p cnf 1 1\n1 0\n"
    codes = sum(byte << 9 * i for i, byte in enumerate(text))  # LZW, each byte by itself
    (tmp_path / "a.cnf.Z").write_bytes(b"\x1f\x9d\x90" + codes.to_bytes(-(-9 * len(text) // 8), "little"))
    assert "a file of `compress`: `gzip -d` unpacks it" in harness("show", tmp_path / "a.cnf.Z").err
    if shutil.which("gzip"):
        subprocess.run(["gzip", "-d", tmp_path / "a.cnf.Z"], check=True)
        assert (tmp_path / "a.cnf").read_bytes() == text


def test_each_program_of_others_in_a_message_was_tried() -> None:
    named = {text.split()[0] for message in messages() for text in re.findall("`([^`]+)`", message.text) if text}
    assert {word for word in named if word in OTHERS} == set(OTHERS) - {"bzip2", "xz", "zstd"}  # whose names are built
    assert all(option in SHORT_ELSEWHERE for text in OTHERS.values() for option in text.split())


def test_each_package_in_a_message_is_one_that_was_installed() -> None:
    hints = [m.text for m in messages()] + [known.install for known in KNOWN.values()]
    pattern = r"\b(?:pip|apt|npm) install ([\w+-]+)"
    named = {name for text in hints for name in re.findall(pattern, text)}
    assert named <= TRIED | set(DISTRIBUTIONS.values()), named
    assert len(named) > 8


def test_each_optional_package_has_its_module_and_is_required_by_an_extra() -> None:
    installed = importlib.metadata.packages_distributions()
    for module, package in DISTRIBUTIONS.items():
        assert package.lower() in map(str.lower, installed.get(module, [package])), module
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = " ".join([*project["dependencies"], *chain(*project["optional-dependencies"].values())])
    missing = {name for name in DISTRIBUTIONS.values() if not re.search(rf"(?<![\w-]){name}(?![\w-])", required)}
    assert missing <= {"exact"}, missing


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("size.txt", "." * 36),
        ("rows.txt", OPEN * 16),
        ("latin.txt", "12..\n.1..\n..1.\n...1\n"),
        ("graph.col --as=latin 4", GRAPH),
        ("windoku.txt", f"# windoku\n{BOARD}\n"),
        ("smaller.txt", f"# windoku\n{OPEN}"),
        ("diagonal.txt", f"# Sudoku-X\n{BOARD}\n"),
        ("knight.txt", f"# anti-knight\n{BOARD}\n"),
        ("squares.txt", f"# Latin squares\n{BOARD}\n"),
        ("regions.txt", f"# jigsaw\n{BOARD}\n"),
    ],
)
def test_each_layout_that_a_message_names_reads_the_file(
    harness: Harness, tmp_path: Path, name: str, text: str
) -> None:
    name, *options = name.split(maxsplit=1)
    (tmp_path / name).write_text(text)
    refused = harness("show", name, *options)
    layouts = re.findall(r"--as '([^']+)'", refused.err)
    assert layouts, refused
    for layout in layouts:
        done = harness("show", name, "--as", layout.replace("REGIONS", REGIONS))
        assert done.code == 0, (layout, done.err)


@pytest.mark.parametrize(
    ("name", "text", "layout"),
    [
        ("f.cnf", "p cnf 1 1\n1 0\n", "latin 4"),
        ("f.wcnf", "h 1 0\n1 -1 0\n", "latin 4"),
        ("f.opb", "+1 x1 >= 1 ;\n", "latin 4"),
        ("line.txt", "killer 2x2 aabbaabbccddccdd a=10 b=10 c=10 d=10\n", "latin 4"),
        ("line2.txt", "jigsaw aabbaabbccddccdd ................\n", "latin 4"),
    ],
)
def test_a_file_is_read_once_what_a_message_leaves_out_is_left_out(
    harness: Harness, tmp_path: Path, name: str, text: str, layout: str
) -> None:
    (tmp_path / name).write_text(text)
    refused = harness("show", name, "--as", layout)
    assert (refused.code, f"leave out --as '{layout}'" in refused.err) == (2, True), refused.err
    assert harness("show", name).code == 0


@pytest.mark.parametrize("name", ["line.txt", "killer.txt"])
def test_a_file_is_read_without_the_words_that_a_message_leaves_out(
    harness: Harness, tmp_path: Path, name: str
) -> None:
    line = {
        "line.txt": "jigsaw aabbaabbccddccdd ................\n",
        "killer.txt": "killer 2x2 aabbaabbccddccdd a=10 b=10 c=10 d=10\n",
    }[name]
    (tmp_path / name).write_text(f"# windoku\n{line}")
    refused = harness("show", name)
    assert "leave the words out" in refused.err
    (tmp_path / name).write_text(line)
    assert harness("show", name).code == 0


@pytest.mark.parametrize("wrong", ["cadcial", "cpsta", "minisat", "CPSAT", "clingcon", "kisat", "pysat:cadical"])
def test_each_backend_that_a_message_names_is_known(wrong: str) -> None:
    with pytest.raises(NoBackend) as refused:
        find(wrong)
    hint = str(refused.value).partition(":" if ":" not in wrong else "known are")[2].partition("?")[0]
    named = re.findall(r"[a-z0-9-]+:?[\w-]*", hint.replace("did you mean", "").replace(" or ", " "))
    assert named
    for name in named:
        assert name in {part.name for part in load_base(known_base(name))} | set(bases()), name


@pytest.mark.parametrize(("file", "wrong"), [("easy", "cpsat"), ("f.wcnf", "native:norvig")])
def test_each_solver_that_trace_names_is_traced(harness: Harness, tmp_path: Path, file: str, wrong: str) -> None:
    (tmp_path / "f.wcnf").write_text("h 1 2 0\n1 -1 0\n1 -2 0\n")
    refused = harness("trace", file, "-b", wrong)
    named = refused.err.strip().partition("use -b ")[2].split(" or ")
    assert all(harness("trace", file, "-b", name).code in (0, 10, 20) for name in named), named
    assert named != [""]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("slove", BOARD), "solve"),
        (("shwo", BOARD), "show"),
        (("show", BOARD, "--candidate"), ""),
        (("show", BOARD, "--candidtaes"), "--candidates"),
        (("encode", BOARD, "--to", "opd"), "opb"),
        (("encode", BOARD, "--to", "lpp"), "lp"),
        (("solve", BOARD, "-b", "native:norvg"), ""),
    ],
)
def test_what_is_meant_works(harness: Harness, words: tuple[str, ...], meant: str) -> None:
    refused = harness(*words)
    found = re.search(r"did you mean ([\w-]+)", refused.err)
    assert (found.group(1) if found else "") == meant
    if found:
        wrong = difflib.get_close_matches(meant, words, n=1)[0]
        assert harness(*(meant if word == wrong else word for word in words)).code in (0, 10, 20)


def test_a_formula_is_encoded_by_the_name_of_its_file(harness: Harness) -> None:
    assert harness("encode", BOARD, "--to", "cnf").out == harness("encode", BOARD, "--to", "dimacs").out
