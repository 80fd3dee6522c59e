// What a panel shows where no instance passes the filters: what was asked, and a button that clears them.
import { h } from "../dom.ts";
import type { View } from "../view.ts";
import { active, CLEARED } from "./bar.ts";

export function nothing(view: View): HTMLElement {
  const asked = active(view).map(([text]) => text).join("; ");
  const clear = h("button", { type: "button", "data-focus": "clear", onclick: () => view.update(CLEARED) }, "Clear all filters");
  return h("p", { class: "nothing" }, `Nothing matches ${asked}. `, clear);
}
