import type { Race } from '../../conformance/explore/reproduce/race.js';
import { visible } from '../../spec/visible.js';
import { CopyButton } from '../parts/copy-button.js';
import { ruleOf } from '../parts/requirement.js';

/** What is wrong, the requirement in words, and the line to see it again. */
export function RaceHead({ race }: { race: Race }) {
  const { title, finding, scenario, deviations } = race;
  const changes = deviations.map(({ text }) => visible(text, 200)).join('; ');
  return (
    <section class="race-head" aria-label="Finding">
      <div class="finding-box">
        <h1>{visible(title)}</h1>
        <p>{visible(finding.message)}</p>
        <p class="soft">
          {finding.level === 'must' ? 'Broken' : 'Advice'}: {finding.requirement}{' '}
          {ruleOf(finding.requirement)}
        </p>
      </div>
      <p class="soft">
        Scenario “{visible(scenario, 120)}”,{' '}
        {changes === '' ? 'without any deviation' : `changed by: ${changes}`}. Seed {race.seed}, time{' '}
        {race.time}.
      </p>
      <ReproduceLine line={race.again} />
    </section>
  );
}

export function ReproduceLine({ line }: { line: string }) {
  return (
    <p class="again">
      <span class="soft">See it again:</span> <code>{visible(line)}</code>{' '}
      <CopyButton label="Copy" text={() => line} />
    </p>
  );
}
