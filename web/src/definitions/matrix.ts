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

/** Return the matrix; if a cell has several contenders, `ratio` compares those that differ in the encoding alone. */
export function matrix(s: Selection, fold: "ratio" | "min"): Matrix {
  const { rows, columns, row, column } = s.journal.matrix, used = (of: number[], names: string[]): number[] => names.map((_, k) => k).filter((k) => s.of.some((i) => of[i] === k));
  const down = used(row, rows), across = used(column, columns), figures = ranked(s, "par2");
  const values = new Map(figures.map((r) => [r.index, r.value])), wrong = new Set(figures.filter((r) => r.wrong).map((r) => r.index));
  const cells = down.map((r) => across.map((c): Cell => {
    const contenders = s.of.filter((i) => row[i] === r && column[i] === c);
    return { contenders, wrong: contenders.some((i) => wrong.has(i)), value: null };
  }));
  const found = { rows: down.map((k) => rows[k]), columns: across.map((k) => columns[k]), cells };
  if (fold === "ratio" && cells.some((line) => line.some((cell) => cell.contenders.length > 1))) {
    return { ...found, reference: found.rows[fillRatios(cells, s.journal.matrix.peer, values)] };
  }
  for (const cell of cells.flat()) cell.value = cell.wrong ? null : least(cell.contenders.map((i) => values.get(i) ?? null));
  return { ...found, reference: null };
}

const least = (values: (number | null)[]): number | null =>
  values.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

/** Give each cell its ratio to the row with the most contenders, whose index is returned. */
function fillRatios(cells: Cell[][], peer: number[], values: Map<number, number | null>): number {
  const sizes = cells.map((row) => row.reduce((n, cell) => n + cell.contenders.length, 0));
  const reference = sizes.indexOf(Math.max(...sizes));
  const peers = (cell: Cell): Map<number, number> => {
    const known = cell.wrong ? [] : cell.contenders.filter((i) => values.get(i));
    return new Map(known.map((i) => [peer[i], values.get(i)!]));
  };
  const bases = cells[reference].map(peers);
  for (const row of cells) {
    row.forEach((cell, column) => {
      const base = bases[column];
      const logs = [...peers(cell)].filter(([key]) => base.has(key)).map(([key, v]) => Math.log(v / base.get(key)!));
      if (logs.length) cell.value = Math.exp(logs.reduce((a, b) => a + b) / logs.length);
    });
  }
  return reference;
}
