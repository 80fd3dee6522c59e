// Fields that add a filter each.
import { h } from "../dom.ts";
import { EVIDENCE } from "../filter.ts";
import { STATES } from "../report.ts";
import { conditionLabel } from "../states.ts";
import type { View } from "../view.ts";

/** Return the form; `view` gives the view at the time of a change. */
export function filterForm(view: () => View): HTMLElement {
  const { journal } = view();
  const names = journal.contenders.map((c) => c.name);
  return h(
    "div",
    { class: "filters" },
    adder("Corpus", journal.corpora, "corpus", view),
    adder("Family", journal.families, "family", view),
    outcome(names, view),
    range(names, view),
    contenders(names, view),
  );
}

function options(values: string[], label: (value: string) => string = String): HTMLElement[] {
  return values.map((value) => h("option", { value }, label(value)));
}

/** Return a choice that adds the chosen name to a list of the state. */
function adder(label: string, names: string[], key: "corpus" | "family", view: () => View): HTMLElement {
  const select = h("select", { onchange: add }, h("option", { value: "" }, names.length > 1 ? "any" : names[0]), options(names)) as HTMLSelectElement;
  return h("label", {}, `${label} `, select);

  function add(): void {
    const { value } = select;
    const now = view().state[key];
    select.value = "";
    if (value && !now.includes(value)) view().update({ [key]: [...now, value] });
  }
}

/** Return a choice of contender and condition, and the button that adds them. */
function outcome(names: string[], view: () => View): HTMLElement {
  const verdicts = view().journal.verdicts.filter((verdict) => verdict !== "none").map((verdict) => `verdict:${verdict}`);
  const conditions = ["solved", "satisfiable", "unsatisfiable", "unsolved", ...STATES.filter((state) => state !== "decided"), ...Object.keys(EVIDENCE), ...verdicts];
  const who = h("select", { "aria-label": "Contender" }, h("option", { value: "*" }, "any contender"), options(names)) as HTMLSelectElement;
  const what = h("select", { "aria-label": "Outcome" }, options(conditions, conditionLabel)) as HTMLSelectElement;
  return h("span", {}, "Outcome ", who, " ", what, " ", h("button", { type: "button", onclick: add }, "Add"));

  function add(): void {
    const where = `${who.value}=${what.value}`;
    const now = view().state.where;
    if (!now.includes(where)) view().update({ where: [...now, where] });
  }
}

function range(names: string[], view: () => View): HTMLElement {
  const who = h("select", { "aria-label": "Contender of the time" }, h("option", { value: "" }, "any contender"), options(names)) as HTMLSelectElement;
  const number = (label: string) => h("input", { type: "number", min: 0, step: "any", size: 7, "aria-label": label }) as HTMLInputElement;
  const [from, to] = [number("Seconds at least"), number("Seconds at most")];
  return h("span", {}, "Time of ", who, " from ", from, " to ", to, " s ", h("button", { type: "button", onclick: set }, "Set"));

  function set(): void {
    const value = (input: HTMLInputElement) => (Number.isFinite(input.valueAsNumber) ? Math.max(input.valueAsNumber, 0) : null);
    view().update({ timed: who.value, from: value(from), to: value(to) });
  }
}

/** Return fields to show some of the contenders, by what their names contain. */
function contenders(names: string[], view: () => View): HTMLElement {
  const text = h("input", { type: "text", placeholder: "name contains", "aria-label": "Contenders whose names contain" }) as HTMLInputElement;
  const matches = (name: string) => name.toLowerCase().includes(text.value.toLowerCase());
  const only = () => view().update({ hidden: names.filter((name) => !matches(name)) });
  const hide = () => view().update({ hidden: names.filter((name) => view().state.hidden.includes(name) || matches(name)) });
  const button = (label: string, onclick: () => void) => h("button", { type: "button", onclick }, label);
  return h("span", {}, `${names.length} contenders `, text, " ", button("Show only", only), " ", button("Hide", hide));
}
