// Words and signs of states: a sign stands beside every colour.
import { STATES, type Contender, type State } from "./report.ts";

/** Sign and label of each state. */
export const STATE_WORDS: Record<State, { sign: string; label: string }> = {
  none: { sign: "", label: "not run" },
  decided: { sign: "✓", label: "decided" },
  proofless: { sign: "∅", label: "no proof" },
  unknown: { sign: "?", label: "gave up" },
  unsupported: { sign: "–", label: "unsupported" },
  timeout: { sign: "T", label: "timeout" },
  memory: { sign: "M", label: "memory" },
  error: { sign: "E", label: "error" },
  wrong: { sign: "✗", label: "wrong" },
};

export const EVIDENCE_LABELS: Record<string, string> = {
  certified: "proof checked",
  certified_formula: "proof of the formula checked",
  refused: "proof refused",
  unchecked: "proof not checked to its end",
  uncertified: "unproved",
  confirmed: "confirmed",
};

export const stateOf = (c: Contender, instance: number): State => STATES[c.state[instance]];

/** Words of the condition of a filter, as chips and titles show it. */
export function conditionLabel(condition: string): string {
  const known: Record<string, string> = {
    ...EVIDENCE_LABELS, solved: "decided", nobody: "decided by nobody", alone: "decided by one alone", unsolved: "not decided",
  };
  return known[condition] ?? STATE_WORDS[condition as State]?.label ?? condition.replace(/^verdict:/, "verdict ").replaceAll("_", " ");
}
