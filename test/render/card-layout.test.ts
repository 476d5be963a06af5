/** Laws of layout, measured in Chromium with the card's own fonts: nothing overflows, nothing is too small to read. */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, type Measured, openBrowser } from "../../pipeline/render/browser.ts";
import { toCardView } from "../../pipeline/render/card-view.ts";
import { createFontShop, type FontShop } from "../../pipeline/render/fonts.ts";
import { cardHtml, cardMarkup } from "../../pipeline/render/html.ts";
import { cardCss } from "../../templates/card/v1/css.ts";
import { SAMPLES } from "./fixtures.ts";

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

async function measured(name: string, band: "BLOCKED" | null): Promise<Measured[]> {
  const page = cardMarkup(toCardView(SAMPLES[name]!()), { band });
  const { faces, missing } = await shop.facesFor(page.text);
  expect(missing).toEqual([]);
  return browser.measure(cardHtml(page, cardCss(), faces), WIDTHS);
}

describe.each(Object.keys(SAMPLES))("%s", (name) => {
  it("overflows at no width from 1080 to 360, with its band or without", async () => {
    for (const band of [null, "BLOCKED"] as const) {
      for (const { width, overflow } of await measured(name, band))
        expect({ width, overflow }).toEqual({ width, overflow: [] });
    }
  });
});

describe("at 1080", () => {
  it("no text is smaller than 17 px and disclosures are 20", async () => {
    const [wide] = await measured("thin Korean covered call", null);
    expect(Math.min(...wide!.boxes.map((box) => box.font_px))).toBeGreaterThanOrEqual(17);
    const legal = wide!.boxes.filter((box) => /원금의 손실|보장하는 것은/.test(box.text));
    expect(legal.length).toBe(2);
    for (const box of legal) expect(box.font_px).toBeGreaterThanOrEqual(20);
  });

  it("the seal strip is the last 200 px, whatever stands above it", async () => {
    for (const name of ["index fund", "everything unavailable"]) {
      const [wide] = await measured(name, null);
      const drafts = wide!.boxes.filter((box) => box.text === "DRAFT");
      expect(drafts.length).toBe(1);
      const middle = drafts[0]!.y + drafts[0]!.height / 2;
      // The strip's upper rule is 4 px, so its middle is 98 px above the foot.
      expect(Math.abs(wide!.height - middle - 98)).toBeLessThanOrEqual(2);
    }
  });

  it("the dominant figure is the largest text on the page", async () => {
    const [wide] = await measured("index fund", null);
    const largest = wide!.boxes.reduce((one, other) => (other.font_px > one.font_px ? other : one));
    expect(largest.text).toBe("+45.56%");
  });
});
