/** Limits in money of what composes: said in the contract, counted from sealed answers, and never kept by guessing a price. */
import { describe, expect, it } from "vitest";
import type { TurnLog } from "../../pipeline/agents/turn-log.ts";
import type { Composer } from "../../pipeline/jobs/composer.ts";
import { limitedComposer, type MoneyLimits } from "../../pipeline/jobs/limited-composer.ts";
import type { RunEntry } from "../../pipeline/schema/run-entry.ts";
import type { Budget } from "../../pipeline/schema/task.ts";

const answerFor = (cost_microusd: number | null) =>
  ({ body: { type: "turn_sealed", turn: { cost_microusd }, attempts: 1, latency_ms: 1 } }) as unknown as RunEntry;

/** Whoever composes a card writes one answer of this price. */
function composerOf(provider: string) {
  const written: RunEntry[] = [];
  const log: TurnLog = {
    root_id: "r",
    fence: 1,
    read: async () => [],
    documents: async () => new Map(),
    append: async (entries) => void written.push(...entries),
  };
  const composer = { provider, model: "m", within: (_name, _asOf, work) => work({ log } as never) } as Composer;
  return { composer, written };
}

async function composeOne(composer: Composer, cost: number | null): Promise<Budget | undefined> {
  let budget: Budget | undefined;
  await composer.within("compose/X", "2026-01-01", async (means) => {
    budget = (means as { budget?: Budget }).budget;
    await means.log.append([answerFor(cost)], []);
    return { ends: ["FINISHED"] };
  });
  return budget;
}

const limits = (card_microusd: number | null, batch_microusd: number | null): MoneyLimits => ({
  card_microusd,
  batch_microusd,
});

describe("a budget in money", () => {
  it.each([
    ["of a card", limits(300, null), 300],
    ["of a batch bounds a card too", limits(null, 500), 500],
    ["the smaller of both", limits(900, 500), 500],
  ])("%s stands in the contract", async (_name, given, expected) => {
    const { composer, written } = composerOf("p");
    expect(await composeOne(limitedComposer(composer, given, true), 7)).toMatchObject({ money_microusd: expected });
    expect(written).toHaveLength(1);
  });

  it("of a batch, once spent, refuses further cards with a code; another run has its own", async () => {
    const { composer } = composerOf("p");
    const limited = limitedComposer(composer, limits(null, 100), true);
    await composeOne(limited, 60);
    await composeOne(limited, 60);
    await expect(composeOne(limited, 1)).rejects.toMatchObject({ code: "MODEL_BUDGET_SPENT", retry: "later" });
    await expect(composeOne(limitedComposer(composer, limits(null, 100), true), 1)).resolves.toBeDefined();
  });

  it("is not kept by guessing: without a price there is none, and an answer without one ends a batch's", async () => {
    const { composer } = composerOf("p");
    expect(() => limitedComposer(composer, limits(1, null), false)).toThrow(
      expect.objectContaining({ code: "BUDGET_UNPRICED" }),
    );
    const limited = limitedComposer(composer, limits(null, 100), true);
    await composeOne(limited, null);
    await expect(composeOne(limited, 1)).rejects.toMatchObject({ code: "BUDGET_UNPRICED" });
  });

  it("asks nothing of built-in methods, and nothing where there is none", () => {
    const { composer } = composerOf("builtin");
    expect(limitedComposer(composer, limits(1, 1), false)).toBe(composer);
    const model = composerOf("p").composer;
    expect(limitedComposer(model, limits(null, null), false)).toBe(model);
  });
});
