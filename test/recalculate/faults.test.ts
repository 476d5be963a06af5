/**
 * A fault in either path, or on the finished page, is found by the comparison and blocks the card. Each is planted in real
 * work: in the text of the SQL, in what the first path hands to the card, or in the bytes of the page.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Card } from "../../pipeline/schema/card.ts";
import { type Fact, figureId } from "../../pipeline/schema/fact.ts";
import type { Recalculated } from "../../pipeline/schema/recalculated.ts";
import { describeShared, REAL_BATCH, SHARED } from "../support/shared.ts";
import { connect } from "./support.ts";
import {
  type FirstPath,
  faultySql,
  type Judged,
  openTwoPaths,
  pageOf,
  replaceOnce,
  type SqlFault,
  type TwoPaths,
} from "./two-paths.ts";

const EXAMPLE = fileURLToPath(new URL("../../batches/example-csv", import.meta.url));
const LOCALE = "ko-KR";

let database: Awaited<ReturnType<typeof connect>>;
let example: Sound;
beforeAll(async () => {
  database = await connect();
  example = await workSound(await openTwoPaths(database.client, EXAMPLE), ["US:YAMPL", "KR:91A020"]);
});
afterAll(async () => {
  example?.paths.close();
  await database.close();
});

interface Sound {
  paths: TwoPaths;
  first: Map<string, FirstPath>;
  second: Map<string, Recalculated>;
  html: Map<string, string>;
}

async function workSound(paths: TwoPaths, ids: string[]): Promise<Sound> {
  const first = new Map<string, FirstPath>();
  for (const id of ids) first.set(id, await paths.first(id, LOCALE));
  const html = new Map([...first].map(([id, { card }]) => [id, pageOf(card)]));
  return { paths, first, html, second: await paths.second(ids) };
}

const judge = ({ paths, first, second, html }: Sound, id: string, page = html.get(id)!, other = second.get(id)!) =>
  paths.judge(id, LOCALE, first.get(id)!, page, other);

/** BLOCK under `code`, whose finding says the figure, and no row is wrong but those of `family`. */
function expectFound(judged: Judged, code: string, figure: string | null, family: RegExp): void {
  const found = judged.findings.filter((finding) => finding.code === code);
  expect(found.map(({ severity }) => severity)).toContain("BLOCK");
  expect(judged.verdict).toBe("BLOCK");
  expect(judged.wrong).not.toEqual([]);
  if (figure !== null) expect(judged.wrong.map((row) => row.figure)).toContain(figure);
  expect(judged.wrong.filter((row) => !family.test(row.figure))).toEqual([]);
  if (code === "RECALC_MISMATCH") {
    const [first] = judged.wrong.filter(({ recalculated }) => recalculated !== "");
    expect(found[0]?.detail).toContain(first?.figure);
  }
}

interface SecondFault {
  name: string;
  faults: SqlFault[];
  code?: string;
  /** Seen on the card of a product in dollars unless told. */
  of?: "fund";
  /** Wrong among others; null: any. */
  figure: string | null;
  /** Everything that may be wrong by it. */
  family: RegExp;
}

const PERCENT_SIGNED =
  /^(price_return|total_return|fx_change|benchmark_return|premium|peer_median|multiple_compounded)/;
const OF_ONE_YEAR = /\.1y$|^(chart|axis)\./;

