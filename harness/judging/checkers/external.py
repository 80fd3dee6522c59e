"""External proof checkers, named by `--checker NAME=COMMAND`: programs that print `s VERIFIED`, and VeriPB of 2022.

In COMMAND, {formula} stands for the file of the formula and {proof} for the file of the proof; missing words are
appended, in this order. A program is believed only if it exits with 0 and its 's' lines all say VERIFIED; VeriPB says
that verification succeeded, and warns of a proof without a contradiction. Before a run each checker is tried: on a
small formula it must verify a proof in one of the formats that our checkers read, and must not verify a wrong proof,
nor a proof of another formula. The formats of the verified proofs are the formats that it takes.
"""

import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from backends.programs.process import DeadlinePassed, ProgramFailed, ProgramOutOfMemory, ProgramResult, run
from harness.judging.checkers.formats import PBP
from harness.judging.checkers.pseudo_boolean.check import SMALL as PSEUDO_BOOLEAN
from harness.model.errors import BadUsage
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from puzzles.processes.guarding import end_children

VERIFIED = {"s VERIFIED", "s VERIFIED UNSAT"}
NOT_VERIFIED = "s NOT VERIFIED"
TRIAL_SECONDS = 20.0  # limit for a proof of a few bytes: only a checker that hangs takes as long

# What VeriPB prints in place of an 's' line, and its warning.
SUCCEEDED, FAILED, NO_CONTRADICTION = "Verification succeeded.", "Verification failed.", b"did not claim contradiction"


# x1 or x2 with every choice of signs, then with one clause replaced; proofs of the first, and some that end too early.
class Trial(NamedTuple):
    """Formula that a proof refutes, formula with a solution, the right proof, and a wrong proof."""

    formula: bytes
    satisfiable: bytes
    proof: bytes
    wrong: bytes


def with_o(proof: bytes) -> bytes:
    """Return a pseudo-Boolean proof with `o` in place of `soli`."""
    return re.sub(rb"(?m)^[ \t]*soli(?=\s)", b"o", proof)


FORMULA = b"p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
SATISFIABLE = b"p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 2 0\n"
PROOFS = {  # proofs by format, named as in formats.py
    "DRAT": b"1 0\n0\n",
    "LRAT": b"5 1 0 1 2 0\n6 0 5 3 4 0\n",
    "binary DRAT": b"a\x02\0a\0",
    "binary LRAT": b"a\x0a\x02\0\x02\x04\0a\x0c\0\x0a\x06\x08\0",
}
WRONG = {
    "DRAT": b"3 0\n",
    "LRAT": b"5 1 0 1 2 0\n",
    "binary DRAT": b"a\x06\0",
    "binary LRAT": b"a\x0a\x02\0\x02\x04\0",
}


WITH_O = "PBP with o"  # the form of PBP that VeriPB of 2022 reads: `o` in place of `soli`
SUM = b"* #variable= 2 #constraint= 1\nmin: 1 x1 1 x2 ;\n1 x1 1 x2 >= 1 ;\n"
SMALLER_SUM = SUM.replace(b">= 1", b">= 0")
TRIALS = {
    **{name: Trial(FORMULA, SATISFIABLE, PROOFS[name], WRONG[name]) for name in PROOFS},
    PBP: Trial(SUM, SMALLER_SUM, PSEUDO_BOOLEAN, PSEUDO_BOOLEAN.rpartition(b"pol")[0]),
    WITH_O: Trial(SUM, SMALLER_SUM, with_o(PSEUDO_BOOLEAN), with_o(PSEUDO_BOOLEAN.rpartition(b"pol")[0])),
}


class Checker(NamedTuple):
    """Name and words of a command, and after its trial a fault that makes it unusable, or its formats."""

    name: str
    words: tuple[str, ...]
    fault: str = ""
    formats: frozenset[str] = frozenset()


