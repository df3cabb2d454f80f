import type { OperationId } from '../../../../spec/generated/operations.js';
import type { ApiResponse } from '../../http-client/response.js';
import type { Command } from '../../operations/command.js';
import type { ObservedResponse } from '../../operations/observed.js';

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
    when: (_, { settings }) => settings.has('setPlan'),
  },
  {
    reason: 'Which plans there are.',
    operations: ['setPlan'],
    expected: 'success',
    actual: ({ status }) => status >= 400 && status < 500,
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
    reason: 'What an update of a task holds, and of which tasks it is taken.',
    operations: ['updateTask'],
    actual: ({ ok }) => ok,
    when: ({ astray }) => astray === undefined,
  },
  {
    reason: 'Whether an operation that responds with a boolean shows by it that nothing was there.',
    expected: 404,
    actual: ({ ok, r }) => ok && r === false,
  },
];

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
