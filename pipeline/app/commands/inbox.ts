/** `assay inbox`: what runs wait to be told, across all of them, each with the id and revision to answer by. */
import { foldInteraction, type Interaction } from "../../agents/interactions/interaction.ts";
import { readInteractionsOf, readUnanswered } from "../../store/interactions.ts";
import { readStandings } from "../../store/run-standing.ts";
import type { Config } from "../config.ts";
import { brief, plain } from "../plain.ts";
import { withServices } from "../wiring.ts";

export async function inbox(config: Config, options: { all?: boolean; json?: boolean }): Promise<void> {
  await withServices(config, {}, async ({ database, now }) => {
    const { tenant } = config;
    const lines = await database.inTenant(tenant, async (tx) => {
      const events =
        options.all === true ? await readInteractionsOf(tx, tenant, "all") : await readUnanswered(tx, tenant);
      const found = [...events.values()].map((each) => foldInteraction(each)!);
      const roots = [...new Set(found.map(({ request }) => request.root_id))];
      const standings = await readStandings(tx, tenant, roots);
      return found
        .map((interaction) => ({
          ...interaction,
          run_waits: standings.get(interaction.request.root_id)?.is_parked ?? false,
          run_ended: (standings.get(interaction.request.root_id)?.end_code ?? null) !== null,
          has_expired: interaction.response === null && now() >= interaction.request.expires_at,
        }))
        .filter(({ has_expired }) => options.all === true || !has_expired);
    });
    process.stdout.write(
      options.json
        ? `${JSON.stringify(lines, null, 2)}\n`
        : lines.length === 0
          ? "nothing is open\n"
          : lines.map(describe).join(""),
    );
  });
}

type Line = Interaction & { run_waits: boolean; run_ended: boolean; has_expired: boolean };

function describe(line: Line): string {
  const { request } = line;
  const { asked } = request;
  const words =
    asked.kind === "question"
      ? [asked.text, ...asked.options.map((option) => `- ${option}`)].join("\n    ")
      : asked.kind === "permission"
        ? `${asked.tools.join(", ")}: ${asked.reason}\n    read ${asked.scopes.read.join(", ") || "-"}; write ${asked.scopes.write.join(", ") || "-"}`
        : `${asked.tool} ${brief(JSON.stringify(asked.arguments), 200)}\n    ${asked.preview}`;
  const notes = [
    factsOf(line),
    ...(line.run_waits && line.response === null ? ["the run waits: `assay resume` once it is answered"] : []),
    ...(line.run_ended ? ["its run has ended: an answer is kept for one that continues it"] : []),
    `open until ${request.expires_at}`,
    `for ${request.recipient ?? "any person who is signed in"}`,
  ];
  return `${request.interaction_id} revision ${request.revision}, ${asked.kind} of run ${request.root_id}\n    ${plain(words)}\n    ${plain(notes.join("; "))}\n`;
}

/** The four facts, as far as they are facts: that one holds says nothing of the next. */
export function factsOf({
  is_withdrawn,
  response,
  adoption,
  effects,
  has_expired,
}: Interaction & { has_expired: boolean }): string {
  if (is_withdrawn) return "accepted, withdrawn";
  if (response === null) return has_expired ? "accepted, expired" : "accepted, open";
  const { respondent, is_authenticated, answer, at } = response;
  const decided = "decision" in answer ? ` ${answer.decision}` : "";
  const who = `${respondent}${is_authenticated ? "" : " (not authenticated)"}`;
  return [
    "accepted",
    `received${decided} from ${who} at ${at}`,
    adoption === null ? "not adopted" : `adopted by ${adoption.owner} ${adoption.consumer}`,
    ...effects.map(({ outcome, reference }) => `effect ${outcome} (${reference})`),
  ].join(", ");
}
