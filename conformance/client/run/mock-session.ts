import type { ClockMode } from '../../../mock/engine/clock.js';
import type { Organisation } from '../../../mock/engine/organisation.js';
import { settle } from '../../../mock/engine/tasks/lifecycle.js';
import { Mock } from '../../../mock/mock.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import { serviceOf } from '../../../mock/service.js';
import { leadingCreateRules } from '../../../scenarios/format/network/leading-rules.js';
import type { NetworkRule, Scenario } from '../../../scenarios/format/types.js';
import type { ClientRun, ServiceTask } from '../types.js';
import { RunRecording } from './recording.js';

export interface MockSessionOptions {
  clock: ClockMode;
  dialect?: Choices | undefined;
  /** `{base_url}` where the mock does not listen. */
  origin?: string;
  /** The real time in ms, where it is not the mock's. */
  wall?: () => number;
}

/** What happened in a session. */
type SessionRecord = Pick<ClientRun, 'exchanges' | 'trace' | 'tasks' | 'rules' | 'wall'>;

const UNKNOWN_KEY = {
  network: 'fail',
  status: 401,
  detail: 'This API key is not valid: use the one that you were given in TASKDOUBLE_API_KEY.',
} satisfies NetworkRule;

/** Mocks that have nothing to do, by dialect: to make one takes long. They hold nothing that keeps a process alive. */
const idle = new WeakMap<object, MockSession[]>();
const PLAIN: Choices = {};

/** A mock that plays one scenario at a time against a client: every task follows it, and everything is recorded. */
export class MockSession {
  readonly mock: Mock;
  readonly #wall: (() => number) | undefined;
  readonly #faults: unknown[] = [];
  #recording = new RunRecording();
  #key = '';
  #organisation: Organisation | undefined;

  private constructor(private readonly options: MockSessionOptions) {
    const { clock, dialect, origin, wall } = options;
    this.#wall = wall;
    this.mock = new Mock({
      clock,
      ...(dialect && { dialect }),
      ...(origin !== undefined && { origin }),
      library: false,
      lightResponses: true,
      // The client is no administrator of its own examination.
      adminToken: `session-${process.pid}-${performance.now()}`,
      onExchange: (exchange, name) => this.#recording.exchanged(exchange, name),
      onTrace: (entry, name) => this.#recording.traced(entry, name),
      onFault: (error) => this.#faults.push(error),
    });
    // The run moves the clock.
    serviceOf(this.mock).stalledClock.isDriven = true;
  }

  /** With everything loaded that a run would else have to wait for. A released one where there is one. */
  static async open(options: MockSessionOptions): Promise<MockSession> {
    const { dialect = PLAIN, clock, origin } = options;
    const kept = idle.get(dialect) ?? [];
    const at = kept.findIndex(({ options: its }) => its.clock === clock && its.origin === origin);
    if (at !== -1) return kept.splice(at, 1)[0]!;
    const session = new MockSession(options);
    await session.mock.ready;
    await session.mock.warmUp();
    serviceOf(session.mock).organisations.onOpened.push((organisation) => session.#opened(organisation));
    return session;
  }

  /**
   * Forgets the run before and sets up the next one. Any other key than `key` is refused. `rules` stand before those of
   * the scenario.
   */
  begin(scenario: Scenario, key: string, rules: readonly NetworkRule[] = []): Organisation {
    const service = serviceOf(this.mock);
    service.organisations.reset();
    this.#recording = new RunRecording(this.#wall);
    this.#key = key;
    service.scenarios.replace([{ ...scenario, match: {}, file: scenario.file ?? scenario.name }]);
    const organisation = service.organisations.open(key);
    const standing = [...rules, ...leadingCreateRules(scenario)];
    if (standing.length > 0) organisation.network.set(standing);
    this.#organisation = organisation;
    return organisation;
  }

  /** The client has sent and read more than a run may: it would take all memory. */
  get isFull(): boolean {
    return this.#recording.isFull;
  }

  /** Settles once that is so. */
  filled(): Promise<void> {
    const recording = this.#recording;
    return new Promise((resolve) => {
      recording.onFull = resolve;
    });
  }

  /** `seq`s of requests that wait for their answer now. */
  pending(): number[] {
    return this.#recording.pending();
  }

  /**
   * What has happened since `begin`. Call it once. Throws what went wrong in the mock itself: that is no finding.
   */
  end(): SessionRecord {
    const [fault] = this.#faults.splice(0);
    if (fault !== undefined) throw fault;
    const organisation = this.#organisation!;
    const { exchanges, trace, wall } = this.#recording.read();
    return {
      exchanges,
      trace,
      tasks: tasksOf(organisation),
      rules: organisation.network.list(),
      wall: this.#wall && wall,
    };
  }

  /** Forgets the last run. Afterwards the next `open` may get it. */
  release(): void {
    serviceOf(this.mock).organisations.reset();
    this.#recording = new RunRecording();
    this.#organisation = undefined;
    if (this.#faults.length > 0) return;
    const { dialect = PLAIN } = this.options;
    idle.set(dialect, [...(idle.get(dialect) ?? []), this]);
  }

  #opened(organisation: Organisation): void {
    const { key } = organisation;
    this.#recording.opened(
      organisation,
      key === this.#key ? 'client' : key === '' ? 'no key' : 'another key',
    );
    if (key !== this.#key && key !== '') organisation.network.set([UNKNOWN_KEY]);
  }
}

function tasksOf({ world }: Organisation): ServiceTask[] {
  return [...world.tasks.values()].map((task) => {
    settle(world, task);
    const { id, status, calls, actions } = task;
    return {
      id,
      status,
      calls: [...(calls ?? [])].map(([event, { step, tool, reply }]) => ({
        id: event,
        step,
        tool,
        reply: reply && { code: reply.code, output: reply.output },
      })),
      actions: [...(actions ?? [])].map(([event, { step, name }]) => ({ id: event, step, name })),
    };
  });
}
