/** What a run leaves: the files, columns and counts that outside checks rely on (design: batch). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/domain/digest.ts";
import { CATALOGUE } from "../../pipeline/schema/catalogue.ts";
import type { Report } from "../../pipeline/schema/report.ts";
import { EXAMPLE, exampleIn, filesBelow, manifestOf, place, reportOf, rowsOf, succeeded, textOf } from "./support.ts";

const INSTRUMENTS = ["KR:91A010", "KR:91A020", "US:YAMPL", "US:YBULN"];
const COLUMNS = {
  "facts.csv":
    "instrument,fact,window,status,reason,value,printed,unit,currency,start_session,end_session,formula,evidence",
  "recalculation.csv": "instrument,figure,where,printed,recalculated,match,formula",
  "claims.csv": "instrument,claim,type,text,facts,verdict",
  "quarantine.csv": "instrument,gate,code,severity,subject,detail,remedy",
  "gates.csv": "instrument,gate,version,verdict,subjects_examined,findings,policy_digest,input_digest",
} as const;

describe("the example batch, as it is shipped", () => {
  let out: string;
  let report: Report;

  beforeAll(async () => {
    const { dir, assay } = await place();
    const run = succeeded(await assay("run", EXAMPLE));
    out = join(dir, "out/example-csv");
    report = reportOf(out);
    expect(run.stdout).toContain(`report: ${join(out, "report.html")}`);
  });

  it("goes to out/<id> without --out, and consists of exactly the files of the design", () => {
    const cards = INSTRUMENTS.flatMap((id) =>
      ["en-US", "ko-KR"].flatMap((locale) =>
        ["html", "json", "png"].map((kind) => `cards/${id.replace(":", "-")}/${locale}/card.${kind}`),
      ),
    );
    const top = [...Object.keys(COLUMNS), "manifest.json", "report.html", "report.json"];
    expect(filesBelow(out)).toEqual([...cards, ...top].sort());
  });

  it.each(Object.entries(COLUMNS))("%s has the columns of the design", (file, columns) => {
    expect(textOf(out, file).split("\r\n")[0]).toBe(columns);
  });

  it("facts.csv has one row per instrument, fact and window", () => {
    const ids = rowsOf(join(out, "facts.csv"))
      .filter(({ fact }) => fact !== "total_expense_ratio_stated")
      .map(({ instrument, fact, window }) => `${instrument} ${fact} ${window}`);
    const wanted = INSTRUMENTS.flatMap((instrument) =>
      CATALOGUE.flatMap(({ fact, windows }) => windows.map((window) => `${instrument} ${fact} ${window}`)),
    );
    expect([...ids].sort()).toEqual(wanted.sort());
  });

  it("a fact has a value and its evidence, or a reason", () => {
    for (const row of rowsOf(join(out, "facts.csv"))) {
      const isOk = row.status === "OK";
      expect([row.value !== "", row.printed !== "", row.reason === ""], JSON.stringify(row)).toEqual([
        isOk,
        isOk,
        isOk,
      ]);
    }
  });

  it("the manifest has the SHA-256 and size of every file but itself and the reports", () => {
    const { files } = manifestOf(out);
    const listed = filesBelow(out).filter((path) => !/^(manifest|report)\./.test(path));
    expect(files.map(({ path }) => path)).toEqual(listed);
    for (const file of files) {
      const bytes = readFileSync(join(out, file.path));
      expect(file).toEqual({ path: file.path, sha256: sha256(bytes), size: bytes.length });
    }
  });

  it("report.json has the counts of the design", () => {
    expect(report).toMatchObject({
      batch: "example-csv",
      as_of: "2026-06-30T23:00:00.000Z",
      cutoff: { KR: "2026-06-30", US: "2026-06-30" },
      instruments: 4,
      cards: { html: 8, png: 8 },
      sentences: { review: 0, blocked: 0 },
      verdicts: { pass: 4, review: 0, block: 0 },
      quarantined: 0,
      cache: { hits: 0 },
    });
    expect(report.sentences.passed).toBe(report.sentences.checked);
    const examined = rowsOf(join(out, "gates.csv")).map((row) => Number(row.subjects_examined));
    expect(Math.min(...examined)).toBeGreaterThan(0);
    expect(report.gates.reduce((sum, gate) => sum + gate.examined, 0)).toBe(
      examined.reduce((sum, count) => sum + count, 0),
    );
    const times = ["collect", "facts", "compose", "gates", "render", "recalculate", "total"];
    expect(Object.keys(report.timings_ms)).toEqual(times);
    const others = ["label", "entity", "identifier", "ordinal", "legal", "unclassified"];
    expect(Object.keys(report.numerals_other)).toEqual(others);
  });

  it("every figure and chart point shown is recalculated and matches, and no numeral is unclassified", () => {
    const { numerals, tiles, chart_points, numerals_other } = report;
    expect(numerals.shown).toBeGreaterThan(200);
    expect(numerals).toEqual({
      shown: numerals.shown,
      bound: numerals.shown,
      recalculated: numerals.shown,
      matched: numerals.shown,
    });
    expect(tiles).toEqual({ shown: 24, recalculated: 24, matched: 24 });
    expect(chart_points.drawn).toBeGreaterThan(1000);
    expect(chart_points).toEqual({
      drawn: chart_points.drawn,
      recalculated: chart_points.drawn,
      matched: chart_points.drawn,
    });
    expect(numerals_other.unclassified).toBe(0);
  });

  it("recalculation.csv has a row for every figure that report.json counts", () => {
    const rows = rowsOf(join(out, "recalculation.csv"));
    expect(rows.filter(({ match }) => match === "true")).toHaveLength(rows.length);
    expect(new Set(rows.map(({ instrument }) => instrument))).toEqual(new Set(INSTRUMENTS));
    expect(rows.length).toBeGreaterThanOrEqual(report.numerals.shown);
  });

  it("pages and report are whole, hold no script and ask nothing of the network", () => {
    const pages = filesBelow(out).filter((path) => path.endsWith(".html"));
    expect(pages).toHaveLength(9);
    for (const page of pages) {
      const html = textOf(out, page);
      expect(html, page).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/i);
      expect(html, page).not.toMatch(/<script|\son\w+=|(?:src|href)="?https?:|@import|url\(["']?https?:/i);
    }
  });

  it("every thumbnail and link of the report leads to a file", () => {
    const links = [...textOf(out, "report.html").matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path]) => path);
    expect(links.filter((link) => link?.endsWith("card.html"))).toHaveLength(8);
    for (const link of links) expect(existsSync(join(out, link as string)), link).toBe(true);
  });
});

describe("a batch with a bad product", () => {
  let out: string;

  beforeAll(async () => {
    const { dir, call } = await place();
    out = join(dir, "out");
    // A formula as issuer, and a series whose scale breaks by ten: it must go to quarantine, the others must not.
    const batch = exampleIn(dir, {
      universe: (text) => text.replace(/Foxglove Funds,USD,COMMODITY/, "=1+1,USD,COMMODITY"),
    });
    const series = join(batch, "prices/kr/91A010.csv");
    const lines = textOf(series).split("\n");
    const broken = lines.map((line, index) =>
      index === 0 || index < lines.length - 40
        ? line
        : line.replace(/^([^,]+),([^,]+),([^,]+),([^,]+),([^,]+)/, (_all, date, ...prices) =>
            [date, ...prices.slice(0, 4).map((price: string) => String(Number(price) * 10))].join(","),
          ),
    );
    writeFileSync(series, broken.join("\n"));
    succeeded(await call("run", batch, "--out", out));
  });

  it("puts the blocked card under quarantine/ with its band, and the others under cards/", () => {
    const folders = (top: string) => [
      ...new Set(
        filesBelow(out)
          .filter((path) => path.startsWith(`${top}/`))
          .map((path) => path.split("/")[1]),
      ),
    ];
    expect(folders("quarantine")).toEqual(["KR-91A010"]);
    expect(folders("cards")).toEqual(["KR-91A020", "US-YAMPL", "US-YBULN"]);
    expect(textOf(out, "quarantine/KR-91A010/ko-KR/card.html")).toContain("BLOCKED");
    expect(textOf(out, "cards/US-YAMPL/ko-KR/card.html")).not.toContain("BLOCKED");
  });

  it("names code, severity and remedy of each finding in quarantine.csv and in the report", () => {
    const rows = rowsOf(join(out, "quarantine.csv"));
    expect(
      rows.filter(({ severity }) => severity === "BLOCK").map(({ instrument, code }) => `${instrument} ${code}`),
    ).toContain("KR:91A010 SCALE_BREAK");
    for (const row of rows) expect(row.remedy, JSON.stringify(row)).not.toBe("");
    expect(reportOf(out)).toMatchObject({ verdicts: { block: 1 }, quarantined: 1 });
    expect(textOf(out, "report.html")).toContain("SCALE_BREAK");
  });
});
