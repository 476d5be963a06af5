/**
 * `assay resume`: goes on with a run that waited or was cut short, from what is recorded. A run that has ended is not taken up
 * again: `--continue` begins a new one that is linked to it and takes in the answers that came too late.
 */
import { AssayError } from "../../domain/outcome.ts";
import { getBeginning } from "../../store/messages.ts";
import { readStandings } from "../../store/run-standing.ts";
import type { Config } from "../config.ts";
import { type Services, withServices } from "../wiring.ts";
import { sayAs, startOrLeave } from "./ask.ts";

export interface ResumeOptions {
  continue?: boolean;
  text?: string;
  background?: boolean;
  messageId?: string;
  json?: boolean;
}

export async function resume(config: Config, run: string, options: ResumeOptions): Promise<void> {
  await withServices(config, {}, async (services) => {
    if (options.continue === true) return continueFrom(services, run, options);
    const { tenant } = config;
    const begun = await services.database.inTenant(tenant, async (tx) => {
      const found = await getBeginning(tx, tenant, run);
      const standing = (await readStandings(tx, tenant, [found.root_id])).get(found.root_id)!;
      if (standing.end_code === null) return found;
      throw new AssayError("RUN_ENDED", `run ${found.root_id} has ended: ${standing.end_code}`, {
        hint: "`assay runs show` shows it; --continue makes a new run that is linked to it",
      });
    });
    await startOrLeave(services, { message: begun, is_replay: true }, options);
  });
}

async function continueFrom(services: Services, run: string, options: ResumeOptions): Promise<void> {
  const said = await sayAs(services, options.messageId, async (tx) => ({
    kind: "continue",
    of: (await getBeginning(tx, services.config.tenant, run)).root_id,
    text: options.text ?? null,
  }));
  await startOrLeave(services, said, options);
}
