/** total_return_annualised.{3y,5y} = (1 + total_return.W)^(1/n) − 1. Nothing under one year is ever annualised. */
import { decimal, ONE } from "../domain/decimal.ts";
import { isUnavailable } from "../domain/outcome.ts";
import { amount, defineFact } from "./fact.ts";

export const totalReturnAnnualised = defineFact({
  id: "total_return_annualised",
  version: 1,
  needs: ["total_return"],
  compute(_series, window, other) {
    const total = other("total_return", window);
    if (isUnavailable(total)) return total;
    const growth = amount(total).plus(1);
    const yearly = window === "3y" ? growth.cbrt() : growth.pow(ONE.div(decimal(5)));
    return { ...total, value: yearly.minus(1) };
  },
});
