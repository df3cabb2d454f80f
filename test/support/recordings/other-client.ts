import { request } from 'node:http';

export interface OtherClientOptions {
  baseUrl: string;
  apiKey: string;
  /** Body of the create request. */
  task: object;
  /** The code and the output of the n-th run of the tool. */
  runs: readonly { code: number; output: unknown }[];
  /** Query parameter of polls, after their `?`. */
  query?: (lastEvent: number) => string;
}

interface OtherClientTask {
  id: string;
  status: string;
  output: unknown;
  events?: { id: string; name: string; timestamp: number }[];
}

/** A client without code of the clients in `fixtures`: node:http, sequential requests, no retries. Resolves to the output. */
export async function runOtherClient(options: OtherClientOptions): Promise<unknown> {
  const { baseUrl, apiKey, task, runs, query = (last) => `event_t=${last}` } = options;
  const call = (method: string, path: string, body?: object): Promise<OtherClientTask> =>
    new Promise((resolve, reject) => {
      const headers = { apikey: apiKey, ...(body && { 'content-type': 'application/json' }) };
      const sent = request(`${baseUrl}/api/v1${path}`, { method, headers }, async (response) => {
        try {
          let text = '';
          for await (const chunk of response.setEncoding('utf8')) text += chunk;
          resolve(JSON.parse(text).r);
        } catch (error) {
          reject(error);
        }
      });
      sent.on('error', reject).end(body && JSON.stringify(body));
    });
  const { id } = await call('POST', '/task', task);
  const replied = new Set<string>();
  for (let last = 0; ; ) {
    const { status, output, events = [] } = await call('GET', `/task/${id}?${query(last)}`);
    for (const event of events) {
      last = Math.max(last, event.timestamp);
      if (event.name !== 'tool_call' || replied.has(event.id)) continue;
      const payload = runs[replied.size]!;
      replied.add(event.id);
      const reply = { id: event.id, name: 'tool_call', payload, timestamp: Date.now() };
      await call('POST', `/task/${id}/event`, reply);
    }
    if (!['running', 'waiting', 'paused'].includes(status)) return output;
  }
}
