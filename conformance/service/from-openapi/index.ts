import type { Probe } from '../cases/test-case.js';
import { answerProbes } from './answers.js';
import { authProbes } from './auth.js';
import { bodyProbes, formProbes } from './bodies.js';
import { limitProbes } from './limits.js';
import { parameterProbes, unknownProbes } from './parameters.js';

/** Cases derived from the operations of the API description. */
export const generatedProbes: readonly Probe[] = Object.freeze([
  ...answerProbes,
  ...authProbes,
  ...parameterProbes,
  ...bodyProbes,
  ...formProbes,
  ...unknownProbes,
  ...limitProbes,
]);
