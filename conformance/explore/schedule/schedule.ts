import { describeRule } from '../../../scenarios/format/network/rule.js';
import type { NetworkStep, Scenario, Step } from '../../../scenarios/format/types.js';
import { hashText } from '../../../spec/hash.js';
import type { ClientRun } from '../../client/types.js';
import type { Shard } from '../../common/shard.js';
import type { Deviation, Schedule } from '../types.js';

/** Deviations with the same key are equal. */
export function formatDeviationKey({ rule, behind }: Deviation): string {
  return JSON.stringify(behind === undefined ? rule : { rule, behind: behind.place });
}

/** Independent of the order of the deviations. */
export function formatScheduleKey({ scenario, deviations }: Schedule): string {
  return joinScheduleKey(scenario, deviations.map(formatDeviationKey));
}

/** The same for the keys of the deviations. */
export function joinScheduleKey({ name }: Scenario, deviations: readonly string[]): string {
  const [one = '', other] = deviations;
  if (other === undefined) return `${name}\n${one}`;
  // Fast path: most schedules of a search are pairs.
  if (deviations.length === 2) return one < other ? `${name}\n${one}\n${other}` : `${name}\n${other}\n${one}`;
  return `${name}\n${deviations.toSorted().join('\n')}`;
}

/** Whether a schedule, by its key, belongs to the shard. Each belongs to exactly one. Schedules without a deviation are run by all shards. */
export function isInShard(text: string, deviations: number, shard: Shard | undefined): boolean {
  return (
    shard === undefined || shard.of === 1 || deviations === 0 || hashText(text) % shard.of === shard.part - 1
  );
}

/** Adds the deviations to the timeline as network steps `d1`, `d2`, …, at the beginning or after their steps. */
export function applyDeviations({ scenario, deviations }: Schedule): Scenario {
  if (deviations.length === 0) return scenario;
  const steps = deviations.map(({ rule }, index): NetworkStep => ({ ...rule, id: `d${index + 1}` }));
  if (deviations.every(({ behind }) => behind === undefined))
    return { ...scenario, timeline: [...steps, ...scenario.timeline] };
  const listStepsAt = (place: number | undefined) =>
    steps.filter((_, index) => deviations[index]!.behind?.place === place);
  const timeline = scenario.timeline.flatMap((step, index) => [step, ...listStepsAt(index)]);
  return { ...scenario, timeline: [...listStepsAt(undefined), ...timeline] };
}

/** A step that `applyDeviations` has added. */
export function isDeviation(step: Step): step is NetworkStep & { id: string } {
  return 'network' in step && step.id !== undefined && /^d\d+$/.test(step.id);
}

/** Reverts `applyDeviations`. */
export function removeDeviations(scenario: Scenario): Scenario {
  return { ...scenario, timeline: scenario.timeline.filter((step) => !isDeviation(step)) };
}

/** Ids of the deviations that were not triggered in a run, or that stopped waiting. */
export function listUntriggered({ scenario, rules }: Pick<ClientRun, 'scenario' | 'rules'>): string[] {
  const isTriggered = (id: string) => rules.some((rule) => rule.step === id && rule.fired > rule.gave_up);
  return scenario.timeline.flatMap((step) => (isDeviation(step) && !isTriggered(step.id) ? [step.id] : []));
}

/** In words: `drop response of poll, the first after call-weather`. */
export function describeDeviation({ rule, behind }: Deviation): string {
  return behind ? `${describeRule(rule)}, the first after ${behind.words}` : describeRule(rule);
}
