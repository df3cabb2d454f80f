/**
 * taskdouble: a test double of the Browser Automation Task Service API.
 *
 * `createMock` plays the service, in process or on a port; `withMock` is one for a test, `taskdouble/vitest` the same for
 * vitest, `taskdouble/msw` has handlers around a mock, `taskdouble/spec` what is true about the API.
 */

export { createMock } from './conformance/in-tests/judged-mock.js';
export { timelineOf } from './conformance/in-tests/timeline/timeline.js';
export { withMock } from './conformance/in-tests/with-mock.js';
export { MockError as ControlError } from './mock/admin/admin-error.js';
export type { Judge } from './mock/admin/control.js';
export type { MockState } from './mock/admin/state.js';
export type { MockClock } from './mock/clock/mock-clock.js';
export type { ClockMode } from './mock/engine/clock.js';
export type { Fixtures } from './mock/fixtures/apply-fixtures.js';
export type {
  CreateMockOptions,
  GivenScenario,
  Mock,
  MockServer,
  MockTime,
  ScenarioObject,
  TimeOptions,
  TimeRun,
} from './mock/interface.js';
export type { JournalQuery } from './mock/journal/query.js';
export type { ReplayHealth } from './mock/journal/replay/replay.js';
export { type ReplayMock, type ReplayOptions, replayMock } from './mock/journal/replay/replay-mock.js';
export type { MockLimits, MockOptions } from './mock/mock.js';
export { InvalidFile, UnknownName } from './mock/options/invalid-file.js';
export type { Fetch } from './mock/serve/fetch.js';
export { type StoodStill, TimeStoodStill } from './mock/virtual-time/stalled-time-error.js';
export type { NetworkRule, Problem, Scenario, Step } from './scenarios/format/types.js';
export type { Exchange, Finding, TaskEvent } from './spec/vocabulary.js';
