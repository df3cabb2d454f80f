import { ACTIONS, type Exchange, isTerminal, type TaskStatus } from '../../../spec/vocabulary.js';
import { type Fields, field } from '../../conversation/json.js';
import { byEnd, type ReadExchange } from '../../conversation/read-exchange.js';
import { isReplyShaped, replyOf } from '../../conversation/reply.js';
import type { CallFact, ClientRun, ResultLine } from '../types.js';
import { ordered } from './ordered.js';

/** One try at a reply. */
export interface ReplyTry {
  seq: number;
  payload: Fields | undefined;
  /** Of the answer; undefined where none came. */
  status: number | undefined;
  /** By the deprecated update of a task, whose output is JSON text. */
  byUpdate: boolean;
}

/** A call as the client read it. */
export interface CallStory {
  id: string;
  /** Id of the timeline's step, else the name of the tool. */
  about: string;
  tool: string;
  input: unknown;
  /** The answers that listed it, in the order in which they came. */
  delivered: number[];
  /** It came with the end, or after the client had stopped the task or closed the session. */
  tooLate: boolean;
  /** In the order in which they were sent. */
  replies: ReplyTry[];
}

/** An action as the client sent it, and what it read of it. */
export interface ActionStory {
  id: string;
  about: string;
  name: string;
  /** All tries. */
  sent: number[];
  result: { seq: number; code: unknown; output: unknown; withEnd: boolean } | undefined;
}

/** What passed between the two sides in a run, as the client could see it. Nothing is taken from the client's word. */
export class Story {
  /** In the order in which the requests arrived, with times that tell the order of things. */
  readonly seen: readonly ReadExchange[];
  /** The same in the order in which they ended. */
  readonly ended: readonly ReadExchange[];
  readonly calls = new Map<string, CallStory>();
  /** In the order in which they were sent first; the closes too. */
  readonly actions = new Map<string, ActionStory>();
  /** The first answer that said that the task is over. */
  end: { seq: number; status: TaskStatus; output: unknown } | undefined;
  /** Every status that an answer named. */
  readonly statuses = new Set<TaskStatus>();
  /** Every output that an answer named. */
  readonly outputs: unknown[] = [];
  /** The first request that closes the session or stops the task. */
  stopped: number | undefined;
  /** Requests to POST /task. */
  readonly creates: ReadExchange[] = [];
  /** The task that the client followed: the one it polled most. */
  readonly task: string | undefined;

  constructor(readonly run: ClientRun) {
    this.seen = ordered(run);
    this.ended = [...this.seen].sort(byEnd);
    this.task = this.#followed();
    for (const seen of this.seen) this.#send(seen);
    for (const seen of this.ended) this.#read(seen);
  }

  /** What the client says of itself; of a function that threw, that it gave up. */
  get line(): ResultLine | undefined {
    const { line, way, end, error } = this.run;
    if (line !== undefined) return line;
    return way === 'function' && end === 'by-itself' && error !== undefined ? { error } : undefined;
  }

  /** Why it says that it gave up; undefined when it says nothing of the kind. */
  get gaveUp(): string | undefined {
    const { error } = this.line ?? {};
    if (error === undefined || error === null || error === false || error === '') return undefined;
    return typeof error === 'string' ? error : (JSON.stringify(error) ?? 'an error');
  }

  /** The exchange by its number. */
  at(seq: number): ReadExchange | undefined {
    return this.#bySeq.get(seq);
  }

