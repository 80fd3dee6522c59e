"""Figures as pgf: LaTeX draws them, and sets their texts in the font of the paper. TeX is not asked for sizes."""

import io
import re
from typing import Any

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.backends.backend_pgf import RendererPgf

from harness.reporting.writing.booktabs import latex_text

POWER = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
ACROSS = {"left": "left", "right": "right", "center": ""}
UPRIGHT = {"top": "top", "bottom": "bottom", "baseline": "base", "center": "", "center_baseline": ""}


class Renderer(RendererPgf):  # type: ignore[misc]
    """Renderer of matplotlib with texts escaped for LaTeX, and measured in matplotlib's font."""

    def __init__(self, figure: Any, file: io.StringIO) -> None:
        super().__init__(figure, file)
        width, height = figure.get_size_inches() * figure.dpi
        self.measure = RendererAgg(width, height, figure.dpi)

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        """Return the size of a text in pixels."""
        return self.measure.get_text_width_height_descent(s, prop, False)

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, ismath: Any = False, mtext: Any = None
    ) -> None:
        """Write a text where matplotlib anchors it, so that another font keeps its place."""
        sides = ["left", "base"]
        if mtext is not None and (angle == 0 or mtext.get_rotation_mode() == "anchor"):
            x, y = mtext.get_transform().transform(mtext.get_unitless_position())
            sides = [ACROSS[mtext.get_horizontalalignment()], UPRIGHT[mtext.get_verticalalignment()]]
        place = [f"x={x / self.dpi:f}in", f"y={y / self.dpi:f}in", *filter(None, sides), f"rotate={angle:f}"]
        size, (red, green, blue, *_) = prop.get_size_in_points(), gc.get_rgb()
        colour = rf"\definecolor{{textcolor}}{{rgb}}{{{red:f},{green:f},{blue:f}}}\color{{textcolor}}"
        font = rf"\fontsize{{{size:g}}}{{{1.2 * size:g}}}\selectfont"
        self.fh.write(f"\\pgftext[{','.join(place)}]{{{font}{colour}{escaped(s)}}}%\n")


def escaped(text: str) -> str:
    """Return a text as LaTeX sets it, with powers in mathematics."""
    return POWER.sub(lambda found: f"$^{{{found[0].translate(DIGITS)}}}$", latex_text(text)).replace("·", r"$\cdot$")


def written(figure: Any) -> bytes:
    r"""Return a figure as a file for \input."""
    file, (width, height) = io.StringIO(), figure.get_size_inches()
    file.write(
        "% needs \\usepackage{pgf}\n\\begingroup\\makeatletter\\begin{pgfpicture}%\n"
        f"\\pgfpathrectangle{{\\pgfpointorigin}}{{\\pgfqpoint{{{width:f}in}}{{{height:f}in}}}}%\n"
        "\\pgfusepath{use as bounding box}%\n"
    )
    figure.draw(Renderer(figure, file))
    file.write("\\end{pgfpicture}\\makeatother\\endgroup%\n")
    return file.getvalue().encode()
