/** Searches a client for interleavings that break it. */

export type { DeviationKind } from '../../scenarios/verbs/verbs.js';
export { DEFAULT_SCENARIOS, defaultScenarios } from './default-scenarios.js';
export { replay } from './reproduce/replay.js';
export { DEVIATION_KINDS } from './schedule/candidates.js';
export { explore } from './search/explore.js';
export type {
  Bucket,
  Deviation,
  ExploreEvent,
  ExploreOptions,
  ExploreReport,
  Find,
  Progress,
  Replay,
  TimeOfRuns,
} from './types.js';
