// What the page shows: journals as columns. data.ts reads it from the document; nothing else knows how it is stored.

/** Results of a contender on an instance, as harness/reporting/frame/results.py names them, best first. */
export const STATES = ["none", "decided", "proofless", "unknown", "unsupported", "timeout", "memory", "error", "wrong"] as const;
export type State = (typeof STATES)[number];
export const NONE = STATES.indexOf("none"), DECIDED = STATES.indexOf("decided"), PROOFLESS = STATES.indexOf("proofless"), WRONG = STATES.indexOf("wrong");
export const UNSUPPORTED = STATES.indexOf("unsupported");
export type Clock = "wall" | "cpu";

/** Outcomes of one contender, by instance: index 0 is the first instance. */
export interface Contender {
  name: string;
  /** Name without what all contenders share. */
  label: string;
  /** Index into STATES; the worst of the repeats. */
  state: Uint8Array;
  /** 1 where decided as unsatisfiable. */
  unsatisfiable: Uint8Array;
  /** 1 where decided as unsatisfiable, but not in all repeats with a proof that holds of the instance. */
  proofless: Uint8Array;
  /** Index into Journal.verdicts of the worst outcome. */
  verdict: Uint8Array;
  /** Median over repeats in nanoseconds, exact; NaN where undecided. */
  wall: Float64Array;
  cpu: Float64Array;
  /** Solutions given. */
  found: Int32Array;
  /** Bits: 1 certified, 2 certified formula, 4 proof refused, 8 proof unchecked, 16 uncertified, 32 confirmed. */
  evidence: Uint8Array;
  /** False if its times are not known, or do not match the parent's clock: it is in no plot of them and has no PAR. */
  timed: Record<Clock, boolean>;
  /** Of its workers by repeat, as logarithms: harness/reporting/statistics/times.py; null where unknown, empty if imported. */
  effects: Record<Clock, (number | null)[]>;
  /** By clock, times without drift as `wall` has them, NaN where unknown, with what they leave open: harness/reporting/statistics/steady.py. */
  steady: Partial<Record<Clock, { times: Float64Array; noise: number; deviation: number }>>;
  /** Why, by instance: errors, refuted answers, unsupported kinds. */
  why: Map<number, string>;
  /** Files of what its programs printed, by instance, seen from the journal: standard output, and perhaps standard error. */
  logs: Map<number, string[]>;
}

/** Who is first, in words: harness/reporting/views/ranking/headline.py, or what changed: comparing/headline.py. */
export interface Headline {
  sentence: string;
  details: string[];
}

/** What to know before believing a time: harness/reporting/page/trust.py. */
export interface Tile {
  mark: "bad" | "doubt" | "good" | "open";
  head: string;
  text: string;
  /** Condition of the filter that selects what it is about, or "". */
  where: string;
  /** Part of the page that it is about, or "". */
  at: string;
}

/** Value of a solution, or a bound, as the source states it. */
export type Value = { text: string; at: number };

/** A better value that a search found, or a bound. */
export type Step = Value & { seconds: number; bound: boolean };
export type Points = { x: number[]; y: number[] };
export type Band = Points & { low: number[]; high: number[] };

/** Curves by contender, and what they are of. */
export interface Quality extends Record<"proved" | "quality" | "target", Points[]> {
  gap: Band[];
  /** Instances on which contenders differ most. */
  different: number[];
  /** How close to the best known value `target` is. */
  percent: number;
}

/** Searches for the best solution; curves by contender are those of harness/reporting/views/figures/anytime.py, of all instances. */
export interface Searches extends Quality {
  /** By instance: 0 without an objective, 1 to be minimised, 2 to be maximised. */
  sense: Uint8Array;
  /** Return the best known value of an instance. */
  known(instance: number): Value | null;
  course(contender: number, instance: number): Step[];
  /** Return the best value that a contender reached, null without one. */
  reached(contender: number, instance: number): Value | null;
}

