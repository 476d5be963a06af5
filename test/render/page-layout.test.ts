/** What counts as drawn: text that a reader cannot see says why, whatever way a page hides it; sizes are as seen. */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type Browser, openBrowser } from "../../pipeline/render/browser.ts";
import type { LayoutBox } from "../../pipeline/schema/layout.ts";

const cacheDir = join(tmpdir(), "assay-test-cache");
let browser: Browser;
beforeAll(async () => {
  mkdirSync(cacheDir, { recursive: true });
  browser = await openBrowser({ cacheDir, chromePath: null, pages: 1 });
});
afterAll(() => browser?.close());

async function boxesOf(body: string, style = ""): Promise<LayoutBox[]> {
  const html = `<!doctype html><html><head><meta charset="utf-8"><style>body{margin:40px;font:20px sans-serif;color:#111;background:#fff}p{margin:10px 0}${style}</style></head><body>${body}</body></html>`;
  return (await browser.shoot(html, { width: 600 })).boxes;
}
const TEXT = "The principal may be lost.";

describe("a text that a reader cannot see", () => {
  test.each<[string, string, LayoutBox["hidden"]]>([
    ["has no visibility", `<p style="visibility:hidden">${TEXT}</p>`, "hidden"],
    ["is transparent", `<p style="opacity:0">${TEXT}</p>`, "faint"],
    ["lies in a transparent section", `<section style="opacity:.05"><p>${TEXT}</p></section>`, "faint"],
    ["has transparent ink", `<p style="color:transparent">${TEXT}</p>`, "faint"],
    ["has ink of its ground", `<p style="color:#fff">${TEXT}</p>`, "faint"],
    ["has ink nearly of its ground", `<p style="background:#222;color:#333">${TEXT}</p>`, "faint"],
    ["has its fill taken away", `<p style="-webkit-text-fill-color:#fff">${TEXT}</p>`, "faint"],
    ["is cut by its box", `<p style="height:4px;overflow:hidden">${TEXT}</p>`, "clipped"],
    [
      "is cut by a box about it",
      `<div style="width:80px;overflow:clip;white-space:nowrap"><p>${TEXT}</p></div>`,
      "clipped",
    ],
    [
      "ends in three dots",
      `<p style="width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">${TEXT}</p>`,
      "clipped",
    ],
    ["is masked", `<p style="clip-path:inset(50%)">${TEXT}</p>`, "masked"],
    ["is filtered away", `<p style="filter:opacity(0)">${TEXT}</p>`, "masked"],
    ["lies off the page", `<p style="position:absolute;left:-5000px">${TEXT}</p>`, "off_page"],
    ["lies below the picture's foot", `<p style="position:absolute;top:9000px">${TEXT}</p>`, "off_page"],
    ["is indented off the page", `<p style="text-indent:-900px;white-space:nowrap">${TEXT}</p>`, "off_page"],
    ["is covered", `<p>${TEXT}</p><div style="position:absolute;inset:0;background:#fff"></div>`, "covered"],
    [
      "is covered by what lets the pointer through",
      `<p>${TEXT}</p><div style="position:absolute;inset:0;background:#fff;pointer-events:none"></div>`,
      "covered",
    ],
    [
      "is covered by a picture",
      `<p>${TEXT}</p><canvas style="position:absolute;inset:0;width:100%;height:100%"></canvas>`,
      "covered",
    ],
  ])("because it %s", async (_, body, hidden) => {
    const boxes = await boxesOf(body);
    expect(boxes.map((box) => [box.text, box.hidden])).toEqual([[TEXT, hidden]]);
  });

  test.each([
    ["display", `<p style="display:none">${TEXT}</p>`],
    ["no size", `<p style="font-size:0">${TEXT}</p>`],
    ["decoration", `<p aria-hidden="true">${TEXT}</p>`],
    ["no room", `<p style="transform:scale(0)">${TEXT}</p>`],
  ])("because of its %s is not there at all", async (_, body) => {
    expect(await boxesOf(body)).toEqual([]);
  });

  test.each([
    [
      "beneath a mark that lets it through",
      `<p>${TEXT}</p><div style="position:absolute;inset:0;color:rgb(140 0 0/.1)"></div>`,
    ],
    ["in a box that is just large enough", `<p style="overflow:hidden">${TEXT}</p>`],
    ["on a dark ground", `<p style="background:#111;color:#eee">${TEXT}</p>`],
    ["on two lines", `<p style="width:120px">${TEXT}</p>`],
  ])("is not one %s", async (_, body) => {
    expect((await boxesOf(body)).find((box) => box.text === TEXT)?.hidden).toBe(null);
  });
});

describe("a box", () => {
  it("says what it prints, what it stands for, and where", async () => {
    const boxes = await boxesOf(
      `<section data-where="tiles"><data data-fact="total_return.1y" value="0.1">+10.00%</data>
       <span data-absent="price_return.1y">no <em>data</em></span></section>
       <p data-numeral="legal" data-of="fees">Costs <b>apply</b>.</p><p data-numeral="entity" data-of="issuer">Gaon</p>`,
    );
    expect(boxes.map((box) => [box.text, box.figure ?? box.absent ?? box.disclosure, box.where])).toEqual([
      ["+10.00%", "total_return.1y", "tiles"],
      ["no", "price_return.1y", "tiles"],
      ["data", "price_return.1y", "tiles"],
      ["Costs", "fees", null],
      ["apply", "fees", null],
      [".", "fees", null],
      ["Gaon", null, null],
    ]);
  });

  test.each([
    ["in points of the page", `<p>${TEXT}</p>`, 20],
    ["scaled", `<p style="transform:scale(.5)">${TEXT}</p>`, 10],
    ["in a scaled section", `<div style="scale:.5"><p>${TEXT}</p></div>`, 10],
    ["zoomed", `<p style="zoom:.5">${TEXT}</p>`, 10],
    ["in a drawing", `<svg viewBox="0 0 100 50" width="200"><text y="20" font-size="30">${TEXT}</text></svg>`, 60],
  ])("has the size that a reader sees: %s", async (_, body, px) => {
    expect((await boxesOf(body))[0]?.font_px).toBe(px);
  });

  test.each([
    ["black on white", "color:#000", 21],
    ["grey on white", "color:#767676", 4.54],
    ["half transparent", "color:rgb(0 0 0/.5)", 3.98],
    ["on a ground half transparent", "background:rgb(0 0 0/.5);color:#fff", 3.98],
    ["on a picture", "background-image:linear-gradient(#000,#fff)", null],
  ])("has the contrast of ink to ground: %s", async (_, style, contrast) => {
    expect((await boxesOf(`<p style="${style}">${TEXT}</p>`))[0]?.contrast).toBe(contrast);
  });

  it("stands where the picture shows it", async () => {
    const [one] = await boxesOf(`<p style="padding:860px 0 0 60px">${TEXT}</p>`);
    expect(one).toMatchObject({ x: 100, hidden: null });
    expect(Math.abs(one!.y - 900)).toBeLessThan(5);
  });

  it("is not measured on a page of thousands: it is refused by code", async () => {
    await expect(boxesOf("<i>a</i> ".repeat(4_100), "i{font-size:4px}")).rejects.toMatchObject({
      code: "PAGE_UNMEASURED",
    });
  });
});
