/**
 * What speaks the other way, in order of how squarely it does: another window with the other sign, the comparison or the
 * currency with the other sign, a place in the lower half, and only then what always stands against a return.
 */
import { both, type ClaimRule, isAtLeast, isDown, isUnder, isUp, type ValueOf } from "./rule.ts";

/** The return that a card's first reading rests on: of a year, else of the longest shorter window. */
export const MAIN_WINDOWS = ["1y", "6m", "3m", "1m"] as const;

function mainReturn(value: ValueOf): string {
  const window = MAIN_WINDOWS.find((one) => value(`total_return.${one}`) !== null) ?? "1y";
  return `total_return.${window}`;
}

const isMainUp = (value: ValueOf) => isUp(mainReturn(value))(value);
const isMainDown = (value: ValueOf) => isDown(mainReturn(value))(value);

export const COUNTERPOINTS: readonly ClaimRule[] = [
  ...(["3m", "6m", "1m", "3y", "5y"] as const).flatMap(otherWindow),
  ...(["1y", "3y"] as const).flatMap(otherComparison),
  {
    id: "but-currency",
    role: "counterpoint",
    slots: { w: "label/fx_change.1y", f: "fx_change.1y", c: "total_return_reporting.1y" },
    when: (value) => isUp("total_return.1y")(value) === isDown("fx_change.1y")(value),
    words: {
      "ko-KR": [
        "다만 환율은 반대로 움직여, 지난 {w} 환율 변동은 {f}이고 환산 총수익률은 {c}입니다.",
        "그러나 지난 {w} 환율 변동 {f}를 반영해 기준 통화로 환산한 총수익률은 {c}입니다.",
        "한편 지난 {w} 환율 변동은 {f}로 상품의 성과와 방향이 다르며, 환산하면 {c}입니다.",
      ],
      "en-US": [
        "However, the exchange rate went the other way and changed by {f} over {w}, and the converted return is {c}.",
        "The currency tells a different story, with a change of {f} over {w} and a converted return of {c}.",
        "Against that stands an exchange-rate change of {f} over {w}, with {c} after conversion.",
      ],
    },
  },
  {
    id: "but-rank",
    role: "counterpoint",
    slots: {
      w: "label/peer_rank.total_return.1y",
      k: "peer_rank.total_return.1y",
      n: "peer_count.total_return.1y",
    },
    when: both(isAtLeast("peer_count.total_return.1y", "3"), (value) => {
      const [rank, count] = [value("peer_rank.total_return.1y"), value("peer_count.total_return.1y")];
      return rank !== null && count !== null && rank.times(2).gt(count.plus(1));
    }),
    words: {
      "ko-KR": [
        "다만 지난 {w} 총수익률은 동종 {n}개 중 {k}위입니다.",
        "그러나 동종 {n}개를 지난 {w} 총수익률 순으로 세우면 {k}위입니다.",
        "한편 같은 비교군 {n}개 안에서 지난 {w} 총수익률 순위는 {k}위입니다.",
      ],
      "en-US": [
        "However, by total return over {w} the fund ranks {k} among {n} peers.",
        "Among {n} peers, though, its place by total return over {w} is {k}.",
        "Against that stands rank {k} among {n} peers by total return over {w}.",
      ],
    },
  },
  {
    id: "but-high",
    role: "counterpoint",
    slots: { w: "label/position_52w", p: "position_52w" },
    when: isAtLeast("position_52w", "0.85"),
    words: {
      "ko-KR": [
        "다만 마지막 종가는 {w} 가격 범위의 {p} 지점으로, 이미 위쪽에 있습니다.",
        "그러나 가격은 {w} 범위의 {p} 자리로, 최고가에서 멀지 않습니다.",
        "한편 종가의 위치는 {w} 범위의 {p}로 위쪽 끝에 가깝습니다.",
      ],
      "en-US": [
        "However, the last close already stands at {p} of the range of {w}.",
        "The price, though, is at {p} of the range of {w}, not far from its high.",
        "Against that, the close lies at {p} of the range of {w}, near its upper end.",
      ],
    },
  },
  ...(["1y", "3y"] as const).map(
    (window): ClaimRule => ({
      id: `but-fall-${window}`,
      role: "counterpoint",
      slots: { w: `label/max_drawdown.${window}`, d: `max_drawdown.${window}` },
      when: both(isMainUp, isUnder(`max_drawdown.${window}`, "-0.03")),
      words: {
        "ko-KR": [
          "다만 이 성과에 이르기까지 지난 {w} 최대 낙폭 {d}를 겪었습니다.",
          "그러나 지난 {w} 사이 고점에서 저점까지의 낙폭은 {d}였습니다.",
          "한편 지난 {w}의 최대 낙폭은 {d}로, 판 시점에 따라 손실이 날 수 있었습니다.",
        ],
        "en-US": [
          "However, the way there led through a maximum drawdown of {d} within {w}.",
          "A holder over {w}, though, had to sit through a drawdown of {d}.",
          "Against that stands a maximum drawdown of {d} over {w}, so the moment of sale mattered.",
        ],
      },
    }),
  ),
  {
    id: "but-multiple",
    role: "counterpoint",
    slots: { w: "label/multiple_residual.1y", e: "multiple_residual.1y" },
    when: (value) => value("multiple_residual.1y")?.isZero() === false,
    words: {
      "ko-KR": [
        "다만 지난 {w}의 복리 계산값과 실제 총수익률은 {e} 차이가 났습니다.",
        "그러나 복리로 계산해도 다 설명되지 않는 차이가 지난 {w}에 {e} 남습니다.",
        "한편 복리 계산값으로 맞춰 보아도 지난 {w}에는 {e}의 차이가 있습니다.",
      ],
      "en-US": [
        "However, the actual return over {w} still differs from the compounded multiple by {e}.",
        "Compounding does not account for everything: over {w} a difference of {e} is left.",
        "Against that, a difference of {e} from the compounded multiple remains over {w}.",
      ],
    },
  },
  {
    id: "but-fluctuation",
    role: "counterpoint",
    slots: { w: "label/volatility.1y", v: "volatility.1y" },
    when: isAtLeast("volatility.1y", "0.0001"),
    words: {
      "ko-KR": [
        "다만 지난 {w} 변동성은 연율 {v}로, 같은 폭으로 반대 방향도 가능합니다.",
        "그러나 지난 {w} 변동성이 연율 {v}인 만큼 지나간 수익률은 앞날에 대해 말해 주는 바가 적습니다.",
        "한편 지난 {w}의 수익률은 연율 {v}의 변동성과 함께 읽어야 합니다.",
      ],
      "en-US": [
        "However, with a volatility of {v} per year over {w}, a move of the same size the other way was possible too.",
        "A volatility of {v} per year over {w} means that the past return says little about what comes next.",
        "The return over {w} has to be read together with a volatility of {v} per year.",
      ],
    },
  },
  {
    id: "but-fee",
    role: "counterpoint",
    slots: { c: "total_expense_ratio" },
    when: isAtLeast("total_expense_ratio", "0.00001"),
    words: {
      "ko-KR": [
        "다만 총보수 연 {c}는 성과와 상관없이 빠집니다.",
        "그러나 성과가 나쁜 해에도 총보수 연 {c}는 그대로 듭니다.",
        "한편 연 {c}의 총보수는 오르는 해와 내리는 해를 가리지 않습니다.",
      ],
      "en-US": [
        "However, the total expense ratio of {c} a year is taken whatever the result.",
        "In a poor year, too, the total expense ratio of {c} a year is charged.",
        "Against any return stands a total expense ratio of {c} a year, in good years and bad.",
      ],
    },
  },
  ...MAIN_WINDOWS.map(
    (window): ClaimRule => ({
      id: `but-past-${window}`,
      role: "counterpoint",
      slots: { w: `label/total_return.${window}`, r: `total_return.${window}` },
      when: (value) => mainReturn(value) === `total_return.${window}`,
      words: {
        "ko-KR": [
          "다만 지난 {w} 총수익률 {r}는 지나간 기간의 값이며 다음 기간에도 이어진다는 뜻은 아닙니다.",
          "그러나 {r}라는 총수익률은 지난 {w}에 한정된 값입니다.",
          "한편 지난 {w}의 {r}는 그 기간만 본 값으로, 다른 기간에는 다를 수 있습니다.",
        ],
        "en-US": [
          "However, the {r} over {w} belongs to a period that has passed and does not carry over to the next.",
          "A total return of {r} describes {w} and nothing beyond.",
          "The {r} over {w} is the result of a single period; another period can look different.",
        ],
      },
    }),
  ),
];

