/** Chromium and sharp as they are: one picture of the whole page, the same bytes each time, nothing run, nothing fetched. */

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, openBrowser } from "../../pipeline/render/browser.ts";
import { createFontShop } from "../../pipeline/render/fonts.ts";
import { compressPng } from "../../pipeline/render/png.ts";

// Kept between runs, as in production: unpacking the browser takes two seconds.
const cacheDir = join(tmpdir(), "assay-test-cache");
let browser: Browser;
let faces: string;

beforeAll(async () => {
  mkdirSync(cacheDir, { recursive: true });
  browser = await openBrowser({ cacheDir, chromePath: null, pages: 2 });
  const shop = createFontShop({ baseText: "", cacheDir });
  faces = (await shop.facesFor("뷁")).faces
    .map(
      (face) =>
        `@font-face{font-family:"${face.family}";font-weight:${face.weight};${face.unicode_range ? `unicode-range:${face.unicode_range};` : ""}src:url(data:font/woff;base64,${face.woff_base64}) format("woff")}`,
    )
    .join("");
});
afterAll(() => browser?.close());

const STYLE =
  'body{margin:0;font:400 24px "Assay Text","Assay Extra",sans-serif;color:#14181f;background:#fff}.up{color:#c8102e}.down{color:#1456b8}.tnum{font-feature-settings:"tnum" 1}span{white-space:nowrap}h1{font-size:24px}';
const page = (body: string, style = STYLE) =>
  `<!doctype html><html lang="ko"><head><meta charset="utf-8"><style>${faces}${style}</style></head><body>${body}</body></html>`;
const LONG = page(`<p class="up">+45.56%</p><p class="down">−7.37%</p>${"<p>총수익률 뷁</p>".repeat(40)}`);

/** Living processes of the packed browser started by this program. */
function browserPids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return stat.includes("(chromium)") && state !== "Z" && state !== "X" && Number(parent) === process.pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Renderer processes below a browser of this program; a page lives in one. */
function rendererPids(): number[] {
  const own = new Set([process.pid, ...browserPids()]);
  const found: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        if (!own.has(parent) || own.has(Number(name)) || !stat.includes("(chromium)")) continue;
        own.add(Number(name));
        if (readFileSync(`/proc/${name}/cmdline`, "utf8").includes("--type=renderer")) found.push(Number(name));
      } catch {
        // It ended while it was looked at.
      }
    }
  }
  return found;
}

describe("the picture", () => {
  test("shows the whole page at the width asked for", async () => {
    const { png, height } = await browser.shoot(LONG, { width: 1080 });
    const { width, height: drawn } = await sharp(png).metadata();
    expect(height).toBeGreaterThan(1_500);
    expect([width, drawn]).toEqual([1080, height]);
  });

  test("is as tall as its page, also after a taller one", async () => {
    const before = await browser.shoot(page("<p>가</p>"), { width: 1080 });
    await Promise.all([1, 2].map(() => browser.shoot(LONG, { width: 1080 })));
    expect((await browser.shoot(page("<p>가</p>"), { width: 1080 })).height).toBe(before.height);
    expect(before.height).toBeLessThan(200);
  });

  test("is the same bytes each time, on each page", async () => {
    const all = await Promise.all(
      [1, 2, 3, 4].map(async () => compressPng((await browser.shoot(LONG, { width: 720 })).png)),
    );
    expect(new Set(all.map((png) => png.bytes.toString("base64"))).size).toBe(1);
    expect(all[0]).toMatchObject({ width: 720 });
  });

  test("keeps its colours apart when compressed: red stays red, blue blue, ink ink", async () => {
    const { png } = await browser.shoot(LONG, { width: 1080 });
    const { bytes } = await compressPng(png);
    expect(bytes.length).toBeLessThan(png.length);
    const [before, after] = await Promise.all([png, bytes].map((file) => sharp(file).removeAlpha().raw().toBuffer()));
    let worst = 0;
    for (let at = 0; at < before!.length; at += 1) worst = Math.max(worst, Math.abs(before![at]! - after![at]!));
    expect(worst).toBeLessThanOrEqual(16);
  });

  test("draws with the embedded faces: tabular figures share a width, the second face has its glyph", async () => {
    const [measured] = await browser.measure(
      page(
        '<p><span>1111</span></p><p><span class="tnum">1111</span></p><p><span class="tnum">8808</span></p><p><span>뷁</span></p>',
      ),
      [1080],
    );
    const [plain, ones, eights, rare] = measured!.boxes.map((box) => box.width);
    expect(ones).toBeCloseTo(eights!, 1);
    expect(plain).toBeLessThan(ones!);
    const [fallback] = await browser.measure(
      page("<p><span>뷁</span></p>", "body{margin:0;font:24px sans-serif}"),
      [1080],
    );
    expect(rare).not.toBeCloseTo(fallback!.boxes[0]!.width, 1);
  });

  test("a broken picture is refused by code", async () => {
    await expect(compressPng(Buffer.from("no picture"))).rejects.toMatchObject({ code: "PNG_UNREADABLE" });
  });
});

