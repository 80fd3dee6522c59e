// Ratios of two contenders by instance, sorted: how often and how far one is faster.
import type { Side } from "../definitions/columns.ts";
import { differences, type Differences } from "../definitions/pairs.ts";
import { secondsAt } from "../definitions/columns.ts";
import { h } from "../dom.ts";
import { count, number, plural, seconds } from "../format.ts";
import { STATES, type Value } from "../report.ts";
import type { Panel, View } from "../view.ts";
import { linearAxis, logAxis } from "./axis.ts";
import { drawChart, type Finder } from "./canvas.ts";
import type { Chart, Rule } from "./chart.ts";
import { chartSvg } from "./chart_svg.ts";
import { exact, figure, instanceLink, nameOf, show, tableElement, type Table } from "./figure.ts";
import { LIGHT, pageColors, type Colors } from "./palette.ts";
import { pairControls, pairingOf } from "./scatter.ts";
import type { Pairing } from "./scatter_chart.ts";
import { short } from "./svg.ts";

const HEIGHT = 320, FILE_WIDTH = 760, MOST_ROWS = 15, MOST_NAMED = 200;

export const differencesPanel: Panel = {
  id: "differences",
  title: "Differences by instance",
  short: "Differences",
  reacts: ["x", "y", "rank"],
  applies: (report) => report.journals.some((journal) => journal.contenders.length > 1),
  render(root, view) {
    const pairing = pairingOf(view);
    if (!pairing) return show(root, [h("p", { class: "dim" }, "Differences need two contenders with times.")]);
    show(root, ...differencesFigure(view, pairing, "differences", pairControls(view, pairing)));
  },
};

/** Return what show() takes of the ratios of two sides. */
export function differencesFigure(view: View, p: Pairing, file: string, controls: HTMLElement[]): [HTMLElement[], () => () => void] {
  const colors = pageColors(), found = differences(p.before, p.after, p.clock), chart = ratioChart(p, found, colors);
  const host = h("div", { class: "plot", role: "img", "aria-label": chart.label });
  const svg = () => chartSvg(ratioChart(p, found, LIGHT), [], FILE_WIDTH, HEIGHT, LIGHT);
  const whole = () => ratioTable(view, p, found, Array.from(found.at.keys()).slice(0, MOST_NAMED));
  const content = [
    figure({ controls, note: noteOf(p, found), plot: found.at.length ? host : h("p", {}, "No instance has a time of both."), table: whole, file, svg }),
    extremes(view, p, found),
    ...changed(view, p, found),
    ...better(view, p),
  ];
  const open = (name: string): void => view.update({ open: name });
  return [content, () => (found.at.length ? drawChart(host, chart, HEIGHT, colors, rowFinder(p, found, chart, open)) : () => {})];
}

function noteOf(p: Pairing, found: Differences): string {
  const n = found.ratio.length, slower = found.ratio.reduce((sum, r) => sum + (r > 1 ? 1 : 0), 0);
  const faster = found.ratio.reduce((sum, r) => sum + (r < 1 ? 1 : 0), 0);
  const [a, b] = p.names.map((name) => short(name));
  return `${b} / ${a}, ${p.clockName}, of ${plural(n, "instance")} that both decided: ${a} is faster on ${count(slower)}, ${b} on ${count(faster)}.`;
}

const FACTORS = [100, 10, 2, 1, 1 / 2, 1 / 10, 1 / 100];

/** Return a ratio in words, such as 30,700 times faster. */
const ratioText = (ratio: number): string => (ratio >= 1 ? `${number(ratio)} times slower` : `${number(1 / ratio)} times faster`);

function ratioChart(p: Pairing, { ratio }: Differences, colors: Colors): Chart {
  const n = ratio.length, most = Math.max(ratio[0] ?? 1, 1 / (ratio[n - 1] ?? 1), 2) * 1.2;
  const x = linearAxis("instances, sorted by ratio", { least: 0, most: Math.max(n, 1) }, count);
  const times = (value: number): string => count(Number((value < 1 ? 1 / value : value).toPrecision(2)));
  const y = logAxis(`times that ${short(p.names[1])} is slower (above 1) or faster (below)`, { least: 1 / most, most }, times);
  const rules = FACTORS.filter((f) => f < most && f > 1 / most).map((f): Rule => {
    return { from: [0, y.place(f)], to: [1, y.place(f)], text: f === 1 ? "equal" : "", strong: f === 1 };
  });
  const line = { name: "ratio", style: { color: colors.accent, dash: [] }, step: true };
  const places = Float64Array.from({ length: n && n + 1 }, (_, k) => x.place(k)), heights = places.map((_, k) => y.place(ratio[Math.min(k, n - 1)]));
  const label = `Ratio of ${p.clockName}, ${short(p.names[1])} to ${short(p.names[0])}, by instance: from ${ratioText(ratio[0] ?? 1)} to ${ratioText(ratio[n - 1] ?? 1)}.`;
  return { label, x, y, lines: [{ ...line, x: places, y: heights }], dots: [], rules, notes: [] };
}

