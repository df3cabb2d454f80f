import type { Mock } from '../../../mock/mock.js';

const WEATHER = {
  name: 'get_weather',
  description: 'Tells the weather in a city.',
  inputs: { type: 'object', properties: { city: { type: 'string' } } },
  output: 'Degrees Celsius',
};

interface InTestResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  r: any;
}

/** A client that sends one request at a time. */
export class InTestClient {
  constructor(
    private readonly mock: Mock,
    private readonly key = 'key-of-this-test',
  ) {}

  /** Status 0 if there was no response. */
  async send(method: string, path: string, body?: object): Promise<InTestResponse> {
    try {
      const response = await this.mock.fetch(`http://mock/api/v1${path}`, {
        method,
        headers: { apikey: this.key, ...(body && { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, r: response.ok ? JSON.parse(text).r : text };
    } catch {
      return { status: 0, r: undefined };
    }
  }

  /** Creates a task that follows the scenario; resolves to its id. */
  async start(scenario?: string, task = 'Do I need a coat in Paris?'): Promise<string> {
    if (scenario !== undefined) await this.mock.scenario(scenario, this.key);
    const { r } = await this.send('POST', '/task', { task, custom_tools: [WEATHER] });
    return r.id;
  }

  poll(task: string, event_t = 0): Promise<InTestResponse> {
    return this.send('GET', `/task/${task}?event_t=${event_t}`);
  }

  reply(task: string, call: string, output: unknown = { temp_c: 9 }, code = 200): Promise<InTestResponse> {
    const event = {
      id: call,
      name: 'tool_call',
      payload: { code, output },
      timestamp: this.mock.clock.now(this.key),
    };
    return this.send('POST', `/task/${task}/event`, event);
  }

  /** Starts `tool-calls/one-call` and reads its call; resolves to both ids. */
  async startCall(): Promise<{ task: string; call: string }> {
    const task = await this.start('tool-calls/one-call');
    await this.mock.clock.advance('1s', this.key);
    const { r } = await this.poll(task);
    return { task, call: r.events[0].id };
  }
}
