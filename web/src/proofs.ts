// The switch by which an unsatisfiable answer counts only with a proof that holds: harness/reporting/frame/proofs.py.
import { EVIDENCE, everything } from "./filter.ts";
import { once } from "./memo.ts";
import { DECIDED, PROOFLESS, type Contender, type Journal, type Report } from "./report.ts";
import { filteredEntry } from "./sums.ts";

/** Return the report with unsatisfiable answers without such a proof as undecided; what compares journals stays. */
export const requireProofs = once((report: Report): Report => ({ ...report, journals: report.journals.map(provedJournal) }));

/** Return a journal with entries of its summary to match; phases of contenders that lose answers are not known. */
function provedJournal(journal: Journal): Journal {
  const { summary } = journal, proved = { ...journal, scores: {}, contenders: journal.contenders.map(provedContender) };
  const entry = (k: number): any => {
    const { peak } = summary.contenders[k];
    return { ...summary.contenders[k], ...filteredEntry(proved, k, everything(proved)), peak };
  };
  const contenders = journal.contenders.map((c, k) => (proved.contenders[k] === c ? summary.contenders[k] : entry(k)));
  return { ...proved, summary: { ...summary, proofs_required: true, contenders } };
}

/** Return a contender without its unsatisfiable answers without such a proof; the same one if it has none. */
function provedContender(c: Contender): Contender {
  if (!c.proofless.includes(1)) return c;
  const left = ~(EVIDENCE.uncertified | EVIDENCE.confirmed);
  const out = (i: number): boolean => c.proofless[i] === 1 && c.state[i] === DECIDED;
  const without = (column: Uint8Array, value: number): Uint8Array => column.map((old, i) => (out(i) ? value : old));
  return {
    ...c,
    state: without(c.state, PROOFLESS),
    unsatisfiable: without(c.unsatisfiable, 0),
    evidence: c.evidence.map((bits, i) => (out(i) ? bits & left : bits)),
    wall: c.wall.map((time, i) => (out(i) ? NaN : time)),
    cpu: c.cpu.map((time, i) => (out(i) ? NaN : time)),
  };
}
