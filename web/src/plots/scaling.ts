// Speed-ups of contenders of one solver that differ in their number of cores alone: harness/reporting/views/scaling.py.
import { h } from "../dom.ts";
import { count, number } from "../format.ts";
import type { ScalingRow } from "../report.ts";
import type { Panel } from "../view.ts";
import { logAxis } from "./axis.ts";
import { paintAcross } from "./chart.ts";
import { letters, namesWidth, picture, pictureWidth, svgPen, WIDEST } from "./chart_svg.ts";
import { exact, figure, show, tableElement, type Cell } from "./figure.ts";
import { LIGHT, pageColors, type Colors } from "./palette.ts";
import { element, px, short, type Node } from "./svg.ts";
import { scrolling } from "../panels/controls.ts";

const ROW = 30, TOP = 10, BOTTOM = 44;

const nameOf = ({ solver, status, cores }: ScalingRow): string => `${solver}, ${cores} cores, ${status}`;

export const scalingPanel: Panel = {
  id: "scaling",
  title: "Speed-up of cores",
  short: "Cores",
  whole: true,
  reacts: [],
  applies: ({ journals }) => journals.some(({ scaling }) => scaling),
  render(root, view) {
    const of = view.journal.scaling;
    if (!of) return root.replaceChildren(h("p", { class: "dim" }, "This journal has none."));
    const rows = of.rows.filter((row) => row["speed-up low"] !== null);
    const plot = h("div", { class: "plot", role: "img", "aria-label": `Speed-ups: ${rows.slice(0, 12).map((row) => `${nameOf(row)} ${number(row["speed-up"]!)}`).join("; ")}.` });
    plot.append(element(speedUpPlot(rows, pageColors(), pictureWidth(root))));
    const note = "Each instance (small), their geometric mean with its 95 % interval, and a line where the speed-up is as many times as cores; of all instances, whatever the filters.";
    const table = h("div", {}, scrolling("Speed-up of cores", tableElement({ heads: HEADS, rows: of.rows.map(cells), more: of.notes.join("; ") })));
    show(root, [table, figure({ note, plot, file: "scaling", svg: () => speedUpPlot(rows, LIGHT, WIDEST) })]);
  },
};

const HEADS = ["solver", "instances", "cores", "decided", "pairs", "speed-up", "efficiency", "CPU/wall", "luck"];
const share = (value: number | null): string => (value === null ? "-" : `${number(100 * value)} %`);

function cells(row: ScalingRow): Cell[] {
  const [value, low, high] = [row["speed-up"], row["speed-up low"], row["speed-up high"]];
  const speedUp = value === null ? "-" : `${number(value)}x${low === null || high === null ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`}`;
  return [
    ...[row.solver, row.status, String(row.cores), `${count(row.decided)}/${count(row.asked)}`, count(row.pairs)],
    ...[exact(speedUp, "speed-up", value), share(row.efficiency), row["CPU/wall"] === null ? "-" : number(row["CPU/wall"]), share(row.luck)],
  ];
}

function speedUpPlot(rows: ScalingRow[], colors: Colors, width: number): Node {
  const left = namesWidth(width), right = width - 20, height = TOP + ROW * rows.length + BOTTOM, bottom = height - BOTTOM, nodes: Node[] = [], pen = svgPen(nodes);
  const all = rows.flatMap((row) => [...row.each, row["speed-up low"]!, row["speed-up high"]!, row.factor]).filter((v) => v > 0);
  const axis = logAxis("speed-up", { least: Math.min(0.5, ...all) / 1.05, most: Math.max(2, ...all) * 1.05 }, (v) => `${Number(v.toPrecision(3))}x`);
  const at = (v: number): number => left + Math.max(0, Math.min(1, axis.place(v))) * (right - left);
  pen.fill(`M0,0H${width}V${height}H0Z`, colors.ground);
  paintAcross(axis, pen, { left, top: TOP, width: right - left, height: bottom - TOP }, colors);
  pen.stroke(`M${px(at(1))},${TOP}V${bottom}`, colors.dim, 1, [4, 3]);
  rows.forEach((row, k) => {
    const y = TOP + ROW * (k + 0.5), dot = (v: number, r: number): string => `M${px(at(v) - r)},${px(y)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 -${2 * r},0Z`;
    pen.text(left - 10, y + 4, short(nameOf(row), letters(left)), "end", colors.text);
    pen.stroke(`M${px(at(row.factor))},${px(y - ROW / 2)}v${ROW}`, colors.dim, 1); // as many times as cores
    pen.fill(row.each.map((v) => dot(v, 2)).join(""), colors.states[4]);
    pen.stroke(`M${px(at(row["speed-up low"]!))},${px(y)}H${px(at(row["speed-up high"]!))}`, colors.accent, 2);
    pen.fill(dot(row["speed-up"]!, 4), colors.accent);
  });
  return picture(width, height, nodes);
}
