import type { Fixtures } from '../../../../mock/fixtures/fixtures.js';
import { Mock } from '../../../../mock/mock.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import { readBody } from '../../../conversation/body.js';
import { readField } from '../../../conversation/json.js';
import { buildRequest } from '../../http-client/exchanges.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { KEY_NAMES, type KeyName } from '../../test-case/test-case.js';

/** Not compared: retention times and quotas. */
const WITHOUT_LIMITS = {
  'poll.long-poll': 'off',
  'limits.rate': 0,
  'limits.concurrent-sessions': 'off',
  'session.idle-timeout': 0,
  'session.total-timeout': 0,
  'task.total-timeout': 0,
  'file.retention': 0,
  'event.retention': 0,
};

/** Prefixes of the mock's keys for accounts without a paid plan or credits. */
const MEANINGS: Readonly<Partial<Record<KeyName, string>>> = { free: 'free-', exhausted: 'exhausted-' };

/** A mock as the model of a service: with the detected dialect, and an agent that performs only injected steps. */
export class Model {
  readonly mock: Mock;
  #opened = 0;

  constructor(dialect: Readonly<Record<string, string | number>>, fixtures?: Fixtures) {
    this.mock = new Mock({
      agent: 'idle',
      clock: 'manual',
      library: false,
      lightResponses: true,
      dialect: { ...dialect, ...WITHOUT_LIMITS },
      limits: { exchanges: 1 },
      ...(fixtures && { fixtures }),
    });
  }

  async prepare(): Promise<void> {
    await this.mock.ready;
    await this.mock.warmUp();
  }

  /** Creates new organisations, one per key. */
  openAccounts(): ModelAccounts {
    const number = ++this.#opened;
    const keys = KEY_NAMES.map((name) => [name, `${MEANINGS[name] ?? ''}${name}-${number}`]);
    return new ModelAccounts(this.mock, Object.fromEntries(keys) as Record<KeyName, string>);
  }

  close(): Promise<void> {
    return this.mock.close();
  }
}

/** The organisations of one sequence. */
export class ModelAccounts {
  constructor(
    private readonly mock: Mock,
    private readonly keys: Readonly<Record<KeyName, string>>,
  ) {}

  async send(operation: OperationId, request: ApiRequest): Promise<ApiResponse> {
    const { method, url, headers, body } = buildRequest(operation, request, this.keys);
    const response = await this.mock.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
    });
    const text = await response.text();
    const json = readBody({ body: text }).value;
    const { status, ok } = response;
    return { seq: 0, status, headers: {}, text, body: json, r: readField(json, 'r'), ok, at: 0 };
  }

  /** Injects a step that the agent of the service performed; false if the model rejects it. */
  async applyStep(task_id: string, step: Readonly<Record<string, unknown>>): Promise<boolean> {
    try {
      await this.mock.injectStep(task_id, step);
      return true;
    } catch {
      return false;
    }
  }

  async advanceClock(ms: number): Promise<void> {
    await this.mock.clock.advance(ms);
  }

  close(): void {
    for (const key of Object.values(this.keys)) this.mock.reset(key);
  }
}
