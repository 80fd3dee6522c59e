// Agreement of the contenders with its evidence, disagreements, failures and warnings.
import { h } from "../dom.ts";
import { count, plural } from "../format.ts";
import type { Panel, View } from "../view.ts";
import { growing, openLink } from "./controls.ts";

const MOST = 20;

type Row = [field: string, label: string, meaning: string];
const ROWS: Row[] = [
  ["agreed", "agreed", "two or more contenders decided, and no answer or claim is refuted"],
  ["outvoted", "some refuted", "two or more decided and agree, but another answer or the corpus's claim is refuted"],
  ["unjudged", "single opinion", "fewer than two contenders decided"],
  ["unique", "one solution", "by a complete answer that the corpus, an independent contender or a checked proof confirms"],
  ["several", "several solutions", "two solutions were checked"],
  ["none", "no solution", "by a complete answer that is confirmed"],
  ["uncounted", "number not known", "no evidence on the number of solutions"],
  ["unconfirmed", "counted, unconfirmed", "of those not known: counted completely, but by contenders that are not independent"],
  ["optimal", "optima confirmed", "of instances with an objective, by the corpus or independent contenders"],
  ["unopposed", "optima by one kind", "one kind of solver alone says that no solution is better"],
  ["feasible", "best not known", "a solution was checked, and nobody proved that none is better"],
  ["contradicted", "false certificates", "a certificate says that there are no other solutions, but one was checked"],
  ["certified", "certified", "a checked proof shows that there are no other solutions"],
  ["certified_formula", "formula certified", "a checked proof shows it of a formula that is trusted to mean the instance"],
];

export const agreement: Panel = {
  id: "agreement",
  title: "Agreement",
  whole: true,
  render(root, view) {
    const a = view.journal.summary.agreement;
    const unit = view.journal.summary.unit;
    const shown = ROWS.filter(([field]) => a[field] || field === "agreed");
    root.replaceChildren(
      ...alarms(view),
      warnings(view.journal.summary.warnings),
      h("p", {}, `Of ${plural(a.puzzles, unit)}; `, figure("verified", a.verified), " of ", figure("shown", a.shown), " solutions given are verified."),
      h("table", { class: "agreement" }, h("tbody", {}, shown.map((row) => agreementRow(row, a)))),
      ...disagreements(view),
      ...malformed(view),
      ...failures(view),
    );
  },
};

function agreementRow([field, label, meaning]: Row, a: any): HTMLElement {
  return h("tr", {}, h("th", { scope: "row" }, label), h("td", {}, figure(field, a[field])), h("td", { class: "left dim" }, meaning));
}

function figure(field: string, value: number): HTMLElement {
  return h("span", { "data-field": `agreement.${field}`, "data-value": value }, count(value));
}

/** Return the certificates that a checked solution contradicts: they stand before all else. */
function alarms(view: View): HTMLElement[] {
  const found: any[] = view.journal.summary.alarms ?? [];
  if (!found.length) return [];
  const line = (d: any) => h("li", {}, h("b", { class: "wrong" }, `✗ false certificate: ${d.contenders.join(", ")}`), " · ", openLink(d.puzzle, view, "false certificate"), ` · ${d.why}`);
  return [h("h3", { role: "alert" }, `False certificates (${count(found.length)})`), ...growing(h("ul", { class: "long" }), found, MOST, line)];
}

function blamed(d: any): string {
  if (d.corpus) return "✗ corpus wrong";
  return d.conflict ? "✗ conflict" : `✗ ${d.alarm === "certificate" ? "false certificate" : "wrong"}: ${d.contenders.join(", ")}`;
}

/** Return warnings as a list, or "". */
export function warnings(texts: string[]): HTMLElement | string {
  return texts.length ? h("ul", { class: "warnings", "aria-label": "Warnings" }, texts.map((text) => h("li", {}, h("b", {}, "Warning: "), text))) : "";
}

function disagreements(view: View): HTMLElement[] {
  const found: any[] = view.journal.summary.agreement.disagreements;
  if (!found.length) return [h("p", {}, "No answer and no claim of a corpus is refuted.")];
  const line = (d: any) =>
    h("li", {}, h("b", { class: "wrong" }, blamed(d)), " · ", openLink(d.puzzle, view, "disagreement"), ` · ${d.why}`);
  return [h("h3", {}, `Disagreements (${count(found.length)})`), ...growing(h("ul", { class: "long" }), found, MOST, line)];
}

/** Return the files that could not be read, of which no contender was asked. */
function malformed(view: View): HTMLElement[] {
  const found: any[] = view.journal.summary.malformed ?? [];
  if (!found.length) return [];
  const line = (f: any) => h("li", {}, h("b", { class: "wrong" }, "✗ malformed"), ` · ${f.name}${f.line ? `:${f.line}` : ""} · ${f.reason}`);
  return [h("h3", {}, `Malformed files (${count(found.length)})`), ...growing(h("ul", { class: "long" }), found, MOST, line)];
}

function failures(view: View): HTMLElement[] {
  const { contenders } = view.journal.summary;
  const found = contenders.flatMap((c: any) => c.trouble.map((t: any) => ({ ...t, name: c.name })));
  if (!found.length) return [];
  const label = new Map(view.journal.contenders.map((c) => [c.name, c.label]));
  const line = (t: any) => h("li", {}, h("span", { title: t.name }, label.get(t.name) ?? t.name), " · ", openLink(t.puzzle, view, `failure ${t.name}`), ` · ${t.why} (${plural(t.times, "outcome")})`);
  return [h("h3", {}, `Failures and unsupported instances (${plural(found.length, "kind")})`), ...growing(h("ul", { class: "long" }), found, MOST, line)];
}
