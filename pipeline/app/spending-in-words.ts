/**
 * What a run has cost, for the terminal: a line for each role and one for all. What nobody counted is said to be unknown; a sum
 * that some answers are missing from says how many.
 */
import type { Amount, RunSpending, Sum, TurnSpending } from "../agents/spending.ts";

export function spendingInWords({ roles, total }: Pick<RunSpending, "roles" | "total">): string[] {
  return [
    ...roles.map((sum) => `  cost of ${sum.role}: ${sumInWords(sum)}`),
    `  cost in all: ${sumInWords(total)}, of models and tools`,
  ];
}

export function turnInWords(turn: TurnSpending): string {
  const { input_tokens, cached_input_tokens, output_tokens, money_microusd, latency_ms, attempts } = turn;
  return [
    `tokens ${known(input_tokens)} in (${known(cached_input_tokens)} cached), ${known(output_tokens)} out`,
    money_microusd === null ? "money unknown" : usd(money_microusd),
    `${latency_ms} ms`,
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
  ].join(", ");
}

/** Micro-units as people write money; what is below a cent keeps its places. */
export function usd(microusd: number): string {
  return `${(microusd / 1e6).toFixed(6).replace(/(\.\d\d\d*?)0+$/, "$1")} USD`;
}

function sumInWords(sum: Sum): string {
  const { requests, unanswered, latency_ms } = sum;
  const tokens = (amount: Amount) => amountInWords(amount, unanswered, String);
  return [
    `${requests} requests${unanswered === 0 ? "" : ` (${unanswered} without an answer, in no amount)`}`,
    `tokens ${tokens(sum.input_tokens)} in (${tokens(sum.cached_input_tokens)} cached), ${tokens(sum.output_tokens)} out`,
    `money ${amountInWords(sum.money_microusd, unanswered, usd)}`,
    `${latency_ms} ms of answers`,
  ].join(", ");
}

function amountInWords(
  { known: amount, missing }: Amount,
  unanswered: number,
  print: (amount: number) => string,
): string {
  if (missing === 0 && (amount > 0 || unanswered === 0)) return print(amount);
  return amount === 0 ? "unknown" : `${print(amount)} and of ${missing} answers unknown`;
}

function known(count: number | null): string {
  return count === null ? "unknown" : String(count);
}
