import { expect } from 'vitest';
import { type Route, route } from '../../../mock/exchange/route.js';
import type { Mock } from '../../../mock/mock.js';
import { isRefused } from '../../../mock/pipeline/organisations.js';
import { serviceOf } from '../../../mock/service.js';
import type { OperationId } from '../../../spec/types.js';
import {
  API_PREFIX,
  isTerminal,
  TASK_STATUSES,
  type TaskEvent,
  type TaskStatus,
} from '../../../spec/vocabulary.js';
import { type Draft, urlOf } from './drafts.js';
import { holdAnswer } from './hold-answer.js';
import { type Entity, type Kind, Known } from './known.js';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape, held against the description before
type Body = any;

/** Answers so far, by operation. */
export type Tally = Map<OperationId, { successes: number; errors: number }>;

/** Sends requests of several keys to one mock and holds every answer, and the state after it, against what must be. */
export class Traffic {
  sent = 0;
  readonly #known = new Map<string, Known>();
  readonly #seen = new Map<string, { status: TaskStatus; events: Map<number, string> }>();

  constructor(
    private readonly mock: Mock,
    private readonly tally: Tally,
  ) {}

  known(key: string): Known {
    const known = this.#known.get(key) ?? new Known(key);
    this.#known.set(key, known);
    return known;
  }

  /** Moves the time of one key on. */
  pass(key: string, ms: number): void {
    const organisation = serviceOf(this.mock).organisations.get(key);
    organisation?.advanceTo(organisation.now + ms);
  }

  async send(key: string, draft: Draft): Promise<void> {
    const { method, headers, body } = draft;
    const url = urlOf(draft);
    if (key !== '')
      headers[this.sent % 10 === 0 ? 'cookie' : 'apikey'] = this.sent % 10 === 0 ? `apikey=${key}` : key;
    try {
      await this.#exchange(key, draft, url);
    } catch (error) {
      const sent = typeof body === 'string' ? body.slice(0, 300) : `${body?.length ?? 'no'} bytes`;
      (error as Error).message += `\nafter ${method} ${url.slice(0, 300)} of "${key}": ${sent}`;
      throw error;
    }
  }

  async #exchange(key: string, { method, headers, body }: Draft, url: string): Promise<void> {
    const response = await this.mock.fetch(url, { method, headers, body: body as RequestInit['body'] });
    this.sent++;
    const text = await response.text();
    const type = response.headers.get('content-type');
    if (method === 'HEAD') {
      expect([response.status < 500, type, text]).toEqual([true, 'application/json', '']);
      return this.#holdState(key);
    }
    const found = route(method, url.split('?')[0]!);
    const target = 'operation' in found ? found : undefined;
    const answer = holdAnswer({ status: response.status, type, text }, target?.operation);
    if (!target) return;
    const { id, auth } = target.operation;
    this.#count(id, response.status);
    if (response.status < 300) {
      if (auth === 'key') {
        expect(key === '' || isRefused(key), 'a success without a key').toBe(false);
        this.#holdApart(key, text);
      }
      const used = parametersOf(target, url, headers);
      if (id === 'getTask') this.#holdPoll(answer, Number(used.event_t ?? 0), response.status);
      this.known(key).learn(id, used, answer);
      if (id === 'triggerWebhook') await this.#learnJob(key);
    }
    this.#holdState(key);
  }

  /** Everything that was made and not deleted is listed. */
  async holdLists(): Promise<void> {
    for (const key of this.#known.keys()) {
      const organisation = serviceOf(this.mock).organisations.get(key);
      // The answers of a limited key would be refusals.
      if (!organisation || key === '' || isRefused(key) || key.startsWith('limited-')) continue;
      const list = async (path: string, headers: Entity = {}): Promise<Body> => {
        const sent = await this.mock.fetch(API_PREFIX + path, { headers: { apikey: key, ...headers } });
        expect(sent.status, path).toBe(200);
        return sent.json();
      };
      const hold = (kind: Kind, name: string, listed: Body[], of?: string) => {
        const made = this.known(key)
          .all(kind)
          .filter((each) => of === undefined || each['workspace-id'] === of);
        const missing = made.map((each) => each[name]!).filter((each) => !listed.map(String).includes(each));
        expect(missing, `${kind} made and not listed`).toEqual([]);
      };
      const id = ({ id }: Body) => id;
      hold('task', 'task_id', (await list('/task?l=128')).r.map(id));
      hold('profile', 'profile_id', (await list('/profile')).r.map(id));
      hold('profile', 'profile_id', (await list('/browser/profile')).r.profile_ids);
      hold('extension', 'extension_id', (await list('/extension')).r.map(id));
      hold('extension', 'extension_id', (await list('/browser/extension')).r.extensions.map(id));
      for (const { 'workspace-id': workspace } of this.known(key).all('workspace')) {
        const headers = { 'workspace-id': workspace! };
        expect((await list('/workspace', headers)).id).toBe(workspace);
        hold('chat', 'chat-id', (await list('/chat', headers)).chats.map(id), workspace);
        hold(
          'sop',
          't',
          (await list('/sop', headers)).sops.map(({ t }: Body) => t),
          workspace,
        );
        hold('automation', 'id', (await list('/automation', headers)).r.map(id), workspace);
      }
    }
  }

  #count(id: OperationId, status: number): void {
    const counts = this.tally.get(id) ?? { successes: 0, errors: 0 };
    this.tally.set(id, counts);
    if (status < 300) counts.successes++;
    else counts.errors++;
  }

  /** Nothing that belongs to one key is shown to another. */
  #holdApart(key: string, text: string): void {
    for (const [other, known] of this.#known) {
      if (other === key) continue;
      for (const secret of known.secrets()) {
        expect(text.includes(secret), `${secret} of ${other} is shown to ${key}`).toBe(false);
      }
    }
  }

  #holdPoll({ r }: Body, event_t: number, status: number): void {
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

  /** What no request may upset. */
  #holdState(key: string): void {
    const organisation = serviceOf(this.mock).organisations.get(key);
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

  /** The newest task, right after a webhook: the job's. */
  async #learnJob(key: string): Promise<void> {
    const answer = await this.mock.fetch(`${API_PREFIX}/task?l=1`, { headers: { apikey: key } });
    if (answer.status !== 200) return;
    const [task] = ((await answer.json()) as Body).r;
    if (task) this.known(key).learnJob(task.id);
  }
}

function parametersOf(
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
