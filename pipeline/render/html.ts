/**
 * Card view to one self-contained document: markup by React's server renderer, style and fonts inside, no script, no
 * network. The same card and band give the same bytes.
 */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { CardPage } from "../../templates/card/v1/card.tsx";
import type { Card } from "../schema/card.ts";

export interface CardMarkup {
  lang: string;
  title: string;
  /** Inside of `<body>`. */
  markup: string;
  /** Every character that is drawn, for the font subset. */
  text: string;
}

export interface EmbeddedFace {
  family: string;
  weight: 400 | 600 | 700;
  woff_base64: string;
  unicode_range: string | null;
}

export function cardMarkup(card: Card, options: { band: "BLOCKED" | null }): CardMarkup {
  // React spells the attribute dateTime; readers of the source look for the HTML spelling.
  const markup = renderToStaticMarkup(createElement(CardPage, { card, band: options.band })).replaceAll(
    "<time dateTime=",
    "<time datetime=",
  );
  return {
    lang: card.locale.slice(0, 2),
    title: `${card.header.name} (${card.header.ticker})`,
    markup,
    text: visibleText(markup),
  };
}

/** Nothing may be fetched or run, whatever a name holds. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:";

export function cardHtml(page: CardMarkup, css: string, fontFaces: readonly EmbeddedFace[]): string {
  return [
    "<!doctype html>",
    `<html lang="${page.lang}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(page.title)}</title>`,
    `<style>${fontFaces.map(faceRule).join("")}</style>`,
    `<style>${css}</style>`,
    "</head>",
    `<body>${page.markup}</body>`,
    "</html>",
    "",
  ].join("\n");
}

function faceRule(face: EmbeddedFace): string {
  const range = face.unicode_range === null ? "" : `unicode-range:${face.unicode_range};`;
  return `@font-face{font-family:"${face.family}";font-weight:${face.weight};${range}src:url(data:font/woff;base64,${face.woff_base64}) format("woff")}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** React escapes text and attributes alike, so a `>` in the markup always closes a tag. */
function visibleText(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, " ")
    .trim();
}
