import type { TestCase } from '../test-case/test-case.js';
import { authCases } from './auth.js';
import { bodyCases, formCases, parameterCases } from './invalid-requests.js';
import { limitCases } from './limits.js';
import { responseCases } from './responses.js';
import { unknownCases } from './unknown.js';

/** Cases derived from the operations of the API description. */
export const generatedCases: readonly TestCase[] = Object.freeze([
  ...responseCases,
  ...authCases,
  ...parameterCases,
  ...bodyCases,
  ...formCases,
  ...unknownCases,
  ...limitCases,
]);
