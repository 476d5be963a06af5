/** What could be lost, as it was: falls from a peak with their dates, fluctuation, and the price within its range. */
import { always, type ClaimRule, isAtLeast, isUnder } from "./rule.ts";

/** Under the first limit it is small, from the second on it is large; in between nothing is said of its size. */
const SMALL = "0.05";
const LARGE = "0.3";

export const RISKS: readonly ClaimRule[] = [
  ...(["1y", "3y", "5y"] as const).flatMap(falls),
  ...(["1y", "3y"] as const).flatMap(fluctuation),
  ...(["1y", "6m", "3m", "1m"] as const).map(unassured),
  {
    id: "price-range",
    role: "point",
    slots: { w: "label/position_52w", p: "position_52w", l: "low_52w", h: "high_52w" },
    when: always,
    words: {
      "ko-KR": [
        "{w} 최저가 {l}와 최고가 {h} 사이에서 마지막 종가는 아래에서 {p} 지점에 있습니다.",
        "{w} 가격 범위는 {l}에서 {h}까지이고, 마지막 종가는 그 범위의 {p} 자리입니다.",
        "{w} 동안의 {l} 이상 {h} 이하 범위에서 마지막 종가는 {p} 위치입니다.",
      ],
      "en-US": [
        "Within the range of {w}, from {l} to {h}, the last close sits {p} of the way up.",
        "The range of {w} runs from {l} to {h}, and the last close stands at {p} of it.",
        "Between the low of {l} and the high of {h} over {w}, the last close is {p} of the way from the bottom.",
      ],
    },
  },
  {
    id: "range-dates",
    role: "point",
    slots: { w: "label/high_52w", h: "high_52w", i: "high_52w_on", l: "low_52w", k: "low_52w_on" },
    when: always,
    words: {
      "ko-KR": [
        "{w} 최고가 {h}는 {i}에, 최저가 {l}는 {k}에 나왔습니다.",
        "지난 {w} 동안 가격은 {k}의 {l}와 {i}의 {h} 사이에서 움직였습니다.",
        "{w} 범위의 위쪽 끝은 {i}의 {h}, 아래쪽 끝은 {k}의 {l}입니다.",
      ],
      "en-US": [
        "The high of {w}, {h}, was on {i}, and the low, {l}, on {k}.",
        "Over {w} the price moved between {l} on {k} and {h} on {i}.",
        "The upper end of the range of {w} is {h} on {i}; the lower end is {l} on {k}.",
      ],
    },
  },
];

function falls(window: string): ClaimRule[] {
  const figure = `max_drawdown.${window}`;
  const slots = {
    w: `label/${figure}`,
    d: figure,
    p: `max_drawdown_peak_on.${window}`,
    t: `max_drawdown_trough_on.${window}`,
  };
  return [
    {
      id: `fall-${window}`,
      role: "risk",
      slots,
      when: isUnder(figure, "-0.00005"),
      words: {
        "ko-KR": [
          "지난 {w} 최대 낙폭은 {d}로, {p}의 고점에서 {t}의 저점까지입니다.",
          "{p} 고점부터 {t} 저점까지의 낙폭 {d}는 지난 {w} 가운데 가장 깊은 하락입니다.",
          "지난 {w} 사이 고점은 {p}, 저점은 {t}이며 그 사이 낙폭은 {d}입니다.",
          "손실 위험을 보면 지난 {w}의 최대 낙폭은 {d}이고 고점은 {p}, 저점은 {t}입니다.",
        ],
        "en-US": [
          "The maximum drawdown over {w} was {d}, from the peak on {p} to the trough on {t}.",
          "Over {w} a holder from the peak on {p} to the trough on {t} saw a drawdown of {d}.",
          "From its peak on {p} to its trough on {t}, the fund had a drawdown of {d} within {w}.",
          "The risk of loss was real: over {w} the maximum drawdown was {d}, with the peak on {p} and the trough on {t}.",
        ],
      },
    },
    {
      id: `recovered-${window}`,
      role: "point",
      slots: { ...slots, q: `max_drawdown_recovery_on.${window}` },
      when: isUnder(figure, "-0.00005"),
      words: {
        "ko-KR": [
          "지난 {w}의 최대 낙폭 {d}는 {p}에 시작해 {t}에 저점을 지났고, {q}에 이전 고점으로 돌아왔습니다.",
          "{p}부터 {t}까지 이어진 지난 {w}의 낙폭 {d}를 되찾은 날은 {q}입니다.",
          "지난 {w} 최대 낙폭 {d}의 고점은 {p}, 저점은 {t}, 회복일은 {q}입니다.",
        ],
        "en-US": [
          "The maximum drawdown over {w}, {d}, began on {p}, reached its trough on {t} and was made good on {q}.",
          "It took until {q} to regain the peak of {p} after the drawdown of {d} over {w}, whose trough was on {t}.",
          "For the drawdown of {d} over {w}, the peak was on {p}, the trough on {t} and the recovery on {q}.",
        ],
      },
    },
  ];
}

