import assert from "node:assert/strict";
import { test } from "node:test";
import { HOSTILE, mulberry } from "./sample.ts";
import { fromHash, linkWhere, toHash } from "../src/state.ts";
import { DEFAULTS, type ViewState } from "../src/view.ts";

const TEXTS = [...HOSTILE, "", "-time:cpsat", "a b+c", "50%25", "~0041", "\ud83d\ude00", "native=timeout", "\ud800x\udfff"];
const CHOICES: Partial<Record<keyof ViewState, string[]>> = {
  clock: ["wall", "cpu"],
  rank: ["par2", "par10", "sgm", "solved", "borda", "vbs", "shapley", "shapley-solved"],
  at: ["", "heat", "run"],
  theme: ["auto", "light", "dark"],
};

function randomState(random: () => number): ViewState {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)];
  const one = (key: keyof ViewState, usual: unknown): unknown => {
    if (Array.isArray(usual)) return Array.from({ length: Math.floor(random() * 4) }, () => pick(TEXTS));
    if (typeof usual === "boolean") return random() < 0.5;
    if (typeof usual === "number") return Math.floor(random() * 20);
    if (usual === null) return pick([null, 0, 1e-9, 0.1 + 0.2, 1e21, random()]);
    return pick(CHOICES[key] ?? TEXTS);
  };
  const entries = Object.entries(DEFAULTS).map(([key, usual]) => [key, random() < 0.5 ? usual : one(key as keyof ViewState, usual)]);
  return Object.fromEntries(entries) as unknown as ViewState;
}

test("an address holds a state exactly", () => {
  const random = mulberry(7);
  for (let k = 0; k < 1000; k++) {
    const state = randomState(random);
    const hash = toHash(state);
    assert.deepEqual(fromHash(`#${hash}`), state, hash);
    assert.equal(toHash(fromHash(hash)), hash);
    assert.match(hash, /^[\w%=&+.~!*'()-]*$/);
  }
});

test("the state at the start has an empty address", () => {
  assert.equal(toHash({ ...DEFAULTS }), "");
  assert.deepEqual(fromHash(""), DEFAULTS);
  assert.deepEqual(fromHash("#"), DEFAULTS);
});

test("what an address can't mean is as at the start", () => {
  for (const hash of ["#clock=sundial", "#from=soon", "#to=-1", "#log=perhaps", "#journal=", "#__proto__=x", "#search=%E0%A4%A", "#toString=1", "#/instances"]) {
    assert.deepEqual(fromHash(hash), DEFAULTS, hash);
  }
});

test("a parsed state shares no list with the state at the start", () => {
  fromHash("#where=a%3Dtimeout");
  assert.deepEqual(DEFAULTS.where, []);
});

test("a link adds one condition to an address", () => {
  for (const state of [{ ...DEFAULTS }, { ...DEFAULTS, search: "x y", where: ["cpsat=solved"] }]) {
    const where = "pysat:cadical195[x=1]=timeout";
    assert.deepEqual(fromHash(linkWhere(toHash(state), where)), { ...state, where: [...state.where, where] });
  }
});
