/**
 * What each formula says of its own figure: the unit and the rule of printing.sql, from the line `-- prints: ratio as percent`
 * at its head. The catalogue of the first path plays no part, so a wrong rule there is a difference, not an agreement.
 */
import { AssayError } from "../domain/outcome.ts";
import { FORMULAS } from "./plan.ts";
import { readSql, type SqlReader } from "./sql.ts";

export interface PrintStatement {
  fact: string;
  unit: string;
  print_rule: string;
  /** Prices and money are in the instrument's currency; nothing else has one. */
  in_currency: boolean;
}

/** As readers/batch.sql takes them. */
export function printStatements(read: SqlReader = readSql): PrintStatement[] {
  return FORMULAS.map((fact) => {
    const said = [...read(`formulas/${fact}.sql`).matchAll(/^-- prints: (\w+) as (\w+)$/gm)];
    const [, unit, print_rule] = said[0] ?? [];
    if (said.length !== 1 || unit === undefined || print_rule === undefined) {
      throw new AssayError("SQL_PRINTS_UNSAID", `formulas/${fact}.sql does not say once how its figure prints`, {
        hint: "one line `-- prints: <unit> as <rule>`, with a rule of printing.sql",
      });
    }
    return { fact, unit, print_rule, in_currency: unit === "price" || unit === "money" };
  });
}
