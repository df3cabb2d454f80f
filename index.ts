/**
 * taskdouble: a test double of the Browser Automation Task Service API.
 *
 * `createMock` plays the service, in process or on a port; `withMock` is one for a test, `taskdouble/vitest` the same for
 * vitest, `taskdouble/msw` has handlers around a mock, `taskdouble/spec` what is true about the API. `createProxy` stands
 * between clients and a service.
 */

export { createMock, withMock } from './conformance/in-tests/create-mock.js';
export { formatTimeline } from './conformance/in-tests/timeline/timeline.js';
export type { ProxyOptions } from './conformance/proxy/proxy-options.js';
export { createProxy, type ProxyHealth, type ServiceProxy } from './conformance/proxy/service-proxy.js';
export type { GateView } from './mock/control/gates.js';
export type { MissingCondition, MissingReply } from './mock/control/missing-conditions.js';
export type { ClockChange, ClockView, MockClock } from './mock/control/mock-clock.js';
export type { MockNetwork, NetworkView } from './mock/control/mock-network.js';
export type { AddedScenarios, MockScenarios, ScenarioView } from './mock/control/mock-scenarios.js';
export { defineScenario, type ScenarioInput } from './mock/control/read-scenarios.js';
export type { MockState } from './mock/control/state.js';
export type { Health, RunView, TaskView, WaitingStep } from './mock/control/views.js';
export type { ClockMode } from './mock/engine/clock.js';
export { MockError } from './mock/exchange/errors.js';
export type { JournalQuery } from './mock/exchange/journal.js';
export type { Fixtures } from './mock/fixtures/fixtures.js';
export type { Mock } from './mock/mock.js';
export type { HeldExchange } from './mock/network/pending-requests.js';
export type {
  Choices,
  ExchangeJudge as Judge,
  GateTarget,
  GivenScenario,
  ListenOptions,
  MockLimits,
  MockOptions,
  MockServer,
  MockTime,
  ScenarioObject,
  TimeOptions,
  TimeRun,
} from './mock/options/mock-options.js';
export {
  type ReplayHealth,
  type ReplayMock,
  type ReplayOptions,
  replayMock,
} from './mock/replay/replay-mock.js';
export type { Fetch } from './mock/serve/fetch.js';
export { StalledClientError, type StallReason } from './mock/virtual-time/stalled-client.js';
export { InvalidFile, UnknownName } from './scenarios/format/invalid-file.js';
export type { NetworkRule, Problem, Scenario, Step } from './scenarios/format/types.js';
export type { ScenarioDefinition } from './scenarios/generated/scenario-definition.js';
export type { Exchange, Finding, TaskEvent } from './spec/vocabulary.js';
