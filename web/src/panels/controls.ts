// Controls and words that panels share.
import { h } from "../dom.ts";
import { count, plural } from "../format.ts";
import { toHash } from "../state.ts";
import type { View, ViewState } from "../view.ts";

type Choosable = { [K in keyof ViewState]: ViewState[K] extends string ? K : never }[keyof ViewState];

/** Return a labelled choice of one key of the state; `options` maps values to their words. */
export function choice(label: string, key: Choosable, options: Record<string, string>, view: View): HTMLElement {
  const change = (event: Event) => view.update({ [key]: (event.target as HTMLSelectElement).value });
  const shown = Object.entries(options).map(([value, text]) => h("option", { value, selected: view.state[key] === value }, text));
  return h("label", {}, `${label} `, h("select", { onchange: change, "data-focus": key }, shown));
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
  return `${count(view.selected.length)} of ${plural(view.journal.names.length, view.journal.summary.unit)}`;
}

/** Return a link to a changed state; a plain click changes the state at once. */
export function link(href: string, change: () => void, focus: string, text: string): HTMLElement {
  return h("a", { href, onclick: follow, "data-focus": focus }, text);

  function follow(event: MouseEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    change();
  }
}

/** Return a link that opens the details of an instance. */
export function openLink(name: string, view: View, focus: string): HTMLElement {
  return link(`#${toHash({ ...view.state, open: name })}`, () => view.update({ open: name }), `${focus} ${name}`, name);
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
