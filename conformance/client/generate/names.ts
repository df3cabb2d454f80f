import type { Random } from '../../../mock/generate/random.js';

/** Creates names that differ as little as possible: a loose comparison takes them for the same. */
type NameFamily = (index: number) => string;

const LONG = 'x'.repeat(190);

/** Differences in case, affixes, leading zeros, after 190 equal characters, beyond 2^53, in Unicode composition. */
export const ID_FAMILIES: readonly NameFamily[] = [
  (index) => ['call', 'Call', 'CALL', 'calL'][index % 4]! + formatRoundSuffix(index, 4),
  (index) => `call-${index === 0 ? '' : '1'.repeat(index % 30)}${formatRoundSuffix(index, 30)}`,
  (index) => `${'0'.repeat(index % 30)}7${formatRoundSuffix(index, 30)}`,
  (index) => `${LONG}${index}`,
  (index) => (9_007_199_254_740_992n + BigInt(index)).toString(),
  (index) => String(index),
  (index) => `1e${index}`,
  (index) => ['caf\u00e9', 'cafe\u0301', 'cafe', 'caf\u00e8'][index % 4]! + formatRoundSuffix(index, 4),
  formatObjectMember,
  (index) => ['a/b', 'a%2Fb', 'a b', 'a+b', 'a?b', 'a#b'][index % 6]! + formatRoundSuffix(index, 6),
  (index) => `01JD${index.toString(36).toUpperCase().padStart(22, '0')}`,
];

/** Mixed case, a ULID, a number beyond 2^53, a long id. */
export const TASK_IDS = [
  'Task_AbCdEf',
  '01JD9Z7M3QKKKKKKKKKKKKKKKK',
  '9007199254740993',
  `${LONG}Xyz`,
] as const;

export const TOOL_FAMILIES: readonly NameFamily[] = [
  (index) => ['look', 'Look', 'LOOK', 'looK'][index % 4]! + formatRoundSuffix(index, 4),
  (index) => `get${'_x'.repeat(index)}`,
  (index) => `tool-${index}`,
  formatObjectMember,
  (index) => `t${'0'.repeat(index)}`,
];

/** Names that objects of JavaScript have already. */
function formatObjectMember(index: number): string {
  return ['constructor', 'toString', 'valueOf', 'hasOwnProperty'][index % 4]! + formatRoundSuffix(index, 4);
}

/** Keeps names unique beyond one round through a list. */
function formatRoundSuffix(index: number, length: number): string {
  return index < length ? '' : `-${Math.floor(index / length)}`;
}

/** Names of one of the families, in any order. */
export function drawNames(random: Random, families: readonly NameFamily[], count: number): string[] {
  const family = random.pick(families);
  return shuffle(
    Array.from({ length: count }, (_, index) => family(index)),
    random,
  );
}

export function shuffle<T>(given: readonly T[], random: Random): T[] {
  const left = [...given];
  return given.map(() => left.splice(random.int(0, left.length - 1), 1)[0]!);
}
