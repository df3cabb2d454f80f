import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { NetworkRule, Scenario, Step } from '../../../scenarios/format/types.js';
import { readVerb } from '../../../scenarios/verbs/verbs.js';
import { type Candidates, minimize } from '../../common/minimize.js';
import type { Deviation, Schedule } from '../types.js';

/** Number of polls that occur in every run, in virtual and in real time. */
const POLLS_OF_EVERY_RUN = 2;

/**
 * Returns the smallest schedule that still reproduces the failure. First it removes deviations one at a time until each is necessary,
 * then it simplifies the remaining ones, in `most` runs at most. Next `minimizeScenario` minimizes the scenario, which may make
 * deviations unnecessary. Finally polls are identified by the preceding step instead of by number, because the number of empty polls
 * depends on how a client is run. `readLastTrace`: the trace of the last run that reproduced the failure.
 */
export async function minimizeSchedule(
  schedule: Schedule,
  isReproduced: (schedule: Schedule) => Promise<boolean>,
  most: number,
  readLastTrace: () => readonly TraceEntry[],
  minimizeScenario?: (schedule: Schedule) => Promise<Schedule>,
): Promise<Schedule> {
  let best = await minimize(schedule, simplifyDeviations, isReproduced, { runs: most });
  if (minimizeScenario) {
    // A shorter scenario has fewer polls.
    best = await minimize(best, (each) => replaceEach(each, generalizePoll), isReproduced);
    const minimized = await minimizeScenario(best);
    if (minimized !== best)
      best = await minimize(minimized, simplifyDeviations, isReproduced, { runs: most });
  }
  const removeNumbers = (deviation: Deviation) =>
    removePollNumbers(deviation, best.scenario, readLastTrace());
  return minimize(best, (each) => replaceEach(each, removeNumbers), isReproduced);
}

function* simplifyDeviations(schedule: Schedule): Candidates<Schedule> {
  let best = schedule;
  for (let index = best.deviations.length - 1; index >= 0; index--) {
    const candidate = { ...best, deviations: best.deviations.toSpliced(index, 1) };
    if (!(yield candidate)) continue;
    best = candidate;
    // Other deviations may be unnecessary without the removed one.
    index = best.deviations.length;
  }
  yield* replaceEach(best, simplifyDeviation);
}

/** Replaces each deviation by its first variant that reproduces the failure. */
function* replaceEach(
  schedule: Schedule,
  listVariants: (deviation: Deviation) => Iterable<Deviation>,
): Candidates<Schedule> {
  let best = schedule;
  for (const [index, deviation] of schedule.deviations.entries()) {
    for (const variant of listVariants(deviation)) {
      const candidate = { ...best, deviations: best.deviations.with(index, variant) };
      if (!(yield candidate)) continue;
      best = candidate;
      break;
    }
  }
}

/** Simpler deviations of the same kind, the simplest first: for an earlier poll, or for the first of several requests. */
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

/** The best first: without a poll number, then after the last step before the poll. */
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

/** The deviation without poll numbers; empty if it has none, or would no longer target a single poll. */
function generalizePoll(deviation: Deviation): Deviation[] {
  const { rule } = deviation;
  // Verbs for polls wait for a response that they can change.
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

/** The rule targets a poll that not every run has. */
function isNumbered(rule: NetworkRule): boolean {
  const poll = rule.of?.poll;
  if (typeof poll !== 'number') return false;
  return !(readVerb(rule).deviations?.isOfAnyPoll && poll <= POLLS_OF_EVERY_RUN);
}

/** The poll that ends a hold. */
function findAwaitedPoll(rule: NetworkRule): true | number | undefined {
  return rule.network === 'hold' && 'arrive' in rule.until ? rule.until.arrive.poll : undefined;
}

function replaceAwaitedPoll(rule: NetworkRule, poll: true | number): NetworkRule {
  if (rule.network !== 'hold' || !('arrive' in rule.until)) return rule;
  return { ...rule, until: { arrive: { ...rule.until.arrive, poll } } };
}

/** Index of the last step in the timeline before this request arrived; undefined if there is none. */
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
