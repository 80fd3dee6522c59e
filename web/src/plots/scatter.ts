// Scatter of any two contenders.
import type { Side } from "../definitions/columns.ts";
import { h } from "../dom.ts";
import { count, plural } from "../format.ts";
import { select } from "../panels/controls.ts";
import { STATES, type Contender } from "../report.ts";
import type { Panel, View } from "../view.ts";
import { drawChart } from "./canvas.ts";
import { chartSvg } from "./chart_svg.ts";
import { clockName, timedRanked, untimedNote } from "./chosen.ts";
import { figure, instanceLink, legend, nameOf, scaleChoice, show, type Table } from "./figure.ts";
import { LIGHT, pageColors } from "./palette.ts";
import { placed, pointFinder, resultText, scatterChart, scatterLegend, type Pairing, type Placed } from "./scatter_chart.ts";
import { short } from "./svg.ts";

const HEIGHT = 520, LEAST = 300, FILE_SIZE = 560, MOST_ROWS = 100;

export const scatterPanel: Panel = {
  id: "scatter",
  title: "Scatter of two contenders",
  short: "Pairs",
  reacts: ["x", "y", "log", "rank"],
  applies: (report) => report.journals.some((journal) => journal.contenders.length > 1),
  render(root, view) {
    const pairing = pairingOf(view);
    if (!pairing) return show(root, [h("p", { class: "dim" }, "A scatter needs two contenders with times.")]);
    show(root, ...scatterFigure(view, pairing, "scatter", [...pairControls(view, pairing), scaleChoice(view)], untimedNote(view)));
  },
};

export const common = (view: View): Pick<Pairing, "limit" | "clock" | "clockName" | "log"> => ({
  limit: view.journal.limits[view.state.clock], clock: view.state.clock, clockName: clockName(view), log: view.state.log,
});

/** Return the two contenders that a state names, else the best two, on the selected instances. */
export function pairingOf(view: View): Pairing | null {
  const pair = twoOf(view);
  if (!pair) return null;
  const [a, b] = pair.map((i) => view.journal.contenders[i]);
  const side = (of: Contender): Side => ({ of, ids: view.selected });
  return { ...common(view), before: side(a), after: side(b), names: [a.label, b.label], instance: (at) => view.journal.names[view.selected[at]] };
}

function twoOf(view: View): [number, number] | null {
  const { contenders } = view.journal, best = timedRanked(view);
  const named = (name: string): number | undefined => {
    const at = contenders.findIndex((c) => c.name === name && c.timed[view.state.clock]);
    return at < 0 ? undefined : at;
  };
  const x = named(view.state.x) ?? best.find((i) => i !== named(view.state.y));
  const y = named(view.state.y) ?? best.find((i) => i !== x);
  return x === undefined || y === undefined ? null : [x, y];
}

export function pairControls(view: View, { before, after }: Pairing): HTMLElement[] {
  const [x, y] = [before.of.name, after.of.name];
  const names = view.journal.contenders.filter((c) => c.timed[view.state.clock]).map(({ name, label }): [string, string] => [name, short(label, 60)]);
  return [
    select("across", "pair-x", names, x, (name) => view.update({ x: name, y })),
    select("upwards", "pair-y", names, y, (name) => view.update({ x, y: name })),
    h("button", { onclick: () => view.update({ x: y, y: x }), "data-focus": "pair-swap" }, "Swap"),
  ];
}

/** Return what show() takes of the scatter of two sides. */
export function scatterFigure(
  view: View, pairing: Pairing, file: string, controls: HTMLElement[], note = "",
): [HTMLElement[], () => () => void] {
  const colors = pageColors(), points = placed(pairing), chart = scatterChart(pairing, points, colors);
  const host = h("div", { class: "plot square", role: "img", "aria-label": chart.label });
  const svg = () => {
    const light = scatterChart(pairing, points, LIGHT);
    return chartSvg(light, scatterLegend(light, LIGHT), FILE_SIZE, FILE_SIZE, LIGHT);
  };
  const table = () => scatterTable(view, pairing, points);
  const content = figure({ controls, note, plot: host, legend: legend(scatterLegend(chart, colors)), table, file, svg });
  const open = (name: string): void => view.update({ open: name });
  return [[content], () => drawChart(host, chart, Math.min(HEIGHT, Math.max(LEAST, host.clientWidth)), colors, pointFinder(pairing, points, open))];
}

/** The instances on which the sides differ most, those that one did not decide first; then the corner. */
function scatterTable(view: View, p: Pairing, { found }: Placed): Table {
  const far = found.x.map((x, k) => {
    const away = Math.abs(Math.log(found.y[k] / x));
    return Number.isNaN(away) ? Infinity : away;
  });
  const order = Int32Array.from(far.keys()).sort((i, j) => (far[i] === far[j] ? i - j : far[j] - far[i])).subarray(0, MOST_ROWS);
  const corner = found.corner.map(([a, b, n]) => `${STATES[a]} and ${STATES[b]}: ${count(n)}`).join("; ");
  return {
    heads: ["instance", ...p.names.map((name) => nameOf(name))],
    rows: Array.from(order, (k) => [
      instanceLink(view, p.instance(found.at[k])), resultText(found.x[k], found.xState[k]), resultText(found.y[k], found.yState[k]),
    ]),
    more: [
      found.x.length > MOST_ROWS ? `The ${MOST_ROWS} largest differences of ${plural(found.x.length, "instance")}; the table of all instances has the others.` : "",
      corner && `Decided by neither: ${corner}.`,
    ].filter(Boolean).join(" "),
  };
}
