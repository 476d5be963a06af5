/**
 * Where the browser's executable is: the one named, or the one inside @sparticuz/chromium, unpacked once into a folder
 * of the cache that carries its version. Unpacks to a temporary folder and renames, so that a reader never sees half
 * a browser. Downloads nothing and uses no flag or function of that package, only its archives.
 */
import { createReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib";
import { AssayError } from "../domain/outcome.ts";

export interface Chromium {
  executable: string;
  /** The whole environment of the browser: nothing of ours is passed on. */
  env: Record<string, string>;
}

/** Raised when what is unpacked, or how it is laid out, changes. */
const LAYOUT = 1;
const LIBRARIES = ["al2023.tar.br", "swiftshader.tar.br", "fonts.tar.br"];

export async function locateChromium(options: { cacheDir: string; chromePath: string | null }): Promise<Chromium> {
  if (options.chromePath !== null) {
    await stat(options.chromePath).catch((cause: unknown) => {
      throw new AssayError("BROWSER_MISSING", `there is no browser at ${options.chromePath}`, { cause });
    });
    return { executable: options.chromePath, env: { LANG: "C.UTF-8", TZ: "UTC" } };
  }
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new AssayError("BROWSER_MISSING", `no browser is packed for ${process.platform}-${process.arch}`, {
      hint: "set CHROME_PATH to a Chrome or Chromium of this machine",
    });
  }
  const { createRequire } = process.getBuiltinModule("node:module");
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const root = entry.slice(0, entry.lastIndexOf("/build/"));
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const folder = join(options.cacheDir, `chromium-${version}-${LAYOUT}`);
  if (!(await stat(join(folder, "chromium")).catch(() => undefined))) await unpack(join(root, "bin"), folder);
  return {
    executable: join(folder, "chromium"),
    env: {
      LANG: "C.UTF-8",
      TZ: "UTC",
      LD_LIBRARY_PATH: join(folder, "lib"),
      // Only the fonts beside the browser are a fallback: what a machine has installed must not change a card.
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  };
}

async function unpack(bin: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}.`);
  try {
    const executable = join(temporary, "chromium");
    const { createWriteStream } = await import("node:fs");
    await pipeline(
      createReadStream(join(bin, "chromium.br")),
      createBrotliDecompress({ chunkSize: 2 ** 20 }),
      createWriteStream(executable),
    );
    for (const name of LIBRARIES) await untar(brotliDecompressSync(await readFile(join(bin, name))), temporary);
    await writeFile(join(temporary, "fonts.conf"), fontsConf(folder));
    // mkdtemp makes a folder for its owner alone; the cache may be shared with another user.
    await chmod(executable, 0o755);
    await chmod(temporary, 0o755);
    await rename(temporary, folder);
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true });
    // Another process renamed its own first: that one serves.
    if (await stat(join(folder, "chromium")).catch(() => undefined)) return;
    throw new AssayError("BROWSER_MISSING", "the packed browser could not be unpacked", {
      hint: "look for free space in the cache folder, or set CHROME_PATH",
      cause,
    });
  }
}

/** Files, folders and symbolic links of a plain tar; names that leave the target are refused. */
async function untar(archive: Buffer, target: string): Promise<void> {
  let at = 0;
  while (at + 512 <= archive.length && archive[at] !== 0) {
    const header = archive.subarray(at, at + 512);
    const text = (from: number, length: number) => header.toString("utf8", from, from + length).split("\0")[0] ?? "";
    const size = Number.parseInt(text(124, 12), 8);
    const name = normalize(text(345, 155) === "" ? text(0, 100) : `${text(345, 155)}/${text(0, 100)}`);
    const type = text(156, 1);
    if (name.startsWith("..") || name.startsWith("/")) throw new AssayError("ARCHIVE_UNSAFE", `archive names ${name}`);
    const path = join(target, name);
    await mkdir(dirname(path), { recursive: true });
    if (type === "0" || type === "") {
      await writeFile(path, archive.subarray(at + 512, at + 512 + size), { mode: 0o755 });
    } else if (type === "2" && !text(157, 100).includes("/")) {
      await symlink(text(157, 100), path);
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

function fontsConf(folder: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${escapeXml(join(folder, "fonts"))}</dir><cachedir>${escapeXml(join(folder, "fontconfig"))}</cachedir></fontconfig>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
