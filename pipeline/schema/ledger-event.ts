/** One event of a tenant's ledger. The digest covers sequence, previous digest, type, body digest, actor and time. */
import { z } from "zod";

export const ledgerEventSchema = z.strictObject({
  schema: z.literal("ledger_event/v1"),
  tenant: z.string(),
  /** 1, 2, 3 … without a gap. */
  seq: z.number().int().positive(),
  prev_digest: z.string(),
  type: z.string().regex(/^[a-z_]+\/v\d+$/),
  body: z.record(z.string(), z.json()),
  body_digest: z.string(),
  actor: z.string(),
  at: z.string(),
  digest: z.string(),
});
export type LedgerEvent = z.infer<typeof ledgerEventSchema>;

export interface NewEvent {
  type: string;
  body: Record<string, unknown>;
}
