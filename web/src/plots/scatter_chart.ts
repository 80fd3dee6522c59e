// Scatter of two sides: what is drawn, from pairs of times.
import type { Side } from "../definitions/columns.ts";
import { scatter, type Scatter } from "../definitions/pairs.ts";
import { count, seconds } from "../format.ts";
import { DECIDED, STATES, type Clock } from "../report.ts";
import { floor, tickSeconds, timeAxis, type Axis, type Range } from "./axis.ts";
import type { Finder, Hit } from "./canvas.ts";
import type { Chart, Dots, Rule } from "./chart.ts";
import type { Entry } from "./chart_svg.ts";
import { STATE_MARKERS, type Colors } from "./palette.ts";
import { short } from "./svg.ts";

/** Part of an edge for times; the rest is the band of undecided instances, with a lane for each state. */
const ROOM = 0.87;
const LANES = ["timeout", "memory", "unknown", "proofless", "unsupported", "error", "wrong"].map((state) => STATES.indexOf(state as never));
const FACTORS = [1, 2, 10, 100];

export interface Pairing {
  before: Side;
  after: Side;
  /** Names of the axes. */
  names: [string, string];
  limit: number;
  clock: Clock;
  clockName: string;
  log: boolean;
  /** Name of the instance at a position of the sides. */
  instance(at: number): string;
}

/** Positions of points on the axes, for drawing and for finding what is under the pointer. */
export interface Placed {
  found: Scatter;
  x: Float64Array;
  y: Float64Array;
  axes: { x: Axis; y: Axis };
  range: Range;
}

export function placed(p: Pairing): Placed {
  const found = scatter(p.before, p.after, p.clock), range = rangeOfBoth(found, p.limit);
  const axis = (name: string): Axis => timeAxis(`${short(name)}, ${p.clockName}`, range, p.log, ROOM);
  const axes = { x: axis(p.names[0]), y: axis(p.names[1]) };
  const place = (axis: Axis, times: Float64Array, states: Uint8Array): Float64Array =>
    times.map((t, k) => (states[k] === DECIDED ? Math.min(axis.place(t), ROOM) : lane(states[k])));
  return { found, x: place(axes.x, found.x, found.xState), y: place(axes.y, found.y, found.yState), axes, range };
}

const lane = (state: number): number => ROOM + 0.02 + (LANES.indexOf(state) * (1 - ROOM - 0.03)) / (LANES.length - 1);

function rangeOfBoth(found: Scatter, limit: number): Range {
  let least = limit / 10, most = 0;
  for (const times of [found.x, found.y]) {
    for (const t of times) {
      if (t > 0 && t < least) least = t;
      if (t > most) most = t;
    }
  }
  return { least: floor(least), most: Math.max(limit, most) };
}

/** Group of a point: 1 if both decided, else the state of the side that did not. */
const groupOf = (found: Scatter, k: number): number => (found.xState[k] === DECIDED ? found.yState[k] : found.xState[k]);

export function scatterChart(p: Pairing, { found, x, y, axes, range }: Placed, colors: Colors): Chart {
  const limit: [number, number] = [axes.x.place(p.limit), axes.y.place(p.limit)];
  const neither = found.corner.reduce((sum, [, , n]) => sum + n, 0);
  const rules: Rule[] = [
    { from: [limit[0], 0], to: [limit[0], 1], text: `limit ${tickSeconds(p.limit)}`, strong: true },
    { from: [0, limit[1]], to: [1, limit[1]], text: "", strong: true },
    ...diagonals(p.log, axes, range),
  ];
  const notes = [{ x: (1 + ROOM) / 2, y: 0.925, text: count(neither), anchor: "middle" as const }];
  const dots = groups(found, x, y, colors);
  const told = dots.map((d) => `${d.name}: ${count(d.x.length)}`).join(", ");
  const label = `Scatter of ${p.clockName}, ${short(p.names[0])} across and ${short(p.names[1])} upwards. ${told}. Decided by neither: ${count(neither)}.`;
  return { label, ...axes, lines: [], dots, rules, notes: neither ? notes : [] };
}

