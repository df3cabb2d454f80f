import { formatAnchor } from '../../../spec/heading-anchor.js';
import type { Explanation } from '../explanation.js';
import { terms } from '../generated/terms.js';

/** A term of the glossary, also as a question: `what does flaky mean`. */
export function explainTerm(words: string): Explanation | undefined {
  const name = words
    .toLowerCase()
    .replace(/^what (?:does|do|is|are) (?:an? |the )?/, '')
    .replace(/(?: means?)?\??$/, '');
  const found = terms.find((term) => term.name.toLowerCase() === name);
  if (!found) return undefined;
  return {
    name: found.name,
    kind: 'term',
    title: found.meaning,
    facts: [],
    page: `glossary.md#${formatAnchor(found.section)}`,
  };
}
