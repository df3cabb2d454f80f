import { join } from 'node:path';
import { readCommandName } from '../../conformance/common/command-name.js';
import { type ConformResult, conform } from '../../conformance/conform.js';
import { writeScript } from '../../conformance/service/search/reproduce/script.js';
import { readSequence, writeSequence } from '../../conformance/service/search/reproduce/sequence-file.js';
import { type FoundSequence, formatFileName } from '../../conformance/service/search/search.js';
import { readFile } from '../../mock/options/files.js';
import { redactSecrets } from '../../spec/redact.js';
import type { ConformFlags } from '../conform.js';
import { EXIT } from '../exit-codes.js';
import { writeOutput } from '../judging/outputs.js';
import { reportRun } from '../judging/report-run.js';
import { printWarning } from '../print.js';
import { readSettings, toConformOptions } from './settings.js';

/** Directory of the sequences that reproduce failures. */
export const SEQUENCES = 'taskdouble-search';

/** The command that reproduces a failure. */
export function formatReplayCommand(baseUrl: string, found: Pick<FoundSequence, 'key'>): string {
  return `${readCommandName()} conform ${baseUrl} --replay ${SEQUENCES}/${formatFileName(found)}.yaml`;
}

/** Writes a file and a script for each failure of a search, without keys. */
export function writeFoundSequences(
  { found = [], dialect, seed, target }: ConformResult,
  secrets: readonly string[],
): void {
  if (found.length === 0) return;
  const { base_url } = target;
  const isWritten = found.map((each) => {
    const path = join(SEQUENCES, formatFileName(each));
    const file = writeSequence(each, { dialect, seed, again: formatReplayCommand(base_url, each) });
    const script = writeScript(each, base_url);
    return (
      writeOutput('--search', `${path}.yaml`, redactSecrets(file, secrets)) &&
      writeOutput('--search', `${path}.sh`, redactSecrets(script, secrets))
    );
  });
  if (isWritten.includes(false)) process.exitCode ||= EXIT.usage;
  const names = found.map((each) => `${formatFileName(each)}.yaml`);
  printWarning(
    `the shortest sequences that reproduce the failures, each with a script of curl commands, in ${SEQUENCES}/: ${names.join(', ')}`,
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