const SECOND_FAULTS: SecondFault[] = [
  {
    name: "total return without its − 1",
    faults: [["formulas/total_return.sql", "end_level / start_level - 1", "end_level / start_level"]],
    figure: "total_return.1m",
    family: /^total_return\./,
  },
  {
    name: "volatility over n in place of n − 1",
    faults: [["formulas/volatility.sql", "252 / (n - 1)", "252 / n"]],
    figure: "volatility.1y",
    family: /^volatility\./,
  },
  {
    name: "printing that cuts digits off",
    faults: [
      [
        "printing.sql",
        "split_part(round(magnitude, decimals)::text, '.', 1)",
        "split_part(trunc(magnitude, decimals)::text, '.', 1)",
      ],
      [
        "printing.sql",
        "split_part(round(magnitude, decimals)::text, '.', 2)",
        "split_part(trunc(magnitude, decimals)::text, '.', 2)",
      ],
    ],
    // Which figures go on with 5 or more is a matter of the prices.
    figure: null,
    family: /^(?!.*_on)(?!chart|axis)/,
  },
  {
    name: "one decimal in place of two",
    faults: [
      ["printing.sql", "signed(value::numeric * 100, 2, true, '%')", "signed(value::numeric * 100, 1, true, '%')"],
    ],
    figure: "total_return.1y",
    family: PERCENT_SIGNED,
  },
  {
    name: "a formula that says another rule of printing",
    faults: [["formulas/total_return.sql", "-- prints: ratio as percent_signed", "-- prints: ratio as percent_1"]],
    figure: "total_return.1y",
    family: /^total_return\./,
  },
  {
    name: "a window that starts a day early",
    faults: [["prelude.sql", "interval '12 months')::date", "interval '12 months')::date - 1"]],
    figure: "total_return.1y",
    family: OF_ONE_YEAR,
  },
  {
    name: "a window that starts a day late",
    faults: [["prelude.sql", "interval '12 months')::date", "interval '12 months')::date + 1"]],
    figure: "total_return.1y",
    family: OF_ONE_YEAR,
  },
  {
    name: "a rate of the day after the session",
    faults: [["series/fx.sql", "p.day <= w.session ORDER BY", "p.day <= w.session + 1 ORDER BY"]],
    figure: "fx_change.1y",
    family: /^(fx_change|total_return_reporting|peer_)/,
  },
  {
    name: "the other basis first",
    faults: [
      [
        "series/chosen.sql",
        "('total_return', 'split_adjusted', 1), ('total_return', 'distribution_adjusted', 2)",
        "('total_return', 'split_adjusted', 2), ('total_return', 'distribution_adjusted', 1)",
      ],
    ],
    figure: "total_return.1y",
    family: /^(total_return|volatility|max_drawdown|benchmark|beta|correlation|tracking|peer_|chart\.)/,
  },
  {
    name: "the other rate in converting the comparison",
    faults: [["series/fx.sql", "p.day <= w.session ORDER BY", "p.day < w.session ORDER BY"]],
    of: "fund",
    figure: "benchmark_return.1y",
    family: /^(benchmark_|chart\.benchmark)/,
  },
  {
    name: "percent read as a fraction",
    faults: [["readers/json-metadata.sql", "* 0.01)", "* 1)"]],
    of: "fund",
    // Where two sources state it differently, each statement is a figure.
    figure: null,
    family: /^total_expense_ratio/,
  },
  {
    name: "chart levels rebased to a little more than 100",
    faults: [["chart.sql", "start_level * 100, 16)", "start_level * 100.02, 16)"]],
    code: "CHART_MISMATCH",
    figure: "chart.total_return",
    family: /^chart\.total_return$/,
  },
];

describe("in the example, a fault of the second path:", () => {
  test("none, and both cards pass", () => {
    for (const id of example.first.keys()) {
      const { wrong, verdict, comparison } = judge(example, id);
      expect({ id, wrong, verdict }).toEqual({ id, wrong: [], verdict: "PASS" });
      expect(comparison.counts.numerals.matched).toBeGreaterThan(40);
      expect(comparison.counts.chart_points.matched).toBeGreaterThan(400);
    }
  });

  test.each(SECOND_FAULTS)("$name", async ({ faults, code = "RECALC_MISMATCH", of, figure, family }) => {
    const id = of === "fund" ? "KR:91A020" : "US:YAMPL";
    const second = (await example.paths.second([id], faultySql(faults))).get(id)!;
    expectFound(judge(example, id, undefined, second), code, figure, family);
  });
});

