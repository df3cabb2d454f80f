import { readFile } from 'node:fs/promises';
import { InvalidFile } from '../../../mock/options/invalid-file.js';
import { loadScenarios } from '../../../scenarios/format/load/load.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Client } from '../../client/types.js';
import { openTools } from '../real-tools.js';
import { bucketOf } from '../search/buckets.js';
import type { Tools } from '../tools.js';
import type { Replay } from '../types.js';
import { SHOWS, TIME } from './write-finding.js';

/**
 * Runs the schedule of a file once more. Rejects with InvalidFile where the file is no scenario. The seed is the file's
 * own unless one is given.
 */
export async function replay(
  file: string,
  client: Client,
  options: { seed?: number; signal?: AbortSignal } = {},
  open: (client: Client, seed: number, unhurried: boolean) => Promise<Tools> = openTools,
): Promise<Replay> {
  const { scenarios, problems } = await loadScenarios([file]);
  const [scenario] = scenarios;
  if (!scenario || problems.length > 0) throw new InvalidFile(problems);
  const text = await readFile(file, 'utf8');
  // What was found on virtual time may need the polls in vain that came about there.
  const unhurried = comment(text, ON_VIRTUAL_TIME) !== undefined;
  const tools = await open(client, options.seed ?? seedIn(text) ?? 1, unhurried);
  try {
    return await replayWith(tools, scenario, expectedIn(text), options.signal);
  } finally {
    await tools.close();
  }
}

/** The same with tools that are there already. `expected`: key of the bucket that it is to show. */
export async function replayWith(
  tools: Tools,
  scenario: Scenario,
  expected: string | undefined,
  signal?: AbortSignal,
): Promise<Replay> {
  const run = await tools.play(scenario, signal);
  const deviations = scenario.timeline.flatMap((step) =>
    'network' in step && /^d\d+$/.test(step.id ?? '') ? [step.id!] : [],
  );
  const missed = deviations.filter(
    (id) => !run.rules.some(({ step, fired, gave_up }) => step === id && fired > gave_up),
  );
  const findings = tools.judge(run);
  const shown =
    missed.length === 0 &&
    findings.some((finding) =>
      expected === undefined ? finding.level === 'must' : bucketOf(finding).key === expected,
    );
  return {
    failed: findings.map(({ rule, about, level, message, evidence }) => ({
      rule,
      about,
      level,
      message,
      evidence,
    })),
    expected,
    shown,
    unrealised: missed,
    run,
  };
}

/** Key of the bucket that a file says it shows. */
export function expectedIn(text: string): string | undefined {
  return comment(text, new RegExp(`^# *${SHOWS} *(\\S.*)$`, 'm'));
}

const ON_VIRTUAL_TIME = new RegExp(`^# *${TIME} *(virtual.*)$`, 'm');

function seedIn(text: string): number | undefined {
  const seed = comment(text, /^# *Found by taskdouble explore in .*, seed (\d+)\.$/m);
  return seed === undefined ? undefined : Number(seed);
}

function comment(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[1]?.trim();
}
