/** Where runs stand, from their journals and leases, without folding them: begun, ended, at work, what was taken in. */
import type { Tx } from "./database.ts";

export interface RunStanding {
  root_id: string;
  /** Entries so far; 0: nobody has begun it. */
  entries: number;
  /** Of the root task: FINISHED, or why without. */
  end_code: string | null;
  /** It waits for a person: nothing came after that. */
  is_parked: boolean;
  /** A worker holds its lease now. */
  is_at_work: boolean;
}

export async function readStandings(
  tx: Tx,
  tenant: string,
  roots: readonly string[],
): Promise<Map<string, RunStanding>> {
  const rows = await tx.$queryRaw<(Omit<RunStanding, "entries"> & { entries: bigint })[]>`
    SELECT r.root_id,
      coalesce((SELECT e.facts -> 'body' ->> 'type' = 'task_parked' FROM run_entry e
        WHERE e.tenant = ${tenant} AND e.root_id = r.root_id ORDER BY e.seq DESC LIMIT 1), false) AS is_parked,
      (SELECT coalesce(max(e.seq), 0) FROM run_entry e WHERE e.tenant = ${tenant} AND e.root_id = r.root_id) AS entries,
      (SELECT e.facts -> 'body' -> 'end' ->> 'code' FROM run_entry e
        WHERE e.tenant = ${tenant} AND e.root_id = r.root_id AND e.facts -> 'body' ->> 'type' = 'task_ended'
          AND e.facts ->> 'task_id' = (SELECT f.facts ->> 'task_id' FROM run_entry f
            WHERE f.tenant = ${tenant} AND f.root_id = r.root_id AND f.seq = 1)) AS end_code,
      coalesce((SELECT l.act <> 'release' AND l.until > clock_timestamp() FROM run_lease l
        WHERE l.tenant = ${tenant} AND l.root_id = r.root_id ORDER BY l.seq DESC LIMIT 1), false) AS is_at_work
    FROM unnest(${[...roots]}::text[]) AS r (root_id)`;
  return new Map(rows.map((row) => [row.root_id, { ...row, entries: Number(row.entries) }]));
}

/** By its own journal. What comes later is kept, and a new run may continue it. */
export async function hasEnded(tx: Tx, tenant: string, rootId: string): Promise<boolean> {
  return ((await readStandings(tx, tenant, [rootId])).get(rootId)?.end_code ?? null) !== null;
}

/** Ids of what a run took in, with the entry that says so. */
export async function readAdopted(
  tx: Tx,
  tenant: string,
  rootId: string,
): Promise<{ id: string; task_id: string; seq: number }[]> {
  const rows = await tx.$queryRaw<{ id: string; task_id: string; seq: bigint }[]>`
    SELECT facts -> 'body' -> 'input' ->> 'id' AS id, facts ->> 'task_id' AS task_id, seq FROM run_entry
    WHERE tenant = ${tenant} AND root_id = ${rootId} AND facts -> 'body' ->> 'type' = 'input_adopted' ORDER BY seq`;
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/** How each task of these runs ended, by run. */
export async function readTaskEnds(tx: Tx, tenant: string, roots: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tx.$queryRaw<{ root_id: string; codes: string[] }[]>`
    SELECT root_id, array_agg(facts -> 'body' -> 'end' ->> 'code') AS codes FROM run_entry
    WHERE tenant = ${tenant} AND root_id = ANY(${[...roots]}::text[]) AND facts -> 'body' ->> 'type' = 'task_ended'
    GROUP BY root_id`;
  return new Map(rows.map(({ root_id, codes }) => [root_id, codes]));
}
