/** `assay gates`: the registered gates, or with --reference every code with its meaning and remedy. */
import { GATES } from "../../gates/index.ts";
import { gateReference } from "../../gates/reference.ts";

export async function gates(options: { reference?: boolean; json?: boolean }): Promise<void> {
  if (options.json) {
    const lines = GATES.map(({ id, version, family, stage, question, codes }) => ({
      id,
      version,
      family,
      stage,
      question,
      codes,
    }));
    process.stdout.write(`${JSON.stringify(lines, null, 2)}\n`);
  } else if (options.reference) {
    process.stdout.write(gateReference());
  } else {
    for (const { id, version, family, question, codes } of GATES) {
      process.stdout.write(`${id}/${version} (${family}) ${question}\n  ${Object.keys(codes).join(" ")}\n`);
    }
  }
}
