/**
 * Ratios in one run, on the real batch: the whole cold run against a bare loop that only takes pictures of the same
 * pages (as anybody would write it with puppeteer, and with our own shooter); warm against cold; one changed price
 * against cold; memory; facts alone; ten times the products. Prints a table, marks what is over its limit, and writes
 * nothing into the repository. `npm run bench -- --quick` leaves the thousand products out.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { openBrowser } from "../../pipeline/render/browser.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SHARED = join(ROOT, "../shared");
const REAL = "real-2026-04-30";
const ASSAY = join(ROOT, "dist/pipeline/app/main.js");

if (!existsSync(join(SHARED, "batches", REAL))) {
  console.log(`bench: needs ${SHARED}/batches/${REAL}; absent, nothing measured`);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), "assay-bench-"));
try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const world = join(work, "world");
  mkdirSync(join(world, "batches"), { recursive: true });
  cpSync(join(SHARED, "data"), join(world, "data"), { recursive: true });
  cpSync(join(SHARED, "batches", REAL), join(world, "batches", REAL), { recursive: true });

  const data = join(work, "data");
  const out = join(work, "out");
  // Unpacks the browser and makes the base fonts, so that the cold run is cold in work and not in installation.
  await assay(join(work, "first"), join(work, "first-out"), world, REAL, ["--only", "US:SPY"]);
  cpSync(join(work, "first", "cache"), join(data, "cache"), { recursive: true });

  const cold = await assay(data, out, world, REAL);
  const pages = cardsBelow(out).map((path) => readFileSync(path, "utf8"));
  const bare = await bareLoop(pages, join(data, "cache"));
  const shot = await ownLoop(pages, join(data, "cache"));
  const warm = await assay(data, out, world, REAL);
  changePrice(join(world, "data/prices/us/XLU.csv"));
  const changed = await assay(data, out, world, REAL);
  const report = cold.report as { timings_ms: Record<string, number> };

  const facts = factsAlone(data);
  const rows: [string, string, string][] = [
    ["cards", String(pages.length), ""],
    ["bare loop (puppeteer, 4 pages)", seconds(bare), ""],
    ["bare loop (our shooter, 4 pages)", seconds(shot), `cold run is ${(cold.ms / shot).toFixed(2)} × this`],
    ["cold run", seconds(cold.ms), `${(cold.ms / bare).toFixed(2)} × bare ${limit(cold.ms / bare, 3.0)}, aim 2.0`],
    ["warm run", seconds(warm.ms), `${percent(warm.ms / cold.ms)} of cold ${limit(warm.ms / cold.ms, 0.15)}`],
    [
      "one changed price",
      seconds(changed.ms),
      `${percent(changed.ms / cold.ms)} of cold ${limit(changed.ms / cold.ms, 0.3)}`,
    ],
    ["peak memory of Node, cold", `${cold.peakMb.toFixed(0)} MB`, limit(cold.peakMb, 700)],
    [
      "gates of 100 products, in the cold run",
      seconds(report.timings_ms.gates ?? 0),
      `${percent((report.timings_ms.gates ?? 0) / cold.ms)} of cold ${limit((report.timings_ms.gates ?? 0) / cold.ms, 0.1)}`,
    ],
    ["facts of 100 products, CPU", seconds(facts), limit(facts / 1000, 5)],
  ];
  if (!process.argv.includes("--quick")) {
    makeThousand(world);
    const big = join(work, "big");
    cpSync(join(data, "cache"), join(big, "cache"), { recursive: true });
    const thousand = await assay(big, join(work, "big-out"), world, "thousand");
    rows.push(
      [
        "1,000 products, cold",
        seconds(thousand.ms),
        `${(thousand.ms / cold.ms).toFixed(2)} × the time of 100 ${limit(thousand.ms / cold.ms, 12)}`,
      ],
      ["peak memory of Node, 1,000", `${thousand.peakMb.toFixed(0)} MB`, ""],
    );
  }
  for (const [what, figure, ratio] of rows) console.log(`${what.padEnd(36)} ${figure.padStart(10)}   ${ratio}`);
  console.log(`timings of the cold run, ms: ${JSON.stringify(report.timings_ms)}`);
}

interface Measured {
  ms: number;
  peakMb: number;
  report: unknown;
}

function assay(data: string, out: string, world: string, batch: string, extra: string[] = []): Promise<Measured> {
  const from = performance.now();
  const argv = [ASSAY, "run", join(world, "batches", batch), "--out", out, "--allow-root", world, "--json", ...extra];
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ASSAY_DATA: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakKilobytes(child.pid as number));
  }, 50);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => {
      clearInterval(watch);
      const ms = performance.now() - from;
      if (code !== 0) reject(new Error(`assay run ${batch} ended with ${code}`));
      else resolve({ ms, peakMb: peak / 1024, report: JSON.parse(text) });
    });
  });
}

/** High-water mark of resident memory, kilobytes; 0 where there is no /proc. */
function peakKilobytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** What anybody would write: four pages, each loads a card and takes a picture of the whole. */
async function bareLoop(pages: readonly string[], cacheDir: string): Promise<number> {
  const home = join(cacheDir, readdirSync(cacheDir).find((name) => name.startsWith("chromium-")) as string);
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROME_PATH ?? join(home, "chromium"),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars"],
    env: { ...process.env, LD_LIBRARY_PATH: join(home, "lib") },
  });
  try {
    const from = performance.now();
    const left = [...pages];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        const page = await browser.newPage();
        await page.setViewport({ width: 1080, height: 1600 });
        for (let html = left.pop(); html !== undefined; html = left.pop()) {
          await page.setContent(html);
          await page.screenshot({ fullPage: true });
        }
      }),
    );
    return performance.now() - from;
  } finally {
    await browser.close();
  }
}