describe("measuring", () => {
  test("tells what does not fit, at which width", async () => {
    const html = page('<h1 class="name"><span>State Street SPDR Bloomberg 1-3 Month T-Bill ETF</span></h1><p>가</p>');
    const [wide, narrow] = await browser.measure(html, [1080, 360]);
    expect(wide!.overflow).toEqual([]);
    expect(narrow!.overflow.map((found) => [found.element, found.kind])).toEqual([
      ["h1.name", "content"],
      ["span", "page"],
    ]);
  });

  test("tells each text's size as a reader sees it, also in a drawing", async () => {
    const [measured] = await browser.measure(
      page('<p>가</p><svg viewBox="0 0 100 50" width="200"><text x="5" y="20" font-size="10">45</text></svg>'),
      [1080],
    );
    expect(measured!.boxes.map((box) => [box.text, box.font_px])).toEqual([
      ["가", 24],
      ["45", 20],
    ]);
  });
});

describe("a hostile page", () => {
  test("runs nothing", async () => {
    const [measured] = await browser.measure(
      page(
        '<p>가</p><script>document.body.textContent="ran"</script><img src="x" onerror="document.body.textContent=1">',
      ),
      [400],
    );
    expect(measured!.boxes.map((box) => box.text)).toEqual(["가"]);
  });

  test("fetches nothing and goes nowhere", async () => {
    let visits = 0;
    const server = createServer((_, response) => {
      visits += 1;
      response.end("<p>elsewhere</p>");
    });
    server.on("connection", () => {
      visits += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const lured = page(
      `<p>가</p><img src="${url}"><iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><video src="${url}"></video>`,
      `@import "${url}";body{background:url(${url});font-family:f}@font-face{font-family:f;src:url(${url})}`,
    );
    const led = page("<p>가</p>").replace(
      "<head>",
      `<head><meta http-equiv="refresh" content="0;url=${url}"><link rel="stylesheet" href="${url}"><link rel="preconnect" href="${url}"><link rel="prefetch" href="${url}"><link rel="preload" as="image" href="${url}">`,
    );
    await browser.shoot(lured, { width: 400 });
    const first = await browser.shoot(led, { width: 400 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const again = await browser.shoot(led, { width: 400 });
    server.close();
    expect(visits).toBe(0);
    const plain = await browser.shoot(page("<p>가</p>"), { width: 400 });
    expect([first.png.equals(plain.png), again.png.equals(plain.png)]).toEqual([true, true]);
  });

  test("that is endlessly tall is refused by code, and the next card is drawn", async () => {
    const tall = page('<div class="tall"></div>', ".tall{height:90000px}");
    await expect(browser.shoot(tall, { width: 400 })).rejects.toMatchObject({ code: "PAGE_TOO_TALL" });
    expect((await browser.shoot(page("<p>가</p>"), { width: 400 })).height).toBeLessThan(200);
  });

  test("that takes too long is refused by code, and the next card is drawn", async () => {
    const hasty = await openBrowser({ cacheDir, chromePath: null, pages: 1, card_timeout_ms: 2_500 });
    try {
      // Long, not deep: each of the two thousand layouts takes its time, and none of them crashes the page.
      const heavy = page("<p>총수익률은 분배금을 다시 투자한 것으로 본 값입니다.</p>".repeat(3_000));
      await expect(
        hasty.measure(
          heavy,
          Array.from({ length: 2_000 }, (_, index) => 300 + index),
        ),
      ).rejects.toMatchObject({
        code: "PAGE_TIMEOUT",
      });
      expect((await hasty.shoot(page("<p>가</p>"), { width: 400 })).height).toBeLessThan(200);
    } finally {
      await hasty.close();
    }
  });
});

describe("the browser", () => {
  test("killed in the middle of its cards is launched again, and every card is drawn", async () => {
    const own = await openBrowser({ cacheDir, chromePath: null, pages: 2 });
    try {
      const known = new Set(browserPids());
      const cards = Array.from({ length: 6 }, () => own.shoot(LONG, { width: 1080 }));
      await cards[0];
      // The last one started is ours; the shared browser of this file is left alone.
      process.kill(Math.max(...known), "SIGKILL");
      const heights = (await Promise.all(cards)).map((shot) => shot.height);
      expect(new Set(heights).size).toBe(1);
    } finally {
      await own.close();
    }
  });

  test("whose pages crash opens them again, and every card is drawn", async () => {
    const cards = Array.from({ length: 6 }, () => browser.shoot(LONG, { width: 1080 }));
    await cards[0];
    const renderers = rendererPids();
    expect(renderers.length).toBeGreaterThan(0);
    for (const pid of renderers) process.kill(pid, "SIGKILL");
    const heights = (await Promise.all(cards)).map((shot) => shot.height);
    expect(new Set(heights).size).toBe(1);
  });

  test("closed leaves no process and no profile behind, and refuses what comes after", async () => {
    const profiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith("assay-chromium-"));
    const before = { pids: browserPids(), profiles: profiles() };
    const own = await openBrowser({ cacheDir, chromePath: null, pages: 2 });
    await own.shoot(page("<p>가</p>"), { width: 400 });
    expect(browserPids().length).toBe(before.pids.length + 1);
    const late = own.shoot(LONG, { width: 1080 });
    await Promise.all([own.close(), expect(late).rejects.toMatchObject({ code: "BROWSER_CLOSED" })]);
    await expect(own.shoot(LONG, { width: 1080 })).rejects.toMatchObject({ code: "BROWSER_CLOSED" });
    expect(browserPids()).toEqual(before.pids);
    expect(profiles()).toEqual(before.profiles);
  });

  test("that is not where it is said to be is refused by code", async () => {
    await expect(openBrowser({ cacheDir, chromePath: "/no/such/chrome" })).rejects.toMatchObject({
      code: "BROWSER_MISSING",
    });
  });
});
