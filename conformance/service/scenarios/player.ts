import { ACTIONS, type TaskEvent } from '../../../spec/vocabulary.js';
import type { KeyName, Probing } from '../cases/test-case.js';
import type { Answer } from '../http-client/response.js';
import { Patience } from './player-patience.js';
import { eventsOf, idOf, isActive, isCall, isResultOf, keyOf, said, statusOf } from './player-read.js';
import type { Played, Player } from './player-types.js';

/** What the player needs of a probe. */
export type PlayerCore = Pick<
  Probing,
  'send' | 'cleanup' | 'inconclusive' | 'unique' | 'now' | 'sleep' | 'settings'
>;

/** Polls in a row that tell no status until waiting is given up. */
const SPEECHLESS = 5;
/** Polls grow rarer by this much, up to so many times the interval. */
const GROWTH = 1.5;
const RAREST = 4;

/** Events of one task that are kept. A service that lists more is not followed any further. */
const MOST_EVENTS = 50_000;

/** What is kept of a task until the end of the run, to stop it: none of the answers, which may be long. */
interface Stoppable {
  readonly id: string;
  readonly key: KeyName;
  /** By what was last said of it. */
  isActive: boolean;
  /** DELETE was accepted, or came too late. */
  isStopped: boolean;
}

interface Memory {
  stoppable: Stoppable;
  /** Events taken up. */
  seen: Set<string>;
  /** Calls given out. */
  calls: Set<string>;
}

/** Plays the client's side: one player for each run of a probe. */
export function createPlayer(core: PlayerCore): Player {
  return new ServicePlayer(core);
}

class ServicePlayer implements Player {
  readonly #memory = new WeakMap<Played, Memory>();
  readonly #created: Stoppable[] = [];

  constructor(private readonly core: PlayerCore) {}

  async create(request: Readonly<Record<string, unknown>>, key: KeyName = 'main'): Promise<Played> {
    const created = await this.core.send('createTask', { body: request, key });
    const id = idOf(created);
    if (id === undefined) {
      this.core.inconclusive(`POST /task gave no task to go on with: ${said(created)}`);
    }
    return this.adopt(created, id, key);
  }

  adopt(created: Answer, id: string, key: KeyName = 'main'): Played {
    const status = statusOf(created) ?? 'running';
    const task: Played = { id, key, created, last: created, status, events: [], event_t: 0 };
    const stoppable = { id, key, isActive: isActive(status), isStopped: false };
    this.#memory.set(task, { stoppable, seen: new Set(), calls: new Set() });
    this.#created.push(stoppable);
    cleanUp(this.core, stoppable);
    return task;
  }

  async poll(task: Played, event_t = task.event_t): Promise<Answer> {
    const answer = await this.core.send('getTask', {
      path: { task_id: task.id },
      query: { event_t },
      key: task.key,
    });
    task.last = answer;
    task.status = statusOf(answer) ?? task.status;
    this.#memory.get(task)!.stoppable.isActive = isActive(task.status);
    this.#takeUp(task, eventsOf(answer));
    return answer;
  }

