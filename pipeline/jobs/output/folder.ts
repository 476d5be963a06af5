/**
 * Writes a batch's output folder. Each file appears whole (temporary file, rename) and the manifest comes last, so a
 * folder with a manifest is complete. Files that an earlier manifest named and this one does not are removed, and so are
 * cards that a killed run left; nothing else in the folder is touched.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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
  #before: string[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** Takes the earlier manifest away: until `finish`, the folder is not a finished output. */
  async begin(): Promise<void> {
    await this.#guard(async () => {
      await mkdir(this.path, { recursive: true });
      const manifest = join(this.path, "manifest.json");
      this.#before = pathsOf(await readFile(manifest, "utf8").catch(() => ""));
      await rm(manifest, { force: true });
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
      for (const path of this.#before) {
        if (!this.#files.has(path) && isInside(path)) await rm(join(this.path, path), { force: true });
      }
      for (const path of await this.#cardFiles()) {
        if (!this.#files.has(path)) await rm(join(this.path, path), { force: true });
      }
    });
    await this.#put("manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
    return manifest;
  }

  /**
   * A run killed here has taken the manifest away and named none, so its cards are known by their place: one that is
   * blocked since must not stay among the good ones.
   */
  async #cardFiles(): Promise<string[]> {
    const listed = await Promise.all(
      ["cards", "quarantine"].map((top) => readdir(join(this.path, top), { recursive: true }).catch(() => [])),
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
      if (code === "EACCES" || code === "EROFS" || code === "ENOTDIR" || code === "EEXIST" || code === "EISDIR") {
        throw new AssayError("OUTPUT_NOT_WRITABLE", `cannot write ${this.path} (${code})`, {
          hint: "choose another folder with --out",
          cause: error,
        });
      }
      throw error;
    }
  }
}

/** Whatever lies there under the manifest's name: one that cannot be read names nothing. */
function pathsOf(text: string): string[] {
  try {
    const { files } = JSON.parse(text) as { files: { path: unknown }[] };
    return files.map(({ path }) => path).filter((path) => typeof path === "string");
  } catch {
    return [];
  }
}

/** A manifest from elsewhere must not make us remove what lies outside the folder. */
function isInside(path: string): boolean {
  return !path.startsWith("/") && !path.split("/").includes("..");
}