async function ownLoop(pages: readonly string[], cacheDir: string): Promise<number> {
  const browser = await openBrowser({ cacheDir, chromePath: process.env.CHROME_PATH ?? null, pages: 4 });
  try {
    const from = performance.now();
    await Promise.all(pages.map((html) => browser.shoot(html, { width: 1080 })));
    return performance.now() - from;
  } finally {
    await browser.close();
  }
}

function factsAlone(data: string): number {
  const script = fileURLToPath(new URL("./facts-alone.ts", import.meta.url));
  const env = { ...process.env, ASSAY_DATA: data };
  return Number(execFileSync(process.execPath, ["--import", "tsx", script], { env, cwd: ROOT, encoding: "utf8" }));
}

function limit(value: number, most: number): string {
  return `(limit ${most < 1 ? percent(most) : most}${value > most ? ": OVER" : ""})`;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`;
}

function cardsBelow(out: string): string[] {
  return readdirSync(out, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("card.html"))
    .sort()
    .map((path) => join(out, path));
}

/** Moves the last close before the cutoff by a cent: nobody's benchmark, so only this product and its peers change. */
function changePrice(file: string): void {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  const index = lines.findIndex((line) => line.startsWith("2026-04-30,"));
  const cells = (lines[index] as string).split(",");
  cells[4] = String(Number(cells[4]) + 0.01);
  lines[index] = cells.join(",");
  writeFileSync(file, lines.join("\n"));
}

/** Ten copies of the real universe under tickers of their own, their files hard links to the first. */
function makeThousand(world: string): void {
  const folder = join(world, "batches", "thousand");
  cpSync(join(world, "batches", REAL), folder, { recursive: true });
  const yaml = join(folder, "batch.yaml");
  writeFileSync(yaml, readFileSync(yaml, "utf8").replace(`id: ${REAL}`, "id: thousand"));
  const [header, ...rows] = readFileSync(join(folder, "universe.csv"), "utf8").trim().split("\n");
  const copies = [header as string, ...rows];
  for (let copy = 1; copy < 10; copy += 1) {
    for (const row of rows) {
      const ticker = row.split(",")[2] as string;
      const market = row.startsWith("KR") ? "kr" : "us";
      for (const kind of ["prices", "distributions"]) {
        const from = join(world, "data", kind, market, `${ticker}.csv`);
        const to = join(world, "data", kind, market, `${ticker}X${copy}.csv`);
        if (existsSync(from) && !existsSync(to)) linkSync(from, to);
      }
      const cells = row.split(",");
      const renamed = (cell: string | undefined) => (cell === "" || cell === undefined ? "" : `${cell}X${copy}`);
      cells[0] = renamed(cells[0]);
      cells[2] = renamed(cells[2]);
      cells[3] = "";
      // Groups and benchmarks are copied with their members. A quoted name shifts the columns, so count from the end.
      const group = cells.length - 4;
      cells[group] = renamed(cells[group]);
      cells[group + 1] = renamed(cells[group + 1]);
      copies.push(cells.join(","));
    }
  }
  writeFileSync(join(folder, "universe.csv"), `${copies.join("\n")}\n`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
