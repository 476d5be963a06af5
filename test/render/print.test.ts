/**
 * On A4 paper a card fits its page's width, and what must not be overlooked (bands and seal) is there in one piece. Which
 * page a piece is on is told by links laid over it: Chromium writes one into the PDF for each page that a link is on.
 */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toCardView } from "../../pipeline/render/card-view.ts";
import { locateChromium } from "../../pipeline/render/chromium.ts";
import { createFontShop, type FontShop } from "../../pipeline/render/fonts.ts";
import { cardHtml, cardMarkup } from "../../pipeline/render/html.ts";
import { type Measured, measureSource } from "../../pipeline/render/page-measure.ts";
import { cardCss } from "../../templates/card/v1/css.ts";
import { SAMPLES } from "./fixtures.ts";

const A4_WIDTH_PX = 794;
/** Between the margins of 12 mm. */
const A4_HEIGHT_PX = ((297 - 24) / 25.4) * 96;
const cacheDir = join(tmpdir(), "assay-test-cache");
let browser: Browser;
let shop: FontShop;

beforeAll(async () => {
  mkdirSync(cacheDir, { recursive: true });
  const { executable, env } = await locateChromium({ cacheDir, chromePath: null });
  browser = await puppeteer.launch({
    executablePath: executable,
    env,
    headless: "shell",
    pipe: true,
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
  shop = createFontShop({ baseText: "", cacheDir });
});
afterAll(() => browser?.close());

async function printed(name: string, band: "BLOCKED" | null): Promise<Page> {
  const markup = cardMarkup(toCardView(SAMPLES[name]!()), { band });
  const { faces } = await shop.facesFor(markup.text);
  const page = await browser.newPage();
  await page.setViewport({ width: A4_WIDTH_PX, height: 1123 });
  await page.emulateMediaType("print");
  await page.setContent(cardHtml(markup, cardCss(), faces));
  return page;
}

const measure = (page: Page) => page.evaluate(measureSource(true)) as Promise<Measured>;

/** Lays a link over each element of a kind and prints: by name, on how many pages it is and how tall in all. */
async function piecesOf(
  page: Page,
  kinds: Record<string, string>,
): Promise<Map<string, { pages: number; height: number }>> {
  await page.evaluate((selectors) => {
    for (const [kind, selector] of Object.entries(selectors)) {
      document.querySelectorAll<HTMLElement>(selector).forEach((element, index) => {
        const link = document.createElement("a");
        link.href = `https://piece.invalid/${kind}-${index}`;
        link.style.cssText = "position:absolute;inset:0";
        element.style.position = "relative";
        element.append(link);
      });
    }
  }, kinds);
  const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
  const pieces = new Map<string, { pages: number; height: number }>();
  for (const [annotation] of pdf.matchAll(/<<(?:(?!endobj)[\s\S])*?\/Subtype \/Link[\s\S]*?endobj/g)) {
    const [, name] = /https:\/\/piece\.invalid\/([a-z]+-\d+)/.exec(annotation) ?? [];
    const [, , bottom, , top] = /\/Rect \[(\S+) (\S+) (\S+) (\S+)\]/.exec(annotation) ?? [];
    if (name === undefined) continue;
    const before = pieces.get(name) ?? { pages: 0, height: 0 };
    pieces.set(name, { pages: before.pages + 1, height: before.height + Number(top) - Number(bottom) });
  }
  return pieces;
}

/** Moves each of these to where it would lie half on one page and half on the next, if it could be cut. */
async function straddle(page: Page, selector: string): Promise<void> {
  await page.evaluate(
    (selected, pageHeight) => {
      for (const element of document.querySelectorAll<HTMLElement>(selected)) {
        const above = Number.parseFloat(getComputedStyle(element).marginTop) + element.offsetHeight / 2;
        const spacer = document.createElement("div");
        spacer.style.cssText = `break-before:page;height:${pageHeight - above}px`;
        element.before(spacer);
      }
    },
    selector,
    A4_HEIGHT_PX,
  );
}

const SEEN = ["thin Korean covered call", "leveraged, demonstration", "widest figures in English"];

describe.each(SEEN)("%s on A4", (name) => {
  it("overflows nowhere, with its band or without", async () => {
    for (const band of [null, "BLOCKED"] as const) {
      const page = await printed(name, band);
      expect((await measure(page)).overflow).toEqual([]);
      await page.close();
    }
  });

  it.each([
    ["its own bands", null],
    ["the bands of a blocked card", "BLOCKED"],
  ] as const)(
    "has the seal and %s whole, even where a page would end within them",
    async (_name, band) => {
      const page = await printed(name, band);
      await straddle(page, ".band, #assay-seal");
      const pieces = await piecesOf(page, { band: ".band", seal: "#assay-seal", whole: ".card" });
      await page.close();
      // Three places; a blocked card of invented data bears both bands in each.
      const kinds = (band === null ? 0 : 1) + (name.endsWith("demonstration") ? 1 : 0);
      const bands = Array.from({ length: 3 * kinds }, (_, index) => `band-${index}`);
      expect([...pieces.keys()].sort()).toEqual([...bands, "seal-0", "whole-0"]);
      // The measure works: what is longer than a page is found on several.
      expect(pieces.get("whole-0")?.pages).toBeGreaterThan(2);
      for (const piece of [...bands, "seal-0"]) {
        expect([piece, pieces.get(piece)?.pages]).toEqual([piece, 1]);
        expect(pieces.get(piece)?.height).toBeGreaterThan(20);
      }
    },
    60_000,
  );
});
