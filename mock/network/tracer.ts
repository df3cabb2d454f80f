import type { ServiceStep } from '../../scenarios/format/types.js';
import type { RuleTarget } from '../../scenarios/verbs/target.js';
import type { RequestKind } from '../../spec/vocabulary.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { WireResponse } from '../exchange/wire.js';
import type { NetworkRequest } from './network-request.js';

/**
 * One entry for each event between client and service whose order could differ. Names are the same in every run of a scenario (ids of
 * steps, kinds of requests and their number), so that a network step can refer to each entry.
 */
export type TraceEntry = { at: number } & (
  | {
      what: 'step';
      /** `tool_call c2`, `finish`. */
      name: string;
      /** Id of the step; undefined for an improvised step. */
      step: string | undefined;
      /** The tool of a call; the step or name of the action of a result. */
      about?: string | undefined;
      task: string;
    }
  | {
      what: 'arrive';
      /** `poll#3`, `reply c1#2`, `action open#1`, `create#1`, `cancel#1`, `GET /usage#1`. */
      name: string;
      kind: RequestKind;
      /** The `of` and `skip` with which a network rule targets exactly this request. */
      of: RuleTarget;
      skip: number;
      /** The number of its task; undefined without an existing task. */
      task: number | undefined;
      seq: number;
    }
  | {
      /** A response has left (status 0: it was lost). */
      what: 'response';
      name: string;
      kind: RequestKind;
      status: number;
      /** Steps (or event ids) of the events in it. */
      events: string[];
      /** Ids of the timeline's network steps that affected the exchange; absent if there are none. */
      rules?: string[];
      seq: number;
    }
);

/** A trace entry as one line of text, for output and for comparing runs. */
export function formatTraceEntry(entry: TraceEntry): string {
  switch (entry.what) {
    case 'step':
      return `service ${entry.name}`;
    case 'arrive':
      return `arrive ${entry.name}`;
    case 'response':
      return `response ${entry.name} ${entry.status || 'lost'}${entry.events.length > 0 ? ` [${entry.events.join(', ')}]` : ''}`;
  }
}

interface TaskTrace {
  events: Map<string, string>;
  counts: Map<string, number>;
}

/** The name of a request, and the rule target that matches only this request. */
interface NamedRequest {
  name: string;
  of: RuleTarget;
  skip: number;
}

/** Records events between client and service, with names that are the same in every run of a scenario. */
export class Tracer {
  #traces = new WeakMap<object, TaskTrace>();

  constructor(private readonly record: (entry: TraceEntry) => void) {}

  traceStep(task: Task, run: Run, step: ServiceStep, at: number): void {
    const id = task.scenario !== null && run.action === undefined ? step.id : undefined;
    const name = formatStepName(task, step, id);
    if (step.service === 'tool_call' || step.service === 'result' || step.service === 'event') {
      const event = task.log.list().at(-1);
      if (event) this.#ensureTrace(task).events.set(`${event.id} ${event.timestamp}`, id ?? name);
    }
    const about = findDetail(task, step);
    this.record({ at, what: 'step', name: name + formatTaskSuffix(task), step: id, about, task: task.id });
  }

  traceRepeat(task: Task, name: string, at: number): void {
    this.record({
      at,
      what: 'step',
      name: `reissue ${name}${formatTaskSuffix(task)}`,
      step: undefined,
      task: task.id,
    });
  }

  /** `run`: the timeline of the request's task. */
  traceArrival(request: NetworkRequest, run: Run | undefined, seq: number, at: number): void {
    const { name, of, skip } = this.#nameRequest(request, run);
    const { kind, task } = request;
    request.name = name;
    this.record({ at, what: 'arrive', name, kind, of, skip, task: task?.seq, seq });
  }

  /** `response`: undefined if it never reaches the client. `rules`: ids of the timeline's steps that affected it. */
  traceDeparture(
    request: NetworkRequest,
    response: WireResponse | undefined,
    rules: readonly string[],
    seq: number,
    at: number,
  ): void {
    const { name, kind, task } = request;
    const events = kind === 'poll' ? this.#listEvents(task, response) : [];
    const status = response?.status ?? 0;
    const affected = rules.length > 0 ? { rules: [...rules] } : {};
    this.record({ at, what: 'response', name, kind, status, events, ...affected, seq });
  }

