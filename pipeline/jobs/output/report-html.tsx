/** report.html: the same counts as report.json for a person, with thumbnails of the cards. One file, no script. */
import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import type { CardLine, Report } from "../../schema/report.ts";
import type { Verdict } from "../../schema/verdict.ts";

const css = readFileSync(new URL("./report.css", import.meta.url), "utf8");

export function reportHtml(report: Report): string {
  // The sheet goes in as it is: React would escape its quotes.
  const page = renderToStaticMarkup(<ReportPage report={report} />).replace(
    "<style></style>",
    () => `<style>${css}</style>`,
  );
  return `<!doctype html>${page}`;
}

function ReportPage({ report }: { report: Report }) {
  const { numerals, chart_points, tiles, verdicts, sentences } = report;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${report.batch}: batch report`}</title>
        <style />
      </head>
      <body>
        <header>
          <p className="kicker">{report.batch}</p>
          <h1>{report.title}</h1>
          <p>
            Prices to KR {report.cutoff.KR}, US {report.cutoff.US} · known at {report.as_of} · channel {report.channel}{" "}
            · {report.locales.join(", ")}
          </p>
        </header>
        <main>
          <section aria-labelledby="verdicts">
            <h2 id="verdicts">Verdicts</h2>
            <dl className="counts">
              <Count label="Instruments" value={report.instruments} />
              <Count label="Pass" value={verdicts.pass} tone="pass" />
              <Count label="Review" value={verdicts.review} tone="review" />
              <Count label="Block" value={verdicts.block} tone="block" />
              <Count label="Cards in HTML" value={report.cards.html} />
              <Count label="Cards in PNG" value={report.cards.png} />
            </dl>
            <p className="note">
              A pass still needs a person: the verdict says what to look at, not whether to look. A check that did not
              fire certifies neither facts nor regulation.
            </p>
          </section>

          <section aria-labelledby="coverage">
            <h2 id="coverage">Recalculation coverage</h2>
            <p>
              Every figure read back from the finished pages and computed again by a second engine from the frozen
              bytes.
            </p>
            <Table
              columns={["", "Shown", "Bound", "Recalculated", "Matched"]}
              rows={[
                ["Figures and dates", numerals.shown, numerals.bound, numerals.recalculated, numerals.matched],
                ["Headline tiles", tiles.shown, tiles.shown, tiles.recalculated, tiles.matched],
                [
                  "Chart points",
                  chart_points.drawn,
                  chart_points.drawn,
                  chart_points.recalculated,
                  chart_points.matched,
                ],
              ]}
            />
            <p>
              Other numerals, checked by equality:{" "}
              {Object.entries(report.numerals_other)
                .map(([name, count]) => `${name} ${count.toLocaleString("en")}`)
                .join(" · ")}
              . Facts: {report.facts.ok.toLocaleString("en")} computed, {report.facts.unavailable.toLocaleString("en")}{" "}
              unavailable with a reason.
            </p>
          </section>

          <Composing composing={report.composing} />

          <section aria-labelledby="findings">
            <h2 id="findings">Findings and remedies</h2>
            {report.quarantine.length === 0 ? (
              <p>No gate reported anything.</p>
            ) : (
              byCode(report.quarantine).map((group) => <FindingGroup key={group.code} {...group} />)
            )}
          </section>

          <section aria-labelledby="cards">
            <h2 id="cards">Cards</h2>
            <ul className="cards">
              {report.lines.map((line) => (
                <CardThumbnail key={line.instrument} line={line} />
              ))}
            </ul>
          </section>

          <section aria-labelledby="gates">
            <h2 id="gates">Gates</h2>
            <Table
              columns={["Gate", "Subjects examined", "Pass", "Review", "Block"]}
              rows={report.gates.map((gate) => [gate.gate, gate.examined, gate.pass, gate.review, gate.block])}
            />
            <p className="note">
              Sentence checks, one sentence under one rule gate: {sentences.checked.toLocaleString("en")} run,{" "}
              {sentences.passed.toLocaleString("en")} passed, {sentences.review.toLocaleString("en")} to review,{" "}
              {sentences.blocked.toLocaleString("en")} blocked. A rule that did not fire certifies neither facts nor
              regulation.
            </p>
          </section>

          {report.faults.length > 0 && (
            <section aria-labelledby="faults">
              <h2 id="faults">Files and rows that could not be used</h2>
              <Table
                columns={["Source", "Instrument", "Code", "Detail", "What to do"]}
                rows={report.faults.map((fault) => [
                  fault.source_id,
                  fault.instrument ?? "all",
                  fault.code,
                  fault.detail,
                  fault.hint,
                ])}
              />
            </section>
          )}

          <section aria-labelledby="unavailable">
            <h2 id="unavailable">Facts that are unavailable, by reason</h2>
            <Table columns={["Reason", "Facts"]} rows={report.unavailable.map((line) => [line.reason, line.count])} />
          </section>

          <section aria-labelledby="run">
            <h2 id="run">The run</h2>
            <Table
              columns={["Work", "Milliseconds"]}
              rows={Object.entries(report.timings_ms).map(([name, ms]) => [name, Math.round(ms)])}
            />
            <p className="note">
              Wall time while such work was under way; concurrent work overlaps. Steps found as recorded:{" "}
              {report.cache.hits}, worked: {report.cache.misses}.
            </p>
            <Table columns={["Version", ""]} rows={Object.entries(report.versions)} />
          </section>
        </main>
      </body>
    </html>
  );
}

function Composing({ composing }: Pick<Report, "composing">) {
  const { provider, model, turns, tokens_in, tokens_out, money_microusd, claims } = composing;
  const known = (count: number | null) => (count === null ? "unknown" : count.toLocaleString("en"));
  const money = money_microusd === null ? "unknown" : `${(money_microusd / 1e6).toFixed(6)} USD`;
  return (
    <section aria-labelledby="composing">
      <h2 id="composing">Claims</h2>
      <Table
        columns={["Proposed", "Drawn", "Held by gates", "Not taken", "Bound", "With figures", "Recalculated"]}
        rows={[
          [
            claims.proposed,
            claims.drawn,
            claims.held,
            claims.refused,
            claims.bound,
            claims.with_figures,
            claims.recalculated,
          ],
        ]}
      />
      <p className="note">
        {provider === "builtin"
          ? "Composed by the built-in methods; no model was asked."
          : `Composed by ${provider}:${model} in ${turns.toLocaleString("en")} turns; tokens ${known(tokens_in)} in, ${known(tokens_out)} out; money ${money}. An answer that nobody counted makes a sum unknown.`}
      </p>
    </section>
  );
}

interface Findings {
  code: string;
  severity: string;
  remedy: string;
  findings: Report["quarantine"];
}

/** One group for each code, the blocking ones first, then by how many there are. */
function byCode(findings: Report["quarantine"]): Findings[] {
  const groups = new Map<string, Findings>();
  for (const finding of findings) {
    const { code, severity, remedy } = finding;
    const group = groups.get(`${severity} ${code}`) ?? { code, severity, remedy, findings: [] };
    group.findings.push(finding);
    groups.set(`${severity} ${code}`, group);
  }
  const rank = ({ severity }: Findings) => (severity === "BLOCK" ? 0 : 1);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.findings.length - a.findings.length);
}

function FindingGroup({ code, severity, remedy, findings }: Findings) {
  return (
    <details open={severity === "BLOCK"}>
      <summary>
        <b className={`verdict ${severity.toLowerCase()}`}>{severity}</b> <b>{code}</b> · {findings.length}
        <span className="note">{remedy}</span>
      </summary>
      <Table
        columns={["Instrument", "Subject", "Detail"]}
        rows={findings.map(({ instrument, subject, detail }) => [instrument, subject, detail])}
      />
    </details>
  );
}

function Count({ label, value, tone }: { label: string; value: number; tone?: Lowercase<Verdict> }) {
  return (
    <div className={tone}>
      <dt>{label}</dt>
      <dd>{value.toLocaleString("en")}</dd>
    </div>
  );
}

function Table({ columns, rows }: { columns: string[]; rows: (string | number)[][] }) {
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={typeof rows[0]?.[columns.indexOf(column)] === "number" ? "number" : undefined}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join("|")}>
              {row.map((value, index) => (
                <td key={`${columns[index]}`} className={typeof value === "number" ? "number" : undefined}>
                  {typeof value === "number" ? value.toLocaleString("en") : value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CardThumbnail({ line }: { line: CardLine }) {
  const [first, ...others] = line.cards;
  const body = (
    <>
      {first !== undefined && (
        <img src={`${encodeURI(first.folder)}/card.png`} alt="" loading="lazy" width={216} height={520} />
      )}
      <span className="name">{line.name}</span>
      <span className="id">
        {line.instrument} {line.product_type !== "" && `· ${line.product_type}`}
      </span>
      <span className={`verdict ${line.verdict.toLowerCase()}`}>
        {line.verdict}
        {line.findings > 0 && ` · ${line.findings} finding${line.findings === 1 ? "" : "s"}`}
        {line.disagreements > 0 && ` · ${line.disagreements} disagreement${line.disagreements === 1 ? "" : "s"}`}
      </span>
    </>
  );
  return (
    <li>
      {first === undefined ? body : <a href={`${encodeURI(first.folder)}/card.html`}>{body}</a>}
      {others.map(({ locale, folder }) => (
        <a key={locale} className="other" href={`${encodeURI(folder)}/card.html`}>
          {locale}
        </a>
      ))}
    </li>
  );
}
