// Scores of contenders by family and status, and numbers out of logs; of all instances, whatever the filters.
import { ranked } from "../definitions/ranking.ts";
import { h } from "../dom.ts";
import { count, number, seconds } from "../format.ts";
import { clockName, selectionOf } from "../plots/chosen.ts";
import type { Groups } from "../report.ts";
import { toHash } from "../state.ts";
import type { Panel, View, ViewState } from "../view.ts";
import { link, scrolling } from "./controls.ts";

type Group = Groups["groups"][number];
const CONDITIONS: Record<string, string> = { sat: "*=satisfiable", unsat: "*=unsatisfiable", undecided: "*=nobody" };

/** Return the change of the state that selects a group. */
function selecting(field: string, { family, status }: Group): Partial<ViewState> {
  const of = field === "folder" ? { search: `${family}/` } : field === "corpus" ? { corpus: [family] } : field === "kind" ? { family: [family] } : {};
  return { ...of, where: status ? [CONDITIONS[status]] : [] };
}

const NOTHING = (): HTMLElement => h("p", { class: "dim" }, "This journal has none.");

/** Columns of contenders that fit a printed page. */
const PRINTED = 6;

/** Return names and labels of the contenders that are shown, the best first; a printed page has some of them. */
function columnsOf(view: View): { name: string; label: string }[] {
  const all = ranked(selectionOf(view), view.state.rank).map(({ index }) => view.journal.contenders[index]);
  return "print" in document.documentElement.dataset ? all.slice(0, PRINTED) : all;
}

const printedNote = (view: View, shown: number): string => (shown < view.contenders.length ? ` Printed: the first ${shown} of ${count(view.contenders.length)} contenders.` : "");

const heads = (first: string[], view: View): HTMLElement =>
  h("thead", {}, h("tr", {}, first.map((text) => h("th", { scope: "col" }, text)), columnsOf(view).map(({ name, label }) => h("th", { scope: "col", title: name }, label))));

export const groupsPanel: Panel = {
  id: "groups",
  title: "Scores by family",
  short: "Scores",
  whole: true,
  reacts: ["rank"],
  applies: ({ journals }) => journals.some(({ groups }) => groups),
  render(root, view) {
    const of = view.journal.groups, columns = columnsOf(view);
    if (!of) return root.replaceChildren(NOTHING());
    const head = (group: Group): HTMLElement => {
      const where = selecting(of.field, group), text = group.status || group.family;
      return h("th", { scope: "row", class: group.status && of.field ? "part" : null }, link(`#${toHash({ ...view.state, ...where })}`, () => view.update(where), `group ${group.family} ${group.status}`, text));
    };
    const cell = (group: Group, name: string): HTMLElement => {
      const [solved, par2] = group[view.state.clock]?.[name] ?? [null, null];
      return h("td", { "data-field": "group", "data-value": par2 }, solved === null ? "" : h("b", {}, count(solved)), solved === null ? "" : ` ${seconds(par2)}`);
    };
    const rows = of.groups.map((group) => h("tr", {}, head(group), h("td", {}, count(group.instances)), columns.map(({ name }) => cell(group, name))));
    const words = of.field ? `each ${of.field}, satisfiable and unsatisfiable instances apart` : "satisfiable and unsatisfiable instances apart";
    const note = `Instances decided, and PAR-2 (${clockName(view)}), of ${words}: of all instances, whatever the filters. A click on a name selects its instances.${printedNote(view, columns.length)}`;
    root.replaceChildren(h("p", { class: "dim" }, note), scrolling("Scores by family", h("table", { class: "groups" }, heads([of.field, "instances"], view), h("tbody", {}, rows))));
  },
};

export const numbersPanel: Panel = {
  id: "numbers",
  title: "Numbers of programs",
  short: "Numbers",
  whole: true,
  reacts: ["rank"],
  applies: ({ journals }) => journals.some(({ numbers }) => numbers),
  render(root, view) {
    const of = view.journal.numbers, columns = columnsOf(view);
    if (!of) return root.replaceChildren(NOTHING());
    const cell = (value: number | null | undefined): HTMLElement => h("td", { "data-field": "number", "data-value": value ?? null }, value === null || value === undefined ? "-" : number(value));
    const rows = of.names.map((name, k) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, count(of.instances[k])), columns.map((c) => cell(of.contenders[c.name]?.[k]))));
    const note = `Medians of what contenders count and print, over the instances that all contenders with the number decided; of all instances, whatever the filters.${printedNote(view, columns.length)}`;
    root.replaceChildren(h("p", { class: "dim" }, note), scrolling("Numbers of programs", h("table", {}, heads(["number", "instances"], view), h("tbody", {}, rows))));
  },
};