  #nameRequest(request: NetworkRequest, run: Run | undefined): NamedRequest {
    const { kind, task, ordinal, event } = request;
    const end = task ? formatTaskSuffix(task) : '';
    if (kind === 'create' || kind === 'poll' || kind === 'cancel') {
      const note = kind !== 'create' && !task ? ' (no task)' : '';
      return { name: `${kind}#${ordinal}${note}${end}`, of: { [kind]: ordinal }, skip: 0 };
    }
    const { counts } = this.#ensureTrace(task ?? this);
    if (kind === 'reply') {
      const call = event === undefined ? undefined : task?.calls?.get(event);
      const step = call?.step;
      const label = step ?? call?.tool;
      const own = countUse(counts, `reply ${event}`);
      const isKnown = step !== undefined && run?.ids[step] === event;
      return nameClientEvent(counts, 'reply', label, isKnown ? { wanted: step, skip: own } : undefined, end);
    }
    if (kind === 'action') {
      const { step, action } = request;
      const byName = countUse(counts, `action ${action}`);
      const skip = step === undefined || step === action ? byName : countUse(counts, `action ${step}`);
      const wanted = step ?? action;
      return nameClientEvent(
        counts,
        'action',
        wanted,
        wanted === undefined ? undefined : { wanted, skip },
        end,
      );
    }
    const skip = countUse(counts, `operation ${request.operation}`);
    const path = task ? request.path.replace(task.id, '*') : request.path;
    const name = `${request.method} ${path}#${skip + 1}${end}`;
    return { name, of: { operation: request.operation }, skip };
  }

  /** The events in a response; none if it is truncated or not JSON. */
  #listEvents(task: Task | undefined, response: WireResponse | undefined): string[] {
    if (!task || !response || response.fault || typeof response.body !== 'string') return [];
    const { events } = this.#ensureTrace(task);
    return readEvents(response.body).map(
      ({ id, timestamp }) => events.get(`${id} ${timestamp}`) ?? formatEventName(task, id),
    );
  }

  #ensureTrace(owner: object): TaskTrace {
    let memory = this.#traces.get(owner);
    if (!memory) {
      memory = { events: new Map(), counts: new Map() };
      this.#traces.set(owner, memory);
    }
    return memory;
  }
}

/** Names a reply or an action. `own`: the rule target for this one; without it, the target matches all of its kind. */
function nameClientEvent(
  counts: Map<string, number>,
  kind: 'reply' | 'action',
  label: string | undefined,
  own: { wanted: string; skip: number } | undefined,
  end: string,
): NamedRequest {
  const all = countUse(counts, kind);
  const name = `${kind} ${label ?? '?'}#${countUse(counts, `name ${kind} ${label ?? '?'}`) + 1}${end}`;
  return { name, of: { [kind]: own?.wanted ?? true }, skip: own?.skip ?? all };
}

/** Increments the count of `key` and returns the count before. */
function countUse(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

/** Ids differ from run to run: tasks after the first are named by their number. */
function formatTaskSuffix(task: Task): string {
  return task.seq === 1 ? '' : ` (task ${task.seq})`;
}

function formatStepName(task: Task, step: ServiceStep, id: string | undefined): string {
  const detail = id ?? findDetail(task, step);
  return detail === undefined || detail === step.service ? step.service : `${step.service} ${detail}`;
}

function findDetail(task: Task, step: ServiceStep): string | undefined {
  switch (step.service) {
    case 'tool_call':
      return step.tool;
    case 'result': {
      const action = task.actions?.get(step.to);
      return action ? (action.step ?? action.name) : step.to;
    }
    case 'event':
      return step.name;
    case 'status':
      return step.status;
    case 'open':
      return step.gate;
    default:
      return undefined;
  }
}

/** Names an event without its own step: results of interrupted actions, and repeated events. */
function formatEventName(task: Task, id: string): string {
  const call = task.calls?.get(id);
  if (call) return call.step ?? `tool_call ${call.tool}`;
  const action = task.actions?.get(id);
  return action ? `result ${action.step ?? action.name}` : id;
}

type EventList = { id: string; timestamp: number }[];

function readEvents(body: string): EventList {
  const at = body.indexOf('"events":[{');
  // Most responses contain no events.
  if (at === -1) return [];
  // The service writes events last. Parsing only them takes half the time of parsing the task.
  const listed = body.endsWith('}]}}') ? parse(body.slice(at + '"events":'.length, -2)) : undefined;
  const events = listed ?? (parse(body) as { r?: { events?: unknown } } | null | undefined)?.r?.events;
  return Array.isArray(events) ? events : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
