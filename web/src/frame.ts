// What stands around the panels: the header with its controls, the theme, and what printing changes.
import { h } from "./dom.ts";
import type { Panel, View, ViewState } from "./view.ts";

const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen: ViewState["theme"] = "auto";

/** Set `data-theme` of the document to "light" or "dark". */
export function applyTheme(theme: ViewState["theme"]): void {
  chosen = theme;
  document.documentElement.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
}

/** Draw everything again in light colours for the printer, and again afterwards; also if the system's theme changes. */
export function onPrint(redraw: () => void, theme: () => ViewState["theme"]): void {
  window.addEventListener("beforeprint", () => {
    document.documentElement.dataset.print = "";
    applyTheme("light");
    redraw();
  });
  window.addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    applyTheme(theme());
    redraw();
  });
  dark.addEventListener("change", () => {
    applyTheme(chosen);
    redraw();
  });
}

/** Bring a part of the page into sight, and give it the focus. */
export function goTo(id: string): void {
  const target = document.getElementById(id);
  target?.scrollIntoView();
  (target?.querySelector<HTMLElement>("h2") ?? target)?.focus({ preventScroll: true });
}

/** Return the header: a link to the content, links to the parts of the page, and the result. */
export function header(view: () => View, panels: Panel[], result: Node): HTMLElement {
  document.title = `Crosscheck: ${view().journal.path}`;
  const follow = (id: string) => (event: Event): void => {
    event.preventDefault();
    if (id === "main") goTo(id);
    else view().update({ at: id });
  };
  const jump = ({ id, title, short }: Pick<Panel, "id" | "title" | "short">, className = ""): HTMLElement =>
    h("a", { href: `#${id}`, class: className, title: short ? title : false, onclick: follow(id) }, short ?? title);
  return h("header", {}, jump({ id: "main", title: "Skip to content" }, "skip"), h("nav", { "aria-label": "Parts of the page" }, panels.map((p) => jump(p))), result);
}
