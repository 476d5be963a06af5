/** A card that is drawn by a channel's policy shows what that policy's page gates look for, as measured on its picture. */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SuppliedEvidence } from "../../pipeline/gates/evidence.ts";
import { runGates } from "../../pipeline/gates/run.ts";
import { type Browser, openBrowser } from "../../pipeline/render/browser.ts";
import { type CardInput, cardTermsOf, toCardView } from "../../pipeline/render/card-view.ts";
import { createFontShop, type FontShop } from "../../pipeline/render/fonts.ts";
import { cardHtml, cardMarkup } from "../../pipeline/render/html.ts";
import { cardSchema } from "../../pipeline/schema/card.ts";
import type { LayoutBox } from "../../pipeline/schema/layout.ts";
import { cardCss } from "../../templates/card/v1/css.ts";
import { cardInput, FULL, factsOf, instrument, policyOf, SAMPLES } from "./fixtures.ts";

const PAGE_GATES = ["channel", "disclosures", "legibility", "performance-periods", "beside", "ai-label"];
const WIDTHS = [1080, 720, 390, 360];
const cacheDir = join(tmpdir(), "assay-test-cache");
let browser: Browser;
let shop: FontShop;

beforeAll(async () => {
  mkdirSync(cacheDir, { recursive: true });
  browser = await openBrowser({ cacheDir, chromePath: null, pages: 1 });
  shop = createFontShop({ baseText: "", cacheDir });
});
afterAll(() => browser?.close());

type Channel = "internal-review" | "kr-retail" | "us-retail";

function onChannel(channel: Channel, input: CardInput): CardInput {
  return { ...input, batch: { ...input.batch, channel }, policy: policyOf(channel) };
}

async function htmlOf(input: CardInput, css = cardCss()): Promise<string> {
  const page = cardMarkup(toCardView(input), { band: null });
  return cardHtml(page, css, (await shop.facesFor(page.text)).faces);
}

function judge(channel: Channel, input: CardInput, boxes: LayoutBox[], height: number) {
  const policy = policyOf(channel);
  const evidence: Partial<SuppliedEvidence> = {
    terms: {
      as_of: "2026-08-31T00:00:00.000Z",
      cutoff: "2026-08-28",
      market: input.instrument.market,
      reporting_currency: "KRW",
    },
    instrument: input.instrument,
    facts: [...input.facts],
    chart: input.chart,
    card_terms: cardTermsOf(input),
    layout: { schema: "page_layout/v1", width: 1080, height, boxes },
  };
  return runGates({
    policy: { ...policy, gates: PAGE_GATES.map((gate) => ({ gate, version: 1 })) },
    digest: "of a test",
    disclosures: input.disclosures,
    lexicons: {} as never,
    instrument: input.instrument.instrument,
    stage: "page",
    evidence,
  }).flatMap(({ findings }) => findings.map(({ code, severity, subject }) => `${severity} ${code} ${subject}`));
}

async function findingsOf(channel: Channel, input: CardInput, css?: string): Promise<string[]> {
  const { boxes, height } = await browser.shoot(await htmlOf(input, css), { width: 1080 });
  return judge(channel, input, boxes, height);
}

const PERSON = "REVIEW PERFORMANCE_PERIODS by a person";
const QUARTER = "REVIEW PERFORMANCE_PERIODS as of";
const SIZE_UNKNOWN = "REVIEW PERFORMANCE_PERIODS net assets";
const ENGLISH = "BLOCK CHANNEL_BLOCK locale";
const KOREAN = "BLOCK CHANNEL_BLOCK locale";
const KOREAN_FUND = "BLOCK CHANNEL_BLOCK market";

