/** One writer at a time on what people save, say and answer, per tenant, until commit. The triggers take the same lock. */
import type { Tx } from "./database.ts";

export async function lockPeople(tx: Tx, tenant: string): Promise<void> {
  await tx.$executeRaw`SELECT public.lock_people(${tenant})`;
}
