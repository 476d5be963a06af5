/** start_session.W, end_session, cutoff_on and known_at: the dates a card names, as facts of their own. */
import { isUnavailable } from "../domain/outcome.ts";
import { defineFact } from "./fact.ts";

export const startSession = defineFact({
  id: "start_session",
  version: 1,
  needs: ["total_return"],
  epistemic_type: "OBSERVED",
  compute(_series, window, other) {
    const total = other("total_return", window);
    return isUnavailable(total) ? total : { ...total, value: total.start! };
  },
});

export const endSession = defineFact({
  id: "end_session",
  version: 1,
  needs: [],
  epistemic_type: "OBSERVED",
  compute(series) {
    const levels = series.totalReturn();
    if (isUnavailable(levels)) return levels;
    const end = levels.sessions.at(-1)!;
    return { value: end, start: null, end, evidence: levels.evidence };
  },
});

export const cutoffOn = defineFact({
  id: "cutoff_on",
  version: 1,
  needs: [],
  epistemic_type: "OBSERVED",
  compute: (series) => ({ value: series.cutoff, start: null, end: null, evidence: [] }),
});

export const knownAt = defineFact({
  id: "known_at",
  version: 1,
  needs: [],
  epistemic_type: "OBSERVED",
  compute: (series) => ({ value: series.terms.as_of, start: null, end: null, evidence: [] }),
});
