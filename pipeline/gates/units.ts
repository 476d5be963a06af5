/** Units and currencies: every figure in the catalogue's unit and the product's currency, every series in it too. */
import { decimal } from "../domain/decimal.ts";
import { CATALOGUE } from "../schema/catalogue.ts";
import { figureId } from "../schema/fact.ts";
import { byFigure, defineGate, examples, okValue } from "./gate.ts";

const ENTRIES = new Map(CATALOGUE.map((entry) => [entry.fact, entry]));

export const units = defineGate({
  id: "units",
  version: 1,
  family: "numbers",
  stage: "data",
  question: "Is every figure in the unit and currency that it claims?",
  needs: ["instrument", "sources", "facts", "defects", "rules"],
  codes: {
    UNIT_CONFLICT: {
      severity: "REVIEW",
      blocks_when: "a figure has another unit than the catalogue, or an expense ratio is too large to be one",
      meaning:
        "a stated amount or text cannot be read as declared and is left out, or a figure has or seems to have a wrong unit",
      remedy:
        "correct the unit in the batch's field declaration (percent, fraction, currency), or have the text corrected",
    },
    CURRENCY_CONFLICT: {
      severity: "BLOCK",
      meaning: "a source or figure is in another currency than the product",
      remedy: "correct the currency in the batch or the universe; never convert silently",
    },
  },
  check({ instrument, sources, facts, defects, rules }, report, examined) {
    for (const { source_id, serves, currency } of sources) {
      examined(source_id);
      if (serves === "instrument" && currency !== null && currency !== instrument.currency) {
        report("CURRENCY_CONFLICT", source_id, `declared in ${currency}, the product in ${instrument.currency}`);
      }
    }
    const ceiling = decimal(rules.expense_ratio_ceiling);
    for (const fact of facts) {
      examined(figureId(fact));
      const entry = ENTRIES.get(fact.fact);
      if (entry !== undefined && fact.unit !== entry.unit) {
        report("UNIT_CONFLICT", figureId(fact), `${fact.unit}, the catalogue says ${entry.unit}`, { blocks: true });
      }
      if (fact.status !== "OK" || fact.value === null) continue;
      if (entry?.in_currency && fact.currency !== instrument.currency) {
        const found = fact.currency ?? "no currency";
        report("CURRENCY_CONFLICT", figureId(fact), `${found}, the product in ${instrument.currency}`);
      }
      if (/^total_expense_ratio(_stated)?$/.test(fact.fact) && decimal(fact.value).gt(ceiling)) {
        const detail = `${fact.value} is above ${rules.expense_ratio_ceiling}: a percentage read as a fraction?`;
        report("UNIT_CONFLICT", figureId(fact), detail, { blocks: true });
      }
    }
    const byName = byFigure(facts);
    const traded = okValue(byName, "average_daily_value.20d");
    for (const held of ["net_assets", "fund_net_assets"]) {
      const amount = okValue(byName, held);
      if (traded === null || amount === null || byName.get(held)?.currency !== instrument.currency) continue;
      // An amount that is not above zero is told by `quantities`.
      if (decimal(amount).gt(0) && decimal(traded).gt(decimal(amount).times(decimal(rules.turnover)))) {
        report("UNIT_CONFLICT", held, `${amount}, and ${rules.turnover} times that is traded on an average day`);
      }
    }
    const unread = defects.filter(({ code }) => code === "UNIT_CONFLICT");
    for (const source_id of new Set(unread.map((defect) => defect.source_id))) {
      const rows = unread.filter((defect) => defect.source_id === source_id);
      report("UNIT_CONFLICT", source_id, `left out: ${examples(rows.map(({ detail }) => detail))}`);
    }
  },
});
