import { loadLibrary } from '../../scenarios/format/library/library.js';
import { resourceProbes } from './cases/resources/index.js';
import type { Probe } from './cases/test-case.js';
import { pointProbes } from './dialect/dialect-cases.js';
import { generatedProbes } from './from-openapi/index.js';
import { playerProbes } from './scenarios/player-cases.js';
import { scenarioProbes } from './scenarios/scenario-cases.js';

/** Every probe of the suite, in the order in which they run. */
export const allProbes: readonly Probe[] = Object.freeze([
  ...playerProbes,
  ...scenarioProbes(await loadLibrary()),
  ...resourceProbes,
  ...generatedProbes,
  ...pointProbes,
]);
