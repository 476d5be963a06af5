/** Korean money text (`16조 5,475억`, `3,200만원`, `1.5조`) to whole won. A bare number has no unit and is refused. */
import { isPositive, JUNK, readNumeral, shiftPoint } from "./numeral.ts";

const ZEROS: Record<string, number> = { 조: 12, 억: 8, 만: 4 };
const PARTS = /^([+-]?)\s*((?:[\d.,]+\s*[조억만]\s*)*)(?:([\d,]+)\s*(원)|원)?$/;

export function readKoreanMoney(text: string): string | null {
  if (text.length > 60) return null;
  const match = PARTS.exec(text.trim());
  if (match === null) return null;
  const [, sign = "", large = "", rest] = match;
  const amounts: string[] = [];
  let below = Number.POSITIVE_INFINITY;
  for (const [, digits = "", unit = ""] of large.matchAll(/([\d.,]+)\s*([조억만])/g)) {
    const zeros = ZEROS[unit]!;
    const numeral = readNumeral(digits);
    // 억 before 조, or twice the same, is not how anyone writes an amount: a sign of two figures run together.
    if (zeros >= below || typeof numeral !== "string") return null;
    const won = shiftPoint(numeral, zeros);
    if (won === JUNK) return null;
    amounts.push(won);
    below = zeros;
  }
  if (rest !== undefined) {
    const numeral = readNumeral(rest);
    if (typeof numeral !== "string") return null;
    amounts.push(numeral);
  }
  if (amounts.length === 0) return null;
  const whole = amounts.map((amount) => amount.replace(/\.0*$/, ""));
  if (whole.some((amount) => amount.includes("."))) return null;
  const total = whole.reduce((sum, amount) => sum + BigInt(amount), 0n).toString();
  return sign === "-" && isPositive(total) ? `-${total}` : total;
}
