import type { Mock } from '../../../index.js';

/** An action of a client or test. Numbers select one of the known ids. */
interface MockAction {
  what: number;
  which: number;
  key: number;
}

const KEYS = ['a', 'b', 'free-c', 'limited-d'];
const TOOL = {
  name: 'get_weather',
  description: 'Weather of a city',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'The temperature',
};
const RULES: object[][] = [
  [],
  [{ network: 'fail', status: 503, of: 'poll', probability: 0.5 }],
  [{ network: 'quota', requests: 3, per: '10s', of: 'listTasks' }],
  [{ network: 'delay', time: '900ms', of: 'poll' }],
  [{ network: 'drop', side: 'response', of: 'create', skip: 1, times: 2 }],
  [
    { network: 'duplicate', of: 'reply', probability: 0.7 },
    { network: 'garble', of: 'poll', times: 1 },
  ],
  [{ network: 'redeliver', of: 'poll', times: 3 }],
];

/** Sends requests to a mock and records the responses. Deterministic: mocks in the same state get the same requests. */
export class MockConversation {
  readonly responses: string[] = [];
  readonly known = {
    tasks: [] as string[],
    workspaces: [] as string[],
    chats: [] as number[],
    profiles: [] as string[],
  };
  readonly calls: { task: string; id: string; key: string }[] = [];

  constructor(
    readonly mock: Mock,
    private readonly scenarios: readonly string[],
  ) {}

  /** A copy of the conversation so far, with another mock. */
  copyTo(mock: Mock): MockConversation {
    const copy = new MockConversation(mock, this.scenarios);
    Object.assign(copy.known, structuredClone(this.known));
    copy.calls.push(...this.calls);
    return copy;
  }

  async perform({ what, which, key: number }: MockAction): Promise<void> {
    const key = KEYS[number % KEYS.length]!;
    const acts = this.#listActions(key, which);
    await acts[what % acts.length]!();
  }

