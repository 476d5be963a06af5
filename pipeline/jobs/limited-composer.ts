/**
 * A composer that may spend so much money: on one card in one language, which its contract says and its own loop keeps, and on
 * all that this process composes, counted from answers as they are sealed. Cards under way when the latter is reached go on
 * within their own limit; those after them are coded faults, and the next run takes them up.
 */
import { CARD_BUDGET } from "../compose/contracts.ts";
import type { ComposerTerms } from "../compose/run-composer.ts";
import { AssayError } from "../domain/outcome.ts";
import type { RunEntry } from "../schema/run-entry.ts";
import type { Composer } from "./composer.ts";

/** Micro-units of USD; null: no limit. */
export interface MoneyLimits {
  card_microusd: number | null;
  batch_microusd: number | null;
}

/** `isPriced`: throws BUDGET_UNPRICED without it, since nothing without a price can be held to a limit of money. */
export function limitedComposer(composer: Composer, limits: MoneyLimits, isPriced: boolean): Composer {
  const { card_microusd, batch_microusd } = limits;
  if ((card_microusd ?? batch_microusd) === null || composer.provider === "builtin") return composer;
  if (!isPriced) throw unpriced(`${composer.provider}:${composer.model} has no price`);
  const spent = { microusd: 0, unpriced: 0 };
  const amounts = [card_microusd, batch_microusd].filter((amount) => amount !== null);
  const budget = { ...CARD_BUDGET, money_microusd: Math.min(...amounts) };
  return {
    ...composer,
    async within(name, asOf, work) {
      if (batch_microusd !== null) {
        if (spent.unpriced > 0) throw unpriced(`the price of ${spent.unpriced} answers of this run is not known`);
        if (spent.microusd >= batch_microusd) {
          throw new AssayError("MODEL_BUDGET_SPENT", `this run has spent its ${batch_microusd / 1e6} USD on claims`, {
            hint: "run the batch again: what is composed stays, and the rest is taken up with a budget of its own",
            retry: "later",
          });
        }
      }
      return composer.within(name, asOf, (means) => {
        const limited = { ...means, budget, log: countedLog(means.log, spent) };
        return work(limited);
      });
    },
  };
}

/** What was sealed before this process is not in it: somebody else paid for it out of another budget. */
function countedLog(log: ComposerTerms["log"], spent: { microusd: number; unpriced: number }): ComposerTerms["log"] {
  return {
    ...log,
    async append(entries, documents) {
      await log.append(entries, documents);
      for (const cost of entries.flatMap(costsOf)) {
        if (cost === null) spent.unpriced += 1;
        else spent.microusd += cost;
      }
    },
  };
}

function costsOf({ body }: RunEntry): (number | null)[] {
  if (body.type === "turn_sealed") return [body.turn.cost_microusd];
  return body.type === "call_settled" ? [body.receipt.cost_microusd ?? 0] : [];
}

function unpriced(why: string): AssayError {
  return new AssayError("BUDGET_UNPRICED", `${why}, so that no budget in money can be kept`, {
    hint: "list the model in ASSAY_MODEL_PRICES, or leave the budget out",
  });
}
