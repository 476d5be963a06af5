// Emits dist/ (or the folder given) from the sources with tsc, and copies the assets that code finds beside itself
// (.sql, .css, .yaml, .json).
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, rmSync } from "node:fs";
import { extname } from "node:path";

const ASSETS = new Set([".sql", ".css", ".yaml", ".json", ".csv"]);

const out = process.argv[2] ?? "dist";

rmSync(out, { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", out], {
  stdio: "inherit",
});
for (const folder of ["pipeline", "templates"]) {
  cpSync(folder, `${out}/${folder}`, {
    recursive: true,
    filter: (path) => extname(path) === "" || ASSETS.has(extname(path)),
  });
}
const entry = `${out}/pipeline/app/main.js`;
if (existsSync(entry)) chmodSync(entry, 0o755);
