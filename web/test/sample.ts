// A made-up report from a seeded generator, for tests and for working on the page. Its summary is computed here on its own,
// by plain loops over the columns, so that tests can hold the page's sums against it.
import { STATES, type Contender, type Journal, type Report } from "../src/report.ts";

/** Names that would do harm if they were taken for markup, a formula, or text of one direction. */
export const HOSTILE = ["</script><img src=x onerror=alert(1)>", "=cmd()", "\u202egnp.exe", "x".repeat(500), "a&b=c#d%41+~", "\udc80"];
const FAMILIES = ["sudoku 9x9", "latin 30", "cnf"];

export function sample(instances = 200, contenders = 5, seed = 1): Report {
  return { journals: [sampleJournal(instances, contenders, seed)], comparison: null, headline: null, pairs: null, command: "python -m harness report --html page.html sample.sqlite", version: "0" };
}

export function sampleJournal(n: number, contenders: number, seed: number): Journal {
  const random = mulberry(seed);
  const names = Array.from({ length: n }, (_, i) => (i < HOSTILE.length ? HOSTILE[i] : `corpus${i % 2}:${i + 1}`));
  const family = Uint16Array.from(names, (_, i) => Math.floor((i * FAMILIES.length) / n));
  const hardness = Float64Array.from(names, () => Math.exp(6 * random()));
  const entries = Array.from({ length: contenders }, (_, k) => sampleContender(k, hardness, random));
  const journal: Journal = {
    path: "sample.sqlite",
    ...{ facts: ["5 contenders"], clock: "wall" as const, leftOut: [], start: "", trust: [] },
    headlines: { wall: { sentence: "First place is open", details: [] }, cpu: { sentence: "First place is open", details: [] } },
    limits: { wall: 5, cpu: 5 },
    names,
    corpus: Uint16Array.from(names, (_, i) => i % 2),
    corpora: ["corpus0", "corpus1"],
    family,
    families: FAMILIES,
    block: Int32Array.from(names, (_, i) => i >> 2),
    ...{ searches: null, matrix: { rows: [], columns: [], row: [], column: [], peer: [] }, groups: null, numbers: null },
    verdicts: ["correct", "wrong", "unknown", "error", "uncertified", "corpus_wrong"],
    contenders: entries,
    summary: null,
    drawing: (i) => (i % 3 ? `5 3 . | . 7 .\n6 . . | 1 9 5\n${names[i]}` : null),
    command: (i, k) => `python -m harness replay sample.sqlite ${i + 1} -b '${entries[k].name}'`,
  };
  journal.summary = sampleSummary(journal);
  return journal;
}

function sampleContender(k: number, hardness: Float64Array, random: () => number): Contender {
  const n = hardness.length;
  const name = k === 3 ? HOSTILE[0] : k < 3 ? ["native", "cpsat", "pysat:cadical195[x=1]/extended"][k] : `solver${k}`;
  const c: Contender = {
    name,
    label: name,
    state: new Uint8Array(n),
    unsatisfiable: new Uint8Array(n),
    proofless: new Uint8Array(n),
    verdict: new Uint8Array(n),
    wall: new Float64Array(n).fill(NaN),
    cpu: new Float64Array(n).fill(NaN),
    found: new Int32Array(n),
    evidence: new Uint8Array(n),
    timed: { wall: k !== 6, cpu: k !== 6 },
    effects: { wall: [0], cpu: [0] },
    steady: {},
    why: new Map(),
    logs: new Map(),
  };
  const speed = Math.exp(2 * random());
  for (let i = 0; i < n; i++) {
    const wall = Math.round(1e7 * hardness[i] * speed * Math.exp(random()));
    const bad = random();
    const state = wall > 5e9 ? "timeout" : bad < 0.02 ? STATES[3 + Math.floor(random() * 6)] : "decided";
    c.state[i] = STATES.indexOf(state);
    if (state === "decided") {
      c.wall[i] = wall;
      c.cpu[i] = Math.round(wall * 0.9);
      c.unsatisfiable[i] = i % 7 === 0 ? 1 : 0;
      c.found[i] = 1 - c.unsatisfiable[i];
      c.evidence[i] = i % 5 ? 0 : 16 >> (i % 3);
      c.verdict[i] = c.evidence[i] & 16 ? 4 : 0;
      c.proofless[i] = c.unsatisfiable[i] && !(c.evidence[i] & 1) ? 1 : 0;
    } else {
      c.verdict[i] = state === "wrong" ? 1 : state === "error" ? 3 : 2;
      if (state === "wrong" || state === "error") c.why.set(i, `${state} at ${i}: ${HOSTILE[0]}`);
    }
  }
  return c;
}

