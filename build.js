// Emits dist/ from the sources with tsc and copies the assets that code finds beside itself (.sql, .css, .yaml, .json).
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, rmSync } from "node:fs";
import { extname } from "node:path";

const ASSETS = new Set([".sql", ".css", ".yaml", ".json", ".csv"]);

rmSync("dist", { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
for (const folder of ["pipeline", "templates"]) {
  cpSync(folder, `dist/${folder}`, {
    recursive: true,
    filter: (path) => extname(path) === "" || ASSETS.has(extname(path)),
  });
}
const entry = "dist/pipeline/app/main.js";
if (existsSync(entry)) chmodSync(entry, 0o755);
