import { createRandom, type Random } from '../../../mock/generate/random.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { DeviationKind } from '../../../scenarios/verbs/verbs.js';
import { hashOf } from '../../../spec/hash.js';
import { type Candidate, candidatesOf, DEVIATION_KINDS, isFaultOf } from '../schedule/candidates.js';
import { scheduleText } from '../schedule/schedule.js';
import type { Schedule } from '../types.js';
import type { Examiner } from './examiner.js';
import { inOrder } from './pool.js';
import { isMine } from './shard.js';

/** Deviations that a walk has beyond those of the systematic search, at most. */
export const WALK_BEYOND = 4;

/** Walks in a row that met nothing new before the space counts as exhausted. */
const VAIN_WALKS = 2000;

/**
 * Random walks until the examiner has had enough: each takes a scenario, a part of the kinds of deviation (faults that
 * are always on hide others) and adds one deviation after the other, each drawn from what the run before gave the
 * occasion for. Gives false when there was nothing left to try.
 */
export async function walk(
  examiner: Examiner,
  scenarios: readonly Scenario[],
  systematic: number,
  seed: number,
  jobs: number,
): Promise<boolean> {
  const random = createRandom(seed).fork(`walks ${examiner.shard ? examiner.shard.part : 'all'}`);
  let vain = 0;
  await inOrder(
    numbers(),
    jobs,
    async (number) => walkOnce(examiner, scenarios, systematic, random.fork(String(number))),
    (_, runs) => {
      vain = runs > 0 ? 0 : vain + 1;
    },
    () => examiner.isOver() || vain >= VAIN_WALKS,
  );
  return vain < VAIN_WALKS;
}

/** Gives how many schedules it ran. */
async function walkOnce(
  examiner: Examiner,
  scenarios: readonly Scenario[],
  systematic: number,
  random: Random,
): Promise<number> {
  const scenario = random.pick(scenarios);
  const some = new Set(DEVIATION_KINDS.filter(() => random.next() < 0.5));
  let candidates = examiner.defaults.get(scenario) ?? [];
  let schedule: Schedule = { scenario, deviations: [] };
  const length = systematic + random.int(1, WALK_BEYOND);
  let runs = 0;
  while (schedule.deviations.length < length && !examiner.isOver()) {
    const candidate = draw(candidates, schedule, some, random);
    if (!candidate) return runs;
    schedule = { scenario, deviations: [...schedule.deviations, candidate.deviation] };
    // Shorter ones belong to the systematic search.
    if (schedule.deviations.length <= systematic) continue;
    const text = scheduleText(schedule);
    if (!isMine(text, schedule.deviations.length, examiner.shard)) continue;
    if (!examiner.meet(hashOf(text))) return runs;
    const run = await examiner.play(schedule);
    const examined = run && (await examiner.examine(schedule, run));
    if (!examined) return runs;
    runs++;
    if (!examined.isRealised || examined.isFailed) return runs;
    candidates = candidatesOf(scenario, examined.run.trace, schedule.deviations, examiner.bounds);
  }
  return runs;
}

/** Every kind has the same chance, however many occasions there are for it. */
function draw(
  candidates: readonly Candidate[],
  { deviations }: Schedule,
  kinds: ReadonlySet<DeviationKind>,
  random: Random,
): Candidate | undefined {
  const byKind = new Map<DeviationKind, Candidate[]>();
  for (const candidate of candidates) {
    const { deviation } = candidate;
    if (!kinds.has(deviation.kind) || deviations.includes(deviation)) continue;
    if (deviations.some(({ at, kind }) => at === deviation.at && kind === deviation.kind)) continue;
    const isFault = isFaultOf(deviation.at);
    if (isFault(deviation) && deviations.some(isFault)) continue;
    const same = byKind.get(deviation.kind);
    if (same) same.push(candidate);
    else byKind.set(deviation.kind, [candidate]);
  }
  return byKind.size === 0 ? undefined : random.pick(random.pick([...byKind.values()]));
}

function* numbers(): Generator<number> {
  for (let number = 1; ; number++) yield number;
}
