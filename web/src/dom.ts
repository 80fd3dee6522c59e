// Elements from data. Text is set as text, never as markup, so no name in a journal can do harm; what is invisible or turns
// the direction of text is escaped.
import { printableLines } from "./printable.ts";

type Child = Node | string | number | null | undefined | Child[];
const SHOWN = new Set(["title", "aria-label", "placeholder"]);

/** Return an element; attributes that are functions are listeners (`onclick`), `false` and `null` are left out. */
export function h(tag: string, attributes: Record<string, unknown> = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, SHOWN.has(name) ? printableLines(String(value)) : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element: HTMLElement, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined) element.append(child instanceof Node ? child : printableLines(String(child)));
  }
}

/** Draw, and give the focus to the element with the same `data-focus` as the one that had it. */
export function keepFocus(root: HTMLElement, render: () => void): void {
  const had = root.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  render();
  if (!had || had.isConnected) return;
  const key = had.dataset.focus;
  const same = [...root.querySelectorAll<HTMLElement>("[data-focus]")].find((e) => e.dataset.focus === key);
  (same ?? root.parentElement?.querySelector<HTMLElement>("h2"))?.focus({ preventScroll: true });
}
