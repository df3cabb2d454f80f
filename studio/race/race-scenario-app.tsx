import { toVisible } from '../../spec/visible.js';
import type { RaceScenarioPage } from '../page-data.js';
import { CommandLines } from '../parts/command-lines.js';
import { ScenarioDiagram } from '../sequence/scenario-diagram.js';

/** Of the diagram, px. */
const WIDEST = 760;

/** A race without its runs: what its scenario says, and the line that makes it whole. */
export function RaceScenarioApp({ page }: { page: RaceScenarioPage }) {
  const { title, defect, scenario, failure, deviations, lines, again } = page;
  return (
    <div class="app race scenario">
      <header class="bar">
        <strong class="brand">taskdouble</strong> <span class="soft">{toVisible(title, 200)}</span>
      </header>
      <section class="race-head" aria-label="Finding">
        <div class="message-box">
          <h1>{toVisible(defect)}</h1>
          <p>
            Scenario “{toVisible(scenario, 200)}”: <code>{toVisible(failure, 200)}</code>
            {deviations.length > 0 && ', with these deviations:'}
          </p>
          {deviations.length > 0 && (
            <ol>
              {deviations.map((text, index) => (
                <li key={index}>{toVisible(text, 300)}</li>
              ))}
            </ol>
          )}
        </div>
        <p>
          The runs of this race are not beside its file: below is the scenario that is played, not what a
          client did. This line runs it with and without the deviations and writes both runs; then view the
          file again.
        </p>
        <CommandLines lines={[{ label: 'See it again', line: again }]} />
      </section>
      <main aria-label="Scenario">
        <ScenarioDiagram lines={lines} width={Math.min(WIDEST, innerWidth)} />
      </main>
    </div>
  );
}
