// Matrix of PAR-2: encodings as rows, backends as columns, as `report --matrix` has it.
import type { Selection } from "./columns.ts";
import { ranked } from "./ranking.ts";

export interface Cell {
  /** Indexes of contenders. */
  contenders: number[];
  wrong: boolean;
  value: number | null;
}

export interface Matrix {
  rows: string[];
  columns: string[];
  cells: Cell[][];
  /** Row that ratios refer to; null if cells hold seconds. */
  reference: string | null;
}

/** Fields of a contender in the summary, of which its name is made. */
export type Fields = Record<string, string | boolean | null>;
const DEFAULTS: Fields = { at_most_one: "pairwise", linear: "mixed", table: "support" };
const OTHERS = ["backend", "env", "warm"];

/** Return the name of an encoding with its choices that are not the defaults. */
export function encodingOf(c: Fields): string {
  const chosen = ["at_most_one", "linear", "table"].filter((axis) => c[axis] && c[axis] !== DEFAULTS[axis]);
  return [c.encoding, ...chosen.map((axis) => (axis === "at_most_one" ? c[axis] : `${axis}=${c[axis]}`))].join("+");
}

/** Return the matrix; if a cell has several contenders, `ratio` compares those that differ in the encoding alone. */
export function matrix(s: Selection, fold: "ratio" | "min"): Matrix {
  const fields = new Map<number, Fields>(s.of.map((i) => [i, s.journal.summary.contenders[i]]));
  const distinct = (text: (c: Fields) => string): string[] => [...new Set([...fields.values()].map(text))];
  const rows = distinct(encodingOf), columns = distinct((c) => String(c.backend));
  const cells = rows.map(() => columns.map((): Cell => ({ contenders: [], wrong: false, value: null })));
  const figures = ranked(s, "par2"), values = new Map(figures.map((r) => [r.index, r.value]));
  const wrong = new Set(figures.filter((r) => r.wrong).map((r) => r.index));
  for (const [i, c] of fields) {
    const cell = cells[rows.indexOf(encodingOf(c))][columns.indexOf(String(c.backend))];
    cell.contenders.push(i);
    cell.wrong ||= wrong.has(i);
  }
  if (fold === "ratio" && cells.some((row) => row.some((cell) => cell.contenders.length > 1))) {
    return { rows, columns, cells, reference: rows[fillRatios(cells, fields, values)] };
  }
  for (const cell of cells.flat()) cell.value = cell.wrong ? null : least(cell.contenders.map((i) => values.get(i) ?? null));
  return { rows, columns, cells, reference: null };
}

const least = (values: (number | null)[]): number | null =>
  values.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

/** Give each cell its ratio to the row with the most contenders, whose index is returned. */
function fillRatios(cells: Cell[][], fields: Map<number, Fields>, values: Map<number, number | null>): number {
  const sizes = cells.map((row) => row.reduce((n, cell) => n + cell.contenders.length, 0));
  const reference = sizes.indexOf(Math.max(...sizes));
  const peers = (cell: Cell): Map<string, number> => {
    const known = cell.wrong ? [] : cell.contenders.filter((i) => values.get(i));
    return new Map(known.map((i) => [JSON.stringify(OTHERS.map((part) => fields.get(i)![part] ?? "")), values.get(i)!]));
  };
  const bases = cells[reference].map(peers);
  for (const row of cells) {
    row.forEach((cell, column) => {
      const base = bases[column];
      const logs = [...peers(cell)].filter(([peer]) => base.has(peer)).map(([peer, v]) => Math.log(v / base.get(peer)!));
      if (logs.length) cell.value = Math.exp(logs.reduce((a, b) => a + b) / logs.length);
    });
  }
  return reference;
}
