import { createRandom, type Random } from '../../../mock/generate/random.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { DeviationKind } from '../../../scenarios/verbs/verbs.js';
import { hashText } from '../../../spec/hash.js';
import { groupBy } from '../../../spec/lists.js';
import { runInOrder } from '../../common/run-in-order.js';
import {
  createFaultFilter,
  DEVIATION_KINDS,
  type DeviationCandidate,
  listCandidates,
} from '../schedule/candidates.js';
import { formatScheduleKey, isInShard } from '../schedule/schedule.js';
import { readTrace } from '../schedule/traced-run.js';
import type { ScheduleResult } from '../search-tools.js';
import type { Schedule } from '../types.js';
import type { ScheduleRunner } from './schedule-runner.js';

/** Most deviations of a walk beyond those of the systematic search. */
export const WALK_BEYOND = 4;

/** Walks in a row without a new schedule after which the space counts as exhausted. */
const MOST_WITHOUT_RUNS = 2000;

/**
 * Random walks until the search is over or nothing is left to explore. Each walk selects a scenario and a subset of the kinds of deviation
 * (permanent faults hide others). It adds deviations one by one, each drawn from the candidates of the previous run.
 */
export async function walkRandomly(
  runner: ScheduleRunner,
  scenarios: readonly Scenario[],
  systematic: number,
  jobs: number,
): Promise<void> {
  const { seed, shard } = runner.setup;
  const random = createRandom(seed).fork(`walks ${shard ? shard.part : 'all'}`);
  let withoutRuns = 0;
  const isOver = () => runner.isOver() || withoutRuns >= MOST_WITHOUT_RUNS;
  await runInOrder(
    generateNumbers(),
    jobs,
    (number) => walkOnce(runner, scenarios, systematic, random.fork(String(number))),
    async (number, walk) => {
      let runs = 0;
      for (const { schedule, hash, result } of walk) {
        // Already found by a concurrent earlier walk.
        if (isOver() || !runner.markSeen(hash)) break;
        runner.countStarted(schedule);
        // After everything from the systematic search.
        await runner.examine(schedule, result, [Number.MAX_SAFE_INTEGER, number, schedule.deviations.length]);
        runs++;
      }
      if (!isOver()) withoutRuns = runs > 0 ? 0 : withoutRuns + 1;
    },
    isOver,
  );
}

interface WalkedSchedule {
  schedule: Schedule;
  hash: number;
  result: ScheduleResult;
}

/** The schedules of one walk with their results. It is independent of other walks, except that it ends early at a known schedule. */
async function walkOnce(
  runner: ScheduleRunner,
  scenarios: readonly Scenario[],
  systematic: number,
  random: Random,
): Promise<WalkedSchedule[]> {
  const scenario = random.pick(scenarios);
  const kinds = new Set(DEVIATION_KINDS.filter(() => random.next() < 0.5));
  const { shard, bounds } = runner.setup;
  let candidates = runner.defaults.get(scenario) ?? [];
  let schedule: Schedule = { scenario, deviations: [] };
  const length = systematic + random.int(1, WALK_BEYOND);
  const walked: WalkedSchedule[] = [];
  while (schedule.deviations.length < length && !runner.isOver()) {
    const candidate = drawCandidate(candidates, schedule, kinds, random);
    if (!candidate) break;
    schedule = { scenario, deviations: [...schedule.deviations, candidate.deviation] };
    // Shorter ones belong to the systematic search.
    if (schedule.deviations.length <= systematic) continue;
    const text = formatScheduleKey(schedule);
    if (!isInShard(text, schedule.deviations.length, shard)) continue;
    const hash = hashText(text);
    const result = runner.hasSeen(hash) ? undefined : await runner.play(schedule);
    if (!result) break;
    walked.push({ schedule, hash, result });
    if (!result.isTriggered || runner.hasFailed(result)) break;
    candidates = listCandidates(scenario, readTrace(result.trace), schedule.deviations, bounds);
  }
  return walked;
}

/** Every kind has the same chance, however many candidates it has. */
function drawCandidate(
  candidates: readonly DeviationCandidate[],
  { deviations }: Schedule,
  kinds: ReadonlySet<DeviationKind>,
  random: Random,
): DeviationCandidate | undefined {
  const fitting = candidates.filter(({ deviation }) => {
    const { at, kind } = deviation;
    if (!kinds.has(kind) || deviations.includes(deviation)) return false;
    if (deviations.some((each) => each.at === at && each.kind === kind)) return false;
    const isFault = createFaultFilter(at);
    return !(isFault(deviation) && deviations.some(isFault));
  });
  const byKind = [...groupBy(fitting, ({ deviation }) => deviation.kind).values()];
  return byKind.length === 0 ? undefined : random.pick(random.pick(byKind));
}

function* generateNumbers(): Generator<number> {
  for (let number = 1; ; number++) yield number;
}
