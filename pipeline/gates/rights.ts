/** P2: no source whose right for the intended use is BLOCK or INDETERMINATE. One finding an instrument, never more. */
import { defineGate, examples } from "./gate.ts";

export const rights = defineGate({
  id: "rights",
  version: 1,
  family: "data",
  stage: "admission",
  question: "May every declared source that can serve the product be put to the channel's use?",
  needs: ["sources", "rules"],
  codes: {
    RIGHTS_BLOCK: {
      severity: "BLOCK",
      meaning: "a source's right for this use is refused or not determined",
      remedy: "settle the right with the vendor and state it in the batch, or choose a channel that the right covers",
    },
  },
  check({ sources, rules }, report, examined) {
    const refused = new Set<string>();
    for (const source of sources) {
      examined(source.source_id);
      // An optional file that is not there serves nothing: nobody needs a right to it.
      if (source.version === null && !source.is_required) continue;
      const right = source.rights[rules.use];
      if (right !== "ALLOW") refused.add(`${source.source_id} is ${right}`);
    }
    if (refused.size > 0) report("RIGHTS_BLOCK", rules.use, `for ${rules.use}: ${examples([...refused], 20)}`);
  },
});
