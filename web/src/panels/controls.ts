// Controls and words that panels share.
import { h } from "../dom.ts";
import { count, plural } from "../format.ts";
import { toHash } from "../state.ts";
import type { View, ViewState } from "../view.ts";

type Choosable = { [K in keyof ViewState]: ViewState[K] extends string ? K : never }[keyof ViewState];

/** Return a labelled choice of one key of the state; `options` maps values to their words. */
export function choice(label: string, key: Choosable, options: Record<string, string>, view: View): HTMLElement {
  return select(label, key, Object.entries(options), view.state[key], (value) => view.update({ [key]: value }));
}

/** Return a labelled list to choose from; `options` are values with their words. */
export function select(label: string, focus: string, options: [string, string][], chosen: string, choose: (value: string) => void): HTMLElement {
  const change = (event: Event) => choose((event.target as HTMLSelectElement).value);
  const shown = options.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  return h("label", {}, `${label} `, h("select", { onchange: change, "data-focus": focus }, shown));
}

/** Return a box in which a wide or long table scrolls. */
export function scrolling(label: string, ...content: (HTMLElement | null)[]): HTMLElement {
  return showCut(h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, content));
}

/** Keep the class `cut` on a box while some of its content lies beyond its right edge. */
export function showCut(box: HTMLElement): HTMLElement {
  const mark = (): unknown => box.classList.toggle("cut", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  box.addEventListener("scroll", mark, { passive: true });
  const sizes = new ResizeObserver(mark);
  for (const part of [box, ...box.children]) sizes.observe(part);
  return box;
}

/** Save a file. */
export function download(name: string, parts: string[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Return text that can be copied: the button selects it, which needs no permission, and copies where that is allowed. */
export function copyable(text: string): HTMLElement {
  const code = h("code", {}, text);
  const button = h("button", { type: "button", onclick: copy }, "Copy");
  return h("span", { class: "copyable" }, code, " ", button, h("span", { class: "dim", role: "status" }));

  function copy(): void {
    getSelection()?.selectAllChildren(code);
    const copied = document.execCommand("copy");
    const said = button.nextElementSibling as HTMLElement;
    said.textContent = copied ? " copied" : " selected: press Ctrl+C";
  }
}

/** Return "12 of 100 puzzles". */
export function subset(view: View): string {
  return `${count(view.selected.length)} of ${plural(view.journal.size, view.journal.summary.unit)}`;
}

/** Return a link to a changed state; a plain click changes the state at once. */
export function link(href: string, change: () => void, focus: string, text: string | HTMLElement): HTMLElement {
  return h("a", { href, onclick: follow, "data-focus": focus }, text);

  function follow(event: MouseEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    change();
  }
}

/** Return a link that opens the details of an instance. */
export function openLink(name: string, view: View, focus: string, text: string | HTMLElement = name): HTMLElement {
  return link(`#${toHash({ ...view.state, open: name })}`, () => view.update({ open: name }), `${focus} ${name}`, text);
}

/** Add elements of the first items to a parent, and after it a button that adds more: a page of 10,000 lines is slow. */
export function growing<T>(parent: HTMLElement, items: T[], most: number, line: (item: T) => HTMLElement): HTMLElement[] {
  const more = h("button", { type: "button", onclick: () => add(MORE) });
  let added = 0;
  add(most);
  return [parent, more];

  function add(some: number): void {
    parent.append(...items.slice(added, added + some).map(line));
    added = Math.min(added + some, items.length);
    more.hidden = added === items.length;
    const left = items.length - added;
    more.textContent = left > MORE ? `Show ${count(MORE)} of ${count(left)} more lines` : `Show ${plural(left, "more line")}`;
  }
}

const MORE = 600;
