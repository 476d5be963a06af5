/** `assay terminate`: gives a version in quarantine up, with a reason. Its bytes and history stay; nothing else changes. */
import { act } from "../../lifecycle/act.ts";
import { getCardVersion } from "../../store/card-versions.ts";
import type { Config } from "../config.ts";
import { withServices } from "../wiring.ts";
import { toReason } from "./remediate.ts";

export async function terminate(
  config: Config,
  id: string,
  options: { reason: string; json?: boolean },
): Promise<void> {
  const reason = toReason(options.reason);
  await withServices(config, {}, async ({ database, now }) => {
    const { tenant } = config;
    const { row, state } = await database.inTenant(tenant, async (tx) => {
      const found = await getCardVersion(tx, tenant, id);
      const { version_id } = found;
      const version = await act(tx, { tenant, version_id, actor: "assay", at: now() }, { name: "terminate", reason });
      return { row: found, state: version.state };
    });
    const { version_id, instrument, locale } = row;
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ version_id, instrument, locale, state, reason }, null, 2)}\n`
        : `${instrument} ${locale} ${version_id.slice(0, 12)} is ${state}\n`,
    );
  });
}
