/** What a schema cannot say about a request's sources: names used once, patterns that fit their contract, known zones. */
import type { Batch, Source } from "../schema/batch.ts";
import type { Mistake } from "./yaml-document.ts";

export function contractMistakes(batch: Batch): Mistake[] {
  const seen = new Set<string>();
  return batch.sources.flatMap((source, index) => {
    const mistakes = sourceMistakes(source);
    if (seen.has(source.id))
      mistakes.push({ path: ["id"], message: `a second source called ${source.id}; name it apart` });
    seen.add(source.id);
    return mistakes.map(({ path, message }) => ({ path: ["sources", index, ...path], message }));
  });
}

function sourceMistakes(source: Source): Mistake[] {
  switch (source.contract) {
    case "csv-bars": {
      const { columns, basis } = source;
      const mistakes = patternMistakes(source.files, "files", true);
      if (columns.close === undefined && columns.adjusted_close === undefined) {
        mistakes.push({ path: ["columns"], message: "name a close or an adjusted_close column" });
      }
      for (const field of ["close", "adjusted_close"] as const) {
        if (columns[field] !== undefined && basis[field] === undefined) {
          mistakes.push({ path: ["basis"], message: `say what basis the ${field} column has` });
        }
      }
      return mistakes;
    }
    case "csv-distributions":
    case "csv-nav":
      return patternMistakes(source.files, "files", true);
    case "csv-fx": {
      const mistakes = patternMistakes(source.files, "files", false);
      const zone = source.label_shift?.zone;
      if (zone !== undefined && !isZone(zone)) {
        mistakes.push({ path: ["label_shift", "zone"], message: `no such time zone; write it as in Europe/London` });
      }
      if (source.pair.base === source.pair.quote)
        mistakes.push({ path: ["pair"], message: "base and quote are the same" });
      return mistakes;
    }
    case "csv-metadata":
    case "json-metadata":
      return patternMistakes(source.file, "file", false);
    case "synthetic":
      return [];
  }
}

/** One file for all would give every product the same prices; one per product cannot serve a shared table. */
function patternMistakes(pattern: string, field: string, isPerInstrument: boolean): Mistake[] {
  const named = pattern.match(/\{[^}]*\}?/g) ?? [];
  if (named.some((name) => name !== "{ticker}"))
    return [{ path: [field], message: "only {ticker} may stand in braces" }];
  if (isPerInstrument === named.length > 0) return [];
  const message = isPerInstrument
    ? "must hold {ticker}: one file per product"
    : "must not hold {ticker}: one file for all";
  return [{ path: [field], message }];
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
