/** What a reader can see is read, and nothing that a reader sees is passed over. Mutations of one small page. */
import { describe, expect, test } from "vitest";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { readPage } from "../../pipeline/render/readback.ts";
import type { Readback } from "../../pipeline/schema/readback.ts";

const PATH =
  '<path data-chart="total_return" data-series="benchmark" data-x-domain="2021-04-30,2026-04-30" data-x-range="8,904" data-y-domain="71.2,300" data-y-range="284.9,29.9" data-y-scale="log" data-thinning="every-nth/v1" d="M8.000,232.00L9.5,-233.25L904,29.9"/>';

function page(body: string, style = "p{color:red}"): string {
  return `<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>KODEX 200</title><style>@font-face{font-family:"A";src:url(data:font/woff;base64,${"d09G".repeat(40)}) format("woff")}${style}</style></head><body>${body}</body></html>`;
}

const CARD = page(`<main>
<header data-where="header"><h1 data-numeral="entity" data-of="name_ko">TIGER 미국나스닥100</h1>
<p><span data-numeral="identifier" data-of="ticker">133690</span></p></header>
<section data-where="tiles">
<div data-tile="1" data-row=""><p>총수익률 <span data-numeral="label" data-of="total_return.1y">1년</span></p>
<data class="figure" value="0.4555900000" data-fact="total_return.1y">+45.56%</data>
<small><time datetime="2025-04-30" data-fact="start_session.1y">2025-04-30</time> → <time datetime="2026-04-30" data-fact="end_session">2026-04-30</time></small></div>
<p><data value="1" data-fact="peer_rank.total_return.1y">1</data>위</p>
</section>
<section data-where="chart"><svg role="img" aria-label="총수익 추이">${PATH}
<text data-chart="total_return" data-axis="y" data-value="150" y="157.4" x="2">150</text>
<text data-chart="total_return" data-axis="x" data-value="2024-01-01" x="486.9" y="3">2024</text></svg></section>
<p data-where="legal" data-numeral="legal" data-of="fees">연 0.5 퍼센트</p>
</main>`);

const unclassified = (read: Readback) =>
  read.numerals.filter((numeral) => numeral.claimed === "unclassified").map((numeral) => numeral.text);

function changed(from: string, to: string): Readback {
  expect(CARD).toContain(from);
  return readPage(CARD.replace(from, to));
}

function codeOf(html: string): string | undefined {
  try {
    readPage(html);
  } catch (fault) {
    return fault instanceof AssayError ? fault.code : String(fault);
  }
  return undefined;
}

describe("a card reads back", () => {
  const read = readPage(CARD);

  test("every bound figure with its place, text and machine value", () => {
    expect(read.figures).toEqual([
      {
        figure: "total_return.1y",
        where: "tiles/1",
        kind: "fact",
        printed: "+45.56%",
        value: "0.4555900000",
        is_tile: true,
        window_labels: ["1년"],
      },
      {
        figure: "start_session.1y",
        where: "tiles/2",
        kind: "date",
        printed: "2025-04-30",
        value: "2025-04-30",
        is_tile: true,
        window_labels: ["1년"],
      },
      {
        figure: "end_session",
        where: "tiles/3",
        kind: "date",
        printed: "2026-04-30",
        value: "2026-04-30",
        is_tile: true,
        window_labels: ["1년"],
      },
      {
        figure: "peer_rank.total_return.1y",
        where: "tiles/4",
        kind: "fact",
        printed: "1",
        value: "1",
        is_tile: false,
        window_labels: [],
      },
    ]);
  });

  test("every other numeral with the class its element claims and the whole text of that element", () => {
    expect(read.numerals).toEqual([
      { text: "100", element_text: "TIGER 미국나스닥100", claimed: "entity", of: "name_ko", where: "header/1" },
      { text: "133690", element_text: "133690", claimed: "identifier", of: "ticker", where: "header/2" },
      { text: "1", element_text: "1년", claimed: "label", of: "total_return.1y", where: "tiles/1" },
      { text: "0.5", element_text: "연 0.5 퍼센트", claimed: "legal", of: "fees", where: "legal/1" },
    ]);
  });

  test("axis labels with their position along the axis", () => {
    expect(read.axis_labels).toEqual([
      { axis: "y", chart: "total_return", text: "150", value: "150", position: 157.4, where: "chart/1" },
      { axis: "x", chart: "total_return", text: "2024", value: "2024-01-01", position: 486.9, where: "chart/2" },
    ]);
  });

  test("chart points as drawn", () => {
    expect(read.paths).toEqual([
      {
        chart: "total_return",
        series: "benchmark",
        points: [
          [8, 232],
          [9.5, -233.25],
          [904, 29.9],
        ],
        x_domain: ["2021-04-30", "2026-04-30"],
        x_range: [8, 904],
        y_domain: ["71.2", "300"],
        y_range: [284.9, 29.9],
        y_scale: "log",
        thinning: "every-nth/v1",
        where: "chart/1",
      },
    ]);
  });
});

