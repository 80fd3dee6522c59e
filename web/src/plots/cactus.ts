// Cactus plot: how many instances are solved, each within how long.
import { cactus, thinned, virtualBest, type Curve } from "../definitions/curves.ts";
import { count, plural, seconds } from "../format.ts";
import { cached, once } from "../memo.ts";
import type { Panel, View } from "../view.ts";
import { linearAxis, rangeOf, tickSeconds, timeAxis } from "./axis.ts";
import type { Chart, Rule } from "./chart.ts";
import { chosen, clockName, keyOf, limitOf, selectionOf } from "./chosen.ts";
import { choice, nameOf, scaleChoice, type Table } from "./figure.ts";
import { linesOf, MOST_POINTS, showLines } from "./lines.ts";
import type { Colors } from "./palette.ts";
import { short } from "./svg.ts";

const bests = once((_: Int32Array) => new Map<string, Curve>());

export const cactusPanel: Panel = {
  id: "cactus",
  title: "Cactus plot",
  reacts: ["log", "score", "drawn", "rank"],
  render(root, view) {
    const selection = selectionOf(view, chosen(view));
    const curves = cactus(selection, view.state.score);
    if (curves.length > 1 && !view.state.score) curves.push(cached(bests(view.selected), keyOf(selection), () => virtualBest(selection)));
    const drawn = curves.map((curve) => thinned(curve, MOST_POINTS));
    showLines(root, view, drawn, {
      file: "cactus",
      controls: [scaleChoice(view), choice(view, "score", "across", [[false, "instances"], [true, "score"]])],
      chart: (colors) => cactusChart(view, drawn, colors),
      describe: (x, y) => `${view.state.score ? `score ${count(x)}` : plural(x, "instance")}, within ${seconds(y)} each`,
      table: () => cactusTable(curves),
    });
  },
};

function cactusChart(view: View, curves: Curve[], colors: Colors): Chart {
  const limit = limitOf(view), { log, score } = view.state;
  const range = rangeOf(curves.map((c) => c.y), 0);
  const top = log || range.most > limit / 3 ? Math.max(limit, range.most) * (log ? 1.3 : 1.04) : range.most * 1.06 || limit;
  const ends = curves.map((c) => c.x[c.x.length - 1] ?? 0), starts = curves.map((c) => c.x[0] ?? 0);
  const least = score ? Math.min(0, ...starts) : 0;
  const x = linearAxis(score ? "score: 1 for each solved, -16 for each wrong answer" : "instances solved", { least, most: Math.max(1, ...ends) * 1.02 }, count);
  const y = timeAxis(clockName(view), { least: Math.min(range.least, top / 10), most: top }, log);
  const at = y.place(limit);
  const rules: Rule[] = at <= 1 ? [{ from: [0, at], to: [1, at], text: `limit ${tickSeconds(limit)}`, strong: true }] : [];
  const notes = at > 1 ? [{ x: 1, y: 1.012, text: `limit ${tickSeconds(limit)} lies above`, anchor: "end" as const }] : [];
  const solved = curves.slice(0, 12).map((c, k) => `${short(c.name)} ${count(ends[k])}`).join(", ");
  const label = `Cactus plot of ${clockName(view)}. ${score ? "Score" : "Instances solved"}: ${solved}.`;
  return { label, x, y, lines: linesOf(view, curves, { x, y }, colors, false), dots: [], rules, notes };
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** The time within which shares of the most that any contender solved are solved. */
function cactusTable(curves: Curve[]): Table {
  const most = Math.max(0, ...curves.map((c) => c.y.length));
  const counts = [...new Set(SHARES.map((share) => Math.max(1, Math.round(share * most))))].filter((n) => n <= most);
  return {
    heads: ["contender", "solved", ...counts.map((n) => `${count(n)} within`)],
    rows: curves.map((c) => [nameOf(c.name), count(c.y.length), ...counts.map((n) => seconds(c.y[n - 1]))]),
    more: "Each column: the time within which so many instances are solved, each for itself.",
  };
}
