import type { ClockMode } from '../../../mock/engine/clock.js';
import { settle } from '../../../mock/engine/tasks/lifecycle.js';
import { Mock } from '../../../mock/mock.js';
import type { NetworkedOrganisation } from '../../../mock/network/network.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import { getService } from '../../../mock/service.js';
import { listLeadingCreateRules } from '../../../scenarios/format/network/leading-rules.js';
import type { NetworkRule, Scenario } from '../../../scenarios/format/types.js';
import type { ClientRun, Job, ServiceTask } from '../types.js';
import { RunRecording } from './recording.js';

export interface MockSessionOptions {
  clock: ClockMode;
  dialect?: Choices | undefined;
  /** `{base_url}` where the mock does not listen. */
  origin?: string;
  /** The real time in ms, where it is not the mock's. */
  wall?: () => number;
}

const UNKNOWN_KEY = {
  network: 'fail',
  status: 401,
  detail: 'This API key is not valid: use the one that you were given in TASKDOUBLE_API_KEY.',
} satisfies NetworkRule;

/** A job names profiles, files and extensions that are there: a client is not asked to upload them. */
const GIVEN_RESOURCES = {
  'profile.unknown-in-task': 'made',
  'file.unknown-in-task': 'ignored',
  'extension.unknown-in-task': 'ignored',
} satisfies Choices;

/** Sessions that are not in use: making one takes longer than a run. */
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
    const { clock, dialect, origin } = options;
    this.mock = new Mock({
      clock,
      dialect: { ...GIVEN_RESOURCES, ...dialect },
      ...(origin !== undefined && { origin }),
      library: false,
      // What was cut cannot be judged; a run as a whole has a bound of its own.
      limits: { bodyCharacters: 64 * 1024 * 1024 },
      lightResponses: true,
      // The client must not use the admin API of its own test.
      adminToken: `session-${process.pid}-${performance.now()}`,
      onExchange: (exchange) => this.#recording.add(exchange),
      onTrace: (entry, organisation) => this.#recording.addTrace(entry, organisation),
      onFault: (error) => this.#faults.push(error),
    });
    const service = getService(this.mock);
    // The run moves the clock.
    service.stalledClock.isControlled = true;
    service.organisations.onOpened.push((organisation) => this.#onOpened(organisation));
  }

  /** A session that is not in use, or a new one, with everything loaded that a run of `job` needs: two runs of it are the same. */
  static async open(options: MockSessionOptions, { actions }: Pick<Job, 'actions'>): Promise<MockSession> {
    const { clock, dialect, origin } = options;
    const at = idle.findIndex(
      ({ options: its }) => its.clock === clock && its.dialect === dialect && its.origin === origin,
    );
    const session = at === -1 ? new MockSession(options) : idle.splice(at, 1)[0]!;
    await session.mock.ready;
    await getService(session.mock).warmUp(actions.some(({ payload }) => payload['name'] === 'evaluate_js'));
    return session;
  }

  /**
   * Starts the recording of a run. Any other key is refused. `onFull`: the client would take all memory with what it sends.
   * `onRequest`: a request has arrived.
   */
  begin(scenario: Scenario, key: string, onFull: () => void, onRequest?: () => void): void {
    const service = getService(this.mock);
    service.organisations.reset();
    this.#recording = new RunRecording(this.options.wall, onFull, onRequest);
    this.#key = key;
    service.scenarios.replace([{ ...scenario, match: {}, file: scenario.file ?? scenario.name }]);
    this.#organisation = service.organisations.open(key);
    const rules = listLeadingCreateRules(scenario);
    if (rules.length > 0) this.#organisation.network.set(rules);
  }

  /** `seq` of the requests that have no response now. */
  listPending(): number[] {
    return this.#recording.listPending();
  }

  /** What has happened since `begin`. Call it once. Throws a fault of the mock itself: it is no finding. */
  end(): Pick<ClientRun, 'exchanges' | 'trace' | 'tasks' | 'rules' | 'wall'> {
    const [fault] = this.#faults.splice(0);
    if (fault !== undefined) throw fault;
    const organisation = this.#organisation!;
    const tasks = listServiceTasks(organisation);
    return Object.assign(this.#recording.read(), { tasks, rules: organisation.network.list() });
  }

  /** Forgets the last run; the next `open` may return this session. */
  release(): void {
    getService(this.mock).organisations.reset();
    this.#recording = new RunRecording();
    this.#organisation = undefined;
    if (this.#faults.length === 0 && idle.length < MOST_IDLE) idle.push(this);
  }

  #onOpened(organisation: NetworkedOrganisation): void {
    const { key } = organisation;
    const isOther = key !== this.#key && key !== '';
    this.#recording.open(organisation, key === this.#key ? 'client' : isOther ? 'another key' : 'no key');
    if (isOther) organisation.network.set([UNKNOWN_KEY]);
  }
}

function listServiceTasks(organisation: NetworkedOrganisation): ServiceTask[] {
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
