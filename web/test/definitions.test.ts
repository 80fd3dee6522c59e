// The shared cases of plots: tests/reporting/plots/cases.json, which Python's definitions are held to as well.
import assert from "node:assert/strict";
import test from "node:test";
import { cases } from "../../tests/reporting/plots/cases.json";
import * as d from "../src/definitions/index.ts";
import { STATES, type Journal, type State } from "../src/report.ts";
import { last } from "./sample.ts";

interface Case {
  n: number;
  limit: number;
  contenders: { name: string; backend: string; encoding: string; warm: boolean; states: string[]; ns: (number | null)[]; mistimed?: boolean }[];
}

/** Compare numbers with a relative tolerance of 1e-9, NaN as null, typed arrays as arrays. */
function same(got: any, want: any, path: string): void {
  if (typeof want === "number") assert.ok(Math.abs(got - want) <= 1e-9 * Math.max(1e-9, Math.abs(want)), `${path}: ${got} is not ${want}`);
  else if (want === null) assert.ok(got === null || Number.isNaN(got), `${path}: ${got} is not null`);
  else if (Array.isArray(want)) {
    assert.equal(got.length, want.length, `${path}: length`);
    want.forEach((w, k) => same(got[k], w, `${path}[${k}]`));
  } else if (typeof want === "object") for (const k of Object.keys(want)) same(got[k], want[k], `${path}.${k}`);
  else assert.equal(got, want, path);
}

function selection({ n, limit, contenders }: Case): d.Selection {
  const columns = contenders.map((c) => ({
    name: c.name,
    state: Uint8Array.from(c.states, (s) => STATES.indexOf(s as State)),
    wall: Float64Array.from(c.ns, (ns) => ns ?? NaN),
    timed: { wall: !c.mistimed, cpu: !c.mistimed },
    effects: { wall: [c.ns.some((ns) => ns) ? 0 : null], cpu: [] },
    steady: {},
  }));
  const places = { row: contenders.map((c) => c.encoding), column: contenders.map((c) => c.backend), peer: contenders.map((c) => `${c.backend} ${c.warm}`) };
  const distinct = (texts: string[]): string[] => [...new Set(texts)], at = (texts: string[]): number[] => texts.map((text) => distinct(texts).indexOf(text));
  const matrix = { rows: distinct(places.row), columns: distinct(places.column), row: at(places.row), column: at(places.column), peer: at(places.peer) };
  const journal = { matrix, limits: { wall: limit }, size: 0, block: Int32Array.from({ length: n }, (_, i) => i), contenders: columns, summary: { contenders }, resampled: null, scores: {} } as unknown as Journal;
  return { journal, selected: Int32Array.from({ length: n }, (_, i) => i), of: contenders.map((_, i) => i), clock: "wall" };
}

const side = (s: d.Selection, name: string): d.Side => ({ of: s.journal.contenders.find((c) => c.name === name)!, ids: s.selected });
const ids = (at: Int32Array): number[] => Array.from(at, (k) => k + 1);

const states = (numbers: Uint8Array): string[] => Array.from(numbers, (k) => STATES[k]);

for (const { name, expected, ...input } of cases) {
  const s = selection(input);
  test(`curves: ${name}`, () => {
    assert.deepEqual(s.of.filter((i) => !d.timed(s).includes(i)).map((i) => s.journal.contenders[i].name), expected.untimed);
    same(d.cactus(s, false), expected.cactus, "cactus");
    same(d.cactus(s, true), expected.score, "score");
    same(d.virtualBest(s), expected.virtual_best, "virtual_best");
    same(d.ecdf(s), expected.ecdf, "ecdf");
  });
  test(`PAR-2: ${name}`, () => {
    const { ends } = last(d.standing(s, "par2"));
    for (const want of expected.par2) {
      const r = d.ranked(s, "par2").find((r) => s.journal.contenders[r.index].name === want.name)!;
      const { low, high } = ends.get(r.index) ?? { low: null, high: null };
      same({ solved: r.solved, value: r.value }, { solved: want.solved, value: want.value }, want.name);
      if (want.asked === s.selected.length) same({ low, high }, { low: want.low, high: want.high }, want.name); // else the draws differ
    }
  });
  test(`matrix: ${name}`, () => {
    for (const { fold, reference, rows, columns, values, wrong } of expected.matrix) {
      const got = d.matrix(s, fold as "ratio" | "min");
      const cells = { values: got.cells.map((row) => row.map((c) => c.value)), wrong: got.cells.map((row) => row.map((c) => c.wrong)) };
      same({ ...got, ...cells }, { reference, rows, columns, values, wrong }, fold);
    }
  });
  const { scatter, compare } = expected;
  if (!scatter || !compare) continue;
  test(`pairs: ${name}`, () => {
    const got = d.scatter(side(s, scatter.a), side(s, scatter.b), "wall");
    const corner = got.corner.map(([p, q, n]) => [STATES[p], STATES[q], n]);
    const { a, b, ...want } = scatter;
    same({ ids: ids(got.at), x: got.x, y: got.y, x_state: states(got.xState), y_state: states(got.yState), corner }, want, "scatter");
  });
  test(`differences: ${name}`, () => {
    const got = d.differences(side(s, compare.a), side(s, compare.b), "wall");
    const { a, b, ...want } = compare;
    same({ ids: ids(got.at), ratio: got.ratio, lost: ids(got.lost), gained: ids(got.gained) }, want, "compare");
  });
}
