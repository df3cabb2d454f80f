import type { RequirementId } from '../../../../spec/generated/documents.js';
import { STORABLE_TEXTS } from '../../../common/interesting-values.js';
import { readField, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { createUnknownId, readId, readPayload } from '../../test-case/read-record.js';
import { readCode, readTaskId } from '../../test-case/read-task.js';
import { expectCompletion, expectTask, SCRIPT } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { ACTING } from '../sessions/sessions.js';
import { createNamed } from './lifecycle.js';
import { files, profiles } from './lifecycles.js';

const MODEL = { type: 'object', properties: { title: { type: 'string' } } };

const fields: TestCase = {
  id: 'status-codes/optional-fields',
  title: 'Each field of a task request besides its text is optional',
  covers: ['TASK-10', 'TASK-11', 'TASK-14'],
  operations: ['createTask', 'deleteTask'],
  tasks: 6,
  async run(t) {
    const bare = { task: t.text('long') };
    const plain = await expectTask(t, bare, 'TASK-10');
    await t.cancel(plain);
    const more: Record<string, unknown>[] = [
      { task: null, url: t.text('page') },
      { device: 'desktop' },
      { custom_tools: [t.tool('get_weather')] },
      { response_model: MODEL },
      { files: [], custom_tools: [] },
    ];
    for (const given of more) await t.cancel(await expectTask(t, { ...bare, ...given }, 'TASK-11'));
  },
};

/** An output of the first does not fit the second. */
const MODELS = [['title'], ['title', 'url']].map((names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
}));

const models: TestCase = {
  id: 'status-codes/same-text-other-model',
  title: 'Tasks with the same text and different response models each have the output of their own',
  covers: ['TASK-04', 'SERVICE-01'],
  parts: ['structured-output'],
  operations: ['createTask', 'getTask'],
  tasks: MODELS.length,
  async run(t) {
    // A rule compares each output with the model of its task.
    for (const response_model of MODELS)
      await expectCompletion(t, await t.createTask({ task: t.text('one-shot'), response_model }));
  },
};

const empty: TestCase = {
  id: 'status-codes/empty-text',
  title: 'A task with an empty text is no session',
  covers: ['TASK-10'],
  operations: ACTING,
  tasks: 4,
  async run(t) {
    for (const text of ['', ' \n']) await expectOneShot(t, text);
  },
};

/** With a text that some take for none. */
async function expectOneShot(t: TestContext, text: string): Promise<void> {
  const request = t.amend('createTask', { body: { task: text }, mayBeRefused: true });
  const created = await t.send('createTask', request);
  const id = readTaskId(created);
  if (id === undefined) return t.inconclusive(`a task needs more text: ${summarize(created)}`);
  const task = t.adoptTask(created, id);
  const action = await t.act(task, 'evaluate_js', SCRIPT, { mayBeRefused: true });
  const result = action.response.ok ? await t.awaitResult(task, action.id) : undefined;
  const isSession = result !== undefined && readCode(result) === 200;
  const plain = isSession ? await t.createTask({ task: t.text('long') }) : undefined;
  const other = plain && (await t.act(plain, 'evaluate_js', SCRIPT, { mayBeRefused: true }));
  if (plain) await t.cancel(plain);
  if (other?.response.ok) return t.inconclusive('a task with a text takes actions, too');
  const message = `POST /task with the text ${show(text)}: expected a one-shot task, got a session that performs actions: ${show(result)}`;
  t.expect('TASK-10', !isSession, message, created, action.response, task.last);
  await t.cancel(task);
}

const carried: TestCase = {
  id: 'status-codes/text-of-any-kind',
  title:
    'A task may have a text of any script, with quotes, escapes and line breaks, and its characters reach the agent',
  covers: ['TASK-10'],
  operations: ['createTask', 'getTask', 'deleteTask'],
  tasks: 2,
  async run(t) {
    // The bounds of texts are not stated.
    const body = { task: `${t.text('long')} ${STORABLE_TEXTS.join(' ')}` };
    const created = await t.send('createTask', t.amend('createTask', { body, mayBeRefused: true }));
    const id = readTaskId(created);
    if (id === undefined && created.status < 500)
      return t.inconclusive(`such a text is refused: ${summarize(created)}`);
    const message = `POST /task with a text of many scripts: expected a task, got ${summarize(created)}`;
    t.expect('TASK-10', id !== undefined, message, created);
    if (id !== undefined) await t.cancel(t.adoptTask(created, id));
    await expectCharacters(t);
  },
};

