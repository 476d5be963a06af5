/**
 * What a run may choose from, frozen when it begins: later edits touch later runs only. That the owner's methods could not be
 * read is recorded as that, never as having none; and whoever is named is used or refused, never silently replaced.
 */
import { AssayError } from "../../domain/outcome.ts";
import { type Catalogue, type Expert, type ExpertEntry, GENERAL } from "../../schema/expert.ts";
import { BUILTIN } from "./builtin/index.ts";

export interface Freezing {
  owner: string;
  at: string;
  /** The owner's methods as they are. */
  read(): Promise<readonly Expert[]>;
}

export async function freezeCatalogue({ owner, at, read }: Freezing): Promise<Catalogue> {
  return { schema: "expert_catalogue/v1", owner, frozen_at: at, builtin: [...BUILTIN], own: await load(read) };
}

async function load(read: Freezing["read"]): Promise<Catalogue["own"]> {
  try {
    const enabled = (await read()).filter(({ state }) => state === "enabled");
    const experts = enabled.map(({ expert_id, revision, content_hash, method }) => ({
      agent_id: `user/${expert_id}`,
      revision,
      content_hash,
      method,
    }));
    return { status: "LOADED", experts: experts.sort((a, b) => (a.agent_id < b.agent_id ? -1 : 1)) };
  } catch (error) {
    return { status: "UNAVAILABLE", code: error instanceof AssayError ? error.code : "EXPERTS_UNREADABLE" };
  }
}

export type ExpertCard = { agent_id: string; name: string; description: string };

/** All that the main agent sees of a method. Instructions are for the child that was chosen. */
export function cardsOf(entries: readonly ExpertEntry[]): ExpertCard[] {
  return entries.map(({ agent_id, method: { name, description } }) => ({ agent_id, name, description }));
}

export type Choice =
  /** `entry` null: the general agent, who works by no method. */
  { entry: ExpertEntry | null } | { refused: "EXPERT_NOT_IN_CATALOGUE" | "EXPERT_CATALOGUE_UNAVAILABLE" };

export function chooseExpert({ builtin, own }: Catalogue, agentId: string): Choice {
  if (agentId === GENERAL) return { entry: null };
  const isOwn = agentId.startsWith("user/");
  if (isOwn && own.status === "UNAVAILABLE") return { refused: "EXPERT_CATALOGUE_UNAVAILABLE" };
  const among = isOwn && own.status === "LOADED" ? own.experts : builtin;
  const entry = among.find(({ agent_id }) => agent_id === agentId);
  return entry === undefined ? { refused: "EXPERT_NOT_IN_CATALOGUE" } : { entry };
}
