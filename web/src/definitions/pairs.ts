// Two contenders on the same instances: scatter, ratios, lost and gained; instances that two journals have in common.
import { DECIDED, NONE, STATES, WRONG, type Clock } from "../report.ts";
import { reader, type Side } from "./columns.ts";

/** Instances asked of both of which at least one decided; `corner` counts the others by both states. */
export interface Scatter {
  /** Positions in the sides' ids. */
  at: Int32Array;
  /** Seconds, NaN where not decided. */
  x: Float64Array;
  y: Float64Array;
  xState: Uint8Array;
  yState: Uint8Array;
  corner: [number, number, number][];
}

const STATE_COUNT = STATES.length;

export function scatter(a: Side, b: Side, clock: Clock): Scatter {
  const corner = new Uint32Array(STATE_COUNT * STATE_COUNT), [first, second] = [reader(a.of, clock), reader(b.of, clock)];
  const at = a.ids.map((id, k) => {
    const p = a.of.state[id], q = b.of.state[b.ids[k]];
    if (p === NONE || q === NONE) return -1;
    if (p === DECIDED || q === DECIDED) return k;
    corner[p * STATE_COUNT + q]++;
    return -1;
  }).filter((k) => k >= 0);
  const x = new Float64Array(at.length), y = new Float64Array(at.length);
  const xState = new Uint8Array(at.length), yState = new Uint8Array(at.length);
  for (let k = 0; k < at.length; k++) {
    xState[k] = a.of.state[a.ids[at[k]]];
    yState[k] = b.of.state[b.ids[at[k]]];
    x[k] = xState[k] === DECIDED ? first(a.ids[at[k]]) : NaN;
    y[k] = yState[k] === DECIDED ? second(b.ids[at[k]]) : NaN;
  }
  const counts: [number, number, number][] = [];
  corner.forEach((n, k) => n && counts.push([Math.floor(k / STATE_COUNT), k % STATE_COUNT, n]));
  return { at, x, y, xState, yState, corner: counts };
}

/** Ratios after / before, the largest first, equal ones in order; positions in the sides' ids. */
export interface Differences {
  at: Int32Array;
  ratio: Float64Array;
  lost: Int32Array;
  gained: Int32Array;
}

/** Compare instance by instance; only times above 0 have a ratio. */
export function differences(before: Side, after: Side, clock: Clock): Differences {
  const n = before.ids.length, ratios = new Float64Array(n), [first, second] = [reader(before.of, clock), reader(after.of, clock)];
  const at: number[] = [], lost: number[] = [], gained: number[] = [];
  for (let k = 0; k < n; k++) {
    const p = before.of.state[before.ids[k]], q = after.of.state[after.ids[k]];
    if (p === DECIDED && q === DECIDED) {
      ratios[k] = second(after.ids[k]) / first(before.ids[k]);
      if (ratios[k] > 0 && ratios[k] < Infinity) at.push(k);
    } else if (p === DECIDED && q !== WRONG) lost.push(k);
    else if (p !== NONE && p !== DECIDED && q === DECIDED) gained.push(k);
  }
  const order = Int32Array.from(at).sort((i, j) => ratios[j] - ratios[i] || i - j);
  return { at: order, ratio: Float64Array.from(order, (k) => ratios[k]), lost: Int32Array.from(lost), gained: Int32Array.from(gained) };
}

/** Return the selected instances that are in `from`, and their partners at the same places of `to`. */
export function commonInstances(selected: Int32Array, from: Int32Array, to: Int32Array): [Int32Array, Int32Array] {
  const partners = new Map<number, number>();
  for (let k = 0; k < from.length; k++) partners.set(from[k], to[k]);
  const ids = selected.filter((id) => partners.has(id));
  return [ids, ids.map((id) => partners.get(id)!)];
}
