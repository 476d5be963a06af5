/**
 * The picture that is kept: Chromium's PNG with at most 128 colours. The same input gives the same bytes with the same
 * version of sharp. Two pictures are compressed at a time, each on one thread: more would only queue inside libvips.
 */
import { AssayError } from "../domain/outcome.ts";

export interface Png {
  bytes: Buffer;
  width: number;
  height: number;
}

const AT_ONCE = 2;
/** A card of text and thin lines: 128 colours hold every tone of its edges; dithering would only roughen them. */
const PALETTE = { palette: true, colours: 128, effort: 1, dither: 0, compressionLevel: 4 } as const;

let running = 0;
const waiting: (() => void)[] = [];

export async function compressPng(png: Buffer): Promise<Png> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    const { default: sharp } = await import("sharp");
    sharp.concurrency(1);
    // Every picture is another: a cache of operations would only hold memory.
    sharp.cache(false);
    const { data, info } = await sharp(png).removeAlpha().png(PALETTE).toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (cause) {
    throw new AssayError("PNG_UNREADABLE", "the picture cannot be compressed", { cause });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
