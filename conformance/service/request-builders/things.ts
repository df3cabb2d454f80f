import type { Settings } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import { FILE_NAME, fileForm, formOf } from './forms.js';
import { findId, findListedId, findRow, findText, findTime, rowsOf, valuesIn } from './read.js';
import type { Kit } from './tracker.js';

/** What requests name: each made on the target through its own API, and taken away again. */

/** An open session. */
export async function session(kit: Kit): Promise<string> {
  const { id, status } = await newSession(kit);
  // What becomes of one that waits is open.
  if (status === 'waiting') await untilStatus(kit, id, /^(?!waiting$)/);
  return id;
}

async function newSession(kit: Kit) {
  const answer = await kit.need('createTask', { body: { task: null } }, 'a session is needed');
  const id = kit.had(findId(answer.r, 'id'), 'id of a task', answer);
  return { id, status: findText(answer.r, 'status'), remove: removeTask(kit, id) };
}

/** Stopped at once: for those to whom it matters only that it was there. */
export async function briefSession(kit: Kit): Promise<void> {
  const { remove } = await newSession(kit);
  await remove();
}

/** A session that was stopped, and is over. */
export async function endedSession(kit: Kit): Promise<string> {
  const id = await session(kit);
  await kit.need('deleteTask', { path: { task_id: id } }, 'a task that is over is needed');
  await untilStatus(kit, id, /^(done|failed|cancelled)$/);
  return id;
}

async function untilStatus(kit: Kit, id: string, wanted: RegExp): Promise<void> {
  const { probing } = kit;
  const until = probing.now() + probing.settings.timeout_ms;
  while (probing.now() < until) {
    const answer = await kit.send('getTask', { path: { task_id: id } });
    if (wanted.test(findText(answer.r, 'status') ?? 'waiting')) return;
    await probing.sleep(probing.settings.poll_interval_ms);
  }
  probing.inconclusive(`the status of task ${id} did not become ${wanted.source} in time`);
}

export function removeTask(kit: Kit, id: string): () => Promise<unknown> {
  return kit.later(`task ${id}`, () => kit.send('deleteTask', { path: { task_id: id } }));
}

export async function profile(kit: Kit): Promise<string> {
  const id = kit.probing.unique();
  const answer = await kit.need('createProfile', { body: { id } }, 'a profile is needed');
  const made = findId(answer.r, 'id') ?? id;
  kit.later(`profile ${made}`, () => kit.send('deleteProfile', { path: { profile_id: made } }));
  return made;
}

export async function file(kit: Kit): Promise<string> {
  const answer = await kit.need('uploadFile', { form: fileForm('file') }, 'an uploaded file is needed');
  const id = kit.had(findId(answer.r, 'id'), 'id of a file', answer);
  kit.later(`file ${id}`, () => kit.send('deleteFile', { path: { file_id: id } }));
  return id;
}

export async function extension(kit: Kit): Promise<string> {
  const answer = await kit.need(
    'uploadExtension',
    () => formOf(kit, 'uploadExtension'),
    'an extension is needed',
  );
  const id = kit.had(extensionId(answer), 'id of an extension', answer);
  kit.later(`extension ${id}`, () => kit.send('deleteExtension', { path: { extension_id: id } }));
  return id;
}

export function extensionId(answer: Answer): string | undefined {
  return findId(answer.body, 'id', 'extension_id');
}

/** A browser of the deprecated endpoint. */
export async function browser(kit: Kit): Promise<string> {
  const answer = await kit.need('openBrowserSession', { body: {} }, 'a browser is needed');
  const id = kit.had(browserId(answer), 'id of a browser', answer);
  removeBrowser(kit, id, answer);
  return id;
}

export function browserId(answer: Answer): string | undefined {
  return findId(answer.body, 'session_id', 'live_id', 'id');
}

/** The browser, and the profile that may have been made for it. */
export function removeBrowser(kit: Kit, id: string, { body }: Answer): void {
  const profile_id = findId(body, 'profile_id');
  if (profile_id !== undefined)
    kit.later(`profile ${profile_id}`, () => kit.send('deleteProfile', { path: { profile_id } }));
  kit.later(`browser ${id}`, () => kit.send('closeBrowserSession', { path: { session_id: id } }));
}

/** Nothing removes a workspace, so that one has to do for all probes of a run: the settings are those of one run. */
const workspaces = new WeakMap<Settings, Promise<string | undefined>>();

export async function workspace(kit: Kit): Promise<string> {
  const { settings } = kit.probing;
  const known = await workspaces.get(settings);
  if (known !== undefined) return known;
  const made = newWorkspace(kit);
  workspaces.set(
    settings,
    made.catch(() => undefined),
  );
  return made;
}

export async function newWorkspace(kit: Kit): Promise<string> {
  const sending = { path: { name: kit.probing.unique() } };
  const answer = await kit.need('createWorkspace', sending, 'a workspace is needed');
  return kit.had(findId(answer.body, 'id', 'workspace_id', 'workspace-id'), 'id of a workspace', answer);
}

