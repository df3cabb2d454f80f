import type { Scenario } from '../../../scenarios/format/types.js';
import { hashOf } from '../../../spec/hash.js';
import { candidatesOf, prioritiesOf } from '../schedule/candidates.js';
import { deviationText, textOf } from '../schedule/schedule.js';
import { readTrace } from '../schedule/traced-run.js';
import type { Schedule } from '../types.js';
import type { Examined, Examiner } from './examiner.js';
import { Frontier } from './frontier.js';
import { inOrder } from './pool.js';
import { isMine } from './shard.js';

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
  const story = readTrace(run.trace);
  const candidates = candidatesOf(scenario, run.trace, deviations, examiner.bounds, story);
  const length = deviations.length + 1;
  if (length === 1) examiner.defaults.set(scenario, candidates);
  const priorities = length === 1 ? prioritiesOf(candidates) : undefined;
  const texts = deviations.map(deviationText);
  const places = deviations.map(({ at }) => story.places.get(at));
  candidates.forEach(({ deviation, text: own, place, rank: ownRank }, index) => {
    const text = textOf(scenario, [...texts, own]);
    if (!examiner.meet(hashOf(text))) return;
    const isOurs = isMine(text, length, examiner.shard);
    if (isOurs) examiner.coverage.offered(scenario.name, length);
    // Those of other shards are run all the same where successors of them may be ours.
    if (!isOurs && isLastLevel) return;
    const together = rank + ownRank;
    let distance = Infinity;
    for (const other of places) distance = Math.min(distance, Math.abs(place - (other ?? place)));
    const turn = priorities?.[index] ?? together + DISTANCE_COUNTS * distance;
    next.push(turn, { schedule: { scenario, deviations: [...deviations, deviation] }, rank: together });
  });
}
