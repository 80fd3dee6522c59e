// The calls of `compare`: their table, and their intervals as a plot.
import { h } from "../dom.ts";
import { count, number } from "../format.ts";
import { scrolling } from "../panels/controls.ts";
import { linearAxis, logAxis } from "./axis.ts";
import { paintAcross } from "./chart.ts";
import { letters, namesWidth, picture, svgPen } from "./chart_svg.ts";
import { CLOCK_NAMES } from "./chosen.ts";
import { exact, instanceLink, listOf, nameOf, tableElement, type Cell } from "./figure.ts";
import type { Colors } from "./palette.ts";
import { px, short, type Node } from "./svg.ts";
import type { Clock } from "../report.ts";
import type { View } from "../view.ts";

/** A part of what `compare --json` writes: docs/ci-gate.md. */
export interface Times {
  ratio: number;
  low: number | null;
  high: number | null;
  pairs: number;
  call: Call;
}

type Call = "regressed" | "improved" | "same" | "inconclusive";

export interface Comparison {
  before: { contender: string; version: string; journal: string };
  after: { contender: string; version: string; journal: string };
  call: Call;
  repeats_to_decide: number | null;
  times: { cpu?: Times; wall?: Times };
  puzzles: number;
  conflict: string[];
  wrong: string[];
  lost: string[];
  gained: string[];
  slower: { puzzle: string; ratio: number }[];
  faster: { puzzle: string; ratio: number }[];
}

const CALLS: Record<Call, string> = { regressed: "slower", improved: "faster", same: "same", inconclusive: "no call" };
const CLOCKS = ["wall", "cpu"] as const;
const KINDS = ["conflict", "wrong", "lost", "gained"] as const;
const CHANGES = ["slower", "faster"] as const;

/** Return both names, or the one that both sides share. */
export const pairName = ({ before, after }: Comparison): string =>
  before.contender === after.contender ? after.contender : `${before.contender} → ${after.contender}`;

/** Return a ratio; one far below 1 as how many times faster. */
const ratioText = (ratio: number, digits: number): string => (ratio < 0.1 ? `${number(1 / ratio)} times faster` : `${ratio.toFixed(digits)}x`);

const intervalText = (t: Times | undefined): string => {
  if (!t) return "-";
  if (t.high === null) return `${ratioText(t.ratio, 3)} [?]`;
  const [low, high] = t.ratio < 0.1 ? [t.high, t.low ?? 0].map((end) => number(1 / end)) : [t.low ?? 0, t.high].map((end) => end.toFixed(3));
  return `${ratioText(t.ratio, 3)} [${low}, ${high}]`;
};

/** Return the name of a pair without the parts that all contenders share. */
export function pairLabel({ report }: View, c: Comparison): string {
  const labels = new Map(report.journals.flatMap((j) => j.contenders.map(({ name, label }) => [name, label])));
  const [before, after] = [c.before, c.after].map(({ contender }) => labels.get(contender) ?? contender);
  return before === after ? after : `${before} → ${after}`;
}

/** One row for each pair. `choose` shows the pair below. */
export function callTable(view: View, comparisons: Comparison[], chosen: Comparison, choose: (c: Comparison) => void): HTMLElement {
  const row = (c: Comparison): Cell[] => [
    h("button", { "aria-pressed": String(c === chosen), title: pairName(c), "data-focus": `pair-${pairName(c)}`, onclick: () => choose(c) }, nameOf(pairLabel(view, c))),
    h("span", { class: `call ${c.call}`, "data-field": "call", "data-value": c.call, title: c.call }, CALLS[c.call]),
    ...CLOCKS.map((clock) => exact(intervalText(c.times[clock]), `${clock}-ratio`, c.times[clock]?.ratio ?? null)),
    count(c.puzzles),
    ...[...KINDS, ...CHANGES].map((kind) => exact(count(c[kind].length), kind, c[kind].length)),
  ];
  const heads = ["contender", "call", ...CLOCKS.map((clock) => CLOCK_NAMES[clock]), "instances", ...KINDS, ...CHANGES.map((kind) => `single ${kind}`)];
  return h("div", { class: "calls" }, scrolling("Calls", tableElement({ heads, rows: comparisons.map(row) })));
}

