// Further columns of the ranking: what they are called, where the summary has them, and which instances their counts are of.
import { countState } from "../definitions/columns.ts";
import { count, number, seconds, timeUnit } from "../format.ts";
import { DECIDED, WRONG } from "../report.ts";
import type { View } from "../view.ts";

export interface Column {
  /** Path in a contender's entry of `report --json`. */
  field: string;
  label: string;
  title: string;
  value(entry: any): number | null;
  format(value: number): string;
  /** Condition of the filter that selects the counted instances. */
  condition?: string;
  better?: "low" | "high";
  /** Of the instances decided alone, so that it compares contenders that decided the same ones. */
  ofDecided?: boolean;
  /** Left out if no contender has a value. */
  optional?: boolean;
  /** Class of a cell that is not 0. */
  mark?: string;
}

/** Return what an entry has at a path such as "cpu.seconds.mean". */
export function valueAt(entry: any, path: string): any {
  return path.split(".").reduce((value, key) => value?.[key] ?? null, entry);
}

function column(field: string, label: string, title: string, format: (value: number) => string, more: Partial<Column> = {}): Column {
  return { field, label, title, format, value: (entry) => valueAt(entry, field), ...more };
}

function counted(field: string, label: string, title: string, more: Partial<Column> = {}): Column {
  return column(field, label, title, count, { condition: field, ...more });
}

const RARE = { optional: true };
const megabytes = (value: number): string => `${count(Math.round(value / 1e6))} MB`;

const COUNTS: Column[] = [
  counted("satisfiable", "sat", "decided with a solution that was checked", RARE),
  counted("unsatisfiable", "unsat", "decided as unsatisfiable", RARE),
  counted("proofless", "no proof", "answered as unsatisfiable without a proof that holds, so not decided", { ...RARE, mark: "bad" }),
  counted("timeout", "timeout", "not decided: time limit", { mark: "bad" }),
  counted("memory", "memory", "not decided: memory limit", { ...RARE, mark: "bad" }),
  counted("unknown", "gave up", "not decided: the contender gave up", { ...RARE, mark: "bad" }),
  counted("unsupported", "unsupported", "not decided: the contender does not support it", RARE),
  counted("error", "error", "not decided: crash or exception", { mark: "bad" }),
  counted("wrong", "wrong", "refuted answers", { mark: "wrong" }),
  counted("certified", "certified", "complete, by a checked proof", RARE),
  counted("certified_formula", "formula cert.", "complete, by a checked proof of a formula that is trusted to mean the instance", RARE),
  counted("refused", "bad proof", "the proof does not hold", { ...RARE, mark: "wrong" }),
  counted("unchecked", "unchecked", "the proof was not checked to its end", RARE),
  counted("uncertified", "unproved", "decided, but neither a known answer nor a checked proof certifies the claim of completeness", RARE),
  counted("confirmed", "confirmed", "complete, and a known answer, a checked proof or an independent contender says so too", RARE),
];

const PHASES = ["encode", "load", "solve", "decode"].map((phase) =>
  column(`phases.${phase}`, phase, `mean time of the phase; all phases add up to the mean`, seconds, RARE),
);

const PEAKS = [
  ["program", "the program alone, as the kernel reports it when it ends"],
  ["worker", "the process that the solver runs in, with Python"],
  ["group", "the worker and its child processes, sampled"],
  ["not known", "the worker or its largest child process"],
];

/** Return which processes an entry's peak memory is of, for most of its asks. */
function peakOf(entry: any): string {
  return Object.keys(entry.peak_of ?? {})[0] ?? "not known";
}

/** Return the columns with the times of the clock that is shown, each in one unit. */
export function columns({ state: { clock, rank } }: View, entries: any[]): Column[] {
  const at = clock === "cpu" ? "cpu." : "";
  const [other, otherAt] = clock === "cpu" ? ["wall", ""] : ["CPU", "cpu."];
  const low = { better: "low" } as const, decided = { ...low, ofDecided: true };
  const all = [
    ...COUNTS.filter((c) => c.field !== "satisfiable" || entries.some((entry) => entry.unsatisfiable)),
    ...(rank === "par2" ? [] : [column(`${at}par2`, "PAR-2", "mean time, with twice the limit for each undecided instance", seconds, low)]),
    column(`${at}par10`, "PAR-10", "mean time, with ten times the limit for each undecided instance", seconds, low),
    column(`${at}seconds.median`, "median", "median time", seconds, decided),
    column(`${at}seconds.mean`, "mean", "mean time", seconds, decided),
    column(`${at}seconds.p95`, "p95", "95 % quantile", seconds, decided),
    column(`${at}seconds.max`, "max", "longest time", seconds, decided),
    column(`${otherAt}seconds.mean`, other, `mean ${other} time`, seconds, decided),
    column(`${at}puzzles_per_second`, "per second", "decided instances divided by their total time", number, { better: "high", ofDecided: true }),
    ...PEAKS.map(([of, title]) => ({
      ...column("peak", `peak: ${of}`, `highest peak of resident memory of ${title}`, megabytes, { ...RARE, ...low }),
      value: (entry: any) => (peakOf(entry) === of ? entry.peak : null),
    })),
    ...(clock === "wall" ? PHASES : []),
  ];
  return all.filter((c) => !c.optional || entries.some((entry) => c.value(entry))).map((c) => inOneUnit(c, entries));
}

function inOneUnit(c: Column, entries: any[]): Column {
  if (c.format !== seconds) return c;
  const unit = timeUnit(entries.map((entry) => c.value(entry)));
  return { ...c, label: `${c.label}, ${unit.name}`, format: unit.text };
}

/** Return the best value of a column, if it tells contenders without wrong answers apart, of times that are of the same instances. */
export function bestOf(view: View, c: Column, entries: any[]): number | null {
  const right = entries.filter((entry) => !entry.wrong), known = right.map((entry) => c.value(entry)).filter((v) => v !== null);
  if (!c.better || new Set(known).size < 2 || (c.ofDecided && !decideAlike(view))) return null;
  return known.reduce((a, b) => (c.better === "low" ? Math.min(a, b) : Math.max(a, b)));
}

/** Return whether the contenders without wrong answers decided the same instances. */
function decideAlike({ journal, selected, contenders }: View): boolean {
  const some = contenders.map((k) => journal.contenders[k]).filter((c) => !countState(c, selected, WRONG));
  return selected.every((id) => some.every((c) => (c.state[id] === DECIDED) === (some[0].state[id] === DECIDED)));
}
