/**
 * What a person says becomes a message of record, once: the same client message id with the same body is the same message and
 * the same run, with another body a conflict. Every message names its run exactly; its words are read for nothing else.
 */
import type { Sha256 } from "../../domain/digest.ts";
import { AssayError } from "../../domain/outcome.ts";
import {
  type AskBody,
  type MessageBody,
  messageBodySchema,
  messageDigest,
  messageIdSchema,
  type RunTerms,
} from "../../schema/message.ts";
import type { Tx } from "../../store/database.ts";
import { readExperts, recordCatalogue } from "../../store/experts.ts";
import { findMessage, getBeginning, insertMessage, type StoredMessage } from "../../store/messages.ts";
import { lockPeople } from "../../store/people-lock.ts";
import { hasEnded } from "../../store/run-standing.ts";
import { chooseExpert, freezeCatalogue } from "../experts/catalogue.ts";

export interface Saying {
  tenant: string;
  sender: string;
  client_message_id: string;
  /** Issued by the server, for a run that the message begins. */
  new_root: string;
  at: string;
  /** The inputs that a request means, as they are now: resolved once, when the message is first heard. */
  freeze(tx: Tx, ask: AskBody): Promise<Frozen>;
}

export type Frozen = Pick<RunTerms, "frozen" | "desk" | "model" | "mcp" | "money_microusd">;

export interface Said {
  message: StoredMessage;
  /** It had been said before; nothing was written. */
  is_replay: boolean;
}

export async function say(tx: Tx, saying: Saying, given: MessageBody): Promise<Said> {
  const { tenant, sender, at } = saying;
  const body = toBody(given);
  const client_message_id = toMessageId(saying.client_message_id);
  const body_digest = messageDigest(body);
  await lockPeople(tx, tenant);
  const known = await findMessage(tx, tenant, sender, client_message_id);
  if (known !== null) {
    if (known.body_digest === body_digest) return { message: known, is_replay: true };
    throw new AssayError("MESSAGE_CONFLICT", `message ${client_message_id} was sent before with other content`, {
      hint: `it belongs to run ${known.root_id}; give what you say now an id of its own`,
    });
  }
  const { root_id, terms } = await resolve(tx, saying, body);
  await insertMessage(tx, tenant, { sender, client_message_id, root_id, body, body_digest, terms, at });
  return { message: (await findMessage(tx, tenant, sender, client_message_id))!, is_replay: false };
}

async function resolve(
  tx: Tx,
  saying: Saying,
  body: MessageBody,
): Promise<{ root_id: string; terms: RunTerms | null }> {
  const { tenant, new_root } = saying;
  switch (body.kind) {
    case "ask": {
      const frozen = await saying.freeze(tx, body);
      const catalogue = await freezeFor(tx, saying, body);
      return { root_id: new_root, terms: { ...frozen, catalogue, ask: body, linked_to: null, added_text: null } };
    }
    case "continue": {
      const { root_id: linked_to, terms } = await getExactly(tx, tenant, body.of);
      if (!(await hasEnded(tx, tenant, linked_to))) {
        throw new AssayError("RUN_NOT_ENDED", `run ${linked_to} has not ended`, {
          hint: `\`assay resume ${linked_to}\` goes on with it`,
        });
      }
      const { catalogue: _, linked_to: __, added_text: ___, ...kept } = terms!;
      const { ask } = kept;
      const catalogue = await freezeFor(tx, saying, ask);
      return { root_id: new_root, terms: { ...kept, catalogue, linked_to, added_text: body.text } };
    }
    case "correct":
    case "stop": {
      const { root_id } = await getExactly(tx, tenant, body.run);
      if (await hasEnded(tx, tenant, root_id)) {
        throw new AssayError("RUN_ENDED", `run ${root_id} has ended`, {
          hint: `\`assay resume ${root_id} --continue\` makes a new run that is linked to it`,
        });
      }
      return { root_id, terms: null };
    }
  }
}

/** A message names its run in full: what was typed short is completed before it is said. */
async function getExactly(tx: Tx, tenant: string, rootId: string): Promise<StoredMessage> {
  const begun = await getBeginning(tx, tenant, rootId);
  if (begun.root_id === rootId) return begun;
  throw new AssayError("RUN_UNKNOWN", `no run ${rootId.slice(0, 80)}`);
}

/** A method that was named and is not there ends the request here: nobody takes its place. */
async function freezeFor(tx: Tx, { tenant, sender: owner, at }: Saying, { expert }: AskBody): Promise<Sha256> {
  const catalogue = await freezeCatalogue({ owner, at, read: () => readExperts(tx, tenant, owner) });
  const choice = expert === null ? null : chooseExpert(catalogue, expert);
  if (choice !== null && "refused" in choice) {
    const why = catalogue.own.status === "UNAVAILABLE" ? ` (${catalogue.own.code})` : "";
    throw new AssayError(choice.refused, `${expert} cannot be used${why}`, {
      hint: "`assay expert list` shows the methods that are enabled; none is put in the place of another",
    });
  }
  return recordCatalogue(tx, tenant, catalogue);
}

function toBody(given: MessageBody): MessageBody {
  const parsed = messageBodySchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AssayError("MESSAGE_MALFORMED", `${issue?.path.join(".") || "message"}: ${issue?.message}`);
  }
  if (parsed.data.kind === "ask" && parsed.data.expert !== null && parsed.data.entry === "direct") {
    throw new AssayError("MESSAGE_MALFORMED", "a method works in research, not in a direct answer", {
      hint: "ask with --research",
    });
  }
  return parsed.data;
}

function toMessageId(given: string): string {
  if (messageIdSchema.safeParse(given).success) return given;
  throw new AssayError("MESSAGE_ID_MALFORMED", `not a message id: ${JSON.stringify(given.slice(0, 80))}`, {
    hint: "letters, digits and _ . : -, at most 120",
  });
}
