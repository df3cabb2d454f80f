import type { Scenario } from '../../scenarios/types.js';
import { candidatesOf } from './candidates.js';
import type { Examined, Examiner } from './examiner.js';
import { Frontier } from './frontier.js';
import { hashOf } from './hash.js';
import { inOrder } from './pool.js';
import { scheduleText } from './schedule.js';
import { isMine } from './shard.js';
import { storyOf } from './story.js';
import { rankOf, turnsOf } from './turns.js';
import type { Schedule } from './types.js';

/** A schedule that waits for its turn. */
interface Waiting {
  schedule: Schedule;
  /** How telling its deviations are together. */
  rank: number;
}

/** More than this many wait for their turn at no time: a search to be run in one go never gets there. */
const MOST_WAITING = 250_000;

/** How much a step of distance between two deviations counts against how telling they are. */
const DISTANCE_COUNTS = 6;

/**
 * Breadth-first by the number of deviations, up to `most`: the default of every scenario, then everything that could go
 * otherwise in it, then everything that could go otherwise in those, closest pairs first. What has shown nothing new,
 * or has not come about, has no successors.
 */
export async function searchSystematically(
  examiner: Examiner,
  scenarios: readonly Scenario[],
  most: number,
  jobs: number,
): Promise<void> {
  let level = new Frontier<Waiting>(MOST_WAITING);
  for (const scenario of scenarios) level.push(0, { schedule: { scenario, deviations: [] }, rank: 0 });
  for (let deviations = 0; deviations <= most && level.size > 0; deviations++) {
    const next = new Frontier<Waiting>(MOST_WAITING);
    const isLast = deviations === most;
    const expand = (waiting: Waiting, examined: Examined) => {
      if (!isLast) offerSuccessors(next, waiting, examined, examiner, deviations + 1 === most);
    };
    await inOrder(
      level.drain(),
      jobs,
      ({ schedule }) => examiner.play(schedule),
      async (waiting, run) => {
        const examined = run && (await examiner.examine(waiting.schedule, run));
        if (examined) expand(waiting, examined);
      },
      () => examiner.isOver(),
    );
    if (examiner.isOver()) return;
    level = next;
  }
}

function offerSuccessors(
  next: Frontier<Waiting>,
  { schedule, rank }: Waiting,
  { run, isRealised, isNew }: Examined,
  examiner: Examiner,
  isLastLevel: boolean,
): void {
  const { scenario, deviations } = schedule;
  examiner.coverage.expanded(scenario.name, deviations.length);
  if (!isRealised || !isNew) return;
  const candidates = candidatesOf(scenario, run.trace, deviations, examiner.bounds);
  if (deviations.length === 0) examiner.defaults.set(scenario, candidates);
  const turns = turnsOf(candidates);
  const { places } = storyOf(run.trace);
  candidates.forEach(({ deviation, place, sort }, index) => {
    const successor = { scenario, deviations: [...deviations, deviation] };
    const text = scheduleText(successor);
    if (!examiner.meet(hashOf(text))) return;
    const isOurs = isMine(text, successor.deviations.length, examiner.shard);
    if (isOurs) examiner.coverage.offered(scenario.name, successor.deviations.length);
    // Those of other shards are run all the same where successors of them may be ours.
    if (!isOurs && isLastLevel) return;
    const together = rank + rankOf(sort);
    const distances = deviations.map(({ at }) => Math.abs(place - (places.get(at) ?? place)));
    const turn =
      deviations.length === 0 ? turns[index]! : together + DISTANCE_COUNTS * Math.min(...distances);
    next.push(turn, { schedule: successor, rank: together });
  });
}
