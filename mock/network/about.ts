import type { RequestKind } from '../../spec/vocabulary.js';
import { API_PREFIX } from '../../spec/vocabulary.js';
import type { Task } from '../engine/tasks/task.js';
import type { RequestContext } from '../pipeline/context.js';

/** What the rules can know of a request before the service has seen it. */
export interface About {
  kind: RequestKind;
  /** How it is called in the trace, where there is one. */
  name: string;
  operation: string;
  method: string;
  /** Below `/api/v1`, without the query. */
  path: string;
  /** The task it is about, when there is such a task. */
  task: Task | undefined;
  /** It is the n-th of its kind: of the task, or of the organisation where no task is known. 0 for other kinds. */
  ordinal: number;
  /** Id of the event that is sent: of the call that is replied to, or the client's own for an action. */
  event: string | undefined;
  /** Name of the action that is sent. */
  action: string | undefined;
  /** Id of the timeline's client step that the action fulfils, or will fulfil when it gets there. */
  step: string | undefined;
}

/**
 * What a request is about, as far as the request alone says it: `ordinal` and `step` are for the tally to fill in, `name`
 * for the tracer.
 */
export function describeCall(context: RequestContext): About {
  const { kind, task } = context.exchange;
  const isEvent = kind === 'reply' || kind === 'action';
  const body = isEvent ? context.body : undefined;
  return {
    kind,
    name: kind,
    operation: context.operation!.id,
    method: context.request.method,
    path: pathOf(context.request.url),
    task: task === undefined ? undefined : context.organisation.world.tasks.get(task),
    ordinal: 0,
    event: text(field(body, 'id')),
    action: kind === 'action' ? text(field(field(body, 'payload'), 'name')) : undefined,
    step: undefined,
  };
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  const given = mark === -1 ? url : url.slice(0, mark);
  const path = given.includes('//') ? given.replace(/\/{2,}/g, '/') : given;
  return path.startsWith(API_PREFIX) ? path.slice(API_PREFIX.length) : path;
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
