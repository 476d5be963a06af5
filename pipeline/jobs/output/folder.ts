/**
 * Writes a batch's output folder. Each file appears whole (temporary file, rename) and the manifest comes last, so a
 * folder with a manifest is complete. Cards of an earlier run that this one does not write are known by their place and
 * removed; nothing else in the folder is touched, and no link is followed out of it.
 */
import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { sha256 } from "../../domain/digest.ts";
import { AssayError } from "../../domain/outcome.ts";

export interface Manifest {
  schema: "manifest/v1";
  files: { path: string; sha256: string; size: number }[];
}

const CARD_FILE = /^[A-Z]{2}-[^/]+\/[a-z]{2}-[A-Z]{2}\/card\.(html|png|json)(\.partial)?$/;

export class OutputFolder {
  readonly path: string;
  readonly #files = new Map<string, { sha256: string; size: number }>();
  readonly #made = new Set<string>();
  #root = "";

  constructor(path: string) {
    this.path = path;
  }

  /** Takes the earlier manifest away: until `finish`, the folder is not a finished output. */
  async begin(): Promise<void> {
    await this.#guard(async () => {
      await makeFolder(resolve(this.path));
      this.#root = await realpath(this.path);
      await rm(join(this.path, "manifest.json"), { force: true });
    });
  }

  /** A file of the manifest. */
  async write(path: string, content: Uint8Array | string): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.#files.set(path, { sha256: sha256(bytes), size: bytes.length });
    await this.#put(path, bytes);
  }

  /** A file outside the manifest: the reports, which bear timings. */
  async writeReport(path: string, content: string): Promise<void> {
    await this.#put(path, Buffer.from(content));
  }

  async finish(): Promise<Manifest> {
    const files = [...this.#files]
      .map(([path, { sha256: digest, size }]) => ({ path, sha256: digest, size }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const manifest: Manifest = { schema: "manifest/v1", files };
    await this.#guard(async () => {
      for (const path of await this.#cardFiles()) {
        if (!this.#files.has(path)) await rm(join(this.path, path), { force: true });
      }
    });
    await this.#put("manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
    return manifest;
  }

  /** By place, not by an earlier manifest: a killed run left none, and one from elsewhere must not make us remove. */
  async #cardFiles(): Promise<string[]> {
    const listed = await Promise.all(
      ["cards", "quarantine"].map(async (top) => {
        const isOurs = await lstat(join(this.path, top)).then(
          (found) => found.isDirectory(),
          () => false,
        );
        return isOurs ? readdir(join(this.path, top), { recursive: true }) : [];
      }),
    );
    return listed.flatMap((paths, index) =>
      paths.filter((path) => CARD_FILE.test(path)).map((path) => `${index === 0 ? "cards" : "quarantine"}/${path}`),
    );
  }

  async #put(path: string, bytes: Uint8Array): Promise<void> {
    await this.#guard(async () => {
      const target = join(this.path, path);
      const folder = dirname(target);
      if (!this.#made.has(folder)) {
        await mkdir(folder, { recursive: true });
        const real = await realpath(folder);
        if (real !== this.#root && !real.startsWith(this.#root + sep)) {
          throw new AssayError("OUTPUT_NOT_WRITABLE", `${folder} is a link out of the output folder`, {
            hint: "remove the link, or choose another folder with --out",
          });
        }
        this.#made.add(folder);
      }
      const partial = `${target}.partial`;
      try {
        await writeFile(partial, bytes);
        await rename(partial, target);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    });
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOSPC" || code === "EDQUOT") {
        throw new AssayError("DISK_FULL", `no space left for ${this.path}`, {
          hint: "free some space and run the batch again; what is recorded is kept and nothing is worked twice",
          retry: "later",
          cause: error,
        });
      }
      if (
        code === "EACCES" ||
        code === "EROFS" ||
        code === "ENOTDIR" ||
        code === "EEXIST" ||
        code === "EISDIR" ||
        code === "ENOENT"
      ) {
        throw new AssayError("OUTPUT_NOT_WRITABLE", `cannot write ${this.path} (${code})`, {
          hint: "choose another folder with --out",
          cause: error,
        });
      }
      throw error;
    }
  }
}

/** Step by step: the recursive form never returns where a parent refuses children without saying so, as below /proc. */
async function makeFolder(path: string): Promise<void> {
  if (await lstat(path).catch(() => null)) {
    await readdir(path);
    return;
  }
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
