import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { type RawRequest, type SocketResponse, sendRaw } from './raw-http.js';

/** Sends requests that no client library sends to a mock on its own port. */
export class HostileClient {
  readonly #faults: unknown[] = [];
  readonly mock: Mock = new Mock({
    clock: 'skipping',
    library: false,
    onFault: (fault) => this.#faults.push(fault),
  });
  port = 0;

  /** Starts the mock for a file of tests, and checks after each test that it still serves requests. */
  install(): this {
    beforeAll(async () => {
      this.port = (await this.mock.listen()).port;
    });
    afterEach(async () => {
      const next = { path: '/api/v1/usage', headers: { apikey: 'the next one' } };
      const { status, body } = await sendRaw(this.port, next);
      expect(status).toBe(200);
      expect(body).toHaveProperty('r.credits');
      expect(this.#faults).toEqual([]);
    });
    afterAll(() => this.mock.close());
    return this;
  }

  send(path: string, request: Omit<RawRequest, 'path'> = {}): Promise<SocketResponse> {
    const headers = { apikey: 'hostile', ...request.headers };
    return sendRaw(this.port, { ...request, path: `/api/v1${path}`, headers });
  }

  post(
    path: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<SocketResponse> {
    return this.send(path, { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } });
  }

  async createTask(request: object): Promise<string> {
    const { status, body } = await this.post('/task', JSON.stringify(request));
    expect(status).toBe(200);
    return (body as { r: { id: string } }).r.id;
  }

  /** Polls until there is an event; each poll advances a skipping clock to the next due event. */
  async pollFirstEvent<Event = unknown>(task: string): Promise<Event> {
    for (let polls = 0; polls < 20; polls++) {
      const { body } = await this.send(`/task/${task}`);
      const [event] = (body as { r: { events: Event[] } }).r.events;
      if (event !== undefined) return event;
    }
    throw new Error('20 polls, and no event');
  }
}

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Expects an error in JSON with this status, message and, for 422, position. */
export function checkErrorResponse(
  response: SocketResponse,
  expected: number,
  words: RegExp,
  loc?: unknown[],
): void {
  const { status, type, body } = response;
  const { detail } = (body ?? {}) as { detail: unknown };
  expect({ status, type, detail }).toMatchObject({ status: expected, type: 'application/json' });
  if (loc) {
    expect(detail).toContainEqual({ loc, msg: expect.stringMatching(words), type: expect.any(String) });
  } else {
    expect(detail).toEqual(expect.any(String));
    expect(detail).toMatch(words);
  }
}
