// Plots without a browser: where points are placed, what the files hold, what is under the pointer.
import assert from "node:assert/strict";
import test from "node:test";
import { thinned } from "../src/definitions/curves.ts";
import { commonInstances } from "../src/definitions/pairs.ts";
import { fitting, linearAxis, logAxis, tickSeconds, timeAxis } from "../src/plots/axis.ts";
import { startOf } from "../src/plots/cactus.ts";
import { chartSvg } from "../src/plots/chart_svg.ts";
import { finder, indexAt } from "../src/plots/lines.ts";
import { LIGHT, focusColor } from "../src/plots/palette.ts";
import { placed, pointFinder, scatterChart, scatterLegend, type Pairing } from "../src/plots/scatter_chart.ts";
import { s, serialised } from "../src/plots/svg.ts";
import { STATES, type Contender, type State } from "../src/report.ts";

const HOSTILE = '</svg><img src=x onerror="alert(1)">\u202e\udc80\u0000&';

function contender(name: string, results: (number | State)[]): Contender {
  const state = Uint8Array.from(results, (r) => STATES.indexOf(typeof r === "number" ? "decided" : r));
  const wall = Float64Array.from(results, (r) => (typeof r === "number" ? r * 1e9 : NaN));
  return { name, state, wall, cpu: wall, timed: { wall: true, cpu: true } } as Contender;
}

function pairing(a: (number | State)[], b: (number | State)[], log = true): Pairing {
  const ids = Int32Array.from(a.keys());
  const side = (name: string, results: (number | State)[]) => ({ of: contender(name, results), ids });
  return {
    before: side("a", a), after: side("b", b), names: ["a", HOSTILE], limit: 10, clock: "wall", clockName: "wall time", log,
    instance: (at) => `instance ${at}`,
  };
}

test("a point of equal times is on the diagonal, and undecided ones are in lanes beyond the limit", () => {
  for (const log of [true, false]) {
    const p = placed(pairing([1, 0.01, 2, 3], [1, 10, "timeout", "wrong"], log));
    assert.equal(p.x[0], p.y[0]);
    assert.equal(p.y[1], p.axes.y.place(10));
    assert.ok(p.y[2] > p.axes.y.place(10) && p.y[3] > p.y[2] && p.y[3] <= 1);
  }
});

test("diagonals stand for multiples, and the corner counts what neither decided", () => {
  const p = pairing([0.1, 5, "timeout", "memory"], [10, 5, "timeout", "error"]), points = placed(p);
  const chart = scatterChart(p, points, LIGHT);
  const tenfold = chart.rules.find((rule) => rule.text === "10x")!;
  assert.deepEqual(tenfold.to.map((v) => v.toFixed(9)), [points.axes.x.place(1), points.axes.y.place(10)].map((v) => v.toFixed(9)));
  assert.deepEqual(chart.notes.map((note) => note.text), ["2"]);
  assert.deepEqual(scatterLegend(chart, LIGHT).map((e) => e.name), ["both decided: 2", "neither, in the corner: 2"]);
});

test("the pointer finds the nearest of very many points, and nothing far from all", () => {
  const times = Array.from({ length: 5000 }, (_, k) => 0.001 + ((k * 7919) % 5003) / 600);
  const p = pairing(times, times.map((_, k) => times[(k * 31) % 5000])), points = placed(p), opened: string[] = [], find = pointFinder(p, points, (name) => opened.push(name));
  for (const k of [0, 17, 4999]) {
    const hit = find(points.x[k], points.y[k], 500, 500)!;
    hit.act!();
    assert.deepEqual([hit.x, hit.y, opened.pop()], [points.x[k], points.y[k], `instance ${points.found.at[k]}`]);
  }
  assert.equal(find(0.5, 0.99, 500, 500), null);
});

test("a file of 200,000 points stays small, since points on the same half pixel are one", () => {
  const times = Float64Array.from({ length: 200_000 }, (_, k) => 0.001 + ((k * 7919) % 200_003) / 20_000);
  const p = pairing([...times], [...times].map((_, k) => times[(k * 31) % 200_000])), chart = scatterChart(p, placed(p), LIGHT);
  assert.equal(chart.dots[0].x.length, 200_000);
  const text = serialised(chartSvg(chart, scatterLegend(chart, LIGHT), 560, 560, LIGHT));
  assert.ok(text.length > 100_000 && text.length < 2_500_000, String(text.length));
});

