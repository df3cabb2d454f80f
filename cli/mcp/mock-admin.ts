import type { AdminResponses } from '../../mock/admin/admin-routes.js';
import type { Mock } from '../../mock/mock.js';
import { formatSuggestion } from '../../spec/nearest.js';
import { quote } from '../../spec/show.js';
import { SCENARIOS_LISTED, ToolError } from './result.js';
import { startSelf } from './run-self.js';

/** The key whose organisation the tools concern, at a mock that the agent has started. */
export const API_KEY = 'agent';

/** The admin API of a mock, for one organisation or for all. */
export interface MockAdmin {
  /** Throws ToolError with the `detail` of a refusal. */
  request(method: string, path: string, body?: object | string): Promise<Response>;
}

interface RunningMock {
  base_url: string;
  admin_url: string;
  args: readonly string[];
  end: () => Promise<void>;
}

/** The mock that the agent has started: at most one. */
export class StartedMock implements MockAdmin {
  #mock: RunningMock | undefined;

  /** Starts a mock on a free port, or returns the one that runs. Throws ToolError if that one has other options. */
  async start(args: readonly string[]): Promise<{ base_url: string; was_running: boolean }> {
    if (this.#mock) {
      const { base_url, args: started } = this.#mock;
      if (!args.every((arg) => started.includes(arg)))
        throw new ToolError('A mock with other options is running. Call stop_mock first.');
      return { base_url, was_running: true };
    }
    const { ready, end } = await startSelf([
      ...['mock', '--port', '0', '--json', '--quiet', '--exit-with-parent'],
      ...args,
    ]);
    this.#mock = { ...(JSON.parse(ready) as { base_url: string; admin_url: string }), args, end };
    return { base_url: this.#mock.base_url, was_running: false };
  }

  async stop(): Promise<boolean> {
    const mock = this.#mock;
    this.#mock = undefined;
    await mock?.end();
    return mock !== undefined;
  }

  async request(method: string, path: string, body?: object | string): Promise<Response> {
    if (!this.#mock) throw new ToolError('No mock runs. Call start_mock first.');
    const url = addKey(`${this.#mock.admin_url}${path}`, API_KEY);
    const response = await fetch(url, createInit(method, body)).catch(() => {
      throw new ToolError('The mock does not respond: it has ended. Call stop_mock, then start_mock.');
    });
    return requireSuccess(response, `${method} ${path}`);
  }
}

/** The mock that serves the tools. Without a key, the tools concern all organisations. */
export class ServingMock implements MockAdmin {
  constructor(
    private readonly mock: Pick<Mock, 'fetch'>,
    private readonly adminToken: string | undefined,
    private readonly key: string | undefined,
  ) {}

  async request(method: string, path: string, body?: object | string): Promise<Response> {
    const init = createInit(method, body);
    if (this.adminToken !== undefined) init.headers['x-taskdouble-admin-token'] = this.adminToken;
    const address = `http://localhost/__admin${path}`;
    const response = await this.mock.fetch(
      this.key === undefined ? address : addKey(address, this.key),
      init,
    );
    return requireSuccess(response, `${method} ${path}`);
  }
}

/** Throws ToolError if the mock has no such scenario. */
export async function requireScenario(mock: MockAdmin, name: string): Promise<void> {
  const response = await mock.request('GET', '/scenarios');
  const { scenarios } = (await response.json()) as AdminResponses['GET /scenarios'];
  const names = scenarios.map((each) => each.name);
  if (names.includes(name)) return;
  throw new ToolError(
    `There is no scenario ${quote(name)}${formatSuggestion(name, names, SCENARIOS_LISTED)}`,
  );
}

function addKey(address: string, key: string): string {
  const url = new URL(address);
  url.searchParams.set('key', key);
  return url.href;
}

function createInit(method: string, body: object | string | undefined) {
  const headers: Record<string, string> = {
    'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json',
  };
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  return { method, headers, ...(text !== undefined && { body: text }) };
}

async function requireSuccess(response: Response, what: string): Promise<Response> {
  if (response.ok) return response;
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: unknown };
  throw new ToolError(typeof detail === 'string' ? detail : `${what}: status ${response.status}`);
}
