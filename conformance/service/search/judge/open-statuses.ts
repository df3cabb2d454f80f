import type { OperationId } from '../../../../spec/generated/operations.js';
import { isTerminal, type TaskStatus } from '../../../../spec/vocabulary.js';
import { readField } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import type { Command } from '../../operations/command.js';
import { formatIdName, isPresent, type ObservedResponse, type Resource } from '../../operations/observed.js';
import { listUsedIds } from './observe-resources.js';

/** Statuses that break no rule although the model expects another one. */
interface OpenStatus {
  /** What the description does not state. */
  reason: string;
  /** Default: every operation. */
  operations?: readonly OperationId[];
  /** What the model expects. Default: anything. */
  expected?: 'success' | 404;
  actual: (response: ApiResponse) => boolean;
  when?: (command: Command, observed: ObservedResponse, actual: ApiResponse) => boolean;
}

const hasStatus =
  (...statuses: readonly number[]) =>
  ({ status }: ApiResponse) =>
    statuses.includes(status);

const OPEN_STATUSES: readonly OpenStatus[] = [
  {
    reason: 'Numeric rate limits, and when the service is not available.',
    actual: hasStatus(408, 429, 503),
    // Used-up credits are not restored after a delay: a 429 with `Retry-After` is a rate limit.
    when: ({ key }, _, { headers }) => key !== 'exhausted' || 'retry-after' in headers,
  },
  {
    reason: 'Which operations need credits.',
    expected: 'success',
    actual: hasStatus(429),
    when: ({ key }) => key === 'exhausted',
  },
  {
    reason: 'Which features a plan has.',
    expected: 'success',
    actual: hasStatus(403),
    when: ({ key }, { settings }) => key === 'free' || settings.has('setPlan'),
  },
  {
    reason: 'Which plans there are.',
    operations: ['setPlan'],
    expected: 'success',
    actual: ({ status }) => status >= 400 && status < 500,
  },
  {
    reason: 'What becomes of an event between a close and the end of its session.',
    operations: ['sendTaskEvent'],
    actual: ({ status }) => status < 500,
    when: ({ astray, invalid }, { resource }) =>
      astray === undefined && invalid === undefined && resource?.state === 'closing',
  },
  {
    reason: 'Which amounts and thresholds the automatic top-up takes.',
    operations: ['setAutoTopUp'],
    expected: 'success',
    actual: hasStatus(400, 422),
    when: ({ query }) => query?.active === true,
  },
  {
    reason: 'Whether a message gives its chat another `t`: concurrent requests then name a former one.',
    expected: 'success',
    actual: hasStatus(404),
    when: (_, { resource }) => resource?.hasChangedTime === true,
  },
  {
    reason: 'Whether the name of a workspace can be used again.',
    operations: ['createWorkspace'],
    actual: hasStatus(409),
  },
  {
    reason: 'Who else sees a task whose visibility was set.',
    operations: ['getTask', 'getTaskVisibility'],
    expected: 404,
    actual: ({ ok }) => ok,
    when: ({ astray }, { settings, resource }) =>
      astray === 'stranger' && settings.has(`setTaskVisibility ${resource?.label}`),
  },
  {
    reason: 'Whether another organisation has a proxy with the same id: the service chooses it.',
    operations: ['updateProxy'],
    expected: 404,
    actual: ({ ok }) => ok,
    when: ({ astray }) => astray === 'stranger',
  },
  {
    reason: 'Whether an interactive browser makes the profile that it names.',
    operations: ['openBrowserSession'],
    expected: 'success',
    actual: ({ status }) => status >= 400 && status < 500,
    when: ({ key = 'main' }, { request, resources, names }) => {
      const id = readField(request.body, 'profile_id');
      const isNamed = (each: Resource) => each.kind === 'profile' && names.get(formatIdName(each)) === id;
      return (
        id !== undefined && !resources.some((each) => isNamed(each) && each.key === key && isPresent(each))
      );
    },
  },
  {
    reason: 'How long a file is kept, and whether a task uses it up.',
    operations: ['createTask', 'deleteFile'],
    expected: 'success',
    actual: hasStatus(400, 404),
    when: ({ operation, body }, { settings, resources }) =>
      (settings.has('createTask') || resources.some(({ kind, waitedMs }) => kind === 'file' && waitedMs)) &&
      (operation === 'deleteFile' || readField(body, 'files') !== undefined),
  },
  {
    reason: 'Whether a profile or file can be used or removed while something else uses it.',
    operations: ['createTask', 'openBrowserSession', 'deleteProfile', 'deleteBrowserProfile', 'deleteFile'],
    expected: 'success',
    actual: hasStatus(400, 409, 422, 423),
    when: (_, { request, resources }) => {
      const ids = listUsedIds(request);
      return resources.some((each) => isAtWork(each) && each.uses?.some((id) => ids.includes(id)));
    },
  },
  {
    reason: 'What an update of a task holds, and of which tasks it is taken.',
    operations: ['updateTask'],
    actual: ({ ok }) => ok,
    when: ({ astray }) => astray === undefined,
  },
  {
    reason:
      'Which of two refusals comes first: of a task that is not there, or of an `event_t` that may be no integer.',
    operations: ['getTask'],
    expected: 404,
    actual: hasStatus(400, 422),
    when: ({ query }) => !/^\d+$/.test(String(query?.event_t ?? 0)),
  },
  {
    reason: 'Whether an operation that responds with a boolean shows by it that nothing was there.',
    expected: 404,
    actual: ({ ok, r }) => ok && r === false,
  },
];

function isAtWork(resource: Resource): boolean {
  return isPresent(resource) && !isTerminal(resource.task?.status as TaskStatus);
}

/** Why this status breaks no rule; undefined if the table does not leave it open. */
export function explainOpenStatus(
  command: Command,
  observed: ObservedResponse,
  actual: ApiResponse,
): string | undefined {
  const { ok, status } = observed.response;
  return OPEN_STATUSES.find(
    ({ operations, expected, when, ...each }) =>
      (operations?.includes(command.operation) ?? true) &&
      (expected === undefined || (expected === 'success' ? ok : status === expected)) &&
      each.actual(actual) &&
      (when?.(command, observed, actual) ?? true),
  )?.reason;
}
