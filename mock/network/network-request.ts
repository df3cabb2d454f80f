import type { RuleTarget } from '../../scenarios/verbs/target.js';
import type { RequestKind } from '../../spec/vocabulary.js';
import { API_PREFIX } from '../../spec/vocabulary.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { RequestContext } from '../pipeline/context.js';

/** The properties that rules can match before the service has handled a request. */
export interface NetworkRequest {
  kind: RequestKind;
  seq: number;
  /** Its name in the trace; empty without a tracer. */
  name: string;
  operation: string;
  method: string;
  /** Below `/api/v1`, without the query. */
  path: string;
  /** The existing task in its path. */
  task: Task | undefined;
  /** Its number among creates, polls, cancels, or all other requests: per task, or per organisation without a task. */
  ordinal: number;
  /** Id of the event that the client sends: the tool call's for a reply, the client's own for an action. */
  event: string | undefined;
  action: string | undefined;
  /** Id of the timeline's client step that the action fulfils or will fulfil. */
  step: string | undefined;
}

/** Without `ordinal`, `step` and `name`: the request counts and the tracer set these. */
export function toNetworkRequest(context: RequestContext): NetworkRequest {
  const { kind, task, seq } = context.exchange;
  const isEvent = kind === 'reply' || kind === 'action';
  const body = isEvent ? context.body : undefined;
  return {
    kind,
    seq,
    name: kind,
    operation: context.operation!.id,
    method: context.request.method,
    path: readPath(context.request.url),
    task: task === undefined ? undefined : context.organisation.tasks.get(task),
    ordinal: 0,
    event: asText(readField(body, 'id')),
    action: kind === 'action' ? asText(readField(readField(body, 'payload'), 'name')) : undefined,
    step: undefined,
  };
}

/** A name for seeding: the random numbers of a request depend on no other request. */
export function formatSubject({ kind, task, ordinal }: NetworkRequest): string {
  return `task ${task?.seq ?? 'none'} ${kind} ${ordinal}`;
}

/** A missing target matches every request. `run` resolves step ids. */
export function isMatch(
  target: RuleTarget | undefined,
  request: NetworkRequest,
  run: Run | undefined,
): boolean {
  if (!target) return true;
  const { create, poll, cancel, reply, action, operation, method, path, step } = target;
  if (create !== undefined && !isNth('create', create, request)) return false;
  if (poll !== undefined && !isNth('poll', poll, request)) return false;
  if (cancel !== undefined && !isNth('cancel', cancel, request)) return false;
  if (reply !== undefined && !isReply(reply, request, run)) return false;
  if (action !== undefined && !isAction(action, request)) return false;
  if (operation !== undefined && operation !== request.operation) return false;
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (path !== undefined && !isPathMatch(path, request.path)) return false;
  // A target with only a step matches no request.
  return step === undefined;
}

/** The target without number and ids: matches "the next such request". */
export function widenTarget(target: RuleTarget | undefined): RuleTarget | undefined {
  if (!target) return undefined;
  const wide: RuleTarget = { ...target };
  for (const kind of ['create', 'poll', 'cancel', 'reply', 'action'] as const)
    if (wide[kind] !== undefined) wide[kind] = true;
  return wide;
}

function isNth(kind: string, wanted: true | number, request: NetworkRequest): boolean {
  return request.kind === kind && (wanted === true || wanted === request.ordinal);
}

function isReply(wanted: true | string, request: NetworkRequest, run: Run | undefined): boolean {
  if (request.kind !== 'reply') return false;
  return wanted === true || (run?.ids[wanted] ?? wanted) === request.event;
}

function isAction(wanted: true | string, request: NetworkRequest): boolean {
  if (request.kind !== 'action') return false;
  return wanted === true || wanted === request.step || wanted === request.action;
}

/** `*` matches anything but a slash. */
function isPathMatch(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, index) => isSegmentMatch(part, given[index]!));
}

/** Matches each piece between stars at its first position, so the time stays linear. */
function isSegmentMatch(pattern: string, segment: string): boolean {
  const [first, ...pieces] = pattern.split('*') as [string, ...string[]];
  const last = pieces.pop();
  if (last === undefined) return first === segment;
  let at = segment.startsWith(first) ? first.length : Infinity;
  for (const piece of pieces) {
    const found = segment.indexOf(piece, at);
    at = found === -1 ? Infinity : found + piece.length;
  }
  return at + last.length <= segment.length && segment.endsWith(last);
}

export function readPath(url: string): string {
  const mark = url.indexOf('?');
  const given = mark === -1 ? url : url.slice(0, mark);
  const path = given.includes('//') ? given.replace(/\/{2,}/g, '/') : given;
  return path.startsWith(API_PREFIX) ? path.slice(API_PREFIX.length) : path;
}

export function readField(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
