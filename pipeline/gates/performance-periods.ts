/**
 * Whether a page that shows performance shows the periods that the policy wants together, near each other and equally
 * large as measured, and whether the product may show any. What the catalogue has no figure for is named for a person.
 */
import { addDays, type DateText } from "../domain/date.ts";
import { decimal } from "../domain/decimal.ts";
import { figuresTogether, isReached } from "../schema/card-terms.ts";
import { type LayoutBox, verticalGap } from "../schema/layout.ts";
import type { Policy } from "../schema/policy.ts";
import { byFigure, defineGate, type FactsByFigure, okValue, type Report } from "./gate.ts";

type Performance = Policy["performance"];
type Tell = Report<"PERFORMANCE_PERIODS">;
const BLOCKS = { blocks: true };

export const performancePeriods = defineGate({
  id: "performance-periods",
  version: 1,
  family: "compliance",
  stage: "page",
  question: "May the page show performance, and does it show the required periods together and equally large?",
  needs: ["layout", "facts", "terms", "chart", "rules"],
  codes: {
    PERFORMANCE_PERIODS: {
      severity: "REVIEW",
      blocks_when:
        "the product is too young or too small, a required period is not shown, or they are not near and equally large",
      meaning:
        "performance is shown otherwise than the policy allows, or more of it is required than the catalogue has",
      remedy:
        "show the required periods together at one size; what only a person can supply must be added or waived by law",
    },
  },
  check({ layout, facts, terms, chart, rules }, report, examined) {
    const { performance } = rules.page;
    const rows = byFigure(facts);
    const drawn = layout.boxes.filter(({ hidden }) => hidden === null);
    const shown = drawn.filter(({ figure }) => performance.facts.includes(rows.get(figure ?? "")?.fact ?? ""));
    examined("performance");
    if (shown.length === 0 && chart === null) return;
    const since = okValue(rows, "listed_on") ?? okValue(rows, "inception_on");
    if (!maySeePerformance(performance, rows, since, terms.cutoff, report)) return;

    const required = figuresTogether(performance, since, terms.cutoff);
    for (const figure of required) examined(figure);
    judgeTogether(performance, required, drawn, shown, report);
    const unsupplied = performance.by_a_person.filter(
      ({ from_age_months }) => since === null || isReached(since, from_age_months, terms.cutoff),
    );
    if (unsupplied.length > 0) {
      report("PERFORMANCE_PERIODS", "by a person", unsupplied.map(({ what }) => what).join("; "));
    }
    if (performance.at_quarter_end && !isQuarterEnd(terms.cutoff)) {
      report("PERFORMANCE_PERIODS", "as of", `the figures end ${terms.cutoff}, which is no end of a calendar quarter`);
    }
  },
});

/** False when the product is known to be too young or too small; what is unknown is told and does not stop. */
function maySeePerformance(
  { minimum }: Performance,
  rows: FactsByFigure,
  since: DateText | null,
  cutoff: DateText,
  report: Tell,
): boolean {
  if (minimum === null) return true;
  if (since === null) report("PERFORMANCE_PERIODS", "age", "neither listing nor inception is known");
  else if (!isReached(since, minimum.age_months, cutoff)) {
    report("PERFORMANCE_PERIODS", "age", `since ${since}: under ${minimum.age_months} months at ${cutoff}`, BLOCKS);
    return false;
  }
  const size = [rows.get("net_assets"), rows.get("fund_net_assets")].find((fact) => fact?.status === "OK");
  const least = size?.currency === "KRW" || size?.currency === "USD" ? minimum.net_assets[size.currency] : undefined;
  if (size?.value == null || least === undefined) report("PERFORMANCE_PERIODS", "net assets", "the size is not known");
  else if (decimal(size.value).lt(least)) {
    const detail = `${size.value} ${size.currency}; performance is shown from ${least}`;
    report("PERFORMANCE_PERIODS", "net assets", detail, BLOCKS);
    return false;
  }
  return true;
}

function judgeTogether(
  { max_font_ratio, max_distance_px }: Performance,
  required: readonly string[],
  drawn: readonly LayoutBox[],
  shown: readonly LayoutBox[],
  report: Tell,
): void {
  const printed = required.flatMap((figure) => largest(drawn.filter((box) => box.figure === figure)) ?? []);
  const isPrinted = new Set(printed.map(({ figure }) => figure));
  const anchor = printed[0];
  const absent = required
    .filter((figure) => !isPrinted.has(figure))
    .map((figure) => ({
      figure,
      place: nearest(
        drawn.filter((box) => box.absent === figure),
        anchor,
      ),
    }));
  const missing = absent.filter(({ place }) => place === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ figure }) => figure).join(", ");
    report("PERFORMANCE_PERIODS", missing[0]!.figure, `not on the page: ${names}`, BLOCKS);
  }
  const least = Math.min(...printed.map(({ font_px }) => font_px));
  const loudest = largest(shown);
  if (
    printed.length > 0 &&
    loudest !== undefined &&
    decimal(loudest.font_px).gt(decimal(max_font_ratio).times(least))
  ) {
    const detail = `${loudest.figure} at ${loudest.font_px} px beside ${least} px of a required period; at most ${max_font_ratio} times`;
    report("PERFORMANCE_PERIODS", loudest.figure ?? "", detail, BLOCKS);
  }
  const places = [...printed, ...absent.flatMap(({ place }) => place ?? [])];
  const gap = Math.max(0, ...places.flatMap((one) => places.map((other) => verticalGap(one, other))));
  if (gap > max_distance_px) {
    const detail = `the required periods stand ${Math.round(gap)} px apart; at most ${max_distance_px}`;
    report("PERFORMANCE_PERIODS", required.join(", "), detail, BLOCKS);
  }
}

function largest(boxes: readonly LayoutBox[]): LayoutBox | undefined {
  return boxes.reduce<LayoutBox | undefined>(
    (most, box) => (box.font_px > (most?.font_px ?? 0) ? box : most),
    undefined,
  );
}

function nearest(boxes: readonly LayoutBox[], anchor: LayoutBox | undefined): LayoutBox | undefined {
  if (anchor === undefined) return boxes[0];
  return [...boxes].sort((one, other) => verticalGap(one, anchor) - verticalGap(other, anchor))[0];
}

function isQuarterEnd(date: DateText): boolean {
  return /-(01|04|07|10)-01$/.test(addDays(date, 1));
}
