// All instances that pass the filters, with the outcomes of the contenders that are shown.
import { h } from "../dom.ts";
import { count, plural } from "../format.ts";
import { order } from "../sort.ts";
import type { Panel, View } from "../view.ts";
import { viewCsv } from "../view_csv.ts";
import { download, subset } from "./controls.ts";
import { indexOf } from "./details.ts";
import { Grid } from "./grid.ts";
import { tableColumns, type TableColumn } from "./table_columns.ts";

const PRINTED_ROWS = 200;
const PRINTED_COLUMNS = 10;

const grids = new WeakMap<HTMLElement, Grid>();

export const table: Panel = {
  id: "instances",
  title: "Instances",
  reacts: ["open", "sort", "rank"],
  render(root, view) {
    if ("print" in document.documentElement.dataset) {
      root.replaceChildren(...printed(view));
      return;
    }
    let grid = grids.get(root);
    if (!grid) grids.set(root, (grid = new Grid("Instances and outcomes")));
    if (grid.box.parentElement !== root) root.replaceChildren(h("div"), grid.box);
    root.firstElementChild?.replaceWith(controls(view));
    grid.show({
      rows: order(view),
      columns: tableColumns(view),
      sort: view.state.sort,
      marked: view.state.open ? indexOf(view.journal, view.state.open) : -1,
      open: (i) => view.update({ open: view.journal.names[i] }),
      sortBy: (column) => view.update({ sort: nextSort(view.state.sort, column.key) }),
    });
  },
};

/** Return the order after a click on a column: ascending, descending, that of the journal. */
export function nextSort(sort: string, key: string): string {
  return sort === key ? `-${key}` : sort === `-${key}` ? "" : key;
}

function controls(view: View): HTMLElement {
  const start = view.journal.start ? ` All names begin with ${view.journal.start}, left out here.` : "";
  const hint = `Contenders in the order of their rank. Click a row for its details, a heading to sort. ∅ unsatisfiable; the least time of a row is bold.${start}`;
  const save = h("button", { type: "button", "data-focus": "csv", onclick: () => download("crosscheck.csv", viewCsv(view), "text/csv;charset=utf-8") }, "Download as CSV");
  return h("div", {}, h("p", { class: "controls" }, `${subset(view)} · `, save, h("span", { class: "dim" }, ` ${hint}`)));
}

/** Return the first rows as a plain table, and a note on what is left out. */
function printed(view: View): HTMLElement[] {
  const rows = Array.from(order(view).subarray(0, PRINTED_ROWS));
  const columns = tableColumns(view);
  const fit = columns.slice(0, PRINTED_COLUMNS);
  const cell = (column: TableColumn, i: number) => h("td", { class: `${column.className(i)}${column.words ? " left" : ""}` }, column.text(i));
  const left = [
    ...(view.selected.length > rows.length ? [`the first ${count(rows.length)} of ${plural(view.selected.length, "row")}`] : []),
    ...(columns.length > fit.length ? [`the first ${fit.length} of ${plural(columns.length, "column")}`] : []),
  ];
  return [
    h("p", {}, left.length ? `Printed: ${left.join(", ")}; the page itself has all.` : `All ${plural(rows.length, "row")}.`),
    h("table", { class: "printed" }, h("thead", {}, h("tr", {}, fit.map((c) => h("th", { scope: "col", class: c.words ? "left" : null }, c.label)))), h("tbody", {}, rows.map((i) => h("tr", {}, fit.map((c) => cell(c, i)))))),
  ];
}
