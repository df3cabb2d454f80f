/**
 * taskdouble: a test double of the Browser Automation Task Service API.
 *
 * `createMock` plays the service, in process or on a port; `taskdouble/msw` has handlers around it, `taskdouble/spec`
 * what is true about the API.
 */

import { clientRules, untimedRules } from './conformance/rules/client-rules.js';
import { judgeBy } from './conformance/rules/judging.js';
import { createMock as create } from './mock/create.js';
import type { CreateMockOptions, Mock } from './mock/interface.js';

/**
 * A mock of the service, in process: `fetch` needs no port, `listen` opens one. Its `findings()` say what the client did
 * against the rules; with a clock that does not follow the client's, rules that compare times are left out.
 */
export function createMock(options: CreateMockOptions = {}): Mock {
  const sameTime = (options.clock ?? 'real') === 'real' && (options.speed ?? 1) >= 1;
  const rules = sameTime ? clientRules : untimedRules;
  return create({ judge: (exchanges) => judgeBy(rules, exchanges).findings(), ...options });
}

export type { Judge } from './mock/control/control.js';
export { ControlError } from './mock/control/control-error.js';
export type { JournalQuery } from './mock/control/journal.js';
export type { MockState } from './mock/control/state.js';
export type { ClockMode } from './mock/engine/clock.js';
export type { Fixtures } from './mock/fixtures.js';
export type { CreateMockOptions, GivenScenario, Mock, MockServer, ScenarioObject } from './mock/interface.js';
export { InvalidFile, UnknownName } from './mock/invalid-file.js';
export type { MockLimits, MockOptions } from './mock/mock.js';
export type { MockClock } from './mock/mock-clock.js';
export type { Fetch } from './mock/serve/fetch.js';
export type { NetworkRule, Problem, Scenario, Step } from './scenarios/types.js';
export type { Exchange, Finding, TaskEvent } from './spec/vocabulary.js';
