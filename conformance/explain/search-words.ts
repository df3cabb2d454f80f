import { allRules } from '../rules/all-rules.js';
import { RUN_RULES } from '../rules/run-rules.js';
import type { Explanation } from './explanation.js';
import { symptoms } from './generated/symptoms.js';
import { explainRule } from './kinds/rules.js';
import { explainSymptom } from './kinds/symptoms.js';

/** Words that say nothing about a defect. */
const STOP_WORDS = new Set(
  'a all although always am an and any are as at be been but by can client did do does doesn done even for from get gets got had has have how i if in is it its just keep keeps me my no not of on or our right send sends sent service should so sometimes still task than that the their them then there they this though time times to too was we were what when why with you'.split(
    ' ',
  ),
);
/** Everyday words, and words of the texts that mean the same. */
const SYNONYMS = [
  'twice two double duplicate again second more',
  'run perform execute',
  'create start made make',
  'hang hung stuck freeze block forever never',
  'end finish over stop terminal',
  'lost lose miss vanish skip',
  'poll ask',
  'reply answer',
  'pause fast quick often',
  '429 many rate limit',
  'address url',
];
const MOST_FOUND = 3;

/** Words without their endings, those with one meaning as one word. */
function readWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(toMeaning));
}

function toMeaning(word: string): string {
  const stem = removeEnding(word);
  return MEANINGS.get(stem) ?? stem;
}

/** `running` and `runs` become `run`, `closes` and `closed` become `clos`, `replied` becomes `reply`. */
function removeEnding(word: string): string {
  const one = word.replace(/(?:ies|ied)$/, 'y');
  const stem = one.length > 4 ? one.replace(/(?:ing|ed|es|s)$/, '') : one.replace(/s$/, '');
  return stem.replace(/e$/, '').replace(/([^aeiou])\1$/, '$1');
}

const MEANINGS = new Map(
  SYNONYMS.flatMap((line) => {
    const stems = line.split(' ').map(removeEnding);
    return stems.map((stem) => [stem, stems[0]!] as const);
  }),
);

interface SearchedText {
  words: ReadonlySet<string>;
  explain: () => Explanation | undefined;
}

const texts: SearchedText[] = [
  ...symptoms.map((each) => ({
    words: readWords(`${each.symptom} ${each.cause} ${each.remedy}`),
    explain: () => explainSymptom(each),
  })),
  ...[...Object.entries(RUN_RULES).map(([id, { defect }]) => ({ id, defect, title: '' })), ...allRules].map(
    ({ id, title, defect = '' }) => ({
      words: readWords(`${title} ${defect}`),
      explain: () => explainRule(id),
    }),
  ),
];

/** Rare words decide. */
function weigh(word: string): number {
  const known = texts.filter(({ words }) => words.has(word)).length;
  return Math.log((texts.length + 1) / (known + 1));
}

/** The symptoms and rules that have most words of `text` in common, at least half of them. */
export function searchWords(text: string): Explanation[] {
  const weights = new Map([...readWords(text)].map((word) => [word, weigh(word)]));
  return texts
    .map(({ words, explain }) => {
      const common = [...weights].flatMap(([word, weight]) => (words.has(word) ? weight : []));
      const score = common.reduce((total, each) => total + each, 0);
      return { count: common.length, score, density: common.length / words.size, explain };
    })
    .filter(({ count }) => count > 0 && count * 2 >= weights.size)
    .sort((one, other) => other.score - one.score || other.density - one.density)
    .slice(0, MOST_FOUND)
    .flatMap(({ explain }) => explain() ?? []);
}
