// Heat map of the matrix: PAR-2 of encodings by backends.
import { matrix, type Cell, type Matrix } from "../definitions/matrix.ts";
import { h } from "../dom.ts";
import { number, seconds } from "../format.ts";
import { scrolling } from "../panels/controls.ts";
import type { Panel, View } from "../view.ts";
import { picture, svgPen } from "./chart_svg.ts";
import { selectionOf } from "./chosen.ts";
import { figure, nameOf, show } from "./figure.ts";
import { levelColor, levelOf, onLevel } from "./heat_colors.ts";
import { LIGHT } from "./palette.ts";
import { short, type Node } from "./svg.ts";

const WIDTH = 88, ROW = 24, LEFT = 220, TOP = 110;
/** Most columns of a matrix that takes half of a wide page. */
const FEW = 6;
/** Smaller ratios are told by their inverse. */
const LEAST_RATIO = 0.1;

export const matrixPanel: Panel = {
  id: "matrix",
  title: "Matrix of encodings and backends",
  short: "Matrix",
  applies: ({ journals }) => journals.some((journal) => journal.matrix.rows.length > 1),
  render(root, view) {
    const found = upright(matrix(selectionOf(view), "ratio"));
    const note = found.reference === null
      ? "PAR-2. Dark is slow."
      : `Ratio of PAR-2 to encoding ${found.reference}: geometric mean over the contenders that differ in the encoding alone. Dark is slow.`;
    const plot = scrolling("Matrix", tableOf(view, found));
    show(root, [figure({ note, plot, file: "matrix", svg: () => drawn(found) })]);
  },
};

/** A matrix with the longer side downwards, so that it fits a page. */
type Turned = Matrix & { heads: [down: string, across: string] };

function upright(found: Matrix): Turned {
  if (found.columns.length <= Math.max(FEW, found.rows.length)) return { ...found, heads: ["encoding", "backend"] };
  const cells = found.columns.map((_, k) => found.cells.map((row) => row[k]));
  return { ...found, rows: found.columns, columns: found.rows, cells, heads: ["backend", "encoding"] };
}

function rangeOf(found: Turned): [number, number] {
  const values = found.cells.flat().map((cell) => cell.value).filter((v): v is number => v !== null && v > 0);
  return values.reduce(([least, most], v) => [Math.min(least, v), Math.max(most, v)], [Infinity, 0]);
}

const textOf = (cell: Cell, found: Turned): string => {
  if (cell.wrong) return "wrong";
  if (cell.value === null) return "";
  if (found.reference === null) return seconds(cell.value);
  return cell.value >= LEAST_RATIO ? `${number(cell.value)}x` : `${number(1 / cell.value)} times faster`;
};

function tableOf(view: View, found: Turned): HTMLElement {
  const range = rangeOf(found);
  const cellOf = (cell: Cell): HTMLElement => {
    const names = cell.contenders.map((i) => view.journal.contenders[i].name).join("\n");
    const made = h("td", { title: names || false, "data-field": "par2", "data-value": cell.value }, textOf(cell, found));
    if (cell.value !== null) {
      const level = levelOf(cell.value, ...range);
      made.style.background = levelColor(level);
      made.style.color = onLevel(level);
    }
    return made;
  };
  const kind = view.journal.leftOut.find((part) => part.endsWith(":")) ?? "", label = (name: string): HTMLElement => nameOf(kind && name.startsWith(kind) ? name.slice(kind.length) : name);
  const row = (name: string, k: number): HTMLElement => h("tr", {}, h("th", { scope: "row" }, label(name)), found.cells[k].map(cellOf));
  const heads = h("tr", {}, h("th", { scope: "col" }, found.heads[0]), found.columns.map((name) => h("th", { scope: "col" }, label(name))));
  return h("table", { class: found.columns.length > FEW ? "matrix" : "matrix few" }, h("thead", {}, heads), h("tbody", {}, found.rows.map(row)));
}

function drawn(found: Turned): Node {
  const width = LEFT + WIDTH * found.columns.length + 60, height = TOP + ROW * found.rows.length + 10;
  const nodes: Node[] = [], pen = svgPen(nodes), range = rangeOf(found);
  pen.fill(`M0,0H${width}V${height}H0Z`, LIGHT.ground);
  found.columns.forEach((name, k) => {
    const at = `translate(${LEFT + WIDTH * (k + 0.4)},${TOP - 8}) rotate(-30)`;
    nodes.push({ tag: "text", attributes: { transform: at, fill: LIGHT.text }, children: [short(name, 26)] });
  });
  found.cells.forEach((cells, row) => {
    const y = TOP + ROW * row;
    pen.text(LEFT - 8, y + 16, short(found.rows[row], 30), "end", LIGHT.text);
    cells.forEach((cell, column) => {
      const x = LEFT + WIDTH * column, level = cell.value === null ? null : levelOf(cell.value, ...range);
      if (level !== null) pen.fill(`M${x},${y}h${WIDTH}v${ROW}h-${WIDTH}Z`, levelColor(level));
      pen.text(x + WIDTH / 2, y + 16, textOf(cell, found), "middle", level === null ? LIGHT.dim : onLevel(level));
    });
  });
  return picture(width, height, nodes);
}
