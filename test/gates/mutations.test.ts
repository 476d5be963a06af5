/**
 * One change of a sound batch's files, and the code that it lands in: that of the product, and of those that compare with
 * it. Faults of formulas and pages have their table in recalculate/faults.test.ts.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { openTwoPaths, replaceOnce } from "../recalculate/two-paths.ts";

const EXAMPLE = fileURLToPath(new URL("../../batches/example-csv", import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Edit = (text: string) => string;
/** Findings of each product that has any, as `CODE severity subject`. */
async function findings(edits: Record<string, Edit>): Promise<Record<string, string[]>> {
  const folder = mkdtempSync(join(tmpdir(), "assay-mutation-"));
  folders.push(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(folder, file);
    const before = existsSync(path) ? readFileSync(path, "utf8") : "";
    const after = edit(before);
    expect(after).not.toBe(before);
    if (after === "") rmSync(path);
    else writeFileSync(path, after);
  }
  // Nothing here asks the second path.
  const paths = await openTwoPaths(undefined as never, folder);
  const found: Record<string, string[]> = {};
  for (const id of paths.context.instruments.keys()) {
    const { decisions } = await paths.dossier(id);
    const own = decisions.flatMap((decision) => decision.findings);
    if (own.length > 0) found[id] = own.map(({ code, severity, subject }) => `${code} ${severity} ${subject}`);
  }
  paths.close();
  return found;
}

const swap =
  (from: string, to: string): Edit =>
  (text) =>
    replaceOnce(text, from, to);
/** The cells of the row that begins with `key`, changed. */
const row =
  (key: string, change: (cells: string[]) => string[] | null): Edit =>
  (text) =>
    text
      .split("\n")
      .flatMap((line) => (line.startsWith(`${key},`) ? (change(line.split(","))?.join(",") ?? []) : line))
      .join("\n");
const times = (at: number, factor: number) => (cells: string[]) =>
  cells.with(at, String(Math.round(Number(cells[at]) * factor * 10_000) / 10_000));
const between =
  (from: string, to: string, text: (line: string) => string | null): Edit =>
  (body) =>
    body
      .split("\n")
      .flatMap((line) => (line.slice(0, 10) > from && line.slice(0, 10) < to ? (text(line) ?? []) : line))
      .join("\n");

const US_BARS = "prices/us/YAMPL.csv";
const FX = "fx/USDKRW.csv";
const NAV = "nav/91A010.csv";
const PAID = "distributions/us/YAMPL.csv";
const [AMPLE, FUND, LARGE, BULLION] = ["US:YAMPL", "KR:91A020", "KR:91A010", "US:YBULN"] as const;
const COMPARED = { [FUND]: ["DEPENDENCY_BLOCKED REVIEW benchmark"] };

interface Mutation {
  name: string;
  edits: Record<string, Edit>;
  /** Of every product that is not passed. */
  found: Record<string, unknown>;
}

