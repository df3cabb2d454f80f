import {
  type OnProgress,
  type RecordingFile,
  readRecording,
} from '../../../mock/exchange/readers/read-recording.js';
import { InvalidFile } from '../../../scenarios/format/invalid-file.js';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import { createFileProblem } from '../../../scenarios/format/load/read-file.js';
import { writeScenario } from '../../../scenarios/format/write.js';
import { toOneLine } from '../../../spec/visible.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { formatCount, UniqueNames } from '../../common/text.js';
import { VERSION } from '../../common/version.js';
import { writeCanonicalJson } from '../../conversation/json.js';
import { joinRecordings } from '../join-recordings.js';
import { type RecordedScenario, toScenario } from './recorded-scenario.js';
import { type RecordedTask, readRecordedTasks } from './recorded-task.js';

/** The start of a name: file systems take 255 bytes, and a number and `.yaml` follow. */
const LONGEST_NAME = /^.{0,79}[a-z0-9]/;

/** One conversation of a recording as the text of a scenario file. */
export interface WrittenScenario {
  /** Used as the file name. */
  name: string;
  /** Undefined if no response contains it. */
  task: string | undefined;
  yaml: string;
}

export interface ConvertedRecording {
  recording: RecordingFile;
  scenarios: WrittenScenario[];
  /** Conversations without a scenario, and why: a sentence each. */
  leftOut: string[];
}

/** Converts the conversations of a journal or HAR file into scenarios. Throws InvalidFile. */
export async function convertRecording(
  file: string,
  { task, onProgress }: { task?: string | undefined; onProgress?: OnProgress | undefined } = {},
): Promise<ConvertedRecording> {
  const recording = await readRecording(file, onProgress);
  const found = readRecordedTasks(joinRecordings([recording]));
  if (task === undefined) return { recording, ...writeScenarios(found, file, [], onProgress) };
  const tasks = found.tasks.filter(({ id }) => id === task);
  if (tasks.length === 0) throw createUnknownTaskError(file, task, found);
  return { recording, ...writeScenarios({ tasks, headless: [] }, file, []) };
}

/** `source` names the origin of the exchanges; `usedNames` are not given to scenarios. */
export function convertExchanges(
  exchanges: readonly Exchange[],
  source: string,
  usedNames: readonly string[] = [],
): Omit<ConvertedRecording, 'recording'> {
  return writeScenarios(readRecordedTasks(exchanges), source, usedNames);
}

function writeScenarios(
  { tasks, headless }: ReturnType<typeof readRecordedTasks>,
  file: string,
  usedNames: readonly string[],
  onProgress?: OnProgress,
): Omit<ConvertedRecording, 'recording'> {
  const names = new UniqueNames(usedNames);
  /** The `match` of each scenario so far. */
  const matches = new Set<string>();
  const scenarios: WrittenScenario[] = [];
  const leftOut = headless.map((id) => `task ${toOneLine(id)} began before the recording`);
  for (const [at, task] of tasks.entries()) {
    onProgress?.(() => `${at} of ${formatCount(tasks.length, 'conversation')} written`);
    // A conversation that cannot be converted does not prevent the others.
    try {
      const one = toScenario(task, createName(task, names));
      const match = writeCanonicalJson(one.scenario.match);
      if (matches.has(match)) {
        one.scenario.match = 'never';
        one.remarks.push(
          'Another conversation has the same request: this scenario is chosen by its name only.',
        );
      }
      const yaml = writeRecordedScenario(one, { file, task });
      const { name } = one.scenario;
      const [problem] = loadScenarioText(yaml, { file: `${name}.yaml`, name }).problems;
      if (problem) throw new Error(problem.message);
      matches.add(match);
      scenarios.push({ name, task: task.id, yaml });
    } catch (error) {
      leftOut.push(
        `${describeTask(task)} cannot be written as a scenario: ${toOneLine((error as Error).message)}`,
      );
    }
  }
  return { scenarios, leftOut };
}

function describeTask({ id, creates }: RecordedTask): string {
  return id === undefined ? `the request of exchange ${creates[0]!.seq}` : `task ${toOneLine(id)}`;
}

/** The file, with a comment on every choice that the recording leaves open. */
export function writeRecordedScenario(
  { scenario, comments, remarks }: RecordedScenario,
  { file, task }: { file: string; task: RecordedTask },
): string {
  const { id, exchanges } = task;
  const from = `${toOneLine(file)}${id === undefined ? '' : `, task ${toOneLine(id)}`}`;
  const comment = [
    `Made by taskdouble ${VERSION} from ${from}: ${formatCount(exchanges.length, 'exchange')}.`,
    ...remarks.map(toOneLine),
    'Check what is guessed: covers, and each step with a comment.',
  ].join('\n');
  return writeScenario(scenario, { comment, stepComments: comments });
}

/** `look-up-the-weather` from the text of a task, `session-` and the host for a session. */
function createName({ task, creates }: RecordedTask, names: UniqueNames): string {
  const request = (task.request ?? creates[0]!.requestJson ?? {}) as Record<string, unknown>;
  const { task: text, url } = request;
  const words =
    typeof text === 'string'
      ? text
      : `session ${typeof url === 'string' ? url.replace(/^\w+:\/\//, '') : ''}`;
  const slug =
    words
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .split('-')
      .filter(Boolean)
      .slice(0, 6)
      .join('-') || 'task';
  const [start] = slug.match(LONGEST_NAME)!;
  return names.reserve(start);
}

function createUnknownTaskError(
  file: string,
  task: string,
  { tasks, headless }: ReturnType<typeof readRecordedTasks>,
): InvalidFile {
  const known = tasks.flatMap(({ id }) => id ?? []).slice(0, 5);
  const why = headless.includes(task)
    ? `the creation of task ${task} is not in it: the recording began later`
    : `there is no task ${JSON.stringify(task)} in it${known.length > 0 ? `; there are ${known.join(', ')}${tasks.length > 5 ? ', …' : ''}` : ''}`;
  return new InvalidFile([createFileProblem(file, toOneLine(why))]);
}