function sampleSummary(journal: Journal): any {
  const entries = journal.contenders.map((c) => sampleEntry(c, journal));
  const wrong = journal.contenders.flatMap((c) =>
    [...c.why].filter(([i]) => c.verdict[i] === 1).map(([i, why]) => ({ id: i + 1, puzzle: journal.names[i], contenders: [c.name], why })),
  );
  const n = journal.names.length;
  return {
    schema: 2,
    command: "python -m harness run corpus0 corpus1 -t 5",
    seed: 1,
    count: 1,
    limit: journal.limits.wall,
    cpu_limit: null,
    score_limits: { wall: { seconds: 5, clock: "wall" }, cpu: { seconds: 5, clock: "wall" } },
    proofs_required: false,
    checkers: [],
    journal: journal.path,
    interrupted: false,
    exit: 1,
    host: { system: "Linux", cores: 2, processor: "sample" },
    versions: { python: "3.12.1", crosscheck: "0" },
    corpora: journal.corpora.map((name, k) => ({ name, puzzles: journal.corpus.filter((c) => c === k).length })),
    unit: "puzzle",
    contenders: entries,
    agreement: {
      ...{ puzzles: n, agreed: n - new Set(wrong.map((w) => w.id)).size, outvoted: 0, unjudged: 0, certified: 0, certified_formula: 0, unique: 0, several: 0, none: 0 },
      ...{ uncounted: n, unconfirmed: 0, shown: n, verified: n, disagreements: wrong },
    },
    warnings: ["only 1 repeat of each puzzle: detecting small changes needs -r 5 or more"],
  };
}

function sampleEntry(c: Contender, { limits: { wall: limit }, names }: Journal): any {
  const count = (state: string) => c.state.filter((s) => STATES[s] === state).length;
  const bits = (bit: number) => c.evidence.filter((e) => e & bit).length;
  const unsatisfiable = c.unsatisfiable.filter((u) => u).length;
  return {
    name: c.name,
    version: "1",
    solved: count("decided"),
    satisfiable: count("decided") - unsatisfiable,
    unsatisfiable,
    ...Object.fromEntries(STATES.slice(2).map((state) => [state, count(state)])),
    ...{ certified: bits(1), certified_formula: bits(2), refused: bits(4), unchecked: bits(8), uncertified: bits(16) },
    ...sampleClock(c, c.wall, limit),
    phases: { setup: 0.1, encode: null, load: null, solve: null, decode: null },
    cpu: sampleClock(c, c.cpu, limit),
    amortised: false,
    peak: 1e8,
    counters: {},
    trouble: [...c.why].map(([i, why]) => ({ puzzle: names[i], why, times: 1 })).slice(0, 4),
  };
}

function sampleClock(c: Contender, column: Float64Array, limit: number): any {
  if (!c.timed.wall) return { seconds: { total: null, median: null, mean: null, p95: null, max: null }, puzzles_per_second: null, par2: null, par10: null };
  const times = [...column.filter((t) => t > 0)].map((t) => t / 1e9).sort((a, b) => a - b);
  const total = times.reduce((a, b) => a + b, 0);
  const at = (q: number) => {
    const place = q * (times.length - 1);
    const low = Math.floor(place);
    return times[low] + (place - low) * ((times[low + 1] ?? times[low]) - times[low]);
  };
  const asked = c.state.filter((s) => s).length;
  const par = (factor: number) => (total + factor * limit * (asked - times.length)) / asked;
  return {
    seconds: { total, median: at(0.5), mean: total / times.length, p95: at(0.95), max: times.at(-1) },
    puzzles_per_second: times.length / total,
    par2: par(2),
    par10: par(10),
  };
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
