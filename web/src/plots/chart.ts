// A chart as data, and how it is painted: by one function for the screen's canvas and for SVG files.
import { fitting, type Axis } from "./axis.ts";
import type { Colors, Marker, Style } from "./palette.ts";
import { px } from "./svg.ts";

/** Coordinates are 0..1 of the plot's box, y upwards. */
export interface Line {
  name: string;
  style: Pick<Style, "color" | "dash">;
  width?: number;
  x: Float64Array;
  y: Float64Array;
  /** Horizontal, then up, instead of straight to the next point. */
  step: boolean;
}

export interface Dots {
  name: string;
  color: string;
  marker: Marker;
  size: number;
  x: Float64Array;
  y: Float64Array;
}

export interface Rule {
  from: [number, number];
  to: [number, number];
  text: string;
  /** Place of the text, if not at the end. */
  label?: [number, number];
  strong: boolean;
}

interface Note {
  x: number;
  y: number;
  text: string;
  anchor: "start" | "middle" | "end";
}

export interface Chart {
  /** What a screen reader says of it. */
  label: string;
  x: Axis;
  y: Axis;
  lines: Line[];
  /** Intervals of lines, in pale colours behind them. */
  bands?: { color: string; x: number[]; low: number[]; high: number[] }[];
  dots: Dots[];
  rules: Rule[];
  notes: Note[];
  /** With little room around it. */
  compact?: boolean;
  /** Names beside the ends of lines. */
  ends?: { y: number; text: string; color: string }[];
}

/** Box in pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Draws on a canvas or writes SVG. Coordinates are pixels. */
export interface Pen {
  stroke(path: string, color: string, width: number, dash?: number[]): void;
  fill(path: string, color: string): void;
  /** Many small squares with the middles x, y. */
  points(x: Float32Array, y: Float32Array, size: number, color: string): void;
  /** `halo` surrounds the letters, for text on top of dots. */
  text(x: number, y: number, text: string, anchor: Note["anchor"], color: string, halo?: string): void;
}

const LEFT = 62, TOP = 24, BOTTOM = 42, BESIDE = 16, LETTER = 6.7, APART = 15;

/** Paint a chart with its axes, and the names at the ends of its lines; return the box of its data. */
export function paintChart(chart: Chart, pen: Pen, width: number, height: number, colors: Colors): Box {
  const longest = Math.max(0, ...(chart.ends ?? []).map((end) => end.text.length));
  const right = longest ? Math.min(longest * LETTER + BESIDE, width * 0.4) : BESIDE;
  const [left, top, below] = chart.compact ? [50, 8, 22] : [LEFT, TOP, BOTTOM];
  const box = { left, top, width: width - left - right, height: height - top - below };
  paintAcross(chart.x, pen, box, colors);
  const bottom = box.top + box.height;
  pen.stroke(chart.y.ticks.map(([at]) => `M${box.left},${px(bottom - at * box.height)}h${px(box.width)}`).join(""), colors.grid, 1);
  pen.stroke(`M${box.left},${box.top}V${bottom}h${px(box.width)}`, colors.line, 1);
  for (const [at, text] of chart.y.ticks) pen.text(box.left - 6, bottom - at * box.height + 4, text, "end", colors.dim);
  pen.text(4, 12, chart.y.label, "start", colors.text);
  paint(chart, pen, box, colors);
  let above = -Infinity;
  for (const end of [...(chart.ends ?? [])].sort((a, b) => b.y - a.y)) {
    above = Math.max(above + APART, box.top + (1 - end.y) * box.height + 4);
    pen.text(box.left + box.width + 6, above, end.text, "start", end.color);
  }
  return box;
}

/** Draw the axis below a box, and its grid. */
export function paintAcross(axis: Axis, pen: Pen, { left, top, width, height }: Box, colors: Colors): void {
  const bottom = top + height;
  pen.stroke(axis.ticks.map(([at]) => `M${px(left + at * width)},${top}V${bottom}`).join(""), colors.grid, 1);
  for (const [at, text] of fitting(axis.ticks, width)) pen.text(left + at * width, bottom + 16, text, "middle", colors.dim);
  pen.text(left + width / 2, bottom + 36, axis.label, "middle", colors.text);
}