function otherWindow(window: string): ClaimRule[] {
  const figure = `total_return.${window}`;
  const slots = { w: `label/${figure}`, r: figure };
  return [
    {
      id: `but-down-${window}`,
      role: "counterpoint",
      slots,
      when: both(isMainUp, isDown(figure)),
      words: {
        "ko-KR": [
          "다만 지난 {w}만 보면 총수익률은 {r}로 내렸습니다.",
          "그러나 기간을 지난 {w}로 바꾸면 총수익률은 {r}입니다.",
          "한편 지난 {w} 총수익률은 {r}로 하락해 방향이 다릅니다.",
        ],
        "en-US": [
          "However, over {w} alone the total return was {r}.",
          "Over {w}, though, the fund fell: its total return was {r}.",
          "Change the period to {w} and the total return is {r}, the other way.",
        ],
      },
    },
    {
      id: `but-up-${window}`,
      role: "counterpoint",
      slots,
      when: both(isMainDown, isUp(figure)),
      words: {
        "ko-KR": [
          "다만 지난 {w}만 보면 총수익률은 {r}로 올랐습니다.",
          "그러나 기간을 지난 {w}로 바꾸면 총수익률은 {r}입니다.",
          "한편 지난 {w} 총수익률은 {r}로 상승해 방향이 다릅니다.",
        ],
        "en-US": [
          "However, over {w} the total return was {r}.",
          "Over {w}, though, the fund rose: its total return was {r}.",
          "Change the period to {w} and the total return is {r}, the other way.",
        ],
      },
    },
  ];
}