  #index: Map<number, ReadExchange> | undefined;
  get #bySeq(): Map<number, ReadExchange> {
    this.#index ??= new Map(this.seen.map((seen) => [seen.seq, seen]));
    return this.#index;
  }

  #followed(): string | undefined {
    const polls = new Map<string, number>();
    for (const seen of this.seen) {
      const { task } = seen;
      if (task !== undefined && seen.is('getTask', 'createTask') && seen.record)
        polls.set(task, (polls.get(task) ?? 0) + (seen.is('getTask') ? 1 : 0));
    }
    let most: string | undefined;
    for (const [task, count] of polls) if (most === undefined || count >= polls.get(most)!) most = task;
    return most;
  }

  #send(seen: ReadExchange): void {
    if (seen.is('createTask')) this.creates.push(seen);
    if (seen.is('deleteTask', 'deleteTaskData')) this.stopped ??= seen.seq;
    const { sent } = seen;
    if (!sent || typeof sent.id !== 'string' || sent.name === 'tool_call' || isReplyShaped(sent.payload))
      return;
    const name = field(sent.payload, 'name');
    if (typeof name !== 'string') return;
    if (name === 'close') this.stopped ??= seen.seq;
    const known = this.actions.get(sent.id);
    if (known) known.sent.push(seen.seq);
    else {
      const about = this.#stepOf(sent.id) ?? name;
      this.actions.set(sent.id, { id: sent.id, about, name, sent: [seen.seq], result: undefined });
    }
  }

  #read(seen: ReadExchange): void {
    const reply = replyOf(seen);
    if (reply && typeof reply.id === 'string') {
      const tries = this.#replies.get(reply.id) ?? [];
      tries.push({
        seq: seen.seq,
        payload: reply.payload,
        status: seen.exchange.response?.status,
        byUpdate: seen.is('updateTask'),
      });
      this.#replies.set(reply.id, tries);
      const call = this.calls.get(reply.id);
      if (call) call.replies = this.#repliesTo(reply.id);
    }
    if (!seen.is('getTask', 'createTask') || !seen.record) return;
    const { status } = seen;
    if (status !== undefined) this.statuses.add(status);
    this.outputs.push(field(seen.record, 'output') ?? null);
    const over = status !== undefined && isTerminal(status);
    for (const { id, payload, name } of seen.events) {
      if (id === undefined) continue;
      if (isReplyShaped(payload)) this.#result(id, payload!, seen.seq, over);
      else if (name === 'tool_call') this.#call(id, payload, seen, over);
    }
    if (over && seen.task === this.task)
      this.end ??= { seq: seen.seq, status, output: field(seen.record, 'output') ?? null };
  }

  readonly #replies = new Map<string, ReplyTry[]>();

  #repliesTo(id: string): ReplyTry[] {
    return [...(this.#replies.get(id) ?? [])].sort((one, other) => one.seq - other.seq);
  }

  #result(id: string, payload: Fields, seq: number, withEnd: boolean): void {
    const action = this.actions.get(id);
    if (action) action.result ??= { seq, code: payload.code, output: payload.output ?? null, withEnd };
  }

  #call(id: string, payload: Fields | undefined, seen: ReadExchange, over: boolean): void {
    const known = this.calls.get(id);
    if (known) {
      known.delivered.push(seen.seq);
      return;
    }
    const tool = field(payload, 'name');
    const shown = typeof tool === 'string' ? tool : '?';
    const fact = this.#factOf(id);
    this.calls.set(id, {
      id,
      about: fact?.step ?? shown,
      tool: shown,
      input: field(payload, 'input') ?? null,
      delivered: [seen.seq],
      tooLate: over || this.end !== undefined || this.#wasStoppedBefore(seen) || fact?.too_late === true,
      replies: this.#repliesTo(id),
    });
  }

  #factOf(id: string): CallFact | undefined {
    for (const { calls } of this.run.tasks) for (const fact of calls) if (fact.id === id) return fact;
    return undefined;
  }

  /** The client asked for the end before this answer left. */
  #wasStoppedBefore(seen: ReadExchange): boolean {
    if (this.stopped === undefined) return false;
    const stop = this.at(this.stopped);
    return stop !== undefined && stop.at <= seen.answeredAt;
  }

  #stepOf(id: string): string | undefined {
    for (const task of this.run.tasks)
      for (const fact of task.actions) if (fact.id === id) return fact.step ?? fact.name;
    return undefined;
  }
}

/** `GET /task/t1?event_t=0 (exchange 3)`: where a request is spoken of. */
export function named({ seq, request }: Exchange): string {
  const path = request.url.replace(/^.*?\/api\/v1(?=\/|$)/, '');
  return `${request.method} ${path} (exchange ${seq})`;
}

/** Names of actions there are. */
export function isActionName(name: string): boolean {
  return Object.hasOwn(ACTIONS, name);
}
