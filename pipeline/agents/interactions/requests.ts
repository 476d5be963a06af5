/** The desk where a run's requests are kept and their answers taken up: each act a transaction of its own. */
import type { Asked, EventBody } from "../../schema/interaction.ts";
import type { Database, Tx } from "../../store/database.ts";
import {
  type Acting,
  type Asking,
  acceptRequest,
  adoptResponse,
  commitEffect,
  readInteraction,
  reviseQuestion,
} from "./act.ts";
import type { Interaction } from "./interaction.ts";

export interface Requests {
  find(interactionId: string): Promise<Interaction | null>;
  accept(asking: Asking): Promise<Interaction>;
  revise(interactionId: string, taskId: string, asked: Extract<Asked, { kind: "question" }>): Promise<Interaction>;
  adopt(interactionId: string, adoption: EventBody<"adopted/v1">): Promise<Interaction>;
  commit(interactionId: string, committed: EventBody<"committed/v1">): Promise<Interaction>;
}

export function openRequests(database: Database, tenant: string, now: () => string): Requests {
  const act = <T>(work: (tx: Tx, acting: Acting) => Promise<T>) =>
    database.inTenant(tenant, (tx) => work(tx, { tenant, at: now() }));
  return {
    find: (id) => act((tx) => readInteraction(tx, tenant, id)),
    accept: (asking) => act((tx, acting) => acceptRequest(tx, acting, asking)),
    revise: (interaction_id, task_id, asked) =>
      act((tx, acting) => reviseQuestion(tx, acting, { interaction_id, task_id }, asked)),
    adopt: (id, adoption) => act((tx, acting) => adoptResponse(tx, acting, id, adoption)),
    commit: (id, committed) => act((tx, acting) => commitEffect(tx, acting, id, committed)),
  };
}