const MUTATIONS: Mutation[] = [
  {
    name: "one close ten times too large",
    edits: { [US_BARS]: row("2026-02-03", (cells) => [1, 2, 3, 4].reduce((all, at) => times(at, 10)(all), cells)) },
    found: { [AMPLE]: ["SCALE_BREAK BLOCK moves"], ...COMPARED },
  },
  {
    name: "a close a third above its neighbours",
    edits: { "prices/kr/91A010.csv": row("20260203", (cells) => times(2, 1.35)(times(4, 1.35)(cells))) },
    found: { [LARGE]: ["UNEXPLAINED_JUMP REVIEW moves"] },
  },
  {
    name: "a fortnight without rows",
    edits: { "prices/kr/91A010.csv": between("20260203", "20260218", () => null) },
    found: { [LARGE]: ["GAP REVIEW sessions"] },
  },
  {
    name: "a series that ends a week early",
    edits: { "prices/kr/91A010.csv": between("20260622", "20261231", () => null) },
    found: { [LARGE]: expect.arrayContaining(["STALE BLOCK price series"]) },
  },
  {
    name: "a session twice, with two closes",
    edits: { "prices/kr/91A010.csv": (text) => `${text.trimEnd()}\n20260203,1,1,1,1,1\n` },
    found: { [LARGE]: [expect.stringMatching(/^DUPLICATE_SESSION REVIEW kr-bars/)] },
  },
  {
    name: "a bar half-filled",
    edits: { "prices/kr/91A010.csv": row("20260203", (cells) => cells.with(1, "0")) },
    found: { [LARGE]: [expect.stringMatching(/^BAR_INVALID REVIEW kr-bars/)] },
  },
  {
    name: "a column that is there twice",
    edits: { "prices/kr/91A010.csv": swap("일자,시가,", "일자,종가,") },
    found: { [LARGE]: expect.arrayContaining(["EVIDENCE_MISSING BLOCK kr-bars"]) },
  },
  {
    name: "one rate ten times too large",
    edits: { [FX]: row("2026-02-03", times(1, 10)) },
    found: {
      [AMPLE]: ["SCALE_BREAK BLOCK usdkrw"],
      [BULLION]: ["SCALE_BREAK BLOCK usdkrw"],
      [FUND]: ["SCALE_BREAK BLOCK usdkrw", "DEPENDENCY_BLOCKED REVIEW benchmark"],
    },
  },
  {
    name: "one rate an eighth too large",
    edits: { [FX]: row("2026-02-03", times(1, 1.13)) },
    found: Object.fromEntries([FUND, AMPLE, BULLION].map((id) => [id, ["UNEXPLAINED_JUMP REVIEW usdkrw"]])),
  },
  {
    name: "the last net asset value ten times too large",
    edits: { [NAV]: row("2026-06-30", times(1, 10)) },
    found: { [LARGE]: ["SCALE_BREAK BLOCK kr-nav", "SCALE_BREAK BLOCK kr-nav"] },
  },
  {
    name: "net asset values of another share class",
    edits: { [NAV]: between("2026-01-01", "2026-12-31", (line) => times(1, 1.4)(line.split(",")).join(",")) },
    found: { [LARGE]: ["UNIT_CONFLICT REVIEW kr-nav"] },
  },
  {
    name: "a payout in cents",
    edits: { [PAID]: swap("2026-03-19,0.3375", "2026-03-19,337.5") },
    found: { [AMPLE]: expect.arrayContaining(["SCALE_BREAK BLOCK us-distributions"]), ...COMPARED },
  },
  {
    name: "a payout left out",
    edits: { [PAID]: swap("2026-03-19,0.3375\n", "") },
    found: { [AMPLE]: ["CROSS_FOOT REVIEW total_return.1y"] },
  },
  {
    name: "no file of payouts",
    edits: { [PAID]: () => "" },
    found: {
      [AMPLE]: expect.arrayContaining(["EVIDENCE_MISSING BLOCK us-distributions"]),
      [FUND]: expect.arrayContaining(["EVIDENCE_MISSING BLOCK us-distributions"]),
    },
  },
  {
    name: "payouts of what is said to pay nothing",
    edits: { "distributions/us/YBULN.csv": () => "ex_date,amount\n2026-03-19,0.01\n" },
    found: { [BULLION]: expect.arrayContaining(["CONFLICT REVIEW pays_nothing"]) },
  },
  {
    name: "another ISIN",
    edits: { "metadata/kr.csv": swap("KR791A010001", "KR791A020000") },
    found: { [LARGE]: ["IDENTITY_MISMATCH BLOCK isin"] },
  },
  {
    name: "net assets of nothing",
    edits: { "metadata/kr.csv": swap("670억", "0억") },
    found: { [LARGE]: ["QUANT_FAIL BLOCK net_assets"] },
  },
  {
    name: "net assets of which the unit is lost",
    edits: { "metadata/kr.csv": swap("670억", "670만") },
    found: { [LARGE]: ["UNIT_CONFLICT REVIEW net_assets"] },
  },
  {
    name: "a listing after the cutoff",
    edits: { "metadata/kr.csv": swap("2019-01-07", "2026-07-01") },
    found: { [LARGE]: ["QUANT_FAIL BLOCK listed_on"] },
  },
  {
    name: "a member that a product's JSON names twice",
    edits: { "metadata/us.json": swap('"ticker": "YAMPL",', '"ticker": "YAMPL", "sponsor": "Someone",') },
    found: { [AMPLE]: expect.arrayContaining(["EVIDENCE_MISSING BLOCK us-profile"]), ...COMPARED },
  },
  {
    name: "a fee in per cent, declared as a fraction",
    edits: { "batch.yaml": swap("{ column: 총보수, unit: percent }", "{ column: 총보수, unit: fraction }") },
    found: { [LARGE]: expect.arrayContaining(["UNIT_CONFLICT BLOCK total_expense_ratio"]) },
  },
  {
    name: "a plain product with a multiple of two",
    edits: { "universe.csv": swap("COMMODITY,COMMODITY,,1,", "COMMODITY,COMMODITY,,2,") },
    found: { [BULLION]: ["IDENTITY_MISMATCH BLOCK exposure_multiple"] },
  },
  {
    name: "a product that is its own benchmark",
    edits: { "universe.csv": swap("COMMODITY,COMMODITY,,1,", "COMMODITY,COMMODITY,US:YBULN,1,") },
    found: { [BULLION]: ["IDENTITY_MISMATCH BLOCK universe"] },
  },
];

describe("a sound batch in which is changed:", () => {
  test("nothing: no product has a finding", async () => {
    expect(await findings({ "batch.yaml": (text) => `${text}\n# read and changed in nothing\n` })).toEqual({});
  });
  test.each(MUTATIONS)("$name", async ({ edits, found }) => {
    expect(await findings(edits)).toEqual(found);
  });
});
