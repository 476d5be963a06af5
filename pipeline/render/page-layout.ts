/**
 * What a reader can see of the page, taken inside it once it is laid out at its full height: every text with box, size,
 * contrast and the figure or disclosure it belongs to. Runs in the browser, so it may use nothing from outside itself;
 * it distrusts the page: text that is there and cannot be seen says why.
 */
import type { LayoutBox } from "../schema/layout.ts";

/** Far above any card: a page of more is refused, not measured in part. */
const MAX_BOXES = 4_000;

export function layoutSource(): string {
  return `(() => { const __name = (f) => f; return (${layoutInPage.toString()})(${MAX_BOXES}); })()`;
}

/** Throws where there are more texts than `maxBoxes`. */
function layoutInPage(maxBoxes: number): LayoutBox[] {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  interface Setting {
    isMasked: boolean;
    isDecoration: boolean;
    opacity: number;
    scale: number;
    ground: Colour | null;
    clip: { left: number; top: number; right: number; bottom: number };
    figure: string | null;
    absent: string | null;
    disclosure: string | null;
    where: string | null;
  }

  const page = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
  const white: Colour = [255, 255, 255, 1];
  const unseenContrast = 1.5;
  const slack = 1;
  const round = (value: number) => Math.round(value * 10) / 10;

  // Nothing may hide from the pointer: what lies over a text is found by pointing at it.
  const everything = document.createElement("style");
  everything.textContent = "*{pointer-events:auto!important}";
  document.head.append(everything);

  /** Null for a notation that is no plain colour. */
  function toColour(text: string): Colour | null {
    const parts = /^rgba?\(([\d., ]+)\)$/.exec(text)?.[1]?.split(",").map(Number);
    return parts === undefined || parts.length < 3 ? null : [parts[0]!, parts[1]!, parts[2]!, parts[3] ?? 1];
  }

  function over(above: Colour, below: Colour): Colour {
    const mix = (index: 0 | 1 | 2) => above[index] * above[3] + below[index] * (1 - above[3]);
    return [mix(0), mix(1), mix(2), 1];
  }

  function luminance(colour: Colour): number {
    const linear = (channel: number) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  }

  const settings = new Map<Element, Setting>();
  function settingOf(element: Element): Setting {
    const known = settings.get(element);
    if (known !== undefined) return known;
    const above: Setting =
      element.parentElement === null
        ? {
            isMasked: false,
            isDecoration: false,
            opacity: 1,
            scale: 1,
            ground: white,
            clip: page,
            figure: null,
            absent: null,
            disclosure: null,
            where: null,
          }
        : settingOf(element.parentElement);
    const style = getComputedStyle(element);
    const fill = toColour(style.backgroundColor);
    const ground =
      style.backgroundImage !== "none" || fill === null || above.ground === null ? null : over(fill, above.ground);
    const frame = element.getBoundingClientRect();
    const cuts = (overflow: string) =>
      overflow !== "visible" && element !== document.documentElement && element !== document.body;
    const attribute = (name: string) => element.getAttribute(name);
    const made: Setting = {
      isMasked:
        above.isMasked ||
        style.clipPath !== "none" ||
        style.maskImage !== "none" ||
        style.filter !== "none" ||
        style.mixBlendMode !== "normal",
      isDecoration: above.isDecoration || attribute("aria-hidden") === "true",
      opacity: above.opacity * Number(style.opacity),
      scale: above.scale * scaleOf(style),
      ground: fill?.[3] === 0 && style.backgroundImage === "none" ? above.ground : ground,
      clip: {
        left: cuts(style.overflowX) ? Math.max(above.clip.left, frame.left) : above.clip.left,
        right: cuts(style.overflowX) ? Math.min(above.clip.right, frame.right) : above.clip.right,
        top: cuts(style.overflowY) ? Math.max(above.clip.top, frame.top) : above.clip.top,
        bottom: cuts(style.overflowY) ? Math.min(above.clip.bottom, frame.bottom) : above.clip.bottom,
      },
      figure: attribute("data-fact") ?? above.figure,
      absent: attribute("data-absent") ?? above.absent,
      disclosure: attribute("data-numeral") === "legal" ? attribute("data-of") : above.disclosure,
      where: attribute("data-where") ?? above.where,
    };
    settings.set(element, made);
    return made;
  }

  function scaleOf(style: CSSStyleDeclaration): number {
    if (style.transform === "none" && style.scale === "none") return 1;
    const matrix = new DOMMatrixReadOnly(style.transform === "none" ? "" : style.transform);
    const [x = 1, y = x] = style.scale === "none" ? [] : style.scale.split(" ").map(Number);
    return Math.sqrt(Math.abs((matrix.a * matrix.d - matrix.b * matrix.c) * x * y));
  }

  /** Whether something with a ground of its own lies over the point and is no part of the element. */
  function isCovered(element: Element, x: number, y: number): boolean {
    const isOwn = (found: Element | null) => found === null || found.contains(element) || element.contains(found);
    // Nearly always the text itself is uppermost; the whole stack costs several times as much.
    if (isOwn(document.elementFromPoint(x, y))) return false;
    for (const found of document.elementsFromPoint(x, y)) {
      if (isOwn(found)) return false;
      const style = getComputedStyle(found);
      const isPicture = /^(img|video|canvas|picture|object|embed|iframe)$/.test(found.localName);
      const fill = toColour(style.backgroundColor);
      if (isPicture || style.backgroundImage !== "none" || fill === null || fill[3] * Number(style.opacity) > 0.5)
        return true;
    }
    return false;
  }

  function contrastOf(ink: Colour | null, setting: Setting): number | null {
    if (ink === null || setting.ground === null) return null;
    const drawn = over([ink[0], ink[1], ink[2], ink[3] * setting.opacity], setting.ground);
    const [light, dark] = [luminance(drawn), luminance(setting.ground)].sort((a, b) => b - a) as [number, number];
    return Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100;
  }

  const boxes: LayoutBox[] = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = (node.textContent ?? "").replace(/\s+/g, " ").trim();
    if (element === null || text === "" || element.closest("style,script,title,desc") !== null) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    if (rects.length === 0) continue;
    const setting = settingOf(element);
    if (setting.isDecoration) continue;
    if (boxes.length === maxBoxes) throw new Error(`the page has more than ${maxBoxes} pieces of text`);
    const style = getComputedStyle(element);
    const isDrawing = element instanceof SVGGraphicsElement;
    const drawingScale = isDrawing ? Math.sqrt(Math.abs(determinant(element.getScreenCTM()))) : setting.scale;
    const font_px = Number.parseFloat(style.fontSize) * drawingScale * (isDrawing ? 1 : (element.currentCSSZoom ?? 1));
    const contrast = contrastOf(toColour(isDrawing ? style.fill : style.webkitTextFillColor), setting);
    const left = Math.min(...rects.map((rect) => rect.left));
    const top = Math.min(...rects.map((rect) => rect.top));
    const right = Math.max(...rects.map((rect) => rect.right));
    const bottom = Math.max(...rects.map((rect) => rect.bottom));
    // A line's box reaches past its letters: a fifth of the size above and below cuts none of them.
    const leading = slack + font_px / 5;
    const isBeyond = (frame: Setting["clip"]) =>
      left < frame.left - slack ||
      right > frame.right + slack ||
      top < frame.top - leading ||
      bottom > frame.bottom + leading;
    const hidden: LayoutBox["hidden"] = !element.checkVisibility({
      visibilityProperty: true,
      contentVisibilityAuto: true,
    })
      ? "hidden"
      : setting.isMasked
        ? "masked"
        : isBeyond(page)
          ? "off_page"
          : isBeyond(setting.clip)
            ? "clipped"
            : contrast !== null && contrast < unseenContrast
              ? "faint"
              : rects.some((rect) => isCovered(element, (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2))
                ? "covered"
                : null;
    boxes.push({
      text,
      x: round(left),
      y: round(top),
      width: round(right - left),
      height: round(bottom - top),
      font_px: round(font_px),
      font_weight: Number(style.fontWeight),
      contrast,
      hidden,
      figure: setting.figure,
      absent: setting.absent,
      disclosure: setting.disclosure,
      where: setting.where,
    });
  }
  everything.remove();
  return boxes;

  function determinant(matrix: DOMMatrix | null): number {
    return matrix === null ? 1 : matrix.a * matrix.d - matrix.b * matrix.c;
  }
}