export interface Chat {
  workspace: string;
  /** For the header `chat-id`. */
  id: string | undefined;
  /** For the query. */
  t: number | undefined;
  answer: Answer;
}

/** A chat with a task in it. */
export async function chat(kit: Kit): Promise<Chat> {
  return chatBy('createChatTask', kit, await workspace(kit));
}

/** A new chat, by either way to begin one. */
export async function chatBy(
  operation: 'createChatTask' | 'createMessage',
  kit: Kit,
  workspace: string,
): Promise<Chat> {
  const headers = { 'workspace-id': workspace };
  const sending = () => ({ headers, ...formOf(kit, operation) });
  const answer = await kit.need(operation, sending, 'a chat is needed');
  removeChat(kit, workspace, answer);
  return { workspace, id: findId(answer.body, 'chat_id', 'chat-id', 'id'), t: timeOf(answer), answer };
}

function timeOf({ body }: Answer): number | undefined {
  return findTime(body, 't', 'created_at', 'timestamp');
}

/** The chat and the task that was started for it. */
export function removeChat(kit: Kit, workspace: string, answer: Answer): void {
  const t = timeOf(answer);
  if (t !== undefined) {
    const sending = { query: { t }, headers: { 'workspace-id': workspace } };
    kit.later(`chat ${t}`, () => kit.send('deleteChat', sending));
  }
  const task = findId(answer.body, 'task_id');
  if (task !== undefined) removeTask(kit, task);
}

/** Something that a chat asks its user to agree to. */
export async function request(kit: Kit) {
  const { id: chat_id, answer } = await chat(kit);
  const row = kit.had(findRow(answer.body, 'requests', 'tool_calls'), 'request in a chat', answer);
  return {
    chat: kit.had(chat_id, 'id of a chat', answer),
    id: kit.had(findId(row, 'id', 'request_id'), 'id of a request', answer),
    t: findTime(row, 't', 'created_at', 'timestamp') ?? kit.had(timeOf(answer), 't of a request', answer),
    tool: findText(row, 'tool', 'tool_name', 'name'),
  };
}

/** A file that came with a message. */
export async function attachment(kit: Kit) {
  const { workspace: named, answer } = await chatBy('createMessage', kit, await workspace(kit));
  const row = findRow(answer.body, 'attachments', 'files');
  const id =
    findId(row, 'id', 'attachment_id') ??
    findListedId(answer.body, FILE_NAME, 'attachments', 'attachment_ids');
  return {
    workspace: named,
    id: kit.had(id, 'id of an attachment', answer),
    t: kit.had(findTime(row, 't', 'created_at', 'timestamp') ?? timeOf(answer), 't of an attachment', answer),
  };
}

export async function sop(kit: Kit) {
  const headers = { 'workspace-id': await workspace(kit) };
  let sent: Sending = {};
  const sending = () => {
    sent = { headers, ...formOf(kit, 'saveSop') };
    return sent;
  };
  const answer = await kit.need('saveSop', sending, 'a SOP is needed');
  const t = kit.had(timeOfSop(answer, sent), 't of a SOP', answer);
  removeSop(kit, headers['workspace-id'], answer, sent);
  return { workspace: headers['workspace-id'], t };
}

/** The response may hold all SOPs of the workspace: the one that was sent is found by its title. */
function timeOfSop(answer: Answer, { body }: Sending): number | undefined {
  const title = findText(body, 'title') ?? '';
  const own = rowsOf(answer.body)?.find((row) => valuesIn(row).has(title));
  return own === undefined ? timeOf(answer) : findTime(own, 't', 'created_at', 'timestamp');
}

export function removeSop(kit: Kit, workspace: string, answer: Answer, sent: Sending): void {
  const t = timeOfSop(answer, sent);
  if (t === undefined) return;
  const sending = { query: { t }, headers: { 'workspace-id': workspace } };
  kit.later(`SOP ${t}`, () => kit.send('deleteSop', sending));
}

export async function automation(kit: Kit) {
  const headers = { 'workspace-id': await workspace(kit) };
  const answer = await kit.need(
    'createAutomation',
    () => ({ headers, ...formOf(kit, 'createAutomation') }),
    'an automation is needed',
  );
  const id = kit.had(automationId(answer), 'id of an automation', answer);
  removeAutomation(kit, headers['workspace-id'], id);
  return { workspace: headers['workspace-id'], id };
}

export function automationId(answer: Answer): string | undefined {
  return findId(answer.body, 'id', 'automation_id');
}

export function removeAutomation(kit: Kit, workspace: string, id: string): void {
  const sending = { query: { id }, headers: { 'workspace-id': workspace } };
  kit.later(`automation ${id}`, () => kit.send('deleteAutomation', sending));
}
