/** The queue's tables in Postgres, made by BullMQ's own migrations. Runs no queue. */
import { readFile } from "node:fs/promises";
import type pg from "pg";

export const QUEUE_SCHEMA = "bullmq";

/** Which BullMQ made the tables: part of what a prepared database is recognised by. Does not load it (0.15 s). */
export async function readQueueVersion(): Promise<string> {
  const { createRequire } = process.getBuiltinModule("node:module");
  const name = "bullmq/package.json";
  const path = createRequire(import.meta.url).resolve(name);
  return (JSON.parse(await readFile(path, "utf8")) as { version: string }).version;
}

export async function migrateQueue(owner: pg.Client): Promise<void> {
  const { runMigrations } = await import("bullmq");
  await runMigrations(owner, QUEUE_SCHEMA);
}
