import { drawMermaid, type SequenceLine } from '../../../scenarios/format/sequence-diagram.js';
import { writeScenario } from '../../../scenarios/format/write.js';
import type { Finding } from '../../../spec/vocabulary.js';
import { describeWait, isHang } from '../../client/judge/run-end.js';
import type { ClientRun } from '../../client/types.js';
import { readCommandName } from '../../common/command-name.js';
import type { RunTimeLabel } from '../../service/runner/result.js';
import { applyDeviations, describeDeviation } from '../schedule/schedule.js';
import type { Schedule } from '../types.js';
import { listRunLines } from './run-lines.js';

interface ReproducedFailure {
  schedule: Schedule;
  key: string;
  name: string;
  seed: number;
  time: RunTimeLabel;
  commandLine: string | undefined;
  /** The scenario is minimized from a generated one. */
  isMinimized?: boolean;
}

/** The text of NAME.yaml: the schedule as a scenario, with the failure that it reproduces. */
export function writeReproduction(found: ReproducedFailure): string {
  const { schedule, key, name, seed, time, isMinimized } = found;
  const { scenario, deviations } = schedule;
  const changes = deviations.map(describeDeviation).join('; ');
  const what = isMinimized ? `What is left of ${scenario.name}` : scenario.name;
  const description =
    deviations.length === 0
      ? `${isMinimized ? what : `${what}, unchanged,`} shows it.`
      : `${what} with these deviations: ${changes}.`;
  return writeScenario(
    {
      ...applyDeviations(schedule),
      name,
      title: `${scenario.title}: ${key}`,
      description,
      reproduces: { failure: key, seed, time },
      // Selected by name only: it coexists with the original scenario.
      match: 'never',
    },
    { comment: `Found by taskdouble in ${scenario.name}.\nTo see it again: ${formatReplayCommand(found)}` },
  );
}

export function formatReplayCommand({
  commandLine,
  name,
}: Pick<ReproducedFailure, 'commandLine' | 'name'>): string {
  const line = commandLine ?? `${readCommandName()} explore --replay FILE -- COMMAND`;
  return line.replace(/\bFILE\b/, `${name}.yaml`);
}

/** The text of NAME.md: the failure in words and as a diagram. */
export function describeFailure(
  found: ReproducedFailure & { finding: Finding; run: ClientRun; isNondeterministic: boolean },
): string {
  const { schedule, finding, run, seed, time, isNondeterministic, isMinimized } = found;
  const { deviations, scenario } = schedule;
  const { rule, about, level, message } = finding;
  const changes =
    deviations.length === 0
      ? 'None: the unchanged scenario shows it.'
      : deviations.map((each, index) => `${index + 1}. ${describeDeviation(each)}`).join('\n');
  const parts = [
    `# ${rule}${about === undefined ? '' : ` (${about})`}`,
    message,
    level === 'must' ? 'A rule is broken.' : 'Advice: the API does not oblige a client to this.',
    ...(isMinimized ? [`## Scenario\n\nWhat is left of \`${scenario.name}\`: ${scenario.title}.`] : []),
    ...(isMinimized && deviations.length === 0
      ? []
      : [`## Deviations\n\nIn ${isMinimized ? 'it' : `\`${scenario.name}\``}:\n\n${changes}`]),
    `## What happened\n\n\`\`\`mermaid\n${drawRun(run)}\n\`\`\``,
    ...(isHang(run) ? [`The client was waiting for ${describeWait(run)}.`] : []),
    `## To see it again\n\n\`\`\`sh\n${formatReplayCommand(found)}\n\`\`\``,
    `Seed ${seed}, time ${time}.${isNondeterministic ? ' Its runs differ: it may take more than one try.' : ''}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Most lines of a readable diagram. */
const MOST_LINES = 150;

function drawRun(run: ClientRun): string {
  const lines = listRunLines(run);
  const left = lines.length - MOST_LINES;
  // The end is kept: it shows where the client hangs.
  if (left > 0) {
    const note: SequenceLine = { kind: 'note', over: 'both', text: `${left} more lines` };
    lines.splice(MOST_LINES - MOST_LINES / 3, left, note);
  }
  return drawMermaid(lines, { isTimed: true }).trimEnd();
}
