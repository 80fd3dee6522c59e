// What stands around every plot: controls above, legend below, the numbers as a table, and the file.
import { h } from "../dom.ts";
import { count } from "../format.ts";
import { download, openLink, scrolling } from "../panels/controls.ts";
import { printable } from "../printable.ts";
import type { View, ViewState } from "../view.ts";
import { paintSample, svgPen, type Entry } from "./chart_svg.ts";
import { element, s, serialised, type Node } from "./svg.ts";

export type Cell = string | number | HTMLElement;

/** A table behind a plot. */
export interface Table {
  heads: Cell[];
  rows: Cell[][];
  /** What is not in the rows. */
  more?: string;
}

interface Figure {
  controls?: HTMLElement[];
  /** Text above the plot. */
  note?: string;
  plot: HTMLElement;
  legend?: HTMLElement;
  table?: () => Table;
  /** Name of the file, without its ending, and its picture. */
  file: string;
  svg: () => Node;
}

/** Return a figure as an element. */
export function figure(f: Figure): HTMLElement {
  const file = () => download(`${f.file}.svg`, [serialised(f.svg())], "image/svg+xml");
  const save = h("button", { onclick: file, "data-focus": `svg-${f.file}` }, "Save as SVG");
  return h(
    "div",
    { class: "figure" },
    h("div", { class: "controls" }, f.controls ?? [], save),
    f.note ? h("p", { class: "dim" }, f.note) : null,
    f.plot,
    f.legend,
    f.table ? details(f.table, `Table of ${f.file}`) : null,
  );
}

/** Return the table behind a plot, made when it is opened. */
function details(table: () => Table, label: string): HTMLElement {
  const inside = scrolling(label);
  const fill = (): void => {
    if (!inside.firstChild) inside.append(tableElement(table()));
  };
  return h("details", { ontoggle: fill }, h("summary", {}, "Table of this plot"), inside);
}

export function tableElement({ heads, rows, more }: Table): HTMLElement {
  const line = (row: Cell[]): HTMLElement => h("tr", {}, row.map((cell, k) => (k ? h("td", {}, cell) : h("th", { scope: "row" }, cell))));
  const table = h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows.map(line)));
  return more ? h("div", {}, table, h("p", { class: "dim" }, more)) : table;
}

/** Return a name that can't turn its surroundings around; where there is little room the style sheet leaves its middle out. `whole` is what a pointer shows. */
export function nameOf(name: string, whole = name): HTMLElement {
  const [, head, tail] = /^(.*?)(\/[^/]{1,9}|.{0,8})$/su.exec(printable(name))!;
  return h("bdi", { class: "name", title: printable(whole) }, h("span", {}, head), h("span", {}, tail));
}

/** Return a link that opens the details of an instance; its name is without the folders that all begin with. */
export const instanceLink = (view: View, name: string): HTMLElement =>
  openLink(name, view, "instance", nameOf(name.startsWith(view.journal.start) ? name.slice(view.journal.start.length) : name, name));

/** Return a list of the first items, and how many more there are. */
export function listOf<T>(items: T[], most: number, line: (item: T) => HTMLElement): HTMLElement {
  const more = items.length > most ? h("li", {}, `and ${count(items.length - most)} more`) : null;
  return h("ul", {}, items.slice(0, most).map((item) => h("li", {}, line(item))), more);
}

/** Return a cell with a number as it is read by tests and programs: the exact value stands in data-value. */
export const exact = (text: string, field: string, value: number | null): HTMLElement =>
  h("span", { "data-field": field, "data-value": value }, text);

/** Return a legend of markers. */
export function legend(entries: Entry[]): HTMLElement {
  const sample = (entry: Entry): SVGElement => {
    const nodes: Node[] = [];
    paintSample(entry.style, svgPen(nodes), 2, 7);
    return element(s("svg", { width: 20, height: 14, "aria-hidden": "true" }, ...nodes));
  };
  return h("ul", { class: "legend" }, entries.map((entry) => h("li", {}, sample(entry), nameOf(entry.name))));
}

/** Return a choice of a value of the state, as radio-like buttons. */
export function choice<K extends keyof ViewState>(view: View, key: K, label: string, values: [ViewState[K], string][]): HTMLElement {
  const button = ([value, text]: [ViewState[K], string]): HTMLElement =>
    h("button", {
      "aria-pressed": String(view.state[key] === value), "data-focus": `${String(key)}-${String(value)}`,
      onclick: () => view.update({ [key]: value } as Partial<ViewState>),
    }, text);
  return h("span", { role: "group", "aria-label": label, class: "choice" }, h("span", { class: "dim" }, `${label} `), values.map(button));
}

export const scaleChoice = (view: View): HTMLElement => choice(view, "log", "scale", [[true, "log"], [false, "linear"]]);

const COLUMNS = 3, APART = 8;

/** Return small plots beside each other, as many as a panel has room for, if each is at least so wide. */
export function multiples<T>(root: HTMLElement, least: number, items: T[], cell: (item: T, width: number) => Element[]): HTMLElement {
  const columns = Math.max(1, Math.min(COLUMNS, Math.floor((root.clientWidth + APART) / (least + APART))));
  const width = Math.floor((root.clientWidth - APART * (columns - 1)) / columns);
  const cells = items.map((item) => {
    const made = h("div", {}, cell(item, width));
    made.style.width = `${width}px`;
    return made;
  });
  return h("div", { class: "multiples" }, cells);
}

const drawings = new WeakMap<HTMLElement, () => void>();

/** Show a figure in a panel. What `draw` returns is called when it is shown again. */
export function show(root: HTMLElement, content: (HTMLElement | null)[], draw?: () => () => void): void {
  drawings.get(root)?.();
  drawings.delete(root);
  root.replaceChildren(...content.filter((part) => part !== null));
  if (draw) drawings.set(root, draw());
}
