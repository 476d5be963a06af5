/** The registry: every gate there is, in the order in which findings are read. Which of them run is the policy's say. */

import { absence } from "./absence.ts";
import { aiLabel } from "./ai-label.ts";
import { annualised } from "./annualised.ts";
import { asOf } from "./as-of.ts";
import { bars } from "./bars.ts";
import { basis } from "./basis.ts";
import { beside } from "./beside.ts";
import { causalEdge } from "./causal-edge.ts";
import { cause } from "./cause.ts";
import { channel } from "./channel.ts";
import { chart } from "./chart.ts";
import { claimRoles } from "./claim-roles.ts";
import { claimSupport } from "./claim-support.ts";
import { claimsDrawn } from "./claims-drawn.ts";
import { conflict } from "./conflict.ts";
import { coverage } from "./coverage.ts";
import { crossFoot } from "./cross-foot.ts";
import { dependencies } from "./dependencies.ts";
import { depositComparison } from "./deposit-comparison.ts";
import { direction } from "./direction.ts";
import { disclosures } from "./disclosures.ts";
import { epistemicType } from "./epistemic-type.ts";
import { evidencePresent } from "./evidence-present.ts";
import { freshness } from "./freshness.ts";
import { gaps } from "./gaps.ts";
import type { Gate } from "./gate.ts";
import { guarantee } from "./guarantee.ts";
import { headline } from "./headline.ts";
import { identity } from "./identity.ts";
import { jumps } from "./jumps.ts";
import { lateAdjustment } from "./late-adjustment.ts";
import { legibility } from "./legibility.ts";
import { modelComposed } from "./model-composed.ts";
import { performancePeriods } from "./performance-periods.ts";
import { periods } from "./periods.ts";
import { proseCurrency } from "./prose-currency.ts";
import { proseNumerals } from "./prose-numerals.ts";
import { prosePeriods } from "./prose-periods.ts";
import { quantities } from "./quantities.ts";
import { recalculation } from "./recalculation.ts";
import { registration } from "./registration.ts";
import { research } from "./research.ts";
import { restrictedLanguage } from "./restricted-language.ts";
import { rights } from "./rights.ts";
import { sideSeries } from "./side-series.ts";
import { style } from "./style.ts";
import { superlative } from "./superlative.ts";
import { targetReturn } from "./target-return.ts";
import { units } from "./units.ts";
export const GATES: readonly Gate[] = [
  registration,
  rights,
  evidencePresent,
  asOf,
  identity,
  freshness,
  bars,
  gaps,
  basis,
  jumps,
  sideSeries,
  lateAdjustment,
  conflict,
  dependencies,
  units,
  periods,
  quantities,
  crossFoot,
  headline,
  recalculation,
  chart,
  coverage,
  research,
  causalEdge,
  claimSupport,
  epistemicType,
  absence,
  cause,
  proseNumerals,
  direction,
  prosePeriods,
  proseCurrency,
  guarantee,
  targetReturn,
  superlative,
  depositComparison,
  restrictedLanguage,
  annualised,
  style,
  channel,
  disclosures,
  legibility,
  performancePeriods,
  beside,
  aiLabel,
  claimsDrawn,
  claimRoles,
  modelComposed,
];