describe("the labels that stand for a figure are", () => {
  const label = (text: string, of = "total_return.1y") => `<span data-numeral="label" data-of="${of}">${text}</span>`;
  const figure = '<data value="1" data-fact="total_return.1y">1</data>';
  const labelsOf = (body: string) => readPage(page(body)).figures.map((one) => one.window_labels);

  test.each([
    ["those of its row", `<div data-row=""><p>${label("1년")}</p><p>${figure}</p></div>`, [["1년"]]],
    ["those after it too", `<div data-row="">${figure} ${label("1년")} ${label("3년")}</div>`, [["1년", "3년"]]],
    ["not those of other rows", `<div data-row="">${label("3년")}</div><div data-row="">${figure}</div>`, [[]]],
    ["those of the innermost row", `<div data-row="">${label("3년")}<p data-row="">${figure}</p></div>`, [[]]],
    ["none outside of rows", `${label("1년")} ${figure}`, [[]]],
    [
      "those of its cell and of its column's head, whatever they claim to be of",
      `<table><thead><tr><td></td><th scope="col">${label("1년", "total_return.3y")}</th><th scope="col">${label("3년")}</th></tr></thead>
       <tbody><tr><th scope="row">${label("5년")}</th><td>${label("6개월")} ${figure}</td><td>${figure}</td></tr></tbody></table>`,
      [["6개월", "1년"], ["3년"]],
    ],
  ])("%s", (_name, body, expected) => {
    expect(labelsOf(body)).toEqual(expected);
  });

  test("in doubt where a cell spans others: the page is refused", () => {
    expect(codeOf(page(`<table><tr><td colspan="2">${figure}</td></tr></table>`))).toBe("READBACK_UNREADABLE");
  });
});

describe("a stated text", () => {
  const stated = (text: string) => readPage(page(`<p><data value="a" data-fact="underlying_index">${text}</data></p>`));

  test("is a figure like others, its numerals among them", () => {
    const read = stated("코스피 200");
    expect([read.figures[0]?.printed, read.numerals]).toEqual(["코스피 200", []]);
  });

  test("whose order of reading is changed leaves its numerals unclassified", () => {
    expect(unclassified(stated("코스피 \u202e200"))).toEqual(["200"]);
  });
});

describe("a change of one figure is seen", () => {
  test("in its text alone", () => {
    const [figure] = changed(">+45.56%<", ">+45.66%<").figures;
    expect([figure?.printed, figure?.value]).toEqual(["+45.66%", "0.4555900000"]);
  });

  test("in its machine value alone", () => {
    const [figure] = changed('value="0.4555900000"', 'value="0.4556900000"').figures;
    expect([figure?.printed, figure?.value]).toEqual(["+45.56%", "0.4556900000"]);
  });

  test("in one coordinate", () => {
    expect(changed("9.5,-233.25", "9.5,-233.35").paths[0]?.points[1]).toEqual([9.5, -233.35]);
  });

  test("characters that draw nothing stay in the printed text, so that it equals no print", () => {
    expect(changed(">+45.56%<", ">+4\u200b5.56%<").figures[0]?.printed).toBe("+4\u200b5.56%");
  });
});

