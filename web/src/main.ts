// The page of `report --html`: read the data of the document, then show it.
import { load } from "./data.ts";
import { h } from "./dom.ts";
import { start } from "./page.ts";

async function main(): Promise<void> {
  start(await load(document.getElementById("data")?.textContent ?? ""));
}

main().catch((error) => {
  document.querySelector("main")?.append(h("p", { role: "alert" }, `This page can't be shown: ${error}`));
  throw error;
});
