import { expect } from 'vitest';
import { type Route, route } from '../../../mock/exchange/route.js';
import type { Mock } from '../../../mock/mock.js';
import { isRefused } from '../../../mock/pipeline/organisations.js';
import { getService } from '../../../mock/service.js';
import type { OperationId } from '../../../spec/types.js';
import {
  API_PREFIX,
  isTerminal,
  TASK_STATUSES,
  type TaskEvent,
  type TaskStatus,
} from '../../../spec/vocabulary.js';
import { checkResponse } from './check-response.js';
import { formatUrl, type RequestDraft } from './drafts.js';
import { type Entity, type EntityKind, KnownEntities } from './known-entities.js';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape, checked against the description before
type TrafficBody = any;

/** Number of responses by operation. */
export type Tally = Map<OperationId, { successes: number; errors: number }>;

/** Sends requests of several keys to one mock, and checks every response and the state after it. */
export class Traffic {
  sent = 0;
  readonly #known = new Map<string, KnownEntities>();
  readonly #seen = new Map<string, { status: TaskStatus; events: Map<number, string> }>();

  constructor(
    private readonly mock: Mock,
    private readonly tally: Tally,
  ) {}

  getKnown(key: string): KnownEntities {
    const known = this.#known.get(key) ?? new KnownEntities(key);
    this.#known.set(key, known);
    return known;
  }

  advance(key: string, ms: number): void {
    const organisation = getService(this.mock).organisations.get(key);
    organisation?.advanceTo(organisation.now + ms);
  }

  async send(key: string, draft: RequestDraft): Promise<void> {
    const { method, headers, body } = draft;
    const url = formatUrl(draft);
    if (key !== '')
      headers[this.sent % 10 === 0 ? 'cookie' : 'apikey'] = this.sent % 10 === 0 ? `apikey=${key}` : key;
    try {
      await this.#sendDraft(key, draft, url);
    } catch (error) {
      const sent = typeof body === 'string' ? body.slice(0, 300) : `${body?.length ?? 'no'} bytes`;
      (error as Error).message += `\nafter ${method} ${url.slice(0, 300)} of "${key}": ${sent}`;
      throw error;
    }
  }

