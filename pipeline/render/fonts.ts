/**
 * The faces a card embeds. One base subset of Pretendard per weight serves every card of a template version; glyphs a
 * card has beyond it go into a second, small face keyed by exactly those glyphs, so that one new name changes one card.
 * Same glyphs, same bytes. Ligatures and contextual forms are dropped: a glyph must show the character that is written.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { digestOf, type Sha256, sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import { codePointsOf } from "./cmap.ts";
import { COMMON_GLYPHS } from "./common-glyphs.ts";

export const FONT_WEIGHTS = [400, 600, 700] as const;
export type FontWeight = (typeof FONT_WEIGHTS)[number];

export interface FontFace {
  family: "Assay Text" | "Assay Extra";
  weight: FontWeight;
  woff_base64: string;
  /** Of the woff bytes. */
  sha256: Sha256;
  /** CSS unicode-range of a second face; null for the base, which serves whatever it has. */
  unicode_range: string | null;
}

export interface CardFaces {
  faces: FontFace[];
  /** Characters of the text that the typeface cannot draw, in code point order. */
  missing: string[];
}

export interface FontShop {
  /** `text` is everything a card shows. */
  facesFor(text: string): Promise<CardFaces>;
}

/** Kerning, tabular figures, and composition of marks. */
const FEATURES = ["kern", "tnum", "ccmp", "mark", "mkmk"];
const FILES: Record<FontWeight, string> = { 400: "Regular", 600: "SemiBold", 700: "Bold" };
/** Written into the cache key: raise it when the way of subsetting changes. */
const RECIPE = 1;

interface Typeface {
  sources: { weight: FontWeight; bytes: Buffer; sha256: Sha256 }[];
  covered: Set<number>;
}
let typeface: Promise<Typeface> | undefined;

/** `cacheDir` may be shared by processes; files in it are checked against their own hash and made anew if they differ. */
export function createFontShop(options: { baseText: string; cacheDir: string }): FontShop {
  const base = visibleCodePoints(options.baseText + COMMON_GLYPHS);
  const baseSet = new Set(base);
  const made = new Map<string, Promise<FontFace[]>>();

  async function facesOf(family: FontFace["family"], points: number[]): Promise<FontFace[]> {
    const key = points.join(",");
    const known = made.get(key);
    if (known !== undefined) return known;
    const faces = makeFaces(family, points, options.cacheDir);
    made.set(key, faces);
    faces.catch(() => made.delete(key));
    return faces;
  }

  return {
    async facesFor(text) {
      const { covered } = await openTypeface();
      const points = visibleCodePoints(text);
      const missing = points.filter((point) => !covered.has(point));
      const beyond = points.filter((point) => covered.has(point) && !baseSet.has(point));
      const drawnBase = base.filter((point) => covered.has(point));
      const faces = [...(await facesOf("Assay Text", drawnBase))];
      if (beyond.length > 0) faces.push(...(await facesOf("Assay Extra", beyond)));
      return { faces, missing: missing.map((point) => String.fromCodePoint(point)) };
    },
  };
}

async function makeFaces(family: FontFace["family"], points: number[], cacheDir: string): Promise<FontFace[]> {
  const { sources } = await openTypeface();
  const text = String.fromCodePoint(...points);
  const faces: FontFace[] = [];
  for (const source of sources) {
    const key = digestOf("font-subset", { recipe: RECIPE, text, features: FEATURES, font: source.sha256 });
    const path = join(cacheDir, `${key}.woff`);
    const woff = (await readCached(path)) ?? (await makeSubset(source.bytes, text, path));
    faces.push({
      family,
      weight: source.weight,
      woff_base64: woff.toString("base64"),
      sha256: sha256(woff),
      unicode_range: family === "Assay Extra" ? unicodeRange(points) : null,
    });
  }
  return faces;
}

async function makeSubset(font: Buffer, text: string, path: string): Promise<Buffer> {
  const { default: subsetFont } = await import("subset-font");
  const woff = await subsetFont(font, text, { targetFormat: "woff", keepFeatures: FEATURES, noHinting: true });
  await mkdir(dirname(path), { recursive: true });
  // Two processes may make the same face at once: each renames a whole file into place, and both files are equal.
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, Buffer.concat([Buffer.from(sha256(woff), "latin1"), woff]));
  await rename(temporary, path);
  return woff;
}

/** A cached file is 64 hexadecimal digits and the bytes they are the hash of. Guards against damage, not against malice. */
async function readCached(path: string): Promise<Buffer | undefined> {
  const file = await readFile(path).catch(() => undefined);
  if (file === undefined || file.length <= 64) return undefined;
  const woff = file.subarray(64);
  return sha256(woff) === file.toString("latin1", 0, 64) ? woff : undefined;
}

function openTypeface(): Promise<Typeface> {
  typeface ??= readTypeface().catch((cause: unknown) => {
    typeface = undefined;
    throw new AssayError("FONT_UNREADABLE", "the typeface Pretendard cannot be read", {
      hint: "install the packages again: npm ci",
      cause,
    });
  });
  return typeface;
}

async function readTypeface(): Promise<Typeface> {
  // Bundlers rewrite a plain createRequire(…).resolve of a literal.
  const { createRequire } = process.getBuiltinModule("node:module");
  const root = dirname(createRequire(import.meta.url).resolve("pretendard/package.json"));
  const sources = await Promise.all(
    FONT_WEIGHTS.map(async (weight) => {
      const name = `Pretendard-${FILES[weight]}.ttf`;
      const bytes = await readFile(join(root, "dist/public/static/alternative", name));
      return { weight, bytes, sha256: sha256(bytes) };
    }),
  );
  const [first, ...others] = sources.map((source) => codePointsOf(source.bytes));
  const covered = new Set([...(first ?? [])].filter((point) => others.every((points) => points.has(point))));
  return { sources, covered };
}

/** Distinct code points in order, without those that draw nothing (controls, format characters, line breaks). */
function visibleCodePoints(text: string): number[] {
  const points = new Set<number>();
  for (const character of text)
    if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(character)) points.add(character.codePointAt(0)!);
  return [...points].sort((a, b) => a - b);
}

function unicodeRange(points: number[]): string {
  return points.map((point) => `U+${point.toString(16).toUpperCase()}`).join(", ");
}
