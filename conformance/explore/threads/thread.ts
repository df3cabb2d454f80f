/** Entry point of each worker thread of `explore`: plays schedules against the client function of a module. */
import type { Scenario } from '../../../scenarios/format/types.js';
import { CapturedOutput } from '../../client/run/captured-output.js';
import { loadFunction } from '../../client/run/function-module.js';
import { refuseExit } from '../../client/run/function-run.js';
import type { ClientRun } from '../../client/types.js';
import { openTools, runSchedule, type ScheduleResult, type SearchTools } from '../search-tools.js';
import type { Schedule } from '../types.js';

export interface ThreadTask {
  /** Path of the client's module, and the seed of the search: the same in every task of a thread. */
  module: string;
  seed: number;
  scenario?: Scenario;
  schedule?: Schedule;
  isJudged?: boolean;
}

// The main thread has loaded the client too: its output at load time is not repeated.
new CapturedOutput();
refuseExit();

let opened: Promise<SearchTools> | undefined;

export default async function run({
  module,
  seed,
  scenario,
  schedule,
  isJudged = false,
}: ThreadTask): Promise<ClientRun | ScheduleResult | undefined> {
  opened ??= open(module, seed);
  const tools = await opened;
  return schedule ? runSchedule(tools, schedule, isJudged) : tools.play(scenario!);
}

async function open(module: string, seed: number): Promise<SearchTools> {
  const { run } = await loadFunction(module);
  return openTools({ kind: 'function', run: run! }, seed);
}
