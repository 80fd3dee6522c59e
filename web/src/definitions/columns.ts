// Columns of selected instances. Times in a journal are nanoseconds; here and in all definitions they are seconds.
import { cached, once } from "../memo.ts";
import { DECIDED, NONE, STATES, type Clock, type Contender, type Journal } from "../report.ts";

/** One contender on instances in an order that both sides of a pair share. */
export interface Side {
  of: Contender;
  ids: Int32Array;
}

/** Contenders of a journal on selected instances, `of` indexes journal.contenders. */
export interface Selection {
  journal: Journal;
  selected: Int32Array;
  of: number[];
  clock: Clock;
}

/** Return the seconds of a decided instance; 0 where below the clock's resolution. */
export const secondsAt = (c: Contender, clock: Clock, id: number): number => reader(c, clock)(id);

/** Return what reads the seconds of one instance after another. */
export function reader(c: Contender, clock: Clock): (id: number) => number {
  const times = c[clock];
  return (id) => (times[id] || 0) / 1e9;
}

/** Return the seconds of an instance, or what counts if it is not decided. */
export const secondsOr = (c: Contender, clock: Clock, id: number, undecided: number): number =>
  c.state[id] === DECIDED ? secondsAt(c, clock, id) : undecided;

/** Write the seconds of each instance, NaN where not decided; `untimed` replaces those that can't be trusted. */
export function timesOf(c: Contender, clock: Clock, selected: Int32Array, untimed: number, into: Float64Array): void {
  const { state, [clock]: times, timed: { [clock]: known } } = c;
  for (let i = 0; i < selected.length; i++) {
    const id = selected[i];
    into[i] = state[id] !== DECIDED ? NaN : known ? (times[id] || 0) / 1e9 : untimed;
  }
}

/** Return whether the contender was asked some of the instances. */
export const asksSome = (c: Contender, selected: Int32Array): boolean => countState(c, selected, NONE) < selected.length;

/** Return the contenders of a selection whose times can be trusted. */
export const timed = (s: Selection): number[] => s.of.filter((i) => s.journal.contenders[i].timed[s.clock]);

const counts = once((_: Int32Array) => new Map<Uint8Array, Uint32Array>());

/** Return the number of the instances in each state; computed once per selection. */
export function stateCounts({ state }: Contender, selected: Int32Array): Uint32Array {
  return cached(counts(selected), state, () => {
    const found = new Uint32Array(STATES.length);
    for (let k = 0; k < selected.length; k++) found[state[selected[k]]]++;
    return found;
  });
}

/** Return how many of the instances the contender has in a state. */
export const countState = (c: Contender, selected: Int32Array, state: number): number => stateCounts(c, selected)[state];

const sorted = once((_: Int32Array) => new Map<Float64Array, Float64Array>());

/** Return the seconds of the decided instances, ascending; computed once per selection. */
export function sortedTimes(c: Contender, clock: Clock, selected: Int32Array): Float64Array {
  return cached(sorted(selected), c[clock], () => {
    const times = new Float64Array(countState(c, selected, DECIDED)), { state } = c, seconds = reader(c, clock);
    for (let k = 0, n = 0; k < selected.length; k++) if (state[selected[k]] === DECIDED) times[n++] = seconds(selected[k]);
    return times.sort();
  });
}
