import type { Exchange, TaskStatus } from '../../../spec/vocabulary.js';
import { Conversation } from '../../conversation/conversation.js';
import { isSameJson, readField } from '../../conversation/json.js';
import { estimateLatency } from '../../conversation/latency.js';
import { isReadBefore, ReadExchange } from '../../conversation/read-exchange.js';
import type {
  ListedEvent,
  TaskConversation,
  TerminalExchange,
  ToolCall,
} from '../../conversation/task-conversation.js';
import type { ClientRun, ResultLine } from '../types.js';

/** A tool call that the client read. */
export interface ObservedCall extends ToolCall {
  id: string;
  /** Id of the step in the timeline, else the name of the tool. */
  about: string;
  input: unknown;
  /** The call was delivered with the end, or after the client stopped the task or closed the session. */
  isTooLate: boolean;
  /** The reply requests, in the order of sending. */
  replies: readonly ReadExchange[];
}

/** An action that the client sent, with the result that it read. */
export interface ObservedAction {
  id: string;
  /** Id of the step in the timeline, else the name of the action. */
  about: string;
  name: string;
  /** Its requests, in the order of sending. */
  attempts: readonly ReadExchange[];
  result: (ListedEvent & { code: unknown; output: unknown }) | undefined;
}

/** What the client of a run could observe. It does not use the client's own report. */
export class ObservedRun {
  readonly conversation: Conversation;
  readonly calls: ReadonlyMap<string, ObservedCall>;
  /** In the order of the first attempts, including closes. */
  readonly actions: ReadonlyMap<string, ObservedAction>;
  /** The task that the client followed: the one that it polled most. */
  readonly task: string | undefined;
  /** The first response with a terminal status of this task. */
  readonly end: TerminalExchange | undefined;
  /** Every status, and every output, in a response. */
  readonly statuses: ReadonlySet<TaskStatus>;
  readonly outputs: readonly unknown[];
  /** Requests to POST /task. */
  readonly creates: readonly ReadExchange[];
  /** The first request that closes the session or stops the task. */
  readonly stop: ReadExchange | undefined;

  constructor(
    readonly run: ClientRun,
    exchanges: readonly ReadExchange[] = orderExchanges(run),
    tasks?: ReadonlyMap<string, TaskConversation>,
  ) {
    this.conversation = new Conversation(exchanges, tasks);
    this.creates = this.exchanges.filter((each) => each.is('createTask'));
    const made = new Set(this.creates.map(({ record }) => record?.['id']));
    // A DELETE with an id that the client made up stops nothing.
    this.stop = this.exchanges.find(
      (each) => each.isStop && (each.httpStatus !== 404 || made.size === 0 || made.has(each.task)),
    );
    const reports = this.exchanges.filter((each) => each.is('getTask', 'createTask') && each.record);
    this.statuses = new Set(reports.flatMap(({ status }) => status ?? []));
    this.outputs = reports.map(readTaskOutput);
    this.task = findMostPolledTask(reports);
    this.end = this.task === undefined ? undefined : this.conversation.tasks.get(this.task)?.end;
    this.calls = this.#observeCalls();
    this.actions = this.#observeActions();
  }

  /** A client that gives up a one-shot task may stop it: what it did before is judged as if it had not. */
  static beforeGivingUp(observed: ObservedRun): ObservedRun {
    const { run, gaveUp, stop, end } = observed;
    const { request, cancel_after_ms } = run.job;
    if (gaveUp === undefined || cancel_after_ms !== null || request.task === null) return observed;
    if (!stop?.is('deleteTask') || (end && end.seq < stop.seq)) return observed;
    const tasks = run.tasks.map((task) =>
      stop.ok && task.id === stop.task ? { ...task, status: 'running' as const } : task,
    );
    return new ObservedRun(
      { ...run, tasks },
      observed.exchanges.filter(({ seq }) => seq < stop.seq),
    );
  }

  /** In the order of arrival, with times that reflect the order of events. */
  get exchanges(): readonly ReadExchange[] {
    return this.conversation.exchanges;
  }

  /** The client's report. A function that threw reports that it gave up. */
  get line(): ResultLine | undefined {
    const { line, kind, end, error } = this.run;
    if (line !== undefined) return line;
    return kind === 'function' && end === 'by-itself' && error !== undefined ? { error } : undefined;
  }

  /** The error that the client reports; undefined if it reports none. */
  get gaveUp(): string | undefined {
    const { error } = this.line ?? {};
    if (error === undefined || error === null || error === false || error === '') return undefined;
    return typeof error === 'string' ? error : (JSON.stringify(error) ?? 'an error');
  }

  findExchange(seq: number): ReadExchange | undefined {
    return this.conversation.findExchange(seq);
  }

  /** Evidence: `seq` of the last request about the task, else of the last request. */
  get last(): number[] {
    const last = this.exchanges.findLast((each) => each.task !== undefined || each.is('createTask'));
    return [last ?? this.exchanges.at(-1)].flatMap((each) => each?.seq ?? []);
  }

