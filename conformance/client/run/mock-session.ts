import type { ClockMode } from '../../../mock/engine/clock.js';
import { settle } from '../../../mock/engine/tasks/lifecycle.js';
import { Mock } from '../../../mock/mock.js';
import type { NetworkedOrganisation } from '../../../mock/network/network.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import { getService } from '../../../mock/service.js';
import { listLeadingCreateRules } from '../../../scenarios/format/network/rule.js';
import type { NetworkRule, Scenario } from '../../../scenarios/format/types.js';
import type { ClientRun, Job, ServiceTask } from '../types.js';
import { RunRecording } from './recording.js';

export interface MockSessionOptions {
  clock: ClockMode;
  dialect?: Choices | undefined;
  /** The mock's address, if it does not listen. */
  origin?: string;
  /** Decides ids, together with the key. */
  seed?: string | undefined;
  /** Real time in ms, if the mock has another clock. */
  wall?: () => number;
}

const UNKNOWN_KEY = {
  network: 'fail',
  status: 401,
  detail: 'This API key is not valid: use the one that you were given in TASKDOUBLE_API_KEY.',
} satisfies NetworkRule;

/** The profiles, files and extensions in a job exist: a client does not upload them. */
const GIVEN_RESOURCES = {
  'profile.unknown-in-task': 'made',
  'file.unknown-in-task': 'ignored',
  'extension.unknown-in-task': 'ignored',
} satisfies Choices;

/** Decides the seed of the mock of another job of the same process: its ids differ also under the same key. */
export const OTHER_SEED = 'other';

/** Unused sessions, the last used at the end: creating one takes longer than a run. */
const idle: MockSession[] = [];
const MOST_IDLE = 8;

/** A mock that plays one scenario at a time against a client: every task follows it, and everything is recorded. */
export class MockSession {
  readonly mock: Mock;
  readonly #faults: unknown[] = [];
  #recording = new RunRecording();
  #key = '';
  #organisation: NetworkedOrganisation | undefined;

  private constructor(private readonly options: MockSessionOptions) {
    const { clock, dialect, origin, seed } = options;
    this.mock = new Mock({
      clock,
      ...(seed !== undefined && { seed }),
      dialect: { ...GIVEN_RESOURCES, ...dialect },
      ...(origin !== undefined && { origin }),
      library: false,
      // Truncated bodies cannot be judged. The run as a whole has a limit.
      limits: { bodyCharacters: 64 * 1024 * 1024 },
      lightResponses: true,
      // The client must not use the admin API of its own test.
      adminToken: `session-${process.pid}-${performance.now()}`,
      onExchange: (exchange) => this.#recording.add(exchange),
      onTrace: (entry, organisation) => this.#recording.addTrace(entry, organisation),
      onFault: (error) => this.#faults.push(error),
    });
    const service = getService(this.mock);
    // The run controls the clock.
    service.stalledClock.isControlled = true;
    service.organisations.onOpened.push((organisation) => this.#onOpened(organisation));
  }

  /** An unused or new session with everything loaded that a run of `job` needs: loading must not change the run. */
  static async open(options: MockSessionOptions, { actions }: Pick<Job, 'actions'>): Promise<MockSession> {
    const { clock, dialect, origin, seed } = options;
    const at = idle.findLastIndex(
      ({ options: its }) =>
        its.clock === clock && its.dialect === dialect && its.origin === origin && its.seed === seed,
    );
    const session = at === -1 ? new MockSession(options) : idle.splice(at, 1)[0]!;
    await session.mock.ready;
    await getService(session.mock).warmUp(actions.some(({ payload }) => payload['name'] === 'evaluate_js'));
    return session;
  }

  /**
   * Starts the recording of a run. Any other key is refused. `onFull` is called at the memory limit, `onRequest` for each request. `name`:
   * decides the ids.
   */
  begin(scenario: Scenario, key: string, onFull: () => void, onRequest?: () => void, name = key): void {
    const service = getService(this.mock);
    service.organisations.reset();
    this.#recording = new RunRecording(this.options.wall, onFull, onRequest);
    this.#key = key;
    service.scenarios.replace([{ ...scenario, match: {}, file: scenario.file ?? scenario.name }]);
    this.#organisation = service.organisations.open(key, name);
    const rules = listLeadingCreateRules(scenario);
    if (rules.length > 0) this.#organisation.network.set(rules);
  }

  /** `seq` of the requests without a response. */
  listPending(): number[] {
    return this.#recording.listPending();
  }

  /** Returns the recording since `begin`. Call it once. Throws a fault of the mock itself, which is no finding. */
  end(): Pick<ClientRun, 'exchanges' | 'trace' | 'tasks' | 'rules' | 'wall'> {
    const [fault] = this.#faults.splice(0);
    if (fault !== undefined) throw fault;
    const organisation = this.#organisation!;
    const tasks = listServiceTasks(organisation);
    return Object.assign(this.#recording.read(), { tasks, rules: organisation.network.list() });
  }

  /** Clears the last run; the next `open` may return this session. */
  release(): void {
    getService(this.mock).organisations.reset();
    this.#recording = new RunRecording();
    this.#organisation = undefined;
    if (this.#faults.length > 0) return;
    idle.push(this);
    // The next run is rather of the same kind as this one.
    if (idle.length > MOST_IDLE) idle.shift();
  }

  #onOpened(organisation: NetworkedOrganisation): void {
    const { key } = organisation;
    const isOther = key !== this.#key && key !== '';
    this.#recording.open(organisation, key === this.#key ? 'client' : isOther ? 'another key' : 'no key');
    if (isOther) organisation.network.set([UNKNOWN_KEY]);
  }
}

export function listServiceTasks(organisation: NetworkedOrganisation): ServiceTask[] {
  return [...organisation.tasks.values()].map((task) => {
    settle(task);
    const { id, status, calls, actions } = task;
    return {
      id,
      status,
      calls: [...(calls ?? [])].map(([event, call]) => ({ id: event, ...call })),
      actions: [...(actions ?? [])].map(([event, action]) => ({ id: event, ...action })),
    };
  });
}
