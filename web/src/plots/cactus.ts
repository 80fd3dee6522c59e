// Cactus plot: how many instances are decided, each within how long.
import { cactus, thinned, virtualBest, type Curve } from "../definitions/curves.ts";
import { count, plural, seconds } from "../format.ts";
import { cached, once } from "../memo.ts";
import type { Panel, View } from "../view.ts";
import { linearAxis, rangeOf, tickSeconds, timeAxis, type Range } from "./axis.ts";
import type { Chart, Rule } from "./chart.ts";
import { chosen, clockName, focused, keyOf, limitOf, selectionOf } from "./chosen.ts";
import { choice, nameOf, scaleChoice, type Table } from "./figure.ts";
import { endsOf, linesOf, MOST_POINTS, showLines } from "./lines.ts";
import type { Colors } from "./palette.ts";
import { short } from "./svg.ts";

const bests = once((_: Int32Array) => new Map<string, Curve>());

export const cactusPanel: Panel = {
  id: "cactus",
  title: "Time to decide n instances",
  short: "Time",
  reacts: ["log", "score", "drawn", "rank", "focus", "whole"],
  render(root, view) {
    const { score } = view.state, selection = selectionOf(view, chosen(view)), curves = cactus(selection, score);
    if (curves.length > 1 && !score) curves.push(cached(bests(view.selected), keyOf(selection), () => virtualBest(selection)));
    const drawn = curves.map((curve) => thinned(curve, MOST_POINTS)), from = firstOf(view, curves);
    const axes = choice(view, "whole", "from", [[false, from ? count(from) : "0"], [true, "0"]]);
    showLines(root, view, drawn, {
      file: "cactus",
      note: `Time of the n-th instance decided${from && !view.state.whole ? `, n from ${count(from)}` : ""}: right and low is good. Click a line or a name to colour it.`,
      controls: [...(from ? [axes] : []), scaleChoice(view), choice(view, "score", "across", [[false, "instances"], [true, "score"]])],
      chart: (colors) => cactusChart(view, drawn, view.state.whole ? 0 : from, colors),
      describe: (x, y) => `${score ? `score ${count(x)}` : plural(x, "instance")}, within ${seconds(y)} each`,
      table: () => cactusTable(view, curves),
    });
  },
};

/** Return the number of instances that the axis starts with; 0 for all. */
function firstOf(view: View, curves: Curve[]): number {
  if (view.state.score) return 0;
  const names = focused(view).map((i) => view.journal.contenders[i].name), lengths = (some: Curve[]): number[] => some.map((c) => c.y.length);
  return startOf(Math.max(0, ...lengths(curves)), Math.min(...lengths(curves.filter((c) => names.includes(c.name)))));
}

const LEAST_CROPPED = 40, CROPPED = 0.7, SHORTEST = 0.25;

/** Return where an axis of `most` instances starts, so that the hardest are seen, and so that a curve of `least` takes a quarter of it. */
export function startOf(most: number, least: number): number {
  if (most < LEAST_CROPPED) return 0;
  const start = Math.max(0, Math.min(most * CROPPED, (least - SHORTEST * most) / (1 - SHORTEST)));
  const step = 10 ** Math.max(1, Math.floor(Math.log10(most)) - 1);
  return Math.floor(start / step) * step;
}

export function cactusChart(view: View, curves: Curve[], from: number, colors: Colors, size: { most?: number; range?: Range; small?: boolean } = {}): Chart {
  const limit = limitOf(view), { log, score } = view.state;
  const range = size.range ?? rangeOf(curves.map((c) => c.y.subarray(Math.min(from, c.y.length))), 0);
  const top = log || range.most > limit / 3 ? Math.max(range.most > limit / 30 ? limit : 0, range.most) * (log ? 1.3 : 1.04) : range.most * 1.06 || limit;
  const ends = curves.map((c) => c.x[c.x.length - 1] ?? 0), starts = curves.map((c) => c.x[0] ?? 0);
  const least = score ? Math.min(0, ...starts) : from, most = Math.max(1, size.most ?? Math.max(...ends));
  const label = size.small ? "" : score ? "score: 1 for each decided, -16 for each wrong answer" : "instances decided";
  const x = linearAxis(label, { least, most: least + (most - least) * 1.02 }, count);
  const y = timeAxis(size.small ? "" : clockName(view), { least: Math.min(range.least, top / 10), most: top }, log);
  const at = y.place(limit);
  const rules: Rule[] = at <= 1 ? [{ from: [0, at], to: [1, at], text: size.small ? "" : `limit ${tickSeconds(limit)}`, strong: true }] : [];
  const number = (name: string): string => count(curves.find((c) => c.name === name)?.x.at(-1) ?? 0);
  const decided = curves.slice(0, 12).map((c) => `${short(c.name)} ${number(c.name)}`).join(", ");
  const said = `Cactus plot of ${clockName(view)}. ${score ? "Score" : "Instances decided"}: ${decided}.`;
  const lines = linesOf(view, curves.map((c) => cropped(c, from)), { x, y }, colors, false);
  return { label: said, x, y, lines, dots: [], rules, notes: [], compact: size.small, ends: size.small ? [] : endsOf(view, lines, number, colors) };
}

/** Return the points of a curve from a number of instances on. */
function cropped({ name, x, y }: Curve, from: number): Curve {
  const first = x.findIndex((value) => value >= from), start = first < 0 ? x.length : from ? first : 0;
  return { name, x: x.subarray(start), y: y.subarray(start) };
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** The time within which shares of the most that any contender decided are decided. */
function cactusTable(view: View, curves: Curve[]): Table {
  const labels = new Map(view.journal.contenders.map((c) => [c.name, c.label]));
  const most = Math.max(0, ...curves.map((c) => c.y.length));
  const counts = [...new Set(SHARES.map((share) => Math.max(1, Math.round(share * most))))].filter((n) => n <= most);
  return {
    heads: ["contender", "decided", ...counts.map((n) => `${count(n)} within`)],
    rows: curves.map((c) => [nameOf(labels.get(c.name) ?? c.name), count(c.y.length), ...counts.map((n) => seconds(c.y[n - 1]))]),
    more: "Each column: the time within which so many instances are decided, each for itself.",
  };
}
