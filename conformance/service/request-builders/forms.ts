import { strToU8, zipSync } from 'fflate';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Settings } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import type { Kit } from './tracker.js';

/**
 * Bodies whose fields the API does not name. The first form is the mock's; what refuses it may take one that says the same
 * under all the names it usually goes by.
 */

/** A one-shot task that costs as little as one can. */
export const CHEAP_TASK = 'Say hello and finish at once. Open no page.';

type Form = (unique: string, now: number) => Pick<Sending, 'body' | 'form'>;

const telemetry = (unique: string, now: number) => {
  const event = { event: unique, timestamp: new Date(now).toISOString(), properties: {} };
  return { plain: event, more: { ...event, name: unique, type: unique, event_name: unique, data: {} } };
};

const FORMS = {
  createChatTask: [
    () => ({ body: { task: CHEAP_TASK } }),
    (unique) => ({
      body: {
        task: CHEAP_TASK,
        title: unique,
        name: unique,
        ...named(CHEAP_TASK, 'message prompt text content input'),
      },
    }),
  ],
  createMessage: [
    () => ({ form: messageForm(['message'], ['files']) }),
    () => ({ form: messageForm(['message'], ['file']) }),
    () => ({ form: messageForm(['message', 'text', 'content', 'prompt', 'task'], ['files', 'attachments']) }),
  ],
  uploadExtension: [() => ({ form: extensionForm('file') }), () => ({ form: extensionForm('extension') })],
  uploadBrowserExtension: [
    () => ({ form: extensionForm('file') }),
    () => ({ form: extensionForm('extension') }),
  ],
  saveSop: [
    (unique) => ({ body: { title: unique, content: 'Nothing.' } }),
    (unique) => ({
      body: { title: unique, name: unique, ...named('Nothing.', 'content text body sop description prompt') },
    }),
  ],
  createAutomation: [
    (unique) => ({ body: { name: unique, task: CHEAP_TASK } }),
    (unique) => ({
      body: {
        name: unique,
        title: unique,
        ...named(CHEAP_TASK, 'task prompt description instructions content'),
      },
    }),
  ],
  sendTelemetry: [
    (unique, now) => ({ body: { events: [telemetry(unique, now).plain] } }),
    (unique, now) => ({ body: { events: [telemetry(unique, now).more] } }),
    (unique, now) => ({ body: { events: [{ ...telemetry(unique, now).more, timestamp: Math.floor(now) }] } }),
  ],
  updateAttachment: [
    () => ({ body: { name: 'renamed.txt' } }),
    () => ({ body: { ...named('renamed.txt', 'name title filename file_name'), content: 'hello' } }),
  ],
} satisfies Partial<Record<OperationId, readonly Form[]>>;

type Formed = keyof typeof FORMS;

/** What the file of a form is called. */
export const FILE_NAME = 'hello.txt';

/** A text file, under each of these names. */
export function fileForm(...parts: string[]): FormData {
  const form = new FormData();
  for (const part of parts) form.append(part, new Blob(['hello'], { type: 'text/plain' }), FILE_NAME);
  return form;
}

/** A form with an extension that does nothing, in a part of this name. */
export function extensionForm(part: string): FormData {
  const manifest = { manifest_version: 3, name: 'Does nothing', version: '1.0.0' };
  const zip = zipSync({ 'manifest.json': strToU8(JSON.stringify(manifest)) }, { mtime: '2024-01-01' });
  const form = new FormData();
  form.append(part, new Blob([zip as Uint8Array<ArrayBuffer>], { type: 'application/zip' }), 'nothing.zip');
  return form;
}

function messageForm(texts: readonly string[], files: readonly string[]): FormData {
  const form = fileForm(...files);
  for (const name of texts) form.append(name, CHEAP_TASK);
  return form;
}

function named(value: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

/** How far the forms of an operation have been tried in one run. */
interface Tried {
  form: number;
  /** One was taken, or none is. */
  settled: boolean;
}

const runs = new WeakMap<Settings, Map<OperationId, Tried>>();

function triedOf({ probing: { settings } }: Kit, id: OperationId): Tried {
  const run = runs.get(settings) ?? new Map<OperationId, Tried>();
  runs.set(settings, run);
  const tried = run.get(id) ?? { form: 0, settled: false };
  run.set(id, tried);
  return tried;
}

/** The body of a request in the form that the target takes, as far as that is known. */
export function formOf(kit: Kit, id: Formed): Pick<Sending, 'body' | 'form'> {
  const forms: readonly Form[] = FORMS[id];
  return forms[triedOf(kit, id).form]!(kit.probing.unique(), kit.probing.now());
}

/** Sends again in the next form as long as the last was refused for what is in it. */
export async function inSomeForm(kit: Kit, id: OperationId, send: () => Promise<Answer>): Promise<Answer> {
  const forms: readonly Form[] | undefined = (FORMS as Partial<Record<OperationId, readonly Form[]>>)[id];
  if (!forms) return send();
  const tried = triedOf(kit, id);
  for (;;) {
    const { form } = tried;
    const answer = await send();
    if (answer.ok) tried.settled = true;
    if (tried.settled || (answer.status !== 400 && answer.status !== 422)) return answer;
    // Others may have gone on meanwhile.
    if (tried.form === form) tried.form++;
    if (tried.form < forms.length) continue;
    tried.form = 0;
    tried.settled = true;
    return answer;
  }
}
