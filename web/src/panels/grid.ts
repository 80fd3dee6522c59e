// A grid of which only the rows and columns in sight exist. The grid itself has the focus; arrow keys move its active cell.
import { h } from "../dom.ts";
import { showCut } from "./controls.ts";
import type { TableColumn } from "./table_columns.ts";

interface GridContent {
  rows: Int32Array;
  columns: TableColumn[];
  sort: string;
  /** Instance whose row is marked, -1 for none. */
  marked: number;
  open(instance: number): void;
  sortBy(column: TableColumn): void;
}

const ROW = 26;
const HEAD = 44;
const SPARE = 6;

export class Grid {
  readonly box = h("div", { class: "grid", role: "grid", tabindex: 0, "data-focus": "grid" });
  readonly #head = h("div", { role: "row", class: "head", "aria-rowindex": 1 });
  readonly #body = h("div", { role: "rowgroup", class: "rows" });
  #content: GridContent | null = null;
  #lefts: number[] = [0];
  /** Active cell; row -1 is the header. */
  #row = 0;
  #column = 0;

  constructor(label: string) {
    this.box.setAttribute("aria-label", label);
    this.box.append(h("div", { role: "rowgroup", class: "heads" }, this.#head), this.#body);
    showCut(this.box);
    this.box.addEventListener("scroll", () => requestAnimationFrame(() => this.#paint()), { passive: true });
    this.box.addEventListener("keydown", (event) => this.#press(event));
    this.box.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.#paint()).observe(this.box);
  }

  show(content: GridContent): void {
    if (this.#content && this.#content.rows !== content.rows) {
      this.box.scrollTop = 0;
      this.#row = Math.min(this.#row, 0);
    }
    this.#content = content;
    this.#lefts = [0];
    for (const column of content.columns) this.#lefts.push((this.#lefts.at(-1) as number) + column.width);
    this.#column = Math.min(this.#column, content.columns.length - 1);
    this.#row = Math.min(this.#row, content.rows.length - 1);
    const width = `${this.#lefts.at(-1)}px`;
    this.#body.style.height = `${content.rows.length * ROW}px`;
    this.#body.style.width = this.#head.style.width = width;
    this.box.style.height = `min(70vh, ${content.rows.length * ROW + HEAD + 18}px)`;
    this.box.setAttribute("aria-rowcount", String(content.rows.length + 1));
    this.box.setAttribute("aria-colcount", String(content.columns.length));
    this.#paint();
  }

  #paint(): void {
    if (!this.#content) return;
    const { rows } = this.#content;
    const height = this.box.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - SPARE);
    const last = Math.min(rows.length, Math.ceil((this.box.scrollTop + height) / ROW) + SPARE);
    const span = this.#columnsInSight();
    this.#head.replaceChildren(...this.#cells(span, (column, k) => this.#headCell(column, k)));
    const lines = [];
    for (let at = first; at < last; at++) lines.push(this.#line(at, span));
    this.#body.replaceChildren(...lines);
    const active = document.getElementById(this.#cellId(this.#row, this.#column));
    if (active) this.box.setAttribute("aria-activedescendant", active.id);
    else this.box.removeAttribute("aria-activedescendant");
  }

  /** Return the first column in sight after the name, and the one behind the last. */
  #columnsInSight(): [number, number] {
    const { columns } = this.#content as GridContent;
    const from = this.box.scrollLeft + columns[0].width;
    const to = this.box.scrollLeft + (this.box.clientWidth || 1200);
    let first = 1;
    while (first < columns.length && this.#lefts[first + 1] <= from) first++;
    let last = first;
    while (last < columns.length && this.#lefts[last] < to) last++;
    return [Math.max(1, first - 1), last];
  }

  /** Return the cells of a row: the name, a gap in the place of the columns that are out of sight, and those in sight. */
  #cells([first, last]: [number, number], cell: (column: TableColumn, k: number) => HTMLElement): HTMLElement[] {
    const { columns } = this.#content as GridContent;
    const some = [cell(columns[0], 0)];
    for (let k = first; k < last; k++) some.push(cell(columns[k], k));
    some.forEach((element, j) => (element.style.width = `${columns[j ? first + j - 1 : 0].width}px`));
    if (some.length > 1) some[1].style.marginLeft = `${this.#lefts[first] - this.#lefts[1]}px`;
    return some;
  }

  #headCell(column: TableColumn, k: number): HTMLElement {
    const { sort } = this.#content as GridContent;
    const order = sort === column.key ? "ascending" : sort === `-${column.key}` ? "descending" : null;
    const arrow = order ? (order === "ascending" ? "▲ " : "▼ ") : "";
    const id = this.#cellId(-1, k);
    const attributes = { role: "columnheader", id, class: this.#cellClass(-1, k), "aria-colindex": k + 1, "aria-sort": order, title: column.title ?? column.label, "data-column": k };
    return h("div", attributes, h("span", {}, arrow + column.label));
  }

  #line(at: number, span: [number, number]): HTMLElement {
    const { rows, marked } = this.#content as GridContent;
    const instance = rows[at];
    const cells = this.#cells(span, (column, k) => {
      const role = k ? "gridcell" : "rowheader";
      const text = column.text(instance);
      const className = `${this.#cellClass(at, k)} ${column.className(instance)}`;
      return h("div", { role, id: this.#cellId(at, k), class: className, "aria-colindex": k + 1, title: k ? null : (column.full ?? column.text)(instance), "data-column": k }, text);
    });
    const line = h("div", { role: "row", class: instance === marked ? "line marked" : "line", "aria-rowindex": at + 2, "data-row": at }, cells);
    line.style.top = `${at * ROW}px`;
    return line;
  }

  #cellClass(row: number, k: number): string {
    const words = this.#content?.columns[k].words ? " left" : "";
    return `${k ? "cell" : "cell first"}${words}${row === this.#row && k === this.#column ? " active" : ""}`;
  }

  #cellId(row: number, k: number): string {
    return `cell-${row < 0 ? "head" : row}-${k}`;
  }

  #press(event: KeyboardEvent): void {
    if (!this.#content) return;
    const { rows, columns } = this.#content;
    const [end, page] = [event.ctrlKey || event.metaKey, Math.max(1, Math.floor((this.box.clientHeight - HEAD) / ROW) - 1)];
    const moves: Record<string, [number, number]> = {
      ArrowDown: [this.#row + 1, this.#column],
      ArrowUp: [this.#row - 1, this.#column],
      ArrowRight: [this.#row, this.#column + 1],
      ArrowLeft: [this.#row, this.#column - 1],
      PageDown: [this.#row + page, this.#column],
      PageUp: [Math.max(this.#row - page, Math.min(this.#row, 0)), this.#column],
      Home: [end ? 0 : this.#row, 0],
      End: [end ? rows.length - 1 : this.#row, columns.length - 1],
    };
    const move = moves[event.key];
    if (move) this.#moveTo(Math.max(-1, Math.min(move[0], rows.length - 1)), Math.max(0, Math.min(move[1], columns.length - 1)));
    else if (event.key === "Enter" || event.key === " ") this.#act();
    else return;
    event.preventDefault();
  }

  #moveTo(row: number, column: number): void {
    [this.#row, this.#column] = [row, column];
    const { columns } = this.#content as GridContent;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.box;
    if (row >= 0) this.box.scrollTop = Math.min(row * ROW, Math.max(scrollTop, (row + 1) * ROW + HEAD - clientHeight));
    if (column > 0) {
      const [left, right] = [this.#lefts[column] - columns[0].width, this.#lefts[column + 1] - clientWidth];
      this.box.scrollLeft = Math.min(left, Math.max(scrollLeft, right));
    }
    this.#paint();
  }

  /** Open the active row, or sort by the active column if the header is active. */
  #act(): void {
    const { rows, columns, open, sortBy } = this.#content as GridContent;
    if (this.#row < 0) sortBy(columns[this.#column]);
    else if (this.#row < rows.length) open(rows[this.#row]);
  }

  #click(event: Event): void {
    const target = event.target as HTMLElement;
    const cell = target.closest<HTMLElement>("[data-column]");
    if (!cell || !this.#content) return;
    const line = target.closest<HTMLElement>("[data-row]");
    this.#moveTo(line ? Number(line.dataset.row) : -1, Number(cell.dataset.column));
    this.#act();
  }
}
