import type { OperationId } from '../../../../spec/generated/operations.js';
import type { ApiResponse } from '../../http-client/response.js';
import { mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { carryOut } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import { chats, isAboutChat } from '../resources/chats.js';
import { type CallerKey, make } from '../resources/lifecycle.js';
import { automations, sops } from '../resources/lifecycles.js';
import { expectIsolated, expectUnlisted } from '../resources/run-lifecycle.js';
import { inWorkspace, workspaceOf } from '../resources/workspaces.js';
import { SIDES } from './isolation.js';

const workspaces: TestCase = {
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
  async run(t) {
    for (const [owner, stranger] of SIDES) {
      const { id, name, created } = await workspaceOf(t, owner);
      const mine = await carryOut(t, 'WORKSPACE-01', 'getWorkspace', { ...inWorkspace(id), key: owner });
      const theirs = await t.send('getWorkspace', { ...inWorkspace(id), key: stranger });
      const message = `GET /workspace with the key of another organisation: expected the workspace "${name}" to be unknown, got ${summarize(theirs)}`;
      const payload = payloadOf(theirs);
      const isUnknown = !theirs.ok || !(mentions(payload, id) || mentions(payload, name));
      t.expect('SERVICE-04', isUnknown, message, created, mine, theirs);
    }
  },
};

const contents: TestCase = {
  id: 'auth/chats-of-another-organisation',
  title:
    'The chats of a workspace are neither listed for another organisation nor read, renamed or removed by it',
  covers: ['SERVICE-04'],
  operations: ['createWorkspace', 'createChatTask', 'listChats', 'getChat', 'renameChat', 'deleteChat'],
  tasks: 1,
  keys: ['other'],
  async run(t) {
    const chat = await make(t, chats);
    const place = inWorkspace(chat.workspace!);
    const holds = (response: ApiResponse) => response.ok && isAboutChat(payloadOf(response), chat);
    const list = (key: CallerKey) => t.send('listChats', { ...place, key });
    await expectUnlisted(t, 'GET /chat', list, holds, ['main', 'other']);
    const one = (operation: OperationId, key: CallerKey, query = {}) =>
      t.send(operation, { ...place, query: { t: chat.id, ...query }, key });
    const mine = await one('getChat', 'main');
    if (!holds(mine)) t.inconclusive(`the chat is not known to its owner: ${summarize(mine)}`);
    const read = await one('getChat', 'other');
    const unknown = `GET /chat/id with the key of another organisation: expected it to be unknown, got ${summarize(read)}`;
    t.expect('SERVICE-04', !holds(read), unknown, mine, read);
    const title = t.unique();
    const renamed = await one('renameChat', 'other', { title });
    const removed = await one('deleteChat', 'other');
    const after = await one('getChat', 'main');
    const same = `the chat after another organisation tried to rename and to remove it: expected it as before, got ${summarize(after)}`;
    const isSame = holds(after) && !mentions(payloadOf(after), title);
    t.expect('SERVICE-04', isSame, same, mine, renamed, removed, after);
  },
};

const procedures: TestCase = {
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
  async run(t) {
    for (const row of [sops, automations]) await expectIsolated(t, row, ['main', 'other']);
  },
};

export const workspaceIsolationCases: readonly TestCase[] = [workspaces, contents, procedures];
