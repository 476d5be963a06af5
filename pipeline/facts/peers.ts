/**
 * peer_rank, peer_count and peer_median of total_return, among the members of a peer group with a value in the reporting
 * currency. Reads finished facts only; a product without a group has no peers.
 */
import { type Decimal, decimal, toText } from "../domain/decimal.ts";
import { firstReason, type Reason } from "../domain/outcome.ts";
import { WINDOWS } from "../domain/window.ts";
import { CATALOGUE, PEER_MINIMUM } from "../schema/catalogue.ts";
import type { Fact } from "../schema/fact.ts";
import type { Instrument } from "../schema/instrument.ts";
import { toFact } from "./row.ts";
import type { BatchTerms } from "./select.ts";

export interface PeerMember {
  instrument: Instrument;
  facts: readonly Fact[];
}

const RANK_WINDOW = "1y";

/**
 * All rows of a product in catalogue order: its own, with the peer rows filled in. `members` includes the product itself;
 * members of other groups are passed over.
 */
export function computePeerFacts(
  terms: Pick<BatchTerms, "reporting_currency">,
  instrument: Instrument,
  ownFacts: readonly Fact[],
  members: readonly PeerMember[],
): Fact[] {
  const peers = peerRows(instrument, ownFacts, members, terms.reporting_currency);
  const isPeerRow = (fact: Fact) => peers.some((peer) => peer.fact === fact.fact);
  const own = ownFacts.filter((fact) => !isPeerRow(fact));
  const inCatalogue = CATALOGUE.flatMap(({ fact }) => [...own, ...peers].filter((row) => row.fact === fact));
  return [...inCatalogue, ...own.filter((fact) => !inCatalogue.includes(fact))];
}

function peerRows(
  instrument: Instrument,
  ownFacts: readonly Fact[],
  members: readonly PeerMember[],
  reportingCurrency: string,
): Fact[] {
  const group = members.filter(
    (member) => instrument.peer_group !== "" && member.instrument.peer_group === instrument.peer_group,
  );
  const own = comparable({ instrument, facts: ownFacts }, RANK_WINDOW, reportingCurrency);
  const rows = WINDOWS.map((window) => {
    const facts = group
      .map((member) => comparable(member, window, reportingCurrency))
      .filter((fact) => fact?.status === "OK");
    return {
      window,
      values: facts.map((fact) => decimal(fact!.value!)),
      evidence: facts.flatMap((fact) => fact!.evidence),
    };
  });
  const yearly = rows.find(({ window }) => window === RANK_WINDOW)!;
  return [
    rank(instrument, yearly, own),
    row(instrument, "peer_count.total_return", yearly, decimal(yearly.values.length), tooSmall(yearly)),
    ...rows.map((one) => row(instrument, "peer_median.total_return", one, medianOf(one.values), tooSmall(one))),
  ];
}

interface PeerValues {
  window: string;
  values: Decimal[];
  evidence: string[];
}

function comparable({ instrument, facts }: PeerMember, window: string, reportingCurrency: string): Fact | undefined {
  const wanted = instrument.currency === reportingCurrency ? "total_return" : "total_return_reporting";
  return facts.find((fact) => fact.fact === wanted && fact.window === window);
}

function tooSmall({ values }: PeerValues): Reason[] {
  return values.length < PEER_MINIMUM ? ["PEER_GROUP_TOO_SMALL"] : [];
}

function rank(instrument: Instrument, yearly: PeerValues, own: Fact | undefined): Fact {
  const reasons = tooSmall(yearly);
  if (own === undefined || own.status !== "OK") reasons.push(own?.reason ?? "SOURCE_MISSING");
  const greater = yearly.values.filter((value) => own?.status === "OK" && value.gt(own.value!)).length;
  return row(instrument, "peer_rank.total_return", yearly, decimal(greater + 1), reasons);
}

function row(
  instrument: Instrument,
  fact: string,
  { window, evidence }: PeerValues,
  value: Decimal | undefined,
  reasons: readonly Reason[],
): Fact {
  const common = { instrument, fact, window, formula: `${fact}/1`, epistemic_type: "DERIVED" as const };
  if (reasons.length > 0 || value === undefined) {
    return toFact({ ...common, result: { status: "UNAVAILABLE", reason: firstReason(reasons) } });
  }
  const unique = [...new Set(evidence)].sort();
  return toFact({ ...common, result: { value: toText(value), start: null, end: null, evidence: unique } });
}

export function medianOf(values: readonly Decimal[]): Decimal | undefined {
  const ascending = [...values].sort((one, other) => one.cmp(other));
  const middle = ascending.length / 2;
  const upper = ascending[Math.floor(middle)];
  if (upper === undefined || !Number.isInteger(middle)) return upper;
  return ascending[middle - 1]!.plus(upper).div(2);
}