  #observeCalls(): Map<string, ObservedCall> {
    const calls = new Map<string, ObservedCall>();
    const steps = new Map(this.run.tasks.flatMap((task) => task.calls.map(({ id, step }) => [id, step])));
    const { end, stop } = this;
    for (const task of this.conversation.tasks.values()) {
      for (const [id, call] of task.calls) {
        const { tool, event, isWithEnd } = call;
        const isAfterEnd = end !== undefined && !isReadBefore(call, end);
        const isAfterStop = stop !== undefined && !stop.canKnow(call);
        calls.set(id, {
          ...call,
          id,
          about: steps.get(id) ?? tool,
          input: readField(event.payload, 'input') ?? null,
          isTooLate: isWithEnd || isAfterEnd || isAfterStop,
          replies: sortBySeq(task.replies.get(id) ?? []),
        });
      }
    }
    return calls;
  }

  #observeActions(): Map<string, ObservedAction> {
    const known = new Map(
      this.run.tasks.flatMap((task) => task.actions.map((action) => [action.id, action])),
    );
    const actions = [...this.conversation.tasks.values()].flatMap((task) =>
      [...task.actions.values()].map(({ id, attempts: sent }): ObservedAction => {
        const attempts = sortBySeq(sent);
        const name = String(readField(attempts[0]!.action?.payload, 'name'));
        const { step, name: about = name } = known.get(id) ?? {};
        const listed = task.results.get(id);
        const { code, output = null } = listed?.event.payload ?? {};
        return { id, about: step ?? about, name, attempts, result: listed && { ...listed, code, output } };
      }),
    );
    actions.sort((one, other) => one.attempts[0]!.seq - other.attempts[0]!.seq);
    return new Map(actions.map((action) => [action.id, action]));
  }
}

function sortBySeq(attempts: readonly ReadExchange[]): ReadExchange[] {
  return [...attempts].sort((one, other) => one.seq - other.seq);
}

export function readTaskOutput({ record }: ReadExchange): unknown {
  return readField(record, 'output') ?? null;
}

function findMostPolledTask(reports: readonly ReadExchange[]): string | undefined {
  const polls = new Map<string, number>();
  for (const each of reports)
    if (each.task !== undefined)
      polls.set(each.task, (polls.get(each.task) ?? 0) + Number(each.is('getTask')));
  const most = Math.max(...polls.values());
  return [...polls].findLast(([, count]) => count === most)?.[0];
}

/** Distance between events of the same ms. A power of two: exact in current timestamps. */
const STEP_MS = 1 / 1024;

/**
 * The exchanges with times that reflect the order of events within one ms: what the client could know depends on whether a response
 * left before the next request arrived. The times differ by less than 1 ms from the recorded ones.
 */
export function orderExchanges(run: ClientRun): ReadExchange[] {
  const { exchanges, trace, wall } = run;
  const latency_ms = estimateRunLatency(run);
  const arrived = new Map<number, number>();
  const left = new Map<number, number>();
  let at = Number.NaN;
  let within = 0;
  for (const entry of trace) {
    within = entry.at === at ? within + 1 : 0;
    at = entry.at;
    if (entry.what === 'step') continue;
    (entry.what === 'arrive' ? arrived : left).set(entry.seq, Math.min(within * STEP_MS, 1 - STEP_MS));
  }
  return exchanges.map((exchange) => {
    const { seq, request, response } = exchange;
    const times = {
      at: request.at + (arrived.get(seq) ?? 0),
      respondedAt: response && response.at + (left.get(seq) ?? 0),
    };
    return new ReadExchange(exchange, latency_ms, times, wall ? readClientTimes(run, exchange) : times);
  });
}

/** On virtual time a client has read a response before time goes on. */
export function estimateRunLatency({ kind, lateness_ms }: Pick<ClientRun, 'kind' | 'lateness_ms'>): number {
  return kind === 'command' ? estimateLatency(lateness_ms) : 0;
}

/** Times on the client's own clock, ms: in real time the service's clock jumps. Without a response `respondedAt` is Infinity. */
export function readClientTimes({ wall }: ClientRun, { seq, request, response }: Exchange) {
  const { arrived, left = arrived } = wall?.get(seq) ?? { arrived: request.at, left: response?.at };
  return { at: arrived, respondedAt: response ? left : Number.POSITIVE_INFINITY };
}

/** When a request without a response was lost, ms on the service's clock: until then the client could expect a response. */
export function findLossTime({ trace }: ClientRun, { httpStatus, seq }: ReadExchange): number | undefined {
  if (httpStatus !== 0) return undefined;
  return trace.find((entry) => entry.what === 'response' && entry.seq === seq)?.at;
}

/** The client disconnected from a request whose response was delayed: the network did not lose it. */
export function isAborted({ httpStatus, exchange }: ReadExchange): boolean {
  return (
    httpStatus === 0 &&
    exchange.network?.some(
      ({ verb, effect }) => effect === 'lost' && (verb === 'delay' || verb === 'hold'),
    ) === true
  );
}

/** Time between a response and the next request on the client's own clock, ms. */
export function measureWait(run: ClientRun, before: ReadExchange, after: ReadExchange): number {
  return readClientTimes(run, after.exchange).at - readClientTimes(run, before.exchange).respondedAt;
}

/** `GET /task/t1?event_t=0 (exchange 3)`. */
export function describeRequest({ exchange: { seq, request } }: ReadExchange): string {
  const path = request.url.replace(/^.*?\/api\/v1(?=\/|$)/, '');
  return `${request.method} ${path} (exchange ${seq})`;
}

/** `got no response`, `got status 503`. */
export function describeOutcome({ httpStatus }: ReadExchange): string {
  return httpStatus === 0 ? 'got no response' : `got status ${httpStatus}`;
}

/** A 429 that does not pass until credits are bought. */
export function isOutOfCredits({ httpStatus, responseJson }: ReadExchange): boolean {
  if (httpStatus !== 429) return false;
  const detail = readField(responseJson, 'detail');
  return typeof detail === 'string' && /credit/i.test(detail);
}

/** Equal as JSON. Undefined equals null. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || isSameJson(one ?? null, other ?? null);
}
