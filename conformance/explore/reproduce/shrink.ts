import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { NetworkRule, Scenario, Step } from '../../../scenarios/format/types.js';
import { verbOf } from '../../../scenarios/verbs/verbs.js';
import type { Deviation, Schedule } from '../types.js';

/** Polls that every run has, in virtual time and in real. */
const POLLS_OF_EVERY_RUN = 2;

/**
 * The smallest schedule that still shows the same (`shows` runs one). First deviations are left out, one at a time, until
 * each is needed; then those left are made simpler. Up to here `most` runs. At last polls are named by what they come
 * behind instead of by their number: how many polls learn nothing differs between the ways of running a client.
 * `traceOf`: the run of the schedule that was shown last.
 */
export async function shrink(
  schedule: Schedule,
  shows: (schedule: Schedule) => Promise<boolean>,
  most: number,
  traceOf: () => readonly TraceEntry[],
): Promise<Schedule> {
  let best = schedule;
  let runs = 0;
  const isBetter = async (deviations: Deviation[]): Promise<boolean> => {
    if (runs++ >= most) return false;
    const candidate = { scenario: schedule.scenario, deviations };
    if (!(await shows(candidate))) return false;
    best = candidate;
    return true;
  };
  const replaceEach = async (variants: (deviation: Deviation) => Iterable<Deviation>): Promise<void> => {
    for (let index = 0; index < best.deviations.length; index++) {
      for (const variant of variants(best.deviations[index]!))
        if (await isBetter(best.deviations.with(index, variant))) break;
    }
  };
  for (let index = best.deviations.length - 1; index >= 0 && best.deviations.length > 0; index--) {
    // What was needed beside one that has gone may be needless without it.
    if (await isBetter(best.deviations.toSpliced(index, 1))) index = best.deviations.length;
  }
  await replaceEach(simplerThan);
  runs = Number.NEGATIVE_INFINITY;
  await replaceEach((deviation) => withoutPollNumbers(deviation, schedule.scenario, traceOf()));
  return best;
}

/** Of the same kind, the simplest first: about an earlier poll, or about the first of a row. */
function simplerThan(deviation: Deviation): Deviation[] {
  const { rule } = deviation;
  const { skip, ...unskipped } = rule;
  const simpler: Deviation[] = skip ? [{ ...deviation, rule: unskipped as NetworkRule }] : [];
  for (const poll of pollsBefore(rule.of?.poll)) {
    const earlier = { ...rule, of: { ...rule.of, poll } } as NetworkRule;
    simpler.push({ ...deviation, at: `poll#${poll}`, rule: earlier });
  }
  for (const poll of pollsBefore(awaitedPoll(rule)))
    simpler.push({ ...deviation, rule: awaiting(rule, poll) });
  return simpler;
}

function pollsBefore(poll: unknown): number[] {
  if (typeof poll !== 'number') return [];
  return [...new Set([1, 2, Math.floor(poll / 2)])].filter((each) => each >= 1 && each < poll);
}

/** The best first: without a number at all, then behind the step that came last before it. */
function* withoutPollNumbers(
  deviation: Deviation,
  { timeline }: Scenario,
  trace: readonly TraceEntry[],
): Generator<Deviation> {
  const { rule } = deviation;
  const { requests, deviations } = verbOf(rule);
  const poll = rule.of?.poll;
  const isNumbered = typeof poll === 'number' && !(deviations?.isOfAnyPoll && poll <= POLLS_OF_EVERY_RUN);
  const awaitsNumber = typeof awaitedPoll(rule) === 'number';
  if (!isNumbered && !awaitsNumber) return;
  const wide = awaitsNumber ? awaiting(rule, true) : rule;
  const any = isNumbered ? ({ ...wide, of: { ...wide.of, poll: true } } as NetworkRule) : wide;
  // Those about polls wait for a response in which they change something.
  if (!isNumbered || requests !== undefined) yield { ...deviation, rule: any };
  const place = isNumbered ? placeBefore(deviation.at, timeline, trace) : undefined;
  if (place === undefined) return;
  yield { ...deviation, rule: any, behind: { place, words: wordsFor(timeline[place]!) } };
}

/** The poll that a rule holds something until. */
function awaitedPoll(rule: NetworkRule): true | number | undefined {
  return rule.network === 'hold' && 'arrive' in rule.until ? rule.until.arrive.poll : undefined;
}

function awaiting(rule: NetworkRule, poll: true | number): NetworkRule {
  if (rule.network !== 'hold' || !('arrive' in rule.until)) return rule;
  return { ...rule, until: { arrive: { ...rule.until.arrive, poll } } };
}

/** Place in the timeline of what happened last before this request came; undefined where nothing did. */
function placeBefore(
  name: string,
  timeline: readonly Step[],
  trace: readonly TraceEntry[],
): number | undefined {
  let last: number | undefined;
  for (const entry of trace) {
    if (entry.what === 'arrive' && entry.name === name) return last;
    const place = timeline.findIndex((step) => isOf(step, entry));
    if (place !== -1) last = place;
  }
  return undefined;
}

/** The entry is this step happening. */
function isOf(step: Step, entry: TraceEntry): boolean {
  if (entry.what === 'step') return 'service' in step && entry.step !== undefined && step.id === entry.step;
  if (entry.what !== 'arrive' || !('client' in step)) return false;
  const { of } = entry;
  if (step.client === 'reply') return of.reply !== undefined && of.reply === step.to;
  return (
    of.action !== undefined && (of.action === step.id || (step.id === undefined && of.action === step.client))
  );
}

function wordsFor(step: Step): string {
  if ('client' in step && step.client === 'reply') return `the reply to ${step.to}`;
  return step.id ?? ('client' in step ? step.client : 'the step before it');
}
