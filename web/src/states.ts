// Words and signs of states: a sign stands beside every colour.
import { STATES } from "./report.ts";
import type { Contender, State } from "./report.ts";

export const SIGNS: Record<State, string> = {
  none: "",
  decided: "✓",
  proofless: "∅",
  unknown: "?",
  unsupported: "–",
  timeout: "T",
  memory: "M",
  error: "E",
  wrong: "✗",
};

export const LABELS: Record<State, string> = {
  none: "not run",
  decided: "decided",
  proofless: "no proof",
  unknown: "gave up",
  unsupported: "unsupported",
  timeout: "timeout",
  memory: "memory",
  error: "error",
  wrong: "wrong",
};

export const EVIDENCE_LABELS: Record<string, string> = {
  certified: "proof checked",
  certified_formula: "proof of the formula checked",
  refused: "proof refused",
  unchecked: "proof not checked to its end",
  uncertified: "unproved",
};

export const stateOf = (c: Contender, instance: number): State => STATES[c.state[instance]];

/** Words of the condition of a filter, as chips and titles show it. */
export function conditionLabel(condition: string): string {
  const known: Record<string, string> = {
    ...LABELS,
    ...EVIDENCE_LABELS,
    solved: "decided",
    nobody: "decided by nobody",
    alone: "decided by one alone",
    satisfiable: "satisfiable",
    unsatisfiable: "unsatisfiable",
    unsolved: "not decided",
  };
  return known[condition] ?? condition.replace(/^verdict:/, "verdict ").replaceAll("_", " ");
}
