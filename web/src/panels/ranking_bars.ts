// Bars in the rows of the ranking: what was decided, the score with its interval, the range of ranks.
import type { Ranked } from "../definitions/ranking.ts";
import type { Score } from "../definitions/scores.ts";
import type { Ends, Standing } from "../definitions/standing.ts";
import { total } from "../format.ts";
import { fitting, floor, linearAxis, timeAxis, type Axis } from "../plots/axis.ts";
import { element, px, s, type Node } from "../plots/svg.ts";

const HEIGHT = 14, DECIDED = 90, SCORE = 210, RANKS = 70, MIDDLE = HEIGHT / 2, HALF_LETTER = 2.8;

const drawn = (width: number, ...nodes: Node[]): SVGElement =>
  element(s("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" }, ...nodes));

const rect = (name: string, x: number, width: number): Node => s("rect", { class: name, x: px(x), y: 2, width: px(Math.max(0, width)), height: HEIGHT - 4 });

/** Return the shares of instances decided as satisfiable, as unsatisfiable, and not. */
export function decidedBar(entry: any, n: number): SVGElement {
  const at = (value: number): number => (n ? (value / n) * DECIDED : 0), decided = entry.satisfiable + entry.unsatisfiable;
  return drawn(DECIDED, rect("sat", 0, at(entry.satisfiable)), rect("unsat", at(entry.satisfiable), at(entry.unsatisfiable)), rect("not", at(decided), at(n - decided)));
}

/** Return the axis of the scores: logarithmic if they are times; the allowance for what was not seen may reach beyond it. */
export function scoreAxis(score: Score, rows: Ranked[], found?: Standing): Axis {
  const right = rows.filter((r) => r.value !== null && !r.wrong), values = right.map((r) => r.value!);
  const ends = right.flatMap((r) => { const e = found?.ends.get(r.index); return e ? [e.seenLow, e.seenHigh] : []; });
  const all = [...values, ...ends].filter((v) => v > 0), most = Math.max(...all, 0) || 1, least = Math.min(...all, most);
  if (score.smaller) return timeAxis("", { least: floor(Math.max(least, Math.min(...values.filter((v) => v > 0), most) / 10)), most: most * 1.05 }, true);
  const low = Math.min(...values, ...ends, most);
  return linearAxis("", { least: low - (most - low) * 0.05, most: most + (most - low) * 0.05 || 1 }, total);
}

/** Return the ticks of the axis of scores as a heading. */
export function scoreTicks(axis: Axis): SVGElement {
  const few = fitting(axis.ticks, SCORE).filter(([at, text]) => text && Math.min(at, 1 - at) * SCORE >= text.length * HALF_LETTER);
  return drawn(SCORE, ...few.map(([at, text]) => s("text", { x: px(at * SCORE), y: 11, "text-anchor": "middle", class: "tick" }, text)));
}

export function intervalBar(axis: Axis, value: number | null, ends: Ends | undefined, color: string | null): SVGElement {
  const at = (v: number): number => Math.max(0, Math.min(1, axis.place(v))) * SCORE;
  const grid = axis.ticks.filter(([, text]) => text).map(([x]) => s("path", { class: "rule", d: `M${px(x * SCORE)},0v${HEIGHT}` }));
  const paint = (name: string): Record<string, string> => (color ? { stroke: color, fill: color, "stroke-width": "2" } : { class: name });
  const between = (low: number, high: number): string => `M${px(at(low))},${MIDDLE}H${px(at(high))}`;
  const line = ends ? [s("path", { ...paint("tail"), d: between(ends.low, ends.high), "stroke-width": "1" }), s("path", { ...paint("whisker"), d: between(ends.seenLow, ends.seenHigh) })] : [];
  const dot = value === null ? [] : [s("circle", { ...paint("dot"), cx: px(Math.max(4, Math.min(SCORE - 4, at(value)))), cy: MIDDLE, r: 4 })];
  return drawn(SCORE, ...grid, ...line, ...dot);
}

/** Return the ranks that a contender may have, of so many. */
export function rankBar({ rankLow, rankHigh }: Ends, of: number, color: string | null): SVGElement {
  const step = RANKS / Math.max(1, of);
  return drawn(RANKS, s("path", { class: "rule", d: `M0,${MIDDLE}h${RANKS}` }), s("rect", { ...(color ? { fill: color } : { class: "range" }), x: px((rankLow! - 1) * step), y: 4, width: px(Math.max(2, (rankHigh! - rankLow! + 1) * step)), height: HEIGHT - 8 }));
}
