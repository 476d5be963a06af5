/** The product beside others: its comparison ETF, its peers' median, its place among them with their number. */
import { always, type ClaimRule, isDown, isUp } from "./rule.ts";

/** Across markets closing hours mix: such a comparison day by day stays off the card (design: facts). */
const isComparedAtHome: ClaimRule["when"] = (_, product) => product.is_compared_at_home;

export const COMPARISONS: readonly ClaimRule[] = [
  ...(["1y", "3y"] as const).flatMap(besideBenchmark),
  ...(["1y", "3y", "6m", "3m"] as const).flatMap(besideMedian),
  {
    id: "rank",
    role: "point",
    slots: {
      w: "label/peer_rank.total_return.1y",
      k: "peer_rank.total_return.1y",
      n: "peer_count.total_return.1y",
      e: "end_session",
    },
    when: always,
    words: {
      "ko-KR": [
        "{e} 기준 지난 {w} 총수익률 순위는 동종 {n}개 가운데 {k}위입니다.",
        "동종 {n}개를 {e} 기준 지난 {w} 총수익률이 높은 순으로 세우면 {k}위입니다.",
        "지난 {w} 총수익률로 본 자리는 동종 {n}개 중 {k}위이며, {e} 기준입니다.",
      ],
      "en-US": [
        "As of {e}, the fund ranks {k} among {n} peers by total return over {w}.",
        "Among {n} peers ordered by total return over {w}, the fund stood at rank {k} on {e}.",
        "By total return over {w} as of {e}, its place among {n} peers is {k}.",
      ],
    },
  },
  {
    id: "together",
    role: "point",
    slots: { w: "label/beta.1y", b: "beta.1y", c: "correlation.1y" },
    when: isComparedAtHome,
    words: {
      "ko-KR": [
        "지난 {w} 비교 ETF에 대한 베타는 {b}, 상관계수는 {c}입니다.",
        "비교 ETF와 함께 움직인 정도를 보면 지난 {w} 상관계수는 {c}이고 베타는 {b}입니다.",
        "지난 {w} 일간 수익률로 계산한 비교 ETF와의 상관계수는 {c}, 베타는 {b}입니다.",
      ],
      "en-US": [
        "Over {w} its beta to the comparison ETF was {b} and its correlation {c}.",
        "Measured over {w}, the correlation with the comparison ETF is {c} and the beta {b}.",
        "Daily returns over {w} give a correlation of {c} with the comparison ETF and a beta of {b}.",
      ],
    },
  },
  {
    id: "apart",
    role: "point",
    slots: { w: "label/tracking_error.1y", t: "tracking_error.1y" },
    when: isComparedAtHome,
    words: {
      "ko-KR": [
        "지난 {w} 비교 ETF와의 일간 수익률 차이는 표준편차로 연율 {t}입니다.",
        "비교 ETF와 하루하루 벌어진 정도는 지난 {w} 동안 연율 {t}입니다.",
        "지난 {w}의 비교 ETF 대비 변동성은 연율 {t}입니다.",
      ],
      "en-US": [
        "Daily returns over {w} differed from those of the comparison ETF with a standard deviation of {t} per year.",
        "The daily distance from the comparison ETF over {w} amounts to {t} per year.",
        "Volatility relative to the comparison ETF over {w} was {t} per year.",
      ],
    },
  },
];

function besideBenchmark(window: string): ClaimRule[] {
  const difference = `benchmark_difference.${window}`;
  const slots = {
    w: `label/${difference}`,
    d: difference,
    r: `total_return.${window}`,
    b: `benchmark_return.${window}`,
  };
  const plain = {
    "ko-KR": [
      "지난 {w} 총수익률은 {r}, 비교 ETF는 {b}이며 그 차이는 {d}입니다.",
      "비교 ETF의 지난 {w} 수익률 {b}와 견주면 이 상품은 {r}로, 차이는 {d}입니다.",
    ],
    "en-US": [
      "Over {w} the total return was {r} and that of the comparison ETF {b}, a difference of {d}.",
      "Set beside the comparison ETF's {b} over {w}, the fund's {r} leaves a difference of {d}.",
    ],
  };
  return [
    {
      id: `ahead-${window}`,
      role: "point",
      slots,
      when: isUp(difference),
      words: {
        "ko-KR": [
          ...plain["ko-KR"],
          "지난 {w} 비교 ETF 수익률은 {b}, 이 상품은 {r}로 {d}만큼 높습니다.",
          "이 상품의 지난 {w} 총수익률 {r}는 비교 ETF의 {b}보다 {d} 높습니다.",
        ],
        "en-US": [
          ...plain["en-US"],
          "The comparison ETF returned {b} over {w} and the fund {r}: the difference of {d} is in the fund's favour.",
          "With {r} over {w} beside {b} for the comparison ETF, the fund has a lead of {d}.",
        ],
      },
    },
    {
      id: `behind-${window}`,
      role: "point",
      slots,
      when: isDown(difference),
      words: {
        "ko-KR": [
          ...plain["ko-KR"],
          "지난 {w} 비교 ETF 수익률은 {b}, 이 상품은 {r}로 비교 ETF보다 낮으며 차이는 {d}입니다.",
          "이 상품의 지난 {w} 총수익률 {r}는 비교 ETF의 {b}보다 아래에 있고 차이는 {d}입니다.",
        ],
        "en-US": [
          ...plain["en-US"],
          "The comparison ETF returned {b} over {w} and the fund {r}: the difference of {d} is in the comparison's favour.",
          "With {r} over {w} beside {b} for the comparison ETF, the fund has a shortfall of {d}.",
        ],
      },
    },
  ];
}

/** The median is of returns in the reporting currency; so is what stands beside it. */
function besideMedian(window: string): ClaimRule[] {
  const median = `peer_median.total_return.${window}`;
  return (["total_return_reporting", "total_return"] as const).map((fact) => ({
    id: fact === "total_return" ? `median-${window}` : `median-converted-${window}`,
    role: "point",
    slots: { w: `label/${median}`, m: median, r: `${fact}.${window}` },
    when: (_, { is_in_reporting_currency }) => is_in_reporting_currency === (fact === "total_return"),
    words: {
      "ko-KR": [
        "동종 상품의 지난 {w} 총수익률 중앙값은 {m}이고, 이 상품은 {r}입니다.",
        "지난 {w}을 동종과 견주면 중앙값 {m}에 이 상품은 {r}입니다.",
        "이 상품의 지난 {w} 총수익률은 {r}, 같은 비교군의 중앙값은 {m}입니다.",
      ],
      "en-US": [
        "The median total return of its peers over {w} is {m}; the fund's is {r}.",
        "Beside a peer median of {m} over {w}, the fund returned {r}.",
        "Over {w} the fund returned {r}, and the median of its peer group is {m}.",
      ],
    },
  }));
}
