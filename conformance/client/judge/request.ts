import { openapi } from '../../../spec/generated/documents.js';
import { asFields, type Fields, field, show } from '../../conversation/json.js';
import type { ObservedRun } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';
import { isSame } from './values.js';

/** POST /task, held against the request of the job. */
export function requestDifference({ creates, run }: ObservedRun): RunFinding[] {
  const create = creates.findLast(({ record }) => record !== undefined) ?? creates[0];
  const body = create?.requestBody.state === 'json' ? asFields(create.requestBody.value) : undefined;
  const other = body && otherThan(run.job.request, body);
  if (!create || !other) return [];
  const { path, told, sent } = other;
  const message =
    sent === undefined || sent === null
      ? `POST /task leaves out "${path}", and the request of the job has ${show(told)} there. Send every field of the request.`
      : `POST /task has ${show(sent)} for "${path}", and the request of the job has ${show(told)}. Send each field as the job has it.`;
  return [failure('create/as-told', message, [create.seq])];
}

interface Difference {
  /** `custom_tools.get_weather.inputs`. */
  path: string;
  told: unknown;
  sent: unknown;
}

/** Bodies that carry all of a request: both are the same objects in run after run. */
const asTold = new WeakMap<object, object>();

/** The first part of the request that the body does not carry. More than the request is no difference. */
function otherThan(request: Fields, body: Fields): Difference | undefined {
  if (asTold.get(body) === request) return undefined;
  for (const [name, told] of Object.entries(request)) {
    const sent = field(body, name);
    // Null makes a session of a task; elsewhere it leaves the field open.
    const isOther = name === 'task' && told === null && sent !== null && sent !== undefined;
    const found = isOther ? { path: name, told, sent } : difference(told, sent, name);
    if (found && !isDefault(name, found)) return found;
  }
  asTold.set(body, request);
  return undefined;
}

function difference(told: unknown, sent: unknown, path: string): Difference | undefined {
  if (isEmpty(told) || isSame(told, sent)) return undefined;
  const other = { path, told, sent };
  if (Array.isArray(told)) return Array.isArray(sent) ? ofLists(told, sent, other) : other;
  const fields = asFields(told);
  if (fields) {
    if (!asFields(sent)) return other;
    return first(Object.entries(fields), ([name, value]) =>
      difference(value, field(sent, name), `${path}.${name}`),
    );
  }
  return typeof told === 'string' && typeof sent === 'string' && areAlike(told, sent) ? undefined : other;
}

/** Each member has to be there, in any order. Members with a name, such as tools, are compared with their namesakes. */
function ofLists(told: readonly unknown[], sent: readonly unknown[], other: Difference) {
  return first(told, (member) => {
    const name = field(member, 'name');
    const namesake = typeof name === 'string' ? sent.find((each) => field(each, 'name') === name) : undefined;
    if (namesake !== undefined) return difference(member, namesake, `${other.path}.${name}`);
    const isThere = sent.some((each) => difference(member, each, '') === undefined);
    return isThere ? undefined : other;
  });
}

function first<T>(all: readonly T[], find: (each: T) => Difference | undefined): Difference | undefined {
  for (const each of all) {
    const found = find(each);
    if (found) return found;
  }
  return undefined;
}

/** Says as much as a field that is left out. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Some clients trim texts and normalize addresses. */
function areAlike(one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

/** A field that is left out has its default. */
function isDefault(name: string, { path, told, sent }: Difference): boolean {
  if (path !== name || !isEmpty(sent)) return false;
  return isSame(told, field(field(openapi.components.schemas.TaskRequest?.properties, name), 'default'));
}
