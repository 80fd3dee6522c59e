// Bundle the page: src/main.ts and style.css into harness/reporting/page/static, the same bytes each time, with the
// licence of what is bundled.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";

/** uPlot without what it offers besides itself (bars, splines, joins) and its axes of dates, so that esbuild leaves all that out. */
const cuts = [
  [/\nuPlot\.assign = [\s\S]*?\nexport /, "\nuPlot.pxRatio = pxRatio;\n\nexport "],
  [/\nconst months = [\s\S]*?(?=\nfunction zeroPad2)/, ""],
  [/\nconst \[ timeIncrsMs,.*\nconst \[ timeIncrsS,.*\n/, "\n"],
  [/\tconst _tzDate [\s\S]*?\tconst _timeSeriesVal .*\n/, ""],
  [/\bisTime (?=\?|&&)/g, "false "],
];
const core = {
  name: "uplot-core",
  setup(plugins) {
    plugins.onLoad({ filter: /uPlot\.esm\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, "utf8");
      for (const [part, instead] of cuts) {
        const before = contents;
        contents = before.replace(part, instead);
        if (contents === before) throw new Error(`${path} has no ${part}: adapt build.mjs`);
      }
      return { contents, loader: "js" };
    });
  },
};
const out = new URL("../harness/reporting/page/static/", import.meta.url).pathname;
const common = { bundle: true, minify: true, charset: "utf8", target: "es2022", legalComments: "none", logLevel: "warning" };
await build({ ...common, entryPoints: ["src/main.ts"], plugins: [core], format: "iife", outfile: `${out}page.js` });
await build({ ...common, entryPoints: ["src/style.css"], outfile: `${out}page.css` });
const { version } = JSON.parse(readFileSync("node_modules/uplot/package.json", "utf8"));
writeFileSync(`${out}NOTICE`, `This page contains uPlot ${version}.\n\n${readFileSync("node_modules/uplot/LICENSE", "utf8").trim()}\n`);
