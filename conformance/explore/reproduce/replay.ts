import { InvalidFile } from '../../../mock/options/invalid-file.js';
import { loadScenarios } from '../../../scenarios/format/load/load.js';
import type { Client } from '../../client/types.js';
import { notTriggered } from '../schedule/schedule.js';
import { openTools } from '../tools.js';
import type { Replay } from '../types.js';
import { failureKey } from './reproducer.js';

/**
 * Runs the schedule of a file once more. Rejects with InvalidFile where the file is no scenario. The seed is the file's
 * own unless one is given.
 */
export async function replay(
  file: string,
  client: Client,
  options: { seed?: number; signal?: AbortSignal } = {},
  open: typeof openTools = openTools,
): Promise<Replay> {
  const { scenarios, problems } = await loadScenarios([file]);
  const [scenario] = scenarios;
  if (!scenario || problems.length > 0) throw new InvalidFile(problems);
  const { failure: expected, seed = 1, time } = scenario.reproduces ?? {};
  // What was found on virtual time may need the polls that learnt nothing there.
  const tools = await open(client, options.seed ?? seed, time?.startsWith('virtual'));
  try {
    const run = await tools.play(scenario, options.signal);
    const missed = notTriggered(run);
    const findings = tools.judge(run);
    const isExpected = findings.some((finding) =>
      expected === undefined ? finding.level === 'must' : failureKey(finding) === expected,
    );
    return { findings, expected, shown: missed.length === 0 && isExpected, notTriggered: missed, run };
  } finally {
    await tools.close();
  }
}
