// Plots of one line per contender: grey, but for those in focus, which have colours and names at their ends.
import { BEST, type Curve } from "../definitions/curves.ts";
import type { View } from "../view.ts";
import { drawChart, type Finder, type Hit } from "./canvas.ts";
import type { Chart, Line } from "./chart.ts";
import { chartSvg } from "./chart_svg.ts";
import { chosen, choiceOfMany, colorOf, focused, toggleFocus, untimedNote } from "./chosen.ts";
import { figure, nameOf, show, type Table } from "./figure.ts";
import { h } from "../dom.ts";
import { FOCUS_DASHES, LIGHT, pageColors, type Colors } from "./palette.ts";
import { short } from "./svg.ts";

const HEIGHT = 360, FILE_WIDTH = 760, NEAR = 40, MOST_END = 22;

interface LinePlot {
  file: string;
  controls: HTMLElement[];
  note: string;
  chart(colors: Colors): Chart;
  /** What a point says. */
  describe(x: number, y: number): string;
  table(): Table;
}

/** Points of a line: more than a plot is wide. */
export const MOST_POINTS = 2500;

export function showLines(root: HTMLElement, view: View, curves: Curve[], plot: LinePlot): void {
  const drawn = chosen(view), colors = pageColors(), chart = plot.chart(colors);
  const host = h("div", { class: "plot", role: "img", "aria-label": chart.label });
  const controls = [...plot.controls, choiceOfMany(view)].filter((part) => part !== null);
  const svg = () => chartSvg(plot.chart(LIGHT), [], FILE_WIDTH, HEIGHT, LIGHT);
  const find = finder(chart.lines, (line, k) => {
    const at = curves.findIndex((curve) => curve.name === line), index = drawn[at];
    const text = [index === undefined ? line : view.journal.contenders[index].label, plot.describe(curves[at].x[k], curves[at].y[k])];
    return { text, act: index === undefined ? undefined : () => toggleFocus(view, index) };
  });
  const note = `${plot.note} ${untimedNote(view)}`;
  const content = figure({ controls, note, plot: host, legend: focusList(view, drawn), table: plot.table, file: plot.file, svg });
  show(root, [content], () => drawChart(host, chart, HEIGHT, colors, find));
}

/** Return a button for each contender, which colours its line or makes it grey. */
function focusList(view: View, drawn: number[]): HTMLElement {
  const button = (index: number): HTMLElement => {
    const { name, label } = view.journal.contenders[index], color = colorOf(view, index, pageColors());
    const made = h("button", { type: "button", "aria-pressed": String(Boolean(color)), "data-focus": `line ${name}`, title: name, onclick: () => toggleFocus(view, index) }, nameOf(label));
    if (color) made.style.color = color;
    return h("li", {}, made);
  };
  return h("ul", { class: "legend", "aria-label": "Contenders to colour" }, drawn.map(button));
}

/** Return the lines of curves, placed on the axes of a chart, those in focus above the others; the virtual best is dotted. */
export function linesOf(view: View, curves: Curve[], axes: Pick<Chart, "x" | "y">, colors: Colors, step: boolean): Line[] {
  const drawn = chosen(view);
  const lines = curves.map((curve, k): [number, Line] => {
    const color = drawn[k] === undefined ? null : colorOf(view, drawn[k], colors);
    const style = { color: color ?? (drawn[k] === undefined ? colors.dim : colors.grey), dash: drawn[k] === undefined ? [1, 2] : color ? FOCUS_DASHES[focused(view).indexOf(drawn[k]) % 4] : [] };
    return [color ? 1 + focused(view).length - focused(view).indexOf(drawn[k]) : 0, { name: curve.name, style, width: color ? 2.2 : 1, x: curve.x.map(axes.x.place), y: curve.y.map(axes.y.place), step }];
  });
  return lines.sort(([a], [b]) => a - b).map(([, line]) => line);
}

/** Return the names of the contenders in focus beside the ends of their lines, with a number each. */
export function endsOf(view: View, lines: Line[], number: (name: string) => string, colors: Colors): Chart["ends"] {
  const some = focused(view).map((index) => [view.journal.contenders[index], colorOf(view, index, colors)!] as const).map(([{ name, label }, color]) => ({ name, label, color }));
  return [...some, { name: BEST, label: BEST, color: colors.dim }].flatMap(({ name, label, color }) => {
    const line = lines.find((one) => one.name === name), y = line?.y[line.y.length - 1];
    return y === undefined ? [] : [{ y: Math.max(0, Math.min(1, y)), text: `${short(label, MOST_END)} ${number(name)}`, color }];
  });
}

/** Return what finds the line that is nearest above or below the pointer. */
export function finder(lines: Line[], describe: (line: string, k: number) => Pick<Hit, "text" | "act">): Finder {
  return (x, y, _, height) => {
    let best: { line: Line; k: number } | null = null, least = NEAR;
    for (const line of lines) {
      const k = indexAt(line.x, x);
      if (k < 0 || line.x[k] < 0) continue;
      const away = Math.abs(line.y[k] - y) * height;
      if (away < least) [least, best] = [away, { line, k }];
    }
    return best && { x: best.line.x[best.k], y: best.line.y[best.k], ...describe(best.line.name, best.k) };
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
