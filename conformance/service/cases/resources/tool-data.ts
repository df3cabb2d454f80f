import { field, show } from '../../../conversation/json.js';
import type { Answer } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { said } from '../../scenarios/player-read.js';
import type { Probe, Probing } from '../test-case.js';
import { TEXTS, textFor, toolFor } from '../texts.js';
import { leavesOf, mentions, payloadOf } from './reading.js';
import { eventually } from './requests.js';

const toolData: Probe = {
  id: 'resources/tool-data',
  title: 'The data of a tool call are read without a key',
  covers: ['CHAT-11'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'getToolData'],
  tasks: 1,
  async run(t: Probing) {
    const task = await t.player.create({
      task: textFor(t.settings, 'tool-call'),
      custom_tools: [toolFor(t.settings, 'get_weather')],
    });
    const call = await t.player.nextCall(task);
    if (!call)
      t.inconclusive(
        `the agent called no tool for the text "${t.settings.texts['tool-call'] ?? TEXTS['tool-call']}"`,
      );
    await t.player.reply(task, call.id, 200, { temp_c: 21 });
    const tool = field(call.payload, 'name');
    if (typeof tool !== 'string' || tool === '')
      return t.inconclusive(`the call names no tool: its payload is ${show(call.payload)}`);
    const read = (id: string, key?: null) =>
      t.send('getToolData', { path: { tool, id }, ...(key === null ? { key } : {}) });
    const isFilled = (answer: Answer) => leavesOf(payloadOf(answer)).some(({ value }) => value != null);
    const keyless = await eventually(
      t,
      () => read(call.id, null),
      (answer) => !answer.ok || isFilled(answer),
    );
    const keyed = await read(call.id);
    await t.player.cancel(task);
    if (keyed.ok && (keyless.status === 401 || keyless.status === 403)) {
      t.broke(
        'CHAT-11',
        `GET /tool/{tool}/{id} without a key: expected it to be answered as with one, got ${said(keyless)}`,
        keyed,
        keyless,
      );
      return;
    }
    if (keyless.status >= 500)
      t.broke('CHAT-11', `GET /tool/${tool}/${call.id} without a key: got ${said(keyless)}`, keyless);
    // Which calls have data of this kind is open.
    if (!keyless.ok) t.inconclusive(`a call that a task made has no data of this kind: ${said(keyless)}`);
    const empty = `GET /tool/${tool}/${call.id}: expected the data of the call, got none: ${said(keyless)}`;
    if (!isFilled(keyless)) return t.broke('CHAT-11', empty, keyless);
    const payload = payloadOf(keyless);
    const never = await read(unlike(call.id), null);
    const isOfThis = mentions(payload, call.id) || mentions(payload, tool);
    if (!isOfThis && never.ok) t.inconclusive(`nothing in ${said(keyless)} tells of which call it is`);
    t.expect(
      'CHAT-11',
      !never.ok || never.text !== keyless.text,
      `GET /tool/${tool}/{id}: expected the data of the call "${call.id}", got the same for a call that there is not: ${said(never)}`,
      keyless,
      never,
    );
  },
};

export const toolDataProbes: readonly Probe[] = [toolData];
