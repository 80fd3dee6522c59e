// A chart as SVG, with its axes and its legend: the file that is saved.
import { paintChart, paintMarkers, type Chart, type Pen } from "./chart.ts";
import type { Colors, Style } from "./palette.ts";
import { element, px, s, short, type Node } from "./svg.ts";

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
  const columns = Math.max(1, Math.floor((width - 70) / LEGEND_COLUMN)), rows = Math.ceil(legend.length / columns);
  const whole = height + rows * LEGEND_ROW;
  const nodes: Node[] = [s("title", {}, chart.label), s("rect", { width, height: whole, fill: colors.ground })];
  const pen = svgPen(nodes);
  paintChart(chart, pen, width, height, colors);
  legend.forEach((entry, k) => paintEntry(entry, pen, 70 + (k % columns) * LEGEND_COLUMN, height + Math.floor(k / columns) * LEGEND_ROW, colors));
  return picture(width, whole, nodes);
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
export const picture = (width: number, height: number, nodes: Node[], more: Node["attributes"] = {}): Node =>
  s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT, "font-size": 12, ...more }, ...nodes);

/** Return a chart as a picture in the page, without a legend. */
export function chartPicture(chart: Chart, width: number, height: number, colors: Colors): SVGElement {
  const nodes: Node[] = [];
  paintChart(chart, svgPen(nodes), width, height, colors);
  return element(picture(width, height, nodes, { role: "img", "aria-label": chart.label }));
}

/** Draw the sample of a marker. */
export function paintSample(style: Style, pen: Pen, x: number, y: number): void {
  paintMarkers(pen, style.marker, [[x + 8, y]], 3.6, style.color);
}

function paintEntry(entry: Entry, pen: Pen, x: number, y: number, colors: Colors): void {
  paintSample(entry.style, pen, x, y - 4);
  pen.text(x + 22, y, short(entry.name, 36), "start", colors.text);
}
