import type { OperationId } from '../../../../spec/generated/operations.js';
import { field } from '../../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { eventually } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { requestsTo } from '../errors.js';
import { uploadExtension } from '../resources/extensions.js';
import { uploadFile } from '../resources/files.js';
import { makeProfile } from '../resources/profiles.js';
import { listedTask } from '../resources/tasks.js';

export type Key = 'main' | 'other';
/** Each organisation is the owner once. */
export const SIDES: readonly (readonly [Key, Key])[] = [
  ['main', 'other'],
  ['other', 'main'],
];

/** Another organisation has to be refused where the owner was not. */
function isRefused(t: TestContext, what: string, mine: ApiResponse, theirs: ApiResponse): boolean {
  return t.expect(
    'SERVICE-04',
    theirs.status >= 400 && theirs.status < 500,
    `${what} with the key of another organisation, while it is answered with the owner’s: expected it to be unknown, got ${summarize(theirs)}`,
    mine,
    theirs,
  );
}

/** Something listed with the owner's key must not be listed with another one. */
export async function isUnlisted(
  t: TestContext,
  what: string,
  list: (key: Key) => Promise<ApiResponse>,
  holds: (response: ApiResponse) => boolean,
  [owner, stranger]: readonly [Key, Key],
): Promise<void> {
  const mine = await eventually(t, () => list(owner), holds);
  if (!mine.ok || !holds(mine)) return;
  const theirs = await list(stranger);
  t.expect(
    'SERVICE-04',
    !holds(theirs),
    `${what} with the key of another organisation: expected nothing of what only the owner has, got ${summarize(theirs)}`,
    mine,
    theirs,
  );
}

const tasks: TestCase = {
  id: 'auth/tasks-of-another-organisation',
  title: 'A task is unknown to another organisation wherever it can be named, and stays as it was',
  covers: ['SERVICE-04'],
  operations: ['createTask', 'listTasks', ...requestsTo('', '').map(([operation]) => operation)],
  tasks: 2,
  keys: ['other'],
  async run(t: TestContext) {
    for (const side of SIDES) {
      const [owner, stranger] = side;
      const task = await t.createTask({ task: null }, owner);
      const before = await t.poll(task);
      if (!before.ok) t.inconclusive(`the task is not known to its owner: ${summarize(before)}`);
      const list = (key: Key) => t.send('listTasks', { query: { l: 128 }, key });
      await isUnlisted(t, 'GET /task', list, (response) => listedTask(response, task.id) !== undefined, side);
      const visible = await t.send('getTaskVisibility', { path: { task_id: task.id }, key: owner });
      const event = t.unique();
      for (const [operation, sending] of requestsTo(task.id, event)) {
        const theirs = await t.send(operation, { ...sending, key: stranger });
        isRefused(t, operation, before, theirs);
      }
      await t.sleep(t.settings.pollIntervalMs);
      const after = await t.poll(task, 0);
      const isSame =
        after.ok &&
        !mentions(field(after.r, 'events'), event) &&
        ['waiting', 'running'].includes(task.status);
      t.expect(
        'SERVICE-04',
        isSame,
        `the task "${task.id}" after another organisation tried to change and to stop it: expected it as before, got ${summarize(after)}`,
        before,
        after,
      );
      const still = await t.send('getTaskVisibility', { path: { task_id: task.id }, key: owner });
      if (visible.ok && still.r !== visible.r)
        t.fail(
          'SERVICE-04',
          `another organisation changed the visibility of the task: ${summarize(still)}`,
          visible,
          still,
        );
      await t.cancel(task);
      if (!(await t.pollUntilEnd(task))) continue;
      // Of a task that is over the owner may delete them.
      const path = { task_id: task.id };
      const deleted = await t.send('deleteTaskData', { path, key: stranger });
      const kept = await t.poll(task, 0);
      if (isRefused(t, 'deleteTaskData of a task that is over', task.last, deleted) && !kept.ok)
        t.fail(
          'SERVICE-04',
          `another organisation deleted the data of the task: ${summarize(kept)}`,
          deleted,
          kept,
        );
    }
  },
};

/** What another organisation must neither see in its list nor be able to remove. */
interface Owned {
  what: string;
  list?: OperationId;
  remove: OperationId;
  path: (id: string) => ApiRequest;
  make: (
    t: TestContext,
    key: Key,
  ) => Promise<{ id: string | undefined; made: ApiResponse; gone: () => void }>;
}

const OWNED: readonly Owned[] = [
  {
    what: 'profile',
    list: 'listProfiles',
    remove: 'deleteProfile',
    path: (profile_id) => ({ path: { profile_id } }),
    make: async (t, key) => {
      const { id, created, gone } = await makeProfile(t, key);
      return { id, made: created, gone };
    },
  },
  {
    what: 'extension',
    list: 'listExtensions',
    remove: 'deleteExtension',
    path: (extension_id) => ({ path: { extension_id } }),
    make: async (t, key) => {
      const { id, uploaded, gone } = await uploadExtension(t, 'uploadExtension', key);
      return { id, made: uploaded, gone };
    },
  },
  {
    what: 'file',
    remove: 'deleteFile',
    path: (file_id) => ({ path: { file_id } }),
    make: async (t, key) => {
      const { id, uploaded, gone } = await uploadFile(t, key);
      return { id, made: uploaded, gone };
    },
  },
];

const owned: readonly TestCase[] = OWNED.map(({ what, list, remove, path, make }) => ({
  id: `auth/${what}s-of-another-organisation`,
  title: `A ${what} of one organisation is neither listed for another one nor removed by it`,
  covers: ['SERVICE-04'],
  operations: list ? [list, remove] : [remove],
  keys: ['other'],
  async run(t: TestContext) {
    for (const side of SIDES) {
      const [owner, stranger] = side;
      const { id, made, gone } = await make(t, owner);
      if (id === undefined) t.inconclusive(`no id of the ${what} in ${summarize(made)}`);
      const ask = (key: Key) => t.send(list!, { key });
      const holds = (response: ApiResponse) => mentions(payloadOf(response), id);
      if (list) await isUnlisted(t, `the list of ${what}s`, ask, holds, side);
      // It may be answered as a success that removes nothing; what counts is that it is still there.
      const theirs = await t.send(remove, { ...path(id), key: stranger });
      const left = list ? await ask(owner) : undefined;
      const mine = await t.send(remove, { ...path(id), key: owner });
      if (mine.ok) gone();
      t.expect(
        'SERVICE-04',
        mine.ok && (left === undefined || holds(left)),
        `the ${what} "${id}" after another organisation tried to remove it: expected its owner to find it, got ${summarize(mine)}`,
        made,
        theirs,
        mine,
      );
    }
  },
}));

export const isolationCases: readonly TestCase[] = [tasks, ...owned];
