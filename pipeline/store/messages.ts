/** What people said, under the names that their clients gave it, and where the runs that they speak of stand. Decides nothing. */
import { canonicalJson } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import { type Message, messageBodySchema, runTermsSchema } from "../schema/message.ts";
import type { Tx } from "./database.ts";
import { assertStorable } from "./storable.ts";

export type StoredMessage = Message & { seq: number };

interface Row {
  sender: string;
  client_message_id: string;
  seq: bigint;
  root_id: string;
  body: string;
  body_digest: string;
  terms: string | null;
  at: Date;
}

export async function insertMessage(tx: Tx, tenant: string, message: Message): Promise<void> {
  assertStorable(message);
  const { sender, client_message_id, root_id, body, body_digest, terms, at } = message;
  await tx.$executeRaw`
    INSERT INTO client_message (tenant, sender, client_message_id, seq, root_id, body, body_digest, terms, at)
    VALUES (${tenant}, ${sender}, ${client_message_id}, 0, ${root_id}, ${canonicalJson(body)}::json, ${body_digest},
            ${terms === null ? null : canonicalJson(terms)}::json, ${at}::timestamptz)`;
}

export async function findMessage(
  tx: Tx,
  tenant: string,
  sender: string,
  clientMessageId: string,
): Promise<StoredMessage | null> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT sender, client_message_id, seq, root_id, body::text, body_digest, terms::text, at FROM client_message
    WHERE tenant = ${tenant} AND sender = ${sender} AND client_message_id = ${clientMessageId}`;
  return rows[0] === undefined ? null : toMessage(rows[0]);
}

/** All that was said to a run, in order; what began it comes first. */
export async function readMessagesOf(tx: Tx, tenant: string, rootId: string): Promise<StoredMessage[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT sender, client_message_id, seq, root_id, body::text, body_digest, terms::text, at FROM client_message
    WHERE tenant = ${tenant} AND root_id = ${rootId} ORDER BY seq`;
  return rows.map(toMessage);
}

/** The messages that began runs, the newest first. */
export async function readBeginnings(tx: Tx, tenant: string, most: number): Promise<StoredMessage[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT sender, client_message_id, seq, root_id, body::text, body_digest, terms::text, at FROM client_message
    WHERE tenant = ${tenant} AND begins IS NOT NULL ORDER BY seq DESC LIMIT ${most}`;
  return rows.map(toMessage);
}

const PREFIX = /^[0-9a-f-]{8,36}$/;

/** The message that began the one run whose id begins so. */
export async function getBeginning(tx: Tx, tenant: string, prefix: string): Promise<StoredMessage> {
  const rows = PREFIX.test(prefix)
    ? await tx.$queryRaw<Row[]>`
        SELECT sender, client_message_id, seq, root_id, body::text, body_digest, terms::text, at FROM client_message
        WHERE tenant = ${tenant} AND starts_with(begins, ${prefix}) ORDER BY begins LIMIT 2`
    : [];
  const [first, second] = rows;
  if (first === undefined) {
    throw new AssayError("RUN_UNKNOWN", `no run ${JSON.stringify(prefix.slice(0, 80))}`, {
      hint: "give the first eight or more characters of a run's id; `assay runs list` shows them",
    });
  }
  if (second !== undefined) {
    throw new AssayError("RUN_AMBIGUOUS", `several runs begin with ${prefix}`, { hint: "give more characters" });
  }
  return toMessage(first);
}

function toMessage({ seq, body, terms, at, ...row }: Row): StoredMessage {
  const said = messageBodySchema.safeParse(JSON.parse(body));
  const resolved = terms === null ? null : runTermsSchema.safeParse(JSON.parse(terms));
  if (!said.success || resolved?.success === false) {
    throw new AssayError("MESSAGE_MALFORMED", `message ${seq} is not one of this release`, {
      hint: "it was written by a newer release: use that one",
    });
  }
  return { ...row, seq: Number(seq), body: said.data, terms: resolved?.data ?? null, at: at.toISOString() };
}
