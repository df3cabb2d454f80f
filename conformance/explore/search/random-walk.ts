import { createRandom, type Random } from '../../../mock/generate/random.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { DeviationKind } from '../../../scenarios/verbs/verbs.js';
import { hashOf } from '../../../spec/hash.js';
import { groupBy } from '../../group-by.js';
import { type Candidate, candidatesOf, DEVIATION_KINDS, isFaultOf } from '../schedule/candidates.js';
import { isOfShard, scheduleText } from '../schedule/schedule.js';
import { readTrace } from '../schedule/traced-run.js';
import type { Schedule } from '../types.js';
import { runInOrder } from './run-in-order.js';
import type { ScheduleRunner } from './schedule-runner.js';

/** Deviations that a walk has beyond those of the systematic search, at most. */
export const WALK_BEYOND = 4;

/** Walks in a row that met nothing new before the space counts as exhausted. */
const MOST_WITHOUT_RUNS = 2000;

/**
 * Random walks until the search is over: each takes a scenario, a part of the kinds of deviation (faults that are always
 * on hide others) and adds one deviation after the other, each drawn from the candidates of the run before. Also over when
 * there is nothing left to try.
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
  await runInOrder(
    naturalNumbers(),
    jobs,
    async (number) => walkOnce(runner, scenarios, systematic, random.fork(String(number))),
    (_, runs) => {
      withoutRuns = runs > 0 ? 0 : withoutRuns + 1;
    },
    () => runner.isOver() || withoutRuns >= MOST_WITHOUT_RUNS,
  );
}

/** Returns how many schedules it ran. */
async function walkOnce(
  runner: ScheduleRunner,
  scenarios: readonly Scenario[],
  systematic: number,
  random: Random,
): Promise<number> {
  const scenario = random.pick(scenarios);
  const kinds = new Set(DEVIATION_KINDS.filter(() => random.next() < 0.5));
  const { shard, bounds } = runner.setup;
  let candidates = runner.defaults.get(scenario) ?? [];
  let schedule: Schedule = { scenario, deviations: [] };
  const length = systematic + random.int(1, WALK_BEYOND);
  let runs = 0;
  while (schedule.deviations.length < length && !runner.isOver()) {
    const candidate = draw(candidates, schedule, kinds, random);
    if (!candidate) return runs;
    schedule = { scenario, deviations: [...schedule.deviations, candidate.deviation] };
    // Shorter ones belong to the systematic search.
    if (schedule.deviations.length <= systematic) continue;
    const text = scheduleText(schedule);
    if (!isOfShard(text, schedule.deviations.length, shard)) continue;
    if (!runner.meet(hashOf(text))) return runs;
    const run = await runner.play(schedule);
    const examined = run && (await runner.examine(schedule, run));
    if (!examined) return runs;
    runs++;
    if (!examined.isTriggered || examined.isFailed) return runs;
    candidates = candidatesOf(scenario, readTrace(examined.run.trace), schedule.deviations, bounds);
  }
  return runs;
}

/** Every kind has the same chance, however many candidates it has. */
function draw(
  candidates: readonly Candidate[],
  { deviations }: Schedule,
  kinds: ReadonlySet<DeviationKind>,
  random: Random,
): Candidate | undefined {
  const fitting = candidates.filter(({ deviation }) => {
    const { at, kind } = deviation;
    if (!kinds.has(kind) || deviations.includes(deviation)) return false;
    if (deviations.some((each) => each.at === at && each.kind === kind)) return false;
    const isFault = isFaultOf(at);
    return !(isFault(deviation) && deviations.some(isFault));
  });
  const byKind = [...groupBy(fitting, ({ deviation }) => deviation.kind).values()];
  return byKind.length === 0 ? undefined : random.pick(random.pick(byKind));
}

function* naturalNumbers(): Generator<number> {
  for (let number = 1; ; number++) yield number;
}
