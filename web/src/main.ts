// The page: read the data, then draw every panel after each change of the view.
import { h } from "./dom.ts";

document.querySelector("main")?.append(h("p", {}, "not built yet"));