function groups(found: Scatter, x: Float64Array, y: Float64Array, colors: Colors): Dots[] {
  const size = x.length > 20_000 ? 1.2 : x.length > 2000 ? 1.9 : 3, of = new Uint8Array(x.length), counts = new Uint32Array(STATES.length);
  for (let k = 0; k < of.length; k++) counts[(of[k] = groupOf(found, k))]++;
  const points = STATES.map((_, state) => ({ x: new Float64Array(counts[state]), y: new Float64Array(counts[state]) }));
  for (let k = of.length - 1; k >= 0; k--) {
    const { x: across, y: up } = points[of[k]], at = --counts[of[k]];
    across[at] = x[k];
    up[at] = y[k];
  }
  return [DECIDED, ...LANES].filter((state) => points[state].x.length).map((state) => {
    const name = state === DECIDED ? "both decided" : `one ${STATES[state]}`;
    const look = state === DECIDED ? { color: colors.accent, size } : { color: colors.states[state], size: Math.max(2, size) };
    return { name, marker: STATE_MARKERS[state], ...look, ...points[state] };
  });
}

/** Return the kinds of points with their numbers, and what the number in the corner is. */
export function scatterLegend(chart: Chart, colors: Colors): Entry[] {
  const kinds = chart.dots.map((dots) => ({ name: `${dots.name}: ${count(dots.x.length)}`, style: { color: dots.color, dash: [], marker: dots.marker } }));
  const corner = chart.notes.map(({ text }) => ({ name: `neither, in the corner: ${text}`, style: { color: colors.ground, dash: [], marker: "dot" as const } }));
  return [...kinds, ...corner];
}

/** Lines on which one time is a multiple of the other. */
function diagonals(log: boolean, axes: { x: Axis; y: Axis }, { least, most }: Range): Rule[] {
  const start = log ? least : 0;
  return FACTORS.flatMap((factor) =>
    (factor === 1 ? [[1, 1]] : [[1, factor], [factor, 1]]).flatMap(([fx, fy]): Rule[] => {
      const from = start / Math.min(fx, fy), to = most / Math.max(fx, fy);
      if (from >= to) return [];
      const end = (t: number): [number, number] => [axes.x.place(t * fx), axes.y.place(t * fy)];
      const label = end(log ? from * (to / from) ** 0.12 : to * 0.93);
      return [{ from: end(from), to: end(to), text: fy > fx ? `${factor}x` : "", label, strong: factor === 1 }];
    }),
  );
}

const CELLS = 64, NEAR = 14;

/** Return what finds the nearest point, by a grid that is made when it is first needed. */
export function pointFinder(p: Pairing, { found, x, y }: Placed, open: (name: string) => void): Finder {
  let grid: { starts: Int32Array; points: Int32Array } | null = null;
  return (px, py, width, height) => {
    grid ??= gridOf(x, y);
    const reach = [Math.ceil((NEAR / width) * CELLS), Math.ceil((NEAR / height) * CELLS)];
    const [column, row] = [cell(px), cell(py)];
    let best = -1, least = NEAR * NEAR;
    for (let r = Math.max(0, row - reach[1]); r <= Math.min(CELLS - 1, row + reach[1]); r++) {
      const from = r * CELLS + Math.max(0, column - reach[0]), to = r * CELLS + Math.min(CELLS - 1, column + reach[0]);
      for (let at = grid.starts[from]; at < grid.starts[to + 1]; at++) {
        const k = grid.points[at], away = ((x[k] - px) * width) ** 2 + ((y[k] - py) * height) ** 2;
        if (away < least) [best, least] = [k, away];
      }
    }
    return best < 0 ? null : hit(p, found, best, x[best], y[best], open);
  };
}

const cell = (at: number): number => Math.min(CELLS - 1, Math.max(0, Math.floor(at * CELLS)));

function gridOf(x: Float64Array, y: Float64Array): { starts: Int32Array; points: Int32Array } {
  const starts = new Int32Array(CELLS * CELLS + 1), points = new Int32Array(x.length);
  const cells = Int32Array.from(x, (at, k) => cell(y[k]) * CELLS + cell(at));
  for (const c of cells) starts[c + 1]++;
  for (let c = 0; c < CELLS * CELLS; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  cells.forEach((c, k) => (points[next[c]++] = k));
  return { starts, points };
}

/** Text of a side's result. */
export const resultText = (time: number, state: number): string => (state === DECIDED ? seconds(time) : STATES[state]);

function hit(p: Pairing, found: Scatter, k: number, x: number, y: number, open: (name: string) => void): Hit {
  const name = p.instance(found.at[k]);
  const sides = [resultText(found.x[k], found.xState[k]), resultText(found.y[k], found.yState[k])];
  return { x, y, text: [name, ...p.names.map((side, j) => `${short(side)}: ${sides[j]}`)], act: () => open(name) };
}
