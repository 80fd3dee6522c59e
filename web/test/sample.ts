// A made-up journal from a seeded generator, with what tests read of it. Its summary is computed here on its own, by plain loops
// over the columns, so that tests can hold the page's sums against it.
import { select, shown } from "../src/filter.ts";
import { STATES, type Contender, type Journal, type Report } from "../src/report.ts";
import { DEFAULTS, type View, type ViewState } from "../src/view.ts";

/** Names that would do harm if they were taken for markup, a formula, or text of one direction. */
export const HOSTILE = ["</script><img src=x onerror=alert(1)>", "=cmd()", "\u202egnp.exe", "x".repeat(500), "a&b=c#d%41+~", "\udc80"];
const FAMILIES = ["sudoku 9x9", "latin 30", "cnf"], LIMIT = 5;

/** Return the view of a journal, with changes to the state at the start. */
export function viewOf(journal: Journal, change: Partial<ViewState>): View {
  const state = { ...DEFAULTS, ...change }, report = { journals: [journal] } as Partial<Report> as Report;
  return { report, journal, state, selected: select(journal, state), contenders: shown(journal, state), update: () => {} };
}

export function sampleJournal(n: number, contenders: number, seed: number): Journal {
  const random = mulberry(seed);
  const names = Array.from({ length: n }, (_, i) => (i < HOSTILE.length ? HOSTILE[i] : `corpus${i % 2}:${i + 1}`));
  const hardness = Float64Array.from(names, () => Math.exp(6 * random()));
  const entries = Array.from({ length: contenders }, (_, k) => sampleContender(k, hardness, random));
  const journal: Partial<Journal> = {
    limits: { wall: LIMIT, cpu: LIMIT },
    size: n,
    names,
    corpus: Uint16Array.from(names, (_, i) => i % 2),
    corpora: ["corpus0", "corpus1"],
    family: Uint16Array.from(names, (_, i) => Math.floor((i * FAMILIES.length) / n)),
    families: FAMILIES,
    verdicts: ["correct", "wrong", "unknown", "error", "uncertified", "corpus_wrong"],
    contenders: entries,
    summary: { contenders: entries.map(sampleEntry) },
    scores: {},
  };
  return journal as Journal;
}

function sampleContender(k: number, hardness: Float64Array, random: () => number): Contender {
  const n = hardness.length;
  const c = {
    name: k === 3 ? HOSTILE[0] : k < 3 ? ["native", "cpsat", "pysat:cadical195[x=1]/extended"][k] : `solver${k}`,
    state: new Uint8Array(n),
    unsatisfiable: new Uint8Array(n),
    verdict: new Uint8Array(n),
    wall: new Float64Array(n).fill(NaN),
    cpu: new Float64Array(n).fill(NaN),
    evidence: new Uint8Array(n),
    timed: { wall: k !== 6, cpu: k !== 6 },
  };
  const speed = Math.exp(2 * random());
  for (let i = 0; i < n; i++) {
    const wall = Math.round(1e7 * hardness[i] * speed * Math.exp(random()));
    const bad = random();
    const state = wall > LIMIT * 1e9 ? "timeout" : bad < 0.02 ? STATES[3 + Math.floor(random() * 6)] : "decided";
    c.state[i] = STATES.indexOf(state);
    if (state === "decided") {
      c.wall[i] = wall;
      c.cpu[i] = Math.round(wall * 0.9);
      c.unsatisfiable[i] = i % 7 === 0 ? 1 : 0;
      c.evidence[i] = i % 5 ? 0 : 16 >> (i % 3);
      c.verdict[i] = c.evidence[i] & 16 ? 4 : 0;
    } else c.verdict[i] = state === "wrong" ? 1 : state === "error" ? 3 : 2;
  }
  return c as Partial<Contender> as Contender;
}

function sampleEntry(c: Contender): any {
  const count = (state: string) => c.state.filter((s) => STATES[s] === state).length;
  const bits = (bit: number) => c.evidence.filter((e) => e & bit).length;
  const unsatisfiable = c.unsatisfiable.filter((u) => u).length;
  return {
    name: c.name,
    solved: count("decided"),
    satisfiable: count("decided") - unsatisfiable,
    unsatisfiable,
    ...Object.fromEntries(STATES.slice(2).map((state) => [state, count(state)])),
    ...{ certified: bits(1), certified_formula: bits(2), refused: bits(4), unchecked: bits(8), uncertified: bits(16), confirmed: bits(32) },
    ...sampleClock(c, c.wall),
    cpu: sampleClock(c, c.cpu),
    amortised: false,
  };
}

function sampleClock(c: Contender, column: Float64Array): any {
  if (!c.timed.wall) return { seconds: { total: null, median: null, mean: null, p95: null, max: null }, puzzles_per_second: null, par2: null, par10: null };
  const times = [...column.filter((t) => t > 0)].map((t) => t / 1e9).sort((a, b) => a - b);
  const total = times.reduce((a, b) => a + b, 0);
  const at = (q: number) => {
    const place = q * (times.length - 1);
    const low = Math.floor(place);
    return times[low] + (place - low) * ((times[low + 1] ?? times[low]) - times[low]);
  };
  const asked = c.state.filter((s) => s).length;
  const par = (factor: number) => (total + factor * LIMIT * (asked - times.length)) / asked;
  return {
    seconds: { total, median: at(0.5), mean: total / times.length, p95: at(0.95), max: times.at(-1) },
    puzzles_per_second: times.length / total,
    par2: par(2),
    par10: par(10),
  };
}

/** Return what a generator returns. */
export function last<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Return a generator of numbers from 0 to below 1, Mulberry32. */
export function mulberry(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
