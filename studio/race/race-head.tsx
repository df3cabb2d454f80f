import type { Race } from '../../conformance/explore/reproduce/race.js';
import { toVisible } from '../../spec/visible.js';
import { CommandLines } from '../parts/command-lines.js';
import { groupByLevel, type LevelFindings } from '../parts/group-by-level.js';
import { Requirement } from '../parts/requirement.js';

/** What is wrong, the requirement in words, and the line to see it again. */
export function RaceHead({ race }: { race: Race }) {
  const { title, finding, scenario, deviations } = race;
  const [{ tone }] = groupByLevel([finding]) as [LevelFindings];
  const changes = deviations.map(({ text }) => toVisible(text, 200)).join('; ');
  return (
    <section class="race-head" aria-label="Finding">
      <div class={`finding-box ${tone}`}>
        <h1>{toVisible(title)}</h1>
        <p>{toVisible(finding.message)}</p>
        <p class="soft">
          {finding.level === 'must' ? 'Broken' : 'Advice'}: {finding.requirement}{' '}
          <Requirement id={finding.requirement} />
        </p>
      </div>
      <p class="soft">
        Scenario “{toVisible(scenario, 120)}”,{' '}
        {changes === '' ? 'without any deviation' : `changed by: ${changes}`}. Seed {race.seed}, time{' '}
        {race.time}.
      </p>
      <CommandLines lines={[{ label: 'See it again', line: race.again }]} />
    </section>
  );
}
