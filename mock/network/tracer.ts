import type { ServiceStep, Target } from '../../scenarios/format/types.js';
import type { RequestKind } from '../../spec/vocabulary.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { WireResponse } from '../pipeline/wire.js';
import type { NetworkRequest } from './network-request.js';

/**
 * What happened between the two sides, one entry for each thing that could have come in another order. Names are the
 * same in every run of a scenario (ids of steps, kinds of requests and their number), so that a network step can be
 * written for each of them.
 */
export type TraceEntry = { at: number } & (
  | {
      /** A step of the service has happened. */
      what: 'step';
      /** `tool_call c2`, `finish`. */
      name: string;
      /** Id of the step; undefined for what the agent improvises. */
      step: string | undefined;
      /** Of a call its tool, of a result the step or name of its action. */
      about?: string | undefined;
      task: string;
    }
  | {
      /** A request has reached the service. */
      what: 'arrive';
      /** `poll#3`, `reply c1#2`, `action open#1`, `create#1`, `cancel#1`, `GET /usage#1`. */
      name: string;
      kind: RequestKind;
      /** The requests that a network rule has to mean, and how many such to pass over, to mean this one. */
      of: Target;
      skip: number;
      seq: number;
    }
  | {
      /** An answer has left (status 0: it was lost on its way). */
      what: 'answer';
      name: string;
      kind: RequestKind;
      status: number;
      /** Steps (or event ids) whose events it carried. */
      events: string[];
      seq: number;
    }
);

/** The trace of a run in one line a thing, for people and for comparing two runs. */
export function traceLine(entry: TraceEntry): string {
  switch (entry.what) {
    case 'step':
      return `service ${entry.name}`;
    case 'arrive':
      return `arrive ${entry.name}`;
    case 'answer':
      return `answer ${entry.name} ${entry.status || 'lost'}${entry.events.length > 0 ? ` [${entry.events.join(', ')}]` : ''}`;
  }
}

/** What has been told of one task so far. */
interface Memory {
  /** Names of events, by id and timestamp. */
  events: Map<string, string>;
  /** How many requests of a name, or such as a rule could mean, have come. */
  counts: Map<string, number>;
}

/** How a request goes by: its name, and what a rule has to say to mean this one and no other. */
interface NamedRequest {
  name: string;
  of: Target;
  skip: number;
}

/** Tells what happens between the two sides, by names that are the same in every run of a scenario. */
export class Tracer {
  #memories = new WeakMap<object, Memory>();

  constructor(private readonly tell: (entry: TraceEntry) => void) {}

  stepped(task: Task, run: Run, step: ServiceStep, at: number): void {
    const id = task.scenario !== null && run.action === undefined ? step.id : undefined;
    const name = stepName(task, step, id);
    if (step.service === 'tool_call' || step.service === 'result' || step.service === 'event') {
      const event = task.log.all().at(-1);
      if (event) this.#of(task).events.set(`${event.id} ${event.timestamp}`, id ?? name);
    }
    const about = detailOf(task, step);
    this.tell({ at, what: 'step', name: name + ofTask(task), step: id, about, task: task.id });
  }

  /** An event comes again. */
  repeated(task: Task, name: string, at: number): void {
    this.tell({ at, what: 'step', name: `reissue ${name}${ofTask(task)}`, step: undefined, task: task.id });
  }

  /** `run`: the timeline of the request's task. */
  arrived(request: NetworkRequest, run: Run | undefined, seq: number, at: number): void {
    const { name, of, skip } = this.#nameOf(request, run);
    request.name = name;
    this.tell({ at, what: 'arrive', name, kind: request.kind, of, skip, seq });
  }

  /** `answer`: undefined when it never reaches the client. */
  left(request: NetworkRequest, answer: WireResponse | undefined, seq: number, at: number): void {
    const { name, kind, task } = request;
    const events = kind === 'poll' ? this.#eventsOf(task, answer) : [];
    this.tell({ at, what: 'answer', name, kind, status: answer?.status ?? 0, events, seq });
  }

