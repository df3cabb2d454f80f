import { InvalidFile } from '../../../scenarios/format/invalid-file.js';
import { loadScenarios } from '../../../scenarios/format/load/load.js';
import { formatFailureKey } from '../../client/judge/findings.js';
import type { Client } from '../../client/types.js';
import { isDeviation, listUntriggered, removeDeviations } from '../schedule/schedule.js';
import { openTools } from '../search-tools.js';
import type { Replay } from '../types.js';
import { createRace } from './race.js';

/**
 * Repeats the schedule of a file. Rejects with InvalidFile if the file is not a scenario. The default seed is that of the file. With
 * `again`, the command for this replay, a run that shows the file's failure is combined with a run without the deviations into a `race`.
 */
export async function replay(
  file: string,
  client: Client,
  options: { seed?: number; signal?: AbortSignal; again?: string } = {},
  open: typeof openTools = openTools,
): Promise<Replay> {
  const { scenarios, problems } = await loadScenarios([file]);
  const [scenario] = scenarios;
  if (!scenario || problems.length > 0) throw new InvalidFile(problems);
  const { failure: expected, seed = 1, time } = scenario.reproduces ?? {};
  // A failure from virtual time may depend on empty polls.
  const tools = await open(client, options.seed ?? seed, { skipsWaits: !time?.startsWith('virtual') });
  try {
    const run = await tools.play(scenario, options.signal);
    const missed = listUntriggered(run);
    const findings = tools.judge(run);
    const isExpected = findings.some((finding) =>
      expected === undefined ? finding.level === 'must' : formatFailureKey(finding) === expected,
    );
    const replayed = {
      findings,
      expected,
      shown: missed.length === 0 && isExpected,
      notTriggered: missed,
      run,
    };
    const finding = findings.find((each) => formatFailureKey(each) === expected);
    if (options.again === undefined || !replayed.shown || !finding) return replayed;
    const good = scenario.timeline.some(isDeviation)
      ? await tools.play(removeDeviations(scenario), options.signal)
      : undefined;
    if (good?.end === 'aborted') return replayed;
    const runs = {
      bad: { run, findings },
      good: good && { run: good, findings: tools.judge(good) },
    };
    return { ...replayed, race: createRace(scenario, finding, runs, options.again) };
  } finally {
    await tools.close();
  }
}
