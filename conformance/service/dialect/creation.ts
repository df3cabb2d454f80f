import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor } from '../test-case/texts.js';
import { observe, observeResponse, observeStatus, removeTask, textIn } from './observe.js';

/** Requests that are invalid whatever else a service may choose. */
const INVALID_TASKS = [{ task: 5 }, { task: null, custom_tools: [{ name: 'incomplete' }] }];

/** `errors.invalid-parameters`, `errors.validation-detail`, `task.url-form`. */
export const validation: TestCase = {
  id: 'errors/point-validation',
  title: 'What answers a parameter out of bounds, and what a validation error says',
  covers: ['LIMIT-02', 'ERROR-02'],
  operations: ['listTasks', 'createTask', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const least = await t.send('listTasks', { query: { l: 1 } });
    if (!least.ok) t.inconclusive(`GET /task?l=1: expected a list, got ${least.status}`);
    const below = await t.send('listTasks', { query: { l: 0 } });
    observeStatus(t, 'errors.invalid-parameters', below);
    const message = `GET /task?l=0: expected 422 (or 400), got ${below.status}`;
    if (below.status === 400 || below.status === 422 || below.ok)
      t.expect('LIMIT-02', !below.ok, message, least, below);
    await observeUrl(t);
    const refusal = below.status === 422 ? below : await refusedTask(t);
    if (refusal) observeDetail(t, refusal);
  },
};

/** `task.url-form`: a URL is accepted where another text is refused. */
async function observeUrl(t: TestContext): Promise<void> {
  const isCreated = async (url: string) => {
    const response = await createSession(t, { url });
    return textIn(response, 'id') !== undefined ? true : response.status;
  };
  const text = await isCreated('not a url');
  if (text === true) return observe(t, 'task.url-form', 'any-text');
  const isRefused = text === 400 || text === 422;
  if (isRefused && (await isCreated(textFor(t.settings, 'page'))) === true)
    observe(t, 'task.url-form', 'absolute');
}

async function refusedTask(t: TestContext): Promise<ApiResponse | undefined> {
  for (const body of INVALID_TASKS) {
    const response = await t.send('createTask', { body });
    if (response.status === 422) return response;
    removeTask(t, response);
  }
  return undefined;
}

function observeDetail(t: TestContext, response: ApiResponse): void {
  const detail = field(response.body, 'detail');
  const isThere = detail !== undefined && detail !== null;
  t.expect('ERROR-02', isThere, 'a 422: expected a body with detail, found none', response);
  if (typeof detail === 'string') observe(t, 'errors.validation-detail', 'string');
  const isList = Array.isArray(detail) && detail.length > 0;
  if (isList && detail.every((each) => typeof field(each, 'msg') === 'string'))
    observe(t, 'errors.validation-detail', 'list');
}

/** `file.unknown-in-task`, `extension.unknown-in-task`. */
export const references: TestCase = {
  id: 'errors/point-references',
  title: 'What becomes of a task that names a file or an extension that there is not',
  covers: ['TASK-14'],
  operations: ['createTask', 'deleteTask'],
  tasks: 3,
  async run(t) {
    const plain = await createSession(t, {});
    if (textIn(plain, 'id') === undefined)
      t.inconclusive(`POST /task: expected a task, got ${summarize(plain)}`);
    t.expect('TASK-14', true, '', plain);
    const choices = { ok: 'ignored', 404: '404' } as const;
    const create = (names: string) => createSession(t, { [names]: [t.unique()] });
    observeResponse(t, 'file.unknown-in-task', await create('files'), choices);
    observeResponse(t, 'extension.unknown-in-task', await create('extensions'), choices);
  },
};

async function createSession(t: TestContext, more: object): Promise<ApiResponse> {
  const response = await t.send('createTask', { body: { task: null, ...more } });
  removeTask(t, response);
  return response;
}
