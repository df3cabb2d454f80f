import { join } from 'node:path';
import { readCommandName } from '../../conformance/common/command-name.js';
import { type ConformOptions, type ConformResult, conform } from '../../conformance/conform.js';
import { type FoundSequence, formatFileName } from '../../conformance/service/search/found-sequence.js';
import { writeScript } from '../../conformance/service/search/reproduce/script.js';
import { readSequence, writeSequence } from '../../conformance/service/search/reproduce/sequence-file.js';
import { readFile } from '../../mock/options/files.js';
import { redactSecrets } from '../../spec/redact.js';
import type { ConformFlags } from '../conform.js';
import { EXIT } from '../exit-codes.js';
import { writeOutput } from '../judging/outputs.js';
import { reportRun } from '../judging/report-run.js';
import { printWarning } from '../print.js';
import { readSettings, toConformOptions } from './settings.js';

/** The command that reproduces a failure: with the files in `out`, or by sending the sequences of the search again. */
export function formatAgain(
  { baseUrl, shard }: Pick<ConformOptions, 'baseUrl' | 'shard'>,
  out: string | undefined,
  found: Pick<FoundSequence, 'key' | 'first'>,
  seed: number,
): string {
  const command = `${readCommandName()} conform ${baseUrl}`;
  if (out !== undefined) return `${command} --replay ${join(out, formatFileName(found))}.yaml`;
  const part = shard ? ` --shard ${shard.part}/${shard.of}` : '';
  return `${command} --search ${found.first} --seed ${seed}${part} --out taskdouble-search`;
}

/** Writes a file and a script for each failure of a search to the directory `out`, without keys. */
export function writeFoundSequences(
  { found = [], dialect, seed, target }: ConformResult,
  out: string,
  secrets: readonly string[],
): void {
  if (found.length === 0) return;
  const { base_url } = target;
  const isWritten = found.map((each) => {
    const path = join(out, formatFileName(each));
    const file = writeSequence(each, {
      dialect,
      seed,
      again: formatAgain({ baseUrl: base_url }, out, each, seed),
    });
    const script = writeScript(each, base_url);
    return (
      writeOutput('--out', `${path}.yaml`, redactSecrets(file, secrets)) &&
      writeOutput('--out', `${path}.sh`, redactSecrets(script, secrets))
    );
  });
  if (isWritten.includes(false)) process.exitCode ||= EXIT.usage;
  const names = found.map((each) => `${formatFileName(each)}.yaml`);
  printWarning(
    `the shortest sequences that reproduce the failures, each with a script of curl commands, in ${out}: ${names.join(', ')}`,
  );
}

/** Sends the sequence of a file once; exit code 1 if it fails. Throws UsageError or InvalidFile before anything is sent. */
export async function runReplay(
  file: string,
  baseUrl: string | undefined,
  flags: ConformFlags,
): Promise<void> {
  const sequence = readSequence(readFile(file), file);
  const options = toConformOptions(readSettings(baseUrl, flags, process.env, printWarning));
  const secrets = [options.apiKey, ...Object.values(options.keys ?? {})].filter((key) => key !== undefined);
  await reportRun({
    files: { report: flags.report, all: flags.all, har: flags.har },
    secrets,
    cleanUp: 'removing what was created on the target',
    run: ({ signal }) =>
      conform({ ...options, cases: [], suites: undefined, search: 0, replay: sequence, signal }),
    listUnselected: undefined,
  });
}
