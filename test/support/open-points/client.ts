import { Mock } from '../../../mock/mock.js';
import type { Choices, MockOptions } from '../../../mock/options/mock-options.js';

interface SendOptions {
  /** Default: `test`; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
  form?: FormData;
}

interface PointResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  r: any;
  headers: Headers;
}

/** A client with its own mock, whose clock moves only by `advance`. */
export class PointClient {
  readonly mock: Mock;

  constructor(dialect: Choices | string = {}, more: MockOptions = {}) {
    this.mock = new Mock({ clock: 'manual', library: false, dialect, ...more });
  }

  async send(
    method: string,
    path: string,
    json?: unknown,
    { key = 'test', headers, form }: SendOptions = {},
  ) {
    const init: RequestInit = { method, headers: { ...(key === null ? {} : { apikey: key }), ...headers } };
    if (form) init.body = form;
    else if (json !== undefined) init.body = JSON.stringify(json);
    const response = await this.mock.fetch(`http://mock.test/api/v1${path}`, init);
    const text = await response.text();
    const body = JSON.parse(text);
    return {
      status: response.status,
      body,
      r: body?.r,
      headers: response.headers,
    } satisfies PointResponse as PointResponse;
  }

  async sendForStatus(...request: Parameters<PointClient['send']>): Promise<number> {
    return (await this.send(...request)).status;
  }

  /** Resolves to the id of a new task. */
  async createTask(request: object = { task: 'Do it' }): Promise<string> {
    const { status, body, r } = await this.send('POST', '/task', request);
    if (status !== 200) throw new Error(`POST /task: ${status} ${JSON.stringify(body)}`);
    return r.id;
  }

  createSession(request: object = {}): Promise<string> {
    return this.createTask({ task: null, ...request });
  }

  /** Resolves to the id of a new task with this timeline, in the form of a scenario file; it may call `TOOL`. */
  async createScriptedTask(timeline: readonly object[], more: Record<string, unknown> = {}): Promise<string> {
    const title = `Script ${++this.#scripts}`;
    const request = { task: title, custom_tools: [TOOL], ...more };
    await this.mock.scenario({ title, request, timeline }, 'test');
    return this.createTask(request);
  }

  #scripts = 0;

  poll(id: string, event_t = 0, more = ''): Promise<PointResponse> {
    return this.send('GET', `/task/${id}?event_t=${event_t}${more}`);
  }

  sendEvent(id: string, event: object): Promise<PointResponse> {
    return this.send('POST', `/task/${id}/event`, event);
  }

  sendAction(id: string, name: string, input?: object, event: object = {}): Promise<PointResponse> {
    const kind = name === 'close' || name === 'run_task' ? 'session_action' : 'browser_action';
    return this.sendEvent(id, { id: `my-${name}`, name: kind, payload: { name, input }, ...event });
  }

  reply(id: string, call: string, code: unknown = 200, output: unknown = 'fine'): Promise<PointResponse> {
    return this.sendEvent(id, { id: call, name: 'tool_call', payload: { code, output } });
  }

  /** Advances the clock for the key `test`. */
  async advance(ms: number): Promise<void> {
    await this.mock.clock.advance(ms, 'test');
  }

  /** Settles everything that does not wait for time. */
  settlePending(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Resolves to the header that selects a new workspace. */
  async createWorkspace(): Promise<Record<string, string>> {
    const { body, r } = await this.send('POST', '/workspace/Work');
    return { 'workspace-id': (r ?? body).id };
  }
}

export const TOOL = { name: 'weather', description: 'Weather of a city', inputs: {}, output: 'Degrees' };