/** Encodings by backends, and of each contender its row, column, and number of what it has beside the encoding: harness/reporting/page/groups.py. */
export interface Places {
  rows: string[];
  columns: string[];
  row: number[];
  column: number[];
  peer: number[];
}

/** Scores by family and status, of all instances: harness/reporting/page/groups.py. */
export interface Groups {
  /** What families are: folder, corpus, kind, or "" of one family. */
  field: string;
  groups: ({ family: string; status: string; instances: number } & Record<Clock, Record<string, [solved: number, par2: number | null]>>)[];
}

/** Medians of the numbers that programs have printed, by contender in the order of `names`; of so many common instances. */
export interface Numbers {
  names: string[];
  instances: number[];
  contenders: Record<string, (number | null)[]>;
}

/** Speed-up of a number of cores on the instances of a status: harness/reporting/views/scaling.py. */
export interface ScalingRow extends Record<"speed-up" | "speed-up low" | "speed-up high" | "efficiency" | "CPU/wall" | "luck", number | null> {
  solver: string;
  status: string;
  cores: number;
  decided: number;
  asked: number;
  pairs: number;
  /** How many times as many cores. */
  factor: number;
  /** Speed-ups of instances, of many some. */
  each: number[];
}

/** A score by values of objectives, of all instances: harness/reporting/page/scores.py. */
export interface StoredScore {
  label: string;
  title: string;
  smaller: boolean;
  sums: boolean;
  seconds: boolean;
  clocks: Record<Clock, {
    /** By contender; null where it has no score. */
    rows: ({ score: number; low: number; high: number; seen_low: number | null; seen_high: number | null; rank: number; rank_low: number | null; rank_high: number | null } | null)[];
    /** Indexes of contenders that are not told apart, in the order of the score; null for too many to test each pair. */
    groups: number[][] | null;
  }>;
}

export interface Journal {
  path: string;
  /** The run in a few words. */
  facts: string[];
  /** The clock that the warnings advise. */
  clock: Clock;
  /** Parts that the labels of all contenders lack. */
  leftOut: string[];
  /** Folders that all names of instances begin with, or "". */
  start: string;
  headlines: Record<Clock, Headline>;
  trust: Tile[];
  /** Limit of an instance in seconds that scores by a clock use: its own, else that of the other clock. */
  limits: Record<Clock, number>;
  /** Number of instances. */
  size: number;
  /** Names of instances. */
  names: string[];
  /** Index into corpora, of each instance. */
  corpus: Uint16Array;
  corpora: string[];
  /** Index into families ("sudoku 9x9", "cnf", "latin 30", ...), of each instance. */
  family: Uint16Array;
  families: string[];
  /** The block that held each instance. */
  block: Int32Array;
  /** Families that are resampled, which are the blocks then: what states them, and their number; null without. */
  resampled: [by: string, number: number] | null;
  verdicts: string[];
  contenders: Contender[];
  /** The object that `report --json` writes: docs/reference/summary.md. */
  summary: any;
  matrix: Places;
  groups: Groups | null;
  numbers: Numbers | null;
  /** Null without a solver that has several numbers of cores. */
  scaling: { rows: ScalingRow[]; notes: string[] } | null;
  /** Null without an objective. */
  searches: Searches | null;
  /** Scores by values of objectives, that of the headline first; none without an objective. */
  scores: Record<string, StoredScore>;
  /** Text that shows an instance (a drawn board, or the first lines of its file), where the page has room for it. */
  drawing(instance: number): string | null;
  /** Command that runs a contender on an instance again. */
  command(instance: number, contender: number): string;
}

export interface Report {
  /** One journal, or two to compare: the first is the baseline. */
  journals: Journal[];
  /** What `compare --json` writes of the two, or of two environments of one journal; null if there is nothing to compare. */
  comparison: any | null;
  /** Of two journals, the indexes of the instances that both hold, by content; else null. */
  pairs: [Int32Array, Int32Array] | null;
  /** What the comparison shows, in words. */
  headline: Headline | null;
  /** The command that makes this page again. */
  command: string;
  /** Version of Crosscheck. */
  version: string;
}
