import { openapi } from '../../../spec/generated/documents.js';
import { asFields, field, show } from '../../conversation/json.js';
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
  if (!create || !body) return [];
  // Most clients send it as it is.
  if (create.exchange.request.body === JSON.stringify(run.job.request)) return [];
  for (const [name, value] of Object.entries(run.job.request)) {
    if (isDefault(name, value) && isEmpty(field(body, name))) continue;
    for (const { path, expected, sent } of differences(value, field(body, name), name)) {
      const isLeftOut = sent === undefined || sent === null;
      const message = isLeftOut
        ? `POST /task leaves out "${path}", and the request of the job has ${show(expected)} there. Send every field of the request.`
        : `POST /task has ${show(sent)} for "${path}", and the request of the job has ${show(expected)}. Send each field as the job has it.`;
      return [failure('create/as-told', message, [create.seq])];
    }
  }
  return [];
}

interface Difference {
  /** `custom_tools.get_weather.inputs`. */
  path: string;
  expected: unknown;
  sent: unknown;
}

/** The parts that were not sent as they are expected. There may be more in what was sent. */
function* differences(expected: unknown, sent: unknown, path: string): Generator<Difference> {
  // Null makes a session of a task; elsewhere it leaves the field open.
  if (path !== 'task' && isEmpty(expected)) return;
  const fields = asFields(expected);
  if (Array.isArray(expected) && Array.isArray(sent)) {
    for (const member of expected) yield* memberDifferences(member, sent, { path, expected, sent });
  } else if (fields && asFields(sent)) {
    for (const [name, value] of Object.entries(fields))
      yield* differences(value, field(sent, name), `${path}.${name}`);
  } else if (!isAlike(expected, sent)) yield { path, expected, sent };
}

/** A member may be anywhere in the list. One with a name, such as a tool, is compared with the one of that name. */
function* memberDifferences(member: unknown, sent: unknown[], list: Difference): Generator<Difference> {
  const name = field(member, 'name');
  const same = typeof name === 'string' ? sent.find((each) => field(each, 'name') === name) : undefined;
  if (same !== undefined) yield* differences(member, same, `${list.path}.${name}`);
  else if (!sent.some((each) => differences(member, each, '').next().done)) yield list;
}

/** Means the same as a field that is left out. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Some clients trim texts and normalize URLs. */
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isSame(one, other);
  if (one.trim() === other.trim()) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

/** A field that is left out has its default. */
function isDefault(name: string, value: unknown): boolean {
  return isSame(value, field(field(openapi.components.schemas.TaskRequest?.properties, name), 'default'));
}