const HIDDEN: [what: string, from: string, to: string, expected: string[]][] = [
  ["a bare number", "<main>", "<main><p>수익률 99.9%</p>", ["99.9"]],
  ["a figure without its binding", ' data-fact="total_return.1y">+45', ">+45", ["+45.56"]],
  ["a figure without its value", 'value="0.4555900000" ', "", ["+45.56"]],
  ["digits split over elements", "<main>", "<main><p>4<b>5</b>.56%</p>", ["45.56"]],
  ["digits split inside a bound element", ">+45.56%<", ">+4<b>5</b>.56%<", ["+45.56"]],
  ["a digit set against a bound figure", ">1</data>위", ">1</data><i>7</i>위", ["17"]],
  ["a sign set against a bound figure", '<data value="1"', '<b>−</b><data value="1"', ["−1"]],
  [
    "two classed numerals that touch",
    ">133690</span>",
    '>133690</span><span data-numeral="ordinal" data-of="1">1</span>',
    ["1336901"],
  ],
  ["a number word", "<main>", "<main><p>두 배로 올랐습니다</p>", ["두 배"]],
  ["a number word split over elements", "<main>", "<main><p>d<b>oub</b>led</p>", ["doubled"]],
  [
    "a number word against another word's element",
    "<main>",
    "<main><p><span>수익률이</span><span>두 배</span></p>",
    ["두 배"],
  ],
  ["full-width digits", "<main>", "<main><p>４５．５６％</p>", ["４５．５６"]],
  ["digits of another script", "<main>", "<main><p>४५</p>", ["४५"]],
  ["entities", "<main>", "<main><p>&#52;&#x35;</p>", ["45"]],
  ["zero-width characters between digits", "<main>", "<main><p>4&#8203;5</p>", ["45"]],
  ["alternative text", "<main>", '<main><p role="img" aria-label="수익률 45퍼센트">그림</p>', ["45"]],
  ["a hover text", "<main>", '<main><p title="twice">x</p>', ["twice"]],
  ["alternative text of a bound figure", 'class="figure"', 'class="figure" aria-label="46"', ["46"]],
  ["text of a drawing", "</svg>", "<text>45.56</text></svg>", ["45.56"]],
  ["the title of a drawing", "</svg>", "<title>45 points</title></svg>", ["45"]],
  ["an axis label without a position", 'y="157.4" x="2"', 'x="2"', ["150"]],
  ["an axis label without a value", ' data-value="150"', "", ["150"]],
  ["a text hidden from assistive technology", "<main>", '<main><p aria-hidden="true">45</p>', ["45"]],
  [
    "a figure in a hidden element",
    'data-tile="1"',
    'data-tile="1" hidden',
    ["1", "+45.56", "2025", "04", "30", "2026", "04", "30"],
  ],
  ["a class that may not be claimed", 'data-numeral="label"', 'data-numeral="fact"', ["1"]],
  ["a class of nothing", ' data-of="ticker"', "", ["133690"]],
  ["a reversed text in a classed element", ">133690<", ">\u202e096331<", ["096331"]],
  ["a reversing element", "<main>", '<main><bdo dir="rtl"><data value="1" data-fact="beta.1y">12</data></bdo>', ["12"]],
  ["marks of an ordered list", "<main>", "<main><ol><li>가</li></ol>", ["ol"]],
  ["a field's content", "<main>", '<main><input value="45">', ["45"]],
  [
    "a declarative shadow tree",
    "<main>",
    '<main><div><template shadowrootmode="open"><p>45</p></template></div>',
    ["45"],
  ],
  ["a line bound to no series", "</svg>", `<polyline points="${"1,2 ".repeat(9)}"/></svg>`, ["polyline"]],
];

describe("no numeral is passed over", () => {
  test.each(HIDDEN)("%s", (_, from, to, expected) => {
    expect(unclassified(changed(from, to))).toEqual(expected);
  });

  test("the untouched card has none", () => {
    expect(unclassified(readPage(CARD))).toEqual([]);
  });

  test("two bound figures side by side are two figures", () => {
    expect(unclassified(changed(" → ", ""))).toEqual([]);
  });

  test("a font-shaped text outside a style sheet is not cut away", () => {
    expect(unclassified(readPage(page(`<p>url(data:font/woff;base64,${"A".repeat(80)}45)</p>`)))).not.toEqual([]);
  });
});

