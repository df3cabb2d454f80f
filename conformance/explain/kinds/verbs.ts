import { stringify } from 'yaml';
import document from '../../../scenarios/scenario.schema.json' with { type: 'json' };
import { VERBS } from '../../../scenarios/verbs/verbs.js';
import { formatAnchor } from '../../../spec/heading-anchor.js';
import type { Explanation } from '../explanation.js';

interface StepSchema {
  description?: string;
  examples?: readonly object[];
}

const STEPS: Readonly<Record<string, StepSchema>> = Object.fromEntries(
  Object.entries(document.$defs as unknown as Record<string, StepSchema>).filter(([name]) =>
    /^(?:service|client|network)\./.test(name),
  ),
);

export const VERB_NAMES: readonly string[] = Object.keys(STEPS).map((name) => name.split('.')[1]!);

/** `drop`, or `network: drop` where several actors have the verb. */
export function explainVerb(name: string): Explanation[] {
  const wanted = name.replace(/:\s*/, '.');
  const names = Object.keys(STEPS).filter((each) => each === wanted || each.split('.')[1] === wanted);
  return names.map((each) => {
    const [actor, verb] = each.split('.');
    const heading = `${actor}: ${verb}`;
    const { description = '', examples = [] } = STEPS[each]!;
    const shorthand = VERBS.find((known) => actor === 'network' && known.name === verb);
    return {
      name: heading,
      kind: 'verb',
      title: description || `A step of the ${actor}.`,
      facts: examples.slice(0, 2).map((example) => ['Example', stringify([example]).trim()] as const),
      ...(shorthand && { commands: [`mock --network '${verb} …'   as shorthand`] }),
      page: `scenario-reference.md#${formatAnchor(heading)}`,
    };
  });
}
