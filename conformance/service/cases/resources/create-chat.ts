/** Makes chats, whose records the description does not show, and finds out how they are named. */

import type { ApiResponse } from '../../http-client/response.js';
import { idIn, integerIn, memberWith, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { removeLater, shouldSucceed, withBodies } from '../../test-case/requests.js';
import type { TestContext } from '../../test-case/test-context.js';
import { inWorkspace } from './workspaces.js';

export const CHAT_IDS = ['id', 'chat_id', 'chatId', 'uuid'];
/** `t` names a chat within its workspace; which field holds it is open (`chat.t`). */
export const CHAT_TIMES = ['t', 'timestamp', 'created_at', 'createdAt', 'created', 'time', 'id'];
const TASK_IDS = ['task_id', 'taskId'];

export interface Chat {
  /** A word of its text that nothing else has. */
  word: string;
  /** What GET /chat/id takes as `t`. */
  t: number;
  /** What the header chat-id takes. */
  id: string | undefined;
  workspace: string;
  created: ApiResponse;
  /** It is deleted. */
  gone: () => void;
}

/** Bodies of a task in a chat: ITask is not shown. The first says the same under every name that it may have. */
function tasksSaying(text: string): unknown[] {
  return [
    { task: text, text, prompt: text, message: text, content: text, title: text },
    { task: text },
    { text },
    { message: text },
    { prompt: text },
    { content: text },
    { task: text, title: text },
  ];
}

/** POST /task/zero in a workspace. Chat and task are removed at the end of the run. */
export async function makeChat(
  t: TestContext,
  workspace: string,
  key: 'main' | 'other' = 'main',
): Promise<Chat> {
  const word = t.unique();
  const text = `Open https://example.com and tell me its title (${word}).`;
  const created = await withBodies(
    t,
    'createChatTask',
    { ...inWorkspace(workspace), key },
    tasksSaying(text),
  );
  if (created.status === 422) {
    const query = { task_type: 'task' };
    const told = await withBodies(
      t,
      'createChatTask',
      { ...inWorkspace(workspace), query, key },
      tasksSaying(text),
    );
    if (told.ok) {
      await chatFrom(t, told, { word, workspace, key });
      const message = `POST /task/zero without a task_type: expected it to be taken as with "task", got ${summarize(created)}`;
      t.fail('CHAT-02', message, told, created);
    }
  }
  shouldSucceed(t, 'CHAT-02', created, 'POST /task/zero');
  return chatFrom(t, created, { word, workspace, key });
}

/** The chat of an response, or of the list where the response does not name it. */
export async function chatFrom(
  t: TestContext,
  created: ApiResponse,
  { word, workspace, key }: { word: string; workspace: string; key: 'main' | 'other' },
): Promise<Chat> {
  let record = payloadOf(created);
  stopLater(t, record, key);
  if (integerIn(record, CHAT_TIMES) === undefined) {
    const listed = await t.send('listChats', { ...inWorkspace(workspace), key });
    record = memberWith(payloadOf(listed), word) ?? record;
  }
  const time = integerIn(record, CHAT_TIMES);
  if (time === undefined) {
    t.inconclusive(
      `nothing names the chat: no integer in ${CHAT_TIMES.join(', ')} of ${JSON.stringify(record)}`,
    );
  }
  const gone = removeLater(t, `chat ${word}`, 'deleteChat', {
    ...inWorkspace(workspace),
    query: { t: time },
    key,
  });
  return { word, t: time, id: idIn(record, CHAT_IDS), workspace, created, gone };
}

/** The task that answers a chat costs money as long as it runs. */
function stopLater(t: TestContext, record: unknown, key: 'main' | 'other'): void {
  const task_id = idIn((record as object | null) ?? {}, TASK_IDS);
  if (typeof record === 'object' && task_id !== undefined)
    removeLater(t, `task ${task_id} of a chat`, 'deleteTask', { path: { task_id }, key });
}

/** True when the record is about this chat: its text or its id is in it, or its time where it has no id. */
export function isAbout(value: unknown, { word, id, t }: Pick<Chat, 'word' | 'id' | 't'>): boolean {
  if (mentions(value, word)) return true;
  // Short ids may be anything, and messages are counted by times too.
  return id === undefined ? t > 1e6 && mentions(value, String(t)) : id.length > 5 && mentions(value, id);
}
