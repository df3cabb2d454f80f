import type { Mutant } from '../mutant.js';
import { answers, mutant } from '../operators/make.js';

/** The envelope. */
export const envelopeMutants: readonly Mutant[] = [
  mutant(
    'envelope-called-result',
    'ENV-01',
    'The envelope of visibility answers is called result.',
    answers(['getTaskVisibility', 'setTaskVisibility'], (told) => {
      told.body = { result: told.r };
    }),
  ),
  mutant(
    'envelope-in-a-list',
    'ENV-01',
    'The usage stands in an envelope inside a list.',
    answers('getUsage', (told) => {
      told.body = [told.body];
    }),
  ),
  mutant(
    'envelope-empty',
    'ENV-01',
    'The answer of GET /org is an empty object.',
    answers('getOrganisation', (told) => {
      told.body = {};
    }),
  ),
];
