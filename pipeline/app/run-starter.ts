/**
 * Opens what works at runs of agents, with the models and tools of this installation. What was said is recorded before this is
 * asked for: a run that cannot be started now is started by `assay resume` later.
 */
import type { RunStarter } from "../agents/conversation/run-starter.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Services } from "./wiring.ts";

export async function openRunStarter(_services: Services): Promise<RunStarter> {
  throw new AssayError("AGENTS_NOT_CONNECTED", "this installation has no agents connected", {
    retry: "later",
  });
}
