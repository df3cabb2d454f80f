import type { OperationId } from '../../../../spec/generated/operations.js';
import { field } from '../../../conversation/json.js';
import type { Answer, Sending } from '../../http-client/response.js';
import { said } from '../../scenarios/player-read.js';
import { requestsTo } from '../errors.js';
import { uploadExtension } from '../resources/extensions.js';
import { uploadFile } from '../resources/files.js';
import { makeProfile } from '../resources/profiles.js';
import { mentions, payloadOf } from '../resources/reading.js';
import { eventually } from '../resources/requests.js';
import { listedTask } from '../resources/tasks.js';
import type { Probe, Probing } from '../test-case.js';

export type Key = 'main' | 'other';
/** Each organisation is the owner once. */
export const SIDES: readonly (readonly [Key, Key])[] = [
  ['main', 'other'],
  ['other', 'main'],
];

/** Another organisation has to be refused where the owner was not. */
function isRefused(t: Probing, what: string, mine: Answer, theirs: Answer): boolean {
  return t.expect(
    'SERVICE-04',
    theirs.status >= 400 && theirs.status < 500,
    `${what} with the key of another organisation, while it is answered with the owner’s: expected it to be unknown, got ${said(theirs)}`,
    mine,
    theirs,
  );
}

/** Something listed with the owner's key must not be listed with another one. */
export async function isUnlisted(
  t: Probing,
  what: string,
  list: (key: Key) => Promise<Answer>,
  holds: (answer: Answer) => boolean,
  [owner, stranger]: readonly [Key, Key],
): Promise<void> {
  const mine = await eventually(t, () => list(owner), holds);
  if (!mine.ok || !holds(mine)) return;
  const theirs = await list(stranger);
  t.expect(
    'SERVICE-04',
    !holds(theirs),
    `${what} with the key of another organisation: expected nothing of what only the owner has, got ${said(theirs)}`,
    mine,
    theirs,
  );
}

const tasks: Probe = {
  id: 'auth/tasks-of-another-organisation',
  title: 'A task is unknown to another organisation wherever it can be named, and stays as it was',
  covers: ['SERVICE-04'],
  operations: ['createTask', 'listTasks', ...requestsTo('', '').map(([operation]) => operation)],
  tasks: 2,
  keys: ['other'],
  async run(t: Probing) {
    for (const side of SIDES) {
      const [owner, stranger] = side;
      const task = await t.player.create({ task: null }, owner);
      const before = await t.player.poll(task);
      if (!before.ok) t.inconclusive(`the task is not known to its owner: ${said(before)}`);
      const list = (key: Key) => t.send('listTasks', { query: { l: 128 }, key });
      await isUnlisted(t, 'GET /task', list, (answer) => listedTask(answer, task.id) !== undefined, side);
      const visible = await t.send('getTaskVisibility', { path: { task_id: task.id }, key: owner });
      const event = t.unique();
      for (const [operation, sending] of requestsTo(task.id, event)) {
        const theirs = await t.send(operation, { ...sending, key: stranger });
        isRefused(t, operation, before, theirs);
      }
      await t.sleep(t.settings.poll_interval_ms);
      const after = await t.player.poll(task, 0);
      const isSame =
        after.ok &&
        !mentions(field(after.r, 'events'), event) &&
        ['waiting', 'running'].includes(task.status);
      t.expect(
        'SERVICE-04',
        isSame,
        `the task "${task.id}" after another organisation tried to change and to stop it: expected it as before, got ${said(after)}`,
        before,
        after,
      );
      const still = await t.send('getTaskVisibility', { path: { task_id: task.id }, key: owner });
      if (visible.ok && still.r !== visible.r)
        t.broke(
          'SERVICE-04',
          `another organisation changed the visibility of the task: ${said(still)}`,
          visible,
          still,
        );
      await t.player.cancel(task);
      if (!(await t.player.untilEnd(task))) continue;
      // Of a task that is over the owner may delete them.
      const path = { task_id: task.id };
      const deleted = await t.send('deleteTaskData', { path, key: stranger });
      const kept = await t.player.poll(task, 0);
      if (isRefused(t, 'deleteTaskData of a task that is over', task.last, deleted) && !kept.ok)
        t.broke(
          'SERVICE-04',
          `another organisation deleted the data of the task: ${said(kept)}`,
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
  path: (id: string) => Sending;
  make: (t: Probing, key: Key) => Promise<{ id: string | undefined; made: Answer; gone: () => void }>;
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

const owned: readonly Probe[] = OWNED.map(({ what, list, remove, path, make }) => ({
  id: `auth/${what}s-of-another-organisation`,
  title: `A ${what} of one organisation is neither listed for another one nor removed by it`,
  covers: ['SERVICE-04'],
  operations: list ? [list, remove] : [remove],
  keys: ['other'],
  async run(t: Probing) {
    for (const side of SIDES) {
      const [owner, stranger] = side;
      const { id, made, gone } = await make(t, owner);
      if (id === undefined) t.inconclusive(`no id of the ${what} in ${said(made)}`);
      const ask = (key: Key) => t.send(list!, { key });
      const holds = (answer: Answer) => mentions(payloadOf(answer), id);
      if (list) await isUnlisted(t, `the list of ${what}s`, ask, holds, side);
      // It may be answered as a success that removes nothing; what counts is that it is still there.
      const theirs = await t.send(remove, { ...path(id), key: stranger });
      const left = list ? await ask(owner) : undefined;
      const mine = await t.send(remove, { ...path(id), key: owner });
      if (mine.ok) gone();
      t.expect(
        'SERVICE-04',
        mine.ok && (left === undefined || holds(left)),
        `the ${what} "${id}" after another organisation tried to remove it: expected its owner to find it, got ${said(mine)}`,
        made,
        theirs,
        mine,
      );
    }
  },
}));

export const isolationProbes: readonly Probe[] = [tasks, ...owned];
