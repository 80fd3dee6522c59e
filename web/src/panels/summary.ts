// Contenders in the order of their rank, with the figures of the summary; under a filter, of the selected instances.
import { countState } from "../definitions/columns.ts";
import { ranked } from "../definitions/ranking.ts";
import { SCORE_LABELS } from "../definitions/scores.ts";
import { h } from "../dom.ts";
import { count } from "../format.ts";
import { selectionOf } from "../plots/chosen.ts";
import { DECIDED, WRONG } from "../report.ts";
import { linkWhere, toHash } from "../state.ts";
import { entries } from "../sums.ts";
import type { Panel, View } from "../view.ts";
import { choice, growing, link, scrolling, subset } from "./controls.ts";
import { columns, type Column } from "./summary_columns.ts";

/** Rows that are drawn at once; one run may have hundreds of contenders. */
const MOST = 60;
const LEGEND =
  "Times are medians over repeats, of decided instances. The best value of a column, of contenders without wrong answers, is bold and underlined; of times of decided instances among those that decided every instance that another did. A count is a link" +
  " to its instances.";

export const summary: Panel = {
  id: "summary",
  title: "Summary",
  reacts: ["rank"],
  render(root, view) {
    const byIndex = entries(view);
    const every = ranked(selectionOf(view), view.state.rank).map(({ index }) => byIndex.get(index));
    const alike = decidedAll(view);
    const shownColumns = columns(view.state.clock, every).filter((c) => !c.optional || every.some((entry) => c.value(entry)));
    const best = shownColumns.map((c) => bestValue(c, every.map((entry) => (entry.wrong || (c.ofDecided && !alike.has(entry.name)) ? null : c.value(entry)))));
    const head = h("tr", {}, h("th", { scope: "col" }, "#"), h("th", { scope: "col", class: "left" }, "contender"), shownColumns.map(headCell));
    const hash = toHash({ ...view.state, open: "" });
    const row = (entry: any) => {
      const cells = shownColumns.map((c, j) => cell(c, entry, best[j], hash, view));
      return h("tr", {}, h("td", {}, every.indexOf(entry) + 1), h("th", { scope: "row", class: "left name", title: entry.name }, entry.name), cells);
    };
    const [rows, more] = growing(h("tbody"), every, MOST, row);
    root.replaceChildren(
      h("div", { class: "controls" }, choice("Rank by", "rank", SCORE_LABELS, view)),
      note(view),
      scrolling("Table of contenders", h("table", { class: "summary" }, h("thead", {}, head), rows)),
      more,
      h("p", { class: "dim" }, LEGEND),
    );
  },
};

function note(view: View): HTMLElement {
  const { journal, selected } = view;
  const unit = journal.summary.unit;
  const proofs = view.state.proofs ? " An unsatisfiable answer counts only with a proof that holds; phases of a contender that loses answers are left out." : "";
  if (selected.length === journal.names.length) return h("p", { class: proofs ? "filtered" : null }, `All ${count(selected.length)} ${unit}s.${proofs}`);
  return h("p", { class: "filtered" }, `Computed again over ${subset(view)} that pass the filters; what the journal sums up as a whole (phases, memory) is left out.${proofs}`);
}

/** Return the names of the contenders without wrong answers that decided every instance that one of them did. */
function decidedAll({ journal, selected, contenders }: View): Set<string> {
  const some = contenders.map((k) => journal.contenders[k]).filter((c) => !countState(c, selected, WRONG));
  const decided = selected.filter((id) => some.some((c) => c.state[id] === DECIDED));
  return new Set(some.filter((c) => countState(c, decided, DECIDED) === decided.length).map((c) => c.name));
}

function headCell(c: Column): HTMLElement {
  return h("th", { scope: "col", title: c.title }, c.label);
}

function cell(c: Column, entry: any, best: number | null, hash: string, view: View): HTMLElement {
  const value = c.value(entry);
  const isBest = best !== null && value === best;
  const text = value === null ? "-" : c.format(value);
  const where = `${entry.name}=${c.condition}`;
  const change = () => view.update({ where: [...view.state.where.filter((one) => one !== where), where] });
  const content = c.condition && value ? link(linkWhere(hash, where), change, `${c.field} ${entry.name}`, text) : text;
  const attributes = { class: isBest ? "best" : value ? c.mark : "zero", "data-contender": entry.name, "data-field": c.field, "data-value": value };
  return h("td", attributes, content, isBest ? h("span", { class: "hidden" }, " best") : null);
}

/** Return the best value of a column with a direction, if it tells contenders apart. */
function bestValue(c: Column, values: (number | null)[]): number | null {
  const known = values.filter((v) => v !== null);
  if (!c.better || known.length < 2 || new Set(known).size < 2) return null;
  return known.reduce((a, b) => (c.better === "low" ? Math.min(a, b) : Math.max(a, b)));
}
