"""Session of a program that reads a file and prints its answer: one process per solution.

The program reads the instance's own file, unchanged, if that is in the program's format (`Ask.source`), else a written
one; in WCNF also for a proof. Each further solution takes a new process and a written file that forbids the earlier
solutions.
"""

import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter_ns as now
from typing import Protocol

from backends.contract.answer import Answer, Ask, Reason, Status, Unsupported
from backends.programs.endings import SATISFIABLE, UNDECIDED, UNSATISFIABLE, error_of, exited, in_order, other_code
from backends.programs.process import DeadlinePassed, ProgramFailed, ProgramResult, check_size, run
from backends.programs.protocols import WRITTEN_TO_PROVE
from backends.programs.telling import telling_line
from backends.shared.enumeration import Decoder, enumerate_solutions
from puzzles.problem.values import Domains

UNSUPPORTED = "UNSUPPORTED"
UNDECIDED_WORDS = ("UNKNOWN", "INDETERMINATE", "INDET")
STATUSES = {
    **dict.fromkeys(("SATISFIABLE", "SAT", "OPTIMUM FOUND"), SATISFIABLE),
    **dict.fromkeys(("UNSATISFIABLE", "UNSAT"), UNSATISFIABLE),
}
COLOURS = re.compile(rb"\x1b\[[0-9;]*m")  # of a terminal
PROOF, LRAT, LRAT_OPTION = "{proof}", "{lrat}", "--lrat"
HELP_SECONDS = 5.0
NO_RESULT = "no 's' line in the output"
NO_MODEL = (
    "the output has 's SATISFIABLE' but no literals in 'v' lines (a program that writes them to a file, as minisat"
    " does, needs {out} in its command)"
)


@cache
def has_option(program: str, option: str) -> bool:
    """Return True if a program's --help names an option."""
    try:
        return option.encode() in run([program, "--help"], seconds=HELP_SECONDS).output
    except (DeadlinePassed, ProgramFailed):
        return False


class Notation(Protocol):
    """One formula in the format of a program, and the program's answers.

    word     stands for the file in a command: {word}
    ending   of the file's name, which some programs require
    decoder  converts models, as `parse` returns them, for an instance with these domains
    text     the content of the file; each of `forbidden` was returned by `decoder.forbid`
    remark   on the last solution that was parsed, '' without one
    nothing  a note on an output that states no result
    answer_bytes  the size of the largest answer, for the original file or the last written one
    parse    status, None if none is stated, and model, for the original file or a written one. Raises ProgramFailed if
             the output contradicts the protocol
    """

    word: str
    ending: str
    remark: str
    nothing: str

    def decoder(self, domains: Domains) -> Decoder: ...

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes: ...

    def answer_bytes(self, domains: Domains, original: bool) -> int: ...

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]: ...


def model_bytes(count: int, beside: int) -> int:
    """Return the size of a model of variables from 1 to `count`, each with `beside` bytes more than its digits."""
    return count * (len(str(count)) + beside)


def longest_number(numbers: Sequence[int]) -> int:
    """Return the length of the longest of ascending numbers as text."""
    return max(len(str(n)) for n in (numbers[0], numbers[-1])) if numbers else 0


def stated_status(texts: Sequence[str]) -> int | None:
    """Return the status that 's' lines state, None without any. Raises ProgramFailed."""
    found = {STATUSES.get(text, UNDECIDED) for text in texts}
    if len(found) > 1:
        raise ProgramFailed("the output states two different results")
    return found.pop() if found else None


def printed(output: bytes) -> tuple[list[str], list[str]]:
    """Return the texts of 's' lines and of 'v' lines."""
    texts: dict[str, list[str]] = {"s": [], "v": []}
    for line in COLOURS.sub(b"", output).decode(errors="replace").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word in texts:
            texts[word].append(rest.strip())
    return texts["s"], texts["v"]


