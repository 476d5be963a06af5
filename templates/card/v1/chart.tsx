/**
 * Total return and drawdown in one SVG. Every path says its domain and range, every axis label its value, so that a
 * reader of the page can check each drawn point. Lines differ by weight and dash as well as by colour.
 */
import type { ReactNode } from "react";
import { CHART_HEIGHT, CHART_WIDTH, drawChart, type Panel } from "../../../pipeline/render/chart.ts";
import type { Card, ChartView } from "../../../pipeline/schema/card.ts";
import { WORDS } from "../../locales/index.ts";
import { Bound, Classed, WindowOf } from "./bound.tsx";

export function Chart({ card }: { card: Card }): ReactNode {
  const words = WORDS[card.locale].chart;
  const { chart } = card;
  if (chart === null) {
    return (
      <section className="chart" aria-labelledby="chart-title" data-where="chart">
        <h2 id="chart-title">{words.title}</h2>
        <p className="unavailable chart-absent">{card.chart_words}</p>
      </section>
    );
  }
  return (
    <section className="chart" aria-labelledby="chart-title" data-where="chart">
      <div className="section-head" data-row="">
        <h2 id="chart-title">
          {words.window_first ? null : `${words.title} `}
          <WindowOf of={`total_return.${chart.window}`}>{chart.window_label}</WindowOf>
          {words.window_first ? ` ${words.title}` : null}
        </h2>
        <p className="section-note">
          {words.rebased_before}
          <Bound
            figure={`start_session.${chart.window}`}
            kind="date"
            value={chart.start_session}
            printed={chart.start_session}
          />
          {words.rebased_after}
        </p>
      </div>
      <ul className="legend">
        {chart.lines
          .filter((line) => line.kind !== "drawdown")
          .map((line) => (
            <li key={line.kind}>
              <svg className="legend-mark" viewBox="0 0 44 12" aria-hidden="true">
                <line className={`line line-${line.kind}`} x1="1" y1="6" x2="43" y2="6" />
              </svg>
              <span>{line.label}</span>
              {line.entity === null ? null : (
                <Classed numeral="entity" of={line.entity.of} className="legend-name">
                  {line.entity.text}
                </Classed>
              )}
            </li>
          ))}
        {chart.comparison_words === null ? null : <li className="legend-note">{chart.comparison_words}</li>}
      </ul>
      <Plot card={card} chart={chart} />
    </section>
  );
}

function Plot({ card, chart }: { card: Card; chart: ChartView }): ReactNode {
  const words = WORDS[card.locale].chart;
  const drawing = drawChart(chart);
  const [left, right] = drawing.x_range;
  const kinds = new Set(chart.lines.map((line) => line.kind));
  const alternative = kinds.has("benchmark")
    ? words.alternative_benchmark
    : kinds.has("peer_median")
      ? words.alternative_peers
      : words.alternative_alone;
  return (
    <svg
      className="plot"
      viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
      role="img"
      aria-label={alternative}
      data-chart="total_return"
    >
      {drawing.panels.map((panel) => (
        <g key={panel.id} className={`panel panel-${panel.id}`}>
          {panel.y_labels.map((label) => (
            <g key={label.value}>
              <line
                className={label.value === "100" || label.value === "0" ? "grid grid-base" : "grid"}
                x1={left}
                x2={right}
                y1={label.position}
                y2={label.position}
              />
              <text
                className="axis axis-y"
                x={left - 8}
                y={label.position}
                dy="0.35em"
                data-chart={panel.id}
                data-axis="y"
                data-value={label.value}
              >
                {label.text}
              </text>
            </g>
          ))}
          {panel.id === "drawdown" ? (
            <text className="panel-name" x={left} y={panel.y_range[1]} dy="-0.55em">
              {words.drawdown}
            </text>
          ) : null}
          {/* The product's own line is drawn last, over the others. */}
          {[...panel.lines].reverse().map((line) => (
            <Line key={line.kind} panel={panel} line={line} drawing={drawing} chart={chart} />
          ))}
        </g>
      ))}
      {drawing.x_labels.map((label) => (
        <g key={label.value}>
          <line
            className="tick"
            x1={label.position}
            x2={label.position}
            y1={drawing.x_label_y - 34}
            y2={drawing.x_label_y - 26}
          />
          <text
            className="axis axis-x"
            x={label.position}
            y={drawing.x_label_y}
            data-chart="total_return"
            data-axis="x"
            data-value={label.value}
          >
            {label.text}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Line(props: {
  panel: Panel;
  line: Panel["lines"][number];
  drawing: ReturnType<typeof drawChart>;
  chart: ChartView;
}): ReactNode {
  const { panel, line, drawing, chart } = props;
  const short = chart.lines.find((candidate) => candidate.kind === line.kind)?.label_short ?? "";
  return (
    <g>
      <path
        className={`line line-${line.kind}`}
        data-chart={panel.id}
        data-series={line.kind}
        data-x-domain={drawing.x_domain.join(",")}
        data-x-range={drawing.x_range.join(",")}
        data-y-domain={panel.y_domain.join(",")}
        data-y-range={panel.y_range.join(",")}
        data-y-scale={panel.y_scale}
        data-thinning={chart.thinning}
        d={line.d}
      />
      {line.end_label_y === null ? null : (
        <text
          className={`end-label end-label-${line.kind}`}
          x={drawing.x_range[1] + 10}
          y={line.end_label_y}
          dy="0.35em"
        >
          {short}
        </text>
      )}
    </g>
  );
}
