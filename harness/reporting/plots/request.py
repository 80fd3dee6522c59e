"""Plots that the command line asks for. Imports nothing heavy, since the help text names them."""

import re
from dataclasses import dataclass
from pathlib import Path

from harness.model.errors import BadUsage

QUALITY = ("gap", "proved", "quality", "target")  # kinds of searches for the best solution, curves as of ecdf
KINDS = ("cactus", "score", "ecdf", "scatter", "par2", "matrix", "scaling", "compare", *QUALITY, "course")
SHARES = ("ecdf", *QUALITY)
FORMS = {"target": "target or target:PERCENT", "course": "course:INSTANCE"}
PAIRED = ("scatter", "compare")  # kinds that take A,B
COUNTED = ("cactus", "ecdf", "scatter")  # kinds that take a number in place of times
FORMATS = ("svg", "pdf", "png", "pgf")
LEGENDS = ("below", "direct", "none")
COLUMN_CM = {"1": 8.4, "2": 17.7}  # widths on a page with two columns of text
DEFAULT_WIDTH_CM = 12.0  # a page with one
WIDTHS_CM = (5.0, 100.0)
NAMES = re.compile(r",(?![^\[]*\])")  # a comma in brackets is part of a name
PERCENT = re.compile(r"\d{1,3}(\.\d{1,6})?")
LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*cm")


@dataclass(frozen=True)
class Plot:
    """Kind of a plot, and the contenders named for it, or the percent of `target`, or the instance of `course`."""

    kind: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Look:
    """Form of a plot. `log` None is the default of the kind; `width` is in cm, `font` sans, serif or a file."""

    clock: str = "wall"
    log: bool | None = None
    best: bool = False
    width: float = DEFAULT_WIDTH_CM
    legend: str = "below"
    font: str = "sans"


def parse_plot(text: str) -> Plot:
    """Parse KIND or KIND:A,B. Raises BadUsage."""
    kind, _, rest = text.partition(":")
    if kind in FORMS:
        if (kind == "course" and not rest) or (kind == "target" and rest and not PERCENT.fullmatch(rest)):
            raise BadUsage(f"--plot {text}: write {FORMS[kind]}")
        return Plot(kind, (rest,) if rest else ())
    names = tuple(name.strip() for name in NAMES.split(rest)) if rest else ()
    if kind not in KINDS:
        raise BadUsage(f"--plot {text}: known are {', '.join(KINDS)}")
    if names and (kind not in PAIRED or len(names) != 2 or not all(names)):
        form = f"{kind}:A,B" if kind in PAIRED else kind
        raise BadUsage(f"--plot {text}: write {form}")
    return Plot(kind, names)


def parse_width(text: str) -> float:
    """Parse columns of text, 1 or 2, or a length such as 12cm, to cm. Raises BadUsage."""
    length = LENGTH.fullmatch(text.strip())
    width = COLUMN_CM.get(text) or (float(length[1]) if length else 0.0)
    if not WIDTHS_CM[0] <= width <= WIDTHS_CM[1]:
        raise BadUsage(f"--width {text}: write 1 or 2 columns of text, or a length from 5cm to 100cm")
    return width


def pair_outputs(plots: list[str], outputs: list[str]) -> list[tuple[Plot, Path | None]]:
    """Return each plot with its file, None for the terminal; a plot may have several files. Raises BadUsage."""
    parsed, files = [parse_plot(text) for text in plots], [Path(text) for text in outputs]
    if len(set(files)) < len(files):
        raise BadUsage("-o names a file twice")
    for file in files:
        if file.suffix.lower().removeprefix(".") not in FORMATS:
            raise BadUsage(f"{file}: the name of a plot ends in {', '.join(f'.{f}' for f in FORMATS)}")
    if not files:
        return [(plot, None) for plot in parsed]
    if len(parsed) == 1:
        return [(parsed[0], file) for file in files]
    if len(parsed) != len(files):
        raise BadUsage(f"{len(parsed)} --plot and {len(files)} -o: write one -o for each --plot, in the same order")
    return list(zip(parsed, files, strict=True))
