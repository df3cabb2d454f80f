import { createRandom, type Random } from '../../../mock/generate/random.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { DeviationKind } from '../../../scenarios/verbs/verbs.js';
import { hashText } from '../../../spec/hash.js';
import { groupBy } from '../../../spec/lists.js';
import { runInOrder } from '../../common/run-in-order.js';
import { DEVIATION_KINDS, type DeviationCandidate, isFault, listCandidates } from '../schedule/candidates.js';
import { formatScheduleKey, isInShard } from '../schedule/schedule.js';
import { readTrace } from '../schedule/traced-run.js';
import type { ScheduleResult } from '../search-tools.js';
import type { Schedule } from '../types.js';
import type { ScheduleRunner } from './schedule-runner.js';
import type { PromisingSchedule } from './state-coverage.js';

/** Most deviations of a walk beyond those of the systematic search. */
export const WALK_BEYOND = 4;

/** Walks in a row without a new schedule after which the space counts as exhausted. */
const MOST_WITHOUT_RUNS = 2000;

/** Schedules with one deviation more than a promising one. */
const MOST_FROM_ONE = 6;

/** One walk of so many extends a promising schedule: that is half of the runs, because most random walks end with their first or second. */
const PROMISING_EVERY = 5;

/** Weight of the distance between a new state and a deviation, relative to the rank of the deviation. */
const DISTANCE_WEIGHT = 6;

/**
 * Walks until the search is over or nothing is left to explore. Some add another deviation to schedules that reached new states, those
 * with the most new states first, close to where the first of them was reached. A random walk selects a scenario and a
 * subset of the kinds of deviation (permanent faults hide others). It adds deviations one by one, each drawn from the candidates of the
 * previous run.
 */
export async function walkRandomly(
  runner: ScheduleRunner,
  scenarios: readonly Scenario[],
  systematic: number,
  jobs: number,
): Promise<void> {
  const { seed, shard } = runner.setup;
  const random = createRandom(seed).fork(`walks ${shard ? shard.part : 'all'}`);
  const promising = runner.promising.list();
  const findPromising = (number: number) =>
    number % PROMISING_EVERY === 1 ? promising[(number - 1) / PROMISING_EVERY] : undefined;
  let withoutRuns = 0;
  const isOver = () => runner.isOver() || withoutRuns >= MOST_WITHOUT_RUNS;
  await runInOrder(
    generateNumbers(),
    jobs,
    (number) => {
      const found = findPromising(number);
      if (found) return extendPromising(runner, found);
      return walkOnce(runner, scenarios, systematic, random.fork(String(number)));
    },
    async (number, walk) => {
      let runs = 0;
      for (const { schedule, hash, result } of walk) {
        if (isOver()) break;
        // Already found by a concurrent earlier walk. A random one ends there.
        if (!runner.markSeen(hash)) {
          if (findPromising(number)) continue;
          break;
        }
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

/** Plays a promising schedule with each of the deviations that are closest to its first new state. */
async function extendPromising(
  runner: ScheduleRunner,
  { schedule, trace, at }: PromisingSchedule,
): Promise<WalkedSchedule[]> {
  const { shard, bounds } = runner.setup;
  const { scenario, deviations } = schedule;
  const traced = readTrace(trace);
  const from = traced.places.get(at) ?? 0;
  const rate = ({ rank, place }: DeviationCandidate) => rank + DISTANCE_WEIGHT * Math.abs(place - from);
  const candidates = listCandidates(scenario, traced, deviations, bounds)
    .filter(({ text }) => !runner.isRedundant(scenario, text))
    .sort((one, other) => rate(one) - rate(other));
  const walked: WalkedSchedule[] = [];
  // Which ones does not depend on what concurrent walks have found.
  for (const { deviation } of candidates.slice(0, MOST_FROM_ONE)) {
    const longer = { scenario, deviations: [...deviations, deviation] };
    const text = formatScheduleKey(longer);
    const hash = hashText(text);
    if (!isInShard(text, longer.deviations.length, shard) || runner.hasSeen(hash)) continue;
    const result = runner.isOver() ? undefined : await runner.play(longer);
    if (!result) break;
    walked.push({ schedule: longer, hash, result });
  }
  return walked;
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
    if (!result.isTriggered || runner.hasFailed(result) || schedule.deviations.length === length) break;
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
    return !(isFault(deviation) && deviations.some((each) => each.at === at && isFault(each)));
  });
  const byKind = [...groupBy(fitting, ({ deviation }) => deviation.kind).values()];
  return byKind.length === 0 ? undefined : random.pick(random.pick(byKind));
}

function* generateNumbers(): Generator<number> {
  for (let number = 1; ; number++) yield number;
}