  async pollUntil(task: Played, until: (task: Played) => boolean, timeout_ms?: number): Promise<boolean> {
    if (until(task)) return true;
    const { settings, now } = this.core;
    const patience = Patience.of(settings);
    const began = now();
    const met = await this.#pollUntil(
      task,
      until,
      began + (timeout_ms ?? patience.limit(settings.timeout_ms)),
    );
    if (met) patience.met(now() - began);
    else if (isActive(task.status) && timeout_ms === undefined) patience.inVain();
    return met;
  }

  async #pollUntil(task: Played, until: (task: Played) => boolean, deadline: number): Promise<boolean> {
    const { poll_interval_ms } = this.core.settings;
    let pause = poll_interval_ms;
    for (let speechless = 0; isActive(task.status); ) {
      const { status, events } = task;
      const known = events.length;
      const answer = await this.poll(task);
      if (until(task)) return true;
      speechless = statusOf(answer) === undefined ? speechless + 1 : 0;
      const left = deadline - this.core.now();
      if (left <= 0 || speechless >= SPEECHLESS || !isActive(task.status)) return false;
      if (task.status !== status || task.events.length > known) pause = poll_interval_ms;
      await this.core.sleep(Math.min(pause, left));
      pause = Math.min(pause * GROWTH, poll_interval_ms * RAREST);
    }
    return false;
  }

  untilEnd(task: Played, timeout_ms?: number): Promise<boolean> {
    return this.pollUntil(task, ({ status }) => !isActive(status), timeout_ms);
  }

  async nextCall(task: Played): Promise<TaskEvent | undefined> {
    const { calls } = this.#memory.get(task)!;
    const next = () => task.events.find((event) => isCall(event) && !calls.has(event.id));
    await this.pollUntil(task, () => next() !== undefined);
    const call = isActive(task.status) ? next() : undefined;
    if (call) calls.add(call.id);
    return call;
  }

  reply(task: Played, call: string, code: number, output: unknown): Promise<Answer> {
    return this.#send(task, { name: 'tool_call', id: call, payload: { code, output } });
  }

  async act(
    task: Played,
    name: string,
    input?: Record<string, unknown>,
  ): Promise<{ id: string; answer: Answer }> {
    const id = this.core.unique();
    const event = Object.hasOwn(ACTIONS, name) ? ACTIONS[name as keyof typeof ACTIONS] : 'browser_action';
    const payload = input === undefined ? { name } : { name, input };
    return { id, answer: await this.#send(task, { name: event, id, payload }) };
  }

  async result(task: Played, action: string): Promise<TaskEvent | undefined> {
    const found = () => task.events.find((event) => isResultOf(event, action));
    await this.pollUntil(task, () => found() !== undefined);
    return found();
  }

  cancel(task: Played): Promise<Answer> {
    return cancel(this.core, this.#memory.get(task)!.stoppable);
  }

  async end(): Promise<void> {
    for (const each of this.#created) await stop(this.core, each).catch(() => {});
  }

  #send(task: Played, event: { name: string; id: string; payload: unknown }): Promise<Answer> {
    const timestamp = Math.floor(this.core.now());
    return this.core.send('sendTaskEvent', {
      path: { task_id: task.id },
      body: { ...event, timestamp },
      key: task.key,
    });
  }

  #takeUp(task: Played, events: readonly TaskEvent[]): void {
    const { seen } = this.#memory.get(task)!;
    for (const event of events) {
      const { timestamp } = event;
      if (Number.isFinite(timestamp)) task.event_t = Math.max(task.event_t, Math.floor(timestamp));
      const key = keyOf(event);
      if (seen.has(key)) continue;
      if (seen.size >= MOST_EVENTS)
        this.core.inconclusive(`the task ${task.id} has more than ${MOST_EVENTS} events`);
      seen.add(key);
      task.events.push(event);
    }
  }
}

/** A function of its own: what it hands over holds nothing else of the task. */
function cleanUp(core: PlayerCore, task: Stoppable): void {
  core.cleanup(`task ${task.id}`, () => stop(core, task));
}

async function cancel(core: PlayerCore, task: Stoppable): Promise<Answer> {
  const answer = await core.send('deleteTask', { path: { task_id: task.id }, key: task.key });
  if (answer.ok) task.isStopped = true;
  return answer;
}

async function stop(core: PlayerCore, task: Stoppable): Promise<void> {
  if (task.isStopped || !task.isActive) return;
  const answer = await cancel(core, task);
  // 400 and 404: it was over before we learnt of it.
  if (!answer.ok && answer.status !== 400 && answer.status !== 404) {
    throw new Error(`DELETE /task/${task.id} was answered with ${said(answer)}`);
  }
  task.isStopped = true;
}