export function paint(chart: Chart, pen: Pen, box: Box, colors: Colors): void {
  const at = (x: number, y: number): [number, number] => [box.left + x * box.width, box.top + (1 - y) * box.height];
  for (const { color, x, low, high } of chart.bands ?? []) {
    const edge = (y: number[]): string[] => x.map((at1, k) => [at1, y[k]]).map(([u, v]) => at(u, v).map(px).join());
    pen.fill(`M${[...edge(high), ...edge(low).reverse()].join("L")}Z`, `${color}22`);
  }
  for (const rule of chart.rules) {
    const [[x1, y1], [x2, y2]] = [at(...rule.from), at(...rule.to)];
    pen.stroke(`M${px(x1)},${px(y1)}L${px(x2)},${px(y2)}`, rule.strong ? colors.dim : colors.line, 1, rule.strong ? [4, 3] : []);
  }
  for (const line of chart.lines) {
    pen.stroke(pathOf(line, at), line.style.color, line.width ?? 1.6, line.style.dash);
  }
  for (const dots of chart.dots) paintDots(dots, pen, box);
  for (const rule of chart.rules) {
    const [x, y] = at(...(rule.label ?? rule.to)), right = (rule.label ?? rule.to)[0] > 0.97;
    if (rule.text) pen.text(right ? x - 4 : x, y - 4, rule.text, right ? "end" : "middle", colors.dim, colors.ground);
  }
  for (const note of chart.notes) pen.text(...at(note.x, note.y), note.text, note.anchor, colors.dim);
}

/** Return the path of a line; points that would fall on the one before are left out. */
function pathOf(line: Line, at: (x: number, y: number) => [number, number]): string {
  const parts: string[] = [];
  let oldX = NaN, oldY = NaN;
  for (let k = 0; k < line.x.length; k++) {
    const [x, y] = at(line.x[k], line.y[k]);
    if (k && k < line.x.length - 1 && Math.abs(x - oldX) < 0.5 && Math.abs(y - oldY) < 0.5) continue;
    parts.push(!k ? `M${px(x)},${px(y)}` : line.step ? `H${px(x)}V${px(y)}` : `L${px(x)},${px(y)}`);
    [oldX, oldY] = [x, y];
  }
  return parts.join("");
}

const FEW = 3000;

/** Draw dots; those that fall on the same half pixel are drawn once. */
function paintDots(dots: Dots, pen: Pen, box: Box): void {
  const n = dots.x.length, columns = Math.ceil(box.width * 2) + 2;
  const taken = new Uint8Array(columns * (Math.ceil(box.height * 2) + 2));
  const x = new Float32Array(n), y = new Float32Array(n);
  let drawn = 0;
  for (let k = 0; k < n; k++) {
    const dx = dots.x[k] * box.width, dy = (1 - dots.y[k]) * box.height;
    const cell = Math.round(dy * 2) * columns + Math.round(dx * 2);
    if (taken[cell]) continue;
    taken[cell] = 1;
    x[drawn] = box.left + dx;
    y[drawn++] = box.top + dy;
  }
  if (drawn > FEW) pen.points(x.subarray(0, drawn), y.subarray(0, drawn), 1.4 * dots.size, dots.color);
  else paintMarkers(pen, dots.marker, Array.from(x.subarray(0, drawn), (at, k) => [at, y[k]]), dots.size, dots.color);
}

/** Draw markers with radius r. */
export function paintMarkers(pen: Pen, marker: Marker, places: [number, number][], r: number, color: string): void {
  const path = places.map(([x, y]) => markerPath(marker, x, y, r)).join("");
  if (!path) return;
  if (marker === "cross" || marker === "plus" || marker === "ring") pen.stroke(path, color, 1.5);
  else pen.fill(path, color);
}

function markerPath(marker: Marker, x: number, y: number, r: number): string {
  const d = px(2 * r), p = (dx: number, dy: number): string => `${px(x + dx * r)},${px(y + dy * r)}`;
  switch (marker) {
    case "square":
      return `M${p(-0.85, -0.85)}L${p(0.85, -0.85)} ${p(0.85, 0.85)} ${p(-0.85, 0.85)}Z`;
    case "triangle":
      return `M${p(0, -1.15)}L${p(1.05, 0.8)} ${p(-1.05, 0.8)}Z`;
    case "diamond":
      return `M${p(0, -1.25)}L${p(1.25, 0)} ${p(0, 1.25)} ${p(-1.25, 0)}Z`;
    case "cross":
      return `M${p(-1, -1)}L${p(1, 1)}M${p(-1, 1)}L${p(1, -1)}`;
    case "plus":
      return `M${p(-1.2, 0)}L${p(1.2, 0)}M${p(0, -1.2)}L${p(0, 1.2)}`;
    default:
      return `M${p(-1, 0)}a${px(r)},${px(r)} 0 1 0 ${d},0a${px(r)},${px(r)} 0 1 0 -${d},0Z`;
  }
}
