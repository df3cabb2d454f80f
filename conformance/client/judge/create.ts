import { openapi } from '../../../spec/generated/documents.js';
import { asFields, type Fields, field, show } from '../../conversation/json.js';
import { describeRequest, isSame, type ObservedRun } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';
import type { Troubles } from './troubles.js';

/** Requests to addresses that the API does not have do not count. */
export function noRequest({ exchanges, run }: ObservedRun): RunFinding[] {
  if (run.end === 'not-started' || exchanges.some(({ operation }) => operation !== undefined)) return [];
  const [first] = exchanges;
  const message = first
    ? `The client made no request of this API: ${describeRequest(first)} is none. Paths are those below TASKDOUBLE_BASE_URL/api/v1.`
    : 'The client made no request. Read the address of the service from TASKDOUBLE_BASE_URL (a function from `baseUrl`), and use its `fetch`.';
  return [failure('run/requests', message, firstOf(exchanges))];
}

/** One job is one task. */
export function taskCreation(
  { creates, exchanges }: ObservedRun,
  { onTheWay, isBadEnd }: Troubles,
): RunFinding[] {
  if (creates.length === 0) {
    const message =
      'The client never sent POST /task. The job\'s "request" is the body to start the task with.';
    return [failure('run/requests', message, firstOf(exchanges))];
  }
  const created = creates.filter(({ record }) => record !== undefined);
  const isClear = created.length === creates.length || !(onTheWay || isBadEnd);
  if (created.length < 2 || !isClear) return [];
  const seqs = created.map(({ seq }) => seq);
  const message = `The job asks for one task, and the client made ${created.length} although none failed. Wait for the response to the first, exchange ${seqs[0]}, before you try again.`;
  return [failure('create/once', message, seqs)];
}

function firstOf(exchanges: readonly { seq: number }[]): number[] {
  return exchanges.slice(0, 3).map(({ seq }) => seq);
}

/** POST /task, compared with the request of the job. */
export function requestDifference({ creates, run }: ObservedRun): RunFinding[] {
  const create = creates.findLast(({ record }) => record !== undefined) ?? creates[0];
  const body = asFields(create?.requestJson);
  const difference = body && differenceBetween(run.job.request, body);
  if (!create || !difference) return [];
  const { path, expected, sent } = difference;
  const message =
    sent === undefined || sent === null
      ? `POST /task leaves out "${path}", and the request of the job has ${show(expected)} there. Send every field of the request.`
      : `POST /task has ${show(sent)} for "${path}", and the request of the job has ${show(expected)}. Send each field as the job has it.`;
  return [failure('create/as-told', message, [create.seq])];
}

interface Difference {
  /** `custom_tools.get_weather.inputs`. */
  path: string;
  expected: unknown;
  sent: unknown;
}

/** The first part of the request that the body does not have. A body may have more. */
function differenceBetween(request: Fields, body: Fields): Difference | undefined {
  return first(Object.entries(request), ([name, expected]) => {
    const sent = field(body, name);
    // Null makes a session of a task; elsewhere it leaves the field open.
    if (name === 'task' && expected === null)
      return sent === null || sent === undefined ? undefined : { path: name, expected, sent };
    return isEmpty(sent) && isDefault(name, expected) ? undefined : difference(expected, sent, name);
  });
}

function difference(expected: unknown, sent: unknown, path: string): Difference | undefined {
  if (isEmpty(expected) || isSame(expected, sent)) return undefined;
  const found = { path, expected, sent };
  if (Array.isArray(expected)) {
    if (!Array.isArray(sent)) return found;
    return first(expected, (member) => memberDifference(member, sent, found));
  }
  const fields = asFields(expected);
  if (!fields) return isAlike(expected, sent) ? undefined : found;
  if (!asFields(sent)) return found;
  return first(Object.entries(fields), ([name, value]) =>
    difference(value, field(sent, name), `${path}.${name}`),
  );
}

/** A member may be anywhere in the list. One with a name, such as a tool, is compared with the one of that name. */
function memberDifference(member: unknown, sent: unknown[], list: Difference): Difference | undefined {
  const name = field(member, 'name');
  const same = typeof name === 'string' ? sent.find((each) => field(each, 'name') === name) : undefined;
  if (same !== undefined) return difference(member, same, `${list.path}.${name}`);
  return sent.some((each) => difference(member, each, '') === undefined) ? undefined : list;
}

function first<T>(all: readonly T[], find: (each: T) => Difference | undefined): Difference | undefined {
  for (const each of all) {
    const found = find(each);
    if (found) return found;
  }
  return undefined;
}

/** Means the same as a field that is left out. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Some clients trim texts and normalize URLs. */
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (one.trim() === other.trim()) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

/** A field that is left out has its default. */
function isDefault(name: string, value: unknown): boolean {
  return isSame(value, field(field(openapi.components.schemas.TaskRequest?.properties, name), 'default'));
}
