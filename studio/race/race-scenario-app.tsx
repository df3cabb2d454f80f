import type { SequenceLine } from '../../scenarios/format/sequence-diagram.js';
import { visible } from '../../spec/visible.js';
import type { RaceScenarioPage } from '../page-data.js';
import { ReproduceLine } from './race-head.js';

/** A race without its runs: what its scenario says, and the line that makes it whole. */
export function RaceScenarioApp({ page }: { page: RaceScenarioPage }) {
  const { title, defect, scenario, failure, deviations, lines, again } = page;
  return (
    <div class="app race scenario">
      <header class="bar">
        <strong class="brand">taskdouble</strong> <span class="soft">{visible(title, 200)}</span>
      </header>
      <section class="race-head" aria-label="Finding">
        <div class="finding-box">
          <h1>{visible(defect)}</h1>
          <p>
            Scenario “{visible(scenario, 200)}”: <code>{visible(failure, 200)}</code>
            {deviations.length > 0 && ', with these deviations:'}
          </p>
          {deviations.length > 0 && (
            <ol>
              {deviations.map((text, index) => (
                <li key={index}>{visible(text, 300)}</li>
              ))}
            </ol>
          )}
        </div>
        <p>
          The runs of this race are not beside its file: below is the scenario that is played, not what a
          client did. This line runs it with and without the deviations and writes both runs; then view the
          file again.
        </p>
        <ReproduceLine line={again} />
      </section>
      <main aria-label="Scenario">
        <ScenarioDiagram lines={lines} />
      </main>
    </div>
  );
}

const [CLIENT, SERVICE, WIDTH, ROW_PX, TOP_PX] = [80, 680, 760, 34, 44];

function ScenarioDiagram({ lines }: { lines: readonly SequenceLine[] }) {
  const shown = lines.filter((line) => line.kind !== 'end');
  const height = TOP_PX + shown.length * ROW_PX + 8;
  return (
    <svg class="diagram" viewBox={`0 0 ${WIDTH} ${height}`} width={WIDTH} role="group" aria-label="Scenario">
      {[CLIENT, SERVICE].map((x) => (
        <line key={x} class="lane" x1={x} x2={x} y1="28" y2={height} />
      ))}
      <text class="middle" x={CLIENT} y="18">
        client
      </text>
      <text class="middle" x={SERVICE} y="18">
        service
      </text>
      {shown.map((line, index) => (
        <Line key={index} line={line} y={TOP_PX + index * ROW_PX} />
      ))}
    </svg>
  );
}

function Line({ line, y }: { line: Exclude<SequenceLine, { kind: 'end' }>; y: number }) {
  const text = visible(line.text, 88);
  if (line.kind === 'note' || line.kind === 'if')
    return (
      <text
        class={`middle ${line.kind === 'note' && line.over === 'both' ? 'effect' : 'time'}`}
        x={(CLIENT + SERVICE) / 2}
        y={y + 16}
      >
        {line.kind === 'if' ? `only if ${text}` : line.over === 'both' ? `⚡ ${text}` : text}
      </text>
    );
  const [from, to, way] = line.kind === 'request' ? [CLIENT, SERVICE, -1] : [SERVICE, CLIENT, 1];
  return (
    <g>
      <text class="middle" x={(CLIENT + SERVICE) / 2} y={y + 12}>
        {text}
      </text>
      <path class="arrow" d={`M${from} ${y + 18}H${to + way * 8}`} />
      <path class="head" d={`M${to} ${y + 18}l${way * 8} -4v8z`} />
    </g>
  );
}
