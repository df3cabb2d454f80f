import type { TraceEntry } from '../../../mock/network/trace.js';
import type { NetworkRule, Scenario, Step, Target } from '../../../scenarios/format/types.js';
import { verbOf } from '../../../scenarios/verbs/verbs.js';
import type { Deviation, Schedule } from '../types.js';

/** Polls that every run has, in virtual time and in real. */
const EVERY_RUN_HAS = 2;

/**
 * The same schedule with polls named by what they come behind instead of by their number, as far as it still shows the
 * same (`shows`): how many polls learn nothing is another in each way of running a client, and so is the number of one
 * that learns something. `traceOf`: the run of the schedule that was shown last.
 */
export async function named(
  schedule: Schedule,
  traceOf: () => readonly TraceEntry[],
  shows: (schedule: Schedule) => Promise<boolean>,
): Promise<Schedule> {
  let best = schedule;
  for (let index = 0; index < schedule.deviations.length; index++) {
    for (const other of unnumbered(best.deviations[index]!, schedule.scenario, traceOf())) {
      const candidate = { ...schedule, deviations: best.deviations.with(index, other) };
      if (!(await shows(candidate))) continue;
      best = candidate;
      break;
    }
  }
  return best;
}

/** The best first: without a number at all, then behind the step that came last before it. */
function* unnumbered(
  deviation: Deviation,
  scenario: Scenario,
  trace: readonly TraceEntry[],
): Generator<Deviation> {
  const { rule } = deviation;
  const poll = rule.of?.poll;
  const { requests, deviations } = verbOf(rule);
  const isNumbered = typeof poll === 'number' && !(deviations?.isOfAnyPoll && poll <= EVERY_RUN_HAS);
  const wide = anyPoll(rule, isNumbered);
  if (wide === rule) return;
  // Those about polls wait for a response in which they change something.
  if (!isNumbered || requests !== undefined) yield { ...deviation, rule: wide };
  const place = isNumbered ? lastBefore(deviation.at, scenario, trace) : undefined;
  if (place === undefined) return;
  yield { ...deviation, rule: wide, behind: { place, words: wordsFor(scenario.timeline[place]!) } };
}

function anyPoll(rule: NetworkRule, isNumbered: boolean): NetworkRule {
  let wide = rule;
  if (isNumbered) wide = { ...wide, of: { ...wide.of, poll: true } };
  if (wide.network === 'hold' && 'arrive' in wide.until && typeof wide.until.arrive.poll === 'number') {
    const arrive: Target = { ...wide.until.arrive, poll: true };
    wide = { ...wide, until: { arrive } };
  }
  return wide;
}

/** Place in the timeline of what happened last before this request came; undefined where nothing did. */
function lastBefore(name: string, { timeline }: Scenario, trace: readonly TraceEntry[]): number | undefined {
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
