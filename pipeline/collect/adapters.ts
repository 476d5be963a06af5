/** The registry of adapters, by contract. */
import type { Adapter, ReadingContract } from "./adapter.ts";
import { csvBars } from "./csv-bars.ts";
import { csvDistributions } from "./csv-distributions.ts";
import { csvFx } from "./csv-fx.ts";
import { csvMetadata } from "./csv-metadata.ts";
import { csvNav } from "./csv-nav.ts";
import { jsonMetadata } from "./json-metadata.ts";

type Registry = { [Name in ReadingContract["contract"]]: Adapter<Extract<ReadingContract, { contract: Name }>> };

export const ADAPTERS: Registry = {
  "csv-bars": csvBars,
  "csv-distributions": csvDistributions,
  "csv-fx": csvFx,
  "csv-nav": csvNav,
  "csv-metadata": csvMetadata,
  "json-metadata": jsonMetadata,
};
