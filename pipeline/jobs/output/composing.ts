/**
 * What composing came to: who composed, what the models' runs used, and what became of each claim. Counted from the recorded
 * claims and from the comparison of the finished pages, never concluded from what the grammar promises.
 */
import { amountOf } from "../../agents/spending.ts";
import { LABEL } from "../../compose/grammar.ts";
import type { Composed, ComposeRun, DrawnClaim } from "../../schema/composed.ts";
import type { RecalculationRow } from "../../schema/recalculated.ts";
import type { Report } from "../../schema/report.ts";

export type Composing = Report["composing"];

export function emptyComposing({ provider, model }: Pick<Composing, "provider" | "model">): Composing {
  return {
    provider,
    model,
    turns: 0,
    tokens_in: 0,
    tokens_out: 0,
    money_microusd: 0,
    claims: { proposed: 0, drawn: 0, held: 0, refused: 0, bound: 0, with_figures: 0, recalculated: 0 },
  };
}

/** `rows`: of the comparison of the page; null where no page was drawn. */
export function addClaims(
  { claims: total }: Composing,
  { claims, held, refused }: Composed,
  rows: readonly RecalculationRow[] | null,
): void {
  total.proposed += claims.length + held.length + refused.length;
  total.held += held.length;
  total.refused += refused.length;
  if (rows === null) return;
  const own = rows.filter(({ where }) => where.startsWith("claims/"));
  for (const claim of claims) {
    total.drawn += 1;
    if (isBound(claim)) total.bound += 1;
    const figures = claim.runs.flatMap((run) => (run.kind === "figure" ? [run] : []));
    if (figures.length === 0) continue;
    total.with_figures += 1;
    const isMatched = ({ figure, printed }: (typeof figures)[number]) =>
      own.some((row) => row.figure === figure && row.printed === printed && row.match && row.formula !== "");
    if (figures.every(isMatched)) total.recalculated += 1;
  }
}

/** Each place is printed as the figure or label that it names, and the claim rests on something. */
function isBound({ record: { slots, supports }, runs }: DrawnClaim): boolean {
  const isPrinted = (figure: string) =>
    runs.some((run) =>
      run.kind === "figure"
        ? run.figure === figure
        : run.kind === "classed" && run.numeral === "label" && run.of === figure.replace(LABEL, ""),
    );
  return slots.length + supports.length > 0 && slots.every(({ figure }) => isPrinted(figure));
}

/** Of the run that composed one card in one language, whenever that was. One answer that nobody counted makes a sum unknown. */
export function addRun(total: Composing, { turns, receipts }: Pick<ComposeRun, "turns" | "receipts">): void {
  const add = (sum: number | null, values: (number | null)[]) => {
    const { known, missing } = amountOf(values);
    return sum === null || missing > 0 ? null : sum + known;
  };
  total.turns += turns.length;
  total.tokens_in = add(
    total.tokens_in,
    turns.map(({ usage }) => usage?.input_tokens ?? null),
  );
  total.tokens_out = add(
    total.tokens_out,
    turns.map(({ usage }) => usage?.output_tokens ?? null),
  );
  total.money_microusd = add(total.money_microusd, [
    ...turns.map(({ cost_microusd }) => cost_microusd),
    ...receipts.map(({ cost_microusd }) => cost_microusd ?? 0),
  ]);
}