function otherComparison(window: string): ClaimRule[] {
  const difference = `benchmark_difference.${window}`;
  const slots = { w: `label/${difference}`, d: difference, b: `benchmark_return.${window}` };
  return [
    {
      id: `but-behind-${window}`,
      role: "counterpoint",
      slots,
      when: both(isMainUp, isDown(difference)),
      words: {
        "ko-KR": [
          "다만 지난 {w} 비교 ETF 수익률은 {b}로 더 높았고 차이는 {d}입니다.",
          "그러나 지난 {w}를 비교 ETF의 {b}와 견주면 차이는 {d}입니다.",
          "한편 비교 ETF는 지난 {w} 동안 {b}의 수익률을 보였고, 이 상품과의 차이는 {d}입니다.",
        ],
        "en-US": [
          "However, the comparison ETF returned {b} over {w}, and the difference is {d}.",
          "Beside the comparison ETF's {b} over {w}, though, the difference is {d}.",
          "Against that stands the comparison ETF with {b} over {w}, a difference of {d}.",
        ],
      },
    },
    {
      id: `but-ahead-${window}`,
      role: "counterpoint",
      slots,
      when: both(isMainDown, isUp(difference)),
      words: {
        "ko-KR": [
          "다만 지난 {w} 비교 ETF 수익률은 {b}로 더 낮았고 차이는 {d}입니다.",
          "그러나 지난 {w}를 비교 ETF의 {b}와 견주면 차이는 {d}입니다.",
          "한편 비교 ETF는 지난 {w} 동안 {b}의 수익률에 그쳤고, 이 상품과의 차이는 {d}입니다.",
        ],
        "en-US": [
          "However, the comparison ETF returned {b} over {w}, and the difference is {d}.",
          "Beside the comparison ETF's {b} over {w}, though, the difference is {d}.",
          "Against that stands the comparison ETF with {b} over {w}, a difference of {d}.",
        ],
      },
    },
  ];
}
