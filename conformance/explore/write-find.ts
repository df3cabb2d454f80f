import { describeRule } from '../../scenarios/describe-rule.js';
import type { Scenario } from '../../scenarios/types.js';

const writeScenario = (s: Scenario, { comment }: { comment: string }) =>
  comment.replace(/^/gm, '# ') + '\n' + JSON.stringify(s); // until it is there

import type { ClientRun } from '../client/types.js';
import type { Finding } from './buckets.js';
import { drawRun } from './diagram.js';
import { scheduled } from './schedule.js';
import type { Bucket, Find, Schedule, TimeOfRuns } from './types.js';

interface Found {
  schedule: Schedule;
  bucket: Bucket;
  finding: Finding;
  run: ClientRun;
  name: string;
  found_with: number;
  number: number;
  seed: number;
  time: TimeOfRuns;
  command_line: string | undefined;
  unsteady: boolean;
}

/** Begins the line of a file's comment that says what it shows. */
export const SHOWS = 'shows:';

/** A find with the text of its files. */
export function writeFind(found: Found): Find {
  const { schedule, bucket, finding, run, name, found_with, number, seed, unsteady } = found;
  const reproduction = reproductionOf(found);
  const again = lineFor(found);
  const comment = [
    `Found by taskdouble explore in ${schedule.scenario.name}, seed ${seed}.`,
    `${SHOWS} ${bucket.key}`,
    `To see it again: ${again}`,
  ].join('\n');
  return {
    bucket,
    name,
    scenario: schedule.scenario.name,
    deviations: [...schedule.deviations],
    found_with,
    schedule: number,
    seen: 1,
    message: finding.message,
    evidence: finding.evidence,
    seed,
    reproduction,
    exchanges: run.exchanges,
    trace: run.trace,
    yaml: writeScenario(reproduction, { comment }),
    markdown: describe(found, again),
    unsteady,
  };
}

function reproductionOf({ schedule, bucket, name }: Found): Scenario {
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

function lineFor({ command_line, name }: Found): string {
  const line = command_line ?? 'taskdouble explore --replay FILE -- COMMAND';
  return line.replace(/\bFILE\b/, `${name}.yaml`);
}

function wordsOf({ deviations, scenario }: Schedule): string {
  if (deviations.length === 0) return `${scenario.name} as it stands shows it.`;
  const words = deviations.map(({ rule }) => describeRule(rule)).join('; ');
  return `${scenario.name}, where this goes otherwise: ${words}.`;
}

function describe(found: Found, again: string): string {
  const { schedule, bucket, finding, run, seed, time, unsteady } = found;
  const { deviations, scenario } = schedule;
  const heading = `# ${bucket.rule}${bucket.about === undefined ? '' : ` (${bucket.about})`}`;
  const weight =
    bucket.level === 'must' ? 'A rule is broken.' : 'Advice: the API does not oblige a client to this.';
  const what =
    deviations.length === 0
      ? ['Nothing has to go otherwise: the scenario shows it as it stands.']
      : deviations.map(({ rule }, index) => `${index + 1}. ${describeRule(rule)}`);
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

function waitedFor({ waiting_for }: ClientRun): string[] {
  return waiting_for === undefined ? [] : [`The client was waiting for ${waiting_for}.`];
}
