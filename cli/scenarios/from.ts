import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatCount } from '../../conformance/common/text.js';
import { describeOthers } from '../../conformance/recordings/describe-gaps.js';
import {
  type ConvertedRecording,
  convertRecording,
} from '../../conformance/recordings/scenario/convert-recording.js';
import { toOneLine } from '../../spec/visible.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { checkWritable, writeScenarioFiles } from '../judging/outputs.js';
import { print, printWarning } from '../print.js';
import { runWithProgress } from '../progress.js';

/** Maximum number of task ids in a message. */
const MOST_NAMED = 5;

/** Prints the scenario of the one conversation in a recording, or writes a file for each. Throws UsageError and InvalidFile. */
export async function writeScenariosFrom(
  file: string,
  { task, out }: { task?: string; out?: string },
): Promise<void> {
  const made = await runWithProgress((onProgress) => convertRecording(file, { task, onProgress }));
  const { recording, scenarios, leftOut } = made;
  for (const note of recording.notes) printWarning(toOneLine(`${file} ${note}`));
  if (scenarios.length === 0) throw new UsageError(explainEmpty(file, made), EXIT.unreachable);
  if (out === undefined && scenarios.length > 1) throw createAmbiguityError(file, made);
  for (const why of leftOut) printWarning(`left out: ${why}`);
  if (out === undefined) await print(scenarios[0]!.yaml);
  else await write(out, scenarios);
}

async function write(out: string, scenarios: ConvertedRecording['scenarios']): Promise<void> {
  const paths = scenarios.map(({ name }) => join(out, `${name}.yaml`));
  checkWritable('--out', paths[0]!);
  const existing = paths.find((path) => existsSync(path));
  if (existing !== undefined)
    throw new UsageError(`--out: ${existing} is there already: remove it, or name another directory.`);
  const written = writeScenarioFiles('--out', out, scenarios);
  await print(written.map((path) => `${path}\n`).join(''));
}

function createAmbiguityError(file: string, { scenarios }: ConvertedRecording): UsageError {
  const ids = [...new Set(scenarios.flatMap(({ task }) => task ?? []))];
  const named = ids.slice(0, MOST_NAMED).map(toOneLine).join(', ') + (ids.length > MOST_NAMED ? ', …' : '');
  const conversations = formatCount(scenarios.length, 'conversation');
  // Two clients, or two services, may have a task of the same id.
  return new UsageError(
    ids.length > 1
      ? `${file} has ${conversations}: choose one with --task ID (${named}), or write all with --out DIR.`
      : `${file} has ${conversations} about a task ${named}: write all with --out DIR.`,
  );
}

function explainEmpty(file: string, { recording, leftOut }: ConvertedRecording): string {
  if (recording.exchanges.length === 0)
    return `${file} has no requests to this API${describeOthers(recording.others)}: there is no conversation to write.`;
  const [first] = leftOut;
  const why =
    first === undefined
      ? 'no task was created in it'
      : `${first}${leftOut.length > 1 ? `, and ${leftOut.length - 1} more` : ''}`;
  return `there is no scenario in ${file}: ${why}.`;
}
