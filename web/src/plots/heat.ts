// Heat map of contenders by instances, many of them in a cell.
import { heat, type Heat } from "../definitions/heat.ts";
import { quantile } from "../definitions/par.ts";
import { h } from "../dom.ts";
import { count, plural, seconds } from "../format.ts";
import { cached, once } from "../memo.ts";
import { DECIDED, NONE, STATES, UNSUPPORTED, WRONG } from "../report.ts";
import type { Panel, View } from "../view.ts";
import { letters, namesWidth, picture, svgPen } from "./chart_svg.ts";
import { clockName, keyOf, selectionOf, timedRanked, untimedNote } from "./chosen.ts";
import { figure, instanceLink, nameOf, show, type Table } from "./figure.ts";
import { LEVELS, levelColor, levelOf } from "./heat_colors.ts";
import { LIGHT, pageColors, type Colors } from "./palette.ts";
import { element, px, s, short, type Node } from "./svg.ts";

const COLUMNS = 160, SINGLE = 320, FEWER = 100, WIDE = 960, TOP = 4, BOTTOM = 76, MOST_LABELS = 60;

const TAIL = 0.02, HATCHED = -1, BLANK = -2, MARKED = -3;

interface HeatMap {
  names: string[];
  cells: Heat;
  least: number;
  most: number;
  row: number;
  width: number;
  left: number;
  height: number;
}

export const heatPanel: Panel = {
  id: "heat",
  title: "Heat map of instances",
  short: "Heat",
  reacts: ["rank"],
  render(root, view) {
    const map = mapOf(view, Math.max(320, root.clientWidth));
    if (!map.names.length || !map.cells.order.length) return show(root, [h("p", { class: "dim" }, "No instance is selected.")]);
    const label = `Heat map of ${clockName(view)}: ${plural(map.names.length, "contender")} by ${plural(view.selected.length, "instance")}, the easiest at the left.`;
    const host = h("div", { class: "plot wide", role: "img", "aria-label": label });
    const said = h("p", { class: "dim said" }, "Point at a cell to read it; a click opens its first instance.");
    host.append(element(drawn(view, map, pageColors())));
    host.addEventListener("mousemove", (event) => {
      const at = cellAt(host, map, event);
      if (at) said.textContent = cellText(view, map, ...at);
    });
    host.addEventListener("click", (event) => {
      const at = cellAt(host, map, event);
      if (at) view.update({ open: view.journal.names[map.cells.order[map.cells.starts[at[1]]]] });
    });
    const table = () => tableOf(view, map);
    show(root, [figure({ note: noteOf(view, map), plot: h("div", {}, host, said), table, file: "heat", svg: () => drawn(view, { ...map, width: WIDE, left: namesWidth(WIDE) }, LIGHT) })]);
  },
};

/** Return how many columns are drawn at most: every instance, if there are few, and fewer of many contenders. */
const columnsOf = (instances: number, contenders: number): number =>
  contenders > FEWER ? FEWER : instances > SINGLE ? COLUMNS : SINGLE;

const heats = once((_: Int32Array) => new Map<string, Heat>());

function mapOf(view: View, width: number): HeatMap {
  const selection = selectionOf(view, timedRanked(view));
  const cells = cached(heats(view.selected), keyOf(selection), () => heat(selection, columnsOf(view.selected.length, selection.of.length)));
  const known = Float64Array.from(cells.seconds.flatMap((row) => [...row]).filter((v) => v > 0)).sort();
  const [least, most] = known.length ? [quantile(known, TAIL), quantile(known, 1 - TAIL)] : [1, 1];
  const row = Math.max(2, Math.min(22, Math.floor(900 / selection.of.length)));
  const height = TOP + row * selection.of.length + BOTTOM;
  return { names: selection.of.map((i) => view.journal.contenders[i].label), cells, least, most, row, width, left: namesWidth(width), height };
}

function noteOf(view: View, { cells }: HeatMap): string {
  const each = cells.order.length / Math.max(1, cells.starts.length - 1);
  const many = each > 1 ? ` A cell holds about ${Math.round(each)} of them and shows the geometric mean of the times decided, if half are.` : "";
  const read = cells.order.length < view.selected.length ? ` Of ${count(view.selected.length)} instances, ${count(cells.order.length)} at even distances are read.` : "";
  return `Instances from left to right by how hard they are to all; dark is slow.${many}${read} ${untimedNote(view)}`;
}

/** Return the kind of a cell: its level if decided, else -1 hatched, -2 blank, -3 wrong. */
function kindOf({ cells, least, most }: HeatMap, row: number, column: number): number {
  const state = cells.states[row][column];
  if (state === DECIDED) return levelOf(cells.seconds[row][column], least, most);
  return state === WRONG ? MARKED : state === NONE || state === UNSUPPORTED ? BLANK : HATCHED;
}

