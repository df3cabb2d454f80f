import { field } from '../../conversation/json.js';
import { rowsOf } from '../request-builders/read.js';
import { payloadOf } from '../test-case/read-record.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import { isRefused, observe, textIn } from './observe.js';

/** `envelope.unwrapped-rows`, `chat.limit-not-positive`. */
export const workspaces: TestCase = {
  id: 'resources/point-workspaces',
  title: 'Whether records named without the envelope are in r all the same, and how a limit of 0 is taken',
  covers: ['CHAT-01'],
  operations: ['createWorkspace', 'listChats'],
  async run(t) {
    const made = await t.send('createWorkspace', { path: { name: t.unique() } });
    const id = textIn(made, 'id');
    if (id === undefined) return t.inconclusive(`POST /workspace/{name} is answered with ${summarize(made)}`);
    observe(t, 'envelope.unwrapped-rows', field(made.body, 'r') === undefined ? 'bare' : 'enveloped', made);
    const headers = { 'workspace-id': id };
    const list = await t.send('listChats', { headers });
    if (!list.ok || rowsOf(payloadOf(list)) === undefined)
      t.inconclusive(`GET /chat is answered with ${summarize(list)}`);
    t.expect('CHAT-01', true, '', list);
    const none = await t.send('listChats', { headers, query: { limit: 0 } });
    if (isRefused(none)) observe(t, 'chat.limit-not-positive', 'refused', list, none);
    if (none.ok && (rowsOf(payloadOf(none)) ?? []).length === 0)
      observe(t, 'chat.limit-not-positive', 'empty', none);
  },
};
