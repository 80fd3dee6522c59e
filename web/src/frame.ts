// What stands around the panels: the header with its controls, the theme, and what printing changes.
import { h } from "./dom.ts";
import { count } from "./format.ts";
import { partial } from "./panels/facts.ts";
import type { Journal } from "./report.ts";
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

/** Return a link to a part of the page; it does not touch the address, which holds the state. */
function jump(id: string, text: string, className = ""): HTMLElement {
  const go = (event: Event) => {
    event.preventDefault();
    const target = document.getElementById(id);
    target?.scrollIntoView();
    (target?.querySelector<HTMLElement>("h2") ?? target)?.focus({ preventScroll: true });
  };
  return h("a", { href: `#${id}`, class: className, onclick: go }, text);
}

/** Return the path of a journal, and that its run is not complete. */
const described = (j: Journal): string => `${j.path}${j.summary.interrupted ? ` (${partial(j.summary)})` : ""}`;

export function header(view: View, panels: Panel[]): HTMLElement {
  const { journal, report } = view;
  const n = count(journal.names.length);
  document.title = `Crosscheck: ${journal.path}`;
  return h(
    "header",
    {},
    jump("main", "Skip to content", "skip"),
    h("h1", {}, "Crosscheck report"),
    h("p", {}, `${n} ${journal.summary.unit}s, ${journal.contenders.length} contenders · ${report.journals.map(described).join(" · ")}`),
    h("nav", { "aria-label": "Parts of the page" }, panels.map((p) => jump(p.id, p.title))),
  );
}
