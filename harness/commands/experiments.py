"""Experiments as files of TOML: each key is a long option of `run` without its dashes, derived from its parser.

    corpora = ["instances", "@hard.txt"]         files as on the command line, seen from the working folder
    contenders = ["dimacs:kissat", "cpsat"]      also `backend`
    timeout = 60
    exclude = ["industrial"]
    scramble = true
    [program]
    kissat = "kissat --quiet"

What the command line states replaces the value of the file; commands and interpreters are replaced by name.
"""

import argparse
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.commands.arguments import SettingsParser
from harness.model.errors import BadUsage
from harness.model.lease import EXPERIMENT
from harness.model.toml_files import read_toml

if TYPE_CHECKING:
    from harness.storing.journal import Journal

CORPORA, CONTENDERS = "corpora", "contenders"
OF_THE_COMMAND = ("resume", "force", "yes")  # options that a file can't state
PLAIN = re.compile(r"[A-Za-z0-9_-]+")  # a key without quotes
PLACEHOLDER = "\0"  # in place of the file's name, to see if it is a corpus
AddArguments = Callable[[argparse.ArgumentParser], None]
Keys = Mapping[str, argparse.Action]


class Experiment(NamedTuple):
    """A run that a file states: words of the command line, and the text that states the same."""

    words: list[str]
    text: str


def keys_of(add_arguments: AddArguments) -> Keys:
    """Return the options of `run` by key."""
    parser = argparse.ArgumentParser(add_help=False)
    add_arguments(parser)
    found: dict[str, argparse.Action] = {}
    for action in parser._actions:
        for option in action.option_strings or [f"--{CORPORA}"]:
            if option.startswith("--") and action.dest not in OF_THE_COMMAND:
                found[option.removeprefix("--")] = action
    return found | {CONTENDERS: found["backend"]}


def named(words: Sequence[str], corpora: Sequence[str], add_arguments: AddArguments) -> int | None:
    """Return the position of the file of an experiment in the words of a command line, None without one.

    Raises BadUsage if there are several.
    """
    files = [name for name in corpora if name.endswith(".toml") and Path(name).is_file()]
    if len(files) > 1:
        raise BadUsage(f"{files[0]} and {files[1]}: a run takes one experiment")
    for at in (i for i, word in enumerate(words) if word in files):
        trial = [*words[:at], PLACEHOLDER, *words[at + 1 :]]
        if PLACEHOLDER in vars(stated(trial, add_arguments)).get("corpus", ()):
            return at
    return None


def stated(words: Sequence[str], add_arguments: AddArguments) -> argparse.Namespace:
    """Return the arguments that words state, without defaults. Raises BadUsage."""
    parser = SettingsParser(add_help=False)
    add_arguments(parser)
    for action in parser._actions:
        action.default = argparse.SUPPRESS
    return parser.parse_args(words)


def expanded(words: Sequence[str], at: int, add_arguments: AddArguments) -> Experiment:
    """Read the experiment in the file at a position of the command line, changed by the other words of that line.

    Raises BadUsage with the line of a mistake.
    """
    path, own = Path(words[at]), [*words[:at], *words[at + 1 :]]
    text, data = read(path)
    keys = keys_of(add_arguments)
    over = {name for name, value in vars(stated(own, add_arguments)).items() if value not in ([], None)}
    every = {key: list(words_of(path, text, key, value, keys)) for key, value in data.items()}
    try:
        stated([word for some in every.values() for word in some], add_arguments)
    except BadUsage as e:
        raise BadUsage(f"{path}: {e}") from e
    kept = [every[key] for key, value in data.items() if keys[key].dest not in over or isinstance(value, dict)]
    merged = [*(word for some in kept for word in some), *own]  # of a command that is there twice, the last one holds
    return Experiment(merged, toml_of(merged, add_arguments, f"{path} and the command line") if own else text)


