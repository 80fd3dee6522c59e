// Run the tests: test/*.test.mjs, and test/*.test.ts bundled into a temporary folder, since Node 20 reads no TypeScript.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const here = new URL("test/", import.meta.url).pathname;
const ending = (end) => readdirSync(here).filter((name) => name.endsWith(end)).map((name) => join(here, name));
const entryPoints = ending(".test.ts");
const outdir = mkdtempSync(join(new URL("node_modules/", import.meta.url).pathname, ".tests-"));
try {
  await build({ entryPoints, outdir, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "warning" });
  const built = readdirSync(outdir).map((name) => join(outdir, name));
  process.exitCode = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...built, ...ending(".test.mjs")], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(outdir, { recursive: true });
}
