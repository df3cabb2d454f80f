// A small library for the API, as a team writes it for itself: requests with patience, and one class for a task.

import { readSeconds } from './seconds.mjs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class ApiError extends Error {
  constructor(status, detail) {
    super(`${status}: ${JSON.stringify(detail)}`);
    this.status = status;
  }
}

/** Sends until there is a response that another attempt would not change. */
export class Api {
  constructor({ baseUrl, apiKey, fetch, signal }, { attempts = 6 } = {}) {
    Object.assign(this, { root: `${baseUrl}/api/v1`, apiKey, fetch, signal, attempts });
  }

  async request(method, path, body) {
    for (let attempt = 1; ; attempt++) {
      const { response, error } = await this.once(method, path, body);
      if (response && !this.passes(response.status)) return this.read(response);
      if (attempt >= this.attempts) {
        if (error) throw error;
        throw new ApiError(response.status, await response.text());
      }
      await pause(this.delay(attempt, response));
    }
  }

  passes(status) {
    return status === 429 || status >= 500;
  }

  delay(attempt, response) {
    const seconds = readSeconds(response?.headers.get('retry-after'));
    return Math.max(seconds * 1000, 500 * 2 ** (attempt - 1));
  }

  async once(method, path, body) {
    const headers = { apikey: this.apiKey, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const init = { method, headers, signal: this.signal };
    if (body !== undefined) init.body = JSON.stringify(body);
    try {
      const response = await this.fetch(this.root + path, init);
      const text = await response.text();
      return { response: new Response(text || null, { status: response.status, headers: response.headers }) };
    } catch (error) {
      return { error };
    }
  }

  async read(response) {
    const text = await response.text();
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    if (!response.ok) throw new ApiError(response.status, body?.detail ?? text);
    return body?.r;
  }

  createTask = (request) => this.request('POST', '/task', request);
  getTask = (id, after) => this.request('GET', `/task/${encodeURIComponent(id)}?event_t=${after}`);
  sendEvent = (id, event) => this.request('POST', `/task/${encodeURIComponent(id)}/event`, event);
  deleteTask = (id) => this.request('DELETE', `/task/${encodeURIComponent(id)}`);
}

export const isOver = (status) => status === 'done' || status === 'failed' || status === 'cancelled';

let made = 0;
export const newId = () => `evt-${Date.now().toString(36)}-${++made}`;