  async #sendDraft(key: string, { method, headers, body }: RequestDraft, url: string): Promise<void> {
    const response = await this.mock.fetch(url, { method, headers, body: body as RequestInit['body'] });
    this.sent++;
    const text = await response.text();
    const type = response.headers.get('content-type');
    if (method === 'HEAD') {
      expect([response.status < 500, type, text]).toEqual([true, 'application/json', '']);
      return this.#checkState(key);
    }
    const found = route(method, url.split('?')[0]!);
    const target = 'operation' in found ? found : undefined;
    const responseBody = checkResponse({ status: response.status, type, text }, target?.operation);
    if (!target) return;
    const { id, auth } = target.operation;
    this.#count(id, response.status);
    if (response.status < 300) {
      if (auth === 'key') {
        expect(key === '' || isRefused(key), 'a success without a key').toBe(false);
        this.#checkIsolation(key, text);
      }
      const used = readParameters(target, url, headers);
      if (id === 'getTask') this.#checkPoll(responseBody, Number(used.event_t ?? 0), response.status);
      this.getKnown(key).record(id, used, responseBody);
      if (id === 'triggerWebhook') await this.#recordJob(key);
    }
    this.#checkState(key);
  }

  /** Every created resource that was not deleted must be listed. */
  async checkLists(): Promise<void> {
    for (const key of this.#known.keys()) {
      const organisation = getService(this.mock).organisations.get(key);
      // A limited key gets refusals.
      if (!organisation || key === '' || isRefused(key) || key.startsWith('limited-')) continue;
      const list = async (path: string, headers: Entity = {}): Promise<TrafficBody> => {
        const sent = await this.mock.fetch(API_PREFIX + path, { headers: { apikey: key, ...headers } });
        expect(sent.status, path).toBe(200);
        return sent.json();
      };
      const checkList = (kind: EntityKind, name: string, listed: TrafficBody[], of?: string) => {
        const made = this.getKnown(key)
          .list(kind)
          .filter((each) => of === undefined || each['workspace-id'] === of);
        const missing = made.map((each) => each[name]!).filter((each) => !listed.map(String).includes(each));
        expect(missing, `${kind} made and not listed`).toEqual([]);
      };
      const readId = ({ id }: TrafficBody) => id;
      checkList('task', 'task_id', (await list('/task?l=128')).r.map(readId));
      checkList('profile', 'profile_id', (await list('/profile')).r.map(readId));
      checkList('profile', 'profile_id', (await list('/browser/profile')).r.profile_ids);
      checkList('extension', 'extension_id', (await list('/extension')).r.map(readId));
      checkList('extension', 'extension_id', (await list('/browser/extension')).r.extensions.map(readId));
      for (const { 'workspace-id': workspace } of this.getKnown(key).list('workspace')) {
        const headers = { 'workspace-id': workspace! };
        expect((await list('/workspace', headers)).id).toBe(workspace);
        checkList('chat', 'chat-id', (await list('/chat', headers)).chats.map(readId), workspace);
        checkList(
          'sop',
          't',
          (await list('/sop', headers)).sops.map(({ t }: TrafficBody) => t),
          workspace,
        );
        checkList('automation', 'id', (await list('/automation', headers)).r.map(readId), workspace);
      }
    }
  }

  #count(id: OperationId, status: number): void {
    const counts = this.tally.get(id) ?? { successes: 0, errors: 0 };
    this.tally.set(id, counts);
    if (status < 300) counts.successes++;
    else counts.errors++;
  }

  /** No response may contain ids of another key. */
  #checkIsolation(key: string, text: string): void {
    for (const [other, known] of this.#known) {
      if (other === key) continue;
      for (const secret of known.listSecrets()) {
        expect(text.includes(secret), `${secret} of ${other} is shown to ${key}`).toBe(false);
      }
    }
  }

  #checkPoll({ r }: TrafficBody, event_t: number, status: number): void {
    expect(status).toBe(isTerminal(r.status) ? 200 : 202);
    const before = this.#seen.get(r.id) ?? { status: r.status, events: new Map<number, string>() };
    if (isTerminal(before.status)) expect(r.status, 'a terminal status was left').toBe(before.status);
    let last = event_t;
    for (const event of r.events as TaskEvent[]) {
      expect(event.timestamp, 'timestamps ascend, beyond event_t').toBeGreaterThan(last);
      last = event.timestamp;
      const text = JSON.stringify(event);
      expect(text, 'an event has changed').toBe(before.events.get(event.timestamp) ?? text);
      before.events.set(event.timestamp, text);
    }
    const shown = new Set((r.events as TaskEvent[]).map(({ timestamp }) => timestamp));
    const lost = [...before.events.keys()].filter(
      (timestamp) => timestamp > event_t && !shown.has(timestamp),
    );
    expect(lost, 'events that were shown before').toEqual([]);
    this.#seen.set(r.id, { status: r.status, events: before.events });
  }

  /** Invariants after every request. */
  #checkState(key: string): void {
    const organisation = getService(this.mock).organisations.get(key);
    if (!organisation) return;
    const { account, inFlight } = organisation;
    expect(inFlight).toBe(0);
    expect(Number.isSafeInteger(account.credits) && account.credits >= 0, `credits ${account.credits}`).toBe(
      true,
    );
    expect(account.browser_sessions).toBeGreaterThanOrEqual(0);
    let active = 0;
    for (const task of organisation.tasks.values()) {
      expect(TASK_STATUSES).toContain(task.status);
      if (!isTerminal(task.status)) active++;
      const before = this.#seen.get(task.id);
      if (before && isTerminal(before.status))
        expect(task.status, 'a terminal status was left').toBe(before.status);
      else if (before) before.status = task.status;
    }
    expect(organisation.activeTasks).toBe(active);
  }

  /** The newest task after a webhook is that of the job. */
  async #recordJob(key: string): Promise<void> {
    const response = await this.mock.fetch(`${API_PREFIX}/task?l=1`, { headers: { apikey: key } });
    if (response.status !== 200) return;
    const [task] = ((await response.json()) as TrafficBody).r;
    if (task) this.getKnown(key).recordJob(task.id);
  }
}

function readParameters(
  { operation, values }: Route,
  url: string,
  headers: Readonly<Record<string, string>>,
): Entity {
  const used: Record<string, string> = {};
  const search = new URLSearchParams(url.split('?')[1] ?? '');
  let position = 0;
  for (const { name, in: where } of operation.params) {
    const text =
      where === 'path' ? values[position++] : where === 'query' ? search.getAll(name).at(-1) : headers[name];
    if (text !== undefined) used[name] = text;
  }
  return used;
}
