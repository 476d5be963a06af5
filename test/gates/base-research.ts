/** A research definition and a causal edge of the invented product, with which every gate passes. */
import { type CausalEdgeVersion, causalEdgeSchema, type EdgeState } from "../../pipeline/schema/causal-edge.ts";
import { type ResearchDefinition, researchSchema } from "../../pipeline/schema/research.ts";

const both = (ko: string, en: string) => ({ "ko-KR": ko, "en-US": en });
const sentence = (id: string, type: string, ko: string, en: string) => ({
  id,
  type,
  sources: ["note"],
  text: both(ko, en),
});

export function baseResearch(): ResearchDefinition {
  return researchSchema.parse({
    schema: "research/v1",
    instrument: "US:VRDNT",
    title: both("대형주 지수 노출의 구조", "How the large-cap exposure is built"),
    author: { name: "J. Alder", role: "Analyst" },
    written_on: "2026-03-02",
    expires_on: "2026-08-31",
    horizon_months: 12,
    sources: [
      {
        id: "note",
        title: "Index methodology note",
        publisher: "Verdant Funds",
        published_on: "2026-01-15",
        accessed_on: "2026-02-27",
      },
    ],
    thesis: [
      {
        ...sentence(
          "breadth",
          "INFERRED",
          "편입 폭이 넓어 개별 기업의 영향이 나뉩니다.",
          "A broad basket spreads the weight of any company.",
        ),
        causal_edge: "breadth-to-dispersion",
      },
    ],
    structure_notes: [sentence("weights", "REPORTED", "시가총액으로 비중을 정합니다.", "Weights follow market value.")],
    risks: [sentence("market", "INFERRED", "시장 전체의 위험은 남습니다.", "The risk of the whole market remains.")],
    competing_hypotheses: [
      sentence("style", "OPINION", "업종 구성으로도 설명됩니다.", "Sector mix is another explanation."),
    ],
    counter_evidence: [
      sentence(
        "top",
        "OBSERVED",
        "상위 종목의 비중이 커진 시기도 기록되어 있습니다.",
        "The record holds periods of heavier top weights.",
      ),
    ],
    falsifiers: [
      sentence(
        "narrow",
        "OPINION",
        "편입 기준이 좁아지면 이 견해를 거둡니다.",
        "A narrower inclusion rule would end this view.",
      ),
    ],
  });
}

const PROMOTIONS: [EdgeState, string, string][] = [
  ["DRAFT", "2025-01-06", "J. Alder"],
  ["PREREGISTERED", "2025-02-03", "J. Alder"],
  ["DATA_ELIGIBLE", "2025-03-03", "M. Rowan"],
  ["MECHANISM_REVIEW", "2025-04-07", "M. Rowan"],
  ["EMPIRICAL_SUPPORT", "2025-07-07", "M. Rowan"],
  ["SHADOW_USE", "2025-09-01", "M. Rowan"],
  ["APPROVED", "2026-01-05", "S. Linden"],
];

export function approvedEdge(): CausalEdgeVersion {
  return causalEdgeSchema.parse({
    schema: "causal_edge/v1",
    id: "breadth-to-dispersion",
    version: 1,
    cause: both("편입 종목의 폭", "Breadth of holdings"),
    effect: both("개별 기업 충격의 크기", "Size of single-company shocks"),
    mechanism: both("비중이 나뉘면 각 기업의 몫이 작아집니다.", "Spread weights leave each company a smaller share."),
    sign: "-",
    lag_days: { from: 0, to: 1 },
    regime: {
      markets: ["US"],
      product_types: ["EQUITY_INDEX"],
      peer_groups: ["US_LARGE_CAP"],
      from: "2015-01-01",
      until: null,
      prose: both("시가총액 가중 지수에서 성립합니다.", "Holds for indices weighted by market value."),
    },
    assumptions: [both("비중 산정 방식이 유지됩니다.", "The weighting rule stays as it is.")],
    alternatives: [both("업종 구성의 영향", "The mix of sectors")],
    counter_evidence: [],
    negative_controls: [both("동일가중 지수", "Indices of equal weight")],
    falsifier: both("폭과 충격의 크기가 무관한 표본", "A sample in which breadth and shocks are unrelated"),
    estimand: both("폭의 변화에 대한 충격 크기의 평균 변화", "Mean change of shock size for a change of breadth"),
    identification: both("정기 변경 전후의 비교", "Comparison around scheduled reconstitutions"),
    history: PROMOTIONS.map(([state, on, name]) => ({ state, on, by: { name, role: "Analyst" }, basis: "minutes" })),
  });
}
