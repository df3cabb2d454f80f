import type { OperationId } from '../../../../spec/generated/operations.js';
import { field } from '../../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { mentions } from '../../test-case/read-record.js';
import { isActive, summarize } from '../../test-case/read-task.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import type { CallerKey } from '../resources/lifecycle.js';
import { extensions, files, profiles } from '../resources/lifecycles.js';
import { expectIsolated, expectUnlisted } from '../resources/run-lifecycle.js';
import { listedTask } from '../resources/tasks.js';

/** Each organisation is the owner once. */
export const SIDES: readonly (readonly [CallerKey, CallerKey])[] = [
  ['main', 'other'],
  ['other', 'main'],
];

/** A request to a task, of every operation that names one. */
function requestsTo(task_id: string, event: string): readonly [OperationId, ApiRequest][] {
  const path = { task_id };
  const payload = { name: 'goto', input: { url: 'https://example.com/' } };
  return [
    ['getTask', { path }],
    ['getTaskVisibility', { path }],
    ['setTaskVisibility', { path, query: { visibility: true } }],
    [
      'sendTaskEvent',
      { path, body: { name: 'browser_action', id: event, payload, timestamp: Date.UTC(2025, 0) } },
    ],
    ['updateTask', { path, body: { tool_response: { id: event, code: 200, output: '{}' } } }],
    ['deleteTaskData', { path }],
    ['deleteTask', { path }],
  ];
}

/** Another organisation has to be refused where the owner was not. */
function isRefused(t: TestContext, what: string, mine: ApiResponse, theirs: ApiResponse): boolean {
  const message = `${what} with the key of another organisation, while it is answered with the owner’s: expected it to be unknown, got ${summarize(theirs)}`;
  return t.expect('SERVICE-04', theirs.status >= 400 && theirs.status < 500, message, mine, theirs);
}

const tasks: TestCase = {
  id: 'auth/tasks-of-another-organisation',
  title: 'A task is unknown to another organisation wherever it can be named, and stays as it was',
  covers: ['SERVICE-04'],
  operations: ['createTask', 'listTasks', ...requestsTo('', '').map(([operation]) => operation)],
  tasks: 2,
  keys: ['other'],
  async run(t) {
    for (const [owner, stranger] of SIDES) await isUnknown(t, owner, stranger);
  },
};

async function isUnknown(t: TestContext, owner: CallerKey, stranger: CallerKey): Promise<void> {
  const task = await t.createTask({ task: null }, owner);
  const path = { task_id: task.id };
  const before = await t.poll(task);
  if (!before.ok) t.inconclusive(`the task is not known to its owner: ${summarize(before)}`);
  const list = (key: CallerKey) => t.send('listTasks', { query: { l: 128 }, key });
  const isThere = (response: ApiResponse) => listedTask(response, task.id) !== undefined;
  await expectUnlisted(t, 'GET /task', list, isThere, [owner, stranger]);
  const visible = await t.send('getTaskVisibility', { path, key: owner });
  const event = t.unique();
  for (const [operation, sending] of requestsTo(task.id, event))
    isRefused(t, operation, before, await t.send(operation, { ...sending, key: stranger }));
  await t.sleep(t.settings.pollIntervalMs);
  const after = await t.poll(task, 0);
  const isSame = after.ok && !mentions(field(after.r, 'events'), event) && isActive(task.status);
  const changed = `the task "${task.id}" after another organisation tried to change and to stop it: expected it as before, got ${summarize(after)}`;
  t.expect('SERVICE-04', isSame, changed, before, after);
  const still = await t.send('getTaskVisibility', { path, key: owner });
  const shown = `another organisation changed the visibility of the task: ${summarize(still)}`;
  if (visible.ok && still.r !== visible.r) t.fail('SERVICE-04', shown, visible, still);
  await t.cancel(task);
  if (!(await t.pollUntilEnd(task))) return;
  // Of a task that is over the owner may delete them.
  const deleted = await t.send('deleteTaskData', { path, key: stranger });
  const kept = await t.poll(task, 0);
  const lost = `another organisation deleted the data of the task: ${summarize(kept)}`;
  if (isRefused(t, 'deleteTaskData of a task that is over', task.last, deleted) && !kept.ok)
    t.fail('SERVICE-04', lost, deleted, kept);
}

/** Resources of the organisation itself; those in a workspace come with it. */
const owned = [profiles, extensions, files].map((row): TestCase => {
  const operations = [...(row.list ? [row.list.operation] : []), row.remove.operation];
  return {
    id: `auth/${row.what}s-of-another-organisation`,
    title: `A ${row.what} of one organisation is neither listed for another one nor removed by it`,
    covers: ['SERVICE-04'],
    operations,
    keys: ['other'],
    async run(t) {
      for (const side of SIDES) await expectIsolated(t, row, side);
    },
  };
});

export const isolationCases: readonly TestCase[] = [tasks, ...owned];
