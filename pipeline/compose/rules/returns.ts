/** What the product returned: over a window, over the years together, with and without distributions, in two currencies. */
import { always, type ClaimRule, isDown, isUp } from "./rule.ts";

export const RETURNS: readonly ClaimRule[] = [
  ...(["1y", "3y", "5y", "6m", "3m", "1m"] as const).flatMap(overWindow),
  ...(["3y", "5y"] as const).map(annualised),
  ...(["1y", "3y"] as const).map(withAndWithoutPayouts),
  ...(["1y", "3y"] as const).map(inTwoCurrencies),
];

function overWindow(window: string): ClaimRule[] {
  const figure = `total_return.${window}`;
  const slots = { w: `label/${figure}`, r: figure };
  return [
    {
      id: `return-up-${window}`,
      role: "point",
      slots,
      when: isUp(figure),
      words: {
        "ko-KR": [
          "지난 {w} 총수익률은 {r}로, 분배금을 재투자했다고 보고 계산한 값입니다.",
          "분배금을 다시 넣어 계산하면 지난 {w} 동안 {r} 올랐습니다.",
          "지난 {w}의 성과는 세전 총수익률로 {r}입니다.",
          "지난 {w} 사이 이 상품은 분배금을 더해 {r} 상승했습니다.",
          "총수익률로 재면 지난 {w}의 결과는 {r}이며 세금은 빼지 않았습니다.",
        ],
        "en-US": [
          "Over {w} the total return was {r}, with distributions reinvested.",
          "The fund rose over {w}: its total return was {r} with distributions reinvested.",
          "Before tax, the total return over {w} came to {r}.",
          "Counting reinvested distributions, the fund gained {r} over {w}.",
          "Measured over {w}, the total return stands at {r} before tax.",
        ],
      },
    },
    {
      id: `return-down-${window}`,
      role: "point",
      slots,
      when: isDown(figure),
      words: {
        "ko-KR": [
          "지난 {w} 총수익률은 {r}로, 분배금을 더해도 내렸습니다.",
          "분배금을 재투자했다고 보아도 지난 {w} 총수익률은 {r}로 하락했습니다.",
          "지난 {w}의 세전 총수익률은 {r}입니다.",
          "총수익률로 재면 지난 {w}의 결과는 {r}이며 분배금은 더한 값입니다.",
          "지난 {w} 동안의 총수익률은 {r}로 떨어졌습니다.",
        ],
        "en-US": [
          "Over {w} the total return was {r}, even with distributions reinvested.",
          "The fund fell over {w}: its total return was {r}.",
          "Before tax, the total return over {w} came to {r}.",
          "Counting reinvested distributions, the fund lost value over {w}, with a total return of {r}.",
          "Measured over {w}, the total return stands at {r} before tax.",
        ],
      },
    },
  ];
}

function annualised(window: string): ClaimRule {
  return {
    id: `annualised-${window}`,
    role: "point",
    slots: {
      w: `label/total_return_annualised.${window}`,
      a: `total_return_annualised.${window}`,
      r: `total_return.${window}`,
    },
    when: always,
    words: {
      "ko-KR": [
        "지난 {w} 누적 총수익률은 {r}이고, 연환산하면 {a}입니다.",
        "{w}을 이어 계산한 총수익률은 {r}이며 연환산 값은 {a}입니다.",
        "길게 보아 지난 {w}의 연환산 총수익률은 {a}이고 누적으로는 {r}입니다.",
        "지난 {w}을 한데 묶으면 총수익률은 {r}, 연환산으로는 {a}입니다.",
      ],
      "en-US": [
        "Over {w} the total return was {r} in all, or {a} annualised.",
        "Taken over {w}, the fund returned {r}, which is {a} when annualised.",
        "The annualised total return over {w} is {a}, from a cumulative {r}.",
        "Across {w} the cumulative total return is {r}, and {a} when annualised.",
      ],
    },
  };
}

function withAndWithoutPayouts(window: string): ClaimRule {
  return {
    id: `payouts-${window}`,
    role: "point",
    slots: { w: `label/price_return.${window}`, p: `price_return.${window}`, r: `total_return.${window}` },
    when: always,
    words: {
      "ko-KR": [
        "지난 {w} 가격 수익률은 {p}이고, 분배금을 재투자한 총수익률은 {r}입니다.",
        "분배금을 빼고 보면 지난 {w} 수익률은 {p}, 더해 보면 {r}입니다.",
        "지난 {w} 동안 가격만의 수익률은 {p}, 분배금까지 더한 총수익률은 {r}로 나뉩니다.",
        "지난 {w} 총수익률 {r} 가운데 가격 수익률은 {p}입니다.",
      ],
      "en-US": [
        "Over {w} the price return was {p}; with distributions reinvested, the total return was {r}.",
        "Leave out distributions and the return over {w} is {p}; include them and it is {r}.",
        "Over {w} the price alone returned {p}, and price with distributions returned {r}.",
        "The total return over {w} is {r}, of which the price return is {p}.",
      ],
    },
  };
}

function inTwoCurrencies(window: string): ClaimRule {
  return {
    id: `currency-${window}`,
    role: "point",
    slots: {
      w: `label/total_return_reporting.${window}`,
      c: `total_return_reporting.${window}`,
      r: `total_return.${window}`,
      f: `fx_change.${window}`,
    },
    when: always,
    words: {
      "ko-KR": [
        "지난 {w} 거래 통화 기준 총수익률은 {r}, 환율 변동은 {f}, 기준 통화로 환산한 총수익률은 {c}입니다.",
        "기준 통화로 환산하면 지난 {w} 총수익률은 {c}이며, 거래 통화로는 {r}, 환율 변동은 {f}입니다.",
        "지난 {w}의 총수익률 {r}에 환율 변동 {f}를 곱해 이으면 환산 총수익률은 {c}입니다.",
        "지난 {w} 동안 상품은 거래 통화로 {r}, 환율을 반영하면 {c}의 총수익률을 보였고 환율 변동은 {f}였습니다.",
      ],
      "en-US": [
        "Over {w} the total return was {r} in the trading currency and {c} in the reporting currency, with an exchange-rate change of {f}.",
        "Converted into the reporting currency, the total return over {w} is {c}, against {r} in the trading currency and an exchange-rate change of {f}.",
        "Over {w} a total return of {r} combines with an exchange-rate change of {f} to {c} after conversion.",
        "The exchange rate changed by {f} over {w}, which takes a total return of {r} to {c} in the reporting currency.",
      ],
    },
  };
}
