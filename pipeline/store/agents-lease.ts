/**
 * The lease of a run: one worker at a time, each with a token higher than the one before. The database counts the tokens and
 * keeps the clock; a worker that lost its lease finds out when it writes.
 */
import { AssayError } from "../domain/outcome.ts";
import type { Database, Tx } from "./database.ts";

export interface Lease {
  root_id: string;
  fence: number;
  /** Ends it at once, so that the next worker need not wait. */
  release(): Promise<void>;
}

export interface LeaseTerms {
  tenant: string;
  root_id: string;
  /** Names the worker; unique. */
  holder: string;
  /** How long a run stays taken by a worker that is not heard of. */
  ttl_ms: number;
}

/** Throws RUN_LEASE_HELD (later) while another worker holds it. Renews itself until released. */
export async function takeLease(database: Database, terms: LeaseTerms): Promise<Lease> {
  const { root_id, ttl_ms } = terms;
  const fence = await act(database, terms, "take", 0).catch((error: unknown) => {
    if (!(error instanceof AssayError) || error.code !== "RUN_LEASE_HELD") throw error;
    throw new AssayError(error.code, error.message, { retry: "later", cause: error });
  });
  const renew = () =>
    act(database, terms, "renew", fence).catch((error: unknown) => {
      // Any other failure is no news: the next write tells whether the run is still ours.
      if (error instanceof AssayError && error.code === "RUN_FENCED") clearInterval(renewing);
    });
  const renewing = setInterval(() => void renew(), ttl_ms / 3);
  renewing.unref();
  return {
    root_id,
    fence,
    async release() {
      clearInterval(renewing);
      await act(database, terms, "release", fence);
    },
  };
}

/** Holds the run while `work` runs, and lets go of it however that ends. */
export async function withLease<T>(
  database: Database,
  terms: LeaseTerms,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await takeLease(database, terms);
  try {
    return await work(lease);
  } finally {
    // Lost or out of reach, it ends by itself; how the work went matters more.
    await lease.release().catch(() => undefined);
  }
}

async function act(database: Database, terms: LeaseTerms, name: string, held: number): Promise<number> {
  const { tenant, root_id, holder, ttl_ms } = terms;
  const [row] = await inRun(
    database,
    tenant,
    (tx) => tx.$queryRaw<{ fence: bigint }[]>`
      INSERT INTO run_lease (tenant, root_id, seq, act, fence, holder, ttl_ms, until)
      VALUES (${tenant}, ${root_id}, 0, ${name}, ${held}, ${holder}, ${ttl_ms}, 'epoch') RETURNING fence`,
  );
  return Number(row!.fence);
}

/** A worker that freezes within a transaction holds the run's lock: the server ends it, or nobody could take over. */
export function inRun<T>(database: Database, tenant: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.inTenant(tenant, async (tx) => {
    await tx.$executeRaw`SELECT set_config('idle_in_transaction_session_timeout', ${String(FROZEN_MS)}, true)`;
    return work(tx);
  });
}

const FROZEN_MS = 5000;