def read(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of an experiment and its data. Raises BadUsage."""
    text, data = read_toml(path)
    for key, value in data.items():
        if any("\0" in part for part in texts_in(value)):
            raise BadUsage(f"{path}:{line_of(text, key)}: {key}: has a null character")
    return text, data


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value of TOML."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for pair in value.items() for part in pair for text in texts_in(part))
    elif isinstance(value, list):
        yield from (text for part in value for text in texts_in(part))


def words_of(path: Path, text: str, key: str, value: Any, keys: Keys) -> Iterator[str]:
    """Yield the words of a key with its value. Raises BadUsage with the line of a mistake."""
    at = f"{path}:{line_of(text, key)}"
    if key not in keys:
        near = get_close_matches(key, keys, n=1)
        hint = f"did you mean {near[0]}?" if near else "keys are the long options of `run --help`"
        raise BadUsage(f"{at}: unknown key {key!r}: {hint}")
    action = keys[key]
    several = isinstance(action, argparse._AppendAction) or not action.option_strings
    if isinstance(value, bool) and (action.nargs == 0 or action.const is not None):
        yield from [action.option_strings[0]] * value
    elif isinstance(value, dict) and is_table(action) and all(isinstance(one, str) for one in value.values()):
        yield from (f"--{key}={name}={one}" for name, one in value.items())
    elif isinstance(value, list) and several:
        yield from (one_word(at, key, one, action) for one in value)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and action.nargs != 0:
        yield one_word(at, key, value, action)
    else:
        raise BadUsage(f"{at}: {key}: expected {expected(action, several)}")


def one_word(at: str, key: str, value: Any, action: argparse.Action) -> str:
    """Return one value as a word of the command line. Raises BadUsage."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise BadUsage(f"{at}: {key}: expected texts or numbers in the list")
    if action.option_strings:
        return f"{action.option_strings[-1] if key == CONTENDERS else f'--{key}'}={value}"
    return f"./{value}" if str(value).startswith("-") and value != "-" else str(value)


def is_table(action: argparse.Action) -> bool:
    """Return True if an option takes NAME=VALUE, which are a table in a file."""
    return isinstance(action, argparse._AppendAction) and str(action.metavar).startswith("NAME=")


def expected(action: argparse.Action, several: bool) -> str:
    """Return the kind of value that an option takes."""
    if is_table(action):
        return "a table of NAME = 'COMMAND'"
    if action.nargs == 0:
        return "true or false"
    return "a text, or a list of texts" if several else "a text or a number"


def line_of(text: str, key: str) -> int:
    """Return the line of a file on which a key or table stands."""
    found = re.search(rf"(?m)^\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[\].=]", text)
    return 1 + text.count("\n", 0, found.end()) if found else 1


def toml_of(words: Sequence[str], add_arguments: AddArguments, origin: str, without: Collection[str] = ()) -> str:
    """Return words of a command line as an experiment, without some arguments. Raises BadUsage."""
    given, keys = vars(stated(words, add_arguments)), keys_of(add_arguments)
    lines, tables, seen = [f"# {origin}"], list[str](), set(without)
    for key, action in ((CORPORA, keys[CORPORA]), (CONTENDERS, keys[CONTENDERS]), *keys.items()):
        if action.dest in seen or action.dest not in given or given[action.dest] == []:
            continue
        seen.add(action.dest)
        value = given[action.dest]
        if is_table(action):
            pairs = {name: one for name, _, one in (text.partition("=") for text in value)}
            tables += ["", f"[{key}]", *(f"{key_text(name)} = {text_of(one)}" for name, one in pairs.items())]
        else:
            lines.append(f"{key} = {text_of(value)}")
    return "\n".join([*lines, *tables]) + "\n"


def experiment_of(journal: "Journal", add_arguments: AddArguments) -> str:
    """Return the experiment of a journal: its experiment file, or one made from its command line. Raises BadUsage."""
    merged = journal.facts.get("merged") is not None
    if (text := journal.facts.get(EXPERIMENT, "")) and not merged:
        return str(text)
    verb, *words = journal.facts.get("command") or [""]
    if journal.facts.imported or verb != "run":
        raise BadUsage(f"{journal.path}: was not made by `run`, so it has no experiment")
    of = f"the command line of {journal.path.name}"
    return toml_of(words, add_arguments, of, without={"shard"} if merged else ())


def experiment_at(path: str, add_arguments: AddArguments) -> str:
    """Return the experiment of the journal at a path. Raises BadUsage."""
    from harness.storing.journal import open_journal

    with open_journal(path) as journal:
        return experiment_of(journal, add_arguments)


def key_text(name: str) -> str:
    """Return a key, quoted if it has other characters than letters, digits, _ and -."""
    return name if PLAIN.fullmatch(name) else text_of(name)


def text_of(value: Any) -> str:
    """Return a value of an argument in TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(text_of, value))}]"
    if isinstance(value, tuple):  # of --shard K/N
        return text_of("/".join(map(str, value)))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else json.dumps(str(value), ensure_ascii=False)
