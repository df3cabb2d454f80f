import type { TestCase } from '../test-case/test-case.js';
import { answerCases } from './answers.js';
import { authCases } from './auth.js';
import { formCases, invalidBodyCases } from './bodies.js';
import { limitCases } from './limits.js';
import { parameterCases, unknownCases } from './parameters.js';

/** Cases derived from the operations of the API description. */
export const generatedCases: readonly TestCase[] = Object.freeze([
  ...answerCases,
  ...authCases,
  ...parameterCases,
  ...invalidBodyCases,
  ...formCases,
  ...unknownCases,
  ...limitCases,
]);