/** Instances by name that a comparison lists: contradicted, wrong, lost, gained, and changed beyond all noise. */
export function listed(view: View, c: Comparison): HTMLElement[] {
  const list = (title: string, items: HTMLElement, n: number) => (n ? [h("details", {}, h("summary", {}, `${title}: ${count(n)}`), items)] : []);
  const changed = (one: { puzzle: string; ratio: number }) => h("span", {}, instanceLink(view, one.puzzle), ` ${ratioText(one.ratio, 2)}`);
  return [
    ...KINDS.flatMap((kind) => list(kind, listOf(c[kind], MOST, (name) => instanceLink(view, name)), c[kind].length)),
    ...CHANGES.flatMap((kind) => list(`${kind} beyond all noise`, listOf(c[kind], MOST, changed), c[kind].length)),
  ];
}

const MOST = 100, ROW = 34, TOP = 24, BOTTOM = 44, LARGEST = 100;

/** Return the ratios with their intervals, one row a pair, wall time above CPU time; the clock of the page is coloured. */
export function callPlot(view: View, comparisons: Comparison[], threshold: number, colors: Colors, width: number): Node {
  const colorOf = (clock: Clock): string => (clock === view.state.clock ? colors.accent : colors.states[4]);
  const left = namesWidth(width), right = width - 20;
  const height = TOP + ROW * comparisons.length + BOTTOM, bottom = height - BOTTOM, nodes: Node[] = [], pen = svgPen(nodes);
  const all = comparisons.flatMap((c) => CLOCKS.flatMap((clock) => ends(c.times[clock])));
  const most = Math.min(LARGEST, Math.max(1 + 2 * threshold, ...all.map((v) => Math.max(v, 1 / v))) * 1.05);
  const text = (v: number): string => `${Number(v.toPrecision(3))}x`, label = "after / before: below 1 is faster";
  const axis = most > 3 ? logAxis(label, { least: 1 / most, most }, text) : linearAxis(label, { least: 2 - most > 0 ? 2 - most : 1 / most, most }, text);
  const at = (v: number): number => left + Math.max(0, Math.min(1, axis.place(v))) * (right - left);
  pen.fill(`M0,0H${width}V${height}H0Z`, colors.ground);
  pen.fill(`M${px(at(1 / (1 + threshold)))},${TOP}H${px(at(1 + threshold))}V${bottom}H${px(at(1 / (1 + threshold)))}Z`, colors.grid);
  paintAcross(axis, pen, { left, top: TOP, width: right - left, height: bottom - TOP }, colors);
  pen.stroke(`M${px(at(1))},${TOP}V${bottom}`, colors.dim, 1, [4, 3]);
  comparisons.forEach((c, k) => {
    pen.text(left - 10, TOP + ROW * (k + 0.5) + 4, short(pairLabel(view, c), letters(left)), "end", colors.text);
    CLOCKS.forEach((clock, j) => paintInterval(c.times[clock], TOP + ROW * (k + 0.5) + (j ? 7 : -7), at, pen, colorOf(clock)));
  });
  CLOCKS.forEach((clock, k) => {
    pen.stroke(`M${left + 110 * k},10h20`, colorOf(clock), 2);
    pen.text(left + 110 * k + 26, 14, CLOCK_NAMES[clock], "start", colors.dim);
  });
  return picture(width, height, nodes);
}

const ends = (t: Times | undefined): number[] => (t ? [t.ratio, t.low ?? t.ratio, t.high ?? t.ratio].filter((v) => v > 0) : []);

function paintInterval(t: Times | undefined, y: number, at: (v: number) => number, pen: ReturnType<typeof svgPen>, color: string): void {
  if (!t) return;
  const [low, high] = [t.low === null ? 0 : t.low, t.high === null ? Infinity : t.high].map(at);
  pen.stroke(`M${px(low)},${px(y)}H${px(high)}`, color, 2, t.high === null ? [2, 3] : []);
  pen.fill(`M${px(at(t.ratio) - 4)},${px(y)}a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z`, color);
}
