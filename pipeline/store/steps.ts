/**
 * Results of steps by content key. A key covers every input, so a result never changes: the first recording stays and
 * a second one is ignored. Only results are recorded, never faults: a fault is tried again.
 */
import type { Sha256 } from "../domain/digest.ts";
import type { Tx } from "./database.ts";

export interface StepResult {
  key: Sha256;
  step: string;
  batch: string;
  /** Null for a step of the whole batch. */
  instrument: string | null;
  outcome: string;
  output_digest: Sha256;
}

/** The results that exist, in one query however many keys are asked for. */
export async function findSteps(
  tx: Tx,
  tenant: string,
  keys: readonly Sha256[],
): Promise<Map<Sha256, StepResult & { recorded_at: string }>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.$queryRaw<(StepResult & { recorded_at: Date })[]>`
    SELECT key, step, batch, instrument, outcome, output_digest, recorded_at
    FROM step_result WHERE tenant = ${tenant} AND key = ANY(${[...keys]}::text[])`;
  return new Map(rows.map((row) => [row.key, { ...row, recorded_at: row.recorded_at.toISOString() }]));
}

/** Returns how many were new. */
export async function recordSteps(tx: Tx, tenant: string, at: string, results: readonly StepResult[]): Promise<number> {
  if (results.length === 0) return 0;
  const column = <K extends keyof StepResult>(name: K) => results.map((result) => result[name]);
  // Arrays, not a createMany: Prisma takes seconds for ten thousand rows of parameters.
  return tx.$executeRaw`
    INSERT INTO step_result (tenant, key, step, batch, instrument, outcome, output_digest, recorded_at)
    SELECT ${tenant}, new.*, ${at}::timestamptz
    FROM unnest(${column("key")}::text[], ${column("step")}::text[], ${column("batch")}::text[],
                ${column("instrument")}::text[], ${column("outcome")}::text[], ${column("output_digest")}::text[]) AS new
    ON CONFLICT DO NOTHING`;
}

/** True when this recording is the one that stays. */
export async function recordStep(tx: Tx, tenant: string, at: string, result: StepResult): Promise<boolean> {
  return (await recordSteps(tx, tenant, at, [result])) === 1;
}

/** Instruments of a batch for which a step was ever recorded, with whatever inputs. */
export async function instrumentsWith(tx: Tx, tenant: string, batch: string, step: string): Promise<Set<string>> {
  const rows = await tx.stepResult.findMany({
    where: { tenant, batch, step, instrument: { not: null } },
    distinct: ["instrument"],
    select: { instrument: true },
  });
  return new Set(rows.map((row) => row.instrument as string));
}

export async function countSteps(tx: Tx, tenant: string, batch: string): Promise<number> {
  return tx.stepResult.count({ where: { tenant, batch } });
}