const rowFinder = (p: Pairing, found: Differences, { lines: [line] }: Chart, open: (name: string) => void): Finder => (x) => {
  const n = found.at.length, k = Math.max(0, Math.min(n - 1, Math.floor(x * n))), name = p.instance(found.at[k]);
  const [before, after] = timesAt(p, found.at[k]);
  const text = [name, `${ratioText(found.ratio[k])}: ${short(p.names[0])} ${seconds(before)}, ${short(p.names[1])} ${seconds(after)}`];
  return { x: (k + 0.5) / n, y: line.y[k], text, act: () => open(name) };
};

const timesAt = (p: Pairing, at: number): [number, number] =>
  [secondsAt(p.before.of, p.clock, p.before.ids[at]), secondsAt(p.after.of, p.clock, p.after.ids[at])];

function ratioTable(view: View, p: Pairing, found: Differences, places: number[]): Table {
  const row = (k: number): (string | HTMLElement)[] => {
    const [before, after] = timesAt(p, found.at[k]), link = instanceLink(view, p.instance(found.at[k]));
    return [link, seconds(before), seconds(after), exact(ratioText(found.ratio[k]), "ratio", found.ratio[k])];
  };
  return { heads: ["instance", ...p.names.map((name) => nameOf(name)), `${short(p.names[1], 20)} is`], rows: places.map(row) };
}

/** The largest and the smallest ratios, side by side. */
function extremes(view: View, p: Pairing, found: Differences): HTMLElement {
  const n = found.at.length, some = Math.min(MOST_ROWS, n);
  const ends = [
    Array.from({ length: some }, (_, k) => k).filter((k) => found.ratio[k] > 1),
    Array.from({ length: some }, (_, k) => n - 1 - k).filter((k) => found.ratio[k] < 1),
  ];
  const lists = ends.map((places, k) =>
    places.length
      ? h("div", {}, h("h3", {}, "Most in favour of ", nameOf(p.names[k])), h("div", { class: "scroll", tabindex: 0 }, tableElement(ratioTable(view, p, found, places))))
      : null,
  );
  return h("div", { class: "beside" }, lists);
}

/** Instances that only one of the two decided. */
function changed(view: View, p: Pairing, found: Differences): HTMLElement[] {
  const state = ({ of, ids }: Side) => (k: number): string[] => [STATES[of.state[ids[k]]]];
  return [
    ...folded(view, p, `Decided by ${short(p.names[0])} alone`, found.lost, ["the other"], state(p.after)),
    ...folded(view, p, `Decided by ${short(p.names[1])} alone`, found.gained, ["the other"], state(p.before)),
  ];
}

/** Instances on which one of the two reached a better value of the objective than the other, which may have none. */
function better(view: View, p: Pairing): HTMLElement[] {
  const { searches, contenders } = view.journal, of = [p.before, p.after].map((side) => contenders.indexOf(side.of)), { ids } = p.before;
  if (!searches || of.includes(-1)) return [];
  const values = (k: number): (Value | null)[] => of.map((contender) => searches.reached(contender, ids[k]));
  const firsts = new Int8Array(ids.length).map((_, k) => {
    const [a, b] = values(k).map((value) => (value ? value.at * (searches.sense[ids[k]] === 2 ? -1 : 1) : Infinity));
    return a === b ? -1 : Number(b < a);
  });
  const where = (side: number): Int32Array => new Int32Array(ids.length).map((_, k) => k).filter((k) => firsts[k] === side);
  return p.names.flatMap((name, side) => folded(view, p, `Better value by ${short(name)}`, where(side), p.names, (k) => values(k).map((value) => value?.text ?? "none")));
}

/** Return a table of instances, folded to their number; nothing without any. */
function folded(view: View, p: Pairing, title: string, at: Int32Array, heads: string[], cells: (k: number) => string[]): HTMLElement[] {
  if (!at.length) return [];
  const rows = Array.from(at.subarray(0, MOST_NAMED), (k) => [instanceLink(view, p.instance(k)), ...cells(k)]);
  const more = at.length > MOST_NAMED ? `and ${count(at.length - MOST_NAMED)} more` : "";
  const table = h("div", { class: "scroll", tabindex: 0 }, tableElement({ heads: ["instance", ...heads.map((head) => nameOf(head))], rows, more }));
  return [h("details", {}, h("summary", {}, `${title}: ${count(at.length)}`), table)];
}
