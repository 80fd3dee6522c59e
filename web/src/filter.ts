// Instances and contenders that a state selects.
//
// A condition is a state ("timeout"), one of decided instances ("solved", "satisfiable"), one of EVIDENCE ("certified"), "unsolved", or a verdict
// of the journal ("verdict:uncertified"); of "*" also "nobody" and "alone": no contender, or one, decided the instance. In ViewState.where it stands after the last "=" of "CONTENDER=CONDITION".
import { secondsAt } from "./definitions/columns.ts";
import { once } from "./memo.ts";
import { DECIDED, STATES, type Clock, type Contender, type Journal, type State } from "./report.ts";
import type { ViewState } from "./view.ts";

/** Bits of Contender.evidence, by key of the summary. */
export const EVIDENCE = { certified: 1, certified_formula: 2, refused: 4, unchecked: 8, uncertified: 16, confirmed: 32 } as const;

/** Conditions of instances that so many contenders decided. */
const DECIDING = ["nobody", "alone"];

type Test = (instance: number) => boolean;

/** Return the indexes of the instances that pass all filters, in the order of the journal. */
export function select(journal: Journal, state: ViewState): Int32Array {
  const tests = filters(journal, state);
  if (!tests.length) return everything(journal);
  const passed = new Int32Array(journal.size);
  let count = 0;
  for (let i = 0; i < passed.length; i++) {
    if (tests.every((test) => test(i))) passed[count++] = i;
  }
  return passed.subarray(0, count);
}

/** Return all instances, always the same array, so that what was computed of it is found again. */
export const everything = once(({ size }: Journal) => new Int32Array(size).map((_, i) => i));

/** Return the indexes of the contenders that are shown. */
export function shown(journal: Journal, state: ViewState): number[] {
  const hidden = new Set(state.hidden);
  return journal.contenders.flatMap((c, k) => (hidden.has(c.name) ? [] : [k]));
}

function filters(journal: Journal, state: ViewState): Test[] {
  const tests: Test[] = [];
  if (state.corpus.length) tests.push(oneOf(journal.corpora, journal.corpus, state.corpus));
  if (state.family.length) tests.push(oneOf(journal.families, journal.family, state.family));
  const some = shown(journal, state).map((k) => journal.contenders[k]);
  for (const where of state.where) {
    const [name, condition] = splitWhere(where), number = DECIDING.indexOf(condition);
    if (number >= 0) {
      const asked = (i: number): boolean => some.some((c) => c.state[i] > 0);
      tests.push((i) => asked(i) && some.reduce((n, c) => n + Number(c.state[i] === DECIDED), 0) === number);
      continue;
    }
    tests.push(anyOf(chosen(journal, some, name), (c) => conditionTest(journal, c, condition)));
  }
  if (state.from !== null || state.to !== null) {
    const from = state.from ?? 0;
    const to = state.to ?? Infinity;
    const timed = chosen(journal, some, state.timed || "*").filter((c) => c.timed[state.clock]);
    tests.push(anyOf(timed, (c) => timeTest(c, state.clock, from, to)));
  }
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) {
    const names = lowerNames(journal);
    tests.push((i) => words.every((word) => names[i].includes(word)));
  }
  return tests;
}

/** Return the contender's name and the condition of "CONTENDER=CONDITION"; names may hold "=", as in pysat:cadical[x=1]. */
export function splitWhere(where: string): [string, string] {
  const at = where.lastIndexOf("=");
  return [where.slice(0, Math.max(at, 0)), where.slice(at + 1)];
}

function chosen(journal: Journal, some: Contender[], name: string): Contender[] {
  return name === "*" ? some : journal.contenders.filter((c) => c.name === name);
}

function anyOf(contenders: Contender[], test: (c: Contender) => Test): Test {
  const tests = contenders.map(test);
  return (i) => tests.some((one) => one(i));
}

function oneOf(names: string[], column: Uint16Array, wanted: string[]): Test {
  const keep = Uint8Array.from(names, (name) => (wanted.includes(name) ? 1 : 0));
  return (i) => keep[column[i]] === 1;
}

function conditionTest(journal: Journal, c: Contender, condition: string): Test {
  if (condition === "unsolved") return (i) => c.state[i] > DECIDED;
  if (condition === "solved") return (i) => c.state[i] === DECIDED;
  if (condition === "satisfiable") return (i) => c.state[i] === DECIDED && !c.unsatisfiable[i];
  if (condition === "unsatisfiable") return (i) => c.unsatisfiable[i] === 1;
  if (Object.hasOwn(EVIDENCE, condition)) {
    const bit = EVIDENCE[condition as keyof typeof EVIDENCE];
    return (i) => (c.evidence[i] & bit) !== 0;
  }
  if (condition.startsWith("verdict:")) {
    const verdict = journal.verdicts.indexOf(condition.slice("verdict:".length));
    return (i) => c.state[i] > 0 && c.verdict[i] === verdict;
  }
  const state = STATES.indexOf(condition as State);
  return (i) => c.state[i] === state;
}

/** Test of the time of a decided instance. */
function timeTest(c: Contender, clock: Clock, from: number, to: number): Test {
  return (i) => {
    if (c.state[i] !== DECIDED) return false;
    const seconds = secondsAt(c, clock, i);
    return seconds >= from && seconds <= to;
  };
}

const lowerNames = once((journal: Journal) => journal.names.map((name) => name.toLowerCase()));