function fluctuation(window: string): ClaimRule[] {
  const figure = `volatility.${window}`;
  const slots = { w: `label/${figure}`, v: figure };
  return [
    {
      id: `fluctuation-${window}`,
      role: "risk",
      slots,
      when: (value) => isAtLeast(figure, SMALL)(value) && isUnder(figure, LARGE)(value),
      words: {
        "ko-KR": [
          "지난 {w} 일간 수익률로 계산한 변동성은 연율 {v}입니다.",
          "하루하루의 흔들림을 연율로 나타낸 지난 {w} 변동성은 {v}입니다.",
          "지난 {w}의 변동성은 연율 {v}로, 값이 오르내린 폭을 나타냅니다.",
        ],
        "en-US": [
          "Volatility over {w}, from daily returns and per year, was {v}.",
          "Daily swings over {w} amount to a volatility of {v} per year.",
          "Over {w} the daily returns varied with a volatility of {v} per year.",
        ],
      },
    },
    {
      id: `fluctuation-large-${window}`,
      role: "risk",
      slots,
      when: isAtLeast(figure, LARGE),
      words: {
        "ko-KR": [
          "지난 {w} 변동성은 연율 {v}로, 하루 사이에도 값이 크게 움직인 상품입니다.",
          "일간 수익률의 흔들림이 커서 지난 {w} 변동성은 연율 {v}에 이릅니다.",
          "짧은 기간에 큰 손실이 날 수 있으며, 지난 {w} 변동성은 연율 {v}입니다.",
        ],
        "en-US": [
          "With a volatility of {v} per year over {w}, the value moved widely from day to day.",
          "Daily swings were wide: volatility over {w} was {v} per year.",
          "Large losses within a short time are possible; volatility over {w} was {v} per year.",
        ],
      },
    },
    {
      id: `fluctuation-small-${window}`,
      role: "point",
      slots,
      when: isUnder(figure, SMALL),
      words: {
        "ko-KR": [
          "지난 {w} 변동성은 연율 {v}로, 하루하루의 움직임이 작았습니다.",
          "일간 수익률의 흔들림은 지난 {w} 동안 연율 {v}였습니다.",
          "지난 {w}의 변동성은 연율 {v}입니다.",
        ],
        "en-US": [
          "With a volatility of {v} per year over {w}, the value moved little from day to day.",
          "Daily swings were small: volatility over {w} was {v} per year.",
          "Volatility over {w} was {v} per year.",
        ],
      },
    },
  ];
}

/** What can be said of any product that has a return at all. */
function unassured(window: string): ClaimRule {
  const figure = `total_return.${window}`;
  return {
    id: `unassured-${window}`,
    role: "risk",
    slots: { w: `label/${figure}`, r: figure },
    when: always,
    words: {
      "ko-KR": [
        "지난 {w} 총수익률 {r}는 지나간 값이며 원금 손실이 발생할 수 있습니다.",
        "지난 {w}에 {r}였던 총수익률은 앞으로 달라질 수 있고 원금을 잃을 수도 있습니다.",
        "원금 손실이 발생할 수 있으며, 지난 {w} 총수익률 {r}가 되풀이된다는 보장은 없습니다.",
      ],
      "en-US": [
        "The {r} over {w} is past performance, and the principal can be lost in whole or in part.",
        "A loss of principal is possible, whatever the total return of {r} over {w}.",
        "The total return of {r} over {w} is not guaranteed to recur, and the value can fall.",
      ],
    },
  };
}
