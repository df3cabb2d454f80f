import { createService } from '../steady.js';

export interface SteadyAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  body: any;
}

const JSON_TYPE = { 'content-type': 'application/json' };

export function connectSteady(settings: { variation?: string; fault?: string } = {}) {
  let now = 1_700_000_000_000;
  const service = createService({ now: () => now, ...settings });
  const transcript: unknown[] = [];
  async function send(
    text: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<SteadyAnswer> {
    const [method = '', path = ''] = text.split(' ');
    const form = body instanceof FormData;
    const init: RequestInit = {
      method,
      headers: { apikey: 'main-key', ...(form ? {} : JSON_TYPE), ...headers },
    };
    if (body !== undefined) init.body = form ? body : JSON.stringify(body);
    const response = await service.fetch(new Request(`http://127.0.0.1/api/v1${path}`, init));
    const answered = await response.text();
    const result = { status: response.status, body: answered === '' ? undefined : JSON.parse(answered) };
    transcript.push(text, result);
    return result;
  }
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  const act = (id: string, sessionId: string, action: string, input?: unknown) =>
    send(`POST /task/${encodeURIComponent(sessionId)}/event`, {
      id,
      name: action === 'close' || action === 'run_task' ? 'session_action' : 'browser_action',
      payload: { name: action, input },
      timestamp: now,
    });
  return { send, wait, act, transcript };
}

export const STEADY_TOOL = {
  name: 'LookUp',
  description: 'Finds a price',
  inputs: { type: 'object' },
  output: 'a price',
};
export const STEADY_MODEL = {
  type: 'object',
  properties: {
    price: { type: 'number' },
    shop: { type: 'object', properties: { name: { type: 'string' } } },
  },
  required: ['price', 'shop'],
};
