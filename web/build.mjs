// Bundle the page: src/main.ts and style.css into harness/reporting/page/static, the same bytes each time.
import { build } from "esbuild";

const out = new URL("../harness/reporting/page/static/", import.meta.url).pathname;
const common = { bundle: true, minify: true, charset: "utf8", target: "es2022", legalComments: "none", logLevel: "warning" };
await build({ ...common, entryPoints: ["src/main.ts"], format: "iife", outfile: `${out}page.js` });
await build({ ...common, entryPoints: ["src/style.css"], outfile: `${out}page.css` });