/** A row of batch and universe of its own, so that the rest of the real market is not worked. */
function smallRealBatch(ids: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-real-"));
  mkdirSync(folder, { recursive: true });
  const request = readFileSync(join(REAL_BATCH, "batch.yaml"), "utf8");
  writeFileSync(join(folder, "batch.yaml"), request.replaceAll("../../data/", `${SHARED}/data/`));
  const [header, ...rows] = readFileSync(join(REAL_BATCH, "universe.csv"), "utf8").split("\n");
  const kept = rows.filter((row) => ids.includes(row.split(",")[0]!));
  writeFileSync(join(folder, "universe.csv"), `${[header, ...kept].join("\n")}\n`);
  return folder;
}

describeShared("in the real batch, a fault of the second path:", () => {
  let sound: Sound;
  let folder: string;
  beforeAll(async () => {
    folder = smallRealBatch(["US:SPY", "US:QQQ", "KR:133690"]);
    sound = await workSound(await openTwoPaths(database.client, folder, [SHARED]), ["US:QQQ", "KR:133690"]);
  });
  afterAll(() => {
    sound.paths.close();
    rmSync(folder, { recursive: true });
  });

  test("none, and no card is blocked by its page", () => {
    for (const id of sound.first.keys()) expect(judge(sound, id)).toMatchObject({ wrong: [], verdict: "PASS" });
  });

  test.each(SECOND_FAULTS)("$name", async ({ faults, code = "RECALC_MISMATCH", of, figure, family }) => {
    const id = of === "fund" ? "KR:133690" : "US:QQQ";
    const second = (await sound.paths.second([id], faultySql(faults))).get(id)!;
    expectFound(judge(sound, id, undefined, second), code, figure, family);
  });
});

describe("a fault of the first path:", () => {
  const ID = "US:YAMPL";
  const judgeCard = (card: Card) => judge(example, ID, pageOf(card));
  const withValue = (figure: string, change: (value: string) => string) =>
    example.paths.viewWith(ID, LOCALE, example.first.get(ID)!, (fact: Fact) =>
      figureId(fact) === figure && fact.value !== null ? { ...fact, value: change(fact.value) } : fact,
    );

  test("a value that differs in a digit that is not printed", async () => {
    const card = await withValue(
      "total_return.1y",
      (value) => value.slice(0, 12) + otherDigit(value[12]!) + value.slice(13),
    );
    const judged = judgeCard(card);
    expectFound(judged, "RECALC_MISMATCH", "total_return.1y", /^total_return\.1y$/);
    for (const row of judged.wrong) expect(row.recalculated.startsWith(`${row.printed} (`)).toBe(true);
  });

  test("a value of the other sign", async () => {
    const card = await withValue("max_drawdown.1y", (value) => value.replace("-", ""));
    expectFound(judgeCard(card), "RECALC_MISMATCH", "max_drawdown.1y", /^max_drawdown\.1y$/);
  });

  test("a ratio taken for percent", async () => {
    const card = await withValue("total_expense_ratio", (value) => `${Number(value) * 100}`);
    expectFound(judgeCard(card), "RECALC_MISMATCH", "total_expense_ratio", /^total_expense_ratio$/);
  });

  test("a stated text that the source does not state", async () => {
    const card = await withValue("underlying_index", (value) => `${value}0`);
    expectFound(judgeCard(card), "RECALC_MISMATCH", "underlying_index", /^underlying_index$/);
  });

  test("printing that cuts digits off", () => {
    const card = structuredClone(example.first.get(ID)!.card);
    const cut = eachFigure(card, (shown) => {
      const digits = /^([+\u2212]?)(\d+\.\d\d)%$/.exec(shown.printed);
      if (digits === null) return false;
      const percent = Math.abs(Number(shown.value) * 100);
      const printed = `${digits[1]}${(Math.trunc(percent * 100) / 100).toFixed(2)}%`;
      const isCut = printed !== shown.printed;
      shown.printed = printed;
      return isCut;
    });
    expect(cut.size).toBeGreaterThan(0);
    const judged = judgeCard(card);
    expectFound(judged, "RECALC_MISMATCH", [...cut][0]!, /./);
    expect(new Set(judged.wrong.map(({ figure }) => figure))).toEqual(cut);
  });

  test("one level of a chart line", () => {
    const card = structuredClone(example.first.get(ID)!.card);
    const [line] = card.chart!.lines;
    // Between its extremes, so that the scale stays what it is.
    const point = line!.points[100]!;
    point.level = `${Number(point.level) * 1.0005}`;
    expectFound(judgeCard(card), "CHART_MISMATCH", `chart.${line!.kind}`, new RegExp(`^chart\\.${line!.kind}$`));
  });

  test("a window that ends a session early", async () => {
    const path = await example.paths.first(ID, LOCALE, { KR: "2026-06-29", US: "2026-06-29" });
    const judged = example.paths.judge(ID, LOCALE, path, pageOf(path.card), example.second.get(ID)!);
    expectFound(judged, "RECALC_MISMATCH", "end_session", /./);
    expect(judged.wrong.map(({ figure }) => figure)).toContain("total_return.1y");
    expect(judged.findings.map(({ code }) => code)).toContain("CHART_MISMATCH");
  });
});

