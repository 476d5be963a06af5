/** Which code points a TrueType font has a glyph for, from its `cmap` (format 12, else 4). Reads nothing else. */
import { AssayError } from "../domain/outcome.ts";

export function codePointsOf(font: Buffer): Set<number> {
  const cmap = tableAt(font, "cmap");
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => {
    const at = cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4);
    return { at, format: font.readUInt16BE(at) };
  });
  const wide = subtables.find((subtable) => subtable.format === 12);
  if (wide !== undefined) return format12(font, wide.at);
  const narrow = subtables.find((subtable) => subtable.format === 4);
  if (narrow !== undefined) return format4(font, narrow.at);
  throw new AssayError("FONT_UNREADABLE", "the font has no cmap of format 12 or 4");
}

function tableAt(font: Buffer, tag: string): number {
  const count = font.readUInt16BE(4);
  for (let index = 0; index < count; index += 1) {
    const record = 12 + index * 16;
    if (font.toString("latin1", record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  throw new AssayError("FONT_UNREADABLE", `the font has no ${tag} table`);
}

function format12(font: Buffer, at: number): Set<number> {
  const points = new Set<number>();
  const groups = font.readUInt32BE(at + 12);
  for (let index = 0; index < groups; index += 1) {
    const group = at + 16 + index * 12;
    const last = font.readUInt32BE(group + 4);
    for (let point = font.readUInt32BE(group); point <= last; point += 1) points.add(point);
  }
  return points;
}

function format4(font: Buffer, at: number): Set<number> {
  const points = new Set<number>();
  const segments = font.readUInt16BE(at + 6) / 2;
  const ends = at + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const offsets = deltas + segments * 2;
  for (let index = 0; index < segments; index += 1) {
    const first = font.readUInt16BE(starts + index * 2);
    const last = font.readUInt16BE(ends + index * 2);
    const offsetAt = offsets + index * 2;
    const offset = font.readUInt16BE(offsetAt);
    const delta = font.readUInt16BE(deltas + index * 2);
    for (let point = first; point <= last && point !== 0xffff; point += 1) {
      const glyph = offset === 0 ? point + delta : font.readUInt16BE(offsetAt + offset + (point - first) * 2);
      if ((glyph & 0xffff) !== 0) points.add(point);
    }
  }
  return points;
}
