import { show } from '../../conversation/json.js';
import { failure, type RunFinding } from './finding.js';
import { lastWords } from './last-words.js';
import type { Story } from './story.js';

/** The exit code, held against the line. Says nothing where there is no line. */
export function exitCode({ run, line, gaveUp, end, actions }: Story): RunFinding[] {
  const { exit_code } = run;
  if (line === undefined || exit_code === null || run.end !== 'by-itself') return [];
  const said = (message: string): RunFinding[] => [
    failure({ rule: 'exit/code', requirement: 'CLIENT-10', message, evidence: end ? [end.seq] : [] }),
  ];
  if (gaveUp !== undefined) {
    if (exit_code !== 0) return [];
    return said(
      `The line says that the client gave up (${show(gaveUp)}), and it exited with 0. Exit with 1 where there is an "error".`,
    );
  }
  const results = [...actions.values()];
  const isGood =
    end?.status === 'done' &&
    run.job.cancel_after_ms === null &&
    results.every(({ result }) => result?.code === 200);
  const allSent = results.filter(({ name }) => name !== 'close').length >= run.job.actions.length;
  if (!isGood || !allSent || exit_code === 0) return [];
  const last = lastWords(run.stderr);
  const words = last ? ` The last of its stderr: ${last}` : '';
  return said(
    `The task is "done", no action failed and the line has no "error", and the client exited with ${exit_code}. Exit with 0.${words}`,
  );
}
