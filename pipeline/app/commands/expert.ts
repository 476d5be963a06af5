/**
 * `assay expert`: saved research methods. A save names the revision that it was made from; where somebody was faster, both texts
 * are printed and nothing is lost. Methods saved here belong to the unauthenticated account of the command line.
 */
import { readFile, stat } from "node:fs/promises";
import { BUILTIN } from "../../agents/experts/builtin/index.ts";
import type { ExpertCommand } from "../../agents/experts/expert.ts";
import { changeExpert, ExpertConflict } from "../../agents/experts/save.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { Expert, Method } from "../../schema/expert.ts";
import { readExperts, readRevisions } from "../../store/experts.ts";
import type { Config } from "../config.ts";
import { CLI } from "../person.ts";
import { plain } from "../plain.ts";
import { type Services, withServices } from "../wiring.ts";

const FILE_BYTES_MAX = 200_000;

export async function list(config: Config, options: { json?: boolean }): Promise<void> {
  await withServices(config, {}, async (services) => {
    const own = (await ownExperts(services)).filter(({ state }) => state !== "deleted");
    if (options.json) return print({ builtin: BUILTIN, own });
    const lines = [
      ...BUILTIN.map(({ agent_id, method }) => `${agent_id}: ${method.name}\n  ${method.description}\n`),
      ...own.map(
        ({ expert_id, revision, state, method }) =>
          `user/${expert_id} revision ${revision}, ${state}: ${method.name}\n  ${method.description}\n`,
      ),
    ];
    process.stdout.write(plain(lines.join("")));
  });
}

/** A method with its text: a built-in one, or all revisions of one's own. */
export async function show(config: Config, id: string, options: { json?: boolean }): Promise<void> {
  const builtin = BUILTIN.find(({ agent_id }) => agent_id === id);
  if (builtin !== undefined) {
    const { content_hash, method } = builtin;
    return options.json ? print(builtin) : void process.stdout.write(`${id} ${content_hash}\n${inWords(method)}`);
  }
  await withServices(config, {}, async ({ database }) => {
    const { tenant } = config;
    const revisions = await database.inTenant(tenant, (tx) => readRevisions(tx, tenant, CLI.account, bare(id)));
    const last = revisions.at(-1);
    if (last === undefined) throw unknown(id);
    if (options.json) return print(revisions);
    const history = revisions.map((each) => `  revision ${each.revision} ${each.saved_at} ${each.state}\n`).join("");
    process.stdout.write(
      `user/${last.expert_id} ${last.state} ${last.content_hash}\n${history}${inWords(last.method)}`,
    );
  });
}

export interface SaveOptions {
  name?: string;
  description?: string;
  instructions?: string;
  revision?: number;
  disabled?: boolean;
  json?: boolean;
}

/** Without an id a new method; with one a revision of it, in which what is not given stays. */
export async function save(config: Config, id: string | undefined, options: SaveOptions): Promise<void> {
  const instructions = options.instructions === undefined ? undefined : await readText(options.instructions);
  await withServices(config, {}, async (services) => {
    const stored = id === undefined ? undefined : await getOwn(services, id);
    const method: Method = {
      name: options.name ?? stored?.method.name ?? "",
      description: options.description ?? stored?.method.description ?? "",
      instructions: instructions ?? stored?.method.instructions ?? "",
    };
    if (stored === undefined) {
      return change(services, { name: "create", method, enabled: options.disabled !== true }, options);
    }
    const expected_revision = expected(options.revision);
    await change(services, { name: "edit", expert_id: stored.expert_id, expected_revision, method }, options);
  });
}

export async function turn(
  config: Config,
  name: "enable" | "disable" | "delete",
  id: string,
  options: { revision?: number; json?: boolean },
): Promise<void> {
  const expected_revision = expected(options.revision);
  await withServices(config, {}, (services) =>
    change(services, { name, expert_id: bare(id), expected_revision }, options),
  );
}

async function change(services: Services, command: ExpertCommand, { json }: { json?: boolean }): Promise<void> {
  const { database, config, now, newId } = services;
  const saving = { owner: CLI.account, new_id: newId(), at: now() };
  const saved = await database
    .inTenant(config.tenant, (tx) => changeExpert(tx, config.tenant, saving, command))
    .catch((error: unknown) => {
      if (error instanceof ExpertConflict) printConflict(error, json);
      throw error;
    });
  if (json) return print(saved);
  const { expert_id, revision, state, method } = saved;
  process.stdout.write(plain(`user/${expert_id} revision ${revision}, ${state}: ${method.name}\n`));
}

function printConflict({ stored, unsaved }: ExpertConflict, asJson = false): void {
  if (asJson) print({ conflict: { stored, unsaved } });
  else process.stdout.write(`stored, revision ${stored.revision}, ${stored.state}:\n${inWords(stored.method)}`);
  if (!asJson && unsaved !== null) process.stdout.write(`\nnot saved:\n${inWords(unsaved)}`);
}

function inWords({ name, description, instructions }: Method): string {
  return plain(`${name}\n${description}\n\n${instructions}\n`);
}

function expected(revision: number | undefined): number {
  if (revision !== undefined) return revision;
  throw new AssayError("EXPERT_REVISION_MISSING", "a change names the revision that it was made from", {
    hint: "`assay expert show` prints it; give it with --revision",
  });
}

async function ownExperts({ database, config }: Services): Promise<Expert[]> {
  return database.inTenant(config.tenant, (tx) => readExperts(tx, config.tenant, CLI.account));
}

async function getOwn(services: Services, id: string): Promise<Expert> {
  const found = (await ownExperts(services)).find(({ expert_id }) => expert_id === bare(id));
  if (found === undefined) throw unknown(id);
  return found;
}

function unknown(id: string): AssayError {
  return new AssayError("EXPERT_UNKNOWN", `there is no method ${JSON.stringify(id.slice(0, 80))} of yours`, {
    hint: "`assay expert list` shows them; built-in ones are not changed",
  });
}

function bare(id: string): string {
  return id.replace(/^user\//, "");
}

async function readText(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size > FILE_BYTES_MAX) {
    throw new AssayError("FILE_MISSING", `${path} is no file of at most ${FILE_BYTES_MAX} bytes`, {
      hint: "give a UTF-8 text with the instructions",
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch {
    throw new AssayError("FILE_ENCODING", `${path} is not UTF-8`, { hint: "save it as UTF-8" });
  }
}

function print(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
