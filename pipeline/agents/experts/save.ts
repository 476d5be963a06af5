/** The commands on saved methods, in the caller's transaction: wait for other writers, decide, append one revision. */
import { AssayError } from "../../domain/outcome.ts";
import { type Expert, type Method, methodSchema } from "../../schema/expert.ts";
import type { Tx } from "../../store/database.ts";
import { insertExpert, readExperts } from "../../store/experts.ts";
import { lockPeople } from "../../store/people-lock.ts";
import { decideExpert, type ExpertCommand, type ExpertRefusal, type Saving } from "./expert.ts";

const MEANINGS: Record<ExpertRefusal, string> = {
  EXPERT_UNKNOWN: "there is no such method of yours",
  EXPERTS_TOO_MANY: "twenty methods are saved already: delete one first",
  EXPERTS_ENABLED_TOO_MANY: "eight methods are enabled already: disable one first",
};

/** The text that was not saved comes back with the one that was: the caller shows both. */
export class ExpertConflict extends AssayError {
  readonly stored: Expert;
  readonly unsaved: Method | null;

  constructor(stored: Expert, unsaved: Method | null) {
    super("EXPERT_CONFLICT", `the method was changed since: it is at revision ${stored.revision}`, {
      hint: `read what is stored, then save again with expected revision ${stored.revision}`,
    });
    this.stored = stored;
    this.unsaved = unsaved;
  }
}

export async function changeExpert(tx: Tx, tenant: string, saving: Saving, command: ExpertCommand): Promise<Expert> {
  const checked = "method" in command ? { ...command, method: toMethod(command.method) } : command;
  await lockPeople(tx, tenant);
  const decision = decideExpert(await readExperts(tx, tenant, saving.owner), checked, saving);
  if ("refused" in decision) throw new AssayError(decision.refused, MEANINGS[decision.refused]);
  if ("conflict" in decision) throw new ExpertConflict(decision.conflict.stored, decision.conflict.unsaved);
  if (decision.is_new) await insertExpert(tx, tenant, decision.accepted);
  return decision.accepted;
}

function toMethod(given: unknown): Method {
  const parsed = methodSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AssayError("EXPERT_MALFORMED", `${issue?.path.join(".") || "method"}: ${issue?.message}`, {
    hint: "name (one line, 80), description (one line, 400) and instructions (20,000 characters), and nothing else",
  });
}
