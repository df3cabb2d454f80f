import type { Mutant } from '../mutant.js';
import { changeResponses, mutant } from '../operators/make.js';

/** The envelope. */
export const envelopeMutants: readonly Mutant[] = [
  mutant(
    'envelope-called-result',
    'ENV-01',
    'The envelope of visibility answers is called result.',
    changeResponses(['getTaskVisibility', 'setTaskVisibility'], (response) => {
      response.body = { result: response.r };
    }),
  ),
  mutant(
    'envelope-in-a-list',
    'ENV-01',
    'The usage stands in an envelope inside a list.',
    changeResponses('getUsage', (response) => {
      response.body = [response.body];
    }),
  ),
  mutant(
    'envelope-empty',
    'ENV-01',
    'The answer of GET /org is an empty object.',
    changeResponses('getOrganisation', (response) => {
      response.body = {};
    }),
  ),
];
