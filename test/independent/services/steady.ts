/** A service written from its description alone, to test a conformance suite with. */
import {
  answer,
  byWords,
  matchPath,
  Refusal,
  readKey,
  readPath,
  SteadyExchange,
  writeRefusal,
} from './steady/exchange.js';
import { buildRecordRoutes } from './steady/record-routes.js';
import { readChoices, type ServiceSettings } from './steady/settings.js';
import { SteadyStore } from './steady/store.js';
import { buildTaskRoutes } from './steady/task-routes.js';
import { buildWorkspaceRoutes } from './steady/workspace-routes.js';

export { faults, type ServiceSettings, variations } from './steady/settings.js';

const PREFIX = '/api/v1/';

export function createService(settings: ServiceSettings): { fetch(request: Request): Promise<Response> } {
  const choices = readChoices(settings);
  const store = new SteadyStore(choices);
  const routes = [...buildTaskRoutes(store), ...buildRecordRoutes(store), ...buildWorkspaceRoutes(store)];

  async function serve(request: Request, headers: Record<string, string>): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(PREFIX)) throw new Refusal(404, 'There is nothing at this path');
    const parts = pathname.slice(PREFIX.length).split('/');
    const matching = routes.filter((one) => matchPath(one, parts)).sort(byWords);
    if (matching.length === 0) throw new Refusal(404, 'There is nothing at this path');
    const found = matching.find(({ method }) => method === request.method);
    if (found === undefined) {
      if (choices.varies('wrong-method-404')) throw new Refusal(404, 'There is nothing at this path');
      headers.allow = [...new Set(matching.map(({ method }) => method))].join(', ');
      throw new Refusal(405, `This path has no ${request.method}`);
    }
    const key = readKey(request, choices);
    if (found.keyed && !store.organisations.has(key))
      throw new Refusal(
        choices.varies('key-403') ? 403 : 401,
        key === '' ? 'An API key is needed' : 'Unknown API key',
      );
    const exchange = new SteadyExchange(request, readPath(found, parts, choices), choices);
    exchange.org = key;
    return found.handle(exchange);
  }

  return {
    async fetch(request) {
      const headers: Record<string, string> = {};
      try {
        return await serve(request, headers);
      } catch (error) {
        if (error instanceof Refusal) return writeRefusal(error, choices, headers);
        return answer({ detail: `Internal error: ${(error as Error).message}` }, 500);
      }
    },
  };
}
