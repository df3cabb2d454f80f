import type { Race } from '../../conformance/explore/reproduce/race.js';
import { visible } from '../../spec/visible.js';
import { byLevel, type FindingsOfLevel } from '../parts/by-level.js';
import { CommandLines } from '../parts/command-lines.js';
import { Requirement } from '../parts/requirement.js';

/** What is wrong, the requirement in words, and the line to see it again. */
export function RaceHead({ race }: { race: Race }) {
  const { title, finding, scenario, deviations } = race;
  const [{ tone }] = byLevel([finding]) as [FindingsOfLevel];
  const changes = deviations.map(({ text }) => visible(text, 200)).join('; ');
  return (
    <section class="race-head" aria-label="Finding">
      <div class={`finding-box ${tone}`}>
        <h1>{visible(title)}</h1>
        <p>{visible(finding.message)}</p>
        <p class="soft">
          {finding.level === 'must' ? 'Broken' : 'Advice'}: {finding.requirement}{' '}
          <Requirement id={finding.requirement} />
        </p>
      </div>
      <p class="soft">
        Scenario “{visible(scenario, 120)}”,{' '}
        {changes === '' ? 'without any deviation' : `changed by: ${changes}`}. Seed {race.seed}, time{' '}
        {race.time}.
      </p>
      <CommandLines lines={[{ label: 'See it again', line: race.again }]} />
    </section>
  );
}
