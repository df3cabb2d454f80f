import type { ListedRule } from '../../mock/network/rule-book.js';
import { describeRule } from '../../scenarios/describe-rule.js';
import type { NetworkStep, Scenario } from '../../scenarios/types.js';
import type { Deviation, Schedule } from './types.js';

const texts = new WeakMap<Deviation, string>();

/** What one deviation says, the same wherever it was found: two with the same text are one. */
export function deviationText(deviation: Deviation): string {
  let text = texts.get(deviation);
  if (text === undefined) {
    const { rule, behind } = deviation;
    text = JSON.stringify(behind === undefined ? rule : { rule, behind: behind.place });
    texts.set(deviation, text);
  }
  return text;
}

/** What a schedule is, the same in every order of its deviations. */
export function scheduleText({ scenario, deviations }: Schedule): string {
  return `${scenario.name}\n${deviations.map(deviationText).sort().join('\n')}`;
}

/** The scenario as it is played: the deviations stand as network steps `d1`, `d2`, … before everything else, or behind their steps. */
export function scheduled({ scenario, deviations }: Schedule): Scenario {
  if (deviations.length === 0) return scenario;
  const at = (place: number | undefined) =>
    deviations.flatMap(({ rule, behind }, index): NetworkStep[] =>
      behind?.place === place ? [{ ...rule, id: deviationId(index) }] : [],
    );
  const timeline = scenario.timeline.flatMap((step, index) => [step, ...at(index)]);
  return { ...scenario, timeline: [...at(undefined), ...timeline] };
}

/** What goes otherwise, in words: `drop response of poll, behind call-weather`. */
export function describeDeviation({ rule, behind }: Deviation): string {
  return behind ? `${describeRule(rule)}, the first behind ${behind.words}` : describeRule(rule);
}

function deviationId(index: number): string {
  return `d${index + 1}`;
}

/** Numbers (from 0) of the deviations that did not come about in a run with these rules. */
export function unrealised({ deviations }: Schedule, rules: readonly ListedRule[]): number[] {
  return deviations.flatMap((_, index) => {
    const name = deviationId(index);
    return rules.some((rule) => stepOf(rule) === name && rule.fired > rule.gave_up) ? [] : [index];
  });
}

function stepOf({ id, step }: ListedRule): string {
  return step ?? id.slice(id.lastIndexOf('/') + 1);
}