test("names can't leave the text of a file, and characters that XML forbids are replaced", () => {
  const text = serialised(s("svg", { "data-x": HOSTILE }, s("text", {}, HOSTILE)));
  const safe = "&lt;/svg&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;\u202e\ufffd\ufffd&amp;";
  assert.ok(text.endsWith(`data-x="${safe}"><text>${safe}</text></svg>\n`), text);
  const p = pairing([1], [2]), chart = scatterChart(p, placed(p), LIGHT);
  assert.ok(!serialised(chartSvg(chart, [{ name: HOSTILE, style: { color: "#000000", dash: [], marker: "dot" } }], 500, 500, LIGHT)).includes("<img"));
});

test("the same chart gives the same file", () => {
  const file = (): string => {
    const p = pairing([1, "timeout", 3], [2, 4, "error"]), chart = scatterChart(p, placed(p), LIGHT);
    return serialised(chartSvg(chart, scatterLegend(chart, LIGHT), 500, 500, LIGHT));
  };
  assert.equal(file(), file());
});

test("a logarithmic axis has its decades, a linear one round steps, and times below it are at its start", () => {
  const axis = timeAxis("t", { least: 0.001, most: 10 }, true);
  assert.deepEqual(axis.ticks.map(([, text]) => text), ["1 ms", "10 ms", "100 ms", "1 s", "10 s"]);
  assert.deepEqual([axis.place(0), axis.place(0.0001), axis.place(10)], [0, 0, 1]);
  assert.deepEqual(linearAxis("n", { least: -20, most: 25 }, String).ticks.map(([, text]) => text), ["-20", "-10", "0", "10", "20"]);
  assert.deepEqual(logAxis("r", { least: 0.5, most: 2 }, String).ticks.map(([, text]) => text), ["0.5", "1", "2"]);
  assert.deepEqual([2e-5, 0.5, 5000].map(tickSeconds), ["20 us", "500 ms", "5,000 s"]);
});

test("texts of ticks that would run into each other are left out", () => {
  const ticks: [number, string][] = [[0, "100 ms"], [0.1, "200 ms"], [1, "1 s"]];
  assert.deepEqual(fitting(ticks, 200).map(([, text]) => text), ["100 ms", "", "1 s"]);
  assert.deepEqual(fitting(ticks, 2000), ticks);
});

test("the axis of instances is cropped where curves end near each other, and not where the virtual best is far beyond them", () => {
  const ends = [[400, 367], [400, 250], [400, 100], [39, 39]];
  assert.deepEqual(ends.map(([most, least]) => startOf(most, least)), [280, 200, 0, 0]);
});

test("a thinned curve keeps its ends and every so many points", () => {
  const x = Float64Array.from({ length: 1001 }, (_, k) => k), curve = thinned({ name: "c", x, y: x }, 100);
  assert.ok(curve.x.length <= 102);
  assert.deepEqual([curve.x[0], curve.x[1], curve.x[curve.x.length - 1]], [0, 11, 1000]);
  assert.equal(thinned({ name: "c", x, y: x }, 1001).x, x);
});

test("the pointer reads the nearest line", () => {
  const x = Float64Array.of(0.1, 0.5, 0.9), style = { color: "#000000", dash: [] };
  const lines = [0.2, 0.6].map((at, k) => ({ name: `line ${k}`, style, x, y: x.map(() => at), step: true }));
  const find = finder(lines, (name, k) => ({ text: [name, `${name} at ${k}`] }));
  assert.deepEqual(find(0.6, 0.57, 500, 400)!.text, ["line 1", "line 1 at 1"]);
  assert.equal(find(0.05, 0.2, 500, 400), null);
  assert.deepEqual([0, 0.1, 0.7, 2].map((at) => indexAt(x, at)), [-1, 0, 1, 2]);
});

test("the first contenders in focus differ in colour", () => {
  assert.equal(new Set(Array.from({ length: 8 }, (_, k) => focusColor(k, LIGHT))).size, 8);
});

test("instances of two journals are paired by their places in both", () => {
  const [ids, others] = commonInstances(Int32Array.of(0, 2, 3), Int32Array.of(3, 2, 1), Int32Array.of(7, 8, 9));
  assert.deepEqual([[...ids], [...others]], [[2, 3], [8, 7]]);
});
