/**
 * The page as drawn: each piece of text with its box, size and contrast, measured in the browser in the visit that took
 * the picture. Text that no reader sees (clipped, covered, off the page, of the ground's colour) says why in `hidden`;
 * what takes no room, and marks that are decoration, are left out.
 */
export const HIDDEN = ["hidden", "faint", "masked", "clipped", "covered", "off_page"] as const;

export interface LayoutBox {
  /** White space collapsed. */
  text: string;
  /** CSS pixels from the page's upper left corner, one to one with the picture. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** As a reader sees it: scaling of a drawing or of the element counted in. */
  font_px: number;
  font_weight: number;
  /** WCAG ratio of ink to ground, 1 to 21; null where the ground is no plain colour. */
  contrast: number | null;
  hidden: (typeof HIDDEN)[number] | null;
  /** The figure that the text prints. */
  figure: string | null;
  /** The figure in whose place the text stands, saying why there is none. */
  absent: string | null;
  /** The disclosure that it is a part of. */
  disclosure: string | null;
  /** Section of the page. */
  where: string | null;
}

export interface PageLayout {
  schema: "page_layout/v1";
  width: number;
  height: number;
  boxes: LayoutBox[];
}

/** CSS pixels of empty height between two boxes; 0 where they share a row. */
export function verticalGap(one: LayoutBox, other: LayoutBox): number {
  return Math.max(0, other.y - (one.y + one.height), one.y - (other.y + other.height));
}
