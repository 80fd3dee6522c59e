"""Fuzz all readers: an input gives instances or a one-line error; no traceback, no hang, bounded memory.

    python benchmarks/reader_fuzzing.py [--inputs 1000000] [--seed 1] [--seconds 600] [--formats cnf,opb] [--convert]

An input is a small valid file of a format (`fuzz_seeds.py`) after a few changes: bytes flipped, deleted, inserted or
doubled, words of the formats put in, cut at a random place, or continued by another file. Compressed files are changed
before and after compression. What is read is also checked once by its own constraints, as the judge does. XCSP3 is one
input of fifty, since a process of its own parses it. Of MiniZinc it is the compiler's answer that is damaged: FlatZinc,
model of the output, messages. Faults are printed and counted: inputs with another result, or
that take over a second of processor time, or ten seconds. With --convert what is read is also written in every format
of `encode`, if it is small: a file or a one-line refusal.
"""

import argparse
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from figures import Figure, add_option, report  # noqa: E402
from fuzz_seeds import COMPRESSORS, ENDINGS, MESSAGES, OZN, STATED, WORDS, seeds  # noqa: E402

from puzzles.errors import BadInput  # noqa: E402
from puzzles.formats import ReaderOptions, read  # noqa: E402
from puzzles.problem import Instance  # noqa: E402
from puzzles.readers import minizinc  # noqa: E402
from puzzles.readers.minizinc import compiling  # noqa: E402
from puzzles.readers.minizinc.compiling import Compiled  # noqa: E402

MEMORY = 4 << 30  # bytes of address space
HANG_S, SLOW_S = 10, 1.0
MAX_CHECKED = 2000  # variables of an instance whose constraints are tried
MAX_CONVERTED = 64  # variables of an instance that is converted, and its values
SHARES = {
    "minizinc": 12,
    "wbo": 12,
    "flatzinc": 12,
    "xcsp3": 2,
    "folder": 2,
    "compressed": 6,
    "cnf": 12,
    "wcnf": 12,
    "opb": 16,
    "lines": 16,
    "boards": 34,
}
GOOD = ("read", "refused")


class Hang(BaseException):
    """An input took too long; no `except Exception` catches this."""


def stop(*_: object) -> None:
    """Raise Hang, on SIGALRM."""
    raise Hang


def mutated(random: Random, raw: bytes, others: list[bytes]) -> bytes:
    """Return the input after a few random changes."""
    data = bytearray(raw)
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, 12))):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 2, 9, 81)))
        match random.randrange(9):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = random.choice(WORDS)
            case 2:
                data[at:end] = random.choice(WORDS)
            case 3:
                data[at:at] = data[at:end] * random.choice((1, 1, 1, 40))
            case 4 if at < len(data):
                data[at] ^= 1 << random.randrange(8)
            case 5 if at < len(data):
                data[at] = random.randrange(256)
            case 6:
                data[at:at] = b"%d" % random.choice((0, -1, 1, 7, 10, 255, 10**6, 10**12, 2**31, -(2**63), 10**30))
            case 7:
                del data[at:]
            case 8:
                other = random.choice(others)
                data[at:] = other[random.randrange(len(other) + 1) :]
    return bytes(data)


def write(random: Random, form: str, known: dict[str, list[bytes]], folder: Path) -> Path:
    """Write a random input of a format and return its path."""
    if form == "folder":
        claims = mutated(random, b"file,status\na.cnf,sat\nsub/b.opb,unsat\n", known["boards"])
        (folder / "corpus" / "expected.csv").write_bytes(claims)
        return folder / "corpus"
    kinds = sorted(known)
    others = known[random.choice(kinds)] if random.random() < 0.1 else known.get(form, [])
    if form == "compressed":
        inner = random.choice([kind for kind in kinds if kind != "xcsp3"])
        raw = mutated(random, random.choice(known[inner]), known[inner])
        packed = random.choice(COMPRESSORS)(raw)
        return written(folder / "input", packed if random.random() < 0.3 else mutated(random, packed, [packed]))
    if form == "minizinc":
        return written(folder / "input.mzn", random.choice(known[form]))
    ending = random.choice(ENDINGS) if form == "boards" or random.random() < 0.05 else f".{form}"
    return written(folder / f"input{ending}", mutated(random, random.choice(known[form]), others))


def written(path: Path, raw: bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(raw)
    return path


def classify(path: Path, as_: str | None, convert: bool = False) -> tuple[str, str]:
    """Return 'read', 'refused' or the kind of fault, and its detail."""
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, HANG_S)
    start = time.process_time()
    try:
        found = result(path, as_, convert)
    except Hang:
        return "a hang", ""
    except Exception as e:
        found = ("a traceback", f"{type(e).__name__}: {e}"[:200])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    took = time.process_time() - start
    return found if took < SLOW_S else (f"over a second, {found[0]}", f"{took:.1f} s")


