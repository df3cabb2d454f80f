import type { OperationId } from '../../../spec/generated/operations.js';
import { field } from '../../rules/body.js';
import { said } from '../player-read.js';
import type { Probe, Probing } from '../probe.js';
import type { Answer, Sending } from '../talk.js';
import { isAbout, makeChat } from './chat-making.js';
import { requestsTo } from './errors.js';
import { eventually, mustSucceed } from './resource-asking.js';
import { mentions, payloadOf } from './resource-reading.js';
import { has, listAutomations, makeAutomation } from './resources-automations.js';
import { uploadExtension } from './resources-extensions.js';
import { uploadFile } from './resources-files.js';
import { makeProfile } from './resources-profiles.js';
import { listSops, makeSop } from './resources-sops.js';
import { listedTask } from './resources-tasks.js';
import { inWorkspace, workspaceOf } from './resources-workspaces.js';

type Key = 'main' | 'other';
const SIDES: readonly (readonly [Key, Key])[] = [
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
async function isUnlisted(
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

const workspaces: Probe = {
  id: 'auth/workspaces-of-another-organisation',
  title: 'A workspace and what it holds are unknown to another organisation',
  covers: ['SERVICE-04'],
  operations: [
    'createWorkspace',
    'getWorkspace',
    'listSops',
    'listAutomations',
    'listChats',
    'getChat',
    'deleteChat',
  ],
  tasks: 1,
  keys: ['other'],
  async run(t: Probing) {
    for (const [owner, stranger] of SIDES) {
      const { id, name, created } = await workspaceOf(t, owner);
      const mine = await t.send('getWorkspace', { ...inWorkspace(id), key: owner });
      mustSucceed(t, 'WORKSPACE-01', mine, 'GET /workspace');
      const theirs = await t.send('getWorkspace', { ...inWorkspace(id), key: stranger });
      t.expect(
        'SERVICE-04',
        !theirs.ok || !(mentions(payloadOf(theirs), id) || mentions(payloadOf(theirs), name)),
        `GET /workspace with the key of another organisation: expected the workspace "${name}" to be unknown, got ${said(theirs)}`,
        created,
        mine,
        theirs,
      );
    }
  },
};

const contents: Probe = {
  id: 'auth/chats-of-another-organisation',
  title:
    'The chats of a workspace are neither listed for another organisation nor read, renamed or removed by it',
  covers: ['SERVICE-04'],
  operations: ['createWorkspace', 'createChatTask', 'listChats', 'getChat', 'renameChat', 'deleteChat'],
  tasks: 1,
  keys: ['other'],
  async run(t: Probing) {
    const { id } = await workspaceOf(t);
    const chat = await makeChat(t, id);
    const holds = (answer: Answer) => answer.ok && isAbout(payloadOf(answer), chat);
    const list = (key: Key) => t.send('listChats', { ...inWorkspace(id), key });
    await isUnlisted(t, 'GET /chat', list, holds, ['main', 'other']);
    const one = (operation: OperationId, key: Key, query = {}) =>
      t.send(operation, { ...inWorkspace(id), query: { t: chat.t, ...query }, key });
    const mine = await one('getChat', 'main');
    if (!holds(mine)) t.inconclusive(`the chat is not known to its owner: ${said(mine)}`);
    const read = await one('getChat', 'other');
    t.expect(
      'SERVICE-04',
      !holds(read),
      `GET /chat/id with the key of another organisation: expected it to be unknown, got ${said(read)}`,
      mine,
      read,
    );
    const title = t.unique();
    const renamed = await one('renameChat', 'other', { title });
    const removed = await one('deleteChat', 'other');
    const after = await one('getChat', 'main');
    t.expect(
      'SERVICE-04',
      holds(after) && !mentions(payloadOf(after), title),
      `the chat after another organisation tried to rename and to remove it: expected it as before, got ${said(after)}`,
      mine,
      renamed,
      removed,
      after,
    );
  },
};

const procedures: Probe = {
  id: 'auth/sops-and-automations-of-another-organisation',
  title: 'SOPs and automations are neither listed for another organisation nor removed by it',
  covers: ['SERVICE-04'],
  operations: [
    'createWorkspace',
    'saveSop',
    'listSops',
    'deleteSop',
    'createAutomation',
    'listAutomations',
    'deleteAutomation',
  ],
  keys: ['other'],
  async run(t: Probing) {
    const { id } = await workspaceOf(t);
    const sop = await makeSop(t, id);
    const automation = await makeAutomation(t, id);
    const kinds = [
      {
        what: 'SOP',
        list: listSops,
        remove: 'deleteSop',
        query: { t: sop.t },
        holds: (answer: Answer) => mentions(payloadOf(answer), sop.word),
      },
      {
        what: 'automation',
        list: listAutomations,
        remove: 'deleteAutomation',
        query: { id: automation.id },
        holds: (answer: Answer) => has(answer, automation),
      },
    ] as const;
    for (const { what, list, remove, query, holds } of kinds) {
      const as = (key: Key) => list(t, id, key);
      await isUnlisted(t, `the list of ${what}s`, as, holds, ['main', 'other']);
      const theirs = await t.send(remove, { ...inWorkspace(id), query: { ...query }, key: 'other' });
      const after = await as('main');
      t.expect(
        'SERVICE-04',
        holds(after),
        `the ${what} after another organisation tried to remove it: expected it to be there, got ${said(after)}`,
        theirs,
        after,
      );
    }
  },
};

export const isolationProbes: readonly Probe[] = [tasks, ...owned, workspaces, contents, procedures];
