import type { TestCase } from '../test-case/test-case.js';
import { authCases } from './auth.js';
import { bodyCases, formCases } from './bodies.js';
import { limitCases } from './limits.js';
import { parameterCases, unknownCases } from './parameters.js';
import { responseCases } from './responses.js';

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
