// Two journals, or two environments of one: calls, scatter before and after, ratios by instance.
import { warnings as warned } from "../panels/agreement.ts";
import { commonInstances } from "../definitions/pairs.ts";
import { h } from "../dom.ts";
import { printable } from "../printable.ts";
import type { Journal } from "../report.ts";
import type { Panel, View } from "../view.ts";
import { callPlot, callTable, listed, pairLabel, pairName, type Comparison } from "./calls.ts";
import { pictureWidth, WIDEST } from "./chart_svg.ts";
import { differencesFigure } from "./differences.ts";
import { figure, nameOf, scaleChoice, show } from "./figure.ts";
import { LIGHT, pageColors } from "./palette.ts";
import { common, scatterFigure } from "./scatter.ts";
import type { Pairing } from "./scatter_chart.ts";
import { element, short } from "./svg.ts";

export const comparePanel: Panel = {
  id: "compare",
  title: "Comparison",
  whole: true,
  reacts: ["x", "y", "log"],
  applies: (report) => Boolean(report.comparison?.comparisons.length),
  render(root, view) {
    const { comparisons, threshold, warnings } = view.report.comparison as { comparisons: Comparison[]; threshold: number; warnings: string[] };
    const chosen = chosenOf(view, comparisons), choose = (c: Comparison): void => view.update({ x: c.before.contender, y: c.after.contender });
    const plot = h("div", { class: "plot", role: "img", "aria-label": labelOf(comparisons) });
    plot.append(element(callPlot(view, comparisons, threshold, pageColors(), pictureWidth(root))));
    const calls = figure({ note: noteOf(view, threshold), plot, file: "calls", svg: () => callPlot(view, comparisons, threshold, LIGHT, WIDEST) });
    const pairing = comparedPair(view, chosen);
    const [points, drawPoints] = scatterFigure(view, pairing, "before-after", [scaleChoice(view)]);
    const [ratios, drawRatios] = differencesFigure(view, pairing, "ratios", []);
    const title = h("h3", {}, "Before and after: ", nameOf(pairLabel(view, chosen)));
    show(root, [callTable(view, comparisons, chosen, choose), h("div", {}, warned(warnings)), calls, title, ...listed(view, chosen), ...points, ...ratios], () => {
      const ends = [drawPoints(), drawRatios()];
      return () => ends.forEach((end) => end());
    });
  },
};

const chosenOf = ({ state }: View, comparisons: Comparison[]): Comparison =>
  comparisons.find((c) => c.before.contender === state.x && c.after.contender === state.y) ?? comparisons[0];

const labelOf = (comparisons: Comparison[]): string =>
  `Ratios of times after to before: ${comparisons.slice(0, 12).map((c) => `${short(pairName(c))} ${c.call}`).join(", ")}.`;

function noteOf({ report }: View, threshold: number): string {
  const [before, after = before] = report.journals.map((j) => printable(j.path));
  const which = before === after ? `Within ${before}.` : `Before: ${before}. After: ${after}.`;
  return `${which} Geometric mean of the ratios over instances that both decided, with its 99 % interval, of all instances whatever the filters; changes below ${Number((100 * threshold).toPrecision(3))} % (shaded) don't count.`;
}

/** Return the instances that both journals hold, those of the shown one first. */
function pairsFrom({ report: { pairs } }: View, after: boolean): [Int32Array, Int32Array] {
  const [a, b] = pairs ?? [new Int32Array(), new Int32Array()];
  return after ? [b, a] : [a, b];
}

/** Return the two sides on the selected instances that both journals have. */
function comparedPair(view: View, c: Comparison): Pairing {
  const [before, after = before] = view.report.journals, shown = view.journal === after ? after : before;
  const [ids, others] = before === after ? [view.selected, view.selected] : commonInstances(view.selected, ...pairsFrom(view, shown === after));
  const side = (journal: Journal, name: string): Pairing["before"] => ({
    of: journal.contenders.find((one) => one.name === name)!, ids: journal === shown ? ids : others,
  });
  const names: [string, string] = c.before.contender === c.after.contender ? ["before", "after"] : [c.before.contender, c.after.contender];
  return {
    ...common(view), names, before: side(before, c.before.contender), after: side(after, c.after.contender),
    limit: Math.max(before.limits[view.state.clock], after.limits[view.state.clock]), instance: (at) => shown.names[ids[at]],
  };
}
