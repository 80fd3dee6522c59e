// Heat map of contenders by instances, many of them in a cell.
import { heat, type Heat } from "../definitions/heat.ts";
import { h } from "../dom.ts";
import { count, plural, seconds } from "../format.ts";
import { cached, once } from "../memo.ts";
import type { Panel, View } from "../view.ts";
import { letters, namesWidth, picture, svgPen } from "./chart_svg.ts";
import { clockName, keyOf, limitOf, selectionOf, timedRanked, untimedNote } from "./chosen.ts";
import { figure, instanceLink, nameOf, show, type Table } from "./figure.ts";
import { LEVELS, levelColor, levelOf } from "./heat_colors.ts";
import { LIGHT, pageColors, type Colors } from "./palette.ts";
import { element, px, s, short, type Node } from "./svg.ts";

const COLUMNS = 160, SINGLE = 320, FEWER = 100, WIDE = 960, TOP = 4, BOTTOM = 62, MOST_LABELS = 60;

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
  let least = Infinity;
  for (const row of cells.seconds) for (const value of row) if (value < least) least = value;
  const row = Math.max(2, Math.min(22, Math.floor(900 / selection.of.length)));
  const height = TOP + row * selection.of.length + BOTTOM;
  return { names: selection.of.map((i) => view.journal.contenders[i].name), cells, least, most: 2 * limitOf(view), row, width, left: namesWidth(width), height };
}

function noteOf(view: View, { cells }: HeatMap): string {
  const each = cells.order.length / Math.max(1, cells.starts.length - 1);
  const many = each > 1 ? ` A cell holds about ${Math.round(each)} of them and shows the geometric mean of their times.` : "";
  const read = cells.order.length < view.selected.length ? ` Of ${count(view.selected.length)} instances, ${count(cells.order.length)} at even distances are read.` : "";
  return `Instances from left to right by how hard they are to all; an instance that is not decided counts as twice the limit.${many}${read} ${untimedNote(view)}`;
}

function drawn(view: View, map: HeatMap, colors: Colors): Node {
  const nodes: Node[] = [], pen = svgPen(nodes), n = map.cells.starts.length - 1, { width, left } = map, step = (width - left) / n;
  pen.fill(`M0,0H${width}V${map.height}H0Z`, colors.ground);
  const cells: Node[] = [], brush = svgPen(cells);
  levelPaths(map, step).forEach((path, level) => path && brush.fill(path, levelColor(level)));
  nodes.push(s("g", { "shape-rendering": "crispEdges" }, ...cells));
  const every = Math.ceil(map.names.length / MOST_LABELS);
  map.names.forEach((name, k) => {
    if (k % every === 0 && map.row * every >= 10) pen.text(left - 8, TOP + map.row * (k + 0.5) + 4, short(name, letters(left)), "end", colors.text);
  });
  const bottom = TOP + map.row * map.names.length;
  pen.text(left, bottom + 16, "easiest", "start", colors.dim);
  pen.text(width, bottom + 16, "hardest", "end", colors.dim);
  scale(map, clockName(view), bottom + 30, nodes, colors);
  return picture(width, map.height, nodes);
}

/** Return a path for each level; neighbours of one level are one rectangle. */
function levelPaths({ cells, row, left, least, most }: HeatMap, step: number): string[] {
  const paths = Array.from({ length: LEVELS }, (): string[] => []);
  cells.seconds.forEach((values, k) => {
    const level = Array.from(values, (v) => (Number.isNaN(v) ? -1 : levelOf(v, least, most)));
    for (let from = 0, to = 0; from < level.length; from = to) {
      while (to < level.length && level[to] === level[from]) to++;
      if (level[from] >= 0) paths[level[from]].push(`M${px(left + from * step)},${TOP + k * row}h${px((to - from) * step)}v${row}h-${px((to - from) * step)}Z`);
    }
  });
  return paths.map((parts) => parts.join(""));
}

function scale({ least, most, left, width: whole }: HeatMap, title: string, top: number, nodes: Node[], colors: Colors): void {
  const pen = svgPen(nodes), width = Math.min(10, (whole - left - 60) / LEVELS);
  for (let level = 0; level < LEVELS; level++) pen.fill(`M${px(left + level * width)},${top}h${px(width)}v10h-${px(width)}Z`, levelColor(level));
  pen.text(left - 8, top + 9, title, "end", colors.dim);
  pen.text(left, top + 24, seconds(least), "start", colors.dim);
  pen.text(left + LEVELS * width, top + 24, `${seconds(most)}: not decided`, "middle", colors.dim);
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
  const share = `${Math.round(100 * cells.decided[row][column])} % decided`;
  return `${short(names[row])}: ${seconds(cells.seconds[row][column])}${n > 1 ? ` (mean of ${n}, ${share})` : ""}, ${short(first)}${n > 1 ? " and others" : ""}`;
}

const TENTHS = 10;

/** Means by tenths of the instances. */
function tableOf(view: View, { names, cells }: HeatMap): Table {
  const n = cells.starts.length - 1, parts = Math.min(TENTHS, n);
  const edges = Array.from({ length: parts + 1 }, (_, k) => Math.round((k * n) / parts));
  const mean = (values: Float64Array): number => Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length);
  const first = (column: number): HTMLElement => instanceLink(view, view.journal.names[cells.order[cells.starts[column]]]);
  return {
    heads: ["contender", ...edges.slice(1).map((_, k) => `part ${k + 1} of ${parts}`)],
    rows: [
      ...names.map((name, row) => [nameOf(name), ...edges.slice(1).map((end, k) => seconds(mean(cells.seconds[row].subarray(edges[k], end))))]),
      ["first instance", ...edges.slice(1).map((_, k) => first(edges[k]))],
    ],
  };
}
