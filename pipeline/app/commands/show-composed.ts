/** `assay show <instrument>`, after its versions: who said what of the claims, who disagreed, and what nobody found. */
import { plan } from "../../jobs/plan.ts";
import { openWorkshop } from "../../jobs/workshop-for.ts";
import type { Composed, Disagreement, Ground } from "../../schema/composed.ts";
import { plain } from "../plain.ts";
import type { Services } from "../wiring.ts";

/** Nothing where the product is not in the batch or nothing is composed of it. */
export async function showComposed(services: Services, frozenDigest: string, name: string): Promise<void> {
  for (const composed of await readComposed(services, frozenDigest, name)) process.stdout.write(describe(composed));
}

/** By locale; empty where the product is not in the batch or nothing is recorded of it with this program. */
export async function readComposed(services: Services, frozenDigest: string, name: string): Promise<Composed[]> {
  const shop = await openWorkshop(services, { frozenDigest, replay: false, onStep: () => undefined });
  const instrument = shop.context.instruments.get(name);
  if (instrument === undefined) return [];
  const [line] = (await plan(shop, [instrument])).lines;
  return Promise.all((line?.compose ?? []).map((recorded) => shop.book.read<Composed>(recorded)));
}

function describe({
  instrument,
  locale,
  claims,
  held,
  refused,
  reviews,
  disagreements,
  gaps,
  ...rest
}: Composed): string {
  return [
    `${instrument} ${locale} claims: ${claims.length} drawn, ${held.length} held by gates, ${refused.length} not taken; composed by ${rest.provider ?? "nobody"}, ${rest.end ?? "no run"}`,
    ...reviews.map(
      ({ role, supported, unsupported, unclear }) =>
        `  ${role}: ${supported} supported, ${unsupported} unsupported, ${unclear} unclear`,
    ),
    ...disagreements.map(describeDisagreement),
    ...refused.map(
      ({ id, faults }) =>
        `  not taken ${plain(id)}: ${faults.map(({ code, detail }) => `${code} ${plain(detail)}`).join("; ")}`,
    ),
    ...gaps.map(({ role, code }) => `  gap ${role}: ${code}`),
    ...(rest.run === null ? [] : [`  turns, receipts and what was sent: \`assay runs card ${instrument}\``]),
    "",
  ].join("\n");
}

function describeDisagreement({ by, stance, about, grounds, counter_claim }: Disagreement): string {
  const other = counter_claim === null ? "" : `; other side: ${plain(counter_claim)}`;
  return `  ${by} ${stance === "disagrees" ? "disagrees with" : "qualifies"} ${plain(about)} on ${grounds.map(placeOf).join(", ")}${other}`;
}

function placeOf(ground: Ground): string {
  switch (ground.kind) {
    case "fact":
      return plain(ground.figure);
    case "research":
      return plain(ground.sentence);
    case "edge":
      return `edge ${plain(ground.edge)}`;
    case "evidence":
      return plain(`${ground.evidence_id} ${ground.locator}`);
  }
}
