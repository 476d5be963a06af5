/**
 * `assay respond`: answers one request, named by id and revision, under a response id that stays the same when it is sent again.
 * It says that the answer was received, and no more: nothing is started or granted by it here.
 */
import { respond as respondTo } from "../../agents/interactions/act.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { Answer } from "../../schema/interaction.ts";
import type { Config } from "../config.ts";
import { respondentOf } from "../person.ts";
import { withServices } from "../wiring.ts";

export interface RespondOptions {
  revision: number;
  text?: string;
  decision?: string;
  responseId?: string;
  as?: string;
  json?: boolean;
}

export async function respond(config: Config, id: string, options: RespondOptions): Promise<void> {
  const respondent = respondentOf(options.as);
  const answer = answerOf(options);
  await withServices(config, {}, async ({ database, now, newId }) => {
    const { tenant } = config;
    const receipt = await database.inTenant(tenant, (tx) =>
      respondTo(tx, { tenant, at: now() }, respondent, {
        interaction_id: id,
        revision: options.revision,
        client_response_id: options.responseId ?? newId(),
        answer,
      }),
    );
    const who = `${receipt.respondent}${receipt.is_authenticated ? "" : ", not authenticated"}`;
    process.stdout.write(
      options.json
        ? `${JSON.stringify(receipt, null, 2)}\n`
        : `received ${receipt.received_at} from ${who} as ${receipt.client_response_id}; it is not adopted yet\n`,
    );
  });
}

/** Words answer a question; a decision is one only when it is given as that. */
function answerOf({ text, decision }: RespondOptions): Answer {
  if (text !== undefined && decision === undefined) return { kind: "question", text };
  if (text === undefined && (decision === "grant" || decision === "deny")) return { kind: "permission", decision };
  if (text === undefined && (decision === "approve" || decision === "reject")) return { kind: "approval", decision };
  throw new AssayError("RESPONSE_MALFORMED", "an answer is either words or a decision", {
    hint: "--text for a question, --decision grant|deny for a permission, --decision approve|reject for an effect",
  });
}
