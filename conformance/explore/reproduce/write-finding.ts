import type { Scenario } from '../../../scenarios/format/types.js';

import { writeScenario } from '../../../scenarios/format/write.js';
import { isHang } from '../../client/judge/ended.js';
import { ObservedRun } from '../../client/judge/observed-run.js';
import { waitingFor } from '../../client/judge/waiting-for.js';
import type { ClientRun } from '../../client/types.js';
import { describeDeviation, scheduled } from '../schedule/schedule.js';
import type { BucketFinding } from '../search/buckets.js';
import type { Bucket, Schedule, TimeOfRuns } from '../types.js';
import { drawRun } from './diagram.js';

interface WrittenFinding {
  schedule: Schedule;
  bucket: Bucket;
  name: string;
  seed: number;
  time: TimeOfRuns;
  commandLine: string | undefined;
}

interface Described extends WrittenFinding {
  finding: BucketFinding;
  run: ClientRun;
  unsteady: boolean;
}

/** Begins the line of a file's comment that says what it shows. */
export const SHOWS = 'shows:';
/** The same of the line that says on what time it was found. */
export const TIME = 'time:';

/** A schedule as a scenario of its own, and as the text of its file. */
export function reproduce(written: WrittenFinding): { reproduction: Scenario; yaml: string } {
  const { schedule, bucket, seed, time } = written;
  const reproduction = reproductionOf(written);
  const comment = [
    `Found by taskdouble explore in ${schedule.scenario.name}, seed ${seed}.`,
    `${SHOWS} ${bucket.key}`,
    `${TIME} ${time}`,
    `To see it again: ${lineFor(written)}`,
  ].join('\n');
  return { reproduction, yaml: writeScenario(reproduction, { comment }) };
}

function reproductionOf({ schedule, bucket, name }: WrittenFinding): Scenario {
  const { scenario } = schedule;
  const { file: _, ...played } = scheduled(schedule);
  return {
    ...played,
    name,
    title: `${scenario.title}: ${bucket.key}`,
    description: wordsOf(schedule),
    // Asked for by name only: it stands beside the scenario that it was made from.
    match: 'never',
  };
}

function lineFor({ commandLine, name }: WrittenFinding): string {
  const line = commandLine ?? 'taskdouble explore --replay FILE -- COMMAND';
  return line.replace(/\bFILE\b/, `${name}.yaml`);
}

function wordsOf({ deviations, scenario }: Schedule): string {
  if (deviations.length === 0) return `${scenario.name} as it stands shows it.`;
  const words = deviations.map(describeDeviation).join('; ');
  return `${scenario.name}, where this goes otherwise: ${words}.`;
}

/** What went wrong, in words and as a diagram. */
export function describeFind(found: Described): string {
  const again = lineFor(found);
  const { schedule, bucket, finding, run, seed, time, unsteady } = found;
  const { deviations, scenario } = schedule;
  const heading = `# ${bucket.rule}${bucket.about === undefined ? '' : ` (${bucket.about})`}`;
  const weight =
    bucket.level === 'must' ? 'A rule is broken.' : 'Advice: the API does not oblige a client to this.';
  const what =
    deviations.length === 0
      ? ['Nothing has to go otherwise: the scenario shows it as it stands.']
      : deviations.map((each, index) => `${index + 1}. ${describeDeviation(each)}`);
  const parts = [
    heading,
    `${finding.message}\n\n${weight}`,
    `## What goes otherwise\n\nIn \`${scenario.name}\`:\n\n${what.join('\n')}`,
    `## What happened\n\n\`\`\`mermaid\n${drawRun(run.trace, run.exchanges)}\n\`\`\``,
    ...waitedFor(run),
    `## To see it again\n\n\`\`\`sh\n${again}\n\`\`\`\n\nSeed ${seed}, time ${time}.${
      unsteady ? ' It did not go the same way each time that it was run: it may take more than one try.' : ''
    }`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function waitedFor(run: ClientRun): string[] {
  return isHang(run) ? [`The client was waiting for ${waitingFor(new ObservedRun(run))}.`] : [];
}
