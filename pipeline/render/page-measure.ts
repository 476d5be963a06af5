/**
 * What is measured inside the page, in one visit: its height, what does not fit, and each piece of text with its box
 * and size. Runs in the browser, so it may use nothing from outside itself.
 */
export interface Overflow {
  /** Tag and classes, such as `h1.name`. */
  element: string;
  text: string;
  /** content: wider than its own box; page: past an edge of the page; svg: outside the drawing it belongs to. */
  kind: "content" | "page" | "svg";
  by_px: number;
}

export interface TextBox {
  element: string;
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  font_px: number;
}

export interface Measured {
  width: number;
  height: number;
  overflow: Overflow[];
  boxes: TextBox[];
}

/** Source text for the browser. Some compilers wrap inner functions in `__name`, which the page does not have. */
export function measureSource(withBoxes: boolean): string {
  return `(() => { const __name = (f) => f; return (${measureInPage.toString()})(${withBoxes}); })()`;
}

async function measureInPage(withBoxes: boolean): Promise<Measured> {
  const body = document.body;
  // Fonts start to load when text is laid out: lay out, wait, and look again, for a second face may be asked for then.
  do {
    body.getBoundingClientRect();
    await document.fonts.ready;
    body.getBoundingClientRect();
  } while (document.fonts.status !== "loaded");

  const slack = 1;
  const pageWidth = window.innerWidth;
  const overflow: Overflow[] = [];
  const boxes: TextBox[] = [];
  const nameOf = (element: Element) => [element.localName, ...element.classList].join(".");
  const textOf = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim().slice(0, 200);
  const round = (value: number) => Math.round(value * 100) / 100;

  for (const element of body.querySelectorAll<HTMLElement>("*")) {
    if (!(element instanceof HTMLElement) || element.clientWidth === 0) continue;
    const by = element.scrollWidth - element.clientWidth;
    if (by <= slack) continue;
    // Only the innermost: what sticks out of a child sticks out of its parents too.
    const isInner = [...element.children].every((child) => child.scrollWidth - child.clientWidth <= slack);
    if (isInner) {
      overflow.push({ element: nameOf(element), text: textOf(element.textContent), kind: "content", by_px: by });
    }
  }

  const range = document.createRange();
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = textOf(node.textContent);
    if (parent === null || text === "" || parent.closest("style,script,title,desc") !== null) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0 && box.height === 0) continue;
    const beyond = Math.max(-box.left, box.right - pageWidth);
    if (beyond > slack) overflow.push({ element: nameOf(parent), text, kind: "page", by_px: round(beyond) });
    const svg = parent.closest("svg");
    if (svg !== null) {
      const frame = svg.getBoundingClientRect();
      const out = Math.max(
        frame.left - box.left,
        box.right - frame.right,
        frame.top - box.top,
        box.bottom - frame.bottom,
      );
      if (out > slack) overflow.push({ element: nameOf(parent), text, kind: "svg", by_px: round(out) });
    }
    if (!withBoxes) continue;
    boxes.push({
      element: nameOf(parent),
      text,
      x: round(box.left),
      y: round(box.top + window.scrollY),
      width: round(box.width),
      height: round(box.height),
      // In a drawing the declared size is in user units: scale it to what a reader sees.
      font_px: round(
        Number.parseFloat(getComputedStyle(parent).fontSize) *
          (parent instanceof SVGGraphicsElement ? (parent.getScreenCTM()?.a ?? 1) : 1),
      ),
    });
  }
  const root = document.documentElement;
  return {
    width: pageWidth,
    height: Math.ceil(Math.max(body.scrollHeight, root.getBoundingClientRect().height)),
    overflow,
    boxes,
  };
}
