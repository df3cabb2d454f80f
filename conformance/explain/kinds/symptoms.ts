import { formatAnchor } from '../../../spec/heading-anchor.js';
import type { Explanation, Symptom } from '../explanation.js';

export function explainSymptom({ symptom, cause, scenario, rule, remedy }: Symptom): Explanation {
  return {
    name: symptom,
    kind: 'symptom',
    title: cause,
    facts: [
      ['What to do', remedy],
      ['Rule', rule],
    ],
    commands: [`client --scenario ${scenario} -- COMMAND`, `explain ${rule}`],
    page: `why-does-my-client-hang.md#${formatAnchor(symptom)}`,
  };
}
