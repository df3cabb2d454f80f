import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { count } from '../../conformance/common/text.js';
import { elsewhere } from '../../conformance/recordings/gaps.js';
import { type ScenariosFrom, scenariosFrom } from '../../conformance/recordings/scenario/scenarios-from.js';
import { oneLine } from '../../spec/visible.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { checkWritable, writeScenarioFiles } from '../judging/outputs.js';
import { print, printWarning } from '../print.js';
import { withSteps } from '../with-steps.js';

/** Task ids that a message names. */
const MOST_NAMED = 5;

/** Prints the scenario of the one conversation in a recording, or writes a file for each. Throws UsageError and InvalidFile. */
export async function writeScenariosFrom(
  file: string,
  { task, out }: { task?: string; out?: string },
): Promise<void> {
  const made = await withSteps((onProgress) => scenariosFrom(file, { task, onProgress }));
  const { recording, scenarios, leftOut } = made;
  for (const note of recording.notes) printWarning(oneLine(`${file} ${note}`));
  if (scenarios.length === 0) throw new UsageError(whyNone(file, made), EXIT.unreachable);
  if (out === undefined && scenarios.length > 1) throw severalTasks(file, made);
  for (const why of leftOut) printWarning(`left out: ${why}`);
  if (out === undefined) await print(scenarios[0]!.yaml);
  else await write(out, scenarios);
}

async function write(out: string, scenarios: ScenariosFrom['scenarios']): Promise<void> {
  const paths = scenarios.map(({ name }) => join(out, `${name}.yaml`));
  checkWritable('--out', paths[0]!);
  const there = paths.find((path) => existsSync(path));
  if (there !== undefined)
    throw new UsageError(`--out: ${there} is there already: remove it, or name another directory.`);
  const written = writeScenarioFiles('--out', out, scenarios);
  await print(written.map((path) => `${path}\n`).join(''));
}

function severalTasks(file: string, { scenarios }: ScenariosFrom): UsageError {
  const ids = [...new Set(scenarios.flatMap(({ task }) => task ?? []))];
  const named = ids.slice(0, MOST_NAMED).map(oneLine).join(', ') + (ids.length > MOST_NAMED ? ', …' : '');
  const them = count(scenarios.length, 'conversation');
  // Two clients, or two services, may have a task of the same id.
  return new UsageError(
    ids.length > 1
      ? `${file} has ${them}: choose one with --task ID (${named}), or write all with --out DIR.`
      : `${file} has ${them} about a task ${named}: write all with --out DIR.`,
  );
}

function whyNone(file: string, { recording, leftOut }: ScenariosFrom): string {
  if (recording.exchanges.length === 0)
    return `${file} has no requests to this API${elsewhere(recording.others)}: there is no conversation to write.`;
  const [first] = leftOut;
  const why =
    first === undefined
      ? 'no task was created in it'
      : `${first}${leftOut.length > 1 ? `, and ${leftOut.length - 1} more` : ''}`;
  return `there is no scenario in ${file}: ${why}.`;
}
