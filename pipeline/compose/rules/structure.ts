/** What it costs, how large and how old it is, how much of it is traded, and how far its price stands from its assets. */
import { always, type ClaimRule } from "./rule.ts";

const FEE = { c: "total_expense_ratio", o: "total_expense_ratio_on" };

export const STRUCTURE_RULES: readonly ClaimRule[] = [
  {
    id: "fee",
    role: "point",
    slots: FEE,
    when: always,
    words: {
      "ko-KR": [
        "총보수는 연 {c}이며 {o}에 조회한 값입니다.",
        "{o} 조회 기준 총보수는 연 {c}입니다.",
        "보수는 순자산에서 매일 조금씩 빠지며, {o}에 확인한 총보수는 연 {c}입니다.",
        "비용을 보면 총보수는 연 {c}로 적혀 있고 조회일은 {o}입니다.",
      ],
      "en-US": [
        "The total expense ratio is {c} a year, as retrieved on {o}.",
        "As of {o}, the stated total expense ratio is {c} a year.",
        "Costs are taken from the assets day by day; the total expense ratio retrieved on {o} is {c} a year.",
        "On cost, the source of {o} states a total expense ratio of {c} a year.",
      ],
    },
  },
  ...(["net_assets", "fund_net_assets"] as const).map(
    (fact): ClaimRule => ({
      id: fact === "net_assets" ? "size" : "size-of-fund",
      role: "point",
      slots: { a: fact, o: `${fact}_on` },
      when: always,
      words: {
        "ko-KR":
          fact === "net_assets"
            ? [
                "순자산은 {o} 조회 기준 {a}입니다.",
                "{o}에 조회한 순자산은 {a}입니다.",
                "규모를 보면 순자산은 {a}이며 조회일은 {o}입니다.",
              ]
            : [
                "모든 종류를 더한 펀드 순자산은 {o} 조회 기준 {a}입니다.",
                "{o}에 조회한 펀드 전체 순자산은 {a}이며 다른 종류의 수익증권도 포함합니다.",
                "규모를 보면 펀드 전체 순자산은 {a}이고 조회일은 {o}입니다.",
              ],
        "en-US":
          fact === "net_assets"
            ? [
                "Net assets were {a}, as retrieved on {o}.",
                "The source of {o} states net assets of {a}.",
                "In size, net assets stood at {a} when retrieved on {o}.",
              ]
            : [
                "Net assets of the fund with all share classes were {a}, as retrieved on {o}.",
                "The source of {o} states net assets of {a} for the fund, all share classes together.",
                "In size, the fund with all its share classes stood at {a} when retrieved on {o}.",
              ],
      },
    }),
  ),
  {
    id: "traded",
    role: "point",
    slots: { w: "label/average_daily_value.20d", t: "average_daily_value.20d" },
    when: always,
    words: {
      "ko-KR": [
        "최근 {w} 일평균 거래대금은 {t}입니다.",
        "하루에 거래된 금액은 {w} 평균으로 {t}입니다.",
        "거래 규모를 보면 {w} 일평균 거래대금은 {t}입니다.",
      ],
      "en-US": [
        "The average daily trading value over {w} was {t}.",
        "Over {w}, {t} changed hands on an average day.",
        "As to trading, the daily average over {w} is {t}.",
      ],
    },
  },
  {
    id: "premium",
    role: "point",
    slots: { w: "label/premium.last", p: "premium.last", o: "premium_on" },
    when: always,
    words: {
      "ko-KR": [
        "{w} 괴리율은 {p}이며 기준일은 {o}입니다.",
        "종가와 순자산가치의 {w} 차이는 {o} 기준 {p}입니다.",
        "{o}의 {w} 괴리율은 {p}로, 종가를 순자산가치와 견준 값입니다.",
      ],
      "en-US": [
        "The {w} premium of the close over net asset value was {p}, on {o}.",
        "On {o}, the {w} distance of the close from net asset value stood at {p}.",
        "Set against net asset value, the {w} close of {o} shows a premium of {p}.",
      ],
    },
  },
  {
    id: "premium-average",
    role: "point",
    slots: { w: "label/premium_average.20d", p: "premium_average.20d" },
    when: always,
    words: {
      "ko-KR": [
        "{w} 평균 괴리율은 {p}입니다.",
        "종가와 순자산가치의 차이는 {w} 평균으로 {p}입니다.",
        "괴리율을 {w} 동안 평균하면 {p}입니다.",
      ],
      "en-US": [
        "The average premium over {w} was {p}.",
        "Averaged over {w}, the close differed from net asset value by {p}.",
        "Over {w} the premium to net asset value averaged {p}.",
      ],
    },
  },
  ...(["listed_on", "inception_on"] as const).map(
    (fact): ClaimRule => ({
      id: fact === "listed_on" ? "listed" : "inception",
      role: "point",
      slots: { l: fact },
      when: fact === "listed_on" ? always : (value) => value("listed_on") === null,
      words: {
        "ko-KR":
          fact === "listed_on"
            ? ["상장일은 {l}입니다.", "이 상품은 {l}에 상장되었습니다.", "거래 이력은 상장일인 {l}부터 시작합니다."]
            : ["설정일은 {l}입니다.", "이 펀드는 {l}에 설정되었습니다.", "운용 이력은 설정일인 {l}부터 시작합니다."],
        "en-US":
          fact === "listed_on"
            ? ["The listing date is {l}.", "The fund has been listed since {l}.", "Its trading history begins on {l}."]
            : [
                "The inception date is {l}.",
                "The fund was established on {l}.",
                "Its history begins with its inception on {l}.",
              ],
      },
    }),
  ),
];
