// The portfolio's closed forms against sums over all orders and subsets; heat cells against plain means.
import assert from "node:assert/strict";
import test from "node:test";
import * as d from "../src/definitions/index.ts";
import { DECIDED, NONE, STATES, UNSUPPORTED, WRONG, type Journal } from "../src/report.ts";

const TIMEOUT = STATES.indexOf("timeout");

/** A journal whose times come from a seeded generator; a third is undecided, some times are equal. */
function made(contenders: number, n: number, seed: number): d.Selection {
  let state = seed;
  const random = (): number => (state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 >>> 0) / 2 ** 32;
  const columns = Array.from({ length: contenders }, (_, k) => {
    const states = Uint8Array.from({ length: n }, () => (random() < 0.33 ? TIMEOUT : DECIDED));
    const wall = Float64Array.from(states, (s) => (s === DECIDED ? Math.ceil(9 * random()) * 1e9 : NaN));
    return { name: `c${k}`, state: states, wall, timed: { wall: true, cpu: true } };
  });
  const journal = { limits: { wall: 10 }, size: 0, contenders: columns, scores: {} } as unknown as Journal;
  return { journal, selected: Int32Array.from({ length: n }, (_, i) => i), of: columns.map((_, i) => i), clock: "wall" };
}

const best = (s: d.Selection, of: number[]): number => {
  const times = Array.from(s.selected, (id) => Math.min(20, ...of.map((i) => s.journal.contenders[i]).filter((c) => c.state[id] === DECIDED).map((c) => c.wall[id] / 1e9)));
  return times.reduce((a, b) => a + b, 0) / times.length;
};
const orders = (list: number[]): number[][] =>
  list.length < 2 ? [list] : list.flatMap((x, k) => orders(list.filter((_, j) => j !== k)).map((rest) => [x, ...rest]));
const near = (a: number, b: number | null, what: string): void => assert.ok(Math.abs(a - b!) < 1e-9, `${what}: ${a} is not ${b}`);

test("the Shapley value is the mean gain over all orders, and the values add up to what the virtual best saves", () => {
  const s = made(4, 25, 7), { best: value, shares } = d.portfolio(s);
  near(value!, best(s, s.of), "virtual best");
  const every = orders(s.of);
  for (const share of shares) {
    const gains = every.map((order) => {
      const before = order.slice(0, order.indexOf(share.index));
      return best(s, before) - best(s, [...before, share.index]);
    });
    near(share.shapley, gains.reduce((a, b) => a + b, 0) / every.length, "Shapley value");
    near(share.marginal, best(s, s.of.filter((i) => i !== share.index)) - value!, "marginal contribution");
  }
  near(shares.reduce((sum, share) => sum + share.shapley, 0), 20 - value!, "sum");
});

test("fastest counts the first of equals, alone only what no other decided, and a mistimed contender has nothing", () => {
  const s = made(3, 40, 3), { shares } = d.portfolio(s);
  const decided = (id: number): number[] => s.of.filter((i) => s.journal.contenders[i].state[id] === DECIDED);
  const fastest = (id: number): number => decided(id).sort((a, b) => s.journal.contenders[a].wall[id] - s.journal.contenders[b].wall[id])[0];
  for (const { index, wins, alone } of shares) {
    assert.equal(wins, [...s.selected].filter((id) => fastest(id) === index).length);
    assert.deepEqual([...alone], [...s.selected].filter((id) => decided(id).length === 1 && decided(id)[0] === index));
  }
  assert.ok(shares.some((share) => share.alone.length));
  s.journal.contenders[0].timed.wall = false;
  const { wins, marginal, shapley } = d.portfolio({ ...s, selected: s.selected.slice() }).shares[0];
  assert.deepEqual({ wins, marginal, shapley }, { wins: 0, marginal: 0, shapley: 0 });
});

test("a portfolio of no instances has no value", () => {
  const s = made(2, 5, 1);
  assert.equal(d.portfolio({ ...s, selected: new Int32Array() }).best, null);
});

test("cells of a heat map hold means of the decided of equally many instances, the easiest first", () => {
  const s = made(3, 30, 5), map = d.heat(s, 10);
  assert.deepEqual([...map.starts], [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
  assert.deepEqual([...map.order].sort((a, b) => a - b), [...s.selected]);
  for (let column = 0; column < 10; column++) {
    const c = s.journal.contenders[1], ids = [...map.order.slice(3 * column, 3 * column + 3)], decided = ids.filter((id) => c.state[id] === DECIDED);
    const mean = Math.exp(decided.reduce((sum, id) => sum + Math.log(c.wall[id] / 1e9), 0) / decided.length);
    assert.ok(decided.length ? Math.abs(map.seconds[1][column] - mean) < 1e-5 * mean : Number.isNaN(map.seconds[1][column]));
    assert.equal(map.decided[1][column], decided.length / 3);
    assert.equal(map.states[1][column], decided.length >= 2 ? DECIDED : TIMEOUT);
  }
});

test("a heat map has no more columns than instances; what was never asked, wrong or unsupported is no time", () => {
  const s = made(3, 4, 9), [a, b] = s.journal.contenders;
  a.state.fill(NONE);
  b.state.fill(WRONG, 0, 1).fill(UNSUPPORTED, 1);
  const map = d.heat(s, 100), at = (id: number): number => map.order.indexOf(id);
  assert.equal(map.seconds[0].length, 4);
  assert.ok(map.seconds[0].every(Number.isNaN) && map.seconds[1].every(Number.isNaN));
  assert.deepEqual([map.states[0][0], map.states[1][at(0)], map.states[1][at(1)]], [NONE, WRONG, UNSUPPORTED]);
});

test("each decided instance is fastest for one contender, the first of equals", () => {
  const s = made(4, 40, 3), found = d.fastest(s), { contenders } = s.journal;
  assert.equal([...found.values()].reduce((a, b) => a + b), [...s.selected].filter((id) => contenders.some((c) => c.state[id] === DECIDED)).length);
  const first = [...s.selected].filter((id) => contenders[0].state[id] === DECIDED && contenders.every((c) => !(c.wall[id] < contenders[0].wall[id])));
  assert.equal(found.get(0), first.length);
});

test("PAR-k of all instances is the summary's own, and that of some is computed", () => {
  const s = made(1, 3, 4), { journal } = s;
  journal.size = 3;
  journal.summary = { contenders: [{ par2: 1.5, par10: 2.5, cpu: { par2: 3.5 } }] };
  assert.deepEqual([d.ranked(s, "par2")[0].value, d.ranked(s, "par10")[0].value, d.ranked({ ...s, clock: "cpu" }, "par2")[0].value], [1.5, 2.5, 3.5]);
  const some = { ...s, selected: Int32Array.of(1) }, { state, wall } = journal.contenders[0];
  assert.equal(d.ranked(some, "par2")[0].value, state[1] === DECIDED ? wall[1] / 1e9 : 20);
});

test("contenders with wrong answers are last, then those without times", () => {
  const s = made(4, 12, 2);
  s.journal.contenders[0].state[0] = WRONG;
  s.journal.contenders[1].timed.wall = false;
  assert.deepEqual(d.ranked(s, "par2").slice(2).map((r) => r.index), [1, 0]);
});