def check_supported(texts: Sequence[str], result: ProgramResult) -> None:
    """Raise Unsupported if a program that has ended by itself, with any code, states UNSUPPORTED.

    The word is that of the XCSP3 competition. What standard error says is the reason.
    """
    if UNSUPPORTED in texts and result.code >= 0:
        said = telling_line(result.stderr)
        raise Unsupported(f"states 's {UNSUPPORTED}'{': ' if said else ''}{said}")


def unusual_status(texts: Sequence[str]) -> str:
    """Return a note on an undecided result that is stated in another word than UNKNOWN."""
    return f"the result is {texts[-1][:40]!r}" if texts and texts[-1] not in UNDECIDED_WORDS else ""


def nothing_said(notation: Notation, result: ProgramResult) -> str:
    """Return a note on an output that states no result, with what standard error says."""
    said = telling_line(result.stderr)
    return f"{notation.nothing}{': ' if said else ''}{said}"


def of_proof(word: str) -> bool:
    """Return True for a word of a command that stands there only for a proof; a script of a shell is left."""
    return word == LRAT or (PROOF in word and len(word.split()) == 1)


def names_proof(command: Sequence[str]) -> bool:
    """Return True if a program writes a proof: a word of its command names the file."""
    return any(PROOF in word for word in command)


def state_of(path: Path) -> tuple[int, ...]:
    """Return the size, time of change and number of a file; () if there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ino


@contextmanager
def unchanged(file: Path, original: bool) -> Iterator[None]:
    """Raise ProgramFailed if the instance's own file changes while a program runs on it."""
    before = state_of(file) if original else ()
    try:
        yield
    finally:
        if original and state_of(file) != before:
            raise ProgramFailed(f"{file} was changed while the program ran on it: restore it; --sandbox prevents that")


class ProgramSession:
    """One formula, one process per solution. A `plain` program gets no original files."""

    def __init__(self, command: tuple[str, ...], notation: Notation, plain: bool = False) -> None:
        self.notation, self.plain = notation, plain
        self.own: tempfile.TemporaryDirectory[str] | None = None
        self.input = f"{{{notation.word}}}"
        self.takes_proof = names_proof(command)
        self.command = command if self.input in command else (*command, self.input)

    def prepare(self) -> None:
        """Format the clauses that the files of all instances share."""
        getattr(self.notation, "shared", None)

    def path(self, name: str) -> Path:
        """Return a new path in the session's folder, which the first call creates."""
        if self.own is None:
            self.own = tempfile.TemporaryDirectory(prefix="crosscheck-")
        return Path(self.own.name, name)

    @property
    def file(self) -> Path:
        """File of a written instance."""
        return self.path(f"written.{self.notation.ending}")

    @property
    def proof(self) -> Path:
        """File in which the program writes its proof."""
        return self.path("proof")

    @property
    def out(self) -> Path:
        """File in which the program writes its answer."""
        return self.path("out")

    def argv(self, proving: bool, file: Path, seconds: float) -> list[str]:
        """Return the command with its files, and the seconds left, rounded up: our own deadline must come first."""
        words = [word for word in self.command if proving or not of_proof(word)]
        words = [word.replace(PROOF, str(self.proof)) if PROOF in word else word for word in words]
        files = {self.input: str(file)} | ({"{out}": str(self.out)} if "{out}" in words else {})
        if LRAT in words:
            files[LRAT] = LRAT_OPTION
            words = [word for word in words if word != LRAT or has_option(words[0], LRAT_OPTION)]
        return [files.get(word, word.replace("{seconds}", str(math.ceil(seconds)))) for word in words]

    def file_of(self, ask: Ask) -> tuple[Path, bool]:
        """Return the file of an ask, and True for the instance's own file; writing another file is not timed."""
        written = self.plain or (ask.proof and self.takes_proof and self.notation.word in WRITTEN_TO_PROVE)
        if ask.source is not None and not written:
            return ask.source, True
        if ask.source is None:
            return self.write(ask.domains), False
        with ask.pauses.pause("prepare"):
            return self.write(ask.domains), False

    def write(self, domains: Domains, forbidden: Sequence[list[int]] = ()) -> Path:
        """Write the file of an instance without these solutions."""
        self.file.write_bytes(self.notation.text(domains, forbidden))
        return self.file

    def ask(self, ask: Ask) -> Answer:
        proving = ask.proof and self.takes_proof
        begin = now() - ask.pauses.total
        models = ProgramModels(self, proving, begin + int(ask.seconds * 1e9), ask)
        with ask.pauses.pause("interpret"):
            decoder = self.notation.decoder(ask.domains)
        found = enumerate_solutions(models, decoder, ask, now() - ask.pauses.total - begin)
        if models.gave_up:
            return Answer(Status.UNKNOWN, reason=Reason.STUCK, phases=found.phases).noted(
                models.note, models.holder_note
            )
        answer = found.answer({}, self.take_proof() if proving and found.complete else None)
        remarks = dict.fromkeys([*models.remarks, self.notation.remark if found.solutions else ""])
        return answer.noted(*remarks, models.holder_note)

    def take_proof(self) -> bytes | None:
        """Return the proof that the program has written, perhaps with an ending of its own, as RoundingSat adds."""
        ended = self.proof.with_name(f"{self.proof.name}.proof")
        return next((path.read_bytes() for path in (self.proof, ended) if path.exists()), None)

    def close(self) -> None:
        if self.own is not None:
            self.own.cleanup()
            self.own = None


