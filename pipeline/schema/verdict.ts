/** Findings and decisions of gates. PASS < REVIEW < BLOCK; a verdict is the maximum. */
import { z } from "zod";

export const SEVERITIES = ["REVIEW", "BLOCK"] as const;
export type Severity = (typeof SEVERITIES)[number];
export const VERDICTS = ["PASS", "REVIEW", "BLOCK"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const findingSchema = z.strictObject({
  gate: z.string(),
  code: z.string(),
  severity: z.enum(SEVERITIES),
  /** What the finding is about: a figure id, `source@row`, a field name. */
  subject: z.string(),
  detail: z.string(),
  remedy: z.string(),
  /** Where in the subject's text, as UTF-16 offsets, for a finding about a sentence. */
  span: z.tuple([z.number().int(), z.number().int()]).optional(),
});
export type Finding = z.infer<typeof findingSchema>;

export const gateDecisionSchema = z.strictObject({
  schema: z.literal("gate_decision/v1"),
  gate: z.string(),
  version: z.number().int(),
  instrument: z.string(),
  policy_digest: z.string(),
  input_digest: z.string(),
  subjects_examined: z.number().int(),
  findings: z.array(findingSchema),
  verdict: z.enum(VERDICTS),
});
export type GateDecision = z.infer<typeof gateDecisionSchema>;
