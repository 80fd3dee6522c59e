// Cumulative distribution: the share of instances decided within a time.
import { ecdf, thinned, type Curve } from "../definitions/curves.ts";
import { percent, seconds } from "../format.ts";
import type { Panel, View } from "../view.ts";
import { linearAxis, rangeOf, tickSeconds, timeAxis } from "./axis.ts";
import type { Chart, Rule } from "./chart.ts";
import { chosen, clockName, limitOf, selectionOf } from "./chosen.ts";
import { nameOf, scaleChoice, type Table } from "./figure.ts";
import { endsOf, indexAt, linesOf, MOST_POINTS, showLines } from "./lines.ts";
import type { Colors } from "./palette.ts";
import { short } from "./svg.ts";

export const ecdfPanel: Panel = {
  id: "ecdf",
  title: "Share decided within a time",
  short: "Shares",
  reacts: ["log", "drawn", "rank", "focus"],
  render(root, view) {
    const curves = ecdf(selectionOf(view, chosen(view)));
    const drawn = curves.map((curve) => thinned(curve, MOST_POINTS));
    showLines(root, view, drawn, {
      file: "ecdf",
      note: "The same with the axes exchanged: the share of instances decided within a time; high is good.",
      controls: [scaleChoice(view)],
      chart: (colors) => ecdfChart(view, drawn, colors),
      describe: (x, y) => `${percent(y)} within ${seconds(x)}`,
      table: () => ecdfTable(curves, view),
    });
  },
};

function ecdfChart(view: View, curves: Curve[], colors: Colors): Chart {
  const limit = limitOf(view), { log } = view.state;
  const range = rangeOf(curves.map((c) => c.x), 0);
  const most = log || range.most > limit / 3 ? Math.max(limit, range.most) * (log ? 1.15 : 1.04) : range.most * 1.06 || limit;
  const x = timeAxis(clockName(view), { least: Math.min(range.least, most / 10), most }, log);
  const y = linearAxis("share of the instances asked", { least: 0, most: 1.02 }, percent);
  const at = x.place(limit);
  const rules: Rule[] = at <= 1 ? [{ from: [at, 0], to: [at, 1], text: `limit ${tickSeconds(limit)}`, strong: true }] : [];
  const solved = curves.map((c) => `${short(c.name)} ${percent(c.y[c.y.length - 1] ?? 0)}`).slice(0, 12).join(", ");
  const label = `Cumulative distribution of ${clockName(view)}. Share decided: ${solved}.`;
  const lines = linesOf(view, curves, { x, y }, colors, true), number = (name: string) => percent(curves.find((c) => c.name === name)?.y.at(-1) ?? 0);
  return { label, x, y, lines, dots: [], rules, notes: [], ends: endsOf(view, lines, number, colors) };
}

/** Shares within the powers of ten up to the limit. */
function ecdfTable(curves: Curve[], view: View): Table {
  const { least } = rangeOf(curves.map((c) => c.x), limitOf(view)), times: number[] = [];
  for (let decade = Math.ceil(Math.log10(least)); 10 ** decade < limitOf(view); decade++) times.push(Number(`1e${decade}`));
  times.push(limitOf(view));
  const share = (c: Curve, time: number): string => percent(c.y[indexAt(c.x, time)] ?? 0);
  return {
    heads: ["contender", ...times.map((time) => `within ${tickSeconds(time)}`)],
    rows: curves.map((c) => [nameOf(c.name), ...times.map((time) => share(c, time))]),
  };
}
