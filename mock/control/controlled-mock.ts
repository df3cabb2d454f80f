import type { Exchange, Finding } from '../../spec/vocabulary.js';
import type { JournalQuery } from '../exchange/journal.js';
import type { GateTarget, MockTime } from '../options/mock-options.js';
import type { GateView } from './gates.js';
import type { MockClock } from './mock-clock.js';
import type { MockNetwork } from './mock-network.js';
import type { MockScenarios } from './mock-scenarios.js';
import type { MockState } from './state.js';
import type { Health, TaskView } from './views.js';

/** The members of a mock that the admin API and virtual time use. `Mock` documents each of them. */
export interface ControlledMock {
  readonly seed: string | number;
  readonly baseUrl: string;
  readonly ready: Promise<void>;
  readonly clock: MockClock;
  readonly network: MockNetwork;
  readonly scenarios: MockScenarios;
  readonly time: MockTime;
  journal(query?: JournalQuery): Exchange[];
  findings(key?: string): Finding[];
  task(id: string): TaskView;
  injectStep(id: string, step: unknown): Promise<TaskView>;
  gates(key?: string): GateView[];
  openGate(name: string, target?: GateTarget): GateView[];
  health(): Health;
  reset(key?: string): void;
  snapshot(key?: string): MockState;
  restore(state: MockState): Promise<void>;
}
