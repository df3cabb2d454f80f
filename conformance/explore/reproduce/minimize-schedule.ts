import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { NetworkRule, Scenario, Step } from '../../../scenarios/format/types.js';
import { readVerb } from '../../../scenarios/verbs/verbs.js';
import type { Deviation, Schedule } from '../types.js';

/** Polls that every run has, in virtual time and in real. */
const POLLS_OF_EVERY_RUN = 2;

type ReproductionCheck = (schedule: Schedule) => Promise<boolean>;

/**
 * The smallest schedule that still shows the same (`shows` runs one). First deviations are left out, one at a time, until
 * each is needed; then those left are made simpler. Up to here `most` runs. `shrinkScenario` makes the scenario smaller where
 * that is possible, which may make deviations needless. At last polls are named by what they come behind instead of by their
 * number: how many polls learn nothing differs between the ways of running a client. `traceOf`: the run of the schedule that
 * was shown last.
 */
export async function minimizeSchedule(
  schedule: Schedule,
  isReproduced: ReproductionCheck,
  most: number,
  readLastTrace: () => readonly TraceEntry[],
  minimizeScenario?: (schedule: Schedule) => Promise<Schedule>,
): Promise<Schedule> {
  let best = await minimizeDeviations(schedule, isReproduced, most);
  if (minimizeScenario) {
    // A shorter scenario has fewer polls.
    best = await replaceEach(best, isReproduced, Number.POSITIVE_INFINITY, generalizePoll);
    const minimized = await minimizeScenario(best);
    if (minimized !== best) best = await minimizeDeviations(minimized, isReproduced, most);
  }
  return replaceEach(best, isReproduced, Number.POSITIVE_INFINITY, (deviation) =>
    removePollNumbers(deviation, best.scenario, readLastTrace()),
  );
}

async function minimizeDeviations(
  schedule: Schedule,
  isReproduced: ReproductionCheck,
  most: number,
): Promise<Schedule> {
  let best = schedule;
  let runs = 0;
  for (let index = best.deviations.length - 1; index >= 0 && best.deviations.length > 0; index--) {
    if (runs++ >= most) return best;
    const candidate = { ...best, deviations: best.deviations.toSpliced(index, 1) };
    if (!(await isReproduced(candidate))) continue;
    best = candidate;
    // What was needed beside one that has gone may be needless without it.
    index = best.deviations.length;
  }
  return replaceEach(best, isReproduced, most - runs, simplifyDeviation);
}

/** Each deviation by the first of its variants that shows the same, in `most` runs. */
async function replaceEach(
  schedule: Schedule,
  isReproduced: ReproductionCheck,
  most: number,
  listVariants: (deviation: Deviation) => Iterable<Deviation>,
): Promise<Schedule> {
  let best = schedule;
  let runs = 0;
  for (let index = 0; index < best.deviations.length; index++) {
    for (const variant of listVariants(best.deviations[index]!)) {
      if (runs++ >= most) return best;
      const candidate = { ...best, deviations: best.deviations.with(index, variant) };
      if (!(await isReproduced(candidate))) continue;
      best = candidate;
      break;
    }
  }
  return best;
}

/** Of the same kind, the simplest first: about an earlier poll, or about the first of a row. */
function simplifyDeviation(deviation: Deviation): Deviation[] {
  const { rule } = deviation;
  const { skip, ...unskipped } = rule;
  const simpler: Deviation[] = skip ? [{ ...deviation, rule: unskipped as NetworkRule }] : [];
  for (const poll of listEarlierPolls(rule.of?.poll)) {
    const earlier = { ...rule, of: { ...rule.of, poll } } as NetworkRule;
    simpler.push({ ...deviation, at: `poll#${poll}`, rule: earlier });
  }
  for (const poll of listEarlierPolls(findAwaitedPoll(rule)))
    simpler.push({ ...deviation, rule: replaceAwaitedPoll(rule, poll) });
  return simpler;
}

function listEarlierPolls(poll: unknown): number[] {
  if (typeof poll !== 'number') return [];
  return [...new Set([1, 2, Math.floor(poll / 2)])].filter((each) => each >= 1 && each < poll);
}

/** The best first: without a number at all, then behind the step that came last before it. */
function* removePollNumbers(
  deviation: Deviation,
  { timeline }: Scenario,
  trace: readonly TraceEntry[],
): Generator<Deviation> {
  yield* generalizePoll(deviation);
  const place = isNumbered(deviation.rule) ? findPlaceBefore(deviation.at, timeline, trace) : undefined;
  if (place === undefined) return;
  yield { ...targetAnyPoll(deviation), behind: { place, words: describeStep(timeline[place]!) } };
}

/** The deviation without the numbers of polls; nothing where it has none, or would be about no single poll. */
function generalizePoll(deviation: Deviation): Deviation[] {
  const { rule } = deviation;
  // Those about polls wait for a response in which they change something.
  const isOfOne = isNumbered(rule)
    ? readVerb(rule).requests !== undefined
    : typeof findAwaitedPoll(rule) === 'number';
  return isOfOne ? [targetAnyPoll(deviation)] : [];
}

function targetAnyPoll(deviation: Deviation): Deviation {
  const { rule } = deviation;
  const wide = typeof findAwaitedPoll(rule) === 'number' ? replaceAwaitedPoll(rule, true) : rule;
  const any = isNumbered(rule) ? ({ ...wide, of: { ...wide.of, poll: true } } as NetworkRule) : wide;
  return { ...deviation, rule: any };
}

/** It is about a poll that not every run has. */
function isNumbered(rule: NetworkRule): boolean {
  const poll = rule.of?.poll;
  if (typeof poll !== 'number') return false;
  return !(readVerb(rule).deviations?.isOfAnyPoll && poll <= POLLS_OF_EVERY_RUN);
}

/** The poll that a rule holds something until. */
function findAwaitedPoll(rule: NetworkRule): true | number | undefined {
  return rule.network === 'hold' && 'arrive' in rule.until ? rule.until.arrive.poll : undefined;
}

function replaceAwaitedPoll(rule: NetworkRule, poll: true | number): NetworkRule {
  if (rule.network !== 'hold' || !('arrive' in rule.until)) return rule;
  return { ...rule, until: { arrive: { ...rule.until.arrive, poll } } };
}

/** Place in the timeline of what happened last before this request came; undefined where nothing did. */
function findPlaceBefore(
  name: string,
  timeline: readonly Step[],
  trace: readonly TraceEntry[],
): number | undefined {
  let last: number | undefined;
  for (const entry of trace) {
    if (entry.what === 'arrive' && entry.name === name) return last;
    const place = timeline.findIndex((step) => isStepEntry(step, entry));
    if (place !== -1) last = place;
  }
  return undefined;
}

/** The entry is this step happening. */
function isStepEntry(step: Step, entry: TraceEntry): boolean {
  if (entry.what === 'step') return 'service' in step && entry.step !== undefined && step.id === entry.step;
  if (entry.what !== 'arrive' || !('client' in step)) return false;
  const { of } = entry;
  if (step.client === 'reply') return of.reply !== undefined && of.reply === step.to;
  return (
    of.action !== undefined && (of.action === step.id || (step.id === undefined && of.action === step.client))
  );
}

function describeStep(step: Step): string {
  if ('client' in step && step.client === 'reply') return `the reply to ${step.to}`;
  return step.id ?? ('client' in step ? step.client : 'the step before it');
}