  #nameOf(request: NetworkRequest, run: Run | undefined): NamedRequest {
    const { kind, task, ordinal, event } = request;
    const end = task ? ofTask(task) : '';
    if (kind === 'create' || kind === 'poll' || kind === 'cancel') {
      const stray = kind !== 'create' && !task ? ' (no task)' : '';
      return { name: `${kind}#${ordinal}${stray}${end}`, of: { [kind]: ordinal }, skip: 0 };
    }
    const { counts } = this.#of(task ?? this);
    if (kind === 'reply') {
      const call = event === undefined ? undefined : task?.calls?.get(event);
      const step = call?.step;
      const label = step ?? call?.tool;
      const own = count(counts, `reply ${event}`);
      const isKnown = step !== undefined && run?.ids[step] === event;
      return named(counts, 'reply', label, isKnown ? { wanted: step, skip: own } : undefined, end);
    }
    if (kind === 'action') {
      const { step, action } = request;
      const byName = count(counts, `action ${action}`);
      const skip = step === undefined || step === action ? byName : count(counts, `action ${step}`);
      const wanted = step ?? action;
      return named(counts, 'action', wanted, wanted === undefined ? undefined : { wanted, skip }, end);
    }
    const skip = count(counts, `operation ${request.operation}`);
    const path = task ? request.path.replace(task.id, '*') : request.path;
    const name = `${request.method} ${path}#${skip + 1}${end}`;
    return { name, of: { operation: request.operation }, skip };
  }

  /** Those that can be read in it: none in one that is cut off or is no JSON. */
  #eventsOf(task: Task | undefined, answer: WireResponse | undefined): string[] {
    if (!task || !answer || answer.fault || typeof answer.body !== 'string') return [];
    const { events } = this.#of(task);
    return readEvents(answer.body).map(
      ({ id, timestamp }) => events.get(`${id} ${timestamp}`) ?? eventName(task, id),
    );
  }

  #of(owner: object): Memory {
    let memory = this.#memories.get(owner);
    if (!memory) {
      memory = { events: new Map(), counts: new Map() };
      this.#memories.set(owner, memory);
    }
    return memory;
  }
}

/** A reply or an action: `own` says what a rule has to mean for this one; else it is one of all of its kind. */
function named(
  counts: Map<string, number>,
  kind: 'reply' | 'action',
  label: string | undefined,
  own: { wanted: string; skip: number } | undefined,
  end: string,
): NamedRequest {
  const all = count(counts, kind);
  const name = `${kind} ${label ?? '?'}#${count(counts, `name ${kind} ${label ?? '?'}`) + 1}${end}`;
  return { name, of: { [kind]: own?.wanted ?? true }, skip: own?.skip ?? all };
}

/** How often `key` has come before; this time counts from now on. */
function count(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

/** Ids differ from run to run: tasks beyond the first are told apart by their number. */
function ofTask(task: Task): string {
  return task.seq === 1 ? '' : ` (task ${task.seq})`;
}

/** `tool_call c2`, `finish`, `result goto`. */
function stepName(task: Task, step: ServiceStep, id: string | undefined): string {
  const detail = id ?? detailOf(task, step);
  return detail === undefined || detail === step.service ? step.service : `${step.service} ${detail}`;
}

function detailOf(task: Task, step: ServiceStep): string | undefined {
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

/** What no step has sent by itself: results of actions that an end has cut off, and what comes again. */
function eventName(task: Task, id: string): string {
  const call = task.calls?.get(id);
  if (call) return call.step ?? `tool_call ${call.tool}`;
  const action = task.actions?.get(id);
  return action ? `result ${action.step ?? action.name}` : id;
}

type Listed = { id: string; timestamp: number }[];

function readEvents(body: string): Listed {
  const at = body.indexOf('"events":[{');
  // Most answers have none.
  if (at === -1) return [];
  // The service writes them last: to read them alone takes half as long as to read the task with them.
  const alone = body.endsWith('}]}}') ? parse(body.slice(at + '"events":'.length, -2)) : undefined;
  const events = alone ?? (parse(body) as { r?: { events?: unknown } } | null | undefined)?.r?.events;
  return Array.isArray(events) ? events : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
