/**
 * Monotone: what the batch declares is there and readable. Removing a declared file never improves a verdict, because
 * its absence is found here. Faults of the universe belong to `registration`.
 */
import { defineGate, examples } from "./gate.ts";

const OF_THE_UNIVERSE = /^(UNIVERSE|BENCHMARK)_/;

export const evidencePresent = defineGate({
  id: "evidence-present",
  version: 1,
  family: "evidence",
  stage: "data",
  question: "Is every file that the batch declares for this product present and readable?",
  needs: ["sources", "faults", "defects"],
  codes: {},
  check({ sources, faults, defects }, report, examined) {
    const whys = new Map<string, string[]>();
    const add = (source_id: string, why: string) => whys.set(source_id, [...(whys.get(source_id) ?? []), why]);
    for (const { source_id, is_required, version, serves } of sources) {
      examined(source_id);
      if (version === null && is_required) add(source_id, `no file for the ${serves}`);
      if (version?.quality_state === "UNUSABLE") add(source_id, `the file for the ${serves} holds nothing usable`);
    }
    for (const fault of faults) {
      if (!OF_THE_UNIVERSE.test(fault.code)) add(fault.source_id, `${fault.code}: ${fault.detail}`);
    }
    for (const defect of defects) {
      if (defect.code === "EVIDENCE_MISSING" || defect.code === "PAYLOAD_UNREADABLE") {
        add(defect.source_id, `${defect.code}: ${defect.detail}`);
      }
    }
    for (const [source_id, reasons] of whys) report("EVIDENCE_MISSING", source_id, examples(reasons));
  },
});
