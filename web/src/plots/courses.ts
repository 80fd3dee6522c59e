// Value and bound over time on one instance: values solid, bounds dotted, a proof as a dot, and what a solution refutes in red.
import { secondsAt } from "../definitions/columns.ts";
import { h } from "../dom.ts";
import { seconds } from "../format.ts";
import { openLink } from "../panels/controls.ts";
import { DECIDED, type Journal, type Report, type Step } from "../report.ts";
import type { Panel, View } from "../view.ts";
import { linearAxis, timeAxis } from "./axis.ts";
import type { Chart, Line } from "./chart.ts";
import { chartPicture } from "./chart_svg.ts";
import { colorOf, limitOf } from "./chosen.ts";
import { multiples, show } from "./figure.ts";
import { pageColors, type Colors } from "./palette.ts";
import { short } from "./svg.ts";

const HEIGHT = 150, LEAST = 210, LETTER = 7.5, LARGE = 260, ROOM = 0.06;

/** Return the steps of a contender that a better solution refutes. */
export function refuted({ searches }: Journal, contender: number, instance: number): Step[] {
  const best = searches?.known(instance), sign = searches?.sense[instance] === 2 ? -1 : 1;
  return best ? searches!.course(contender, instance).filter((step) => step.bound && sign * step.at > sign * best.at) : [];
}

/** Return the contender that first had the best known value, -1 if none has. */
function witness({ searches, contenders }: Journal, instance: number): number {
  const best = searches?.known(instance)?.text, when = contenders.map((_, k) => searches?.course(k, instance).find((step) => !step.bound && step.text === best)?.seconds ?? Infinity);
  const first = Math.min(...when);
  return first < Infinity ? when.indexOf(first) : -1;
}

function chartOf(view: View, i: number, colors: Colors, compact: boolean): Chart {
  const { journal } = view, searches = journal.searches!, limit = limitOf(view), best = searches.known(i)!;
  const courses = journal.contenders.map((_, k) => searches.course(k, i)), all = courses.flat(), inside = all.filter((step) => !step.bound).concat(all.filter((step) => step.bound && Math.abs(step.at - best.at) <= 3 * spread(all, best.at)));
  const ends = [best.at, ...inside.map((step) => step.at)], [low, high] = [Math.min(...ends), Math.max(...ends)], room = Math.max(high - low || 1, Math.abs(high) * 1e-9) * ROOM;
  const x = timeAxis(compact ? "" : "wall time", { least: Math.min(limit / 10, ...all.map((step) => step.seconds).filter((t) => t > 0)), most: limit * 1.05 }, true);
  const y = linearAxis(compact ? "" : searches.sense[i] === 2 ? "value (maximised)" : "value (minimised)", { least: low - room, most: high + room }, valueText);
  const inBox = (v: number): number => Math.max(0, Math.min(1, y.place(v)));
  const lines: Line[] = [], dots: Chart["dots"] = [];
  courses.forEach((course, k) => {
    const c = journal.contenders[k], color = colorOf(view, k, colors) ?? colors.grey, proved = c.state[i] === DECIDED && c.timed.wall ? secondsAt(c, "wall", i) : NaN, end = Number.isNaN(proved) ? limit : proved;
    const wrong = new Set(refuted(journal, k, i).map((step) => step.seconds));
    const line = (steps: Step[], dash: number[], of: string): void => {
      if (steps.length) lines.push({ name: c.name, style: { color: of, dash }, width: of === colors.grey ? 1 : 2, step: true, x: Float64Array.of(...steps.map((s) => x.place(s.seconds)), x.place(Math.max(end, steps.at(-1)!.seconds))), y: Float64Array.of(...steps.map((s) => inBox(s.at)), inBox(steps.at(-1)!.at)) });
    };
    line(course.filter((step) => step.bound && !wrong.has(step.seconds)), [2, 3], color);
    line(course.filter((step) => step.bound && wrong.has(step.seconds)), [2, 3], colors.states[8]);
    line(course.filter((step) => !step.bound), [], color);
    const last = course.filter((step) => !step.bound).at(-1);
    if (!Number.isNaN(proved) && last) dots.push({ name: c.name, color, marker: "dot", size: compact ? 3 : 4, x: Float64Array.of(x.place(proved)), y: Float64Array.of(inBox(last.at)) });
  });
  const rules: Chart["rules"] = [{ from: [0, y.place(best.at)], to: [1, y.place(best.at)], text: compact ? "" : `best known ${best.text}`, strong: true }];
  return { label: `Values and bounds over time on ${journal.names[i]}; best known ${best.text}.`, x, y, lines, dots, rules, notes: [], compact };
}

const valueText = (v: number): string => (Math.abs(v) < 1e5 ? Number(v.toPrecision(6)).toLocaleString("en-US") : v.toExponential(2));

/** Return how far values are from the best known one; bounds beyond a multiple of it are drawn at the edge. */
const spread = (steps: Step[], best: number): number => Math.max(1, ...steps.filter((step) => !step.bound).map((step) => Math.abs(step.at - best)));

function drawn(view: View, i: number, width: number, height: number, compact: boolean): HTMLElement {
  const colors = pageColors();
  return h("div", { class: "plot" }, chartPicture(chartOf(view, i, colors, compact), width, height, colors));
}

/** Return the course of an instance for its details, with a line for each contender whose bound is refuted; empty without an objective. */
export function coursePart(view: View, i: number, width: number, find: (contender: number) => void): HTMLElement[] {
  const { journal } = view, best = journal.searches?.known(i);
  if (!best) return [];
  const by = witness(journal, i);
  const lines = journal.contenders.flatMap((c, k) => refuted(journal, k, i).slice(-1).map((step) => {
    const shows = by < 0 ? h("span", {}, "the corpus") : h("button", { type: "button", onclick: () => find(by) }, journal.contenders[by].label);
    return h("li", { class: "wrong" }, `✗ ${c.label} stated the bound ${step.text} after ${seconds(step.seconds)}: refuted by the value ${best.text} of `, shows);
  }));
  return [drawn(view, i, width, LARGE, false), h("p", { class: "dim" }, "Values solid, bounds dotted, a proof as a dot; red is refuted."), ...(lines.length ? [h("ul", { class: "long" }, lines)] : [])];
}

export const coursesPanel: Panel = {
  id: "courses", title: "Instances on which they differ most", short: "Courses", whole: true,
  reacts: ["rank", "focus", "drawn"],
  applies: (report: Report) => report.journals.some((j) => j.searches),
  render(root, view) {
    const { journal } = view;
    const cell = (i: number, width: number): HTMLElement[] => {
      const name = journal.names[i], title = short(name.slice(journal.start.length), width / LETTER);
      return [h("h3", {}, openLink(name, view, "course", title)), drawn(view, i, width, HEIGHT, true)];
    };
    show(root, [h("p", { class: "dim" }, "Value (solid) and bound (dotted) over log time; a dot is a proof, dashed the best known value, red a refuted bound. Colours as above."), multiples(root, LEAST, journal.searches?.different ?? [], cell)]);
  },
};
