// Bundle the page: src/main.ts and style.css into harness/reporting/page/static, the same bytes each time, with the
// licence of what is bundled.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";

const out = new URL("../harness/reporting/page/static/", import.meta.url).pathname;
const common = { bundle: true, minify: true, charset: "utf8", target: "es2022", legalComments: "none", logLevel: "warning" };
// Names that begin with "_" are uPlot's own: nothing outside the bundle reads them.
await build({ ...common, entryPoints: ["src/main.ts"], format: "iife", mangleProps: /^_[a-z]/, outfile: `${out}page.js` });
await build({ ...common, entryPoints: ["src/style.css"], outfile: `${out}page.css` });
const { version } = JSON.parse(readFileSync("node_modules/uplot/package.json", "utf8"));
writeFileSync(`${out}NOTICE`, `This page contains uPlot ${version}.\n\n${readFileSync("node_modules/uplot/LICENSE", "utf8").trim()}\n`);
