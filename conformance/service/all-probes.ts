import { loadLibrary } from '../../scenarios/library.js';
import { generatedProbes } from './generated/index.js';
import { playerProbes } from './player-probes.js';
import { pointProbes } from './points/point-probes.js';
import type { Probe } from './probe.js';
import { resourceProbes } from './probes/resource-probes.js';
import { scenarioProbes } from './scenario-probes.js';

/** Every probe of the suite, in the order in which they run. */
export const allProbes: readonly Probe[] = Object.freeze([
  ...playerProbes,
  ...scenarioProbes(await loadLibrary()),
  ...resourceProbes,
  ...generatedProbes,
  ...pointProbes,
]);
