"""Files that a command runs: its program, the files that its words name, and the files that scripts among them name.

A script names a program by a path, absolute or from its own folder (`"$(dirname "$0")/solver"`), by the name of a known
solver on the PATH, or, in Python, as a module beside it. Only programs and scripts count, since a wrapper may name its
log too. Paths that a script computes, such as from a variable, are not found.

tool  file that runs others and solves nothing: an interpreter, a launcher such as timeout, a Unix command
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from backends.programs.known_programs import KNOWN as KNOWN_PROGRAMS
from harness.model.origins.solver_families import KNOWN, canonical

MAX_SCRIPT = 1 << 20  # bytes
MAX_FILES = 100
SCRIPTS = frozenset((".py", ".sh", ".bash", ".pl", ".rb", ".js", ".lua"))
CODE = SCRIPTS | {".jar", ".so"}
PATHS = re.compile(r"[\w.+@~/-]+")
IMPORTS = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)
TOOL = re.compile(
    r"(?:python|pypy|perl|ruby|node|lua|java|bash|dash|zsh|ksh|sh|tclsh|php|Rscript|guile|julia)[\d.]*"
    r"|env|exec|timeout|nice|ionice|taskset|time|stdbuf|unbuffer|setsid|nohup|chrt|numactl|runsolver|runexec|xargs"
    r"|busybox|coreutils|[mg]?awk|sed|grep|egrep|cat|cut|head|tail|tee|tr|sort|uniq|wc|test|\[|echo|printf|true|false"
    r"|mktemp|rm|cp|mv|mkdir|ln|ls|dirname|basename|readlink|realpath|date|sleep|kill|docker|podman|singularity|apptainer"
)


def is_tool(path: Path) -> bool:
    """Return True for a file that runs others and solves nothing, by its name."""
    return TOOL.fullmatch(path.name) is not None


def command_files(words: Sequence[str]) -> list[Path]:
    """Return the files of a command: its program, files that words name, and files that scripts among them name."""
    if not words:
        return []
    program = Path(shutil.which(words[0]) or words[0]).resolve()
    pieces = [piece for word in words[1:] for piece in (word, *re.split("[=:,]", word)) if piece]
    named = [Path(piece).resolve() for piece in pieces if is_file(Path(piece))]
    if is_tool(program) and not named:  # `timeout 10 kissat`
        named = [Path(on_path).resolve() for word in words[1:] if (on_path := shutil.which(word))][:1]
    found = list(dict.fromkeys([program, *named]))
    for path in found:  # which grows
        found += [other for other in named_by(path) if other not in found][: MAX_FILES - len(found)]
    return found


def is_file(path: Path) -> bool:
    """Return True for a regular file, False for anything else, even for a text that can't be a path."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def script_text(path: Path) -> str:
    """Return the text of a script, '' for any other file."""
    try:
        if path.stat().st_size > MAX_SCRIPT:
            return ""
        content = path.read_bytes()
    except OSError:
        return ""
    return content.decode(errors="replace") if content[:2] == b"#!" or path.suffix in SCRIPTS else ""


def named_by(script: Path) -> Iterator[Path]:
    """Yield the programs and scripts that a script names, without tools."""
    text, folder = script_text(script), script.parent
    shared = str(folder) in map(os.path.realpath, os.get_exec_path())  # where a plain word may name a command
    for word in dict.fromkeys(PATHS.findall(text)):
        places = [] if shared else [folder / tail for tail in tails(word)]
        if "/" in word:
            places.append(Path(os.path.expanduser(word)))
        elif canonical(word) in KNOWN or word in KNOWN_PROGRAMS:
            places.append(Path(shutil.which(word) or ""))
        yield from (path.resolve() for path in places if is_program(path))
    if not shared and (script.suffix == ".py" or "python" in text.partition("\n")[0]):
        yield from (path for name in IMPORTS.findall(text) if is_file(path := folder / f"{name}.py"))


def tails(word: str) -> Iterator[str]:
    """Yield a path, and its ends without the first folders, which a variable or a command may stand for."""
    parts = [part for part in word.split("/") if part]
    yield from ("/".join(parts[i:]) for i in range(len(parts)))


def is_program(path: Path) -> bool:
    """Return True for a regular file that can be executed, or has the ending of a script, and is no tool."""
    if not path.name or not is_file(path) or is_tool(path) or is_tool(path.resolve()):
        return False
    return path.suffix in CODE or os.access(path, os.X_OK)


def solving_files(files: Sequence[Path]) -> list[Path]:
    """Return the files that may solve: without tools, unless there are only tools."""
    return [path for path in files if not is_tool(path)] or list(files)
