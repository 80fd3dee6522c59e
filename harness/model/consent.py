"""Commands that a journal or a finding names, and that somebody else may have written.

Such commands are run only if the command line names them again, or the user sees and agrees to all of them. Known
solvers on the PATH need no consent, since their commands are ours.

A journal keeps commands as they are, since a resume runs them. Summaries and pages, which are made to be shared, hide
passwords in addresses, and the values of options and variables with names of secrets.
"""

import re
import shlex
import sys
from collections.abc import Iterable, Mapping

from backends.programs.backend import program_of
from backends.programs.known_programs import KNOWN
from harness.model.errors import BadUsage
from puzzles.plugins.text import one_line

HIDDEN = "***"
NAMES = r"(?:token|secret|passw(?:or)?d|passphrase|(?:api|access|private|licen[cs]e)[-_]?key|credentials?)"
VALUE = r"""(?:'[^']*'|"[^"]*"|[^\s'"]+)"""
BEFORE = r"""(?:^|(?<=[\s'"=]))"""
NAME = rf"[\w-]*{NAMES}[\w-]*"
NAMED = re.compile(rf"(?i)({BEFORE}(?:{NAME}[=:]|-{NAME}\s+(?=[^\s-])))(?!\{{\w+\}})({VALUE})")  # {{cnf}} is no secret
ADDRESS = re.compile(r"(?<=://)([^\s/:@]*:)[^\s/@]+(?=@)")
Commands = Mapping[tuple[str, str], str]  # commands by option (--program, --env or --checker) and name


def commands_of(
    backends: Iterable[str],
    programs: Mapping[str, str] | None = None,
    pythons: Mapping[str, str] | None = None,
    checkers: Mapping[str, str] | None = None,
) -> Commands:
    """Return all commands of a file, and those of programs that backends find by name on the PATH."""
    named = programs or {}
    bare = [name for name in map(program_of, backends) if name and name not in named and name not in KNOWN]
    return (
        {("--program", name): name for name in bare}
        | {("--program", name): text for name, text in named.items()}
        | {("--env", name): python for name, python in (pythons or {}).items()}
        | {("--checker", name): text for name, text in (checkers or {}).items()}
    )


def words_of(commands: Commands) -> list[str]:
    """Return the arguments that name these commands."""
    return [word for (option, name), text in commands.items() for word in (option, f"{name}={text}")]


def finding_programs(
    source: str, contender: str, recorded: Mapping[str, str], given: Mapping[str, str], agreed: bool
) -> dict[str, str]:
    """Return the commands of programs for a finding: those given, and those recorded in it if the user agrees to them.

    Raises BadUsage if the program of the contender is not given, and the user does not agree to its command.
    """
    backend = re.split(r"[/+@]", contender)[0]
    own = {name: text for name, text in recorded.items() if name == program_of(backend)}
    programs = {**own, **given}
    require_consent(source, commands_of([backend], programs), commands_of((), given), agreed)
    return programs


def require_consent(source: str, commands: Commands, stated: Commands, agreed: bool) -> None:
    """Raise BadUsage unless each command of a file is stated again, or the user agrees to all of them."""
    for (option, name), text in commands.items():
        again = stated.get((option, name), text)
        if again != text:
            raise BadUsage(f"{source}: {option} {name} is {one_line(text)!r} there, and {again!r} here")
    left = {key: text for key, text in commands.items() if key not in stated}
    if not left:
        return
    asking = sys.stdin.isatty() and sys.stderr.isatty() and not agreed
    if agreed or asking:
        lines = (f"  {one_line(shlex.join(words_of({key: text})))}" for key, text in left.items())
        print(f"{one_line(source)} runs:", *lines, sep="\n", file=sys.stderr)
    if agreed or (asking and input("run this? [y/N] ").strip().lower() in ("y", "yes")):
        return
    words = one_line(shlex.join(words_of(left)))
    raise BadUsage(f"{source} runs commands: name them again ({words}), or agree to all with --yes")


def masked(text: str) -> str:
    """Return a command with `***` for texts that look like secrets."""
    return ADDRESS.sub(rf"\1{HIDDEN}", NAMED.sub(rf"\g<1>{HIDDEN}", text))


def masked_words(words: Iterable[str]) -> list[str]:
    """Return the words of a command line with `***` for texts that look like secrets, whole words included."""
    found: list[str] = []
    for word in words:
        named = found and NAMED.match(f"{found[-1]} x") and found[-1].startswith("--") and not word.startswith("-")
        found.append(HIDDEN if named else masked(word))
    return found
