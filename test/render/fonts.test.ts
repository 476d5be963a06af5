/** The faces a card embeds: same glyphs, same bytes; nothing lost of what a card prints; damage in the cache is met. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sha256 } from "../../pipeline/domain/digest.ts";
import { COMMON_GLYPHS } from "../../pipeline/render/common-glyphs.ts";
import { createFontShop } from "../../pipeline/render/fonts.ts";

const cacheDir = mkdtempSync(join(tmpdir(), "assay-fonts-"));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));
const shop = createFontShop({ baseText: "총수익률 낙폭", cacheDir });
const RARE = "뷁쀍";

describe("fonts", () => {
  test("a card of common glyphs embeds one base face per weight and no other", async () => {
    const { faces, missing } = await shop.facesFor("총수익률 +45.56% ▲ KODEX");
    expect(faces.map((face) => [face.family, face.weight, face.unicode_range])).toEqual([
      ["Assay Text", 400, null],
      ["Assay Text", 600, null],
      ["Assay Text", 700, null],
    ]);
    expect(missing).toEqual([]);
  });

  test("a base face stays under 110 KB and is the woff that its digest names", async () => {
    for (const face of (await shop.facesFor("")).faces) {
      const woff = Buffer.from(face.woff_base64, "base64");
      expect(woff.toString("latin1", 0, 4)).toBe("wOFF");
      expect(woff.length).toBeLessThan(110 * 1024);
      expect(sha256(woff)).toBe(face.sha256);
    }
  });

  test("what a card has beyond the base goes into a small second face, in any order, with the same bytes", async () => {
    const [one, other] = [
      await shop.facesFor(`${RARE} ETF`),
      await shop.facesFor([...`가나 ${RARE}`].reverse().join("")),
    ];
    expect(one.faces.slice(3).map((face) => [face.family, face.weight, face.unicode_range])).toEqual([
      ["Assay Extra", 400, "U+BDC1, U+C00D"],
      ["Assay Extra", 600, "U+BDC1, U+C00D"],
      ["Assay Extra", 700, "U+BDC1, U+C00D"],
    ]);
    expect(other.faces).toEqual(one.faces);
    expect(one.faces.slice(0, 3)).toEqual((await shop.facesFor("가")).faces);
  });

  test("a name changes no other card's faces", async () => {
    const before = (await shop.facesFor("가나다")).faces;
    await shop.facesFor(RARE);
    expect((await shop.facesFor("가나다")).faces).toEqual(before);
  });

  test("glyphs the typeface lacks are named, each once, and not asked of a face", async () => {
    const { faces, missing } = await shop.facesFor("漢字🙂漢 가");
    expect(missing).toEqual(["字", "漢", "🙂"]);
    expect(faces).toHaveLength(3);
  });

  test("what draws nothing is not missing", async () => {
    expect((await shop.facesFor("가\n\t\u200b\u202e나\ud800")).missing).toEqual([]);
  });

  test("every glyph of the common list is drawn", async () => {
    expect((await shop.facesFor(COMMON_GLYPHS)).missing).toEqual([]);
  });

  test("another shop finds the same bytes in the cache, and makes a damaged file anew", async () => {
    const { faces } = await shop.facesFor(RARE);
    const path = readdirSync(cacheDir).map((name) => join(cacheDir, name))[0]!;
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole);
    damaged[200] = (damaged[200]! + 1) % 256;
    writeFileSync(path, damaged);
    expect((await createFontShop({ baseText: "총수익률 낙폭", cacheDir }).facesFor(RARE)).faces).toEqual(faces);
    expect(readFileSync(path)).toEqual(whole);
  });
});