const SHEETS: [what: string, sheet: string, expected: string[]][] = [
  ["a string", 'p::after{content:"45.56%"}', ["45.56"]],
  ["an escaped string", "p::after{content:'\\34\\35 .5'}", ["45.5"]],
  ["an escaped property", "p::after{c\\6fntent:'45'}", ["45"]],
  ["a number word", 'p::before{content : "두 배"}', ["두 배"]],
  ["a string with a brace", 'p::before{content:"}9"}', ["9"]],
  ["an attribute", "p::after{content:attr(data-x)}", ["attr(data-x)"]],
  ["a counter", "p::after{content:counter(n)}", ["counter(n)"]],
  ["a list mark", 'li{list-style-type:"7 "}', ["7"]],
  ["reversed reading", "p{unicode-bidi:bidi-override;direction:rtl}", ["bidi"]],
];
// What looks like a font in a printed string is not believed to be one.
SHEETS.push(["a font-shaped string", `p::after{content:"url(data:font/woff;base64,${"A".repeat(80)} 45)"}`, ["64"]]);
const QUIET: string[] = [
  '.content:first-child{font:400 20px "Pretendard 2"}',
  'p{font-feature-settings:"tnum" 1;width:45px}',
  'p::before{content:""} /* content:"45" */',
  'q[data-x="45"]{color:#123456}',
];

describe("a style sheet cannot print a numeral unseen", () => {
  test.each(SHEETS)("%s", (_, sheet, expected) => {
    expect(unclassified(readPage(page("<p>가</p>", sheet)))).toEqual(expected);
  });

  test("nor one in the body", () => {
    expect(unclassified(readPage(page('<style>p::after{content:"45"}</style>')))).toEqual(["45"]);
  });

  test.each(QUIET)("what prints nothing counts for nothing: %s", (sheet) => {
    expect(unclassified(readPage(page("<p>가</p>", sheet)))).toEqual([]);
  });
});

const REFUSED: [what: string, html: string, code: string][] = [
  ["a script", page("<script>1</script>"), "READBACK_UNREADABLE"],
  ["an event handler", page('<p onclick="x()">가</p>'), "READBACK_UNREADABLE"],
  ["a picture", page('<img src="x.png">'), "READBACK_UNREADABLE"],
  ["a frame", page("<iframe srcdoc='45'></iframe>"), "READBACK_UNREADABLE"],
  ["a linked sheet", page('<link rel="stylesheet" href="x.css">'), "READBACK_UNREADABLE"],
  ["a script in the head", CARD.replace("</head>", "<script>1</script></head>"), "READBACK_UNREADABLE"],
  [
    "a sheet linked in the head",
    CARD.replace("</head>", '<link rel="stylesheet" href="x"></head>'),
    "READBACK_UNREADABLE",
  ],
  [
    "a page that leads elsewhere",
    CARD.replace("</head>", '<meta http-equiv="Refresh" content="0"></head>'),
    "READBACK_UNREADABLE",
  ],
  ["an imported sheet", page("", "@import 'x.css';"), "READBACK_UNREADABLE"],
  ["a background picture", page("", "p{background:url(data:image/png;base64,AAAA)}"), "READBACK_UNREADABLE"],
  ["endless nesting", page("<div>".repeat(300)), "READBACK_UNREADABLE"],
  ["a relative path", CARD.replace("L9.5", "l9.5"), "READBACK_PATH"],
  ["a curve", CARD.replace("L9.5,-233.25", "C1,2,3,4,5,6"), "READBACK_PATH"],
  ["half a point", CARD.replace("L904,29.9", "L904"), "READBACK_PATH"],
  ["a path without its scale", CARD.replace(' data-y-scale="log"', ""), "READBACK_PATH"],
  ["a domain that is no pair", CARD.replace("71.2,300", "71.2"), "READBACK_PATH"],
  ["a line moved against its axis", CARD.replace("<path", '<path transform="translate(0,9)"'), "READBACK_PATH"],
];

describe("what cannot be read back is refused", () => {
  test.each(REFUSED)("%s", (_, html, code) => {
    expect(codeOf(html)).toBe(code);
  });

  test("a block of JSON runs nothing and shows nothing", () => {
    expect(codeOf(page('<script type="application/json">{"a":45}</script>'))).toBeUndefined();
  });
});

test("embedded fonts hardly slow the reading of a page", () => {
  const fonts = `@font-face{src:url(data:font/woff;base64,${"d09GRgABAAAA".repeat(33_000)})}`;
  const heavy = CARD.replace("</head>", `<style>${fonts}</style></head>`);
  // The fastest of several readings, so that a busy machine does not decide.
  const fastest = (html: string) =>
    Math.min(
      ...Array.from({ length: 15 }, () => {
        const started = performance.now();
        readPage(html);
        return performance.now() - started;
      }),
    );
  fastest(heavy);
  expect(fastest(heavy)).toBeLessThan(fastest(CARD) * 3 + 2);
});
