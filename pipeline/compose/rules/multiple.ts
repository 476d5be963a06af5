/** What a multiple came to over a year against the simple multiple and against its daily compounding. Says how much, never why. */
import { always, type ClaimRule } from "./rule.ts";

export const MULTIPLES: readonly ClaimRule[] = [
  {
    id: "multiple-gap",
    role: "point",
    slots: {
      w: "label/multiple_gap.1y",
      g: "multiple_gap.1y",
      r: "total_return.1y",
      b: "benchmark_return.1y",
    },
    when: always,
    words: {
      "ko-KR": [
        "지난 {w} 총수익률은 {r}, 비교 ETF 수익률은 {b}이고 단순 배수와의 차이는 {g}입니다.",
        "비교 ETF의 지난 {w} 수익률 {b}에 배수를 곱한 값과 실제 총수익률 {r}의 차이는 {g}입니다.",
        "배수는 일간 수익률에만 적용되므로 지난 {w}로는 {r}이며, 비교 ETF {b}의 단순 배수와 {g} 차이가 납니다.",
      ],
      "en-US": [
        "Over {w} the total return was {r} and that of the comparison ETF {b}; the distance from the simple multiple is {g}.",
        "The simple multiple of the comparison ETF's {b} over {w} and the actual {r} differ by {g}.",
        "The multiple applies to daily returns only: over {w} the fund returned {r} beside {b} for the comparison ETF, a distance of {g} from the simple multiple.",
      ],
    },
  },
  {
    id: "multiple-compounded",
    role: "point",
    slots: {
      w: "label/multiple_compounded.1y",
      c: "multiple_compounded.1y",
      r: "total_return.1y",
      e: "multiple_residual.1y",
    },
    when: always,
    words: {
      "ko-KR": [
        "배수를 곱한 비교 ETF 일간 수익률을 매일 복리로 이은 지난 {w} 값은 {c}이고, 실제 총수익률은 {r}로 차이는 {e}입니다.",
        "일간 배수를 복리로 이으면 지난 {w} 값은 {c}이며 실제 총수익률 {r}와의 차이는 {e}입니다.",
        "지난 {w} 총수익률 {r}를 일간 배수의 복리 계산값 {c}와 견주면 차이는 {e}입니다.",
      ],
      "en-US": [
        "Daily multiples of the comparison ETF, compounded over {w}, come to {c}; the actual total return was {r}, a difference of {e}.",
        "Compounding the daily multiple over {w} gives {c}, which differs from the actual {r} by {e}.",
        "Set beside the compounded daily multiple of {c} over {w}, the total return of {r} leaves a difference of {e}.",
      ],
    },
  },
];
