import { formatAnchor } from '../../../spec/heading-anchor.js';
import type { Explanation, Symptom } from '../explanation.js';
import { symptoms } from '../generated/symptoms.js';

/** Words that say nothing about a symptom. */
const STOP_WORDS = new Set(
  'a an and are as at by client do does for from has have i in is it its my no not of on or service task that the to was why with'.split(
    ' ',
  ),
);
const MOST_SYMPTOMS = 3;

/** The symptoms that have most words of `text` in common, at least half of them. */
export function searchSymptoms(text: string): Explanation[] {
  const wanted = readWords(text);
  if (wanted.size === 0) return [];
  return symptoms
    .map((symptom) => ({ symptom, score: countCommon(wanted, symptom) }))
    .filter(({ score }) => score * 2 >= wanted.size)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_SYMPTOMS)
    .map(({ symptom }) => explainSymptom(symptom));
}

function explainSymptom({ symptom, cause, scenario, rule, remedy }: Symptom): Explanation {
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

function countCommon(wanted: ReadonlySet<string>, { symptom, cause, remedy }: Symptom): number {
  const known = readWords(`${symptom} ${cause} ${remedy}`);
  return [...wanted].filter((word) => known.has(word)).length;
}

/** Words in lower case, without endings. */
function readWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return new Set(
    words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/(?:s|ed|ing)$/, '')),
  );
}
