// Instances by contenders, in a bounded number of cells.
import { DECIDED, NONE, STATES, UNSUPPORTED, WRONG } from "../report.ts";
import { reader, type Selection } from "./columns.ts";

export interface Heat {
  /** Selected instances, easiest first: by the mean logarithm of penalised times. */
  order: Int32Array;
  /** First position in `order` of each column; its last is the next one's first. */
  starts: Int32Array;
  /** By contender, then column: geometric mean of the seconds of decided instances; NaN without any. */
  seconds: Float64Array[];
  /** By contender, then column: decided if half of the instances asked are, else the most frequent other state; wrong if one is. */
  states: Uint8Array[];
  /** By contender, then column: share decided of the instances asked. */
  decided: Float64Array[];
}

const MOST_READ = 4_000_000, FLOOR = 1e-9;

/** Aggregate to at most `columns` columns; of very many instances only as many are read as stay quick. */
export function heat(s: Selection, columns: number): Heat {
  const contenders = s.of.map((i) => s.journal.contenders[i]).filter((c) => c.timed[s.clock]), most = 2 * s.journal.limits[s.clock];
  const step = Math.max(1, Math.ceil((s.selected.length * contenders.length) / MOST_READ));
  const read = step === 1 ? s.selected : s.selected.filter((_, k) => k % step === 0);
  const logs = contenders.map((c) => {
    const { state } = c, time = reader(c, s.clock), column = new Float32Array(read.length).fill(NaN);
    read.forEach((id, k) => {
      if (state[id] !== NONE && state[id] !== UNSUPPORTED) column[k] = Math.log(state[id] === DECIDED ? Math.max(time(id), FLOOR) : most);
    });
    return column;
  });
  const order = byMean(logs, read.length);
  const n = Math.min(columns, read.length), starts = Int32Array.from({ length: n + 1 }, (_, k) => Math.round((k * read.length) / n));
  const seconds = contenders.map(() => new Float64Array(n)), decided = contenders.map(() => new Float64Array(n));
  const states = contenders.map(() => new Uint8Array(n)), numbers = new Uint32Array(STATES.length);
  contenders.forEach((c, j) => {
    for (let column = 0; column < n; column++) {
      let sum = 0;
      numbers.fill(0);
      for (let k = starts[column]; k < starts[column + 1]; k++) {
        const state = c.state[read[order[k]]];
        numbers[state]++;
        if (state === DECIDED) sum += logs[j][order[k]];
      }
      const asked = starts[column + 1] - starts[column] - numbers[NONE], some = numbers[DECIDED];
      seconds[j][column] = Math.exp(sum / some);
      decided[j][column] = some / asked;
      states[j][column] = stateOf(numbers, asked);
    }
  });
  return { order: order.map((k) => read[k]), starts, seconds, states, decided };
}

/** Return the state of a cell from the number of instances in each. */
function stateOf(numbers: Uint32Array, asked: number): number {
  if (numbers[WRONG]) return WRONG;
  if (!asked) return NONE;
  const others = numbers.map((number, state) => (state > DECIDED ? number : 0));
  return 2 * numbers[DECIDED] >= asked ? DECIDED : others.indexOf(Math.max(...others));
}

const FINE = 2 ** 30;

/** Return positions by the mean of their columns, to a resolution of 2**-30 of the range; those without any are last. */
function byMean(logs: Float32Array[], n: number): Int32Array {
  const sums = new Float64Array(n), asked = new Uint32Array(n);
  for (const column of logs) {
    for (let k = 0; k < n; k++) {
      if (Number.isNaN(column[k])) continue;
      sums[k] += column[k];
      asked[k]++;
    }
  }
  let least = Infinity, most = -Infinity;
  for (let k = 0; k < n; k++) {
    if (!asked[k]) continue;
    sums[k] /= asked[k];
    least = Math.min(least, sums[k]);
    most = Math.max(most, sums[k]);
  }
  const scale = most > least ? FINE / (most - least) : 0;
  const keys = sums.map((mean, k) => (asked[k] ? Math.floor((mean - least) * scale) : 2 * FINE) * n + k).sort();
  return Int32Array.from(keys, (key) => key % n);
}
