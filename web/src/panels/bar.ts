// The bar at the top: search, filters, what they leave, and the settings of the whole page.
import { h } from "../dom.ts";
import { conditionLabel } from "../states.ts";
import { splitWhere } from "../filter.ts";
import { seconds } from "../format.ts";
import { once } from "../memo.ts";
import type { Report } from "../report.ts";
import { DEFAULTS, type Panel, type View, type ViewState } from "../view.ts";
import { filterForm } from "./filter_form.ts";
import { choice, select, subset } from "./controls.ts";

interface Parts {
  search: HTMLInputElement;
  settings: HTMLElement;
  chosen: HTMLElement;
  count: HTMLElement;
  chips: HTMLElement;
  form: HTMLElement;
  journal: number;
}

/** What each bar was built of: its fields stay while the page changes, so that typing is not interrupted. */
const built = new WeakMap<HTMLElement, Parts>();
let view: View;

export const bar: Panel = {
  id: "filters",
  title: "Filters",
  whole: true,
  render(root, current) {
    view = current;
    let parts = built.get(root);
    if (!parts) built.set(root, (parts = build(root)));
    if (parts.journal !== view.state.journal) parts.form.replaceChildren(filterForm(() => view));
    parts.journal = view.state.journal;
    if (parts.search.value !== view.state.search) parts.search.value = view.state.search;
    parts.settings.replaceChildren(...settings(view));
    parts.chosen.replaceChildren(...rare(view));
    const text = subset(view);
    if (parts.count.textContent !== text) parts.count.textContent = text;
    parts.chips.replaceChildren(...chips(view));
  },
};

function build(root: HTMLElement): Parts {
  const search = h("input", { type: "search", placeholder: "name contains", "aria-label": "Search names of instances", oninput: find }) as HTMLInputElement;
  const [settings, count] = [h("span", { class: "settings" }), h("span", { role: "status", class: "count" })];
  const [chips, form] = [h("ul", { class: "chips", "aria-label": "Active filters" }), h("div")];
  const chosen = h("span", { class: "settings" });
  const more = h("details", { class: "more" }, h("summary", {}, "Filters and settings"), form, chosen);
  root.replaceChildren(h("div", { class: "controls" }, search, count, more, settings), chips);
  return { search, settings, chosen, count, chips, form, journal: -1 };

  function find(): void {
    view.update({ search: search.value });
  }
}

const PROOFS: [string, string][] = [["false", "any answer"], ["true", "only with a proof that holds"]];

/** Return whether a contender has an unsatisfiable answer, which a proof may be required for. */
const hasUnsatisfiable = once((report: Report) =>
  report.journals.some(({ contenders }) => contenders.some((c) => c.proofless.includes(1) || c.unsatisfiable.includes(1))));

function settings({ report }: View): HTMLElement[] {
  const paths = report.journals.map((j, k): [string, string] => [String(k), j.path]);
  const pick = (value: string) => view.update({ ...DEFAULTS, theme: view.state.theme, journal: Number(value) });
  return [
    ...(paths.length > 1 ? [select("Journal", "journal", paths, String(view.state.journal), pick)] : []),
    choice("Times", "clock", { wall: "wall", cpu: "CPU" }, view),
  ];
}

/** Return the settings that are rarely changed. */
function rare(view: View): HTMLElement[] {
  return [
    ...(hasUnsatisfiable(view.report) ? [select("Unsatisfiable", "proofs", PROOFS, String(view.state.proofs), (value) => view.update({ proofs: value === "true" }))] : []),
    choice("Theme", "theme", { auto: "system", light: "light", dark: "dark" }, view),
  ];
}

/** The state without filters. */
export const CLEARED: Partial<ViewState> = { corpus: [], family: [], where: [], search: "", from: null, to: null, timed: "", hidden: [] };

/** Return a chip for each active filter, which a click removes, and one that removes all. */
function chips(view: View): HTMLElement[] {
  const found = active(view);
  return [...found, ...(found.length > 1 ? [["all filters", CLEARED] as const] : [])].map(([text, change], k) =>
    h("li", {}, h("button", { type: "button", "data-focus": `chip ${k}`, "aria-label": `Remove ${text}`, onclick: () => view.update(change) }, text, " ✕")),
  );
}

/** Return the active filters in words, each with the change that removes it. */
export function active({ state, journal, contenders }: View): [string, Partial<ViewState>][] {
  const without = (key: "corpus" | "family" | "where", value: string) => ({ [key]: state[key].filter((one) => one !== value) });
  const found: [string, Partial<ViewState>][] = [
    ...state.corpus.map((value): [string, Partial<ViewState>] => [`corpus: ${value}`, without("corpus", value)]),
    ...state.family.map((value): [string, Partial<ViewState>] => [`family: ${value}`, without("family", value)]),
    ...state.where.map((value): [string, Partial<ViewState>] => [whereLabel(value), without("where", value)]),
  ];
  if (state.search) found.push([`name: ${state.search}`, { search: "" }]);
  if (state.from !== null || state.to !== null) found.push([rangeLabel(state), { from: null, to: null, timed: "" }]);
  if (state.hidden.length) found.push([`${journal.contenders.length - contenders.length} of ${journal.contenders.length} contenders hidden`, { hidden: [] }]);
  return found;
}

function whereLabel(where: string): string {
  const [name, condition] = splitWhere(where);
  return `${name === "*" ? "any contender" : name}: ${conditionLabel(condition)}`;
}

function rangeLabel({ timed, from, to }: ViewState): string {
  return `time of ${timed || "any"}: ${from === null ? "" : `${seconds(from)} `}to ${to === null ? "limit" : seconds(to)}`;
}
