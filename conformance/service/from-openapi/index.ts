import type { Probe } from '../cases/test-case.js';
import { answerProbes } from './answers.js';
import { authProbes } from './auth.js';
import { bodyProbes } from './bodies.js';
import { formProbes } from './forms.js';
import { limitProbes } from './limits.js';
import { parameterProbes } from './parameters.js';
import { unknownProbes } from './unknown.js';

/** Probes made by walking over the operations of the description. */
export const generatedProbes: readonly Probe[] = Object.freeze([
  ...answerProbes,
  ...authProbes,
  ...parameterProbes,
  ...bodyProbes,
  ...formProbes,
  ...unknownProbes,
  ...limitProbes,
]);
