import type { Scenario } from '../../../scenarios/format/types.js';
import { hashText } from '../../../spec/hash.js';
import { runInOrder } from '../../common/run-in-order.js';
import { assignPriorities, isAlone, listCandidates } from '../schedule/candidates.js';
import { formatDeviationKey, isInShard, joinScheduleKey } from '../schedule/schedule.js';
import { readTrace } from '../schedule/traced-run.js';
import type { ScheduleResult } from '../search-tools.js';
import type { Schedule } from '../types.js';
import type { ScheduleRunner } from './schedule-runner.js';

interface QueuedSchedule {
  schedule: Schedule;
  /** The sum of the ranks of its deviations. */
  rank: number;
  /** Low numbers come first; equal ones in the order of queueing. */
  priority: number;
  /** Position in the queue, counting all shards. */
  index: number;
}

/** Most queued schedules; those with the lowest priority are dropped. A search in one process never reaches it. */
const MOST_QUEUED = 250_000;

/** Weight of the distance between two deviations relative to their ranks. */
const DISTANCE_WEIGHT = 6;

interface Expansion {
  queued: QueuedSchedule;
  result: ScheduleResult;
}

/**
 * Breadth-first by the number of deviations, up to `readLimit` of each scenario: the default schedules, then every single deviation, then
 * every pair, closest pairs first. A run with a known order, or with a deviation that was not triggered, has no successors. A deviation
 * that alone leads to a known order is no part of a pair: another deviation, or none, leads to the same.
 */
export async function searchSystematically(
  runner: ScheduleRunner,
  scenarios: readonly Scenario[],
  jobs: number,
): Promise<void> {
  const { readLimit } = runner.setup;
  const most = Math.max(...scenarios.map(readLimit));
  let queue: QueuedSchedule[] = scenarios.map((scenario, index) => {
    return { schedule: { scenario, deviations: [] }, rank: 0, priority: 0, index };
  });
  for (let deviations = 0; deviations <= most && !runner.isOver(); deviations++) {
    const next: QueuedSchedule[] = [];
    const counter = { queued: 0 };
    /** Expanded once it is known which single deviations are redundant. */
    const later: Expansion[] = [];
    const expand = ({ queued, result }: Expansion) => {
      const isLastLevel = deviations + 1 === readLimit(queued.schedule.scenario);
      queueSuccessors(next, counter, queued, result, runner, isLastLevel);
      if (next.length > 2 * MOST_QUEUED) keepBest(next);
    };
    await runInOrder(
      drainQueue(queue),
      jobs,
      ({ schedule }) => {
        runner.countStarted(schedule);
        return runner.play(schedule);
      },
      async (queued, result) => {
        if (!result) return;
        const { priority, index } = queued;
        const isNew = await runner.examine(queued.schedule, result, [deviations, priority, index]);
        const { scenario, deviations: present } = queued.schedule;
        if (deviations === readLimit(scenario)) return;
        runner.coverage.add('expanded', scenario.name, deviations);
        if (deviations === 1 && result.isTriggered && !isNew)
          runner.redundant.add(joinScheduleKey(scenario, present.map(formatDeviationKey)));
        if (!isNew || queued.schedule.deviations.some(isAlone)) return;
        if (deviations === 1) later.push({ queued, result });
        else expand({ queued, result });
      },
      () => runner.isOver(),
    );
    later.forEach(expand);
    queue = next;
  }
}

function keepBest(queue: QueuedSchedule[]): void {
  queue.sort((one, other) => one.priority - other.priority).splice(MOST_QUEUED);
}

/** Best first. Returned items are removed, to free memory. */
function* drainQueue(queue: QueuedSchedule[]): Generator<QueuedSchedule> {
  keepBest(queue);
  queue.reverse();
  for (let queued = queue.pop(); queued; queued = queue.pop()) yield queued;
}

function queueSuccessors(
  queue: QueuedSchedule[],
  counter: { queued: number },
  { schedule, rank }: QueuedSchedule,
  { trace }: ScheduleResult,
  runner: ScheduleRunner,
  isLastLevel: boolean,
): void {
  const { scenario, deviations } = schedule;
  const traced = readTrace(trace);
  const candidates = listCandidates(scenario, traced, deviations, runner.setup.bounds);
  const length = deviations.length + 1;
  if (length === 1)
    runner.defaults.set(
      scenario,
      candidates.filter(({ deviation }) => !isAlone(deviation)),
    );
  const priorities = length === 1 ? assignPriorities(candidates) : undefined;
  const texts = deviations.map(formatDeviationKey);
  const places = deviations.map(({ at }) => traced.places.get(at));
  candidates.forEach(({ deviation, text: own, place, rank: ownRank }, index) => {
    const text = joinScheduleKey(scenario, [...texts, own]);
    if (length > 1 && runner.isRedundant(scenario, own)) return;
    if (!runner.markSeen(hashText(text))) return;
    const queuedBefore = counter.queued++;
    const isOurs = isInShard(text, length, runner.setup.shard);
    runner.coverage.add('queued', scenario.name, length);
    if (isOurs) runner.coverage.add('ours', scenario.name, length);
    // Schedules of other shards are run if their successors may be in this shard.
    if (!isOurs && isLastLevel) return;
    const sum = rank + ownRank;
    let distance = Infinity;
    for (const other of places) distance = Math.min(distance, Math.abs(place - (other ?? place)));
    const priority = priorities?.[index] ?? sum + DISTANCE_WEIGHT * distance;
    const successor = { scenario, deviations: [...deviations, deviation] };
    queue.push({ schedule: successor, rank: sum, priority, index: queuedBefore });
  });
}
