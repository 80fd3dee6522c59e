// The page of `report --html`: read the data of the document, then show it.
import { h } from "./dom.ts";
import { start } from "./page.ts";
import { sample } from "./sample.ts";

try {
  start(sample());
} catch (error) {
  document.body.append(h("p", { role: "alert" }, `This page can't be shown: ${error}`));
}
