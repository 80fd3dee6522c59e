// A chart as SVG, with its axes and its legend: the file that is saved.
import { fitting, type Axis } from "./axis.ts";
import { paint, paintMarkers, type Box, type Chart, type Pen } from "./chart.ts";
import type { Colors, Style } from "./palette.ts";
import { px, s, short, type Node } from "./svg.ts";

export const FONT = "system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif";
const LEGEND_ROW = 18, LEGEND_COLUMN = 260;

/** Return a pen that appends to nodes. */
export function svgPen(nodes: Node[]): Pen {
  return {
    stroke: (d, stroke, width, dash = []) =>
      nodes.push(s("path", { d, stroke, fill: "none", "stroke-width": width, ...(dash.length ? { "stroke-dasharray": dash.join(" ") } : {}) })),
    fill: (d, fill) => nodes.push(s("path", { d, fill })),
    points: (x, y, size, stroke) => {
      const d = Array.from(x, (at, k) => `M${Math.round(at * 10) / 10},${Math.round(y[k] * 10) / 10}h0`).join("");
      nodes.push(s("path", { d, stroke, fill: "none", "stroke-width": px(size), "stroke-linecap": "round" }));
    },
    text: (x, y, text, anchor, fill, halo) => {
      const around: Record<string, string | number> = halo ? { stroke: halo, "stroke-width": 3, "paint-order": "stroke" } : {};
      nodes.push(s("text", { x: px(x), y: px(y), "text-anchor": anchor, fill, ...around }, text));
    },
  };
}

export interface Entry {
  name: string;
  style: Style;
}

/** Return a picture of a chart; `height` is without the legend. */
export function chartSvg(chart: Chart, legend: Entry[], width: number, height: number, colors: Colors): Node {
  const lines = chart.lines.length > 0;
  const columns = Math.max(1, Math.floor((width - 70) / LEGEND_COLUMN)), rows = Math.ceil(legend.length / columns);
  const box = { left: 70, top: 22, width: width - 90, height: height - 80 };
  const whole = height + rows * LEGEND_ROW;
  const nodes: Node[] = [s("title", {}, chart.label), s("rect", { width, height: whole, fill: colors.ground })];
  const pen = svgPen(nodes);
  paintAxes(chart.x, chart.y, pen, box, colors);
  paint(chart, pen, box, colors);
  legend.forEach((entry, k) => paintEntry(entry, lines, pen, 70 + (k % columns) * LEGEND_COLUMN, height + Math.floor(k / columns) * LEGEND_ROW, colors));
  const turned = s("text", { transform: `translate(14,${px(box.top + box.height / 2)}) rotate(-90)`, "text-anchor": "middle", fill: colors.text }, chart.y.label);
  return picture(width, whole, [...nodes, turned]);
}

/** Width of bars and intervals in a file. */
export const WIDEST = 760;
const NARROWEST = 320;

/** Return the width of a picture in a panel. */
export const pictureWidth = (root: HTMLElement): number => Math.max(NARROWEST, Math.min(WIDEST, root.clientWidth));

/** Return the part of the width that names take. */
export const namesWidth = (width: number): number => Math.round(Math.min(250, width * 0.36));

/** Return how many letters a name may have in such a part. */
export const letters = (width: number): number => Math.floor(width / 7);

/** Return nodes as a picture. */
export const picture = (width: number, height: number, nodes: Node[]): Node =>
  s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT, "font-size": 12 }, ...nodes);

/** Draw the axis below a box, and its grid. */
export function paintAcross(axis: Axis, pen: Pen, { left, top, width, height }: Box, colors: Colors): void {
  const bottom = top + height;
  pen.stroke(axis.ticks.map(([at]) => `M${px(left + at * width)},${top}V${bottom}`).join(""), colors.grid, 1);
  for (const [at, text] of fitting(axis.ticks, width)) pen.text(left + at * width, bottom + 16, text, "middle", colors.dim);
  pen.text(left + width / 2, bottom + 36, axis.label, "middle", colors.text);
}

function paintAxes(x: Axis, y: Axis, pen: Pen, box: Box, colors: Colors): void {
  const bottom = box.top + box.height, right = box.left + box.width;
  paintAcross(x, pen, box, colors);
  pen.stroke(y.ticks.map(([at]) => `M${box.left},${px(bottom - at * box.height)}H${right}`).join(""), colors.grid, 1);
  pen.stroke(`M${box.left},${box.top}V${bottom}H${right}`, colors.line, 1);
  for (const [at, text] of y.ticks) pen.text(box.left - 6, bottom - at * box.height + 4, text, "end", colors.dim);
}

/** Draw the sample of a line with its marker. */
export function paintSample(style: Style, pen: Pen, x: number, y: number, line: boolean): void {
  if (line) pen.stroke(`M${x},${y}h26`, style.color, 1.6, style.dash);
  paintMarkers(pen, style.marker, [[x + 13, y]], 3.6, style.color);
}

function paintEntry(entry: Entry, line: boolean, pen: Pen, x: number, y: number, colors: Colors): void {
  paintSample(entry.style, pen, x, y - 4, line);
  pen.text(x + 32, y, short(entry.name, 36), "start", colors.text);
}
