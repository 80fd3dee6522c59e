// Contenders in the order of their rank, with the figures of the summary; under a filter, of the selected instances.
import { h } from "../dom.ts";
import { count } from "../format.ts";
import { linkWhere, toHash } from "../state.ts";
import { entries } from "../sums.ts";
import type { Panel, View, ViewState } from "../view.ts";
import { choice, growing, link, subset } from "./controls.ts";
import { columns, type Column } from "./summary_columns.ts";

const RANKS: Record<ViewState["rank"], string> = { par2: "PAR-2", par10: "PAR-10", solved: "instances decided" };

/** Rows that are drawn at once; one run may have hundreds of contenders. */
const MOST = 60;
const LEGEND =
  "Times are medians over repeats, of decided instances. The best value of a column, of contenders without wrong answers, is bold and underlined. A count is a link" +
  " to its instances.";

export const summary: Panel = {
  id: "summary",
  title: "Summary",
  reacts: ["rank"],
  render(root, view) {
    const byIndex = entries(view);
    const ranked = ranking(view, byIndex);
    const every = ranked.map((k) => byIndex.get(k));
    const shownColumns = columns(view.state.clock, every).filter((c) => !c.optional || every.some((entry) => c.value(entry)));
    const best = shownColumns.map((c) => bestValue(c, every.map((entry) => (entry.wrong ? null : c.value(entry)))));
    const head = h("tr", {}, h("th", { scope: "col" }, "#"), h("th", { scope: "col", class: "left" }, "contender"), shownColumns.map(headCell));
    const hash = toHash({ ...view.state, open: "" });
    const row = (entry: any) => {
      const cells = shownColumns.map((c, j) => cell(c, entry, best[j], hash, view));
      return h("tr", {}, h("td", {}, every.indexOf(entry) + 1), h("th", { scope: "row", class: "left name", title: entry.name }, entry.name), cells);
    };
    const [rows, more] = growing(h("tbody"), every, MOST, row);
    root.replaceChildren(
      h("div", { class: "controls" }, choice("Rank by", "rank", RANKS, view)),
      note(view),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of contenders" },
        h("table", { class: "summary" }, h("thead", {}, head), rows),
      ),
      more,
      h("p", { class: "dim" }, LEGEND),
    );
  },
};

/** Return the contenders in order of their rank; those with wrong answers are last, as in the terminal. */
export function ranking(view: View, byIndex: Map<number, any>): number[] {
  const { rank, clock } = view.state;
  const par = (entry: any, key: string): number => (clock === "cpu" ? entry.cpu : entry)[key] ?? Infinity;
  const key = (entry: any): number[] => {
    const unsolved = -(entry.solved + entry.unsatisfiable);
    return [Number(entry.wrong > 0), ...(rank === "solved" ? [unsolved, par(entry, "par2")] : [par(entry, rank)])];
  };
  const keys = new Map([...byIndex].map(([k, entry]) => [k, key(entry)]));
  return [...byIndex.keys()].sort((a, b) => {
    const [x, y] = [keys.get(a) as number[], keys.get(b) as number[]];
    const at = x.findIndex((value, j) => value !== y[j]);
    return at < 0 ? a - b : x[at] < y[at] ? -1 : 1;
  });
}

function note(view: View): HTMLElement {
  const { journal, selected } = view;
  const unit = journal.summary.unit;
  if (selected.length === journal.names.length) return h("p", {}, `All ${count(selected.length)} ${unit}s.`);
  return h("p", { class: "filtered" }, `Computed again over ${subset(view)} that pass the filters; what the journal sums up as a whole (phases, memory) is left out.`);
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