/** Characters of two and three bytes in UTF-8, between others that show their places. */
const BEYOND_ASCII = 'caf\u00e9 na\u00efve 1\u4e2d\u65872';
/** What stands at such a place. A letter may transcribe the character, and a backslash or an ampersand escape it. */
const AT_PLACE = String.raw`[^\w\s\\&]*`;

/** An agent need not repeat what it is told; if it does, the characters are those of the task. */
async function expectCharacters(t: TestContext): Promise<void> {
  const begin = `${t.unique()} ${BEYOND_ASCII}`;
  const body = { task: `Begin your response with "${begin}" ${t.text('one-shot')}` };
  const created = await t.send('createTask', t.amend('createTask', { body, mayBeRefused: true }));
  const id = readTaskId(created);
  if (id === undefined) return;
  const task = t.adoptTask(created, id);
  if (!(await t.pollUntilEnd(task))) return;
  const output = readField(task.last.r, 'output');
  const repeated = new RegExp(begin.split(/[^ -~]+/).join(AT_PLACE), 'u').exec(String(output));
  const message = `the agent repeats a part of its task: expected ${show(begin)}, got the output ${show(output)}`;
  if (repeated) t.expect('TASK-10', repeated[0] === begin, message, created, task.last);
}

const named: TestCase = {
  id: 'resources/named-in-a-task',
  title:
    'A task may name an uploaded file and a created profile, both with other fields, and a profile with the id of a deleted one',
  covers: ['TASK-11', 'FILE-02', 'PROFILE-04'],
  operations: ['uploadFile', 'deleteFile', 'createProfile', 'deleteProfile', 'createTask', 'deleteTask'],
  tasks: 8,
  async run(t) {
    const task = t.text('one-shot');
    const { id: file } = await createNamed(t, files);
    await t.cancel(await expectTask(t, { task, files: [file] }, 'TASK-11'));
    const { id: profile_id } = await createNamed(t, profiles);
    await t.cancel(await expectTask(t, { task, profile_id }, 'TASK-11'));
    const others = { device: 'desktop', custom_tools: [t.tool('get_weather')], response_model: MODEL };
    await t.cancel(await expectTask(t, { task, files: [file], profile_id, ...others }, 'TASK-11'));
    const removedFile = await t.send('deleteFile', { path: { file_id: file } });
    await expectUnknown(t, 'FILE-02', removedFile, file, (id) => ({ task, files: [id] }));
    const removedProfile = await t.send('deleteProfile', { path: { profile_id } });
    await expectUnknown(t, 'PROFILE-04', removedProfile, profile_id, (id) => ({ task, profile_id: id }));
    const again = await t.send('createProfile', { body: { id: profile_id } });
    // Whether an id may be reused is open.
    if (readId(readPayload(again), ['id']) !== profile_id || !again.ok) return;
    await t.cancel(await expectTask(t, { task, profile_id }, 'TASK-11'));
  },
};

/** A task may not name a removed resource if it may not name one that never existed. */
async function expectUnknown(
  t: TestContext,
  requirement: RequirementId,
  removed: ApiResponse,
  id: string,
  createBody: (id: string) => Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!removed.ok) return;
  const createTask = async (name: string) => {
    const body = createBody(name);
    const response = await t.send('createTask', t.amend('createTask', { body, mayBeRefused: true }));
    const task = readTaskId(response);
    if (task !== undefined) await t.cancel(t.adoptTask(response, task));
    return response;
  };
  const never = await createTask(createUnknownId(id));
  if (![400, 404, 422].includes(never.status)) return;
  const late = await createTask(id);
  const message = `POST /task with ${show(createBody(id))} after "${id}" was removed: expected a refusal as for an unknown id (${summarize(never)}), got ${summarize(late)}`;
  t.expect(requirement, !late.ok, message, removed, never, late);
}

export const requestCases: readonly TestCase[] = [fields, models, empty, carried, named];
