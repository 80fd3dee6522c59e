// Quality over time of searches for the best solution: curves that Python computed, of all instances whatever the filters.
import type { Curve } from "../definitions/curves.ts";
import { h } from "../dom.ts";
import { count, percent, seconds } from "../format.ts";
import { scrolling } from "../panels/controls.ts";
import type { Band, Points, Report, Searches } from "../report.ts";
import type { Panel, View } from "../view.ts";
import { linearAxis, logAxis, tickSeconds, timeAxis, type Axis } from "./axis.ts";
import type { Chart } from "./chart.ts";
import { chosen, colorOf, limitOf } from "./chosen.ts";
import { nameOf, scaleChoice, show, tableElement } from "./figure.ts";
import { endsOf, indexAt, linesOf, showLines } from "./lines.ts";
import type { Colors } from "./palette.ts";

type Kind = "gap" | "proved" | "quality" | "target";

type Kept = Record<"title" | "short" | "x" | "y", string> & { note(searches: Searches): string };

const ALL = "Of all instances, whatever the filters.";
const KINDS: Record<Kind, Kept> = {
  gap: { title: "Gap to the best known value", short: "Gap", x: "wall time", y: "mean primal gap", note: () => `Mean primal gap to the best known value, 100 % before the first solution; low and left is good. Band: 95 % interval over instances. ${ALL}` },
  proved: { title: "Share proved", short: "Proved", x: "wall time", y: "share of the instances", note: () => `Share of the instances proved within a time: an optimum, or that there is none. ${ALL}` },
  quality: { title: "Quality profile", short: "Quality", x: "gap at the limit", y: "share of the instances", note: () => `Share of the instances whose gap at the limit is at most x, beside names with a gap of 0; high is good. ${ALL}` },
  target: { title: "Time to target", short: "Target", x: "wall time", y: "share of the instances", note: ({ percent }) => `Share of the instances within ${percent} % of the best known value after a time; high and left is good. ${ALL}` },
};

const LEAST_GAP = 1e-6;

/** Return the curves of the contenders that plots draw. */
const curvesOf = (view: View, all: Points[]): Curve[] =>
  chosen(view).map((i) => ({ name: view.journal.contenders[i].name, x: Float64Array.from(all[i].x), y: Float64Array.from(all[i].y) }));

function chartOf(view: View, kind: Kind, curves: Curve[], colors: Colors): Chart {
  const { x, y, title } = KINDS[kind], positive = curves.flatMap((c) => [...c.x].filter((v) => v > 0)), least = Math.min(...positive, kind === "quality" ? 0.1 : limitOf(view) / 10);
  const across: Axis = kind === "quality" ? logAxis(x, { least: Math.max(LEAST_GAP, least / 2), most: 1 }, percent) : timeAxis(x, { least, most: Math.max(limitOf(view), ...positive) * 1.04 }, view.state.log);
  const axes = { x: across, y: linearAxis(y, { least: 0, most: 1.02 }, percent) }, end = across.place(kind === "quality" ? 1 : limitOf(view));
  const lines = linesOf(view, curves.map(extended), axes, colors, true).map((line) => ({ ...line, x: line.x.map((at) => (at === Infinity ? end : Math.min(at, 1.02))) }));
  const of = (c: Curve): number | undefined => (kind === "quality" ? c.y[indexAt(c.x, 0)] : c.y.at(-1)), last = (name: string): string => percent(curves.filter((c) => c.name === name).map(of)[0] ?? 0);
  const label = `${title}: ${curves.slice(0, 12).map((c) => `${c.name} ${last(c.name)}`).join(", ")}.`;
  const bands = kind !== "gap" ? [] : chosen(view).flatMap((i) => bandOf(view.journal.searches!.gap[i], axes, colorOf(view, i, colors)));
  const rules: Chart["rules"] = kind === "quality" ? [] : [{ from: [end, 0], to: [end, 1], text: `limit ${tickSeconds(limitOf(view))}`, strong: true }];
  return { label, ...axes, lines, bands, dots: [], rules, notes: [], ends: endsOf(view, lines, last, colors) };
}

/** Return a curve that goes on to the end of its axis. */
const extended = ({ name, x, y }: Curve): Curve => ({ name, x: Float64Array.of(...x, Infinity), y: Float64Array.of(...y, y.at(-1) ?? 0) });

function bandOf({ x, low, high }: Band, axes: Pick<Chart, "x" | "y">, color: string | null): NonNullable<Chart["bands"]> {
  const place = (axis: Axis, values: number[]): number[] => values.map((v) => axis.place(v));
  return color ? [{ color, x: place(axes.x, x), low: place(axes.y, low), high: place(axes.y, high) }] : [];
}

const panelOf = (kind: Kind): Panel => ({
  id: kind, title: KINDS[kind].title, short: KINDS[kind].short, whole: true,
  reacts: ["log", "drawn", "rank", "focus"],
  applies: (report: Report) => report.journals.some((j) => j.searches),
  render(root, view) {
    const searches = view.journal.searches;
    if (!searches) return show(root, [h("p", { class: "dim" }, "This journal has no objectives.")]);
    const curves = curvesOf(view, searches[kind]), text = kind === "quality" ? percent : seconds;
    const shown = [0, 0.25, 0.5, 0.75, 1].map((share) => (kind === "quality" ? [0, 0.0001, 0.01, 0.1, 1][share * 4] : limitOf(view) * 10 ** (-3 * (1 - share))));
    showLines(root, view, curves, {
      file: kind, note: KINDS[kind].note(searches), controls: kind === "quality" ? [] : [scaleChoice(view)], chart: (colors) => chartOf(view, kind, curves, colors),
      describe: (x, y) => `${percent(y)} at ${text(x)}`,
      table: () => ({ heads: ["contender", ...shown.map((x) => `at ${text(x)}`)], rows: curves.map((c) => [nameOf(c.name), ...shown.map((x) => percent(c.y[indexAt(c.x, x)] ?? Number(kind === "gap")))]) }),
    });
  },
});

const COUNTS = ["optimal", "infeasible", "feasible", "none", "best"], HEADS = ["contender", ...COUNTS.slice(0, 4), "best known value", "mean gap", "time to best"];

/** What contenders reached, as the summary has it. */
const reachedPanel: Panel = {
  id: "reached", title: "Values reached", short: "Values", whole: true,
  reacts: ["rank"],
  applies: (report: Report) => report.journals.some((j) => j.searches),
  render(root, { journal, contenders }) {
    const figure = (name: string, field: string, value: number | null, text: string): HTMLElement => h("span", { "data-contender": name, "data-field": `objective.${field}`, "data-value": value }, text);
    const rows = contenders.map((i) => [journal.contenders[i], journal.summary.contenders[i].objective]).filter(([, o]) => o).map(([c, o]) => [
      nameOf(c.label), ...COUNTS.map((key) => figure(c.name, key, o[key], count(o[key]))), figure(c.name, "gap", o.gap, o.gap === null ? "-" : percent(o.gap)), figure(c.name, "to_best", o.to_best, seconds(o.to_best)),
    ]);
    show(root, [h("p", { class: "dim" }, `Instances with an objective: proved optimal or infeasible, with a solution, without one; the best known value reached, and the median time until then. ${ALL}`), scrolling("Table of values", tableElement({ heads: HEADS, rows }))]);
  },
};

export const qualityPanels: Panel[] = [reachedPanel, panelOf("gap"), panelOf("proved"), panelOf("quality"), panelOf("target")];