class ProgramModels:
    """The models of one ask, one process each."""

    def __init__(self, session: ProgramSession, proving: bool, deadline: int, ask: Ask) -> None:
        self.session, self.proving, self.deadline, self.domains = session, proving, deadline, ask.domains
        self.pauses = ask.pauses
        self.forbidden: list[list[int]] = []
        self.gave_up, self.note, self.holder_note, self.remarks = False, "", "", list[str]()
        self.found: list[int] = []
        self.file, self.original = session.file_of(ask)

    def solve(self) -> bool | None:
        """Run the program. None if it ran out of time or gave up. Raises ProgramFailed."""
        seconds = (self.deadline + self.pauses.total - now()) / 1e9
        if seconds <= 0:
            return None
        argv = self.session.argv(self.proving, self.file, seconds)
        notation, original = self.session.notation, self.original
        largest = notation.answer_bytes(self.domains, original)
        try:
            with unchanged(self.file, original):
                result = run(argv, seconds=seconds, answer_bytes=largest)
        except DeadlinePassed:
            return None
        self.holder_note = self.holder_note or result.holder_note
        if not in_order(result.code):
            check_supported(printed(result.output)[0], result)
            raise result.failure(exited(argv[0], result.code))
        with self.pauses.pause("interpret"):
            output = result.output
            if "{out}" in self.session.command and (out := self.session.out).exists():
                check_size(out.stat().st_size, largest)
                output = out.read_bytes()
                out.unlink()
            status, self.found = notation.parse(output, self.domains, original)
        self.gave_up = not status
        remark = other_code(result.code, status)
        if self.gave_up:
            self.note = "; ".join(filter(None, [self.undecided(argv[0], result, status, output), remark]))
        else:
            self.remarks.append(remark)
        return {SATISFIABLE: True, UNSATISFIABLE: False}.get(status or UNDECIDED)

    def undecided(self, program: str, result: ProgramResult, status: int | None, output: bytes) -> str:
        """Return a note on a program that has given up. Raises Unsupported, ProgramFailed if it states an error."""
        texts = printed(output)[0]
        check_supported(texts, result)
        if error_of(result):
            raise result.failure(f"{program} gave up")
        if status is not None:
            return unusual_status(texts)
        return nothing_said(self.session.notation, result)

    def model(self) -> list[int]:
        return self.found

    def forbid(self, clause: list[int]) -> None:
        self.forbidden.append(clause)
        self.original, self.file = False, self.session.write(self.domains, self.forbidden)