describe("a fault of the page:", () => {
  const ID = "US:YAMPL";
  let html: string;
  beforeAll(() => {
    html = example.html.get(ID)!;
  });

  /** The one place where a figure stands in the headline, as written. */
  const tile = () => {
    const [element, className, value, text] =
      /<data class="([^"]*)" value="([^"]*)" data-fact="total_return\.1y">([^<]*)<\/data>/.exec(html)!;
    return {
      element,
      value: value!,
      text: text!,
      write: (v: string, t: string) =>
        `<data class="${className}" value="${v}" data-fact="total_return.1y">${t}</data>`,
    };
  };
  const changeFirst = (from: string, to: string) => {
    expect(html).toContain(from);
    return html.replace(from, () => to);
  };
  const changeLastDigit = (text: string) => text.replace(/\d(?=\D*$)/, otherDigit);
  const ONE = /^total_return\.1y$/;

  test("one digit of a figure's text", () => {
    const { element, value, text, write } = tile();
    const judged = judge(example, ID, changeFirst(element, write(value, changeLastDigit(text))));
    expectFound(judged, "RECALC_MISMATCH", "total_return.1y", ONE);
    expect(judged.wrong).toHaveLength(1);
  });

  test("one digit of a figure's machine value", () => {
    const { element, value, text, write } = tile();
    const page = changeFirst(element, write(value.slice(0, 8) + otherDigit(value[8]!) + value.slice(9), text));
    expectFound(judge(example, ID, page), "RECALC_MISMATCH", "total_return.1y", ONE);
  });

  test("one digit of both", () => {
    const { element, value, text, write } = tile();
    const [other, printed] = [value.replace(/\d(?=\d{20})/, otherDigit), changeLastDigit(text)];
    expectFound(
      judge(example, ID, changeFirst(element, write(other, printed))),
      "RECALC_MISMATCH",
      "total_return.1y",
      ONE,
    );
  });

  test("one digit of a date", () => {
    const page = changeFirst('data-fact="end_session">2026-06-30<', 'data-fact="end_session">2026-06-29<');
    expectFound(judge(example, ID, page), "RECALC_MISMATCH", "end_session", /^end_session$/);
  });

  test("a figure without its binding", () => {
    const { element } = tile();
    const judged = judge(example, ID, changeFirst(element, element.replace(/ data-fact="[^"]*"/, "")));
    expect(judged).toMatchObject({ verdict: "BLOCK" });
    expect(judged.findings.map(({ code }) => code)).toContain("UNBOUND_NUMERAL");
  });

  test("a figure left out everywhere", () => {
    const page = html.replace(/<data [^>]*data-fact="volatility\.1y">[^<]*<\/data>/g, "");
    expect(page).not.toBe(html);
    const judged = judge(example, ID, page);
    expect(judged.findings).toMatchObject([{ code: "RECALC_MISSING", severity: "BLOCK", subject: "volatility.1y" }]);
  });

  test("a number set beside the figures", () => {
    const judged = judge(example, ID, changeFirst("</header>", "<p>99.9%</p></header>"));
    expect(judged.findings).toMatchObject([{ code: "UNBOUND_NUMERAL", severity: "BLOCK" }]);
    expect(judged.comparison.unclassified).toMatchObject([{ text: "99.9" }]);
  });

  /** The first path of a series: its whole `d`, and the points of it. */
  const pathOf = (series: string) => {
    const [, d] = new RegExp(`<path[^>]* data-series="${series}"[^>]* d="([^"]*)"`).exec(html)!;
    return { d: d!, points: d!.split(/(?=L)/) };
  };
  const expectPoints = (page: string, series: string) =>
    expectFound(judge(example, ID, page), "CHART_MISMATCH", `chart.${series}`, new RegExp(`^chart\\.${series}$`));

  test.each(["total_return", "drawdown"])("one coordinate of %s", (series) => {
    const { d, points } = pathOf(series);
    points[100] = points[100]!.replace(/,(\d+)(.*)$/, (_, y: string, rest: string) => `,${Number(y) + 1}${rest}`);
    expectPoints(replaceOnce(html, `d="${d}"`, `d="${points.join("")}"`), series);
  });

  test.each(["total_return", "drawdown"])("a point of %s that is not there", (series) => {
    const { d, points } = pathOf(series);
    expectPoints(replaceOnce(html, `d="${d}"`, `d="${points.toSpliced(100, 1).join("")}"`), series);
  });

  test.each([
    ["text", 'data-value="105">105<', 'data-value="105">106<', "axis.total_return.y"],
    [
      "place",
      'y="117.69" dy="0.35em" data-chart="total_return"',
      'y="116.69" dy="0.35em" data-chart="total_return"',
      "axis.total_return.y",
    ],
    ["month", 'data-value="2026-01-01">2026-01<', 'data-value="2026-01-01">2026-02<', "axis.total_return.x"],
  ])("an axis label's %s", (_name, from, to, figure) => {
    expectFound(judge(example, ID, replaceOnce(html, from, to)), "RECALC_MISMATCH", figure, /^axis\./);
  });

  const label = (window: string, text: string) =>
    `<span class="window" data-numeral="label" data-of="total_return.${window}">${text}</span>`;
  const head = (window: string, text: string) => `<th scope="col">${label(window, text)}</th>`;

  test("two column heads that changed places, with all that they say of themselves", () => {
    const [month, quarter] = [head("1m", "1개월"), head("3m", "3개월")];
    const judged = judge(example, ID, replaceOnce(html, month + quarter, quarter + month));
    expectFound(judged, "RECALC_MISMATCH", "total_return.1m", /\.(1m|3m)$/);
    expect(judged.comparison.unclassified).toEqual([]);
    expect(judged.wrong.find(({ figure }) => figure === "total_return.1m")?.recalculated).toContain("1개월, not 3개월");
  });

  test("a column head of another window's text", () => {
    const judged = judge(example, ID, replaceOnce(html, head("1m", "1개월"), head("1m", "3개월")));
    expect(judged.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["UNBOUND_NUMERAL", "RECALC_MISMATCH"]),
    );
  });

  test("a tile under the label of another window", () => {
    const [before] = html.split('data-tile=""');
    const at = before!.lastIndexOf(label("1y", "1년"));
    expect(at).toBeGreaterThan(0);
    const page = html.slice(0, at) + label("3y", "3년") + html.slice(at + label("1y", "1년").length);
    expectFound(judge(example, ID, page), "RECALC_MISMATCH", "total_return.1y", /\.1y$/);
  });
});

function otherDigit(digit: string): string {
  return String((Number(digit) + 1) % 10);
}

interface Shown {
  figure: string;
  value: string;
  printed: string;
}

/** Walks everything that a card prints; ids of the figures for which `visit` says true. */
function eachFigure(card: Card, visit: (shown: Shown) => boolean): Set<string> {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const shown = node as Partial<Shown>;
    if (typeof shown.figure === "string" && typeof shown.printed === "string" && visit(shown as Shown)) {
      found.add(shown.figure);
    }
    for (const value of Object.values(node)) walk(value);
  };
  walk(card);
  return found;
}