  #listActions(key: string, which: number): (() => Promise<unknown>)[] {
    const { mock: admin } = this;
    const pick = <T>(from: readonly T[]): T | undefined => from[which % Math.max(1, from.length)];
    const task = pick(this.known.tasks) ?? 'none';
    const header = { 'workspace-id': pick(this.known.workspaces) ?? 'none' };
    const chat = pick(this.known.chats) ?? 1;
    const profile = pick(this.known.profiles) ?? 'none';
    const request = (method: string, path: string, body?: unknown, more?: Record<string, string>) =>
      this.#request(key, method, path, body, more);
    return [
      () => request('POST', '/task', { task: `Do ${which % 5}`, custom_tools: which % 2 ? [TOOL] : [] }),
      () =>
        request(
          'POST',
          '/task',
          { task: 'x', custom_tools: [TOOL] },
          { 'x-taskdouble-scenario': pick(this.scenarios)! },
        ),
      () => request('POST', '/task', { task: null, profile_id: this.known.profiles[0] ?? null }),
      () => request('GET', `/task/${task}?event_t=0`),
      () => request('GET', `/task/${task}`),
      () => this.#sendReply(which),
      () => this.#sendAction(key, task, which),
      () => request('DELETE', `/task/${task}`),
      () => request('DELETE', `/task/${task}/data`),
      () => request('GET', '/task?l=20'),
      () => request('POST', '/profile', which % 2 ? { id: `p${which % 4}` } : {}),
      () => request('GET', '/profile'),
      () => request('DELETE', `/profile/${profile}`),
      () => request('POST', `/workspace/w${which % 3}`),
      () => request('POST', '/task/zero', { task: `Say ${which}` }, header),
      () => request('GET', `/chat/id?t=${chat}`, undefined, header),
      () => request('GET', '/chat', undefined, header),
      () => request('POST', '/chat/message', new MultipartForm({ message: `Hello ${which}` }, which), header),
      () => request('POST', '/file', new MultipartForm({}, which)),
      () => request('POST', '/browser/session', { profile_id: which % 2 ? 'seen' : null }),
      () => request('POST', '/automation', { name: 'n', task: 'Read it' }, header),
      () => request('POST', '/sop?t=0', { title: 't', content: 'c' }, header),
      () => request('POST', `/workspace/app/${['mail', 'calendar'][which % 2]}`, {}, header),
      () => request('POST', `/topup?amount=${1 + (which % 9)}`),
      () => request('POST', `/plan?plan=${['free', 'starter', 'growth'][which % 3]}&group=zero`),
      () => request('POST', `/topup/auto?active=true&amount=${which % 50}&threshold=${which % 20}`),
      () => request('POST', `/org/user?email=u${which % 3}@x.example`),
      () => request('POST', '/telemetry', { events: [{ event: `e${which % 3}`, properties: {} }] }),
      () => request('GET', '/proxy'),
      () => request('GET', '/usage'),
      () =>
        admin.clock.set({ advance: [1, 50, 400, 3000, 400_000][which % 5]! }, which % 7 ? key : undefined),
      () => admin.clock.set({ to: 'next' }, key),
      async () => admin.openGate(['go', 'late', 'gate', 'answered'][which % 4]!, { key }),
      () => admin.network.set(RULES[which % RULES.length]!, which % 3 ? key : undefined),
      () => admin.scenarios.queue(pick(this.scenarios)!, which % 3 ? key : undefined),
      () => admin.clock.set(which % 2 ? { pause: true } : { pause: false }, which % 3 ? key : undefined),
      () =>
        admin.clock.set({ mode: (['manual', 'skipping'] as const)[which % 2]! }, which % 3 ? key : undefined),
      () =>
        admin.scenarios.add({
          name: `given/own-${which % 2}`,
          title: `Own ${which % 2}`,
          request: { task: `Do ${which % 5}` },
          timeline: [{ service: 'finish', output: `own ${which}`, after: '300ms' }],
        }),
    ];
  }

  async #sendReply(which: number): Promise<void> {
    const call = this.calls[which % Math.max(1, this.calls.length)];
    if (!call) return;
    const payload = { code: which % 3 ? 200 : 400, output: which % 3 ? { temp_c: which } : 'no' };
    await this.#request(call.key, 'POST', `/task/${call.task}/event`, {
      name: 'tool_call',
      id: call.id,
      payload,
    });
  }

  async #sendAction(key: string, task: string, which: number): Promise<void> {
    const name = ['goto', 'extract', 'run_task', 'close'][which % 4]!;
    const input = [{ url: 'https://x.example' }, { schema: { type: 'object' } }, { task: 'Read' }, {}][
      which % 4
    ];
    const event = which % 4 < 2 ? 'browser_action' : 'session_action';
    await this.#request(key, 'POST', `/task/${task}/event`, {
      name: event,
      id: `act-${which}`,
      payload: { name, input },
    });
  }

  /** Sends a request. While it waits, advances the clock to the next due event. */
  async #request(
    key: string,
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<void> {
    const isForm = body instanceof MultipartForm;
    const type = isForm ? 'multipart/form-data; boundary=edge' : 'application/json';
    const headers = { apikey: key, ...more, ...(body === undefined ? {} : { 'content-type': type }) };
    const text = isForm ? body.text : JSON.stringify(body);
    const init = { method, headers, ...(body === undefined ? {} : { body: text }) };
    let over = false;
    const pending = this.mock
      .fetch(`/api/v1${path}`, init)
      .then(async (response) => `${response.status} ${await response.text()}`)
      .catch((error) => `lost: ${(error as Error).message}`)
      .finally(() => {
        over = true;
      });
    for (let turn = 0; turn < 2000 && !over; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!over && turn > 20) await this.mock.clock.set({ to: 'next' }, key);
    }
    const response = await pending;
    this.responses.push(`${key} ${method} ${path}: ${response}`);
    this.#recordResponse(key, path, response);
  }

  #recordResponse(key: string, path: string, response: string): void {
    const body = parseJson(response.slice(4));
    if (!/^20/.test(response) || !body) return;
    const { r = body } = body;
    const add = <T>(list: T[], one: T) => {
      if (one !== undefined && one !== null && !list.includes(one)) list.push(one);
    };
    if (path === '/task') add(this.known.tasks, r.id);
    if (path.startsWith('/workspace/w')) add(this.known.workspaces, r.id);
    if (path === '/task/zero' || path === '/chat/message') add(this.known.chats, r.t);
    if (path === '/profile') add(this.known.profiles, r.id);
    for (const event of (Array.isArray(r.events) && r.events) || []) {
      if (
        event.name === 'tool_call' &&
        event.payload?.code === undefined &&
        !this.calls.some(({ id }) => id === event.id)
      )
        this.calls.push({ task: r.id, id: event.id, key });
    }
  }
}

/** A form with a fixed boundary. */
class MultipartForm {
  readonly text: string;

  constructor(texts: Record<string, string>, which: number) {
    const formatPart = (name: string, more: string, body: string) =>
      `--edge\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${body}\r\n`;
    const parts = Object.entries(texts).map(([name, text]) => formatPart(name, '', text));
    const type = '; filename="f.txt"\r\ncontent-type: text/plain';
    if (!texts.message) parts.push(formatPart('file', type, `bytes ${which}`));
    else if (which % 2) parts.push(formatPart('files', type, `bytes ${which}`));
    this.text = `${parts.join('')}--edge--\r\n`;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
function parseJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
