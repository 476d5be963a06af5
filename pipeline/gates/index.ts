/** The registry: every gate there is, in the order in which findings are read. Which of them run is the policy's say. */
import { asOf } from "./as-of.ts";
import { bars } from "./bars.ts";
import { basis } from "./basis.ts";
import { chart } from "./chart.ts";
import { conflict } from "./conflict.ts";
import { coverage } from "./coverage.ts";
import { crossFoot } from "./cross-foot.ts";
import { evidencePresent } from "./evidence-present.ts";
import { freshness } from "./freshness.ts";
import { gaps } from "./gaps.ts";
import type { Gate } from "./gate.ts";
import { headline } from "./headline.ts";
import { identity } from "./identity.ts";
import { jumps } from "./jumps.ts";
import { lateAdjustment } from "./late-adjustment.ts";
import { periods } from "./periods.ts";
import { quantities } from "./quantities.ts";
import { recalculation } from "./recalculation.ts";
import { registration } from "./registration.ts";
import { rights } from "./rights.ts";
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
  lateAdjustment,
  conflict,
  units,
  periods,
  quantities,
  crossFoot,
  headline,
  recalculation,
  chart,
  coverage,
];
