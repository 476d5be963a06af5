/** What the steps of a run share: the context, the book of results, observations, and the second engine and browser. */
import type { PoolClient } from "pg";
import type { Browser } from "../../render/browser.ts";
import type { FontShop } from "../../render/fonts.ts";
import type { Composer } from "../composer.ts";
import type { RunContext } from "../context.ts";
import type { ObservationCache } from "../observations.ts";
import type { StepBook } from "./step.ts";

export interface Workshop {
  context: RunContext;
  book: StepBook;
  composer: Composer;
  observations: ObservationCache;
  /** Opened when the first card is drawn. */
  browser(): Promise<Browser>;
  fonts(): Promise<FontShop>;
  /** A session of the application role, for the second path. */
  withSession<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}