def named_checkers(commands: Mapping[str, str]) -> list[Checker]:
    """Return the checkers of these commands, by name. Raises BadUsage."""
    found = []
    for name, text in commands.items():
        try:
            words = tuple(shlex.split(text))
        except ValueError as e:
            raise BadUsage(f"--checker {name}={text}: {str(e).lower()}") from None
        if not words or not shutil.which(words[0]):
            raise BadUsage(f"--checker {name}={text}: {words[0]!r} is not an executable program")
        found.append(Checker(name, words + tuple(w for w in ("{formula}", "{proof}") if w not in words)))
    return found


def verdict(result: ProgramResult) -> tuple[int, str]:
    """Return the verdict of a finished program on a proof, and the reason if it does not verify the proof."""
    lines = result.output.decode(errors="replace").replace("\r", "\n").split("\n")
    stated = sorted({line.strip() for line in lines if line.startswith("s ")})
    if not stated and SUCCEEDED in lines and NO_CONTRADICTION not in result.stderr and not result.code:
        return CERTIFIED, ""
    if not stated and FAILED in lines:
        return REFUSED, f"it printed '{FAILED}'"
    if stated == [NOT_VERIFIED]:
        return REFUSED, f"it printed '{NOT_VERIFIED}'"
    if not stated:
        return UNCHECKED, str(result.failure(f"error: it printed no 's' line and exited with code {result.code}"))
    shown = " and ".join(map(ascii, stated[:2]))[:100]
    if not set(stated) <= VERIFIED:
        return UNCHECKED, f"error: it printed {shown}"
    if result.code:
        return UNCHECKED, f"error: it printed {shown}, but exited with code {result.code}"
    return CERTIFIED, ""


def taken(checker: Checker, form: str) -> str:
    """Return the format in which a checker gets a proof that is in format `form`, '' if the checker takes none."""
    return next((name for name in (form, *([WITH_O] if form == PBP else [])) if name in checker.formats), "")


def check_in(checker: Checker, form: str, formula: Path, proof: Path, seconds: float) -> tuple[int, str]:
    """Run a checker on a proof, written anew if the checker takes another form of it."""
    if form != WITH_O:
        return external_check(checker, formula, proof, seconds)
    written = proof.with_name(f"{proof.name}.o")
    try:
        written.write_bytes(with_o(proof.read_bytes()))
        return external_check(checker, formula, written, seconds)
    finally:
        written.unlink(missing_ok=True)


def external_check(checker: Checker, formula: Path, proof: Path, seconds: float) -> tuple[int, str]:
    """Run a checker; return its outcome, and the reason if it verifies nothing. All its processes end with it."""
    files = {"{formula}": str(formula), "{proof}": str(proof)}
    try:
        return verdict(run([files.get(word, word) for word in checker.words], seconds=seconds))
    except DeadlinePassed:
        return UNCHECKED, f"time: more than {seconds:g} s"
    except ProgramOutOfMemory as e:
        return UNCHECKED, f"memory: {e}"
    except ProgramFailed as e:
        return UNCHECKED, f"error: {e}"
    finally:
        end_children()


def tried(checker: Checker, folder: Path) -> Checker:
    """Return a checker with the formats that it takes, or a fault. Writes files to an empty folder."""

    def trial(formula: bytes, proof: bytes) -> tuple[int, str]:
        (folder / "formula").write_bytes(formula)
        (folder / "proof").write_bytes(proof)
        return external_check(checker, folder / "formula", folder / "proof", TRIAL_SECONDS)

    formats, reasons = list[str](), dict[str, str]()
    for name, made in TRIALS.items():
        outcome, why = trial(made.formula, made.proof)
        if outcome == CERTIFIED:
            formats.append(name)
        else:
            reasons.setdefault(why, name)
    if not formats:
        shown = "; ".join(f"{name}: {why}" for why, name in reasons.items())
        return checker._replace(fault=f"it does not verify a small proof: {shown}")
    for name in formats:
        made = TRIALS[name]
        if CERTIFIED in (trial(made.formula, made.wrong)[0], trial(made.satisfiable, made.proof)[0]):
            return checker._replace(fault="it verifies a wrong proof")
    return checker._replace(formats=frozenset(formats))
