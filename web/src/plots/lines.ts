// Plots of one line per contender: cactus and distribution.
import type { Curve } from "../definitions/curves.ts";
import type { View } from "../view.ts";
import type { Hit, Finder } from "./canvas.ts";
import { drawChart } from "./canvas.ts";
import type { Chart, Line } from "./chart.ts";
import { chartSvg, type Entry } from "./chart_svg.ts";
import { chosen, choiceOfMany, contenderStyle, untimedNote } from "./chosen.ts";
import { figure, legend, show, type Table } from "./figure.ts";
import { h } from "../dom.ts";
import { LIGHT, pageColors, type Colors } from "./palette.ts";

const HEIGHT = 400, FILE_WIDTH = 760, NEAR = 40;

interface LinePlot {
  file: string;
  controls: HTMLElement[];
  chart(colors: Colors): Chart;
  /** What a point says. */
  describe(x: number, y: number): string;
  table(): Table;
}

/** Points of a line: more than a plot is wide. */
export const MOST_POINTS = 2500;

export function showLines(root: HTMLElement, view: View, curves: Curve[], plot: LinePlot): void {
  const known = new Map(curves.map((curve) => [curve.name, curve]));
  const describe = (name: string, k: number): string => plot.describe(known.get(name)!.x[k], known.get(name)!.y[k]);
  const colors = pageColors(), chart = plot.chart(colors);
  const host = h("div", { class: "plot", role: "img", "aria-label": chart.label });
  const entries = (c: Chart): Entry[] => c.lines.map((line) => ({ name: line.name, style: line.style }));
  const controls = [...plot.controls, choiceOfMany(view)].filter((part) => part !== null);
  const svg = () => {
    const light = plot.chart(LIGHT);
    return chartSvg(light, entries(light), FILE_WIDTH, HEIGHT, LIGHT);
  };
  const content = figure({
    controls, note: untimedNote(view), plot: host, legend: legend(entries(chart)), table: plot.table, file: plot.file, svg,
  });
  show(root, [content], () => drawChart(host, chart, HEIGHT, colors, finder(chart.lines, describe), () => {}));
}

/** Return the lines of curves, placed on the axes of a chart; the virtual best is a grey one. */
export function linesOf(view: View, curves: Curve[], axes: Pick<Chart, "x" | "y">, colors: Colors, step: boolean): Line[] {
  const drawn = chosen(view);
  return curves.map((curve, rank) => {
    const known = rank < drawn.length;
    const style = known ? contenderStyle(view, drawn[rank], rank, colors) : { color: colors.dim, dash: [1, 2], marker: "ring" as const };
    return { name: curve.name, style, x: curve.x.map(axes.x.place), y: curve.y.map(axes.y.place), step };
  });
}

/** Return what finds the line that is nearest above or below the pointer. */
export function finder(lines: Line[], describe: (line: string, k: number) => string): Finder {
  return (x, y, _, height) => {
    let best: Hit | null = null, least = NEAR;
    for (const line of lines) {
      const k = indexAt(line.x, x);
      if (k < 0) continue;
      const away = Math.abs(line.y[k] - y) * height;
      if (away >= least) continue;
      least = away;
      best = { x: line.x[k], y: line.y[k], text: [line.name, describe(line.name, k)] };
    }
    return best;
  };
}

/** Return the last position whose value is not above x; -1 if there is none. */
export function indexAt(sorted: Float64Array, x: number): number {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
