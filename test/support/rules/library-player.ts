import { mockTarget } from '../../../conformance/service/http-client/in-process.js';
import { runCases } from '../../../conformance/service/runner/run.js';
import { ALLOWANCES, type TestCase } from '../../../conformance/service/test-case/test-case.js';
import { Mock } from '../../../mock/mock.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { ACTIONS, API_PREFIX, type Exchange } from '../../../spec/vocabulary.js';
import { FIXTURES } from '../../mutants/fixtures.js';

/** Polls before an endless task is stopped. */
const MOST_POLLS = 60;

/** Attempts of a reply that was limited or got no response. */
const MOST_TRIES = 4;

interface PlayedTask {
  id: string;
  event_t: number;
  status: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape
  events: any[];
}

/** Plays the client side of scenarios and runs cases, against a mock in virtual time. */
export class LibraryPlayer {
  #events = 0;

  private constructor(
    private readonly mock: Mock,
    private readonly target: ReturnType<typeof mockTarget>,
  ) {}

  /** With its own mock in the dialect. */
  static async start(dialect: Choices | string): Promise<LibraryPlayer> {
    const mock = new Mock({
      clock: 'manual',
      lightResponses: true,
      dialect,
      fixtures: FIXTURES,
      limits: { exchanges: 100_000 },
    });
    await mock.ready;
    return new LibraryPlayer(mock, mockTarget(mock));
  }

  listExchanges(): Exchange[] {
    return this.mock.journal();
  }

  async send(method: string, path: string, json?: unknown, more: Record<string, string | null> = {}) {
    const isForm = json instanceof FormData;
    const type = isForm || json === undefined ? {} : { 'content-type': 'application/json' };
    const given = Object.entries({ apikey: 'key', ...type, ...more }).filter(([, value]) => value !== null);
    const init: RequestInit = { method, headers: Object.fromEntries(given) as Record<string, string> };
    if (json !== undefined) init.body = isForm || typeof json === 'string' ? json : JSON.stringify(json);
    const response = await this.target
      .fetch(`http://mock.test${API_PREFIX}${path}`, init)
      .catch(() => undefined);
    const text = (await response?.text().catch(() => '')) ?? '';
    try {
      return { status: response?.status ?? 0, body: JSON.parse(text) };
    } catch {
      return { status: response?.status ?? 0, body: undefined };
    }
  }

  /** From the creation of the task until some time after its completion. */
  async play({ name, request, timeline }: Scenario): Promise<void> {
    const created = await this.send('POST', '/task', request, { 'x-taskdouble-scenario': name });
    const id = created.body?.r?.id;
    if (typeof id !== 'string') return;
    const task: PlayedTask = { id, event_t: 0, status: 'running', events: [] };
    const steps = [...timeline];
    const ids = new Map<string, string>();
    for (const step of steps) {
      if (isOver(task)) break;
      if ('service' in step && step.service === 'result' && !step.meanwhile && ids.has(step.to)) {
        await this.#pollUntil(task, () => task.events.some((event) => event.id === ids.get(step.to)));
      }
      if (!('client' in step)) continue;
      if (step.client === 'reply') await this.#reply(task, step.code ?? 200, step.output ?? null);
      if (step.client === 'action') ids.set(step.id!, await this.sendAction(id, step.name, step.input));
      if (step.client === 'close' && step.by !== 'delete')
        ids.set(step.id!, await this.sendAction(id, 'close'));
      if (step.client === 'cancel' || (step.client === 'close' && step.by === 'delete')) {
        await this.#poll(task);
        await this.send('DELETE', `/task/${id}`);
      }
      if (step.client === 'poll') for (let n = step.times ?? 1; n > 0; n--) await this.#poll(task);
    }
    if (!(await this.#pollUntil(task, () => isOver(task)))) await this.send('DELETE', `/task/${id}`);
    for (const event_t of [0, task.events[0]?.timestamp ?? 0, task.event_t, 0])
      await this.send('GET', `/task/${id}?event_t=${event_t}`);
    await this.send('GET', '/task?l=1');
    await this.send('GET', '/task');
  }

  async sendAction(task: string, name: keyof typeof ACTIONS, input?: object): Promise<string> {
    const id = `event-${++this.#events}`;
    const payload = input === undefined ? { name } : { name, input };
    const timestamp = this.target.clock.now();
    await this.send('POST', `/task/${task}/event`, { id, name: ACTIONS[name], payload, timestamp });
    return id;
  }

  async #reply(task: PlayedTask, code: number, output: unknown): Promise<void> {
    const findOpenCall = () =>
      task.events.find(({ name, payload, done }) => name === 'tool_call' && 'input' in payload && !done);
    if (!(await this.#pollUntil(task, () => findOpenCall() !== undefined))) return;
    await this.#poll(task);
    const call = findOpenCall();
    call.done = true;
    const event = {
      id: call.id,
      name: 'tool_call',
      payload: { code, output },
      timestamp: this.target.clock.now(),
    };
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { status } = await this.send('POST', `/task/${task.id}/event`, event);
      if (status !== 0 && status !== 429) return;
      await this.target.clock.sleep(1000);
    }
  }

  async #pollUntil(task: PlayedTask, holds: () => boolean): Promise<boolean> {
    for (let polls = 0; polls < MOST_POLLS && !holds() && !isOver(task); polls++) {
      await this.target.clock.sleep(500);
      await this.#poll(task);
    }
    return holds();
  }

  async #poll(task: PlayedTask): Promise<void> {
    const { body } = await this.send('GET', `/task/${task.id}?event_t=${task.event_t}`);
    const record = body?.r;
    task.status = record?.status ?? task.status;
    for (const event of record?.events ?? []) {
      task.event_t = Math.max(task.event_t, event.timestamp);
      task.events.push(event);
    }
  }

  async run(cases: readonly TestCase[]): Promise<void> {
    await runCases({
      target: { ...this.target, keys: { main: 'key' } },
      cases,
      rules: [],
      settings: { timeoutMs: 60_000, pollIntervalMs: 250, texts: {}, tools: undefined },
      allow: ALLOWANCES,
      concurrency: 1,
      runId: 'walk',
    });
  }

  close(): Promise<void> {
    return this.mock.close();
  }
}

function isOver({ status }: PlayedTask): boolean {
  return status !== 'waiting' && status !== 'running';
}
