/** Searches a client for interleavings that break it. */
export { DEFAULT_SCENARIOS, defaultScenarios } from './default-scenarios.js';
export { replay } from './reproduce/replay.js';
export { explore } from './search/explore.js';
export {
  type Bucket,
  DEVIATION_KINDS,
  type Deviation,
  type DeviationKind,
  type ExploreEvent,
  type ExploreOptions,
  type ExploreReport,
  type Find,
  type Progress,
  type Replay,
  type TimeOfRuns,
} from './types.js';
