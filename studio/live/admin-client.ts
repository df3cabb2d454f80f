import type { ConversationSummary } from '../../conformance/conversation/task-summary.js';
import type { SequenceLine } from '../../scenarios/format/sequence-diagram.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { VerbDescriptors } from '../controls/fault-form/fault-fields.js';
import { adminToken, refuseToken } from './admin-token.js';

/** A step of a timeline that waits. */
export interface PendingStep {
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
export interface PendingRun {
  next: PendingStep | null;
  meanwhile: PendingStep[];
}

export interface ClockStatus {
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

export interface OrganisationGates {
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

export interface PreviewedScenario {
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

async function requestJson<T>(method: string, path: string, query: Query = {}, body?: string): Promise<T> {
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
  fetchJournal: async (query: { task?: string; organisation?: string; since?: number; limit?: number }) =>
    (await requestJson<{ exchanges: Exchange[] }>('GET', '/journal', query)).exchanges,
  fetchTasks: (query: { before?: string; limit?: number } = {}) =>
    requestJson<{ tasks: ConversationSummary[]; more: boolean }>('GET', '/tasks', query),
  fetchRuns: async (id: string) =>
    (await requestJson<{ runs: PendingRun[] }>('GET', `/tasks/${encodeURIComponent(id)}/runs`)).runs,
  fetchCalls: async (id: string) =>
    (await requestJson<{ calls: TaskCall[] }>('GET', `/tasks/${encodeURIComponent(id)}`)).calls,
  /** YAML. */
  fetchScenario: (id: string) => requestText('GET', `/tasks/${encodeURIComponent(id)}/scenario`),
  injectStep: (id: string, step: object) =>
    requestJson<{ status: string }>('POST', `/tasks/${encodeURIComponent(id)}/steps`, {}, json(step)),
  setClock: (organisation: string | undefined, change: object) =>
    requestJson('POST', '/clock', { organisation }, json(change)),
  fetchVerbs: () => requestJson<VerbDescriptors>('GET', '/network/verbs'),
  /** The rules that every organisation starts with. */
  fetchInitialRules: async () =>
    (await requestJson<{ for_all: Pick<RuleView, 'id' | 'rule'>[] }>('GET', '/network')).for_all,
  addRules: (organisation: string | undefined, rules: string) =>
    requestJson('POST', '/network', { organisation }, rules),
  removeRule: (organisation: string | undefined, id?: string) =>
    requestJson('DELETE', '/network', { organisation, id }),
  openGate: (organisation: string | undefined, name: string) =>
    requestJson('POST', '/gates', { organisation }, json({ name })),
  fetchScenarios: async () =>
    (await requestJson<{ scenarios: ScenarioListing[] }>('GET', '/scenarios')).scenarios,
  fetchPreview: (name: string) => requestJson<PreviewedScenario>('GET', '/scenarios/preview', { name }),
  queueScenario: (organisation: string | undefined, name: string) =>
    requestJson('POST', '/scenarios/next', { organisation }, json({ name })),
  sendAgain: (organisation: string, seq: number) =>
    requestJson<{ seq: number }>('POST', `/exchanges/${seq}/send`, { organisation }),
  reset: (organisation?: string) => requestJson('POST', '/reset', { organisation }),
  fetchState: () => requestJson<object>('GET', '/state'),
  restore: (state: string) => requestJson('PUT', '/state', {}, state),
};
