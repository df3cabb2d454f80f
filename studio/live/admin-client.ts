import type { SummarizedTask } from '../../conformance/conversation/task-summary.js';
import type { SequenceLine } from '../../scenarios/format/sequence-diagram.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { VerbDescriptors } from '../controls/fault-form/fault-fields.js';
import { adminToken, refuseToken } from './admin-token.js';

/** A step of a timeline that waits. */
export interface WaitingStep {
  step: string;
  waits_for: string[];
  /** When the time that it waits for is over, ms. */
  due?: number;
}

/** A tool call of a task. */
export interface TaskCall {
  id: string;
  tool: string;
  /** Id of the step of the scenario that made it. */
  step?: string;
}

/** What a timeline of a task waits for. */
export interface RunView {
  next: WaitingStep | null;
  meanwhile: WaitingStep[];
}

export interface ClockView {
  organisation: string;
  now: number;
  iso: string;
  mode: 'real' | 'manual' | 'skipping' | 'eager';
  speed: number;
  next_due: number | null;
  pending: number;
}

export interface RuleView {
  id: string;
  task?: string;
  step?: string;
  rule: Record<string, unknown> & { network: string };
  state: 'live' | 'spent' | 'expired';
  fired: number;
  waiting: number;
}

export interface GateView {
  organisation: string;
  open: string[];
  waiting: { task: string; gate: string }[];
  held: { gate: string; requests: number }[];
}

export interface ScenarioListing {
  name: string;
  title: string;
  from: 'given' | 'library';
}

export interface ScenarioPreview {
  name: string;
  title: string;
  description?: string;
  yaml: string;
  lines: SequenceLine[];
}

/** Sends a request to the admin API at the origin of the page, with the token. Rejects with an Error that holds the `detail` of a refusal. */
export async function fetchAdmin(path: string, init: RequestInit = {}): Promise<Response> {
  const token = adminToken.value;
  const headers = { ...init.headers, ...(token !== undefined && { 'x-taskdouble-admin-token': token }) };
  const response = await fetch(`/__admin${path}`, { ...init, headers });
  if (response.ok) return response;
  if (response.status === 403) refuseToken(token);
  const { detail } = (await response.json()) as { detail?: string };
  throw new Error(detail ?? `${init.method ?? 'GET'} ${path}: ${response.status}`);
}

async function request<T>(method: string, path: string, query: Query = {}, body?: string): Promise<T> {
  return JSON.parse(await requestText(method, path, query, body)) as T;
}

/** The same with the body as it is. */
async function requestText(method: string, path: string, query: Query = {}, body?: string): Promise<string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined) as [
    string,
    string | number,
  ][];
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const address = `${path}${search === '' ? '' : `?${search}`}`;
  const response = await fetchAdmin(address, { method, ...(body !== undefined && { body }) });
  return response.text();
}

type Query = Readonly<Record<string, string | number | undefined>>;

const json = JSON.stringify;

/** The operations of the admin API that studio uses. `organisation` undefined means all. */
export const admin = {
  journal: async (query: { task?: string; organisation?: string; since?: number; limit?: number }) =>
    (await request<{ exchanges: Exchange[] }>('GET', '/journal', query)).exchanges,
  tasks: (query: { before?: string; limit?: number } = {}) =>
    request<{ tasks: SummarizedTask[]; more: boolean }>('GET', '/tasks', query),
  runs: async (id: string) =>
    (await request<{ runs: RunView[] }>('GET', `/tasks/${encodeURIComponent(id)}/runs`)).runs,
  calls: async (id: string) =>
    (await request<{ calls: TaskCall[] }>('GET', `/tasks/${encodeURIComponent(id)}`)).calls,
  /** YAML. */
  scenarioOf: (id: string) => requestText('GET', `/tasks/${encodeURIComponent(id)}/scenario`),
  injectStep: (id: string, step: object) =>
    request<{ status: string }>('POST', `/tasks/${encodeURIComponent(id)}/steps`, {}, json(step)),
  setClock: (organisation: string | undefined, change: object) =>
    request('POST', '/clock', { organisation }, json(change)),
  verbs: () => request<VerbDescriptors>('GET', '/network/verbs'),
  /** The rules that every organisation starts with. */
  rulesForAll: async () =>
    (await request<{ for_all: Pick<RuleView, 'id' | 'rule'>[] }>('GET', '/network')).for_all,
  addRules: (organisation: string | undefined, rules: string) =>
    request('POST', '/network', { organisation }, rules),
  removeRule: (organisation: string | undefined, id?: string) =>
    request('DELETE', '/network', { organisation, id }),
  openGate: (organisation: string | undefined, name: string) =>
    request('POST', '/gates', { organisation }, json({ name })),
  scenarios: async () => (await request<{ scenarios: ScenarioListing[] }>('GET', '/scenarios')).scenarios,
  preview: (name: string) => request<ScenarioPreview>('GET', '/scenarios/preview', { name }),
  queue: (organisation: string | undefined, name: string) =>
    request('POST', '/scenarios/next', { organisation }, json({ name })),
  sendAgain: (organisation: string, seq: number) =>
    request<{ seq: number }>('POST', `/exchanges/${seq}/send`, { organisation }),
  reset: (organisation?: string) => request('POST', '/reset', { organisation }),
  state: () => request<object>('GET', '/state'),
  restore: (state: string) => request('PUT', '/state', {}, state),
};
