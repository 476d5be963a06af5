/** The methods that come with the release, in the order in which they are shown. */
import { costTrackingMethod } from "./cost-tracking.ts";
import { factorMethod } from "./factor.ts";
import { incomeMethod } from "./income.ts";
import { indexMethod } from "./index-method.ts";
import { macroMethod } from "./macro.ts";
import { riskMethod } from "./risk.ts";

export const BUILTIN = [indexMethod, factorMethod, incomeMethod, riskMethod, costTrackingMethod, macroMethod] as const;
