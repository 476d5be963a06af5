/** The registry of formulas, in catalogue order. Peer facts are not here: they read other products' finished facts. */
import { beta, correlation, trackingError } from "./aligned-statistics.ts";
import { averageDailyValue } from "./average-daily-value.ts";
import { benchmarkDifference } from "./benchmark-difference.ts";
import { benchmarkReturn } from "./benchmark-return.ts";
import { distributionCount, distributionYield } from "./distribution-yield.ts";
import type { FactDefinition } from "./fact.ts";
import { fxChange } from "./fx-change.ts";
import { lastClose } from "./last-close.ts";
import { maxDrawdown, maxDrawdownPeakOn, maxDrawdownRecoveryOn, maxDrawdownTroughOn } from "./max-drawdown.ts";
import { multipleCompounded } from "./multiple-compounded.ts";
import { multipleGap } from "./multiple-gap.ts";
import { multipleResidual } from "./multiple-residual.ts";
import { position52w } from "./position-52w.ts";
import { premium, premiumAverage, premiumOn, premiumState } from "./premium.ts";
import { priceReturn } from "./price-return.ts";
import { high52w, high52wOn, low52w, low52wOn } from "./range-52w.ts";
import { cutoffOn, endSession, knownAt, startSession } from "./sessions.ts";
import {
  fundNetAssets,
  fundNetAssetsOn,
  inceptionOn,
  listedOn,
  metadataRetrievedOn,
  netAssets,
  netAssetsOn,
  riskGrade,
  taxType,
  totalExpenseRatioOn,
  underlyingIndex,
} from "./stated.ts";
import { totalExpenseRatio } from "./total-expense-ratio.ts";
import { totalReturn } from "./total-return.ts";
import { totalReturnAnnualised } from "./total-return-annualised.ts";
import { totalReturnReporting } from "./total-return-reporting.ts";
import { volatility } from "./volatility.ts";

export const FORMULAS: readonly FactDefinition[] = [
  priceReturn,
  totalReturn,
  totalReturnAnnualised,
  fxChange,
  totalReturnReporting,
  lastClose,
  high52w,
  low52w,
  high52wOn,
  low52wOn,
  position52w,
  volatility,
  maxDrawdown,
  maxDrawdownPeakOn,
  maxDrawdownTroughOn,
  maxDrawdownRecoveryOn,
  benchmarkReturn,
  benchmarkDifference,
  beta,
  correlation,
  trackingError,
  multipleCompounded,
  multipleResidual,
  multipleGap,
  distributionYield,
  distributionCount,
  averageDailyValue,
  premium,
  premiumOn,
  premiumAverage,
  totalExpenseRatio,
  netAssets,
  fundNetAssets,
  listedOn,
  inceptionOn,
  taxType,
  riskGrade,
  underlyingIndex,
  startSession,
  endSession,
  cutoffOn,
  knownAt,
  metadataRetrievedOn,
  totalExpenseRatioOn,
  netAssetsOn,
  fundNetAssetsOn,
  premiumState,
];
