import type { WireRequest, WireResponse } from '../../../mock/exchange/wire.js';
import { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import { getService, type MockService } from '../../../mock/service.js';
import type { NetworkRule, Scenario, Step } from '../../../scenarios/format/types.js';
import { API_PREFIX } from '../../../spec/vocabulary.js';

interface TestResponse {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  r: any;
}

/** A mock in process. Default: manual clock. */
export interface TestMock {
  service: MockService;
  control: Mock;
  send(method: string, path: string, body?: unknown, key?: string): Promise<TestResponse>;
  /** Resolves to the id of a new task. */
  create(request: Record<string, unknown>, key?: string): Promise<string>;
  poll(id: string, event_t?: number, key?: string): Promise<TestResponse>;
  sendEvent(id: string, event: Record<string, unknown>, key?: string): Promise<TestResponse>;
}

/** Options with loaded scenarios and network rules. */
export interface TestMockOptions extends Omit<MockOptions, 'scenarios' | 'network'> {
  scenarios?: readonly Scenario[];
  network?: readonly NetworkRule[];
}

export async function startMock({
  scenarios = [],
  network = [],
  ...options
}: TestMockOptions = {}): Promise<TestMock> {
  const control = new Mock({ clock: 'manual', library: false, ...options });
  const service = getService(control);
  service.scenarios.addAtStart(scenarios);
  service.sharedRules.setInitial(network);
  await control.warmUp();
  const send: TestMock['send'] = async (method, path, body, key = 'a') => {
    const response = await service.pipeline.handle(
      createWireRequest(method, API_PREFIX + path, body, { apikey: key }),
    );
    const text = String(response.body);
    return { status: response.status, text, r: JSON.parse(text).r };
  };
  return {
    service,
    control,
    send,
    create: async (request, key) => (await send('POST', '/task', request, key)).r.id,
    poll: (id, event_t = 0, key) => send('GET', `/task/${id}?event_t=${event_t}`, undefined, key),
    sendEvent: (id, event, key) => send('POST', `/task/${id}/event`, event, key),
  };
}

export function createWireRequest(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): WireRequest {
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method,
    url,
    headers: text === null ? headers : { 'content-type': 'application/json', ...headers },
    body: text,
    loopback: true,
  };
}

export function parseBody(response: WireResponse) {
  return JSON.parse(String(response.body));
}

/** A scenario for tasks whose text is its name. */
export function createScenario(
  name: string,
  timeline: Step[],
  request: Record<string, unknown> = {},
): Scenario {
  return {
    name,
    title: name,
    covers: [],
    match: { task: name },
    request: { task: name, ...request },
    timeline,
  };
}

export const WEATHER = {
  name: 'get_weather',
  description: 'Weather of a city',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'The temperature',
};
