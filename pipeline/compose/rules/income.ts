/** What the product paid out: the rate and how often, never without saying that it is paid from the assets elsewhere on the card. */
import { TYPE_CONTRACTS } from "../../../templates/product-types/index.ts";
import type { ClaimRule } from "./rule.ts";

const YIELD = "distribution_yield.ttm";
/** Tiles of a headline. */
const SHOWN = 3;

export const INCOME: readonly ClaimRule[] = [
  {
    id: "payout-rate",
    role: "point",
    slots: { w: `label/${YIELD}`, y: YIELD, n: "distribution_count.ttm" },
    // A rate wants the price and the total return near it: it is said where the headline shows them together.
    when: (_, { product_type }) => TYPE_CONTRACTS[product_type].headlines.slice(0, SHOWN).includes(YIELD),
    words: {
      "ko-KR": [
        "{w} 분배율은 {y}이며 분배락은 {n}회 있었습니다.",
        "{w} 사이 {n}회 분배했고, 합계를 종가로 나눈 분배율은 {y}입니다.",
        "분배금 합계를 종가로 나누면 {w} 기준 {y}이고 횟수는 {n}회입니다.",
        "{w} 동안의 분배율은 {y}, 분배 횟수는 {n}회입니다.",
      ],
      "en-US": [
        "The distribution rate of the {w} is {y}, from {n} ex-dates.",
        "Distributions of the {w}, divided by the close, come to {y}; the number of ex-dates is {n}.",
        "In the {w} the fund went ex-distribution {n} times, at a rate of {y} of the close.",
        "With {n} ex-dates in the {w}, the distribution rate stands at {y}.",
      ],
    },
  },
];