def result(path: Path, as_: str | None, convert: bool) -> tuple[str, str]:
    """Return what the readers make of a file, as `classify`."""
    try:
        instances = 0
        for instance in read(path, ReaderOptions(as_)):
            instances += 1
            if wrong := fault(instance):
                return "a wrong instance", wrong
            if convert and (wrong := conversion_fault(instance)):
                return "a wrong conversion", wrong
    except BadInput as e:
        line = str(e)
        clear = line.startswith((f"{path}:", f"{path}/")) and len(line.splitlines()) == 1 and len(line) < 800
        return ("refused", "") if clear else ("an unclear error", line[:200])
    return ("read", "") if instances else ("neither instances nor an error", "")


def damaged_compiler(random: Random, known: dict[str, list[bytes]]) -> Callable[..., Compiled]:
    """Return a compiler of MiniZinc that gives damaged answers."""

    def answer(seeds: list[bytes]) -> bytes:
        return mutated(random, random.choice(seeds), seeds)

    def compiled(label: str, *_: object) -> Compiled:
        flat = answer(known["flatzinc"]) if random.random() < 0.8 else b""
        said = compiling.messages_of(answer(MESSAGES))
        return Compiled(flat.decode(errors="replace"), answer([OZN]).decode(errors="replace"), said, "", 0.1)

    return compiled


def fault(instance: Instance[Any]) -> str:
    """Return what is wrong with an instance that was read, '' if nothing is."""
    problem = instance.problem
    if len(instance.domains) != len(problem.variables):
        return f"{len(instance.domains)} domains of {len(problem.variables)} variables"
    if not 0 < len(instance.domains) <= MAX_CHECKED:
        return ""
    if not 0 <= min(instance.domains) <= max(instance.domains) <= problem.full:
        return "a domain of other values"
    lowest = np.array([[(mask & -mask).bit_length() - 1 for mask in instance.domains]])
    for constraint in problem.constraints:
        if lowest.min() >= 0 and constraint.kind != "unsupported" and len(constraint.satisfied(lowest, problem)) != 1:
            return f"{constraint.kind} is not checked"
    return ""


def conversion_fault(instance: Instance[Any]) -> str:
    """Return what is wrong with the files of an instance in all formats, '' if nothing is."""
    from encoders.formula import Unsupported
    from harness.reporting.formats.instance_files import FORMATS, instance_file

    if max(len(instance.domains), len(instance.problem.values)) > MAX_CONVERTED:
        return ""
    for to in FORMATS:
        try:
            made = instance_file(instance, to)
            size = sum(map(len, made.blocks)) + sum(map(len, made.map.text()))
        except Unsupported as e:
            if len(str(e).splitlines()) != 1:
                return f"{to}: an unclear refusal: {e}"
        except Exception as e:
            return f"{to}: {type(e).__name__}: {e}"[:200]
        else:
            if not size:
                return f"{to}: an empty file"
    return ""


def fuzz(
    inputs: int, seed: int, seconds: float, forms: list[str], show: Callable[[str], object], convert: bool = False
) -> Counter[str]:
    """Read random inputs; return how many of each format and result there were, as 'FORMAT: RESULT'."""
    random, known, start = Random(seed), seeds(ROOT), time.monotonic()
    done: Counter[str] = Counter()
    shown: set[str] = set()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        folder = Path(name)
        vars(minizinc)["compiled"] = damaged_compiler(random, known)
        (folder / "corpus" / "sub").mkdir(parents=True)
        written(folder / "corpus" / "a.cnf", known["cnf"][0])
        written(folder / "corpus" / "sub" / "b.opb", known["opb"][0])
        while done.total() < inputs and time.monotonic() - start < seconds:
            (form,) = random.choices(forms, [SHARES[form] for form in forms])
            path = write(random, form, known, folder)
            what, detail = classify(path, random.choice(STATED) if form == "boards" else None, convert)
            done[f"{form}: {what}"] += 1
            if what not in GOOD and what + detail[:40] not in shown:
                shown.add(what + detail[:40])
                raw = (path / "expected.csv" if form == "folder" else path).read_bytes()
                show(f"{form}: {what}: {detail} | {path.suffix} {raw[:1000]!r}")
            if form != "folder":
                path.unlink()
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--formats", default=",".join(SHARES))
    parser.add_argument("--convert", action="store_true")
    add_option(parser)
    args = parser.parse_args()
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    start, cpu = time.monotonic(), time.process_time()
    done = fuzz(
        args.inputs,
        args.seed,
        args.seconds,
        args.formats.split(","),
        lambda text: print(text, flush=True),
        args.convert,
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    took = f"{time.monotonic() - start:.0f} s, {time.process_time() - cpu:.0f} s of processor time"
    print(f"{done.total()} inputs in {took}, seed {args.seed}, peak memory {memory} MiB")
    kinds = [(what.partition(": "), n) for what, n in sorted(done.items())]
    report([Figure(form, "", what, n) for (form, _, what), n in kinds], args.json)


if __name__ == "__main__":
    main()
