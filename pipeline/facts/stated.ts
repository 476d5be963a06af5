/**
 * REPORTED figures that are taken as the first source in batch order states them, and the UTC dates on which the sources
 * of stated figures were retrieved.
 */
import { decimal, isPlainNumeral } from "../domain/decimal.ts";
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import type { MetadataField } from "../schema/batch.ts";
import { defineFact, type FactDefinition } from "./fact.ts";

function defineStated(id: MetadataField, isNumber: boolean): FactDefinition {
  return defineFact({
    id,
    version: 1,
    needs: [],
    epistemic_type: "REPORTED",
    compute(series) {
      const first = series.stated(id).find(({ value }) => !isNumber || isPlainNumeral(value as string));
      if (first === undefined) return unavailable("SOURCE_MISSING");
      return isNumber ? { ...first, value: decimal(first.value as string) } : first;
    },
  });
}

export const netAssets = defineStated("net_assets", true);
export const fundNetAssets = defineStated("fund_net_assets", true);
export const listedOn = defineStated("listed_on", false);
export const inceptionOn = defineStated("inception_on", false);
export const taxType = defineStated("tax_type", false);
export const riskGrade = defineStated("risk_grade", false);
export const underlyingIndex = defineStated("underlying_index", false);

function defineStatedOn(figure: string): FactDefinition {
  return defineFact({
    id: `${figure}_on`,
    version: 1,
    needs: [figure],
    epistemic_type: "OBSERVED",
    compute(_series, _window, other) {
      const found = other(figure, "");
      return isUnavailable(found) ? found : { ...found, value: found.stated!.on };
    },
  });
}

export const totalExpenseRatioOn = defineStatedOn("total_expense_ratio");
export const netAssetsOn = defineStatedOn("net_assets");
export const fundNetAssetsOn = defineStatedOn("fund_net_assets");

export const metadataRetrievedOn = defineFact({
  id: "metadata_retrieved_on",
  version: 1,
  needs: [],
  epistemic_type: "OBSERVED",
  compute(series) {
    const records = series.metadata();
    if (records.length === 0) return unavailable("SOURCE_MISSING");
    const newest = records.reduce((best, one) => (one.retrieved_at > best.retrieved_at ? one : best));
    return { value: newest.retrieved_at.slice(0, 10), start: null, end: null, evidence: [newest.evidence_id] };
  },
});