describe.each<[string, { kr: string[]; us: string[] }]>([
  ["index fund", { kr: [PERSON], us: [KOREAN_FUND, KOREAN, PERSON, QUARTER] }],
  ["thin Korean covered call", { kr: [SIZE_UNKNOWN, PERSON], us: [KOREAN_FUND, KOREAN, PERSON, QUARTER] }],
  ["leveraged, demonstration", { kr: [PERSON], us: [KOREAN_FUND, KOREAN, PERSON, QUARTER] }],
  ["US bond in English", { kr: [ENGLISH, PERSON], us: [PERSON, QUARTER] }],
  ["widest figures", { kr: [PERSON], us: [KOREAN, PERSON, QUARTER] }],
  ["widest figures in English", { kr: [ENGLISH, PERSON], us: [PERSON, QUARTER] }],
  ["everything unavailable", { kr: [], us: [KOREAN_FUND, KOREAN] }],
])("%s", (name, expected) => {
  it.each<[Channel, string[]]>([
    ["internal-review", []],
    ["kr-retail", expected.kr],
    ["us-retail", expected.us],
  ])(
    "drawn for %s raises what no drawing can mend, and nothing else",
    async (channel, findings) => {
      const input = onChannel(channel, SAMPLES[name]!());
      expect(() => cardSchema.parse(toCardView(input))).not.toThrow();
      expect(await findingsOf(channel, input)).toEqual(findings);
    },
    60_000,
  );

  it("overflows at no width with the texts and figures of a client channel", async () => {
    for (const channel of ["kr-retail", "us-retail"] as const) {
      const measured = await browser.measure(await htmlOf(onChannel(channel, SAMPLES[name]!())), WIDTHS);
      for (const { width, overflow } of measured)
        expect({ channel, width, overflow }).toEqual({ channel, width, overflow: [] });
    }
  });
});

describe("a page made otherwise is found out", () => {
  const input = () => onChannel("kr-retail", SAMPLES["index fund"]!());
  it.each<[string, string, string]>([
    ["small print", ".disclosures p{font-size:19.9px}", "BLOCK FONT_TOO_SMALL past_performance"],
    ["grey print", ".disclosures p{color:#999}", "BLOCK CONTRAST_LOW past_performance"],
    [
      "a leading figure",
      ".tiles-equal .tile:first-child .tile-figure{font-size:108px}",
      "BLOCK PERFORMANCE_PERIODS total_return.1y",
    ],
    [
      "a period hidden",
      ".tiles-equal .tile:nth-child(2),.periods{opacity:0}",
      "BLOCK PERFORMANCE_PERIODS total_return.3y",
    ],
    ["disclosures scrolled away", ".disclosures{height:60px;overflow:auto}", "BLOCK DISCLOSURE_MISSING not_deposit"],
    [
      "the fee put far away",
      ".tiles-equal .tile:last-child{position:absolute;top:2400px}",
      "BLOCK PERFORMANCE_PERIODS total_return.1y",
    ],
  ])(
    "%s",
    async (_, css, finding) => {
      expect(await findingsOf("kr-retail", input(), `${cardCss()}${css}`)).toContain(finding);
    },
    60_000,
  );
});

describe("companions", () => {
  const self = instrument({ product_type: "COVERED_CALL" });
  const view = (channel: Channel, values: Record<string, string> = FULL) =>
    toCardView(onChannel(channel, cardInput({ instrument: self, facts: factsOf(self, values) })));

  it.each<[Channel, string, Record<string, string>, string[]]>([
    ["internal-review", "dominant", {}, []],
    ["kr-retail", "equal", {}, ["total_return.3y", "total_expense_ratio"]],
    ["kr-retail", "equal", { listed_on: "2024-10-18" }, ["total_return.6m", "total_expense_ratio"]],
    ["us-retail", "equal", {}, ["total_return_annualised.5y", "total_expense_ratio"]],
    ["us-retail", "equal", { listed_on: "2022-10-18" }, ["total_expense_ratio"]],
  ])("of a card on %s are what the policy wants beside its tiles", (channel, prominence, more, figures) => {
    const card = view(channel, { ...FULL, ...more });
    expect([card.prominence, card.companions.map(({ figure }) => figure)]).toEqual([prominence, figures]);
  });
});
