import type { AdminResponses } from '../../mock/admin/admin-routes.js';
import type { PageData } from '../page-data.js';
import { adminToken, refuseToken } from './admin-token.js';

/** Sends a request with the token to the admin API. Rejects with the `detail` of an error response. */
export async function fetchAdmin(path: string, init: RequestInit = {}): Promise<Response> {
  const token = adminToken.value;
  const headers = { ...init.headers, ...(token !== undefined && { 'x-taskdouble-admin-token': token }) };
  const response = await fetch(`/__admin${path}`, { ...init, headers });
  if (response.ok) return response;
  if (response.status === 403) refuseToken(token);
  const { detail } = (await response.json()) as { detail?: string };
  throw new Error(detail ?? `${init.method ?? 'GET'} ${path}: ${response.status}`);
}

/** Method and path, as in the routes of the mock. */
type Operation = keyof AdminResponses;

interface CallOptions {
  /** The value of `{id}` in the path. */
  id?: string | number;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: string | Blob;
}

async function callJson<Name extends Operation>(
  operation: Name,
  options?: CallOptions,
): Promise<AdminResponses[Name]> {
  return JSON.parse(await callText(operation, options)) as AdminResponses[Name];
}

async function callText(
  operation: Operation,
  { id = '', query = {}, body }: CallOptions = {},
): Promise<string> {
  const [method, path] = operation.split(' ') as [string, string];
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  const address = path.replace('{id}', encodeURIComponent(id)) + (search === '' ? '' : `?${search}`);
  const response = await fetchAdmin(address, { method, ...(body !== undefined && { body }) });
  return response.text();
}

const json = JSON.stringify;

/** The operations that studio uses. `organisation` undefined means all. */
export const admin = {
  fetchJournal: async (query: { task?: string; organisation?: string; since?: number; limit?: number }) =>
    (await callJson('GET /journal', { query })).exchanges,
  fetchTasks: (query: { before?: string; limit?: number; exchange?: string } = {}) =>
    callJson('GET /tasks', { query }),
  fetchRuns: (id: string) => callJson('GET /tasks/{id}/runs', { id }),
  fetchTask: (id: string) => callJson('GET /tasks/{id}', { id }),
  /** Resolves to YAML. */
  fetchScenario: (id: string) => callText('GET /tasks/{id}/scenario', { id }),
  injectStep: (id: string, step: object) => callJson('POST /tasks/{id}/steps', { id, body: json(step) }),
  sendEvent: (id: string, event: object) => callJson('POST /tasks/{id}/events', { id, body: json(event) }),
  setClock: (organisation: string | undefined, change: object) =>
    callJson('POST /clock', { query: { organisation }, body: json(change) }),
  fetchDueWork: async (organisation: string | undefined) =>
    (await callJson('GET /clock/due', { query: { organisation } })).organisations,
  fetchVerbs: () => callJson('GET /network/verbs'),
  /** The rules that a new organisation starts with. */
  fetchInitialRules: async () => (await callJson('GET /network')).for_all ?? [],
  addRules: (
    place: { organisation?: string | undefined; task?: string | undefined; count?: string | undefined },
    rules: string,
  ) => callJson('POST /network', { query: place, body: rules }),
  changeRule: (organisation: string | undefined, id: string, change: object) =>
    callJson('PATCH /network', { query: { organisation, id }, body: json(change) }),
  explainRule: async (organisation: string | undefined, id: string) =>
    (await callJson('GET /network/why', { query: { organisation, id } })).rules,
  removeRule: (organisation: string | undefined, id?: string) =>
    callJson('DELETE /network', { query: { organisation, id } }),
  openGate: (organisation: string | undefined, name: string) =>
    callJson('POST /gates', { query: { organisation }, body: json({ name }) }),
  fetchScenarios: async (search?: string) =>
    (await callJson('GET /scenarios', { query: { search } })).scenarios,
  fetchPreview: (name: string) => callJson('GET /scenarios/preview', { query: { name } }),
  /** The YAML of a scenario that is not added. */
  previewScenario: (name: string, body: string) =>
    callJson('POST /scenarios/preview', { query: { name }, body }),
  fetchQueues: async (organisation: string | undefined) =>
    (await callJson('GET /scenarios/next', { query: { organisation } })).queues,
  removeQueued: (organisation: string | undefined, name: string) =>
    callJson('DELETE /scenarios/next', { query: { organisation, name } }),
  /** `body`: a name as JSON, or a scenario as YAML, which `name` names. */
  queueScenario: (organisation: string | undefined, body: string, name?: string) =>
    callJson('POST /scenarios/next', { query: { organisation, name }, body }),
  fetchFilePage: async (name: string, body: Blob) =>
    (await callJson('POST /view', { query: { name }, body })) as PageData,
  /** `change`: parts of the request to replace. */
  sendAgain: (organisation: string, seq: number, change: { url?: string; body?: string } = {}) =>
    callJson('POST /exchanges/{id}/send', { id: seq, query: { organisation }, body: json(change) }),
  runClient: (run: { scenario?: string; watch: boolean }) =>
    callJson('POST /client/runs', { body: json(run) }),
  stopClient: () => callJson('DELETE /client/runs'),
  fetchClientOutput: (id: number, since: number) =>
    callJson('GET /client/runs/{id}', { id, query: { since } }),
  reset: () => callJson('POST /reset'),
  fetchState: () => callJson('GET /state'),
  restore: (state: string) => callJson('PUT /state', { body: state }),
};