function drawn(view: View, map: HeatMap, colors: Colors): Node {
  const nodes: Node[] = [hatching(colors)], pen = svgPen(nodes), n = map.cells.starts.length - 1, { width, left } = map, step = (width - left) / n;
  pen.fill(`M0,0H${width}V${map.height}H0Z`, colors.ground);
  const cells: Node[] = [], brush = svgPen(cells), crosses: string[] = [];
  const paths = new Map<number, string[]>();
  map.cells.seconds.forEach((_, row) => {
    for (let from = 0, to = 0; from < n; from = to) {
      const kind = kindOf(map, row, from);
      while (to < n && kindOf(map, row, to) === kind) to++;
      const box = `M${px(left + from * step)},${TOP + row * map.row}h${px((to - from) * step)}v${map.row}h-${px((to - from) * step)}Z`;
      cached(paths, kind, () => []).push(box);
      for (let k = from; kind === MARKED && k < to; k++) crosses.push(crossed(left + k * step, TOP + row * map.row, step, map.row));
    }
  });
  for (const [kind, boxes] of paths) if (kind !== BLANK) brush.fill(boxes.join(""), fillOf(kind));
  nodes.push(s("g", { "shape-rendering": "crispEdges" }, ...cells));
  if (crosses.length) pen.stroke(crosses.join(""), "#ffffff", 1.2);
  const every = Math.ceil(map.names.length / MOST_LABELS), bottom = TOP + map.row * map.names.length;
  map.names.forEach((name, k) => {
    if (k % every === 0 && map.row * every >= 10) pen.text(left - 8, TOP + map.row * (k + 0.5) + 4, short(name, letters(left)), "end", colors.text);
  });
  pen.stroke(`M${left},${TOP}V${bottom}H${width}`, colors.line, 1);
  pen.text(left, bottom + 16, "easiest", "start", colors.dim);
  pen.text(width, bottom + 16, "hardest", "end", colors.dim);
  scale(map, clockName(view), bottom + 30, nodes, colors);
  return picture(width, map.height, nodes);
}

const fillOf = (kind: number): string => (kind >= 0 ? levelColor(kind) : kind === MARKED ? "#a31515" : "url(#hatch)");

/** Return the pattern of cells that are not decided. */
const hatching = (colors: Colors): Node =>
  s("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    s("rect", { width: 5, height: 5, fill: colors.grid }), s("path", { d: "M0,0v5", stroke: colors.dim, "stroke-width": 2.4 }));

/** Return a cross in a cell. */
function crossed(x: number, y: number, width: number, height: number): string {
  const r = Math.min(4, width / 2 - 1, height / 2 - 1), [mx, my] = [x + width / 2, y + height / 2];
  return r < 1 ? "" : `M${px(mx - r)},${px(my - r)}l${px(2 * r)},${px(2 * r)}m0,${px(-2 * r)}l${px(-2 * r)},${px(2 * r)}`;
}

function scale(map: HeatMap, title: string, top: number, nodes: Node[], colors: Colors): void {
  const { least, most, left, width: whole } = map, pen = svgPen(nodes), width = Math.min(7, (whole - left) / 2 / LEVELS);
  for (let level = 0; level < LEVELS; level++) pen.fill(`M${px(left + level * width)},${top}h${px(width)}v10h-${px(width)}Z`, levelColor(level));
  pen.text(left - 8, top + 9, title, "end", colors.dim);
  pen.text(left, top + 24, seconds(least), "start", colors.dim);
  pen.text(left + LEVELS * width, top + 24, `${seconds(most)} or more`, "middle", colors.dim);
  let at = left + LEVELS * width + 60;
  for (const [kind, text] of [[HATCHED, "not decided"], [MARKED, "wrong"], [BLANK, "unsupported"]] as const) {
    if (!map.cells.states.some((row, r) => row.some((_, column) => kindOf(map, r, column) === kind))) continue;
    if (at + 90 > whole) [at, top] = [left + LEVELS * width + 60, top + 14];
    pen.fill(`M${at},${top}h14v10h-14Z`, kind === BLANK ? colors.ground : fillOf(kind));
    if (kind === BLANK) pen.stroke(`M${at},${top}h14v10h-14Z`, colors.line, 1);
    if (kind === MARKED) pen.stroke(crossed(at, top, 14, 10), "#ffffff", 1.2);
    pen.text(at + 19, top + 9, text, "start", colors.dim);
    at += 100;
  }
}

/** Return row and column under the pointer. */
function cellAt(host: HTMLElement, map: HeatMap, event: MouseEvent): [number, number] | null {
  const rect = host.querySelector("svg")!.getBoundingClientRect(), ratio = map.width / rect.width;
  const row = Math.floor(((event.clientY - rect.top) * ratio - TOP) / map.row);
  const n = map.cells.starts.length - 1, column = Math.floor((((event.clientX - rect.left) * ratio - map.left) / (map.width - map.left)) * n);
  return row >= 0 && row < map.names.length && column >= 0 && column < n ? [row, column] : null;
}

function cellText(view: View, { names, cells }: HeatMap, row: number, column: number): string {
  const first = view.journal.names[cells.order[cells.starts[column]]], n = cells.starts[column + 1] - cells.starts[column];
  const share = `${Math.round(100 * cells.decided[row][column])} % decided`, state = STATES[cells.states[row][column]];
  const time = state === "decided" ? seconds(cells.seconds[row][column]) : state;
  return `${short(names[row])}: ${time}${n > 1 ? ` (mean of ${n}, ${share})` : ""}, ${short(first)}${n > 1 ? " and others" : ""}`;
}

const TENTHS = 10;

/** Means by tenths of the instances. */
function tableOf(view: View, { names, cells }: HeatMap): Table {
  const n = cells.starts.length - 1, parts = Math.min(TENTHS, n);
  const edges = Array.from({ length: parts + 1 }, (_, k) => Math.round((k * n) / parts));
  const mean = (values: Float64Array): number => {
    const known = values.filter((v) => v > 0);
    return Math.exp(known.reduce((sum, v) => sum + Math.log(v), 0) / known.length);
  };
  const first = (column: number): HTMLElement => instanceLink(view, view.journal.names[cells.order[cells.starts[column]]]);
  return {
    heads: ["contender", ...edges.slice(1).map((_, k) => `part ${k + 1} of ${parts}`)],
    rows: [
      ...names.map((name, row) => [nameOf(name), ...edges.slice(1).map((end, k) => seconds(mean(cells.seconds[row].subarray(edges[k], end))))]),
      ["first instance", ...edges.slice(1).map((_, k) => first(edges[k]))],
    ],
  };
}
