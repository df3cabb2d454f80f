import { ToolError } from './result.js';
import { startSelf } from './run-self.js';

/** The key whose organisation the tools concern. */
export const API_KEY = 'agent';

interface RunningMock {
  base_url: string;
  admin_url: string;
  end: () => Promise<void>;
}

/** The mock that the agent has started: at most one. */
export class MockConnection {
  #mock: RunningMock | undefined;

  /** Starts a mock on a free port, or returns the one that runs. */
  async start(args: readonly string[]): Promise<{ base_url: string; was_running: boolean }> {
    if (this.#mock) return { base_url: this.#mock.base_url, was_running: true };
    const { ready, end } = await startSelf([
      ...['mock', '--port', '0', '--json', '--quiet', '--exit-with-parent'],
      ...args,
    ]);
    this.#mock = { ...(JSON.parse(ready) as { base_url: string; admin_url: string }), end };
    return { base_url: this.#mock.base_url, was_running: false };
  }

  async stop(): Promise<boolean> {
    const mock = this.#mock;
    this.#mock = undefined;
    await mock?.end();
    return mock !== undefined;
  }

  /** A request to the admin API, for the key of the agent. Throws ToolError with the `detail` of a refusal. */
  async request(method: string, path: string, body?: object | string): Promise<Response> {
    if (!this.#mock) throw new ToolError('No mock runs. Call start_mock first.');
    const url = new URL(`${this.#mock.admin_url}${path}`);
    url.searchParams.set('key', API_KEY);
    const response = await fetch(url, {
      method,
      headers: { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch(() => {
      throw new ToolError('The mock does not respond: it has ended. Call stop_mock, then start_mock.');
    });
    if (response.ok) return response;
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: unknown };
    throw new ToolError(typeof detail === 'string' ? detail : `${method} ${path}: status ${response.status}`);
  }
}
